#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "app/devices/all_devices.h"
#include "core/analysis/experiment/experiment.h"
#include "core/analysis/experiment/report.h"
#include "core/documents/html/html_report.h"
#include "core/documents/report/output_file.h"
#include "core/documents/run_file/run_file.h"
#include "core/tables/render.h"

namespace iosx::cli {
namespace {

struct ExperimentArguments : NetworkArguments {
  std::vector<std::string> devices;
  std::vector<std::string> batches;
  std::vector<std::string> r;
  std::vector<std::string> s;
  ExperimentOptions varied;  // its seeds
  std::string csv;
};

// Reads words that check_of() a whole number lets pass.
template <typename T>
std::vector<T> numbers(const std::vector<std::string>& words) {
  std::vector<T> numbers;
  numbers.reserve(words.size());
  for (const std::string& word : words) numbers.push_back(static_cast<T>(std::stoll(word)));
  return numbers;
}

ExperimentOptions options_of(const ExperimentArguments& arguments) {
  ExperimentOptions options = arguments.varied;
  options.compare = arguments.compare;
  options.batches = numbers<std::int64_t>(arguments.batches);
  options.r = numbers<std::size_t>(arguments.r);
  options.s = numbers<std::size_t>(arguments.s);
  return options;
}

Exit experiment(ExperimentKind kind, ExperimentArguments& arguments, Session& session) {
  IOS_TRY(settled(arguments.compare));
  const auto batches = numbers<std::int64_t>(arguments.batches);
  std::int64_t largest = batches.empty() ? 0 : *std::ranges::max_element(batches);
  IOS_TRY(auto document, open_graph_argument(session, arguments.graph, arguments.opening,
                                             batches.empty() ? &arguments.compare.batch : &largest));
  const ExperimentOptions options = options_of(arguments);
  std::vector<std::string> devices;
  std::vector<DeviceFlags> wanted{arguments.device};
  if (!arguments.devices.empty()) wanted.assign(arguments.devices.begin(), arguments.devices.end());
  for (const DeviceFlags& each : wanted) {
    IOS_TRY(auto device, choose_device(session, each));
    devices.push_back(std::move(device));
  }
  if (auto valid = check_experiment(kind, devices, options); !valid) {
    const Error& error = valid.error();
    return wrong_usage(error.what, "--" + error.where, error.remedy);
  }
  if (!arguments.csv.empty()) {
    IOS_TRY(or_another_file(check_output(arguments.csv, {arguments.graph}, beside_json(arguments.json)), "--csv"));
  }

  IOS_TRY(const auto result, workbench_of(session, arguments.store)
                                 .run(ExperimentRequest{.kind = kind,
                                                        .graph = document.graph,
                                                        .devices = devices,
                                                        .options = options,
                                                        .anew = arguments.job.anew},
                                      session.job(), hooks_of(session)));
  Result<void> written;  // the result is shown all the same
  if (!arguments.csv.empty()) {
    written = or_another_file(write_output(session, arguments.csv, table_csv(trial_list(result))), "--csv");
  }
  if (arguments.json) {
    session.print(experiment_json(result));
  } else if (arguments.csv != kStandardOutput) {
    session.print(experiment_table_text(result));
  }
  IOS_TRY(written);
  if (result.complete) return kSuccess;
  session.note("experiment: cancelled; the finished results are shown");
  return kFailed;
}

void add_graph(Command& command, ExperimentKind kind, std::string& graph, OpeningFlags& flags) {
  if (kind != ExperimentKind::kUtilization) return cli::add_graph(command, graph, flags);
  graph = "sample";
  command.add_option("GRAPH", graph, "NAME|FILE", "A built-in network (see iosx networks) or a graph file")
      .show_default();
  add_sizes(command, flags);
  add_finer_units(command, flags);
}

// Declares a list of what the option takes one of.
template <typename T>
void add_list(Command& command, const std::string& name, std::vector<std::string>& list, const std::vector<T>& usual,
              const std::string& help, const OptionInfo& info) {
  for (const T number : usual) list.push_back(fmt::format("{}", number));
  command.add_list(name, list, "N,…", fmt::format("{} [{}]", help, fmt::join(list, ",")))
      .check(check_of({&info, OptionKind::kWhole, {}, {}}));
}

// Declares what is varied, then what is not.
void add_settings(Command& command, ExperimentKind kind, ExperimentArguments& arguments) {
  if (kind == ExperimentKind::kDevices) {
    arguments.devices = paper_devices();
    command.add_list(
        "--devices", arguments.devices, "ID,…",
        fmt::format("Devices (see iosx devices), separated by commas [{}]", fmt::join(arguments.devices, ",")));
  } else {
    add_device(command, arguments.device);
  }
  if (const auto batches = usual_batches(kind); batches.empty()) {
    add_batch(command, arguments.compare);
  } else {
    add_list(command, "--batches", arguments.batches, batches, "Batch sizes, separated by commas",
             info_of(&CompareOptions::batch));
  }
  if (kind != ExperimentKind::kPruning) return;
  constexpr const OptionInfo& r = info_of(&Pruning::r);
  constexpr const OptionInfo& s = info_of(&Pruning::s);
  add_list(command, r.flag(), arguments.r, arguments.varied.r,
           "Maximum numbers of units in a group, separated by commas; 0 = unlimited", r);
  add_list(command, s.flag(), arguments.s, arguments.varied.s,
           "Maximum numbers of groups in a stage, separated by commas; 0 = unlimited", s);
}

Uses uses_of(ExperimentKind kind) {
  if (kind == ExperimentKind::kPruning) return use::kPruningExperiment;
  return kind == ExperimentKind::kSearch ? use::kSearchExperiment : use::kExperiment;
}

void add_kind(Command& experiments, const ExperimentRow& row) {
  Command command = experiments.add_command(std::string(row.id), std::string(row.summary));
  auto arguments = std::make_shared<ExperimentArguments>();
  add_graph(command, row.kind, arguments->graph, arguments->opening);
  add_settings(command, row.kind, *arguments);
  if (row.kind == ExperimentKind::kSearch) {
    for (const BoundOption& option : bind_options(arguments->varied, use::kSearchExperiment))
      add_option(command, option);
  }
  add_options(command, arguments->compare, uses_of(row.kind));
  add_store(command, arguments->store, arguments->job);
  command.add_option("--csv", arguments->csv, "FILE", "Also write a CSV file with one line per trial");
  add_json(command, arguments->json);
  command.runs([kind = row.kind, arguments](Session& session) { return experiment(kind, *arguments, session); });
}

constexpr double kLongestLimit = 86'400;

struct FrameworksArguments : MeasuringArguments {
  std::vector<std::string> networks;
  EngineSettings engines;
  bool profile = false;
  std::string adapters;
  std::string limit = "300";
  std::string page;
  std::string run_file;
  std::string csv;
};

// A network with what was found of it.
struct Trialled {
  Document document;
  ExperimentOptions options;
  ExperimentResult result;
};

tl::expected<Trialled, Failure> run_network(const std::string& name, const FrameworksArguments& arguments,
                                            const std::string& device, Session& session) {
  std::int64_t batch = arguments.compare.batch;
  IOS_TRY(auto document, open_graph_argument(session, name, arguments.opening, &batch));
  ExperimentOptions options{.compare = arguments.compare};
  options.compare.batch = batch;
  options.rivals = rivals_of(document, name, batch);
  options.rivals.engines = arguments.engines;
  options.rivals.profile = arguments.profile || !arguments.page.empty();
  const JobContext job = arguments.networks.size() == 1 ? session.job() : named(session.job(), name);
  IOS_TRY(auto result, workbench_of(session, arguments.store)
                           .run(ExperimentRequest{.kind = ExperimentKind::kFrameworks,
                                                  .graph = document.graph,
                                                  .devices = {device},
                                                  .options = options,
                                                  .anew = arguments.job.anew},
                                job, hooks_of(session)));
  return Trialled{std::move(document), std::move(options), std::move(result)};
}

// Writes the page and the run file of one network that were asked for.
Exit write_documents(const Trialled& trialled, const FrameworksArguments& arguments, Session& session) {
  if (arguments.page.empty() && arguments.run_file.empty()) return kSuccess;
  if (trialled.result.comparison == nullptr) {
    session.note("the experiment was cancelled; no page and no run file were written");
    return kFailed;
  }
  const Document& document = trialled.document;
  Run run = make_run(*trialled.result.comparison, trialled.options.compare,
                     {arguments.networks.front(), document.graph, document.batched}, IOSX_VERSION);
  run.external = engine_records(trialled.result, *document.graph);
  if (!arguments.page.empty()) {
    IOS_TRY(const auto page, html_report({.runs = {report_run(run)}, .beside = run.external}));
    IOS_TRY(write_file(arguments.page, page));
  }
  if (!arguments.run_file.empty()) {
    IOS_TRY(save_run(run, arguments.run_file));
  }
  return kSuccess;
}

// Checks that no output replaces what is read, or another output.
Result<void> check_outputs(const FrameworksArguments& arguments) {
  IOS_TRY(check_apart(arguments.page, arguments.run_file));
  IOS_TRY(check_apart(arguments.csv, arguments.page));
  IOS_TRY(check_apart(arguments.csv, arguments.run_file));
  for (const std::string& network : arguments.networks) {
    if (!arguments.csv.empty()) {
      IOS_TRY(check_output(arguments.csv, {network}, beside_json(arguments.json)));
    }
    for (const std::string& file : {arguments.page, arguments.run_file}) {
      if (!file.empty()) IOS_TRY(check_output(file, {network}));
    }
  }
  return {};
}

Exit frameworks(FrameworksArguments& arguments, Session& session) {
  IOS_TRY(settled(arguments.compare));
  arguments.engines.adapters = arguments.adapters;
  arguments.engines.limit = Seconds(std::stod(arguments.limit));
  IOS_TRY(const auto device, choose_device(session, arguments.device, {}, false, true));
  if ((!arguments.page.empty() || !arguments.run_file.empty()) && arguments.networks.size() > 1) {
    return wrong_usage(message("applies to one network only"), arguments.page.empty() ? "--save" : "--report",
                       message("name one network, or remove this option"));
  }
  IOS_TRY(check_outputs(arguments));
  std::vector<ExperimentResult> results;
  Exit written = kSuccess;  // the results are shown all the same
  bool all = true;
  for (const std::string& name : arguments.networks) {
    auto result = run_network(name, arguments, device, session);
    if (!result && (arguments.networks.size() == 1 || session.job().stopped())) {
      if (results.empty()) return tl::unexpected(std::move(result.error()));
      all = false;
      break;
    }
    if (!result) {
      session.note(fmt::format("{}: skipped: {}", name, result.error().error.text()));
      all = false;
      continue;
    }
    all = all && result->result.complete;
    written = write_documents(*result, arguments, session);
    results.push_back(std::move(result->result));
  }
  if (results.empty()) return fail(message("no network could be run"));
  const ExperimentResult result = side_by_side(std::move(results));
  Result<void> table;
  if (!arguments.csv.empty()) table = write_output(session, arguments.csv, table_csv(trial_list(result)));
  if (arguments.json) {
    session.print(experiment_json(result));
  } else if (arguments.csv != kStandardOutput) {
    session.print(experiment_table_text(result));
    for (const Message& notice : result.notices) session.note(notice);
  }
  IOS_TRY(table);
  return all || !written ? written : kFailed;
}

}  // namespace

void add_experiment(Command& program) {
  Command experiments =
      program.add_command("experiment", "Run the experiments of the IOS paper on any network and device");
  for (const ExperimentRow& row : experiment_table()) {
    if (row.kind != ExperimentKind::kFrameworks) add_kind(experiments, row);
  }
  add_frameworks(experiments);
}

void add_frameworks(Command& experiments) {
  const ExperimentRow& row = row_of(ExperimentKind::kFrameworks);
  Command command = experiments.add_command(std::string(row.id), std::string(row.summary));
  const auto arguments = command.runs(frameworks);
  command
      .add_option("NETWORK", arguments->networks, "NAME|FILE…", "Built-in networks (see iosx networks) or graph files")
      .required();
  add_sizes(command, arguments->opening);
  add_device(command, arguments->device);
  add_batch(command, arguments->compare);
  command
      .add_option(
          "--python", arguments->engines.python, "FILE",
          "The Python interpreter with the engines to compare, such as the interpreter of a virtual environment")
      .show_default();
  command.add_list("--engines", arguments->engines.chosen, "ID,…",
                   "Ids of engines, separated by commas. Default: all engines of the interpreter");
  command.add_option("--adapters", arguments->adapters, "FOLDER",
                     "A folder with adapters for more engines (see resources/engines)");
  command.add_option("--limit", arguments->limit, "S", "Maximum time for an engine to prepare a network, in seconds")
      .check(number({1, kLongestLimit}, "a number of seconds"))
      .show_default();
  command.add_flag("--profile", arguments->profile,
                   "Also get the operator times of each engine, for --json; --report always gets them");
  add_options(command, arguments->compare, use::kFrameworks);
  add_store(command, arguments->store, arguments->job);
  command.add_option(
      "--report", arguments->page, "FILE.html",
      "Also write one HTML page with the schedules of IOS Explorer and the engines with their operators");
  command.add_option("--save", arguments->run_file, "FILE.iosrun",
                     "Also save the schedules of IOS Explorer as a run file. iosx show and ios-explorer can open it on "
                     "any computer");
  command.add_option("--csv", arguments->csv, "FILE", "Also write a CSV file with one line per trial");
  add_json(command, arguments->json);
}

}  // namespace iosx::cli
