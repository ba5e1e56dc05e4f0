#include "core/formats/scheduled_onnx.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>
#include <vector>

#include "core/base/new_file.h"
#include "core/formats/scheduled_graph.h"

namespace iosx {
namespace {

using Json = nlohmann::ordered_json;

std::string schedule_text(const ScheduledGraph& scheduled, const ExecutionPlan& plan,
                          const ScheduledOnnxOptions& options) {
  Json json{{"format", "iosx-onnx-schedule"},    {"version", 1},
            {"network", scheduled.graph.name()}, {"schedule", options.schedule},
            {"device", options.notes.device},    {"batch", options.notes.batch},
            {"origin", options.notes.origin}};
  if (options.notes.latency_ms) json["latency_ms"] = *options.notes.latency_ms;
  json["barriers"] = !plan.barrier_free;
  Json& launches = json["launches"] = Json::array();
  for (std::size_t i = 0; i < scheduled.graph.operators().size(); ++i) {
    const Operator& op = scheduled.graph.operators()[i];
    if (!op.is_source()) launches.push_back({op.name, scheduled.stages[i], scheduled.lanes[i]});
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string streams_text(const ScheduledGraph& scheduled, const onnx_import::OnnxNodes& nodes, StreamsOn device) {
  std::vector<std::vector<std::string>> streams;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t lane = scheduled.lanes[i];
    streams.resize(std::max(streams.size(), lane + 1));
    std::ranges::copy(nodes[i], std::back_inserter(streams[lane]));
  }
  std::erase_if(streams, [](const auto& stream) { return stream.empty(); });
  const std::string of_ort = device == StreamsOn::kCpu ? "0" : "1";  // OrtDevice's numbers
  const Json json{{"type", "DeviceBasedPartitioner"},
                  {"streams", streams},
                  {"devices", std::vector<std::string>(streams.size(), of_ort)}};
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

Result<void> write_text(const std::filesystem::path& path, std::string_view text) {
  NewFile file(path);
  IOS_TRY(file.write(std::as_bytes(std::span(text))));
  return file.finish();
}

}  // namespace

Result<void> write_scheduled_onnx(const Graph& graph, const ExecutionPlan& plan, const std::filesystem::path& path,
                                  const ScheduledOnnxOptions& options) {
  IOS_TRY(const auto scheduled, scheduled_graph(graph, plan));
  onnx_import::OnnxExportOptions model = options.model;
  model.metadata["ios_explorer.schedule"] = schedule_text(scheduled, plan, options);
  for (std::size_t i = 0; i < scheduled.graph.operators().size(); ++i) {
    const bool runs = !scheduled.graph.operators()[i].is_source();
    model.notes.push_back(runs ? fmt::format("stage {}, lane {}", scheduled.stages[i], scheduled.lanes[i]) : "");
  }
  IOS_TRY(const auto nodes, onnx_import::write_onnx(scheduled.graph, path, model));
  if (!options.streams) return {};
  return write_text(*options.streams, streams_text(scheduled, nodes, options.streams_on));
}

}  // namespace iosx
