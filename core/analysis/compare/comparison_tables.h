#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/tables/table.h"

namespace iosx {

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
