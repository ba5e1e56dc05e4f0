#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/devices/device.h"
#include "core/workers/worker_board.h"
#include "core/workers/worker_link.h"

namespace iosx {

inline constexpr int kMostWorkers = 1024;  // of one command

// Names workers of one device: so many of each launcher's command. All have the device's fingerprint; one that has
// another is another device, and left aside.
struct WorkerCommand {
  std::string command;                // a shell's: "ssh node1 iosx worker --device gpu"
  int count = 1;                      // 1 to kMostWorkers
  std::optional<Seconds> start = {};  // how long one may take until it says hello; without it WorkerLimits says that
  friend bool operator==(const WorkerCommand&, const WorkerCommand&) = default;
};

// Reads what a user writes: "ssh node1 iosx worker", or "4 x COMMAND" for four of it. A command of srun that starts
// several tasks (-n, --ntasks) is as many of one task each, because a worker is spoken to by itself. Errors: no
// command, a count that is none.
Result<WorkerCommand> worker_command(const std::string& text);

// What somebody who asks for a device knows of it before any worker is started.
struct WorkerDeviceInfo {
  DeviceInfo info;
  std::string methods_key;
  std::optional<PeakRates> peak;
};
// Returns what a worker said of its device.
WorkerDeviceInfo known_of(const wire::Hello& hello);

// Makes a device whose work is done by workers. They are started as they are needed, those in `started` are used first;
// each is started again where it is lost. Plans of one measure() are shared out among all; what is loaded lives in the
// first. A plan during whose measurement two workers were lost is left out. Errors of a request are the device's own,
// or that no worker can be started, or that two were lost over one run. What each worker does is on the board, where
// one is given. Notices can be taken while a request runs, from where it reports its progress.
std::unique_ptr<Device> make_worker_device(WorkerDeviceInfo known, const std::vector<WorkerCommand>& commands,
                                           const WorkerLimits& limits = {}, std::vector<WorkerLink> started = {},
                                           const std::shared_ptr<WorkerBoard>& board = nullptr);

}  // namespace iosx
