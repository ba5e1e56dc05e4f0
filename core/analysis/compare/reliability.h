#pragma once

#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/devices/measure/latency_sources.h"

namespace iosx {

// The spread of a stage latency, relative to its median, beyond which it is too rough to choose a schedule by.
inline constexpr double kUnreliableSpread = 0.25;

// Returns sentences for the user about unreliable figures of a comparison; none for figures without noise. `noise` is
// of the stage latencies of the searches, at kUnreliableSpread.
std::vector<Message> reliability_warnings(const Comparison& comparison, const StageLatencySource::Noise& noise);

// Returns a sentence about options that had no effect: those of a search where none was requested, the seed where no
// search was lazy, and sensitivity where the device has no errors to draw. For clients whose users gave each of them.
std::vector<Message> ignored_options(const Comparison& comparison, const CompareOptions& options);

// Returns a sentence where the plan's weights and tensors would not fit the memory of the real device, since a
// simulated device runs everything; empty where they fit, or the size is unknown.
Message does_not_fit(const Device& device, const ExecutionPlan& plan, const Graph& graph);

// Sets every result's sensitivity from at most 100 draws, fewer for large networks, always the same ones. Does
// nothing on a measuring device, and after a stop. Errors are the device's.
Result<void> add_sensitivity(Comparison& comparison, const Device& device, const JobContext& job);

// Returns the results that the best does not beat in nineteen of twenty draws: they tie with it.
std::vector<std::size_t> ties_with_best(const Comparison& comparison);

// Returns "ios-both is the fastest in 93 of 100 draws of the model's errors and 1.31 to 1.58 times as fast as
// sequential in nine of ten; greedy in 7; a tie with greedy"; empty where the best was not redrawn.
std::string sensitivity_text(const Comparison& comparison);

}  // namespace iosx
