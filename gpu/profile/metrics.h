#pragma once

#include <span>
#include <string>
#include <vector>

namespace iosx::gpu {

// A hardware counter.
struct Metric {
  enum class Peak { kUnknown, kHundred, kWarpSlots };

  const char* cupti = "";  // CUPTI's name
  const char* name = "";   // in a trace
  const char* unit = "";
  double scale = 1;  // from CUPTI's unit
  Peak peak = Peak::kHundred;
};

// Returns sets of metrics, the richest first. Sampling reads a whole set at once, so a GPU uses the first one that it
// knows and can read in a single pass, which depends on its generation (profile's tests list them). In each set the
// first metric is the share of time in which the GPU is busy, the second the active warps.
std::span<const std::vector<Metric>> metric_sets();

}  // namespace iosx::gpu
