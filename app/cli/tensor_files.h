#pragma once

#include <string>
#include <vector>

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/devices/device.h"
#include "core/formats/onnx/file_interface.h"

namespace iosx::cli {

struct WrittenOutput {
  std::string name;  // in the network's file
  std::string file;
};

// Runs the plan once on tensors from .npy files, one a network input in order, or all from one .npz by their names, or
// on made-up ones, and writes what it gives as "output_0.npy", … into the folder, which is made. Inputs and outputs
// have the order, shapes and types of `file`, whose batch is the plan's. Errors: a device that does not compute, files
// that do not fit.
Result<std::vector<WrittenOutput>> run_on_files(Device& device, const ExecutionPlan& plan, const FileInterface& file,
                                                const std::vector<std::string>& inputs, const std::string& folder,
                                                const JobContext& job);

}  // namespace iosx::cli
