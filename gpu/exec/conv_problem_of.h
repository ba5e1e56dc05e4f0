#pragma once

#include <optional>
#include <vector>

#include "core/model/plan/execution_plan.h"
#include "gpu/ops/conv/conv_problem.h"

// These functions return convolutions of plans as problems of a convolution library. Tensors are feature maps with
// channels-last pixels, or vectors for Linear; their addresses count only for their alignment. `residual` may be null.
namespace iosx::gpu {

ConvProblem problem_of(const Conv& conv, const TensorRef& x, const TensorRef& y, const TensorRef* residual, Math math);
ConvProblem problem_of(const ConvTranspose& conv, const TensorRef& x, const TensorRef& y, Math math);
ConvProblem problem_of(const Linear& linear, const TensorRef& x, const TensorRef& y, const TensorRef* residual,
                       Math math);

// Returns the problem of every Conv, ConvTranspose and Linear kernel of a plan whose buffers are aligned as prepared
// plans' are, by KernelId; none for other kernels.
std::vector<std::optional<ConvProblem>> problems_by_kernel(const ExecutionPlan& plan, Math math);
// Returns the same without gaps, in the order of the kernels; equal ones come again and again.
std::vector<ConvProblem> conv_problems(const ExecutionPlan& plan, Math math);

// Returns the dense layout of pixels of so many channels at an aligned address; pixels lie apart or are worse aligned
// where a layout is not that.
PixelLayout dense_layout(std::int64_t channels, Math math);

}  // namespace iosx::gpu
