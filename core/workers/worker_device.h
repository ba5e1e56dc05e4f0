#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/devices/device.h"
#include "core/workers/worker_link.h"

namespace iosx {

enum class WorkerActivity {
  kOff,        // not started yet, or just lost
  kStarting,   // its launcher may wait in a queue
  kIdle,       // ready, without work
  kWaiting,    // for other measurements on the same hardware
  kMeasuring,  // stages
  kRunning,    // a whole schedule
  kLeftAside,  // it is not started again
};

// The current activity of one worker.
struct WorkerDoing {
  std::string device;   // its id
  std::string command;  // its start command
  int number = 1;       // among the device's workers, for messages
  WorkerActivity activity = WorkerActivity::kOff;
  std::size_t measured = 0;   // stages completed since the device was opened
  std::size_t in_flight = 0;  // stages sent and not completed
  int losses = 0;
};

// Shows the current activity of all workers of a program. Each worker has a place on it while its device is open. It is
// thread-safe.
class WorkerBoard {
 public:
  using Place = std::uint64_t;
  Place add(WorkerDoing doing);
  void change(Place place, const std::function<void(WorkerDoing&)>& change);
  void remove(Place place);
  std::vector<WorkerDoing> now() const;  // in the order of addition

 private:
  mutable std::mutex mutex_;
  std::map<Place, WorkerDoing> doings_;
  Place last_ = 0;
};

inline constexpr int kMostWorkers = 1024;  // per command

// Workers of one device that one launcher command starts. All have the device's fingerprint; one with another
// fingerprint is excluded.
struct WorkerCommand {
  std::string command;                // a shell's: "ssh node1 iosx worker --device gpu"
  int count = 1;                      // 1 to kMostWorkers
  std::optional<Seconds> start = {};  // how long one may take until its hello; empty: WorkerLimits
  friend bool operator==(const WorkerCommand&, const WorkerCommand&) = default;
};

// Reads a user's text: "ssh node1 iosx worker", or "4 x COMMAND" for four. An srun command for several tasks (-n,
// --ntasks) becomes that many of one task each, because each worker has its own connection. Errors: no command, an
// invalid count.
Result<WorkerCommand> worker_command(const std::string& text);

// What is known of a device before any worker starts.
struct WorkerDeviceInfo {
  DeviceInfo info;
  std::string methods_key;
  std::optional<PeakRates> peak;
};
// Returns the facts from a worker's hello.
WorkerDeviceInfo known_of(const wire::Hello& hello);

// Makes a device whose workers do its work. Workers start on demand, those in `started` are used first, and a lost one
// is started again. The plans of one measure() are shared among all; loaded plans live in the first. A plan is left out
// if four workers were lost while measuring it. Errors: the device's own, no worker can be started, every one was lost
// in one run, again and again. The board, if given, shows each worker's activity. Notices can be taken during a
// request, from its progress callback.
std::unique_ptr<Device> make_worker_device(WorkerDeviceInfo known, const std::vector<WorkerCommand>& commands,
                                           const WorkerLimits& limits = {}, std::vector<WorkerLink> started = {},
                                           const std::shared_ptr<WorkerBoard>& board = nullptr);

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
