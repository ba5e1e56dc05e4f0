#include "app/cli/frameworks.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/analysis/experiment/experiment.h"
#include "core/analysis/experiment/report.h"
#include "core/base/printable.h"
#include "core/formats/file_kind.h"

namespace iosx::cli {
namespace {

constexpr double kLongestLimit = 86'400;

struct FrameworksArguments {
  std::vector<std::string> networks;
  OpeningFlags opening;
  std::string device;
  std::int64_t batch = 0;
  SearchFlags search;
  TimingOptions timing;
  StoreFlags store;
  RivalOptions rivals;
  std::string adapters;
  std::string limit = "300";
  std::string csv;
  bool json = false;
};

// Says whether engines can be given the network's file as it is.
bool runs_as_it_is(const Document& document, const std::string& name, std::int64_t batch) {
  if (file_kind(name) != FileKind::kOnnx) return false;
  if (document.batch == batch) return true;
  const auto open = [](const FileTensor& input) { return !input.axes.empty() && input.axes.front().open; };
  return document.file.any_batch && std::ranges::all_of(document.file.inputs, open);
}

tl::expected<ExperimentResult, Failure> run_network(const std::string& name, const FrameworksArguments& arguments,
                                                    const std::string& device, Session& session) {
  std::int64_t batch = arguments.batch;
  IOS_TRY(auto document, open_graph_argument(session, name, arguments.opening, &batch));
  ExperimentOptions options;
  options.batch = batch;
  options.search = arguments.search.search_options();
  options.max_part_size = arguments.search.max_part_size;
  options.timing = arguments.timing;
  options.rivals = arguments.rivals;
  options.rivals.file = interface_of(document, batch);
  if (runs_as_it_is(document, name, batch)) options.rivals.model = std::filesystem::absolute(name);
  const JobContext job = arguments.networks.size() == 1 ? session.job() : named(session.job(), name);
  IOS_TRY(auto result, workbench_of(session, arguments.store)
                           .run(ExperimentRequest{.kind = ExperimentKind::kFrameworks,
                                                  .graph = document.graph,
                                                  .devices = {device},
                                                  .options = options,
                                                  .anew = arguments.store.anew},
                                job, hooks_of(session)));
  return result;
}

Exit frameworks(FrameworksArguments& arguments, Session& session) {
  if (const std::string wrong = arguments.search.contradiction(); !wrong.empty()) {
    return session.fail(Error{verbatim(wrong), {}, {}}, kUsage);
  }
  arguments.rivals.engines.adapters = arguments.adapters;
  arguments.rivals.engines.limit = Seconds(std::stod(arguments.limit));
  IOS_TRY(const auto device, choose_device(session, arguments.device, {}, {}, true));
  if (!arguments.csv.empty()) {
    IOS_TRY(check_output(arguments.csv, {}, arguments.json ? StandardOutput::kNotPossible : StandardOutput::kPossible));
  }
  std::vector<ExperimentResult> results;
  bool all = true;
  for (const std::string& name : arguments.networks) {
    auto result = run_network(name, arguments, device, session);
    if (!result && (arguments.networks.size() == 1 || session.job().stopped())) {
      if (results.empty()) return tl::unexpected(std::move(result.error()));
      all = false;
      break;
    }
    if (!result) {
      session.note(fmt::format("{}: left out: {}", name, result.error().error.text()));
      all = false;
      continue;
    }
    all = all && result->complete;
    results.push_back(std::move(*result));
  }
  if (results.empty()) return session.fail(Error{message("no network could be run"), {}, {}});
  const ExperimentResult result = side_by_side(std::move(results));
  if (!arguments.csv.empty()) {
    IOS_TRY(write_output(session, arguments.csv, experiment_csv(result)));
  }
  if (arguments.json) {
    session.print(experiment_json(result));
  } else if (arguments.csv != kStandardOutput) {
    session.print(experiment_table_text(result));
    for (const Message& notice : result.notices) session.note(notice);
  }
  return all ? kSuccess : kFailed;
}

}  // namespace

void add_frameworks(Command& experiments) {
  const ExperimentRow& row = row_of(ExperimentKind::kFrameworks);
  Command command = experiments.add_command(std::string(row.id), std::string(row.summary));
  auto arguments = std::make_shared<FrameworksArguments>();
  command.add_option("NETWORK", arguments->networks, "Built-in networks (see iosx networks) or graph files")
      .required()
      .type_name("NAME|FILE…");
  add_sizes(command, arguments->opening);
  add_device(command, arguments->device);
  add_batch(command, arguments->batch);
  command
      .add_option("--python", arguments->rivals.engines.python,
                  "The Python interpreter whose engines are compared, such as that of a virtual environment")
      .type_name("FILE")
      .show_default();
  command
      .add_list("--engines", arguments->rivals.engines.chosen,
                "Engines by id, separated by commas; without it all that the interpreter has")
      .type_name("ID,…");
  command
      .add_option("--adapters", arguments->adapters, "A folder with adapters for more engines (see resources/engines)")
      .type_name("FOLDER");
  command.add_option("--limit", arguments->limit, "How long an engine may take to prepare a network, in seconds")
      .check(number(1, kLongestLimit, "a number of seconds"))
      .type_name("S")
      .show_default();
  command.add_flag("--profile", arguments->rivals.profile,
                   "Also ask each engine how long its operators take (with --json)");
  add_space(command, arguments->search);
  add_strategy(command, arguments->search);
  add_effort(command, arguments->search);
  add_timing(command, arguments->timing);
  add_store(command, arguments->store);
  command.add_option("--csv", arguments->csv, "Also write one line a trial to this file").type_name("FILE");
  add_json(command, arguments->json);
  command.runs([arguments](Session& session) { return frameworks(*arguments, session); });
}

}  // namespace iosx::cli
