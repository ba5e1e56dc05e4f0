#pragma once

#include "core/documents/run_file/run_file.h"
#include "core/formats/wire/message_fields.h"

// The stored form of comparisons and their contents; see core/formats/wire/fields.h.
namespace iosx::wire {

inline std::string_view word(Spelled<EndingRule> x) { return word_of(x.value); }
inline std::string_view word(Spelled<SearchMethod> x) { return word_of(x.value); }
inline std::string_view word(Spelled<Limit> x) {
  switch (x.value) {
    case Limit::kR:
    case Limit::kS:
    case Limit::kEndingRule:
    case Limit::kStrategy:
    case Limit::kParts:
    case Limit::kForm: return limit_name(x.value);
  }
  return {};
}
inline std::string_view word(Spelled<StrategySet> x) {
  for (const StrategySet strategies : kStrategySets) {
    if (strategies == x.value) return row_of(strategies).strategy_word;
  }
  return {};
}
inline std::string_view word(Spelled<ScheduleKind> x) {
  for (const ScheduleKindRow& row : schedule_table()) {
    if (row.schedule_kind == x.value) return row.id;
  }
  return {};
}

template <typename A>
void fields(A& a, typename A::template Of<ScheduleId>& x) {
  if constexpr (A::kReads) {
    std::string text;
    a.get(text);
    x = ScheduleId(std::move(text));
  } else {
    a.put(x.text());
  }
}
IOS_FIELDS(StageTally, all, not_negative("needed", x.needed), not_negative("measured", x.measured));
IOS_FIELDS(PartSummary, all, field("part", x.part), not_negative("states", x.states),
           not_negative("transitions", x.transitions), not_negative("stages", x.stages),
           not_negative("cost_ms", x.cost), field("complete", x.complete));
IOS_FIELDS(SearchMoment, row, field(x.elapsed), field(x.needed), field(x.best), field(x.bound));
IOS_FIELDS(SearchTask, all, field("parts", x.parts), not_negative("cost_ms", x.cost), not_negative("least_ms", x.least),
           not_negative("measured", x.measured), not_negative("candidates", x.candidates));
IOS_FIELDS(JoinedParts, all, field("first", x.first), field("last", x.last), field("units", x.units),
           not_negative("states", x.states), not_negative("windows", x.windows), not_negative("improved", x.improved),
           not_negative("before_ms", x.before), not_negative("after_ms", x.after));
IOS_FIELDS(LazyReport, all, not_negative("candidates", x.candidates), not_negative("bound_ms", x.bound),
           any_number("certified_gap", x.certified_gap), any_number("estimated_gap", x.estimated_gap),
           not_negative("predicted", x.predicted), any_number("median_error", x.median_error),
           any_number("large_error", x.large_error), not_negative("audited", x.audited),
           not_negative("below_bound", x.below_bound), any_number("worst_below", x.worst_below),
           field("out_of_budget", x.out_of_budget), field("history", x.history), field("joined", x.joined),
           field("tasks", x.tasks), field("widened", x.widened));
IOS_FIELDS(Exclusion, all, field("limit", x.limit), field("text", x.text), not_negative("allowed", x.allowed),
           not_negative("found", x.found));
IOS_FIELDS(StageBeyond, all, not_negative("stage", x.stage), field("why", x.why));
IOS_FIELDS(WarmStart, all, field("name", x.name), not_negative("cost_ms", x.cost), field("better", x.better),
           field("beyond", x.beyond));
IOS_FIELDS(SearchResult, all, field("schedule", x.schedule), not_negative("stage_sum_ms", x.stage_sum),
           field("solved_parts", x.solved_parts), field("complete", x.complete), field("parts", x.parts),
           not_negative("elapsed_s", x.elapsed), field("stages", x.tally), field("lazy", x.lazy),
           field("knew_all", x.knew_all), field("warm_start", x.warm_start), later(field("cut", x.cut)));
IOS_FIELDS(OutputDifference, all, field("name", x.name), field("dims", x.dims), any_number("max_abs", x.max_abs),
           any_number("max_rel", x.max_rel), any_number("magnitude", x.magnitude), field("worst", x.worst),
           any_number("value", x.value), any_number("reference", x.reference), field("finite", x.finite),
           field("passed", x.passed));
IOS_FIELDS(Verification, all, field("reference", x.reference), field("tolerance", x.tolerance),
           field("outputs", x.outputs));
IOS_FIELDS(Sensitivity, all, not_negative("draws", x.draws), not_negative("wins", x.wins),
           not_negative("behind", x.behind), not_negative("before", x.before),
           not_negative("speedup_low", x.speedup_low), not_negative("speedup_high", x.speedup_high));
IOS_FIELDS(ScheduleResult, all, field("id", x.id), field("schedule_kind", x.schedule_kind),
           field("schedule", x.schedule), field("latency", x.latency), not_negative("stage_sum_ms", x.stage_sum),
           not_negative("between_stages_ms", x.between_stages), field("stage_latencies", x.stage_latencies),
           field("plan", x.plan), field("trace", x.trace), field("search", x.search), field("asked", x.asked),
           not_negative("rounds_ms", x.rounds), not_negative("peak_bytes", x.peak_bytes),
           not_negative("discarded", x.discarded), field("low_clock", x.low_clock),
           field("verification", x.verification), field("doubt", x.sensitivity), later(field("lanes", x.lanes)),
           later(not_negative("planned_bytes", x.planned_bytes)), later(not_negative("samples_ms", x.samples)));
IOS_FIELDS(OwnLanes, all, field("of", x.of), field("latency", x.latency), not_negative("rounds_ms", x.rounds));
IOS_FIELDS(NetworkAlone, all, field("name", x.name), field("latency", x.latency));
IOS_FIELDS(Comparison, all, unwritten(x.graph), field("device", x.device), not_negative("batch", x.batch),
           field("results", x.results), field("complete", x.complete), field("notices", x.notices),
           unwritten(x.missing), field("one_by_one", x.one_by_one), unwritten(x.recorded),
           later(field("own_lanes", x.own_lanes)), later(not_negative("memory_limit_bytes", x.memory_limit)),
           later(field("alone", x.alone)));

inline std::string_view word(Spelled<ExternalTool> x) {
  switch (x.value) {
    case ExternalTool::kTable: return "table";
    case ExternalTool::kChromeTrace: return "chrome-trace";
    case ExternalTool::kOwnTrace: return "own-trace";
    case ExternalTool::kOnnxRuntime: return "onnxruntime";
    case ExternalTool::kPyTorch: return "pytorch";
    case ExternalTool::kNsight: return "nsight";
    case ExternalTool::kTensorRt: return "tensorrt";
    case ExternalTool::kOpenVino: return "openvino";
    case ExternalTool::kEngine: return "engine";
  }
  return {};
}

IOS_FIELDS(ExternalEntry, all, field("name", x.name), field("type", x.type), field("output", x.output),
           field("within", x.within), field("inputs", x.inputs), field("dims", x.dims), field("timed", x.timed),
           not_negative("begin_us", x.begin), not_negative("ms", x.duration), not_negative("samples_ms", x.samples),
           unwritten(x.match));
IOS_FIELDS(ExternalRun, all, field("label", x.label), field("tool", x.tool), field("file", x.file),
           field("latency", x.latency), not_negative("samples_ms", x.samples), field("entries", x.entries),
           field("trace", x.trace), not_negative("of_kernel", x.of_kernel), field("notices", x.notices));

IOS_FIELDS(RunPlace, all, field("host", x.host), field("system", x.system), field("program", x.program),
           field("when", x.when));

// The stored form of a run.
struct RunRecord {
  GraphRecord graph;                       // in the searched parts
  std::vector<PartRecord> declared_parts;  // those of the network as it was opened
  Comparison comparison;
  CompareOptions options;
  std::string source;
  bool batched = true;
  bool own_weights = false;
  RunPlace place;
  std::vector<ExternalRun> external;
};
IOS_FIELDS(RunRecord, all, field("place", x.place), field("source", x.source), field("options", x.options),
           field("batched", x.batched), field("own_weights", x.own_weights), field("graph", x.graph),
           field("declared_parts", x.declared_parts), field("comparison", x.comparison),
           later(field("external", x.external)));

}  // namespace iosx::wire
