#pragma once

#include <string>
#include <vector>

#include "gpu/runtime/runtime.h"

namespace iosx::gpu::test {

struct PlanReport {
  std::string text;  // one line per plan: name, workspace, and the largest error relative to the largest value
  std::vector<std::string> failures;  // "cuDNN engine 41 (…), captured, stream 1: …"; empty if all went well
};

// Runs each of the library's plans for the problem on streams 0 and 1 side by side: eagerly, then captured and
// replayed twice; then the same with the plan restored from its text. Results are compared with those of plain
// loops, and elements of y's buffer that belong to other tensors must not change. A plan that throws is a failure.
// Trials are written to the library's TrialLog, and those that ended an earlier process are skipped. Ends at once
// where the GPU is lost.
PlanReport check_plans(Runtime& runtime, KernelLibrary& library, const ConvProblem& problem);

// One 3×3 convolution, + bias, ReLU.
ConvProblem small_conv(Math math);
ConvProblem small_conv_with_residual(Math math);
ConvProblem small_conv_into_slice(Math math);  // y is half of the channels of a buffer

}  // namespace iosx::gpu::test
