#include "core/workers/launchers.h"

#include <fmt/format.h>

#include <sstream>

#include "core/base/trimmed.h"

namespace iosx {
namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";

// Returns the program with its arguments, for the shell that finds it.
Result<std::string> program_words(const WorkerProgram& program) {
  std::string path(trimmed(program.path));
  const std::string_view device = trimmed(program.device);
  if (path.empty()) return fail(message("names no program"), {}, message("give the path of iosx on that computer"));
  if (device.empty()) return fail(message("names no device"), {}, message("give its id on that computer: cpu, gpu"));
  std::string home;
  if (path.starts_with("~/")) home = path.substr(0, 2), path.erase(0, 2);
  return fmt::format("{}{} worker --device {}", home, shell_word(path), shell_word(device));
}

Result<WorkerCommand> so_many(int count, const std::string& command) {
  return worker_command(fmt::format("{} x {}", count, command));
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_not_of(kPlain) == std::string_view::npos) return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

Result<WorkerCommand> ssh_workers(const std::string& host, const WorkerProgram& program) {
  const std::string name(trimmed(host));
  if (name.empty()) return fail(message("names no host"), {}, message("give a host that ssh knows"));
  if (name.starts_with('-')) return fail(message("is an option, not a host"), name);
  IOS_TRY(const auto words, program_words(program));
  // Two shells read the words: the one here takes off the outer quotes, the one there the inner ones.
  return so_many(program.count,
                 fmt::format("ssh -o BatchMode=yes -o ConnectTimeout=10 {} {}", shell_word(name), shell_word(words)));
}

Result<WorkerCommand> slurm_workers(const std::string& options, const WorkerProgram& program) {
  IOS_TRY(const auto words, program_words(program));
  std::string command = "srun";
  std::istringstream stream(options);
  for (std::string option; stream >> option;) command += ' ' + shell_word(option);
  // The last one counts: within an allocation of several tasks srun would start all of them.
  return so_many(program.count, fmt::format("{} --ntasks=1 {}", command, words));
}

}  // namespace iosx
