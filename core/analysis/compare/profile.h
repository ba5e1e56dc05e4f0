#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/compare/comparison.h"
#include "core/devices/device.h"

namespace iosx {

// Takes the traces of all results from profiles (LoadedPlan::timeline and counters): timelines with launches and
// hardware counters, where the device has them. Latencies stay as they were measured; what could not be seen is added
// to the comparison's notices, once. `device` is the one that the comparison was made on.
//
// The timelines of all come first, because counters may end the sight of launches, and the whole process. Between the
// two `halfway`, if there is one, is given the comparison with all timelines. Errors: another device, options out of
// range, the device's, a stop, `halfway`'s. After one of the second half the comparison has the timelines of all and
// the counters of some; before, it is as it was.
Result<void> profile(Comparison& comparison, Device& device, const ProfileOptions& options, const JobContext& job,
                     const std::function<Result<void>(const Comparison&)>& halfway = {});

// Whether its traces come from a profiler: launches, or counters with errors.
bool profiled(const Comparison& comparison);

// For people: for every schedule its latency, its timeline's length and source, and each counter's mean over the run
// with its standard error and against sequential's; then where the counters come from.
std::string profile_table(const Comparison& comparison);

// [{"id", "latency_ms", "timeline_ms", "timeline", "kernels", "launches", "counters": [{"name", "unit", "peak",
// "source", "mean", "error", "stages": [{"mean", "error"}]}]}], one a schedule; no "error" where none is known.
nlohmann::ordered_json profile_json(const Comparison& comparison);

}  // namespace iosx
