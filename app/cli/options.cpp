#include "app/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "core/analysis/compare/planned_memory.h"
#include "core/workers/worker_device.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

void add_store_file(Command& command, StoreFlags& flags, const std::string& more_help) {
  command
      .add_option("--store", flags.file,
                  "The file of measurements; without it measurements.db in the folder ios-explorer of your data folder "
                  "($XDG_DATA_HOME or ~/.local/share)" +
                      more_help)
      .type_name("FILE");
}

// Reads a text that number() lets pass.
double number_of(const std::string& text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Returns which of these words a text is; one_of() lets only those pass.
template <typename Choice, std::size_t count>
Choice choice_of(const std::array<std::string_view, count>& words, std::string_view text) {
  return static_cast<Choice>(std::ranges::find(words, text) - words.begin());
}

template <std::size_t count>
std::vector<std::string> texts(const std::array<std::string_view, count>& words) {
  return {words.begin(), words.end()};
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
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    // CLI11 takes a leading zero for an octal number.
    const bool octal = given.size() > 1 && given.front() == '0';
    const bool number = error == std::errc() && end == given.data() + given.size() && !octal;
    if (number && value >= low && value <= high) return {};
    return fmt::format("'{}' is not {}: give a whole number from {} to {}", given, what, low, high);
  };
}

Check whole_number(Bounds<std::int64_t> bounds, const std::string& what) {
  return whole_number(bounds.least, bounds.most, what);
}

Check number(Bounds<double> bounds, const std::string& what) {
  return [low = bounds.least, high = bounds.most, what](const std::string& given) -> std::string {
    double value = 0;
    const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
    if (error == std::errc() && end == given.data() + given.size() && value >= low && value <= high) return {};
    return fmt::format("'{}' is not {}: give a number from {:g} to {:g}", given, what, low, high);
  };
}

SearchOptions SearchFlags::search_options() const {
  SearchOptions options;
  options.rule = choice_of<EndingRule>(kEndingRuleWords, rule);
  options.pruning = Pruning{.r = r, .s = s};
  options.strategies = parse_strategies(strategy).value();  // add_strategy() lets only those pass
  options.method = choice_of<SearchMethod>(kSearchMethodWords, method);
  if (!epsilon.empty()) options.effort.epsilon = number_of(epsilon);
  if (!budget.empty()) options.effort.budget = Seconds(number_of(budget));
  options.effort.longer = longer;
  options.effort.seed = seed;
  choose_method(options);
  return options;
}

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
      .add_option("GRAPH", graph,
                  "A built-in network (see iosx networks) or a graph file; several with a plus between run together")
      .required()
      .type_name("NAME|FILE");
  add_sizes(command, flags);
  add_finer_units(command, flags);
}

void add_finer_units(Command& command, OpeningFlags& flags) {
  command.add_flag("--finer-units", flags.finer_units,
                   "Part units that hold several independent first operators, such as the sums that a concatenation "
                   "joins, so that these can be scheduled one by one");
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
      .add_repeated("--shape", flags.shapes,
                    "The whole shape of an input that an ONNX model leaves open, batch included; once for each input")
      .check(check(add_shape))
      .type_name("INPUT=1x3x640x640");
  command
      .add_repeated("--dim", flags.dims,
                    "The size of a dimension that an ONNX model leaves open, by its name in iosx inspect; once for "
                    "each. What neither gives has a size that is usual for it")
      .check(check(add_dim))
      .type_name("NAME=640");
}

void add_device(Command& command, DeviceFlags& flags) {
  command
      .add_option("--device", flags.id,
                  "The device to run on (see iosx devices); without it a GPU if one is there, else "
                  "the simulated V100, or the CPU where outputs are wanted")
      .type_name("ID");
  command
      .add_repeated("--workers", flags.workers,
                    "Measure by workers that this command starts, such as \"ssh HOST iosx worker --device gpu\" or "
                    "\"4 x srun -n1 iosx worker --device gpu\"; once for each command")
      .check([](const std::string& text) {
        const auto command = worker_command(text);
        return command ? std::string() : command.error().text();
      })
      .type_name("COMMAND");
}

void add_accurate(Command& command, bool& accurate) {
  command.add_flag("--accurate", accurate,
                   "Compute by direct methods only, which round a little less than the fastest ones: the device "
                   "cpu-accurate, which has measurements of its own");
}

void add_batch(Command& command, std::int64_t& batch) {
  command.add_option("--batch", batch, "Batch size; without it the network's own where its file has one, else 1")
      .check(whole_number(kBatchBounds, "a batch size"))
      .type_name("N");
}

void add_json(Command& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON document on standard output and nothing else there");
}

void add_timing(Command& command, TimingOptions& timing) {
  command
      .add_option(
          "--repeat", [&timing](int repeats) { repeat_times(timing, repeats); },
          "Time every stage N times, and every schedule N times in each of its rounds, not as often as it takes to "
          "know the median well; what is simulated runs once")
      .check(whole_number(kRepeatBounds, "a number of repetitions"))
      .type_name("N");
  command.add_option("--warmup", timing.warmup, "Runs before those that are timed")
      .check(whole_number(kWarmupBounds, "a number of runs"))
      .type_name("N")
      .show_default();
  command
      .add_option(
          "--min-time",  // parsed after --repeat, whatever comes first on the command line
          [&timing](int milliseconds) { time_at_least(timing, Millis(milliseconds)); },
          fmt::format("Time everything for at least so many milliseconds (without it {})", timing.min_time.count()))
      .check(whole_number(0, static_cast<std::int64_t>(kMinTimeBounds.most), "a time in milliseconds"))
      .type_name("MS");
}

void add_verify(Command& command, VerifyFlags& flags) {
  command.add_flag("--verify", flags.verify,
                   "Also compare the outputs with those of the sequential schedule on the CPU in float32, or on the "
                   "device itself where that is missing; exit code 1 if they differ");
  command.add_option("--reference", flags.reference, "The device whose outputs --verify takes as right")
      .type_name("ID")
      .needs("--verify");
}

void add_store_file(Command& command, StoreFlags& flags) { add_store_file(command, flags, ""); }

void add_store(Command& command, StoreFlags& flags) {
  add_store_file(command, flags, ". What is simulated is kept only with --store");
  command.add_flag("--no-store", flags.none, "Measure everything anew and keep nothing").excludes("--store");
  command
      .add_flag("--remeasure", flags.anew,
                "Measure everything anew and keep it in place of what was kept, as after measuring on a busy machine")
      .excludes("--no-store");
}

void add_methods_store(Command& command, StoreFlags& flags) {
  add_store_file(command, flags,
                 ". It also keeps by which methods the CPU device computes, so that a second run gives the same");
  command.add_flag("--no-store", flags.none, "Keep nothing: methods are those of a fixed rule").excludes("--store");
}

Option add_replay(Command& command, StoreFlags& flags) {
  return command
      .add_flag(
          "--replay", flags.replay,
          "Ask the store alone, not the device: search anew among what was measured there earlier, on any computer. "
          "--device then names what it is called in iosx store list, or its fingerprint")
      .excludes("--no-store")
      .excludes("--remeasure")
      .excludes("--repeat")  // nothing runs
      .excludes("--warmup")
      .excludes("--min-time")
      .excludes("--workers");
}

void add_warm_start(Command& command, std::string& file) {
  command
      .add_option(
          "--warm-start", file,
          "A schedule made by hand: the search may take its stages, whatever -r, -s and their form say, and finds "
          "nothing worse")
      .type_name("FILE");
}

void add_memory_limit(Command& command, std::string& megabytes) {
  command
      .add_option("--memory-limit", megabytes,
                  "Find lanes that keep to so many MB (10^6 bytes) of planned memory for tensors, weights left out; a "
                  "schedule that takes more is marked and never the best")
      .check(number(kMemoryLimitBounds, "a number of MB"))
      .type_name("MB");
}

std::int64_t bytes_of(const std::string& megabytes) {
  return megabytes.empty() ? 0 : std::llround(number_of(megabytes) * kMegabyte);
}

Option add_schedules(Command& command, std::vector<std::string>& schedules) {
  std::vector<std::string> words;
  for (const ScheduleKindRow& row : schedule_table()) {
    if (row.schedule_kind != ScheduleKind::kByHand) words.emplace_back(row.id);
  }
  return command.add_list("--schedules", schedules, "Which schedules, separated by commas; file: the one in GRAPH")
      .check(one_of(words))
      .type_name("NAME,…");
}

void add_max_part_size(Command& command, std::size_t& size) {
  command.add_option("--max-part-size", size, "Cut the graph into parts of at most this many units")
      .check(whole_number(kPartSizeBounds, "a part size"))
      .type_name("N")
      .show_default();
}

void add_pruning(Command& command, SearchFlags& flags) {
  command.add_option("-r", flags.r, "At most r units in a group; 0 = unlimited")
      .check(whole_number(kPruningBounds, "a pruning limit (0 = unlimited)"))
      .type_name("N")
      .show_default();
  command.add_option("-s", flags.s, "At most s groups in a stage; 0 = unlimited")
      .check(whole_number(kPruningBounds, "a pruning limit (0 = unlimited)"))
      .type_name("N")
      .show_default();
}

void add_ending_rule(Command& command, SearchFlags& flags) {
  command.add_option("--ending-rule", flags.rule, "Which endings are tried: all, or those whose groups have one root")
      .check(one_of(texts(kEndingRuleWords)))
      .type_name(fmt::format("{}", fmt::join(kEndingRuleWords, "|")))
      .show_default();
}

void add_space(Command& command, SearchFlags& flags) {
  add_pruning(command, flags);
  add_ending_rule(command, flags);
  add_max_part_size(command, flags.max_part_size);
}

std::string SearchFlags::contradiction() const {
  if (!search_options().contradictory()) return {};
  return "--epsilon, --budget and --longer are for a lazy search, not for --search exhaustive";
}

Option add_strategy(Command& command, SearchFlags& flags) {
  std::vector<std::string> words;
  words.reserve(kStrategySets.size());
  for (const StrategySet strategies : kStrategySets) words.emplace_back(row_of(strategies).strategy_word);
  return command.add_option("--strategy", flags.strategy, "What a stage may be: concurrent groups, merged, or both")
      .check(one_of(words))
      .type_name(fmt::format("{}", fmt::join(words, "|")))
      .show_default();
}

void add_effort(Command& command, SearchFlags& flags) {
  command
      .add_option(
          "--search", flags.method,
          "exhaustive: every stage is asked for; lazy: only those that matter, with what may be missed; automatic: "
          "lazy where more than 100 are measured, or more than 50,000 simulated")
      .check(one_of(texts(kSearchMethodWords)))
      .type_name(fmt::format("{}", fmt::join(kSearchMethodWords, "|")))
      .show_default();
  command
      .add_option(
          "--epsilon", flags.epsilon,
          "Search lazily until the optimum is certified to be within this part of what was found: 0.05, or 0 for "
          "the optimum itself")
      .check(number(kEpsilonBounds, "a part"))
      .type_name("E");
  command
      .add_option("--budget", flags.budget,
                  "Search lazily, and end each search after so many seconds with the best so far. Every unit is "
                  "measured once however long that takes, and what was found is then measured with care; runs end to "
                  "end take their time besides")
      .check(number(kBudgetBounds, "a number of seconds"))
      .type_name("SECONDS");
  command.add_flag("--longer", flags.longer,
                   "Search lazily, with more doubt in predictions and more attempts, then with larger -r and -s");
  command.add_option("--seed", flags.seed, "Of a lazy search's random attempts")
      .check(whole_number(kSeedBounds, "a seed"))
      .type_name("N")
      .show_default();
}

}  // namespace iosx::cli
