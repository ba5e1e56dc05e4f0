#pragma once

#include <cstdint>
#include <optional>

#include "core/model/plan/execution_plan.h"
#include "gpu/ops/conv/conv_problem.h"

// Convert the tensors of a Conv, ConvTranspose or Linear kernel to the form of a convolution library: pixels at a
// constant distance. Other tensors are copied through dense memory: a constant that repeats for every sample, and
// rows of a linear layer with gaps or in another order.
namespace iosx::gpu {

constexpr std::int64_t kAlignment = 256;  // bytes, for buffers, weights and scratch memory

bool is_layer(const Kernel& kernel);

// Returns the samples of a batch: a constant has one, which repeats with stride 0.
TensorRef repeated(const TensorRef& tensor, std::int64_t batch);

// Dense memory to which an input is first copied, or from which an output is copied at the end. The tensor repeats with
// stride 0 where necessary.
struct Detour {
  TensorRef tensor;
  TensorRef dense;
};
struct LayerTensor {
  TensorRef tensor;  // for Linear: rows of features
  std::optional<Detour> detour;
};
// Returns an input, an output or a residual in the library's form. `place` is memory for a detour, if one is needed.
LayerTensor layer_tensor(const Kernel& kernel, const TensorRef& tensor, std::int64_t batch, void* place);

// Returns none for a kernel that is not a layer.
std::optional<ConvProblem> layer_problem(const Kernel& kernel, const TensorRef& x, const TensorRef& y,
                                         const TensorRef* residual, Math math);

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
// Returns the bytes of the tensor without gaps, rounded up to the alignment.
std::int64_t dense_bytes(const TensorRef& tensor);

}  // namespace iosx::gpu
