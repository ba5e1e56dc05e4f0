#pragma once

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/latency_sources.h"
#include "core/devices/store/measurement_store.h"

// Prepare a comparison up to the end-to-end runs, on a device or from recorded latencies.
namespace iosx {

// Checks for an option out of range, a schedule kind that is not made from a graph, and a given schedule or warm
// start that is not legal for it.
Result<void> check_options(const Graph& graph, const CompareOptions& options);

// Removes schedules without stages, which the device cannot run, from a request for all. Returns an error where one is
// requested by name.
Result<void> leave_out_barrier_free(CompareOptions& options, const DeviceInfo& device);

// Adds schedules of several networks, where the graph has several and all kinds of schedules are requested.
void add_those_of_several(CompareOptions& options, const Graph& graph);

// Returns the error that the device cannot run a schedule without stages.
Error runs_stages_only(const DeviceInfo& device, const std::string& schedule);

// Returns the options of prepare() for cutting the graph: the search's options and the warm start.
SearchOptions searched_with(const CompareOptions& options);

// Adds the requested schedules with stages to the comparison, whose graph is set, each in the form in which its stages
// are measured and run; then the baselines that were not requested, marked as such. `given` is the caller's graph,
// whose parts the baselines keep; the units are the same.
//
// A stop ends the running search; its best schedule so far counts if it solved any part. The comparison is then marked
// incomplete.
Result<void> make_schedules(Comparison& comparison, const Graph& given, const CompareOptions& options,
                            StageLatencySource& source, const JobContext& job, const CompareListener& listener = {});

// Measures the stage latencies of one schedule, each stage by itself, and their sum. A stop is an error.
Result<void> measure_stages(ScheduleResult& result, LatencySource& source, const JobContext& job);
// Sets stage_sum and between_stages from the stage latencies.
void add_up(ScheduleResult& result, const InterStageOverhead& overhead);

// Makes the schedules like compare(), from stage latencies measured earlier (named by recorded_set()), perhaps on
// another computer, without the device: nothing runs end to end. A result's latency is its stage_sum, of origin
// "recorded" (or still "simulated") without samples; traces, counters and rounds are empty. It ignores options about
// runs; the batch is the set's.
//
// Searches choose among the measured stages; a notice gives the number of missing ones.
//
// A stop is as in compare(). Errors: as there, and where the measurements suffice for no schedule.
Result<Comparison> replay(const Graph& graph, MeasurementStore& store, const MeasurementSet& set,
                          const CompareOptions& options, const JobContext& job, const CompareListener& listener = {});

}  // namespace iosx
