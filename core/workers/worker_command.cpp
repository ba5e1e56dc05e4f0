#include <fmt/format.h>

#include <regex>
#include <sstream>

#include "core/base/text.h"
#include "core/workers/worker_device.h"

namespace iosx {
namespace {

// Returns none for an invalid count of workers.
std::optional<int> count_in(const std::string& digits) {
  const auto count = read_number<int>(digits);
  return count && *count >= 1 && *count <= kMostWorkers ? count : std::nullopt;
}

tl::unexpected<Error> no_count(const std::string& text) {
  return fail(message("must start 1 to {} workers", kMostWorkers), text);
}

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

Result<WorkerCommand> worker_command(const std::string& text) {
  static const std::regex times(R"(^\s*(\d+)\s*x\s+([\s\S]*)$)");
  static const std::regex tasks(
      R"(^((?:\w+=\S*\s+|env\s+|exec\s+)*(?:\S*/)?srun\s(?:\S+\s+)*?)(-n\s*|--ntasks[=\s]\s*)(\d+)(?=\s|$))");
  constexpr std::size_t kLongest = 4096;  // the expressions above go a level deeper with each character
  if (text.size() > kLongest) return fail(message("is longer than {} characters", kLongest), text.substr(0, 60));
  WorkerCommand command{std::string(trimmed(text))};
  std::smatch found;
  if (std::regex_match(text, found, times)) {
    const auto count = count_in(found[1]);
    if (!count) return no_count(text);
    const std::string rest = found[2];
    command = {std::string(trimmed(rest)), *count};
  }
  if (std::regex_search(command.command, found, tasks)) {
    const auto count = count_in(found[3]);
    if (!count || command.count > kMostWorkers / *count) return no_count(text);
    command.count *= *count;
    command.command = found[1].str() + found[2].str() + "1" + found.suffix().str();
  }
  if (!command.command.empty()) return command;
  return fail(message("names no command that starts a worker"), text,
              message("give a command such as \"ssh HOST iosx worker --device gpu\""));
}

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
