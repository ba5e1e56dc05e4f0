#pragma once

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/stage_latency_source.h"

// These functions make what comparing needs before anything runs end to end, on a device or from what was recorded.
namespace iosx {

// An option out of range, a schedule kind that is not made from a graph, a given schedule or a warm start that is not
// legal for it.
Result<void> check_options(const Graph& graph, const CompareOptions& options);

// Leaves out schedules without stages, which the device cannot run, where all are asked for. The error is that somebody
// asks for one by name.
Result<void> leave_out_barrier_free(CompareOptions& options, const DeviceInfo& device);

// Adds schedules of several networks, where the graph is of several and all kinds of schedules are asked for.
void add_those_of_several(CompareOptions& options, const Graph& graph);

// Says that it cannot run a schedule without stages.
Error runs_stages_only(const DeviceInfo& device, const std::string& schedule);

// Returns what prepare() is to cut the graph for: the search's options, the warm start.
SearchOptions searched_with(const CompareOptions& options);

// Adds to the comparison, whose graph is set, the schedules with stages that are asked for, each in the form in which
// its stages are measured and run; then the baselines that nobody asked for, marked so. `given` is the caller's graph,
// whose parts the baselines keep; the units are the same.
//
// A stop ends the running search; its best schedule so far counts if it solved any part. The comparison is then marked
// incomplete.
Result<void> make_schedules(Comparison& comparison, const Graph& given, const CompareOptions& options,
                            StageLatencySource& source, const JobContext& job, const CompareListener& listener = {});

// The stage latencies of one schedule, each stage on its own, and their sum. A stop is an error.
Result<void> measure_stages(ScheduleResult& result, LatencySource& source, const JobContext& job);
// Its stage_sum and between_stages, from its stage latencies.
void add_up(ScheduleResult& result, const InterStageOverhead& overhead);

}  // namespace iosx
