#pragma once

#include "core/analysis/compare/comparison.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

// Makes the schedules as compare() does, from stage latencies that were measured earlier (recorded_set() names them),
// perhaps on another computer: without the device, so nothing runs end to end. A result's latency is its stage_sum, of
// origin "recorded" (or still "simulated") and no samples; traces, counters and rounds are empty. Everything in the
// options that says how to run is left aside, the batch is the set's.
//
// Searches choose among the stages that were measured; a notice says how many were not.
//
// A stop is as in compare(). Errors: as there, and where nothing can be made of what was measured.
Result<Comparison> replay(const Graph& graph, MeasurementStore& store, const MeasurementSet& set,
                          const CompareOptions& options, const JobContext& job, const CompareListener& listener = {});

}  // namespace iosx
