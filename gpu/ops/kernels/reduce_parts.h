#pragma once

#include <array>
#include <cstdint>

#include "gpu/ops/kernels/calls.h"

// A long reduction to few elements keeps few blocks busy for long. In parts it is two calls: the first has a block for
// each part, the second sums the parts of each element, always in the same order.
namespace iosx::gpu {

// Returns the best number of parts for a call on a GPU with that many multiprocessors; 1: a single call. It depends on
// sizes, strides and alignment alone.
std::int64_t reduce_parts(const ReduceCall& call, int multiprocessors);

// Returns the bytes of the partial sums between the two calls.
std::int64_t partial_bytes(const ReduceCall& call, std::int64_t parts);

// Returns the two calls. `partials` is memory of partial_bytes(), aligned to 256, reserved until both are done.
std::array<ReduceCall, 2> in_parts(const ReduceCall& call, std::int64_t parts, void* partials);

}  // namespace iosx::gpu
