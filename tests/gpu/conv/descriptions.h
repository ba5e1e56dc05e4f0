#pragma once

#include <string>

#include "gpu/ops/conv/problem.h"
#include "tests/gpu/driver/machine.h"

// cuDNN's descriptions of GPUs, from their data sheets.
namespace iosx::gpu::test {

std::string description(const Chip& chip);

inline std::string h200() { return description(chip("H200")); }
inline std::string a100() { return description(chip("A100")); }
inline std::string t4() { return description(chip("T4")); }

// cuDNN's proposals depend on its version; tests of such facts skip with other versions.
inline constexpr const char* kKnownVersion = "cuDNN 9.19.0";

// 384 channels of 8×8 pixels through 3×3 filters to 384 channels, all dense, + bias, ReLU.
inline ConvProblem conv3x3(Math math) {
  ConvProblem problem{.math = math,
                      .channels = 384,
                      .input = {8, 8},
                      .out_channels = 384,
                      .output = {8, 8},
                      .kernel = {3, 3},
                      .padding = {1, 1},
                      .padding_end = {1, 1},
                      .x = {384, 16},
                      .y = {384, 16},
                      .bias = true,
                      .activation = Activation::kRelu};
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
