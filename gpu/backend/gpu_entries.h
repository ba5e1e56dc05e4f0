#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "gpu/ops/conv/problem.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu {

// Makes the device for a GPU number and a kind of products.
using OpenGpu = std::function<Result<std::unique_ptr<Device>>(int number, Math math, const DeviceInfo& info)>;

// Returns an unavailable entry "gpu" with that reason.
DeviceRegistry::Entry unavailable_gpu(Message reason);

// Returns the entries that a program lists: each GPU once per kind of products, TF32 first, which suits most users.
// Unusable GPUs follow, one entry each; without any GPU, one entry "gpu" has all known facts.
std::vector<DeviceRegistry::Entry> gpu_entries(const SystemFacts& facts, const std::string& library_version,
                                               const OpenGpu& open);

}  // namespace iosx::gpu
