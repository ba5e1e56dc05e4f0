#pragma once

#include <cstdint>
#include <optional>

#include "core/plan/execution_plan.h"
#include "gpu/ops/conv/conv_problem.h"

// The tensors of a Conv, ConvTranspose or Linear kernel as a convolution library can take them: pixels at a constant
// distance. What cannot be read so is copied first: a constant that repeats for every sample, and what a linear layer
// flattens though it has gaps.
namespace iosx::gpu {

constexpr std::int64_t kAlignment = 256;  // bytes, of buffers, weights and scratch memory

bool is_layer(const Kernel& kernel);

// The copy that is needed before a tensor can be read; `from` repeats with stride 0 where it must.
struct CopyFirst {
  TensorRef from;
  TensorRef to;
};
struct LayerInput {
  TensorRef tensor;  // to be read: flat for Linear
  std::optional<CopyFirst> copy;
};
// `place`: memory for the copy, if one is needed.
LayerInput layer_input(const Kernel& kernel, const TensorRef& x, std::int64_t batch, void* place);
LayerInput layer_residual(const TensorRef& residual, std::int64_t batch, void* place);

// None for a kernel that is no layer.
std::optional<ConvProblem> layer_problem(const Kernel& kernel, const TensorRef& x, const TensorRef& y,
                                         const TensorRef* residual, Math math);

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
// Bytes of the tensor without gaps, rounded up to the alignment.
std::int64_t dense_bytes(const TensorRef& tensor);

}  // namespace iosx::gpu
