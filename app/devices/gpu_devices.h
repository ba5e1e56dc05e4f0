#pragma once

#include <filesystem>

#include "core/devices/registry.h"

namespace iosx {

// Returns the path of the GPU back end: the environment variable IOS_GPU_BACKEND, or else libios_gpu.so beside the
// program, in the folder lib/ios-explorer beside the program's (installed), or in lib (built).
std::filesystem::path gpu_backend_path();

// Adds the back end's devices, or one "gpu" with the reason why there are none.
void add_gpu_devices(DeviceRegistry& registry);

}  // namespace iosx
