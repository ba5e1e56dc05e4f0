#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace iosx::gpu {

// Returns the name and the text: "cudaErrorNoDevice (no CUDA-capable device is detected)".
std::string describe(cudaError_t status);

// Throws OutOfMemory or GpuError for anything but success, with the call's name, the error's name and text, and the
// remedy where known. It clears CUDA's stored error, so that the next call does not report it again.
void check(cudaError_t status, const char* call);

}  // namespace iosx::gpu
