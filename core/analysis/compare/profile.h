#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/analysis/compare/comparison.h"
#include "core/devices/device.h"
#include "core/model/trace/trace.h"

namespace iosx {

// Replaces the traces of all results by profiles (LoadedPlan::timeline and counters): timelines with launches and
// hardware counters, where the device has them. Latencies stay as measured; what could not be recorded is added to
// the comparison's notices, once. `device` made the comparison.
//
// All timelines come first, because counters may end the recording of launches, and even the process. In between,
// `halfway`, if any, receives the comparison with all timelines. Errors: another device, options out of range, the
// device's, a stop, those of `halfway`. After an error in the second half the comparison has all timelines and some
// counters; an earlier error leaves it unchanged.
Result<void> profile(Comparison& comparison, Device& device, const ProfileOptions& options, const JobContext& job,
                     const std::function<Result<void>(const Comparison&)>& halfway = {});

// Returns whether its traces come from a profiler: launches, or counters with errors.
bool profiled(const Comparison& comparison);

// Returns a table for display: every schedule's latency, its timeline's length and source, and each counter's mean
// over the run with its standard error and relative to sequential's; then the source of the counters.
std::string profile_table(const Comparison& comparison);

// Returns [{"id", "latency_ms", "timeline_ms", "timeline", "kernels", "launches", "counters": [{"name", "unit", "peak",
// "source", "mean", "error", "stages": [{"mean", "error"}]}]}], one per schedule; without "error" where unknown.
nlohmann::ordered_json profile_json(const Comparison& comparison);

// Returns the counter of a device's occupancy: active warps where the trace has them, else its main counter (busy
// cores on a processor). Null where that has no peak, without which idleness is undefined.
const Counter* occupancy(const Trace& trace);

}  // namespace iosx
