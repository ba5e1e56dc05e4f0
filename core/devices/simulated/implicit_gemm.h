#pragma once

#include <cstdint>

#include "core/devices/simulated/loads.h"
#include "core/model/graph/attributes.h"
#include "core/model/graph/shape.h"

// Convolutions from the library's view, and those computed as matrix products.
namespace iosx::simulated {

// A convolution, with its groups and batch.
struct ConvProblem {
  std::int64_t batch = 1;
  Shape input;
  Shape output;
  Conv attributes;
  // The same convolution ran just before, as in a measuring loop: its weights are in the cache like other data. In a
  // network they come from memory.
  bool repeated = false;
};

// All are totals over the groups, but `channels` and `depth` are of one group.
struct ConvSizes {
  double pixels = 0;  // of the output, all samples
  double outputs = 0;
  double channels = 0;  // outputs of one group
  double depth = 0;     // length of the reduction
  double weight_bytes = 0;
  double input_bytes = 0;  // read by the kernel: a 1 × 1 kernel of stride 2 skips every second row
  double output_bytes = 0;
  double cold_bytes = 0;  // as in Product
  double warm_bytes = 0;
};

ConvSizes sizes(const DeviceDescription& device, const ConvProblem& problem);

// Calls `sink` with one matrix product of pixels × filters per group, in every tile: a 3 × 3 convolution of 64
// channels has the depth 576. The input is never written as a matrix, so its bytes count once.
void implicit_gemm_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink);

// Returns the kernel of a convolution that is depthwise or has narrow groups: one thread per output.
KernelLoad direct_convolution(const DeviceDescription& device, const ConvProblem& problem);

}  // namespace iosx::simulated
