#include "core/compare/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/compare/report.h"
#include "core/report/comparison_files.h"
#include "core/report/output_file.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct Options {
  std::string graph;
  std::string device;
  std::int64_t batch = 1;
  std::vector<std::string> schedules;  // empty: the five, and the file's if it is another one
  SearchFlags search;
  TimingOptions timing;
  VerifyFlags verify;
  std::string folder;
  bool json = false;
};

std::vector<std::string> default_schedules(const Options& options, bool strategy_given) {
  if (strategy_given) return {"sequential", "greedy", "ios-" + options.search.strategy};
  const auto names = schedule_names();
  return {names.begin(), names.end()};
}

// The file's schedule under a name of its own, if it was asked for.
Result<void> add_file_schedule(const Document& document, const Options& options, CompareOptions& compare_options) {
  std::vector<std::string>& names = compare_options.schedules;
  const bool asked = std::find(names.begin(), names.end(), "file") != names.end();
  std::erase(names, "file");
  if (!document.schedule) {
    if (asked) return fail("holds no schedule", options.graph, "leave 'file' out of --schedules");
    return {};
  }
  if (asked || options.schedules.empty()) {
    compare_options.given.push_back(*document.schedule);
    compare_options.given.back().name = "file";
  }
  return {};
}

int compare_command(const Options& options, bool strategy_given, Session& session) {
  auto devices = open_devices(session, options.device, options.verify);
  if (!devices) return session.fail(devices.error().error, devices.error().exit_code);
  Device& device = *devices->device;
  auto document = open_graph_argument(session, options.graph, options.batch);
  if (!document) return session.fail(document.error().error, document.error().exit_code);

  CompareOptions compare_options;
  compare_options.batch = options.batch;
  compare_options.search = options.search.search_options();
  compare_options.max_part_size = options.search.max_part_size;
  compare_options.timing = options.timing;
  compare_options.verify = options.verify.verify;
  compare_options.reference = devices->reference.get();
  compare_options.schedules =
      options.schedules.empty() ? default_schedules(options, strategy_given) : options.schedules;
  if (auto added = add_file_schedule(*document, options, compare_options); !added) {
    return session.fail(added.error(), kUsage);
  }
  if (!options.folder.empty()) {
    if (auto made = make_folder(options.folder); !made) return session.fail(made.error());
  }

  const auto comparison = compare(*document->graph, device, compare_options, session.job());
  if (!comparison) return session.fail(comparison.error());
  std::vector<std::string> files;
  if (!options.folder.empty()) {
    const auto written = write_comparison_files(*comparison, options.folder);
    if (!written) return session.fail(written.error());
    for (const auto& path : written->paths) files.push_back(path.string());
    for (const std::string& sentence : written->left_out) session.note(sentence);
  }
  if (options.json) {
    Json document_json = comparison_json(*comparison);
    if (!files.empty()) document_json["files"] = files;
    session.print(document_json);
  } else {
    std::string text = comparison_table(*comparison);
    if (!files.empty()) text += fmt::format("\nwrote {}\n", fmt::join(files, "\n      "));
    session.print(text);
  }
  if (comparison->complete) return comparison->failed_verification() ? kFailed : kSuccess;
  session.note("compare: cancelled; what was finished is shown");
  return kFailed;
}

}  // namespace

void add_compare(CLI::App& app, Command& chosen) {
  CLI::App* command = app.add_subcommand("compare", "Run schedules of a network side by side");
  auto options = std::make_shared<Options>();
  add_graph(*command, options->graph);
  add_device(*command, options->device);
  add_batch(*command, options->batch);
  add_space(*command, options->search);
  add_timing(*command, options->timing);
  add_verify(*command, options->verify);
  CLI::Option* strategy = add_strategy(*command, options->search);
  CLI::Option* schedules = add_schedules(*command, options->schedules);
  schedules->excludes(strategy);
  command
      ->add_option("-o,--output", options->folder, "Also write table, JSON, CSV, schedules and traces to this folder")
      ->type_name("DIR");
  add_json(*command, options->json);
  command->callback([&chosen, options, strategy] {
    chosen = [options, strategy](Session& session) {
      return compare_command(*options, strategy->count() > 0, session);
    };
  });
}

}  // namespace iosx::cli
