#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/tables/render.h"

namespace iosx {

// {"graph", "device", "origin", "batch", "merged_in_graph", "complete", "best", "best_id", "schedules": [{"id", "name",
// "latency_ms", "spread_ms", "samples", "stage_sum_ms", "between_stages_ms", "speedup", "stages": [{"strategy",
// "groups", "latency_ms"}], "search_seconds", "needed", "measured", "reused"}]} of the schedules that were asked for.
// "groups" lists a stage's groups, a group the names of its units in the order in which they run. A stage of strategy
// "merge" has one group, whose units run as one layer; a concurrent stage with such a layer in a group says
// so in "merged", a list of lists of names. "speedup" is against sequential. "stage_sum_ms" includes
// "between_stages_ms". A schedule that no search found has search_seconds and the counts of its stage latencies
// (StageTally) 0. "best" may name a baseline that was not asked for. An "id" is unique in the document, a "name" need
// not be.
//
// A schedule has "planned_peak_bytes", what its tensors take at most by its plan (planned_peak()), and with a limit of
// that the document "memory_limit_bytes" and what takes more "over_limit". Where nothing fits, "best" and "best_id" are
// null.
//
// Where known, a schedule also has "peak_bytes", "clock_mhz" (of the device while it ran), "discarded_samples" and
// "low_clock" (RunResult), "distribution": {"p50_ms", "p95_ms", "p99_ms" (Percentiles), "samples_ms"}, and
// "verification" (verification_json()), a stage "lane_threads": the processor cores of each group. A search with a warm
// start (CompareOptions::warm_start) has "warm_start": {"schedule", "stage_sum_ms", "better", "beyond_search"
// (beyond_json())}. On a device with noise a schedule has "within_noise" (no faster or slower than sequential for all
// that the runs tell) and, with enough runs, "speedup_interval": [low, high], 95 %. A barrier-free schedule has
// "kernels_of", the name of the schedule whose "stages" chose its kernels and whose sum "stage_sum_ms" is, and
// "launches": [{"kernel", "lane", "waits" (indices of earlier launches)}] in launch order, none where no lanes were
// faster than those stages. Where known, it has "gain":
// {"against" (id of the fastest schedule with stages), "ms", "barriers_ms", "order_ms", "same_kernels"} (LaneGain), and
// on a device with noise "barriers_within_noise" and "order_within_noise" in it. Of several networks the document has
// "networks": [{"name", "alone_ms" (alone_times(), null where not known)}], and a schedule that was traced "networks":
// [{"name", "begin_ms", "latency_ms"}] (NetworkTime). With sensitivity the document has "sensitivity": {"ties" (ids),
// "text"}, and a schedule "sensitivity": {"draws", "wins", "behind_best", "before_best", "speedup_interval": [low,
// high], nine of ten draws}. A schedule that was traced beside sequential has "why" (why_json()). One that saves
// something has "saved":
// {"against": "one-by-one", "ms", "fusion_ms", "concurrency_ms"} (Saving).
nlohmann::ordered_json comparison_json(const Comparison& comparison);

// "the file's graph has 3 merged convolutions: …", for people; empty if none of the graph's units is one. Every
// schedule of such a graph, sequential too, then contains what the file merged.
std::string merged_note(const Graph& graph);
std::size_t merged_convolutions(const Graph& graph);  // units that the file already held as one

// For people: a title with device, batch and origin, one aligned row a schedule, and which one is best.
std::string comparison_table(const Comparison& comparison);

nlohmann::ordered_json unit_names_json(const Graph& graph, std::span<const UnitId> units);
// [{"limit", "text"}]
nlohmann::ordered_json why_json(std::span<const Exclusion> why);
// "stage 4 is none that a search by itself would try: r = 3: a group of 4 units".
std::string beyond_text(const StageBeyond& beyond);
// [{"stage" (from 1), "why": [{"limit", "text"}]}]
nlohmann::ordered_json beyond_json(std::span<const StageBeyond> beyond);

// "of 0.107 ms saved against one by one, 0.095 by fusion in one stream, 0.012 by concurrency and
// merging".
std::string saving_text(const Saving& saving);
// "0.262 ms less than ios-both: no barriers -0.211 (within the noise), other lanes and order -0.051".
std::string lane_gain_text(const LaneGain& gain);
// "1.02 times as fast as sequential (within the noise)".
std::string speedup_text(const Speedup& speedup);

// {"passed", "reference", "tolerance", "outputs": [{"name", "dims", "passed", "finite", "max_abs", "max_rel",
// "magnitude", "worst", "value", "reference"}]}, as in Verification; a number that is not finite is null.
nlohmann::ordered_json verification_json(const Verification& verification);
// "SM clock 1980 MHz", or from the lowest to the highest of the schedules that were asked for; empty where not known.
std::string clock_text(std::span<const ScheduleResult> results);
// One line: whether it passed, and the errors of the worst output.
std::string verification_text(const Verification& verification);

// One schedule's object as in comparison_json, without what compares it
// with sequential.
nlohmann::ordered_json schedule_result_json(const Comparison& comparison, const ScheduleResult& result);

// {"strategy", "groups", "merged"} of a stage, as in comparison_json.
nlohmann::ordered_json stage_json(const Graph& graph, const Stage& stage);

// "[a b] [c+d]": the groups of a stage, the steps of each, merged units joined by "+".
std::string groups_text(const Graph& graph, const Stage& stage);

// Names one schedule of a comparison, and one of its stages.
struct ComparedSchedule {
  const Comparison* comparison = nullptr;
  std::size_t result = 0;
  std::size_t stage = 0;

  const ScheduleResult& schedule() const { return comparison->results[result]; }
};

// "4.200 ± 0.084": a latency in ms with its spread, where it has one.
Cell latency_cell(const Latency& latency);

// The schedule comparison: one row a schedule. Speed-ups are against `baseline`, without one against the comparison's
// sequential schedule. All schedules may be of several comparisons; networks of several have a column each.
Table schedule_comparison(const std::vector<ComparedSchedule>& schedules, const ScheduleResult* baseline = nullptr);
std::vector<ComparedSchedule> requested_schedules(const Comparison& comparison);
// All schedules of a comparison, a row each in its order.
Table schedule_comparison(const Comparison& comparison, const ScheduleResult* baseline = nullptr);

// One row a stage.
Table stage_list(const std::vector<ComparedSchedule>& stages);
// All stages of a schedule; none of a schedule that is not there.
Table stage_list(const Comparison& comparison, std::size_t result);
// All stages of the requested schedules that run in stages.
Table stage_list(const Comparison& comparison);

// The own latency of each of several networks, a column each: alone, and in every requested schedule.
Table own_latencies(const Comparison& comparison);

// One row a task of a search: parts that are alike, what they cost, and what may be gained there. The graph has these
// parts; it may be null where there are no tasks.
Table task_list(const Graph* graph, std::span<const SearchTask> tasks);

// One row a network of every requested schedule, and of each network alone: the schedule's id or "alone", the network,
// when its first kernel begins and its last one ends (NetworkTime).
Table network_list(const Comparison& comparison);
// One row a run of every requested schedule, in the order of the runs (ScheduleResult::samples).
Table sample_list(const Comparison& comparison);

}  // namespace iosx
