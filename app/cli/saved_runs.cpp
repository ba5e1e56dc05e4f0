#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/external.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/analysis/compare/profile.h"
#include "core/analysis/compare/report.h"
#include "core/base/printable.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"

namespace iosx::cli {
namespace {

struct ShowArguments {
  std::string file;
  std::string folder;
  bool json = false;
};

Exit show_command(const ShowArguments& options, Session& session) {
  IOS_TRY(const auto run, open_run(options.file));
  std::vector<std::string> files;
  if (!options.folder.empty()) {
    IOS_TRY(const auto written, write_comparison_files(run.comparison, options.folder));
    for (const auto& path : written.paths) files.push_back(path.string());
    for (const std::string& sentence : written.left_out) session.note(sentence);
  }
  if (options.json) {
    nlohmann::ordered_json document = comparison_json(run.comparison);
    document["recorded"] = {{"host", run.place.host},
                            {"when", time_text(run.place.when)},
                            {"system", run.place.system},
                            {"program", run.place.program},
                            {"device", run.comparison.device.name},
                            {"fingerprint", run.comparison.device.fingerprint},
                            {"network", run.network.source}};
    if (profiled(run.comparison)) document["profile"] = profile_json(run.comparison);
    if (!files.empty()) document["files"] = files;
    session.print(document);
    return kSuccess;
  }
  std::string text = comparison_table(run.comparison);
  if (profiled(run.comparison)) text += profile_table(run.comparison) + '\n';
  text += printable(fmt::format("{} (IOS Explorer {}, {})", recorded_text(run), run.place.program, run.place.system));
  std::vector<std::string> changed;
  for (const OptionChange& each : changed_options(run.options)) {
    changed.push_back(fmt::format("{} {}", each.info->flag(), value_text(*each.info, each.is)));
  }
  if (!changed.empty()) text += fmt::format("\noptions: {}", fmt::join(changed, ", "));
  if (!files.empty()) text += fmt::format("\n\nwrote {}", fmt::join(files, "\n      "));
  session.print(text);
  return kSuccess;
}

struct ReportArguments {
  std::vector<std::string> runs;
  std::string page;
  ExternalFlags external;
};

Exit report_command(const ReportArguments& options, Session& session) {
  for (const std::string& file : options.runs) {
    IOS_TRY(check_output(options.page, {file}, StandardOutput::kPossible));
  }
  IOS_TRY(check_output_external(options.page, options.external));
  Report report;
  for (const std::string& file : options.runs) {
    IOS_TRY(const auto run, open_run(file));
    report.runs.push_back(report_run(run));
  }
  IOS_TRY(report.beside, read_recordings(options.external, report.runs.front().comparison->graph.get(), session));
  IOS_TRY(const auto page, html_report(report));
  IOS_TRY(write_output(session, options.page, page));
  if (options.page != kStandardOutput) session.print(fmt::format("wrote {}\n", options.page));
  return kSuccess;
}

}  // namespace

void add_show(Command& program) {
  Command command = program.add_command("show", "Print a saved run as compare printed it (see compare --save)");
  auto options = std::make_shared<ShowArguments>();
  command.add_option("RUN", options->file, "A run file, FILE.iosrun").required().type_name("FILE");
  command.add_option("-o,--output", options->folder, "Also write table, JSON, CSV, schedules and traces to this folder")
      .type_name("DIR");
  add_json(command, options->json);
  command.runs([options](Session& session) { return show_command(*options, session); });
}

void add_report(Command& program) {
  Command command = program.add_command(
      "report", "Write saved runs as one interactive HTML page that opens in any browser and loads no other files");
  auto options = std::make_shared<ReportArguments>();
  command.add_option("RUN", options->runs, "Run files, FILE.iosrun (see compare --save); the first one is the baseline")
      .required()
      .type_name("FILE...");
  command.add_option("-o,--output", options->page, "The HTML page to write").required().type_name("FILE.html");
  add_external(command, options->external);
  command.runs([options](Session& session) { return report_command(*options, session); });
}

}  // namespace iosx::cli
