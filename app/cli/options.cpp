#include "app/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <functional>

#include "core/base/text.h"
#include "core/workbench/workbench.h"
#include "core/workers/worker_device.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

void add_store_file(Command& command, StoreFlags& flags, const std::string& more_help) {
  command.add_option(
      "--store", flags.file, "FILE",
      "The file of measurements. Default: ios-explorer/measurements.db in your data folder ($XDG_DATA_HOME "
      "or ~/.local/share)" +
          more_help);
}

std::string help_of(const OptionInfo& info) {
  std::string text(info.help.pattern);
  if (!info.zero.pattern.empty()) text += fmt::format("; 0 = {}", info.zero.pattern);
  if (info.text == OptionKind::kSchedules) text += ", separated by commas; file: the schedule in GRAPH";
  return text;
}

std::string type_name_of(const BoundOption& option) {
  if (option.kind == OptionKind::kChoice) return fmt::format("{}", fmt::join(option.info->words, "|"));
  if (option.kind == OptionKind::kSchedule) return "FILE";
  if (option.kind == OptionKind::kSchedules) return "NAME,…";
  std::string name = option.info->unit.empty() ? "N" : std::string(option.info->unit);
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

}  // namespace

Check one_of(const std::vector<std::string>& words) {
  return [words](const std::string& given) -> std::string {
    if (std::find(words.begin(), words.end(), given) != words.end()) return {};
    const std::string guess = nearest(given, words);
    return fmt::format("'{}' is not one of {}{}", given, fmt::join(words, ", "),
                       guess.empty() ? "" : "; did you mean " + guess + "?");
  };
}

Check whole_number(std::int64_t low, std::int64_t high, const std::string& what) {
  return [=](const std::string& given) -> std::string {
    const auto value = read_number<std::int64_t>(given);
    // CLI11 takes a leading zero for an octal number.
    const bool octal = given.size() > 1 && given.front() == '0';
    if (value && !octal && *value >= low && *value <= high) return {};
    return fmt::format("'{}' is not {}: give a whole number from {} to {}", given, what, low, high);
  };
}

Check number(Bounds<double> bounds, const std::string& what) {
  return [low = bounds.least, high = bounds.most, what](const std::string& given) -> std::string {
    const auto value = read_number<double>(given);
    if (value && *value >= low && *value <= high) return {};
    return fmt::format("'{}' is not {}: give a number from {:g} to {:g}", given, what, low, high);
  };
}

Check check_of(const BoundOption& option) {
  if (option.kind == OptionKind::kChoice) return one_of({option.info->words.begin(), option.info->words.end()});
  if (option.kind == OptionKind::kSchedules) {
    std::vector<std::string> ids;
    for (const ScheduleKindRow& row : schedule_table()) {
      if (row.schedule_kind != ScheduleKind::kByHand) ids.emplace_back(row.id);
    }
    return one_of(ids);
  }
  return [option](const std::string& given) {
    const auto value = parse_option(option, given);
    return value ? std::string() : value.error().what.text();
  };
}

Option add_option(Command& command, const BoundOption& option) {
  const OptionInfo& info = *option.info;
  if (option.kind == OptionKind::kFlag) {
    return command.add_flag(
        info.flag(), [option] { option.set(true); }, help_of(info));
  }
  const std::function<void(const std::string&)> take = [option](const std::string& text) {
    option.set(*parse_option(option, text));
  };
  Option made = option.kind == OptionKind::kSchedules
                    ? command.add_list(info.flag(), take, type_name_of(option), help_of(info))
                    : command.add_option(info.flag(), take, type_name_of(option), help_of(info));
  made.check(check_of(option));
  const OptionValue value = option.get();
  const bool known = !std::holds_alternative<std::monostate>(value) && allowed(option, value);
  return known ? made.show_default(typed_text(value)) : made;
}

void add_options(Command& command, CompareOptions& options, Uses uses) {
  for (const BoundOption& option : options_of(options, uses)) add_option(command, option);
}

void add_options(Command& command, JobOptions& job, Uses uses) {
  for (const BoundOption& option : bind_options(job, uses)) {
    if (option.kind != OptionKind::kText && option.kind != OptionKind::kSchedule) continue;
    Option made = add_option(command, option);
    if (option.info == &info_of(&JobOptions::reference)) made.needs(info_of(&CompareOptions::verify).flag());
  }
}

tl::expected<void, Failure> settled(CompareOptions& options, Uses replayed) { return usage(settle(options, replayed)); }

Result<InputSizes> OpeningFlags::sizes() const {
  InputSizes sizes;
  for (const auto& shape : shapes) {
    IOS_TRY(add_shape(sizes, shape));
  }
  for (const auto& dim : dims) {
    IOS_TRY(add_dim(sizes, dim));
  }
  return sizes;
}

void add_graph(Command& command, std::string& graph, OpeningFlags& flags) {
  command
      .add_option("GRAPH", graph, "NAME|FILE",
                  "A built-in network (see iosx networks) or a graph file. Several names joined with + run together")
      .required();
  add_sizes(command, flags);
  add_finer_units(command, flags);
}

void add_finer_units(Command& command, OpeningFlags& flags) {
  command.add_flag("--finer-units", flags.finer_units,
                   "Split units with several independent first operators, such as the sums that a concatenation joins. "
                   "Then a schedule can place these operators one by one");
}

void add_sizes(Command& command, OpeningFlags& flags) {
  const auto check = [](Result<void> (*add)(InputSizes&, const std::string&)) {
    return [add](const std::string& text) {
      InputSizes ignored;
      const auto added = add(ignored, text);
      return added ? std::string()
                   : Error{added.error().what, text, added.error().remedy}.text();  // the option leads it
    };
  };
  command
      .add_repeated("--shape", flags.shapes, "INPUT=1x3x640x640",
                    "Full shape, with the batch, of an input whose shape is open in an ONNX model. Repeat the option "
                    "for each input")
      .check(check(add_shape));
  command
      .add_repeated("--dim", flags.dims, "NAME=640",
                    "Size of an open dimension of an ONNX model, by its name in iosx inspect. Repeat the option for "
                    "each dimension. A dimension that neither --shape nor --dim sets gets a common size")
      .check(check(add_dim));
}

void add_device(Command& command, DeviceFlags& flags) {
  command.add_option(
      "--device", flags.id, "ID",
      "The device to run on (see iosx devices). Default: a GPU if the machine has one, else the simulated "
      "V100, or the CPU if the command needs outputs");
  command
      .add_repeated("--workers", flags.workers, "COMMAND",
                    "Measure with workers that this command starts, such as \"ssh HOST iosx worker --device gpu\" or "
                    "\"4 x srun -n1 iosx worker --device gpu\". Repeat the option for each command")
      .check([](const std::string& text) {
        const auto command = worker_command(text);
        return command ? std::string() : command.error().text();
      });
}

void add_accurate(Command& command, DeviceFlags& flags) {
  command.add_flag("--accurate", flags.accurate,
                   "Compute with direct methods only, which round slightly less than the fastest methods. This is the "
                   "device cpu-accurate, which has separate measurements");
}

void add_batch(Command& command, CompareOptions& options) {
  add_option(command, bind_option(options, info_of(&CompareOptions::batch)));
}

void add_json(Command& command, bool& json) {
  command.add_flag("--json", json, "Print only one JSON document on standard output");
}

void add_store_file(Command& command, StoreFlags& flags) { add_store_file(command, flags, ""); }

void add_store(Command& command, StoreFlags& flags, JobOptions& job) {
  add_store_file(command, flags, ". Simulated latencies are kept only with --store");
  command.add_flag("--no-store", flags.none, "Measure everything again, and keep no measurements").excludes("--store");
  add_option(command, bind_option(job, info_of(&JobOptions::anew))).excludes("--no-store");
}

void add_methods_store(Command& command, StoreFlags& flags) {
  add_store_file(command, flags,
                 ". It also keeps the methods that the CPU device uses, so that a second run gives the same outputs");
  command.add_flag("--no-store", flags.none, "Keep nothing: a fixed rule chooses the methods").excludes("--store");
}

Option add_replay(Command& command, JobOptions& job) {
  return add_option(command, bind_option(job, info_of(&JobOptions::replay)))
      .excludes("--no-store")
      .excludes(info_of(&JobOptions::anew).flag())
      .excludes("--workers");
}

Option add_schedules(Command& command, JobOptions& job) {
  return add_option(command, bind_option(job, info_of(&JobOptions::schedules)));
}

Result<std::vector<ScheduleKind>> schedule_kinds_of(const JobOptions& job) {
  std::vector<ScheduleKind> kinds;
  for (const std::string& id : list_words(job.schedules)) {
    IOS_TRY(kinds.emplace_back(), parse_schedule_kind(id));
  }
  return kinds;
}

}  // namespace iosx::cli
