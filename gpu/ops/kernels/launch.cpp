#include "gpu/ops/kernels/launch.h"

#include <fmt/format.h>

#include <variant>

#include "gpu/runtime/errors.h"

namespace iosx::gpu {

void launch(const KernelCall& call, cudaStream_t stream) {
  std::visit([stream](const auto& one) { kernels::launch_call(one, stream); }, call);
}

namespace kernels {

void check_launch(const char* call) {
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  throw GpuError(fmt::format("the GPU did not start a {} kernel: {} ({})", call, cudaGetErrorString(error),
                             cudaGetErrorName(error)));
}

}  // namespace kernels
}  // namespace iosx::gpu
