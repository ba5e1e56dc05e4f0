#pragma once

#include "core/devices/device.h"
#include "core/formats/wire/fields.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/operator_fields.h"
#include "core/model/graph/operator_table.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lanes/lane_schedule.h"
#include "core/model/plan/lower_options.h"
#include "core/model/schedule/schedule.h"
#include "core/options/option.h"

// This header says how graphs and schedules are written down; see fields.h. What an operator computes with is written
// as core/model/graph/operator_fields.h names it.
namespace iosx::wire {

// Words of operators' attributes.
template <typename E>
requires requires(E value) { word_of(value); }
std::string_view word(Spelled<E> x) { return word_of(x.value).pattern; }
inline std::string_view word(Spelled<ParameterInit> x) {
  switch (x.value) {
    case ParameterInit::kScaled: return "scaled";
    case ParameterInit::kIntegers: return "integers";
  }
  return {};
}

template <OperatorKind Kind>
inline constexpr std::string_view kKind<Kind> = kOperatorRow<Kind>.id;

IOS_FIELDS(Value, row, field(x.producer), field(x.begin), field(x.end));

IOS_FIELDS(Step, only, field(x.units));
IOS_FIELDS(Group, only, field(x.steps));
IOS_FIELDS(Stage, only, field(x.groups));
IOS_FIELDS(Schedule, all, field("name", x.name), field("stages", x.stages));

// A graph is written as this: the rest of it follows from this.
struct OperatorRecord {
  std::string name;
  Attributes attributes;
  std::vector<Value> inputs;
  UnitId unit;  // invalid for a source
};
struct UnitRecord {
  std::string name;
  std::string hint;
  bool whole = false;
};
struct PartRecord {
  std::string name;
  std::size_t units = 0;  // so many of those that follow
  bool continued = false;
};
struct ConstantRecord {
  OperatorId constant;
  Tensor value;
};
struct MemberRecord {
  std::string name;
  std::vector<OperatorId> operators;
};
struct GraphRecord {
  std::string name;
  std::vector<OperatorRecord> operators;
  std::vector<UnitRecord> units;
  std::vector<PartRecord> parts;
  std::vector<ConstantRecord> constants;  // the small ones
  std::vector<OperatorId> unbiased;       // of kinds that may have a bias, those without
  std::vector<MemberRecord> networks;     // each operator is in one, if there are any
};

IOS_FIELDS(OperatorRecord, all, field("name", x.name), field("attributes", x.attributes), field("inputs", x.inputs),
           field("unit", x.unit));
IOS_FIELDS(UnitRecord, all, field("name", x.name), field("hint", x.hint), written_if_set(field("whole", x.whole)));
IOS_FIELDS(PartRecord, all, field("name", x.name), field("units", x.units), field("continued", x.continued));
IOS_FIELDS(ConstantRecord, all, field("constant", x.constant), field("value", x.value));
IOS_FIELDS(MemberRecord, all, field("name", x.name), field("operators", x.operators));
IOS_FIELDS(GraphRecord, all, field("name", x.name), field("operators", x.operators), field("units", x.units),
           field("parts", x.parts), field("constants", x.constants), field("unbiased", x.unbiased),
           later(field("networks", x.networks)));

std::vector<PartRecord> part_records(const Graph& graph);
// Returns the same graph in these parts. The error's place is inside the list ("[3]").
Result<Graph> with_parts(const Graph& graph, std::vector<PartRecord> records);

GraphRecord record_of(const Graph& graph);
// Makes the graph of a record. The error's place is inside the record. What the record does not hold of weights and
// constants is made up.
Result<Graph> graph_of(GraphRecord record);

// This header says how requests to devices, their answers, and what these hold (plans, options) are written down; see
// fields.h.

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

IOS_FIELDS(Buffer, all, field("name", x.name), field("shape", x.shape), field("external", x.external),
           field("constant", x.constant), field("source", x.source), field("row_major", x.row_major),
           field("blank", x.blank), later(field("axis", x.axis)));
IOS_FIELDS(SeenAxis, row, field(x.axis), field(x.size), field(x.step), field(x.begin));
IOS_FIELDS(TensorView, row, field(x.buffer), field(x.begin), field(x.end), later(field(x.seen)));
IOS_FIELDS(Work, all, field("flops", x.flops), not_negative("bytes_read", x.bytes_read),
           not_negative("bytes_written", x.bytes_written), not_negative("parameters", x.parameters),
           unwritten(x.known));
IOS_FIELDS(Excitation, all, field("squeeze", x.squeeze), field("excite", x.excite), field("squeezed", x.squeezed),
           field("inner", x.inner), field("gate", x.gate));
IOS_FIELDS(Kernel, all, field("name", x.name), field("attributes", x.attributes), field("operators", x.operators),
           field("fused", x.fused), field("units", x.units), unwritten(x.piece), field("reads", x.reads),
           field("writes", x.writes), field("output", x.output), field("work", x.work), field("stage", x.stage),
           field("lane", x.lane), field("waits", x.waits), later(field("before", x.before)),
           later(field("scale", x.scale)), later(field("excitation", x.excitation)));
IOS_FIELDS(PlanStage, only, field(x.lanes));
IOS_FIELDS(PlanOutput, all, field("name", x.name), field("view", x.view));
// The caller supplies the parameters, and then calls check_plan().
IOS_FIELDS(ExecutionPlan, all, field("batch", x.batch), unwritten(x.parameters), field("inputs", x.inputs),
           field("outputs", x.outputs), field("buffers", x.buffers), field("kernels", x.kernels),
           field("stages", x.stages), later(field("cold_weights", x.cold_weights)),
           later(field("barrier_free", x.barrier_free)));
IOS_FIELDS(LaneSchedule::Launch, row, field(x.kernel), field(x.lane), field(x.name));
IOS_FIELDS(LaneSchedule, only, field(x.launches));
inline std::string_view word(Spelled<FreeSlices> x) {
  switch (x.value) {
    case FreeSlices::kNever: return "never";
    case FreeSlices::kOneSample: return "of one sample";
    case FreeSlices::kAlways: return "always";
  }
  return {};
}
IOS_FIELDS(LowerOptions, all, field("fuse", x.fuse), field("concat_in_place", x.concat_in_place),
           field("free_slices", x.free_slices),
           field("input_channel_multiple", x.input_channel_multiple, 1, kMostInputChannelMultiple),
           later(not_negative("cached_weights", x.cached_weights)), later(field("free_columns", x.free_columns)),
           later(field("fuse_sums", x.fuse_sums)), later(field("fuse_before", x.fuse_before)),
           later(field("fuse_attention", x.fuse_attention)), later(field("fuse_excitation", x.fuse_excitation)),
           later(field("strided_products", x.strided_products)));

inline std::string_view word(Spelled<Origin> x) {
  switch (x.value) {
    case Origin::kSimulated: return "simulated";
    case Origin::kMeasured: return "measured";
    case Origin::kRecorded: return "recorded";
    case Origin::kPredicted: return "predicted";
  }
  return {};
}

IOS_FIELDS(Latency, all, not_negative("ms", x.value), not_negative("spread_ms", x.spread),
           not_negative("samples", x.samples), field("origin", x.origin), field("clock_mhz", x.clock_mhz));
IOS_FIELDS(LaunchSpan, all, field("name", x.name), not_negative("begin_us", x.begin), not_negative("end_us", x.end),
           not_negative("grid", x.grid), not_negative("block", x.block), not_negative("registers", x.registers),
           not_negative("shared_bytes", x.shared_bytes), not_negative("occupancy", x.occupancy));
IOS_FIELDS(KernelSpan, all, field("name", x.name), field("kernel", x.kernel), field("lane", x.lane),
           field("stage", x.stage), not_negative("begin_us", x.begin), not_negative("end_us", x.end),
           field("launches", x.launches));
IOS_FIELDS(StageSpan, all, not_negative("begin_us", x.begin), not_negative("end_us", x.end),
           field("lane_threads", x.lane_threads));
IOS_FIELDS(Counter, all, field("name", x.name), field("unit", x.unit), not_negative("peak", x.peak),
           not_negative("times_us", x.times), field("values", x.values), field("source", x.source),
           field("errors", x.errors), field("stage_errors", x.stage_errors), field("error", x.error));
IOS_FIELDS(Trace, all, field("lanes", x.lanes), not_negative("duration_us", x.duration), field("kernels", x.kernels),
           field("stages", x.stages), field("counters", x.counters), field("source", x.source));
IOS_FIELDS(InterStageOverhead, all, field("first_ms", x.first), field("between_ms", x.between));
IOS_FIELDS(DeviceInfo, all, field("id", x.id), field("name", x.name), field("summary", x.summary),
           field("fingerprint", x.fingerprint), field("origin", x.origin), field("lowering", x.lowering),
           field("overhead", x.overhead), not_negative("plans_at_once", x.plans_at_once), field("computes", x.computes),
           field("precision", x.precision), field("grade", x.grade), field("caution", x.caution),
           later(field("barrier_free", x.barrier_free)), later(not_negative("threads", x.threads)));
IOS_FIELDS(RunOptions, all, field("timing", x.timing), field("trace", x.trace), field("outputs", x.outputs),
           field("inputs", x.inputs), later(field("host_clock", x.host_clock)));
IOS_FIELDS(RunResult, all, field("latency", x.latency), field("stage_latencies", x.stage_latencies),
           field("trace", x.trace), field("outputs", x.outputs), not_negative("peak_bytes", x.peak_bytes),
           not_negative("discarded", x.discarded), field("low_clock", x.low_clock),
           later(not_negative("samples_ms", x.samples)));
IOS_FIELDS(PeakRates, all, not_negative("flops_per_s", x.flops_per_s), not_negative("bytes_per_s", x.bytes_per_s),
           field("element_bytes", x.element_bytes, 1, 8), not_negative("memory_bytes", x.memory_bytes));

}  // namespace iosx::wire
