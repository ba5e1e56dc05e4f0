#include "core/documents/report/beside.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/printable.h"
#include "core/base/text_table.h"
#include "core/formats/external/match.h"

namespace iosx {

Speedup speedup(const Comparison& comparison, const ExternalRun& run) {
  const ScheduleResult* const base = comparison.find(ScheduleKind::kSequential);
  if (base == nullptr || run.latency.value <= Millis(0) || piece_of(run, *comparison.graph))
    return {.value = 0, .low = 0, .high = 0};
  return speedup(base->latency, base->rounds, run.latency, {});
}

std::vector<Message> notices_of(const ExternalRun& run, const Graph& graph) {
  std::vector<Message> notices = run.notices;
  if (const auto piece = piece_of(run, graph)) {
    notices.push_back(message("it has {} of the {} operators of the network, so its latency is not compared",
                              piece->recorded, piece->of));
  }
  return notices;
}

std::string beside_table(const Comparison& comparison, std::span<const ExternalRun> runs) {
  if (runs.empty()) return {};
  std::vector<std::vector<std::string>> rows{
      {"recorded elsewhere", "latency [ms]", "+- [ms]", "speed-up", "95 % interval", "samples", "matched", ""}};
  for (const ExternalRun& run : runs) {
    const Speedup times = speedup(comparison, run);
    rows.push_back({run.label, fmt::format("{:.3f}", run.latency.value.count()),
                    run.latency.samples < 2 ? "-" : fmt::format("{:.3f}", run.latency.spread.count()),
                    times.value > 0 ? fmt::format("{:.2f}", times.value) : "-",
                    times.value > 0 && times.known() && times.low < times.high
                        ? fmt::format("{:.2f} to {:.2f}", times.low, times.high)
                        : "-",
                    fmt::format("{}", run.latency.samples),
                    run.entries.empty() ? "-" : fmt::format("{:.1f} %", std::floor(1000 * run.matched_share()) / 10),
                    recorded_by(run)});
  }
  std::string text = aligned(rows);
  for (const ExternalRun& run : runs) {
    for (const Message& notice : notices_of(run, *comparison.graph)) {
      text += fmt::format("note: {}: {}\n", printable(run.label), printable(notice.text()));
    }
  }
  return text;
}

nlohmann::ordered_json beside_json(const Comparison& comparison, std::span<const ExternalRun> runs) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const ExternalRun& run : runs) {
    const Speedup times = speedup(comparison, run);
    nlohmann::ordered_json one{{"label", run.label},
                               {"tool", tool_name(run.tool)},
                               {"file", run.file},
                               {"origin", origin_name(run.latency.origin)},
                               {"latency_ms", run.latency.value.count()},
                               {"spread_ms", run.latency.spread.count()},
                               {"samples", run.latency.samples},
                               {"speedup", times.value}};
    if (times.value > 0 && times.known()) one["speedup_interval"] = {times.low, times.high};
    one["within_noise"] = times.within_noise();
    one["entries"] = run.entries.size();
    one["matched_share"] = run.matched_share();
    one["notices"] = notices_of(run, *comparison.graph);
    list.push_back(std::move(one));
  }
  return list;
}

}  // namespace iosx
