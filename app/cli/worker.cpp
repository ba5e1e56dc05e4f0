#include "core/workers/worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/options.h"
#include "app/cli/session.h"
#include "core/base/text.h"
#include "core/workers/worker_list.h"

namespace iosx::cli {
namespace {

// Where no turns are possible it measures without them.
Exit work(const std::string& id, Session& session) {
  const WorkerEnds ends{.input = 0, .output = own_standard_output()};
  const auto device = session.devices().open(id);
  if (!device) return refuse(device.error(), ends);
  auto turn = HostTurn::open(turn_folder(), hardware_of(**device));
  if (!turn) session.note(message("measurements of several workers may disturb each other: {}", turn.error().line()));
  const int code = serve(**device, IOSX_VERSION, ends, turn ? &*turn : nullptr);
  if (code != kSuccess) session.note("worker: unknown request; update the worker");
  return code;
}

bool is_listed(const WorkerList& list, const std::string& name) {
  return std::ranges::any_of(list.devices, [&](const ListedDevice& device) { return device.name == name; });
}

struct AddArguments {
  std::string command;
  std::string name;
  std::string limit;
};

Exit add_worker(const AddArguments& arguments, Session& session) {
  IOS_TRY(const auto file, worker_list_file());
  IOS_TRY(auto list, read_worker_list(file));
  IOS_TRY(auto command, usage(worker_command(arguments.command)));
  if (!arguments.limit.empty()) command.start = Seconds(std::stod(arguments.limit));
  const auto entries = session.devices().entries();
  const bool taken = std::ranges::any_of(entries, [&](const auto* entry) { return entry->info.id == arguments.name; });
  if (taken && !is_listed(list, arguments.name)) {
    return wrong_usage(message("is already the name of a device of this program"), arguments.name,
                       message("choose another name"));
  }
  wire::Hello hello;
  constexpr Seconds kPatience{60};
  IOS_TRY(auto added, ask_worker(command, {.start = command.start.value_or(kPatience)}, session.job(), &hello));
  IOS_TRY(list, read_worker_list(file));  // others may have changed it meanwhile
  IOS_TRY(const auto name, usage(add_to_list(list, std::move(added), hello, arguments.name)));
  IOS_TRY(write_worker_list(file, list));
  session.print(fmt::format("{}: {}, {}\n", printable(name), printable(hello.device.name), printable(hello.host)));
  return kSuccess;
}

Exit remove_worker(const std::string& name) {
  IOS_TRY(const auto file, worker_list_file());
  IOS_TRY(auto list, read_worker_list(file));
  if (std::erase_if(list.devices, [&](const ListedDevice& device) { return device.name == name; }) == 0) {
    return wrong_usage(message("is not in the list"), name, message("see iosx devices"));
  }
  IOS_TRY(write_worker_list(file, list));
  return kSuccess;
}

Exit isolate(const std::string& what) {
  IOS_TRY(const auto file, worker_list_file());
  IOS_TRY(auto list, read_worker_list(file));
  list.isolation = what == "all" ? Isolation::kAll : what == "none" ? Isolation::kNone : Isolation::kGpus;
  IOS_TRY(write_worker_list(file, list));
  return kSuccess;
}

}  // namespace

void add_worker(Command& program) {
  Command command = program.add_command("worker",
                                        "Measure for another IOS Explorer, which starts this command and exchanges "
                                        "data with it over standard input and output");
  auto id = std::make_shared<std::string>();
  command.add_option("--device", *id, "ID", "The device to measure on (see iosx devices)").required();
  command.runs([id](Session& session) { return work(*id, session); });

  Command workers = program.add_command("workers", "Change the list of devices that workers measure on");
  Command add = workers.add_command(
      "add", "Start a worker once, and add its device to the list, or one more worker to a listed device");
  const auto arguments = add.runs(add_worker);
  add.add_option("COMMAND", arguments->command, "COMMAND",
                 "The command that starts the worker, such as \"ssh HOST iosx worker --device gpu\"")
      .required();
  add.add_option("--name", arguments->name, "NAME", "Name of the device. Default: DEVICE@HOST");
  add.add_option(
         "--limit", arguments->limit, "S",
         "Maximum time for the worker to start, in seconds, now and in later searches. Default: 60 now and 600 later")
      .check(number({1, 86400}, "a number of seconds"));

  Command remove = workers.add_command("remove", "Remove a device from the list");
  auto name = std::make_shared<std::string>();
  remove.add_option("NAME", *name, "NAME", "Name of the device in iosx devices").required();
  remove.runs([name](Session& /*session*/) { return remove_worker(*name); });

  Command isolated = workers.add_command("isolate", "Choose which devices of this machine run in a separate process");
  auto what = std::make_shared<std::string>();
  isolated.add_option("WHICH", *what, "none|gpus|all", "none, gpus (the default) or all devices that measure")
      .required()
      .check(one_of({"none", "gpus", "all"}));
  isolated.runs([what](Session& /*session*/) { return isolate(*what); });
}

}  // namespace iosx::cli
