#include "gpu/ops/kernels/launch.h"

#include <fmt/format.h>

#include <array>
#include <variant>

#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

// The calls' names, in their order in KernelCall.
constexpr std::array<const char*, std::variant_size_v<KernelCall>> kNames{
    "copy",      "concatenation",  "fill",      "element-wise",  "affine",        "depthwise convolution",
    "pooling",   "reduction",      "softmax",   "normalisation", "padding",       "resize",
    "reshape",   "matrix product", "selection", "gathering",     "arg reduction", "layer norm",
    "excitation"};

}  // namespace

void launch(const KernelCall& call, cudaStream_t stream) {
  std::visit([stream](const auto& one) { kernels::launch_call(one, stream); }, call);
  const cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) return;
  throw GpuError(fmt::format("the GPU did not start a {} kernel: {} ({})", kNames.at(call.index()),
                             cudaGetErrorString(error), cudaGetErrorName(error)));
}

}  // namespace iosx::gpu
