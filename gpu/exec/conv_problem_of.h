#pragma once

#include "gpu/ops/conv/conv_problem.h"

// Convolutions of plans as problems of a convolution library. Tensors are feature maps with channels-last pixels, or
// vectors for Linear; their addresses count only for their alignment. `residual` may be null.
namespace iosx::gpu {

ConvProblem problem_of(const Conv& conv, const TensorRef& x, const TensorRef& y, const TensorRef* residual, Math math);
ConvProblem problem_of(const ConvTranspose& conv, const TensorRef& x, const TensorRef& y, Math math);
ConvProblem problem_of(const Linear& linear, const TensorRef& x, const TensorRef& y, const TensorRef* residual,
                       Math math);

}  // namespace iosx::gpu
