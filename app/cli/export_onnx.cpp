#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "app/cli/commands.h"
#include "app/cli/opening.h"
#include "app/cli/options.h"
#include "core/base/printable.h"
#include "core/documents/report/output_file.h"
#include "core/formats/scheduled_onnx.h"

namespace iosx::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ExportOnnxArguments {
  std::string graph;
  OpeningFlags opening;
  std::string schedule;  // as of run
  std::string output;
  std::string streams;
  std::string streams_on;
  bool json = false;
};

StreamsOn streams_on(const ExportOnnxArguments& options, const DeviceInfo* device) {
  const bool processor = device != nullptr && device->threads > 0;
  return (options.streams_on.empty() ? processor : options.streams_on == "cpu") ? StreamsOn::kCpu : StreamsOn::kGpu;
}

Exit export_onnx(const ExportOnnxArguments& options, Session& session) {
  if (!options.streams_on.empty() && options.streams.empty()) {
    return session.fail(Error{message("says of which device the streams are, and none are written"), "--streams-on",
                              message("give --streams FILE, or leave it out")},
                        kUsage);
  }
  IOS_TRY(auto document, open_graph_argument(session, options.graph, options.opening));
  IOS_TRY(const auto opened, open_schedule(document, options.graph, options.schedule));
  const Graph& graph = *document.graph;
  for (const std::string& output : {options.output, options.streams}) {
    if (!output.empty()) IOS_TRY(check_output(output, {options.graph, options.schedule}));
  }
  IOS_TRY(check_apart(options.output, options.streams));
  const auto at_once = session.at_once("writing the network");
  IOS_TRY(const auto plan, plan_of(session, graph, opened));
  ScheduledOnnxOptions written{.schedule = opened.given.schedule.name,
                               .notes = opened.notes,
                               .model = {.file = std::move(document.file)},
                               .streams_on = streams_on(options, device_of(session, opened))};
  if (!options.streams.empty()) written.streams = options.streams;
  IOS_TRY(write_scheduled_onnx(graph, plan, options.output, written));
  if (options.json) {
    session.print(Json{{"graph", graph.name()},
                       {"schedule", opened.given.schedule.name},
                       {"lanes", plan.lane_count()},
                       {"barriers", !plan.barrier_free},
                       {"output", options.output},
                       {"streams", written.streams ? Json(options.streams) : Json(nullptr)}});
    return kSuccess;
  }
  std::string text = fmt::format("wrote {}: {} as {} runs it, {} lanes\n", options.output, printable(graph.name()),
                                 printable(opened.given.schedule.name), plan.lane_count());
  if (written.streams) {
    text += fmt::format(
        "wrote {}: streams for ONNX Runtime (session.node_partition_config_file); with ORT_DISABLE_ALL they always "
        "fit\n",
        options.streams);
  }
  session.print(text);
  return kSuccess;
}

}  // namespace

void add_export_onnx(Command& program) {
  Command command = program.add_command(
      "export-onnx",
      "Write a network as a schedule runs it: an ONNX model that any engine runs, with merged layers as one, nodes in "
      "launch order and the schedule in its metadata");
  auto options = std::make_shared<ExportOnnxArguments>();
  add_graph(command, options->graph, options->opening);
  command
      .add_option("--schedule", options->schedule,
                  "A schedule file, sequential, one-by-one or greedy; without it the schedule in GRAPH")
      .type_name("FILE");
  command.add_option("-o,--output", options->output, "The ONNX model to write").required().type_name("FILE");
  command
      .add_option("--streams", options->streams,
                  "Also write ONNX Runtime's streams of this model, one for each lane: the file for its setting "
                  "session.node_partition_config_file")
      .type_name("FILE");
  command
      .add_option("--streams-on", options->streams_on,
                  "Where ONNX Runtime runs; without it on a CPU for a schedule found on a processor, else on a GPU")
      .check(one_of({"cpu", "gpu"}))
      .type_name("cpu|gpu");
  add_json(command, options->json);
  command.runs([options](Session& session) { return export_onnx(*options, session); });
}

}  // namespace iosx::cli
