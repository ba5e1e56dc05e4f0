#pragma once

#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/stage_latency_source.h"

namespace iosx {

// From where on a measured figure is too rough to choose a schedule by.
inline constexpr double kUnreliableGap = 0.25;     // between a run and the sum of its stages, of the run
inline constexpr double kUnreliableSpread = 0.25;  // of a stage latency, of its median
inline constexpr double kUnreliableShare = 0.1;    // of the stage latencies that may spread so much

// Says what makes the figures of a comparison doubtful, as sentences for the user; none for what has no noise. `noise`
// is of the stage latencies that the searches chose by, at kUnreliableSpread.
std::vector<Message> reliability_warnings(const Comparison& comparison, const StageLatencySource::Noise& noise);

// A simulated device runs everything. A sentence that says so where the plan's weights and tensors would not fit the
// memory of the real one; empty where they do, or where its size is not known.
Message does_not_fit(const Device& device, const ExecutionPlan& plan, const Graph& graph);

}  // namespace iosx
