#pragma once

#include <memory>

#include "gpu/profile/cupti_library.h"
#include "gpu/profile/profiler.h"
#include "gpu/runtime/properties.h"

namespace iosx::gpu {

// Samples GPU number `device` with CUPTI's PM sampling.
Result<std::unique_ptr<Sampler>> open_cupti_sampler(const CuptiLibrary& library, int device,
                                                    const Properties& properties, Micros interval);

// The outcome of decoding the hardware's output once.
struct DecodingEnd {
  bool all = false;       // everything was read
  bool overflow = false;  // samples may be missing
};
// `samples` is the number of new ones. CUPTI may stop for reasons that it does not name ("other"): without new
// samples that is the end, and no sign of missing ones.
DecodingEnd decoding_end(CUpti_PmSampling_DecodeStopReason reason, bool overflow, std::size_t samples);

}  // namespace iosx::gpu
