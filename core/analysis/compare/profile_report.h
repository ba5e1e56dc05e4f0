#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Whether its traces come from a profiler: launches, or counters with errors.
bool profiled(const Comparison& comparison);

// For people: for every schedule its latency, its timeline's length and source, and each counter's mean over the run
// with its standard error and against sequential's; then where the counters come from.
std::string profile_table(const Comparison& comparison);

// [{"id", "latency_ms", "timeline_ms", "timeline", "kernels", "launches", "counters": [{"name", "unit", "peak",
// "source", "mean", "error", "stages": [{"mean", "error"}]}]}], one a schedule; no "error" where none is known.
nlohmann::ordered_json profile_json(const Comparison& comparison);

}  // namespace iosx
