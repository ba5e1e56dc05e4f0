#pragma once

#include <span>
#include <string>
#include <vector>

namespace iosx::gpu {

// A metric is a counter of the hardware.
struct Metric {
  enum class Peak { kUnknown, kHundred, kWarpSlots };

  const char* cupti = "";  // its name there
  const char* name = "";   // in a trace
  const char* unit = "";
  double scale = 1;  // from CUPTI's unit
  Peak peak = Peak::kHundred;
};

// Returns sets of metrics, the richest first. Sampling reads all of a set at once, so a GPU takes the first one that it
// knows and can read in a single pass: which one that is differs from generation to generation (profile's tests list
// them). In each the first is the part of the time in which the GPU is at work, the second the active warps.
std::span<const std::vector<Metric>> metric_sets();

}  // namespace iosx::gpu
