#pragma once

#include <string>
#include <string_view>

#include "core/workers/worker_device.h"

namespace iosx {

// Returns the text as one word of a POSIX shell, in quotes where necessary.
std::string shell_word(std::string_view text);

// The program that a launcher starts on the other host.
struct WorkerProgram {
  std::string path = "iosx";   // as the remote shell finds it; a leading "~/" is the remote user's folder
  std::string device = "gpu";  // its id in the remote `iosx devices`
  int count = 1;               // of workers
};

// Returns the workers of a host that ssh reaches without prompts; ssh gives up after ten seconds without an
// answer. Errors: no host, program or device, or a host that looks like an option of ssh.
Result<WorkerCommand> ssh_workers(const std::string& host, const WorkerProgram& program);

// Returns workers that Slurm places, each in a job step of its own with these srun options, separated by spaces:
// "--exclusive --gres=gpu:1". Options for several tasks (-n, --ntasks) give that many workers. Errors: no program or
// device; those of worker_command().
Result<WorkerCommand> slurm_workers(const std::string& options, const WorkerProgram& program);

}  // namespace iosx
