#include "app/cli/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "core/graph/partition.h"
#include "models/open_graph.h"

namespace iosx::cli {
namespace {

constexpr std::int64_t kMaxPruning = 1'000'000;
constexpr std::int64_t kMaxRepeats = 100'000;
constexpr std::int64_t kMaxWarmup = 10'000;
constexpr std::int64_t kMaxMinTime = 60'000;  // ms

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& words) {
  return CLI::Validator(
      [words](std::string& given) -> std::string {
        if (std::find(words.begin(), words.end(), given) != words.end()) return {};
        const std::string guess = nearest(given, words);
        return fmt::format("'{}' is not one of {}{}", given, fmt::join(words, ", "),
                           guess.empty() ? "" : "; did you mean " + guess + "?");
      },
      "");
}

CLI::Validator whole_number(std::int64_t low, std::int64_t high, const std::string& what) {
  return CLI::Validator(
      [=](std::string& given) -> std::string {
        std::int64_t value = 0;
        const auto [end, error] = std::from_chars(given.data(), given.data() + given.size(), value);
        const bool number = error == std::errc() && end == given.data() + given.size();
        if (number && value >= low && value <= high) return {};
        return fmt::format("'{}' is not {}: give a whole number from {} to {}", given, what, low, high);
      },
      "");
}

SearchOptions SearchFlags::search_options() const {
  SearchOptions options;
  options.rule = rule == "connected" ? EndingRule::kConnected : EndingRule::kSingleRoot;
  options.pruning = Pruning{.r = r, .s = s};
  options.strategies = strategy == "both"       ? StrategySet::kBoth
                       : strategy == "parallel" ? StrategySet::kParallel
                                                : StrategySet::kMerge;
  return options;
}

void add_graph(CLI::App& command, std::string& graph) {
  command.add_option("GRAPH", graph, "A built-in network (see iosx networks) or a graph file")
      ->required()
      ->type_name("NAME|FILE");
}

void add_device(CLI::App& command, std::string& device) {
  command.add_option("--device", device, "The device to run on (see iosx devices); without it the first that is there")
      ->type_name("ID");
}

void add_batch(CLI::App& command, std::int64_t& batch) {
  command.add_option("--batch", batch, "Batch size")
      ->check(whole_number(1, kMaxBatch, "a batch size"))
      ->type_name("N")
      ->capture_default_str();
}

void add_json(CLI::App& command, bool& json) {
  command.add_flag("--json", json, "Print one JSON document on standard output and nothing else there");
}

void add_timing(CLI::App& command, TimingOptions& timing) {
  command
      .add_option_function<int>(
          "--repeat", [&timing](int repeats) { timing.repeats = timing.max_repeats = repeats; },
          "Time every stage N times, and every schedule N times in each of its rounds, not as often as it takes to "
          "know the median well; what is simulated runs once")
      ->check(whole_number(1, kMaxRepeats, "a number of repetitions"))
      ->type_name("N");
  command.add_option("--warmup", timing.warmup, "Runs before those that are timed")
      ->check(whole_number(0, kMaxWarmup, "a number of runs"))
      ->type_name("N")
      ->capture_default_str();
  command
      .add_option_function<int>(
          "--min-time",  // parsed after --repeat, whatever comes first on the command line
          [&timing](int milliseconds) {
            timing.min_time = Millis{static_cast<double>(milliseconds)};
            if (milliseconds > 0) timing.max_repeats = static_cast<int>(kMaxRepeats);  // so that short runs fill it
          },
          fmt::format("Time everything for at least so many milliseconds (without it {})", timing.min_time.count()))
      ->check(whole_number(0, kMaxMinTime, "a time in milliseconds"))
      ->type_name("MS");
}

void add_verify(CLI::App& command, VerifyFlags& flags) {
  CLI::Option* const verify = command.add_flag(
      "--verify", flags.verify,
      "Also compare the outputs with those of the sequential schedule on the CPU in float32, or on the device itself "
      "where that is missing; exit code 1 if they differ");
  command.add_option("--reference", flags.reference, "The device whose outputs --verify takes as right")
      ->type_name("ID")
      ->needs(verify);
}

CLI::Option* add_schedules(CLI::App& command, std::vector<std::string>& schedules) {
  const auto names = schedule_names();
  std::vector<std::string> words(names.begin(), names.end());
  words.emplace_back("file");
  return command.add_option("--schedules", schedules, "Which schedules, separated by commas; file: the one in GRAPH")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of(words))
      ->type_name("NAME,…");
}

void add_max_part_size(CLI::App& command, std::size_t& size) {
  command.add_option("--max-part-size", size, "Cut the graph into parts of at most this many units")
      ->check(whole_number(1, static_cast<std::int64_t>(kMaxPartUnits), "a part size"))
      ->type_name("N")
      ->capture_default_str();
}

void add_space(CLI::App& command, SearchFlags& flags) {
  command.add_option("-r", flags.r, "At most r units in a group; 0 = unlimited")
      ->check(whole_number(0, kMaxPruning, "a pruning limit (0 = unlimited)"))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("-s", flags.s, "At most s groups in a stage; 0 = unlimited")
      ->check(whole_number(0, kMaxPruning, "a pruning limit (0 = unlimited)"))
      ->type_name("N")
      ->capture_default_str();
  command.add_option("--ending-rule", flags.rule, "Which endings are tried: all, or those whose groups have one root")
      ->check(one_of({"connected", "single-root"}))
      ->type_name("connected|single-root")
      ->capture_default_str();
  add_max_part_size(command, flags.max_part_size);
}

CLI::Option* add_strategy(CLI::App& command, SearchFlags& flags) {
  return command.add_option("--strategy", flags.strategy, "What a stage may be: concurrent groups, merged, or both")
      ->check(one_of({"both", "parallel", "merge"}))
      ->type_name("both|parallel|merge")
      ->capture_default_str();
}

}  // namespace iosx::cli
