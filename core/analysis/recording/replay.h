#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/recording/dependencies.h"

namespace iosx {

enum class Launches {
  kAsRecorded,  // no kernel starts before the host launched it; the host's waits are timed anew
  kNoGaps,      // all are launched at once, as in a CUDA graph
};
// Runs the kernels anew on their recorded lanes, in their order there, and returns the span in µs. Kernels that run at
// once share the device: where their shares are more than one, all are slower by that. With kAsRecorded it is the check
// of this model: the span should be the recorded one. Returns none if the edges are a cycle.
std::optional<double> replayed_span(const Dependencies& dependencies, const std::vector<double>& shares,
                                    Launches launches);

// A kernel as the model runs it, in µs from 0.
struct PlacedKernel {
  double begin = 0;
  double end = 0;
  std::uint32_t lane = 0;
};
struct PlacedRun {
  double span = 0;
  std::vector<PlacedKernel> kernels;  // as those of the recording
};
// List scheduling in the same model: of the kernels that can start, the one with the longest way to an end takes a lane
// first. A wait for another lane takes 1 µs. Collectives, and copies from or to the host, stay on their streams in
// their recorded order; the lane of these is `lanes` plus the recorded one. Returns none if the edges are a cycle.
std::optional<PlacedRun> list_run(const Dependencies& dependencies, const std::vector<double>& shares,
                                  Launches launches, std::size_t lanes);

}  // namespace iosx
