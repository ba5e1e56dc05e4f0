#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/devices/registry.h"
#include "core/workers/worker_device.h"

namespace iosx {

// Which devices of this machine are workers of their own, so that a crash of the device's library takes no more than a
// measurement with it.
enum class Isolation { kNone, kGpus, kAll };

// Is a device that workers are: what a user calls it, how they are started, and what they said of it when they were
// asked last.
struct ListedDevice {
  std::string name;  // "gpu@node1": its id
  std::vector<WorkerCommand> commands;
  WorkerDeviceInfo known;
  std::string host;
  // False: another version of this program asked, and no more than fingerprint and name are known until it works.
  bool is_known = true;
};

// Is what both programs know of workers: a file of the user's settings.
struct WorkerList {
  Isolation isolation = Isolation::kGpus;
  std::vector<ListedDevice> devices;
};

// Returns $XDG_CONFIG_HOME/ios-explorer/workers.json, or that below ~/.config. The error is that there is no such
// folder.
Result<std::filesystem::path> worker_list_file();
// A file that is not there is an empty list.
Result<WorkerList> read_worker_list(const std::filesystem::path& file);
Result<void> write_worker_list(const std::filesystem::path& file, const WorkerList& list);

// Returns a name for a device of a host that the list does not have yet: "gpu@node1", "gpu@node1-2".
std::string free_name(const WorkerList& list, const wire::Hello& hello);

// Starts one worker of the command, and makes an entry of what it says of its device. Errors: WorkerLink::start().
Result<ListedDevice> ask_worker(const WorkerCommand& command, const WorkerLimits& limits, const JobContext& job,
                                wire::Hello* said = nullptr);

// Adds what ask_worker() returned: to the device of its fingerprint where that is in the list and no other name is
// given, else as a device of that name, or of free_name(). A command that is there already gets the new count. Returns
// the name. The error is a name that another device has.
Result<std::string> add_to_list(WorkerList& list, ListedDevice added, const wire::Hello& hello,
                                const std::string& name = {});

// Takes workers of this command from a device, and the device off the list with its last ones. Answers whether there
// were such.
bool remove_from_list(WorkerList& list, const std::string& device, const WorkerCommand& command);

// Is what the workers of a command answered when one was asked.
struct WorkerAnswer {
  std::string device;  // its name in the list
  WorkerCommand command;
  Result<wire::Hello> hello;
};
// Starts a worker of each command of the list, all at once, and returns what they say of themselves, in the list's
// order. Those whose commands say nothing of their start are waited for so long. `heard` gets each as it comes, from
// one thread at a time. Errors: WorkerLink::start(), and that a device has become another one.
std::vector<WorkerAnswer> ask_workers(const WorkerList& list, Seconds patience, const JobContext& job,
                                      const std::function<void(const WorkerAnswer&)>& heard = {});

// Takes over what workers say of their devices now, where the list has something else: their peak rates, or the methods
// that they compute by. Those that did not answer, or are of another device, change nothing. Returns whether the list
// is another one.
bool take_answers(WorkerList& list, const std::vector<WorkerAnswer>& answers);

// Makes the registry's entry of such a device; the workers of `started` are the first to serve the first device opened.
// What they do is on the board, where one is given.
DeviceRegistry::Entry entry_of(const ListedDevice& device, const WorkerLimits& limits = {},
                               std::vector<WorkerLink> started = {},
                               const std::shared_ptr<WorkerBoard>& board = nullptr);

// Adds the listed devices, and makes workers of those here that are to be isolated. `program` is iosx. What they do is
// on the board, where one is given.
void add_worker_devices(DeviceRegistry& registry, const WorkerList& list, const std::filesystem::path& program,
                        const std::shared_ptr<WorkerBoard>& board = nullptr);

}  // namespace iosx
