#pragma once

#include <memory>

#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

// Makes a profiler of GPU number `device` with CUPTI, which is loaded at the first request.
std::unique_ptr<Profiler> make_cupti_profiler(int device, const Properties& properties);

}  // namespace iosx::gpu
