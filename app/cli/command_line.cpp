#include "app/cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <span>
#include <sstream>
#include <utility>

#include "app/cli/session.h"
#include "core/base/arguments.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

// Tells the parser's mistakes in our words; an unknown command is the one that it tells badly.
Error usage_error(const CLI::App& app, const CLI::ParseError& error, std::span<const char* const> arguments) {
  // "iosx COMMAND", as far as it was recognised, with a command's own commands.
  const CLI::App* command = &app;
  std::string name = app.get_name();
  std::size_t next = 1;
  while (!command->get_subcommands().empty()) {
    command = command->get_subcommands().front();
    name += " " + command->get_name();
    ++next;
  }
  std::vector<std::string> known;
  for (const CLI::App* own : command->get_subcommands(nullptr)) {
    if (!own->get_group().empty()) known.push_back(own->get_name());
  }
  const std::string first = next < arguments.size() ? arguments[next] : "";
  if (known.empty()) return Error{verbatim(error.what()), {}, message("{} --help lists the options", name)};
  if (first.empty()) return Error{message("a command is missing"), {}, message("{} --help lists the commands", name)};
  if (first[0] == '-')
    return Error{message("there is no such option"), "'" + first + "'", message("{} --help lists the options", name)};
  const std::string guess = nearest(first, known);
  return Error{message("there is no such command"), "'" + first + "'",
               guess.empty() ? message("{} --help lists the commands", name)
                             : message("did you mean {}? {} --help lists the commands", guess, name)};
}

std::string check_commas(const std::string& list) {
  const std::vector<std::string> words = list_words(list);
  if (words.size() == 1 || std::ranges::none_of(words, &std::string::empty)) return {};
  return "'" + list + "' has an empty item next to a comma: remove that comma";
}

}  // namespace

// CLI11's own delimiter leaves out empty words.
std::vector<std::string> list_words(const std::string& list) {
  std::vector<std::string> words;
  std::istringstream text(list + ',');
  for (std::string word; std::getline(text, word, ',');) words.push_back(word);
  return words;
}

Option Option::required() {
  option_->required();
  return *this;
}

Option Option::show_default() {
  option_->capture_default_str();
  return *this;
}

Option Option::show_default(const std::string& text) {
  option_->default_str(text);
  return *this;
}

Option Option::check(Check check) {
  if (!list_) {
    option_->check(std::move(check));
    return *this;
  }
  option_->check([check = std::move(check)](const std::string& list) {
    for (const std::string& word : list_words(list)) {
      if (std::string wrong = check(word); !wrong.empty()) return wrong;
    }
    return std::string();
  });
  return *this;
}

Option Option::excludes(const std::string& name) {
  option_->excludes(command_->get_option(name));
  return *this;
}

Option Option::needs(const std::string& name) {
  option_->needs(command_->get_option(name));
  return *this;
}

bool Option::given() const { return option_->count() > 0; }

Command Command::add_command(const std::string& name, const std::string& help) {
  command_->require_subcommand(1);
  return {*command_->add_subcommand(name, help), *chosen_};
}

Command Command::add_hidden_command(const std::string& name, const std::string& help) {
  Command command = add_command(name, help);
  command.command_->group("");
  return command;
}

Option Command::option(CLI::Option& made, const std::string& type) const {
  if (!type.empty()) made.type_name(type);
  return {*command_, made};
}

template <typename Value>
Option Command::add_option(const std::string& names, Value& value, const std::string& type, const std::string& help) {
  return option(*command_->add_option(names, value, help), type);
}

template Option Command::add_option(const std::string&, std::string&, const std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::vector<std::string>&, const std::string&,
                                    const std::string&);
template Option Command::add_option(const std::string&, int&, const std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::int64_t&, const std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::size_t&, const std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::int64_t>&, const std::string&,
                                    const std::string&);
template Option Command::add_option(const std::string&, std::optional<double>&, const std::string&, const std::string&);
template Option Command::add_option(const std::string&, std::optional<std::string>&, const std::string&,
                                    const std::string&);

Option Command::add_option(const std::string& names, const std::function<void(const std::string&)>& take,
                           const std::string& type, const std::string& help) {
  return option(*command_->add_option_function<std::string>(names, take, help), type);
}

Option Command::add_list(const std::string& names, std::vector<std::string>& list, const std::string& type,
                         const std::string& help) {
  return add_list(
      names, [&list](const std::string& text) { list = list_words(text); }, type, help);
}

Option Command::add_list(const std::string& names, const std::function<void(const std::string&)>& take,
                         const std::string& type, const std::string& help) {
  const auto take_all = [take](const CLI::results_t& given) {
    take(CLI::detail::join(given));
    return true;
  };
  CLI::Option& made = *command_->add_option(names, take_all, help, false);
  made.multi_option_policy(CLI::MultiOptionPolicy::TakeAll)->check(check_commas);
  Option handle = option(made, type);
  handle.list_ = true;
  return handle;
}

Option Command::add_repeated(const std::string& names, std::vector<std::string>& values, const std::string& type,
                             const std::string& help) {
  const auto take = [&values](const CLI::results_t& given) {
    values = given;
    return true;
  };
  CLI::Option& made = *command_->add_option(names, take, help, false);
  made.multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return option(made, type);
}

Option Command::add_flag(const std::string& names, bool& flag, const std::string& help) {
  return option(*command_->add_flag(names, flag, help));
}

Option Command::add_flag(const std::string& names, const std::function<void()>& take, const std::string& help) {
  return option(*command_->add_flag_callback(names, take, help));
}

void Command::runs(Action action) {
  command_->callback([chosen = chosen_, action = std::move(action)] { *chosen = action; });
}

CommandLine::CommandLine(const ProgramInfo& info) : app_(std::make_unique<CLI::App>(info.help, info.name)) {
  app_->set_version_flag("--version", info.name + " " + info.version);
  app_->footer(info.footer);
}

CommandLine::~CommandLine() = default;

Command CommandLine::program() { return {*app_, chosen_}; }

Result<Action> CommandLine::parse(int argc, const char* const* argv) {
  IOS_TRY(check_no_empty_values({argv, static_cast<std::size_t>(argc)}));
  try {
    app_->parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0)
      return tl::unexpected(usage_error(*app_, error, {argv, static_cast<std::size_t>(argc)}));
    std::ostringstream text;  // of --help, --version
    app_->exit(error, text);
    return [text = text.str()](Session& session) {
      session.print(text);
      return kSuccess;
    };
  }
  return chosen_;
}

}  // namespace iosx::cli
