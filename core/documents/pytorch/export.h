#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/schedule_file.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/schedule/schedule.h"

namespace iosx::pytorch {

struct ExportOptions {
  ScheduleNotes notes = {};  // what is known about the schedule, for the package's documentation
  // The results of these operators come first among the outputs, by name (output_operators()).
  std::vector<std::string> outputs = {};
  // Of the schedule's kernels, which run on its lanes then, without stages.
  std::optional<ExecutionPlan> barrier_free = {};
};

// Writes a Python package that needs torch and numpy alone: network.py with the network as a torch.nn.Module, a method
// for each stage of the schedule, or one that runs its kernels on lanes without barriers; lanes.py with what that is
// made of; check.py, which compares and times; the weights, also made-up ones, as weights.safetensors; README.md. Its
// outputs are those of any device of ours, but for rounding.
//
// The folder is made where it is missing. Files appear whole or not at all, the small ones after the weights. Errors:
// what check_folder() says; a schedule that is not legal; operators that cannot be written, by name, before anything is
// written; no space.
Result<void> write_package(const Graph& graph, const Schedule& schedule, const std::filesystem::path& folder,
                           const ExportOptions& options = {});

// Returns an error if the folder holds anything but an earlier export, of which the package's own files are then
// replaced, or if a file or a folder that nothing can be written to is in its place.
Result<void> check_folder(const std::filesystem::path& folder);

}  // namespace iosx::pytorch
