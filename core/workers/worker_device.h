#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/device.h"
#include "core/workers/worker_board.h"
#include "core/workers/worker_link.h"

namespace iosx {

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
// if two workers were lost while measuring it. Errors: the device's own, no worker can be started, two were lost in one
// run. The board, if given, shows each worker's activity. Notices can be taken during a request, from its progress
// callback.
std::unique_ptr<Device> make_worker_device(WorkerDeviceInfo known, const std::vector<WorkerCommand>& commands,
                                           const WorkerLimits& limits = {}, std::vector<WorkerLink> started = {},
                                           const std::shared_ptr<WorkerBoard>& board = nullptr);

}  // namespace iosx
