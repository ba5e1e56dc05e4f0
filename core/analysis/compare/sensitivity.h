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

// How sensitive a schedule's place in a simulated comparison is to the errors of the device's model: the schedules
// ran again on devices whose kernels have error factors like the model's (Device::redrawn()). It leaves out errors
// common to many kernels, errors of concurrent kernels, and those of launches and waits.
struct Sensitivity {
  std::int64_t draws = 0;
  std::int64_t wins = 0;    // draws in which nothing was faster
  std::int64_t behind = 0;  // draws in which the comparison's best was faster
  std::int64_t before = 0;  // draws in which it was faster than the best
  // The speed-up over sequential: nine of ten draws lie between. 0 without sequential.
  double speedup_low = 0;
  double speedup_high = 0;
  friend bool operator==(const Sensitivity&, const Sensitivity&) = default;
};

// Sets every result's sensitivity from at most 100 draws, fewer for large networks, always the same ones. Does
// nothing on a measuring device, and after a stop. Errors are the device's.
Result<void> add_sensitivity(Comparison& comparison, const Device& device, const JobContext& job);

// Returns the results that the best does not beat in nineteen of twenty draws: they tie with it.
std::vector<std::size_t> ties_with_best(const Comparison& comparison);

// Returns "ios-both is the fastest in 93 of 100 draws of kernel errors and 1.31 to 1.58 times as fast as
// sequential in nine of ten; greedy in 7; a tie with greedy"; empty where the best was not redrawn.
std::string sensitivity_text(const Comparison& comparison);

}  // namespace iosx
