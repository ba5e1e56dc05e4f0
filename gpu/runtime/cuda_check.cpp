#include "gpu/runtime/cuda_check.h"

#include <fmt/format.h>

#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

// Returns the remedy for an error that is not our bug; "" where unknown.
const char* remedy(cudaError_t status) {
  switch (status) {
    case cudaErrorInsufficientDriver: return "; install NVIDIA driver 580 or newer";
    case cudaErrorDevicesUnavailable:
      return "; another process uses the GPU exclusively, or it may not be used: nvidia-smi -q -d COMPUTE tells";
    case cudaErrorNoKernelImageForDevice:
      return "; this back end was built without code for this GPU: build it with its architecture in "
             "CMAKE_CUDA_ARCHITECTURES";
    case cudaErrorECCUncorrectable: return "; the GPU's memory is faulty";
    case cudaErrorLaunchTimeout: return "; the GPU also drives a display, which ends kernels that take long";
    default: return "";
  }
}

}  // namespace

std::string describe(cudaError_t status) {
  return fmt::format("{} ({})", cudaGetErrorName(status), cudaGetErrorString(status));
}

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  cudaGetLastError();
  const std::string text = fmt::format("{}: {}{}", call, describe(status), remedy(status));
  if (status == cudaErrorMemoryAllocation) throw OutOfMemory(verbatim(text));
  throw GpuError(text);
}

}  // namespace iosx::gpu
