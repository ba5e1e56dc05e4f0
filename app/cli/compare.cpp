#include "core/analysis/compare/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/compare/reliability.h"
#include "core/analysis/compare/report.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/comparison_files.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct CompareArguments : NetworkArguments {
  std::string folder;
  std::string run_file;
  std::string page;
  ExternalFlags external;
};

Result<std::vector<ScheduleKind>> schedule_kinds_asked_for(const CompareArguments& options, bool strategy_given) {
  if (strategy_given) {
    const StrategySet strategies = options.compare.search.strategies;
    return std::vector{ScheduleKind::kSequential, ScheduleKind::kGreedy, row_of(strategies).schedule_kind};
  }
  return options.job.schedules.empty() ? made_schedule_kinds() : schedule_kinds_of(options.job);
}

// Adds the file's schedule under its schedule kind's name, if it was asked for.
Result<void> add_file_schedule(const Document& document, const CompareArguments& options,
                               CompareOptions& compare_options) {
  const std::string_view file = row_of(ScheduleKind::kFile).id;
  const bool asked = std::erase(compare_options.schedule_kinds, ScheduleKind::kFile) > 0;
  if (!document.schedule) {
    if (asked)
      return fail(message("contains no schedule"), options.graph,
                  message("remove '{}' from {}", file, info_of(&JobOptions::schedules).flag()));
    return {};
  }
  if (asked || options.job.schedules.empty()) {
    compare_options.given.push_back(schedule_in_file(document.schedule->schedule, document.schedule->lanes));
  }
  return {};
}

Exit compare_command(CompareArguments& options, bool strategy_given, Session& session) {
  IOS_TRY(settled(options.compare, options.job.replay ? use::kCompare : 0));
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening, &options.compare.batch));
  IOS_TRY(const auto device, choose_device(session, options.device, options.job, options.compare.verify));

  CompareOptions compare_options = options.compare;
  IOS_TRY(compare_options.schedule_kinds, usage(schedule_kinds_asked_for(options, strategy_given)));
  IOS_TRY(usage(add_file_schedule(document, options, compare_options)));
  IOS_TRY(compare_options.warm_start, open_warm_start(session, document, options.job.warm_start));
  if (!options.folder.empty()) {
    IOS_TRY(make_folder(options.folder));
  }

  IOS_TRY(usage(check_apart(options.run_file, options.page)));
  if (!options.run_file.empty()) {
    IOS_TRY(or_another_file(check_output(options.run_file, {options.graph}), "--save"));
  }
  if (!options.page.empty()) {
    IOS_TRY(or_another_file(check_output(options.page, {options.graph}), "--report"));
    IOS_TRY(or_another_file(check_output_external(options.page, options.external), "--report"));
  }
  IOS_TRY(const auto beside, read_recordings(options.external, document.graph.get(), session));

  IOS_TRY(const auto comparison, workbench_of(session, options.store)
                                     .run(CompareRequest{.graph = document.graph,
                                                         .device = device,
                                                         .options = compare_options,
                                                         .replay = options.job.replay,
                                                         .anew = options.job.anew,
                                                         .reference = options.job.reference,
                                                         .predictor = options.job.predictor},
                                          session.job(), hooks_of(session)));
  for (const Message& sentence : ignored_options(comparison, compare_options)) session.note(sentence);
  std::vector<std::string> files;
  Result<void> saved;  // the results are shown all the same
  if (!options.folder.empty()) {
    IOS_TRY(const auto written, write_comparison_files(comparison, options.folder, beside));
    for (const auto& path : written.paths) files.push_back(path.string());
    for (const std::string& sentence : written.left_out) session.note(sentence);
  }
  Run run = make_run(comparison, compare_options, {options.graph, document.graph, document.batched}, IOSX_VERSION);
  run.external = beside;
  const auto keep = [&](Result<void> written, const std::string& file, std::string_view option) {
    if (written) return files.push_back(file);
    saved = or_another_file(std::move(written), option);
  };
  if (!options.page.empty()) {
    const auto write = [&](const std::string& page) { return write_file(options.page, page); };
    keep(html_report({.runs = {report_run(run)}, .beside = run.external}).and_then(write), options.page, "--report");
  }
  if (!options.run_file.empty()) keep(save_run(run, options.run_file), options.run_file, "--save");
  if (options.json) {
    Json document_json = comparison_json(comparison, beside);
    if (!files.empty()) document_json["files"] = files;
    session.print(document_json);
  } else {
    std::string text = comparison_table(comparison, beside);
    if (!files.empty()) text += fmt::format("\nwrote {}\n", fmt::join(files, "\n      "));
    session.print(text);
  }
  IOS_TRY(saved);
  if (comparison.complete) return comparison.failed_verification() ? kFailed : kSuccess;
  session.note("compare: cancelled; the finished results are shown");
  return kFailed;
}

}  // namespace

void add_compare(Command& program) {
  Command command = program.add_command("compare", "Run schedules of a network and compare them");
  auto options = std::make_shared<CompareArguments>();
  add_graph(command, options->graph, options->opening);
  add_device(command, options->device);
  add_accurate(command, options->device);
  add_batch(command, options->compare);
  add_options(command, options->compare, use::kCompare);
  add_options(command, options->job, use::kCompare);
  add_store(command, options->store, options->job);
  const OptionInfo& strategy_info = info_of(&SearchOptions::strategies);
  const Option strategy = add_option(command, bind_option(options->compare.search, strategy_info));
  add_schedules(command, options->job).excludes(strategy_info.flag());
  command.add_option("-o,--output", options->folder, "DIR",
                     "Also write table, JSON, CSV, schedules and traces to this folder");
  command.add_option("--save", options->run_file, "FILE.iosrun",
                     "Also save all results as a run file. iosx show and ios-explorer can open it on any computer");
  command.add_option(
      "--report", options->page, "FILE.html",
      "Also write an interactive report: one HTML page that opens in any browser and loads no other files");
  add_external(command, options->external);
  // With --replay nothing runs, so there are no traces.
  add_replay(command, options->job)
      .excludes(info_of(&JobOptions::predictor).flag())
      .excludes("--output")
      .excludes("--save")
      .excludes("--report");
  add_json(command, options->json);
  command.runs([options, strategy](Session& session) { return compare_command(*options, strategy.given(), session); });
}

}  // namespace iosx::cli
