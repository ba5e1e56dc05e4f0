#include "app/cli/external.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "core/formats/external/external_report.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kListed = 30;

struct ExternalArguments {
  std::string file;
  std::string graph;
  OpeningFlags opening;
  ExternalFlags how;
  bool all = false;
  bool json = false;
};

Exit external_command(const ExternalArguments& options, Session& session) {
  std::shared_ptr<const Graph> graph;
  if (!options.graph.empty()) {
    IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening));
    graph = document.graph;
  }
  const auto at_once = session.at_once("reading the file");
  IOS_TRY(const auto runs, read_external(options.file, {}, options.how.options(graph.get())));
  if (options.json) {
    Json list = Json::array();
    for (const ExternalRun& run : runs) list.push_back(external_json(run, graph.get()));
    session.print(Json{{"runs", std::move(list)}});
    return kSuccess;
  }
  std::string text;
  for (const ExternalRun& run : runs) {
    if (!text.empty()) text += '\n';
    text += external_text(run, graph.get(), options.all ? 0 : kListed);
  }
  session.print(text);
  return kSuccess;
}

// Splits FILE=LABEL: the file is what exists, for either may have an equals sign in it.
std::pair<std::string, std::string> file_and_label(const std::string& given) {
  std::error_code ignored;
  std::size_t equals = given.size();
  while (!std::filesystem::exists(given.substr(0, equals), ignored)) {
    equals = equals == 0 ? std::string::npos : given.rfind('=', equals - 1);
    if (equals == std::string::npos) break;
  }
  if (equals == std::string::npos) equals = given.find('=');
  if (equals >= given.size()) return {given, {}};
  return {given.substr(0, equals), given.substr(equals + 1)};
}

}  // namespace

ExternalOptions ExternalFlags::options(const Graph* graph) const {
  return {.unit = parse_time_unit(unit), .runs = runs, .layers = layers, .graph = graph};
}

std::vector<Option> add_external_reading(Command& command, ExternalFlags& flags, const std::string& prefix) {
  const Option unit = command
                          .add_option("--" + prefix + "unit", flags.unit,
                                      "Unit of the latencies in a CSV table whose header names no unit. Default: ms")
                          .check(one_of({"ns", "us", "ms", "s"}))
                          .type_name("ns|us|ms|s");
  const Option layers =
      command
          .add_option("--" + prefix + "layers", flags.layers,
                      "The layer information of TensorRT (trtexec --exportLayerInfo), for its profile")
          .type_name("FILE");
  const Option runs = command
                          .add_option("--" + prefix + "runs", flags.runs,
                                      "Number of runs in a trace that does not mark its runs. Default: 1")
                          .check(whole_number(1, 1'000'000, "a number of runs"))
                          .type_name("N");
  return {unit, layers, runs};
}

void add_external(Command& command, ExternalFlags& flags) {
  command
      .add_repeated("--external", flags.files,
                    "Also show a recording of another program: a CSV table (name, latency), a Chrome trace, a profile "
                    "of ONNX Runtime or PyTorch, times of trtexec or benchmark_app, or an export of nsys or ncu. "
                    "Repeat the option for several files")
      .type_name("FILE[=LABEL]");
  for (Option option : add_external_reading(command, flags, "external-")) option.needs("--external");
}

Result<void> check_output_external(const std::string& output, const ExternalFlags& flags) {
  for (const std::string& given : flags.files) {
    const std::string file = file_and_label(given).first;
    if (auto possible = check_output(output, {file}, StandardOutput::kPossible); !possible) return possible;
  }
  return {};
}

Result<std::vector<ExternalRun>> read_recordings(const ExternalFlags& flags, const Graph* graph, Session& session) {
  const auto at_once = session.at_once("reading the recordings of other programs");
  std::vector<ExternalRun> all;
  for (const std::string& given : flags.files) {
    const auto [file, label] = file_and_label(given);
    IOS_TRY(auto runs, read_external(file, label, flags.options(graph)));
    for (ExternalRun& run : runs) all.push_back(std::move(run));
  }
  return all;
}

void add_external(Command& program) {
  Command command = program.add_command(
      "external", "List the kernels that another program recorded, and the operators of a network that they match");
  auto options = std::make_shared<ExternalArguments>();
  command
      .add_option("FILE", options->file,
                  "A CSV table, a Chrome trace, a profile of ONNX Runtime or PyTorch, times of trtexec or "
                  "benchmark_app, or an export of nsys or ncu")
      .required()
      .type_name("FILE");
  command.add_option("GRAPH", options->graph, "The network: the name of a built-in network, or a graph file")
      .type_name("NAME|FILE");
  add_sizes(command, options->opening);
  add_external_reading(command, options->how, "");
  command.add_flag("--all", options->all, "List every kernel, in the file's order");
  add_json(command, options->json);
  command.runs([options](Session& session) { return external_command(*options, session); });
}

}  // namespace iosx::cli
