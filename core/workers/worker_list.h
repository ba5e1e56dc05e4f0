#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "core/workers/worker_device.h"

namespace iosx {

// Which devices of this machine run in workers, so that a crash in the device's library costs one measurement only.
enum class Isolation { kNone, kGpus, kAll };

// A device of workers: its name, start commands, and last known facts.
struct ListedDevice {
  std::string name;  // "gpu@node1": its id
  std::vector<WorkerCommand> commands;
  WorkerDeviceInfo known;
  std::string host;
  // False: another program version asked last, and only fingerprint and name are known until it works.
  bool is_known = true;
};

// The workers known to both programs: a file of the user's settings.
struct WorkerList {
  Isolation isolation = Isolation::kGpus;
  std::vector<ListedDevice> devices;
};

// Returns $XDG_CONFIG_HOME/ios-explorer/workers.json, or that below ~/.config. Returns an error where neither
// folder is known.
Result<std::filesystem::path> worker_list_file();
// A missing file is an empty list.
Result<WorkerList> read_worker_list(const std::filesystem::path& file);
Result<void> write_worker_list(const std::filesystem::path& file, const WorkerList& list);

// Returns an unused name for a host's device: "gpu@node1", "gpu@node1-2".
std::string free_name(const WorkerList& list, const wire::Hello& hello);

// Starts one worker of the command, and returns an entry from its hello. Errors: WorkerLink::start().
Result<ListedDevice> ask_worker(const WorkerCommand& command, const WorkerLimits& limits, const JobContext& job,
                                wire::Hello* said = nullptr);

// Adds the result of ask_worker(): to the listed device of the same fingerprint unless another name is given, else as
// a new device of that name or free_name(). A known command gets the new count. Returns the name. The error is a name
// that another device has.
Result<std::string> add_to_list(WorkerList& list, ListedDevice added, const wire::Hello& hello,
                                const std::string& name = {});

// Removes workers of this command from a device, and a device without workers from the list. Returns whether there
// were any.
bool remove_from_list(WorkerList& list, const std::string& device, const WorkerCommand& command);

// The reply of one worker of a command.
struct WorkerAnswer {
  std::string device;  // its name in the list
  WorkerCommand command;
  Result<wire::Hello> hello;
};
// Starts a worker of each command of the list at the same time and returns their replies, in the list's order.
// Commands without a start time wait for `patience`. `heard` receives each reply as it comes, from one thread at a
// time. Errors: WorkerLink::start(), and a device that is not the listed one.
std::vector<WorkerAnswer> ask_workers(const WorkerList& list, Seconds patience, const JobContext& job,
                                      const std::function<void(const WorkerAnswer&)>& heard = {});

// Updates the list from the workers' replies where they differ: peak rates, or methods. Missing replies and other
// devices change nothing. Returns whether the list changed.
bool take_answers(WorkerList& list, const std::vector<WorkerAnswer>& answers);

// Makes the registry's entry of such a device; workers in `started` serve the first device opened. The board, if given,
// shows their activity.
DeviceRegistry::Entry entry_of(const ListedDevice& device, const WorkerLimits& limits = {},
                               std::vector<WorkerLink> started = {},
                               const std::shared_ptr<WorkerBoard>& board = nullptr);

// Adds the listed devices, and makes workers of the local devices to isolate. `program` is iosx. The board, if given,
// shows their activity.
void add_worker_devices(DeviceRegistry& registry, const WorkerList& list, const std::filesystem::path& program,
                        const std::shared_ptr<WorkerBoard>& board = nullptr);

}  // namespace iosx
