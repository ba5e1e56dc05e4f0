#pragma once

#include "core/formats/wire/graph_fields.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/plan/lower_options.h"

// The stored form of plans; see fields.h.
namespace iosx::wire {

template <typename A>
void fields(A& a, typename A::template Of<Buffer>& x) {
  a.all(x, field("name", x.name), field("shape", x.shape), field("external", x.external), field("constant", x.constant),
        field("source", x.source), field("row_major", x.row_major), field("blank", x.blank),
        later(field("axis", x.axis)));
}
template <typename A>
void fields(A& a, typename A::template Of<TensorView>& x) {
  a.row(x, field(x.buffer), field(x.begin), field(x.end));
}
template <typename A>
void fields(A& a, typename A::template Of<Work>& x) {
  a.all(x, field("flops", x.flops), not_negative("bytes_read", x.bytes_read),
        not_negative("bytes_written", x.bytes_written), not_negative("parameters", x.parameters));
}
template <typename A>
void fields(A& a, typename A::template Of<Kernel>& x) {
  a.all(x, field("name", x.name), field("attributes", x.attributes), field("operators", x.operators),
        field("fused", x.fused), field("units", x.units), field("reads", x.reads), field("writes", x.writes),
        field("output", x.output), field("work", x.work), field("stage", x.stage), field("lane", x.lane),
        field("waits", x.waits));
}
template <typename A>
void fields(A& a, typename A::template Of<PlanStage>& x) {
  a.only(x, field(x.lanes));
}
template <typename A>
void fields(A& a, typename A::template Of<PlanOutput>& x) {
  a.all(x, field("name", x.name), field("view", x.view));
}
// The caller supplies the parameters, and then calls check_plan().
template <typename A>
void fields(A& a, typename A::template Of<ExecutionPlan>& x) {
  a.all(x, field("batch", x.batch), unwritten(x.parameters), field("inputs", x.inputs), field("outputs", x.outputs),
        field("buffers", x.buffers), field("kernels", x.kernels), field("stages", x.stages),
        later(field("cold_weights", x.cold_weights)), later(field("barrier_free", x.barrier_free)));
}
template <typename A>
void fields(A& a, typename A::template Of<LaneSchedule::Launch>& x) {
  a.row(x, field(x.kernel), field(x.lane), field(x.name));
}
template <typename A>
void fields(A& a, typename A::template Of<LaneSchedule>& x) {
  a.only(x, field(x.launches));
}
inline std::string_view word(Spelled<FreeSlices> x) {
  switch (x.value) {
    case FreeSlices::kNever: return "never";
    case FreeSlices::kOneSample: return "of one sample";
    case FreeSlices::kAlways: return "always";
  }
  return {};
}
template <typename A>
void fields(A& a, typename A::template Of<LowerOptions>& x) {
  a.all(x, field("fuse", x.fuse), field("concat_in_place", x.concat_in_place), field("free_slices", x.free_slices),
        field("input_channel_multiple", x.input_channel_multiple, 1, kMostInputChannelMultiple),
        later(not_negative("cached_weights", x.cached_weights)), later(field("free_columns", x.free_columns)));
}

}  // namespace iosx::wire
