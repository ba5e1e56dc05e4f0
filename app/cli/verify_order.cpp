#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/order/verify_order.h"
#include "core/base/child_process.h"
#include "core/base/files.h"
#include "core/base/text.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/file_kind.h"

namespace iosx::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kLongestLine = std::size_t{16} << 20;
constexpr Seconds kPackageLimit{1800};  // how long a package may run, twice, on the processor

struct OrderArguments {
  std::string what;
  OpeningFlags opening;
  std::string schedule;
  ExternalFlags external;
  std::string python = "python3";
  bool json = false;
};

using Reports = tl::expected<std::vector<OrderReport>, Failure>;

std::string last_line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) last = std::move(line);
  }
  return last;
}

// Returns the count of this name in a package's answer, if there is one.
std::optional<std::size_t> count_in(const Json& answer, const char* name) {
  const auto found = answer.find(name);
  if (found == answer.end() || !found->is_number_unsigned()) return std::nullopt;
  return found->get<std::size_t>();
}

// The results of a package's own check, which is a program of whoever made the package.
Reports reports_of_package(const OrderArguments& options, Session& session) {
  IOS_TRY(const auto scratch, ScratchFolder::make());
  const std::string check = (fs::path(options.what) / "check.py").string();
  const std::vector<std::string> command{options.python, check, "--order", "--json"};
  session.note(fmt::format("running {} with {}", printable(check), printable(options.python)));
  const fs::path errors = scratch.path() / "errors.txt";
  IOS_TRY(auto process, ChildProcess::start(command, errors));
  const auto line = process.read_line(kLongestLine, {kPackageLimit, session.job().stop});
  const Json answer = line ? Json::parse(*line, nullptr, false) : Json();
  const auto pairs = count_in(answer, "pairs");
  const auto across = count_in(answer, "across");
  try {
    if (pairs && across && *across <= *pairs) {
      OrderReport report{.what = options.what,
                         .pairs = *pairs,
                         .across = *across,
                         .found = answer.at("unordered").get<std::vector<std::string>>()};
      return std::vector{std::move(report)};
    }
  } catch (const Json::exception&) {  // it has no list of texts
  }
  const std::string last = last_line_of(errors);
  return fail(last.empty() ? message("its check.py returned no result")
                           : message("its check.py returned no result: {}", printable(last)),
              options.what, message("run {} {} --order; --python chooses another interpreter", options.python, check));
}

Reports reports_of_run(const OrderArguments& options) {
  IOS_TRY(const auto run, open_run(options.what));
  std::vector<OrderReport> reports;
  for (const ScheduleResult& result : run.comparison.results) {
    reports.push_back(order_of_plan(result.plan));
    reports.back().what = result.title() + ", as planned";
    if (result.trace.kernels.empty()) continue;
    reports.push_back(order_of_trace(result.plan, result.trace));
    reports.back().what = result.title() + ", the recorded run";
  }
  return reports;
}

Reports reports_of_network(const OrderArguments& options, Session& session) {
  IOS_TRY(auto document, open_graph_argument(session, options.what, options.opening));
  std::vector<OrderReport> reports;
  if (!options.schedule.empty() || document.schedule || options.external.files.empty()) {
    IOS_TRY(const auto opened, open_schedule(document, options.what, options.schedule));
    IOS_TRY(const auto plan, plan_of(session, *document.graph, opened));
    reports.push_back(order_of_plan(plan));
    const std::string& name = opened.given.schedule.name;
    reports.back().what = opened.given.lanes ? fmt::format("lanes of {}", name) : name;
  }
  IOS_TRY(const auto recorded, read_recordings(options.external, document.graph.get(), session));
  for (const ExternalRun& run : recorded) reports.push_back(order_of_recording(run, *document.graph));
  return reports;
}

Reports reports_of(const OrderArguments& options, Session& session) {
  std::error_code ignored;
  const bool folder = fs::is_directory(options.what, ignored);
  const bool run = !folder && file_kind(options.what) == FileKind::kRun;
  if ((folder || run) && !(options.schedule.empty() && options.external.files.empty())) {
    return wrong_usage(message("already contains its schedules"), options.what,
                       message("remove --schedule and --external"));
  }
  const OpeningFlags& opening = options.opening;
  if ((folder || run) && (opening.finer_units || !opening.shapes.empty() || !opening.dims.empty())) {
    return wrong_usage(message("already contains its network"), options.what,
                       message("leave out the options that say how a network is opened"));
  }
  if (run) return reports_of_run(options);
  if (!folder) return reports_of_network(options, session);
  if (fs::exists(fs::path(options.what) / "order.py", ignored)) return reports_of_package(options, session);
  return fail(message("is not a PyTorch package that can check its order"), options.what,
              message("export it again with iosx export pytorch"));
}

Exit verify_order(const OrderArguments& options, Session& session) {
  IOS_TRY(const auto reports, reports_of(options, session));
  bool ordered = true;
  Json list = Json::array();
  std::string text;
  for (const OrderReport& report : reports) {
    ordered = ordered && report.mistakes() == 0;
    list.push_back(order_json(report));
    text += order_text(report);
  }
  if (options.json) {
    session.print(Json{{"ordered", ordered}, {"checked", std::move(list)}});
  } else {
    session.print(text);
  }
  return ordered ? kSuccess : kFailed;
}

}  // namespace

void add_verify_order(Command& program) {
  Command command = program.add_command("verify-order",
                                        "Find races: accesses to one tensor that no stream, event or stage orders, in "
                                        "a schedule, a saved run, a PyTorch package or a recording of another program");
  const auto options = command.runs(verify_order);
  command
      .add_option(
          "WHAT", options->what, "NAME|FILE|FOLDER",
          "A network (with the schedule of --schedule or of its file), a saved run, FILE.iosrun, or the folder "
          "of a PyTorch package, whose check.py it runs, with torch but without a GPU: only for packages that you "
          "trust")
      .required();
  add_sizes(command, options->opening);
  add_finer_units(command, options->opening);
  command.add_option("--schedule", options->schedule, "FILE", "A schedule file, sequential, one-by-one or greedy");
  add_external(command, options->external);
  command.add_option("--python", options->python, "FILE", "The Python interpreter with torch, for a package")
      .show_default();
  add_json(command, options->json);
}

}  // namespace iosx::cli
