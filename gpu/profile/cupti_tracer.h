#pragma once

#include <functional>
#include <vector>

#include "gpu/profile/cupti_library.h"
#include "gpu/profile/profiler.h"

namespace iosx::gpu {

// Implements Profiler::trace() with CUPTI's activity records.
Result<std::vector<LaunchRecord>> trace_with_cupti(const CuptiLibrary& library, const std::function<void()>& work);

}  // namespace iosx::gpu
