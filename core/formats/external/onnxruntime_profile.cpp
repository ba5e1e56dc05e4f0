#include <algorithm>
#include <utility>

#include "core/formats/external/dialects.h"

namespace iosx::external {
namespace {

constexpr std::string_view kNode = "Node";
constexpr std::string_view kNodeTime = "_kernel_time";

bool is_node_time(const TraceEvents& trace, const TraceEvent& event) {
  return trace.text(event.category) == kNode && trace.text(event.name).ends_with(kNodeTime);
}

const std::vector<ExternalDims>* dims_of(const TraceEvents& trace, std::uint32_t index) {
  return index == 0 ? nullptr : &trace.dims[index - 1];
}

}  // namespace

bool is_onnxruntime_profile(const TraceEvents& trace) {
  return std::ranges::any_of(trace.events, [&](const TraceEvent& event) { return is_node_time(trace, event); });
}

Recording onnxruntime_recording(const TraceEvents& trace) {
  Recording out;
  out.tool = ExternalTool::kOnnxRuntime;
  out.windows_are_latencies = true;
  for (const TraceEvent& event : trace.events) {
    const std::string_view name = trace.text(event.name);
    if (name == "model_run") out.runs.push_back({event.begin, event.end});
    if (!is_node_time(trace, event)) continue;
    RecordedSpan span;
    span.entry.name = std::string(name.substr(0, name.size() - kNodeTime.size()));
    span.entry.type = std::string(trace.text(event.op_name));
    if (const auto* inputs = dims_of(trace, event.inputs)) span.entry.inputs = *inputs;
    if (const auto* outputs = dims_of(trace, event.outputs)) span.entry.dims = outputs->front();
    span.begin = span.told = event.begin;
    span.end = event.end;
    span.lane = std::string(trace.text(event.thread));
    out.add(std::move(span));
  }
  std::ranges::sort(out.runs, {}, &RunWindow::begin);
  return out;
}

}  // namespace iosx::external
