#pragma once

#include <optional>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/ops/conv/conv_problem.h"

// Convert convolutions of plans to problems of a convolution library. Tensors are feature maps with channels-last
// pixels, or vectors for Linear; their addresses matter only for their alignment. `residual` may be null.
namespace iosx::gpu {

ConvProblem problem_of(const Conv& conv, const TensorRef& x, const TensorRef& y, const TensorRef* residual, Math math);
ConvProblem problem_of(const ConvTranspose& conv, const TensorRef& x, const TensorRef& y, Math math);
ConvProblem problem_of(const Linear& linear, const TensorRef& x, const TensorRef& y, const TensorRef* residual,
                       Math math);

// Returns the problem of every Conv, ConvTranspose and Linear kernel, by KernelId, for buffers aligned as in
// prepared plans; none for other kernels.
std::vector<std::optional<ConvProblem>> problems_by_kernel(const ExecutionPlan& plan, Math math);
// Returns the same without gaps, in the order of the kernels; equal ones repeat.
std::vector<ConvProblem> conv_problems(const ExecutionPlan& plan, Math math);

// Returns the dense layout of pixels with that many channels at an aligned address. In other layouts pixels lie apart
// or are less aligned.
PixelLayout dense_layout(std::int64_t channels, Math math);

}  // namespace iosx::gpu
