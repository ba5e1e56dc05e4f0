#include "core/documents/run_file/run.h"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <utility>

#include "core/formats/wire/graph_wire.h"

namespace iosx {

RunPlace this_place(std::string program) {
  RunPlace place{.host = {},
                 .system = {},
                 .program = std::move(program),
                 .when = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now())};
  utsname names{};
  if (uname(&names) == 0) {
    place.host = names.nodename;
    place.system = fmt::format("{} {} {}", names.sysname, names.release, names.machine);
  }
  return place;
}

Run make_run(Comparison comparison, CompareOptions options, RunNetwork network, std::string program) {
  Run run{.comparison = std::move(comparison),
          .options = std::move(options),
          .network = std::move(network),
          .own_weights = false,
          .place = this_place(std::move(program))};
  run.options.given.clear();
  run.options.warm_start.reset();
  run.own_weights = has_numbers_of_its_own(*run.comparison.graph);
  return run;
}

std::string time_text(std::chrono::sys_seconds time) {
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);
  return fmt::format("{:04}-{:02}-{:02} {:02}:{:02} UTC", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count());
}

Message recorded_text(const RunPlace& place) {
  const std::string host = place.host.empty() ? "an unnamed computer" : place.host;
  return message("recorded on {}, {}", host, time_text(place.when));
}

Message recorded_text(const Run& run) {
  return message("{}, {}", recorded_text(run.place), run.comparison.device.name);
}

}  // namespace iosx
