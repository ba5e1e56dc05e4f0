#pragma once

#include <string>
#include <string_view>

#include "core/workers/worker_device.h"

namespace iosx {

// Returns the text as one word for a POSIX shell, whatever is in it: in quotes where it needs them.
std::string shell_word(std::string_view text);

// Says what a launcher starts at the other end.
struct WorkerProgram {
  std::string path = "iosx";   // as the shell there finds it; a leading "~/" is that user's folder
  std::string device = "gpu";  // its id there, as `iosx devices` says it there
  int count = 1;               // of workers
};

// Returns the workers of a host that ssh reaches without asking for anything; it gives up where the host does not
// answer within ten seconds. Errors: there is no host, program or device, or the host looks like an option of ssh.
Result<WorkerCommand> ssh_workers(const std::string& host, const WorkerProgram& program);

// Returns workers that Slurm places, each in a job step of its own with these options of srun, which are words apart
// by spaces: "--exclusive --gres=gpu:1". Options that ask for several tasks (-n, --ntasks) ask for as many workers.
// Errors: there is no program or device; worker_command().
Result<WorkerCommand> slurm_workers(const std::string& options, const WorkerProgram& program);

}  // namespace iosx
