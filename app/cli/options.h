#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command_line.h"
#include "core/analysis/compare/comparison.h"
#include "core/devices/registry.h"
#include "core/formats/document.h"
#include "core/workbench/user_options.h"

namespace iosx::cli {

// These are the options that several commands take. The add_* functions declare options with their checks: a value that
// does not fit is a usage error that says what would.
struct SearchFlags {
  std::size_t r = 3;
  std::size_t s = 8;
  std::string rule{word_of(EndingRule::kConnected)};
  std::string strategy{row_of(StrategySet::kBoth).strategy_word};
  std::size_t max_part_size = kDefaultMaxPartSize;
  std::string method{word_of(SearchMethod::kAutomatic)};
  std::string epsilon;  // empty: none
  std::string budget;   // seconds; empty: no limit
  bool longer = false;
  std::uint64_t seed = 1;

  SearchOptions search_options() const;
  std::string contradiction() const;  // of options that do not go together; empty: there is none
};

struct VerifyFlags {
  bool verify = false;
  std::string reference;  // a device; empty: open_reference() chooses
};

// Says where measurements are kept.
struct StoreFlags {
  std::string file;  // empty: default_store_file()
  bool none = false;
  bool anew = false;    // measure all the same, and keep that
  bool replay = false;  // ask nothing but the store
};

// Says what a command runs on.
struct DeviceFlags {
  // NOLINTNEXTLINE(google-explicit-constructor): a device by its id is a device
  DeviceFlags(std::string device = {}) : id(std::move(device)) {}

  std::string id;                    // empty: choose_device() chooses
  std::vector<std::string> workers;  // commands that start workers of it, see worker_command()
};

// Says how a network is opened: the sizes of what its file leaves open, and its units.
struct OpeningFlags {
  std::vector<std::string> shapes = {};
  std::vector<std::string> dims = {};
  bool finer_units = false;  // see finer_units()

  // Reads the sizes from texts that the options' checks let pass; the error is a contradiction among them.
  Result<InputSizes> sizes() const;
};

// add_graph() declares GRAPH with --shape, --dim and --finer-units; the others declare these alone.
void add_graph(Command& command, std::string& graph, OpeningFlags& flags);
void add_sizes(Command& command, OpeningFlags& flags);
void add_finer_units(Command& command, OpeningFlags& flags);
// Declares --store and --no-store for what keeps methods alone, see MethodKeeper.
void add_methods_store(Command& command, StoreFlags& flags);
void add_accurate(Command& command, bool& accurate);  // for accurate_device()
// Declares --device and --workers.
void add_device(Command& command, DeviceFlags& flags);
// The batch is 0 where it is not given: open_graph_argument() then fills in the network's own.
void add_batch(Command& command, std::int64_t& batch);
void add_json(Command& command, bool& json);
// Declares --repeat, --warmup and --min-time, for devices that measure.
void add_timing(Command& command, TimingOptions& timing);
// Declares --verify and --reference.
void add_verify(Command& command, VerifyFlags& flags);
// add_store() declares --store and --no-store, for commands that measure; add_store_file() declares --store alone, for
// those that work on a store.
void add_store(Command& command, StoreFlags& flags);
void add_store_file(Command& command, StoreFlags& flags);
// Declares --replay, after add_store() and add_timing(), whose options it excludes: nothing runs.
Option add_replay(Command& command, StoreFlags& flags);
Option add_schedules(Command& command, std::vector<std::string>& schedules);
void add_max_part_size(Command& command, std::size_t& size);

// Declares -r and -s.
void add_pruning(Command& command, SearchFlags& flags);
void add_ending_rule(Command& command, SearchFlags& flags);
// add_space() declares all of these and --max-part-size, add_strategy() declares --strategy.
void add_space(Command& command, SearchFlags& flags);
Option add_strategy(Command& command, SearchFlags& flags);
// Declares --search, --epsilon, --budget, --longer and --seed.
void add_effort(Command& command, SearchFlags& flags);

// Declares --memory-limit, in MB; bytes_of() makes bytes of what was given, 0 of nothing.
void add_memory_limit(Command& command, std::string& megabytes);
std::int64_t bytes_of(const std::string& megabytes);

// Declares --warm-start, a schedule whose stages the widest search may choose.
void add_warm_start(Command& command, std::string& file);

// The value must be one of these words.
Check one_of(const std::vector<std::string>& words);
// The value must be a whole number between the two, both included.
Check whole_number(std::int64_t low, std::int64_t high, const std::string& what);
Check whole_number(Bounds<std::int64_t> bounds, const std::string& what);

// The value must be a number between the two, both included.
Check number(Bounds<double> bounds, const std::string& what);

}  // namespace iosx::cli
