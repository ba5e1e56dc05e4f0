#pragma once

#include <string>
#include <vector>

#include "gpu/runtime/runtime.h"

namespace iosx::gpu::test {

struct PlanReport {
  std::string text;  // a line a plan: name, workspace, and the worst error as part of the largest value
  std::vector<std::string> failures;  // "cuDNN engine 41 (…), captured, stream 1: …"; empty if all went well
};

// Runs every plan that the library has for the problem on streams 0 and 1 side by side: eagerly, then captured and
// replayed twice; then the same with the plan as restored from its text. Numbers are compared with those of plain
// loops, elements of y's buffer that belong to other tensors must stay as they are. A plan that throws is a failure.
// What is tried is written to the library's TrialLog, and what ended an earlier process left out. Ends at once where
// the GPU is lost.
PlanReport check_plans(Runtime& runtime, ConvLibrary& library, const ConvProblem& problem);

// One 3×3 convolution, + bias, ReLU.
ConvProblem small_conv(Math math);
ConvProblem small_conv_with_residual(Math math);
ConvProblem small_conv_into_slice(Math math);  // y is half of the channels of a buffer

}  // namespace iosx::gpu::test
