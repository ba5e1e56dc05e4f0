#pragma once

#include <cstdint>
#include <optional>

#include "core/model/plan/execution_plan.h"
#include "gpu/ops/conv/conv_problem.h"

// These functions give the tensors of a Conv, ConvTranspose or Linear kernel as a convolution library can take them:
// pixels at a constant distance. What does not lie so takes a detour over dense memory: a constant that repeats for
// every sample, and what a linear layer sees as rows of features though it has gaps or another order.
namespace iosx::gpu {

constexpr std::int64_t kAlignment = 256;  // bytes, of buffers, weights and scratch memory

bool is_layer(const Kernel& kernel);

// Returns the samples of a batch: a constant has one for all, which repeats with stride 0.
TensorRef repeated(const TensorRef& tensor, std::int64_t batch);

// A detour leads over dense memory that an input is copied to first, or an output from at last. The tensor repeats with
// stride 0 where it must.
struct Detour {
  TensorRef tensor;
  TensorRef dense;
};
struct LayerTensor {
  TensorRef tensor;  // rows of features for Linear
  std::optional<Detour> detour;
};
// Returns an input, an output or a residual as the library takes it. `place` is memory for a detour, if one is needed.
LayerTensor layer_tensor(const Kernel& kernel, const TensorRef& tensor, std::int64_t batch, void* place);

// Returns none for a kernel that is no layer.
std::optional<ConvProblem> layer_problem(const Kernel& kernel, const TensorRef& x, const TensorRef& y,
                                         const TensorRef* residual, Math math);

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
// Returns the bytes of the tensor without gaps, rounded up to the alignment.
std::int64_t dense_bytes(const TensorRef& tensor);

}  // namespace iosx::gpu
