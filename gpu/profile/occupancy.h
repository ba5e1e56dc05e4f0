#pragma once

#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

// Returns the largest share of a multiprocessor's warp slots (0 to 1) that this launch's blocks can fill, limited by
// threads, registers, shared memory and the number of blocks; 0 where the GPU's limits are unknown. Rounding follows
// NVIDIA's occupancy calculator: registers per warp in units of 256, shared memory in units of 128 bytes.
double occupancy(const LaunchRecord& launch, const Properties& gpu);

}  // namespace iosx::gpu
