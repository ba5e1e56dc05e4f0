#pragma once

#include "core/devices/simulated/implicit_gemm.h"

// Winograd convolutions of stride 1 on CUDA cores: fewer multiplications, but more sums and traffic.
namespace iosx::simulated {

// Calls `sink` with the ways that suit the convolution; none where the library has none for the device.
//
// F(2×2, 3×3) in one kernel: a block computes 32 channels of 128 pixels, with 16 products per 4 outputs (36
// without Winograd); a stream transforms the filters first, 16 numbers for 9.
//
// F(4×4, 3×3) and F(2×2, 5×5) in four: one stream transforms the input into tiles of 6 × 6, another the filters, 36
// matrix products follow, and a third stream writes the outputs. Example: a 3 × 3 convolution of 64 to 128 channels of
// 28 × 28 pixels, one image: 16 · 7 · 7 tiles, because the kernels take 16 images at a time, so 36 products of 784 ×
// 64 by 64 × 128.
void winograd_ways(const DeviceDescription& device, const ConvProblem& problem, const WaySink& sink);

}  // namespace iosx::simulated
