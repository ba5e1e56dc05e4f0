#include <charconv>
#include <cstdlib>
#include <regex>

#include "core/base/trimmed.h"
#include "core/workers/worker_device.h"

namespace iosx {
namespace {

// Returns none for an invalid count of workers.
std::optional<int> count_in(const std::string& digits) {
  int count = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool whole = wrong == std::errc() && end == digits.data() + digits.size();
  return whole && count >= 1 && count <= kMostWorkers ? std::optional(count) : std::nullopt;
}

tl::unexpected<Error> no_count(const std::string& text) {
  return fail(message("must start 1 to {} workers", kMostWorkers), text);
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

}  // namespace iosx
