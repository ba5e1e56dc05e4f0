#pragma once

#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/device/device.h"

namespace iosx::cli {

struct WrittenOutput {
  std::string name;  // of the operator
  std::string file;
};

// Runs the plan once on tensors from .npy files, one a graph input in order, or on made-up ones, and writes what it
// gives as "output_0.npy", … into the folder, which is made. Errors: a device that does not compute, files that do not
// fit.
Result<std::vector<WrittenOutput>> run_on_files(Device& device, const ExecutionPlan& plan,
                                                const std::vector<std::string>& inputs, const std::string& folder,
                                                const JobContext& job);

}  // namespace iosx::cli
