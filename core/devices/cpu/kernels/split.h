#pragma once

#include <cstdint>

#include "core/base/function_ref.h"

namespace iosx::cpu {

// Calls body(begin, end) for even parts of 0 <= i < count, each on its own thread of the calling thread's team. `work`
// is roughly how many elements the whole moves or computes; small work stays on one thread.
void split(std::int64_t count, std::int64_t work, FunctionRef<void(std::int64_t, std::int64_t)> body);

// Returns how many threads split() would use, given enough parts.
int threads_for(std::int64_t work);

}  // namespace iosx::cpu
