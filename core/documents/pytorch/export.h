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
  ScheduleNotes notes = {};  // facts about the schedule, for the package's documentation
  // The operators whose results are the first outputs, by name (output_operators()).
  std::vector<std::string> outputs = {};
  // The plan of the schedule's kernels on lanes, without stages.
  std::optional<ExecutionPlan> barrier_free = {};
};

// Writes a Python package that needs only torch and numpy: network.py with the network as a torch.nn.Module, with a
// method per stage of the schedule, or one that runs its kernels on barrier-free lanes; lanes.py with its building
// blocks; check.py, which compares and times; the weights, also made-up ones, as weights.safetensors; README.md. Its
// outputs equal those of our devices, except for rounding.
//
// A missing folder is made. Files appear completely or not at all, the small ones after the weights. Errors: those of
// check_folder(); a schedule that is not legal; operators that cannot be written, by name, before anything is written;
// no space.
Result<void> write_package(const Graph& graph, const Schedule& schedule, const std::filesystem::path& folder,
                           const ExportOptions& options = {});

// Returns an error if the folder holds anything but an earlier export, whose own files are then replaced, or if
// it is a file or not writable.
Result<void> check_folder(const std::filesystem::path& folder);

}  // namespace iosx::pytorch
