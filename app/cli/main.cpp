#include <CLI/CLI.hpp>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "app/cli/commands.h"
#include "app/cli/interrupts.h"
#include "app/cli/session.h"
#include "app/devices/all_devices.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

void add_commands(CLI::App& app, Command& chosen) {
  app.require_subcommand(1);
  app.set_version_flag("--version", "iosx " IOSX_VERSION);
  app.footer("Exit code: 0 done, 1 the job failed or was cancelled, 2 the command line is wrong.");
  add_list_commands(app, chosen);
  add_inspect(app, chosen);
  add_count(app, chosen);
  add_optimize(app, chosen);
  add_compare(app, chosen);
  add_run(app, chosen);
  add_convert(app, chosen);
  add_validate(app, chosen);
}

// "iosx COMMAND", as far as it was recognised.
std::string recognised(const CLI::App& app) {
  std::string name = app.get_name();
  for (const CLI::App* command : app.get_subcommands()) name += " " + command->get_name();
  return name;
}

// The parser's mistakes in our words; an unknown command is the one that it tells badly.
Error usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const std::string first = argc > 1 ? argv[1] : "";
  if (!app.get_subcommands().empty() || first.empty()) {
    return Error{error.what(), {}, recognised(app) + " --help explains"};
  }
  if (first[0] == '-') return Error{"there is no such option", "'" + first + "'", "iosx --help explains"};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands(nullptr)) names.push_back(command->get_name());
  const std::string guess = nearest(first, names);
  return Error{"there is no such command", "'" + first + "'",
               (guess.empty() ? "" : "did you mean " + guess + "? ") + "iosx --help lists the commands"};
}

int run(int argc, char** argv) {
  Interrupts interrupts;
  DeviceRegistry devices;
  add_all_devices(devices);
  Session session(devices, interrupts.token());

  CLI::App app{"IOS Explorer: schedules of concurrent operators for CNN inference", "iosx"};
  Command chosen;
  add_commands(app, chosen);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      app.exit(error);
      return session.finish(kSuccess);
    }
    return session.fail(usage_error(app, error, argc, argv), kUsage);
  }
  return session.finish(chosen(session));
}

}  // namespace
}  // namespace iosx::cli

int main(int argc, char** argv) {
  try {
    return iosx::cli::run(argc, argv);
  } catch (const std::exception& error) {  // out of memory, most likely
    std::cerr << "iosx: " << iosx::cli::one_line(error.what()) << '\n';
    return iosx::cli::kFailed;
  }
}
