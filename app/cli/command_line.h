#pragma once

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/base/result.h"

// CLI11 takes seconds to read, so command_line.cpp alone includes it.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace iosx::cli {

// How a command ends.
inline constexpr int kSuccess = 0;
inline constexpr int kFailed = 1;  // the job failed or was cancelled
inline constexpr int kUsage = 2;   // the command line is wrong

// Why a command failed, with its exit code. An error alone is one of the job.
struct Failure {
  // NOLINTNEXTLINE(google-explicit-constructor): so that IOS_TRY passes on the errors of core
  Failure(Error why, int code = kFailed) : error(std::move(why)), exit_code(code) {}

  Error error;
  int exit_code;
};

inline tl::unexpected<Failure> wrong_usage(Message what, std::string where = {}, Message remedy = {}) {
  return tl::unexpected(Failure(Error{std::move(what), std::move(where), std::move(remedy)}, kUsage));
}

// The exit code of a command that has reported everything, or the failure to report.
using Exit = tl::expected<int, Failure>;

// Returns the same result, with its error as one of the command line.
template <typename T>
tl::expected<T, Failure> usage(Result<T> result) {
  return std::move(result).map_error([](Error error) { return Failure(std::move(error), kUsage); });
}

class Session;

// Does what the command line asked for: it is set while that is parsed, and run afterwards.
using Action = std::function<Exit(Session&)>;

// Says what is wrong with a value as it was typed; empty where nothing is.
using Check = std::function<std::string(const std::string& given)>;

// Returns the words of a list in one argument, empty words too.
std::vector<std::string> list_words(const std::string& list);

// Declares one option. It is a handle: copies are the same option, and it lives no longer than its CommandLine. Every
// setter returns the option, so that they can be chained.
class Option {
 public:
  Option required();
  // The help shows the value that the variable has now, or this text.
  Option show_default();
  Option show_default(const std::string& text);
  // The check is made before the value is read into its variable; for a list it is made for each word.
  Option check(Check check);
  // That option must not be given as well, or must be. It is one of the same command, declared earlier.
  Option excludes(const std::string& name);
  Option needs(const std::string& name);

  // Says whether the option was given, which is known once the command line is parsed.
  bool given() const;

 private:
  friend class Command;
  Option(CLI::App& command, CLI::Option& option) : command_(&command), option_(&option) {}

  CLI::App* command_;
  CLI::Option* option_;
  bool list_ = false;  // separated by commas
};

// Declares a command of the program, or the program itself. It is a handle like Option:
//
//   Command command = program.add_command("count", "Count the states");
//   const auto options = command.runs(count);  // Exit count(Options& options, Session& session)
//   command.add_option("GRAPH", options->graph, "NAME|FILE", "A network").required();
//   command.add_flag("--json", options->json, "Print JSON");
//
// The help lists commands and options in the order in which they are declared.
class Command {
 public:
  // Adds a command of this one, which then cannot be called without one of its commands.
  Command add_command(const std::string& name, const std::string& help);
  // Adds one that help does not list and that is no guess at what was meant.
  Command add_hidden_command(const std::string& name, const std::string& help);

  // Adds an option with a value. `names` are separated by commas: "-o,--output" is an option, "GRAPH" stands at its
  // place without a name, "OUT,-o,--output" is either. `type` stands for the value in the help, as "FILE"; an empty one
  // is CLI11's. The variable's type (command_line.cpp lists those possible) says what is read; where the option is not
  // given, the variable stays as it is. It lives until the command has run.
  template <typename Value>
  Option add_option(const std::string& names, Value& value, const std::string& type, const std::string& help);
  // Calls `take` with the value as it was typed. Options are read in the order of their declaration.
  Option add_option(const std::string& names, const std::function<void(const std::string&)>& take,
                    const std::string& type, const std::string& help);
  // Adds an option whose value is a list in one argument, "a,b,c"; a vector's add_option() takes all arguments up to
  // the next option.
  Option add_list(const std::string& names, std::vector<std::string>& list, const std::string& type,
                  const std::string& help);
  Option add_list(const std::string& names, const std::function<void(const std::string&)>& take,
                  const std::string& type, const std::string& help);
  // Adds an option that may be given several times, one value each time.
  Option add_repeated(const std::string& names, std::vector<std::string>& values, const std::string& type,
                      const std::string& help);
  // Adds an option without a value, which sets `flag`, or calls `take`.
  Option add_flag(const std::string& names, bool& flag, const std::string& help);
  Option add_flag(const std::string& names, const std::function<void()>& take, const std::string& help);

  // Sets what CommandLine::parse() returns if this command was given.
  void runs(Action action);
  // Makes the arguments with which the command then calls `run`; options are declared for them.
  template <typename Arguments>
  auto runs(Exit (*run)(Arguments&, Session&)) {
    const auto arguments = std::make_shared<std::remove_const_t<Arguments>>();
    runs(Action([=](Session& session) { return run(*arguments, session); }));
    return arguments;
  }

 private:
  friend class CommandLine;
  Command(CLI::App& command, Action& chosen) : command_(&command), chosen_(&chosen) {}

  Option option(CLI::Option& made, const std::string& type = "") const;

  CLI::App* command_;
  Action* chosen_;
};

struct ProgramInfo {
  std::string name;
  std::string help;  // what the program is, in a line
  std::string version;
  std::string footer;  // the last line of its help
};

// Holds the commands of a program. --help, for each of them, and --version are there already.
class CommandLine {
 public:
  explicit CommandLine(const ProgramInfo& info);
  ~CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  // Returns the program itself, to which commands are added.
  Command program();

  // Is called once, with what main() got. For --help and --version the action prints them. The error is the user's
  // mistake, with a guess at what was meant.
  Result<Action> parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
  Action chosen_;
};

}  // namespace iosx::cli
