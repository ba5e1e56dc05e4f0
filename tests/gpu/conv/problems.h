#pragma once

#include "gpu/ops/conv/conv_problem.h"

namespace iosx::gpu::test {

// 384 channels of 8×8 pixels through 3×3 filters to 384 channels, all dense, + bias, ReLU.
inline ConvProblem conv3x3(Math math) {
  ConvProblem problem;
  problem.math = math;
  problem.channels = 384;
  problem.input = {8, 8};
  problem.out_channels = 384;
  problem.output = {8, 8};
  problem.kernel = {3, 3};
  problem.padding = {1, 1};
  problem.padding_end = {1, 1};
  problem.x = {384, 16};
  problem.y = {384, 16};
  problem.bias = true;
  problem.activation = Activation::kRelu;
  return problem;
}

// Its transposed counterpart with stride 2: 8×8 pixels to 15×15. No bias, no activation.
inline ConvProblem transposed3x3(Math math) {
  ConvProblem problem = conv3x3(math);
  problem.transposed = true;
  problem.stride = {2, 2};
  problem.output = {15, 15};
  problem.bias = false;
  problem.activation = Activation::kIdentity;
  return problem;
}

}  // namespace iosx::gpu::test
