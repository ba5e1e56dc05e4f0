#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/write/export.h"
#include "core/formats/schedule_file.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// A network as a plan runs it, for engines that only know graphs: its operators are in launch order, and layers that
// the plan merges are one operator, whose output the others read in slices.
struct ScheduledGraph {
  // Computes the same as the network, with inputs and outputs of the same names. Every operator is a unit of its own. A
  // merged layer's name joins those in it ("a+b"); a network output from a merged layer is an Identity or a Slice with
  // the output's name.
  Graph graph;
  std::vector<std::size_t> stages;  // by operator of `graph`: its stage in the plan; 0 for a source
  std::vector<std::size_t> lanes;   // likewise
};

// Makes it from a plan of the graph. Errors are GraphBuilder's, for a network at a limit.
Result<ScheduledGraph> scheduled_graph(const Graph& graph, const ExecutionPlan& plan);

// The device of ONNX Runtime's streams.
enum class StreamsOn { kCpu, kGpu };

struct ScheduledOnnxOptions {
  std::string schedule = {};                  // its name
  ScheduleNotes notes = {};                   // facts about it
  onnx_import::OnnxExportOptions model = {};  // its notes and metadata are set here
  // Receives ONNX Runtime's partition of the model's nodes (session.node_partition_config_file): a stream per lane.
  std::optional<std::filesystem::path> streams = {};
  StreamsOn streams_on = StreamsOn::kGpu;
};

// The metadata key of a model's schedule.
inline constexpr std::string_view kOnnxScheduleKey = "ios_explorer.schedule";

// Writes the network as a plan of it runs: an equivalent ONNX model (export.h) with nodes in launch order, merged
// layers as one node, and notes where nodes run ("stage 3, lane 1"). The model's metadata has, under
// "ios_explorer.schedule", one JSON object:
//   {"format":"iosx-onnx-schedule","version":1,"network":…,"schedule":…,"device":…,"batch":…,"origin":…,
//    ["latency_ms":…,]"barriers":true,"launches":[["conv1",0,0], …]}
// A launch is an operator, by the name of its main node, with its stage and its lane, from 0. Its other nodes have
// names below that, "fc/product" of "fc". Without barriers a kernel waits only for what it reads, and stages only tell
// where it comes from.
//
// ONNX Runtime has no barriers: its streams wait for what their nodes read, and no node waits for a stage's end.
// Errors: those of write_onnx(); streams that cannot be written.
Result<void> write_scheduled_onnx(const Graph& graph, const ExecutionPlan& plan, const std::filesystem::path& path,
                                  const ScheduledOnnxOptions& options);

// The schedule from a model's metadata, for the graph of that model: units in the stages of their nodes, a group per
// lane. Merged layers are one node in the model, and so one unit here.
struct OnnxSchedule {
  // The same graph with units split whose nodes ran in several stages or lanes, such as a convolution and a sum that
  // could be fused; none without such units.
  std::optional<Graph> graph;
  Schedule schedule;  // of that graph
};
// Errors: another form; a schedule without barriers, where stages have no meaning; a unit without a node; a schedule
// that is not legal for the graph.
Result<OnnxSchedule> schedule_of_onnx(std::string_view text, const Graph& graph);

}  // namespace iosx
