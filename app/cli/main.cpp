#include <string_view>
#include <vector>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/session.h"
#include "app/devices/all_devices.h"
#include "core/base/files.h"
#include "core/base/memory_limit.h"

namespace iosx::cli {
namespace {

void add_commands(Command program) {
  add_list_commands(program);
  add_inspect(program);
  add_count(program);
  add_optimize(program);
  add_improve(program);
  add_compare(program);
  add_diff(program);
  add_explain(program);
  add_experiment(program);
  add_sweep(program);
  add_show(program);
  add_report(program);
  add_external(program);
  add_recording(program);
  add_run(program);
  add_profile(program);
  add_export(program);
  add_convert(program);
  add_validate(program);
  add_operators(program);
  add_verify_order(program);
  add_store_commands(program);
  add_worker(program);
}

int run(int argc, char** argv) {
  Interrupts interrupts;
  DeviceRegistry devices;
  add_all_devices(devices);
  // A worker's device is always of its own process: it is asked for none of the user's.
  const bool is_worker = argc > 1 && std::string_view(argv[1]) == "worker";
  const std::vector<Message> notices = is_worker ? std::vector<Message>() : add_users_devices(devices);
  Session session(devices, interrupts);
  for (const Message& notice : notices) session.note(notice);

  CommandLine command_line(
      {.name = "iosx",
       .help = "IOS Explorer: find which operators of a neural network should run concurrently",
       .version = IOSX_VERSION,
       .footer = "Exit code: 0 done, 1 the job failed or was cancelled, 2 the command line is wrong."});
  add_commands(command_line.program());
  const auto action = command_line.parse(argc, argv);
  if (!action) return session.fail(action.error(), kUsage);
  return session.finish((*action)(session));
}

}  // namespace
}  // namespace iosx::cli

int main(int argc, char** argv) {
  iosx::end_where_memory_is_out();
  iosx::let_large_writes_fail();
  iosx::ScratchFolder::remove_abandoned();
  return iosx::run_to_its_end("iosx", [&] { return iosx::cli::run(argc, argv); });
}
