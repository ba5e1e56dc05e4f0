#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/exec/way.h"
#include "gpu/ops/conv/problem.h"

// Convert convolutions and matrix products of plans to problems of a library. Tensors are feature maps with
// channels-last pixels, or vectors for Linear; their addresses matter only for their alignment. `residual` may be null.
namespace iosx::gpu {

ConvProblem problem_of(const Conv& conv, const TensorRef& x, const TensorRef& y, const TensorRef* residual, Math math);
ConvProblem problem_of(const ConvTranspose& conv, const TensorRef& x, const TensorRef& y, Math math);
ConvProblem problem_of(const Linear& linear, const TensorRef& x, const TensorRef& y, const TensorRef* residual,
                       Math math);

// Returns a factor of matrix products: axes of size 1 after the batch until the rank fits, and all but the last two
// repeated as those of the products.
TensorRef factor_of(const TensorRef& in, const TensorRef& products);

// Returns a product of `a` and `b`, whose axes before the last two broadcast to those of `y`. Returns none where these
// axes do not fold into one of a constant stride.
std::optional<MatMulTask> product_of(const TensorRef& a, const TensorRef& b, const TensorRef& y, Math math);

// Returns the scores of attention with keys `k` and outputs `y`, rows at 16 bytes, at this address.
TensorRef scores_of(const TensorRef& k, const TensorRef& y, void* data);

// Returns attention whose axes fold like those of both products.
std::optional<AttentionTask> attention_of(const TensorRef& q, const TensorRef& k, const TensorRef& v,
                                          const TensorRef& y, float scale, Math math);

// Returns the problem of every Conv, ConvTranspose, Linear and MatMul kernel, by KernelId, for buffers aligned as in
// prepared plans; none for other kernels.
std::vector<std::optional<Problem>> problems_by_kernel(const ExecutionPlan& plan, Math math);
// Returns those of convolutions without gaps, in the order of the kernels; equal ones repeat.
std::vector<ConvProblem> conv_problems(const ExecutionPlan& plan, Math math);

// Returns the dense layout of pixels with that many channels at an aligned address. In other layouts pixels lie apart
// or are less aligned.
PixelLayout dense_layout(std::int64_t channels, Math math);

// Convert the tensors of a Conv, ConvTranspose or Linear kernel to the form of a convolution library: pixels at a
// constant distance. Other tensors are copied through dense memory: a constant that repeats for every sample, and
// rows of a linear layer with gaps or in another order.
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

constexpr std::int64_t aligned(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }
// Returns the bytes of the tensor without gaps, rounded up to the alignment.
std::int64_t dense_bytes(const TensorRef& tensor);

}  // namespace iosx::gpu
