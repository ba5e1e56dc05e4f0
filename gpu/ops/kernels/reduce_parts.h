#pragma once

#include <array>
#include <cstdint>

#include "gpu/ops/kernels/calls.h"

// A long reduction to few elements keeps few blocks busy for long. In parts it is two calls: the first one has a block
// for each part, the second one adds up the parts of each element, in the same order every time.
namespace iosx::gpu {

// Returns how many parts a call is worth on a GPU with so many multiprocessors; 1: the one call is best. It depends on
// sizes, strides and alignment alone.
std::int64_t reduce_parts(const ReduceCall& call, int multiprocessors);

// Returns the bytes that the sums of the parts take between the two calls.
std::int64_t partial_bytes(const ReduceCall& call, std::int64_t parts);

// Returns the two calls. `partials` is memory of partial_bytes(), aligned to 256, for nobody else until both are done.
std::array<ReduceCall, 2> in_parts(const ReduceCall& call, std::int64_t parts, void* partials);

}  // namespace iosx::gpu
