#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device.h"

namespace iosx {

struct Comparison;

// Says of one schedule of a simulated comparison how far its place hangs on the errors of the device's model: the
// schedules were run again on devices whose kernels are each off as the model's are (Device::redrawn()). What is not
// drawn: errors that many kernels have in common, those of kernels side by side, and of launches and waits.
struct Doubt {
  std::int64_t draws = 0;
  std::int64_t wins = 0;    // draws in which nothing was faster
  std::int64_t behind = 0;  // draws in which the comparison's best was faster
  std::int64_t before = 0;  // draws in which it was faster than the best
  // How many times as fast as sequential: nine of ten draws lie between. 0 without sequential.
  double speedup_low = 0;
  double speedup_high = 0;
  friend bool operator==(const Doubt&, const Doubt&) = default;
};

// Sets the doubt of every result, from at most 100 draws, fewer for large networks, the same ones every time. Does
// nothing on a device that measures, and after a stop. Errors are the device's.
Result<void> add_doubts(Comparison& comparison, const Device& device, const JobContext& job);

// Returns the results that the best does not beat in nineteen of twenty draws: with these it is a tie.
std::vector<std::size_t> ties_with_best(const Comparison& comparison);

// "ios-both is the fastest in 93 of 100 draws of the kernels' errors and 1.31 to 1.58 times as fast as sequential in
// nine of ten; greedy in 7; a tie with greedy"; empty where the best has no doubt.
std::string doubt_text(const Comparison& comparison);

}  // namespace iosx
