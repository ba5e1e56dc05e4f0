#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/command_line.h"
#include "core/analysis/compare/comparison.h"
#include "core/devices/registry.h"
#include "core/documents/exports/exports.h"
#include "core/formats/document.h"

namespace iosx::cli {

// These are the options that several commands take. The add_* functions declare options with their checks: a value that
// does not fit is a usage error that says what would.

// Declares the options of `options` (core/analysis/compare/compare_options.h) that the command takes, with their checks
// and defaults as their rows say. settled() is what a command calls first.
void add_options(Command& command, CompareOptions& options, Uses uses);
// Declares those of a job that are a text, where --reference needs --verify. add_store(), add_replay() and
// add_schedules() declare the others.
void add_options(Command& command, JobOptions& job, Uses uses);
Option add_option(Command& command, const BoundOption& option);
Check check_of(const BoundOption& option);
// Returns what settle() says, as a wrong usage.
tl::expected<void, Failure> settled(CompareOptions& options, Uses replayed = 0);

// Says where measurements are kept.
struct StoreFlags {
  std::string file;  // empty: default_store_file()
  bool none = false;
};

// Says what a command runs on.
struct DeviceFlags {
  // NOLINTNEXTLINE(google-explicit-constructor): a device by its id is a device
  DeviceFlags(std::string device = {}) : id(std::move(device)) {}

  std::string id;                    // empty: choose_device() chooses
  std::vector<std::string> workers;  // commands that start workers of it, see worker_command()
  bool accurate = false;             // its form that computes by direct methods only
};

// Says how a network is opened: the sizes of what its file leaves open, and its units.
struct OpeningFlags {
  std::vector<std::string> shapes = {};
  std::vector<std::string> dims = {};
  bool finer_units = false;  // see finer_units()

  // Reads the sizes from texts that the options' checks let pass; the error is a contradiction among them.
  Result<InputSizes> sizes() const;
};

// The arguments of commands that measure networks.
struct MeasuringArguments {
  OpeningFlags opening;
  DeviceFlags device;
  CompareOptions compare{.batch = 0};
  JobOptions job;
  StoreFlags store;
  bool json = false;
};
// The arguments of commands that measure one network.
struct NetworkArguments : MeasuringArguments {
  std::string graph;
};

// add_graph() declares GRAPH with --shape, --dim and --finer-units; the others declare these alone.
void add_graph(Command& command, std::string& graph, OpeningFlags& flags);
void add_sizes(Command& command, OpeningFlags& flags);
void add_finer_units(Command& command, OpeningFlags& flags);
// Declares --store and --no-store for what keeps methods alone, see MethodKeeper.
void add_methods_store(Command& command, StoreFlags& flags);
void add_accurate(Command& command, DeviceFlags& flags);
// Declares --device and --workers.
void add_device(Command& command, DeviceFlags& flags);
// Declares --batch. The batch is 0 where it is not given: open_graph_argument() then fills in the network's own.
void add_batch(Command& command, CompareOptions& options);
void add_json(Command& command, bool& json);
// add_store() declares --store, --no-store and --remeasure, for commands that measure; add_store_file() declares
// --store alone, for those that work on a store.
void add_store(Command& command, StoreFlags& flags, JobOptions& job);
void add_store_file(Command& command, StoreFlags& flags);
// Declares --replay, after add_store().
Option add_replay(Command& command, JobOptions& job);
// Declares --schedules; schedule_kinds_of() reads it.
Option add_schedules(Command& command, JobOptions& job);
Result<std::vector<ScheduleKind>> schedule_kinds_of(const JobOptions& job);

// The value must be one of these words.
Check one_of(const std::vector<std::string>& words);
// The value must be a whole number between the two, both included.
Check whole_number(std::int64_t low, std::int64_t high, const std::string& what);

// The value must be a number between the two, both included.
Check number(Bounds<double> bounds, const std::string& what);

// Returns the formats of a schedule alone.
std::vector<const ExportFormat*> schedule_formats();

// Declares --format, one of these; without it the output's suffix decides (export_format_of()).
void add_format(Command& command, std::string& format, std::span<const ExportFormat* const> formats);

}  // namespace iosx::cli
