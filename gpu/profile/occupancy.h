#pragma once

#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

// Returns the part of a multiprocessor's warp slots (0 to 1) that blocks of this launch can fill at most: what threads,
// registers, shared memory and the number of blocks leave room for. It is 0 where the GPU's limits are not known.
// Rounding is as in NVIDIA's occupancy calculator: registers a warp in units of 256, shared memory in units of 128
// bytes.
double occupancy(const LaunchRecord& launch, const Properties& gpu);

}  // namespace iosx::gpu
