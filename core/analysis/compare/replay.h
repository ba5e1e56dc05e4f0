#pragma once

#include "core/analysis/compare/comparison.h"
#include "core/devices/store/measurement_store.h"

namespace iosx {

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
