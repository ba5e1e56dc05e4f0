#pragma once

#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/latency_sources.h"

namespace iosx {

// Limits beyond which a measured figure is too rough to choose a schedule by.
inline constexpr double kUnreliableGap = 0.25;     // between a run and the sum of its stages, relative to the run
inline constexpr double kUnreliableSpread = 0.25;  // of a stage latency, relative to its median
inline constexpr double kUnreliableShare = 0.1;    // of the stage latencies with such a spread

// Returns sentences for the user about unreliable figures of a comparison; none for figures without noise. `noise` is
// of the stage latencies of the searches, at kUnreliableSpread.
std::vector<Message> reliability_warnings(const Comparison& comparison, const StageLatencySource::Noise& noise);

// Returns a sentence where the plan's weights and tensors would not fit the memory of the real device, since a
// simulated device runs everything; empty where they fit, or the size is unknown.
Message does_not_fit(const Device& device, const ExecutionPlan& plan, const Graph& graph);

}  // namespace iosx
