#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "gpu/ops/conv/conv_problem.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu {

// Makes the device of a GPU's number for one kind of products.
using OpenGpu = std::function<Result<std::unique_ptr<Device>>(int number, Math math, const DeviceInfo& info)>;

// Returns an entry "gpu" that cannot be used, for that reason.
DeviceRegistry::Entry unavailable_gpu(Message reason);

// Returns what a program lists: each GPU once for each kind of products, TF32 first, which is what one wants. GPUs that
// cannot be used follow, one entry each; if there are no others, one entry "gpu" has all that is known.
std::vector<DeviceRegistry::Entry> gpu_entries(const SystemFacts& facts, const std::string& library_version,
                                               const OpenGpu& open);

}  // namespace iosx::gpu
