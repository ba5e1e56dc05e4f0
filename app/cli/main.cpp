#include <exception>
#include <iostream>
#include <new>
#include <system_error>

#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/session.h"
#include "app/devices/all_devices.h"
#include "core/base/memory_limit.h"
#include "core/base/new_file.h"
#include "core/base/printable.h"

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
  add_run(program);
  add_profile(program);
  add_convert(program);
  add_export_pytorch(program);
  add_validate(program);
  add_store_commands(program);
}

int run(int argc, char** argv) {
  Interrupts interrupts;
  DeviceRegistry devices;
  add_all_devices(devices);
  Session session(devices, interrupts);

  CommandLine command_line(
      {.name = "iosx",
       .help = "IOS Explorer: schedules of concurrent operators for CNN inference",
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
  try {
    iosx::end_where_memory_is_out();
    iosx::let_large_writes_fail();
    return iosx::cli::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::cerr << "iosx: " << iosx::out_of_memory({}).text() << '\n';
  } catch (const std::system_error& error) {
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    std::cerr << "iosx: "
              << (thread ? "no thread could be started: there is too little memory (ulimit -v), or there are too many "
                           "processes (ulimit -u)"
                         : iosx::printable(error.what()))
              << '\n';
  } catch (const std::exception& error) {
    std::cerr << "iosx: " << iosx::printable(error.what()) << '\n';
  }
  return iosx::cli::kFailed;
}
