#pragma once

#include "core/devices/device.h"
#include "core/formats/wire/fields.h"
#include "core/formats/wire/graph_fields.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/plan/lower_options.h"
#include "core/options/option.h"

// This header says how requests to devices, their answers, and what these hold (plans, options) are written down; see
// fields.h.
namespace iosx::wire {

// Structs of options are written as their rows say (core/options/option.h).
template <typename T, typename M>
auto option_field(const OptionRow<std::remove_const_t<T>, M>& row, T& options) {
  auto made = not_negative(row.info.field(), options.*row.member);
  made.may_lack = row.info.later;
  return made;
}
template <typename T, typename M, bool written>
auto option_field(const MemberRow<std::remove_const_t<T>, M, written>& row, T& options) {
  if constexpr (written) return field(row.key, options.*row.member);
  if constexpr (!written) return unwritten(options.*row.member);
}

template <typename A, typename T>
requires HasOptions<std::remove_const_t<T>>
void fields(A& a, T& options) {
  std::apply([&](const auto&... row) { a.all(options, option_field(row, options)...); },
             kOptionTable<std::remove_const_t<T>>);
}

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

inline std::string_view word(Spelled<Origin> x) {
  switch (x.value) {
    case Origin::kSimulated: return "simulated";
    case Origin::kMeasured: return "measured";
    case Origin::kRecorded: return "recorded";
    case Origin::kPredicted: return "predicted";
  }
  return {};
}

template <typename A>
void fields(A& a, typename A::template Of<Latency>& x) {
  a.all(x, not_negative("ms", x.value), not_negative("spread_ms", x.spread), not_negative("samples", x.samples),
        field("origin", x.origin), field("clock_mhz", x.clock_mhz));
}
template <typename A>
void fields(A& a, typename A::template Of<LaunchSpan>& x) {
  a.all(x, field("name", x.name), not_negative("begin_us", x.begin), not_negative("end_us", x.end),
        not_negative("grid", x.grid), not_negative("block", x.block), not_negative("registers", x.registers),
        not_negative("shared_bytes", x.shared_bytes), not_negative("occupancy", x.occupancy));
}
template <typename A>
void fields(A& a, typename A::template Of<KernelSpan>& x) {
  a.all(x, field("name", x.name), field("kernel", x.kernel), field("lane", x.lane), field("stage", x.stage),
        not_negative("begin_us", x.begin), not_negative("end_us", x.end), field("launches", x.launches));
}
template <typename A>
void fields(A& a, typename A::template Of<StageSpan>& x) {
  a.all(x, not_negative("begin_us", x.begin), not_negative("end_us", x.end), field("lane_threads", x.lane_threads));
}
template <typename A>
void fields(A& a, typename A::template Of<Counter>& x) {
  a.all(x, field("name", x.name), field("unit", x.unit), not_negative("peak", x.peak),
        not_negative("times_us", x.times), field("values", x.values), field("source", x.source),
        field("errors", x.errors), field("stage_errors", x.stage_errors), field("error", x.error));
}
template <typename A>
void fields(A& a, typename A::template Of<Trace>& x) {
  a.all(x, field("lanes", x.lanes), not_negative("duration_us", x.duration), field("kernels", x.kernels),
        field("stages", x.stages), field("counters", x.counters), field("source", x.source));
}
template <typename A>
void fields(A& a, typename A::template Of<InterStageOverhead>& x) {
  a.all(x, field("first_ms", x.first), field("between_ms", x.between));
}
template <typename A>
void fields(A& a, typename A::template Of<DeviceInfo>& x) {
  a.all(x, field("id", x.id), field("name", x.name), field("summary", x.summary), field("fingerprint", x.fingerprint),
        field("origin", x.origin), field("lowering", x.lowering), field("overhead", x.overhead),
        not_negative("plans_at_once", x.plans_at_once), field("computes", x.computes), field("precision", x.precision),
        field("grade", x.grade), field("caution", x.caution), later(field("barrier_free", x.barrier_free)),
        later(not_negative("threads", x.threads)));
}
template <typename A>
void fields(A& a, typename A::template Of<RunOptions>& x) {
  a.all(x, field("timing", x.timing), field("trace", x.trace), field("outputs", x.outputs), field("inputs", x.inputs),
        later(field("host_clock", x.host_clock)));
}
template <typename A>
void fields(A& a, typename A::template Of<RunResult>& x) {
  a.all(x, field("latency", x.latency), field("stage_latencies", x.stage_latencies), field("trace", x.trace),
        field("outputs", x.outputs), not_negative("peak_bytes", x.peak_bytes), not_negative("discarded", x.discarded),
        field("low_clock", x.low_clock), later(not_negative("samples_ms", x.samples)));
}
template <typename A>
void fields(A& a, typename A::template Of<PeakRates>& x) {
  a.all(x, not_negative("flops_per_s", x.flops_per_s), not_negative("bytes_per_s", x.bytes_per_s),
        field("element_bytes", x.element_bytes, 1, 8), not_negative("memory_bytes", x.memory_bytes));
}

}  // namespace iosx::wire
