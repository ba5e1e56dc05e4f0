#pragma once

#include <memory>

#include "gpu/profile/cupti_library.h"
#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

// Samples GPU number `device` with CUPTI's PM sampling.
Result<std::unique_ptr<Sampler>> open_cupti_sampler(const CuptiLibrary& library, int device,
                                                    const Properties& properties, Micros interval);

}  // namespace iosx::gpu
