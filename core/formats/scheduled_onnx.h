#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/onnx/write/export.h"
#include "core/formats/schedule_file.h"
#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/schedule/schedule.h"

namespace iosx {

// Which device ONNX Runtime's streams are of.
enum class StreamsOn { kCpu, kGpu };

struct ScheduledOnnxOptions {
  std::string schedule = {};                  // its name
  ScheduleNotes notes = {};                   // what is known about it
  onnx_import::OnnxExportOptions model = {};  // its notes and metadata are set here
  // Gets ONNX Runtime's partition of the model's nodes (session.node_partition_config_file): a stream for each lane.
  std::optional<std::filesystem::path> streams = {};
  StreamsOn streams_on = StreamsOn::kGpu;
};

// Is the key of the model's metadata under which its schedule stands.
inline constexpr std::string_view kOnnxScheduleKey = "ios_explorer.schedule";

// Writes the network as a plan of it runs: an ONNX model (export.h) that computes the same, whose nodes stand in launch
// order, in which layers that the plan merges are one, and whose nodes say where they run ("stage 3, lane 1"). The
// model's metadata has, under "ios_explorer.schedule", one JSON object:
//   {"format":"iosx-onnx-schedule","version":1,"network":…,"schedule":…,"device":…,"batch":…,"origin":…,
//    ["latency_ms":…,]"barriers":true,"launches":[["conv1",0,0], …]}
// A launch is an operator, named as its main node, with its stage and its lane, from 0. Without barriers a kernel waits
// for what it reads alone, and stages say only where it comes from.
//
// ONNX Runtime knows no barriers: its streams wait for what their nodes read, and no node waits for a stage's end.
// Errors: those of write_onnx(); streams that cannot be written.
Result<void> write_scheduled_onnx(const Graph& graph, const ExecutionPlan& plan, const std::filesystem::path& path,
                                  const ScheduledOnnxOptions& options);

// Holds what stands there, for the graph that the model was read as: units in the stages that its nodes ran in, a group
// for each lane. Merged layers are one node in the model, and so one unit here.
struct OnnxSchedule {
  // The same with units parted whose nodes ran in several stages or lanes, such as a convolution and the sum that could
  // be fused; none where there are no such.
  std::optional<Graph> graph;
  Schedule schedule;  // of that graph
};
// Errors: it is none of this form; it has no barriers, of which stages say nothing; it has no node of a unit; it is not
// legal for the graph.
Result<OnnxSchedule> schedule_of_onnx(std::string_view text, const Graph& graph);

}  // namespace iosx
