#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/engines/engine.h"
#include "core/formats/document.h"
#include "core/formats/external/external_run.h"

// The experiments of the IOS paper (MLSys 2021), on any network and device.
namespace iosx {

enum class ExperimentKind {
  kSchedules,
  kPruning,
  kBatches,
  kDevices,
  kThroughput,
  kUtilization,
  kSearch,
  kMemory,
  kFrameworks
};

struct ExperimentRow {
  ExperimentKind kind;
  std::string_view id;       // in commands and documents: "pruning"
  std::string_view title;    // for people: "Pruning"
  std::string_view summary;  // what it finds out, in a line
};
std::span<const ExperimentRow> experiment_table();  // in the order to show them
const ExperimentRow& row_of(ExperimentKind kind);

// Names what is varied from trial to trial.
struct Factor {
  std::string id;     // in documents: "run_at_batch"
  std::string title;  // for people: "run at batch"
  bool number = false;
  friend bool operator==(const Factor&, const Factor&) = default;
};

// Names what a trial finds out.
struct Measure {
  std::string id;     // in documents, its unit at the end: "latency_ms"
  std::string title;  // for people: "latency"
  std::string unit;   // "ms"; empty: a plain number
  int decimals = 3;
  bool noise = false;  // of latencies that were measured; says nothing of simulated ones
  friend bool operator==(const Measure&, const Measure&) = default;
};

struct TrialPoint {
  double x = 0;
  double y = 0;
  friend bool operator==(const TrialPoint&, const TrialPoint&) = default;
};

struct Trial {
  std::vector<std::string> levels;            // one a factor
  std::vector<std::optional<double>> values;  // one a measure; none: not known, or without meaning here
  Origin origin = Origin::kSimulated;
  std::optional<ScheduleKind> schedule_kind =
      {};                     // of the schedule that ran, where the experiment compares schedule kinds
  bool best = false;          // nothing that it stands beside is better by more than the noise
  bool within_noise = false;  // no better or worse than what it is compared with, for all that the runs tell
  // Search cost: the structures asked for so far, and the cost in ms of the best schedule then.
  std::vector<TrialPoint> course = {};
  friend bool operator==(const Trial&, const Trial&) = default;
};

// Says of an engine that was to be timed how it ran, or why it did not.
struct EngineTrial {
  EngineInfo info = {};
  std::string settings = {};                   // in a line: what its adapter set
  Seconds prepared_in{0};                      // with conversion and compilation
  Message problem = {};                        // why there is no time of it; empty: there is one
  std::vector<EngineOperator> operators = {};  // as its own profile says; empty: it has none
};

// Holds what an experiment found, as trials: one a line of its table, or one a cell of its matrix.
struct ExperimentResult {
  ExperimentKind kind = ExperimentKind::kSchedules;
  std::string network = {};
  std::vector<DeviceInfo> devices = {};    // those that it ran on
  std::optional<std::int64_t> batch = {};  // none where that is varied
  std::vector<Factor> factors = {};
  std::vector<Measure> measures = {};
  std::vector<Trial> trials = {};
  std::optional<SearchMethod> method = {};  // pruning: exhaustive or lazy, the same for all searches
  bool complete = true;                     // false: stopped; trials are missing, or were run once only
  std::vector<Message> notices = {};        // see Comparison
  std::vector<EngineTrial> engines = {};    // of frameworks, with one network alone
  // Schedules, utilization and frameworks: what was compared of ours, with its traces. Else null.
  std::shared_ptr<const Comparison> comparison = nullptr;

  // With two factors, of which the first one's levels are rows and the second one's columns.
  bool matrix() const;
  // The levels of a factor, in the order in which they come first.
  std::vector<std::string> levels(std::size_t factor) const;
  std::optional<std::size_t> measure(std::string_view id) const;                       // index into measures
  std::optional<double> value(const Trial& trial, std::string_view measure_id) const;  // none also without the measure
  const Trial* find(std::string_view first_level, std::string_view second_level) const;  // may be null
  bool measured() const;                                                                 // on one device at least
};

// A device, and where its measurements are kept.
struct ExperimentDevice {
  Device* device = nullptr;
  Keeping keeping = {};
};

// Says which engines a network is compared with, and how they get it.
struct RivalOptions {
  EngineSettings engines = {};
  // The network's own ONNX file, which engines get as it is; empty: they get one that is written.
  std::filesystem::path model = {};
  // Its inputs and outputs with the experiment's batch.
  FileInterface file = {};
  bool profile = false;  // also ask each how long its operators take
};

// Returns them for a document that was opened by `source`, a name or a path: where an engine can run that file with
// this batch as it is, it gets it.
RivalOptions rivals_of(const Document& document, const std::string& source, std::int64_t batch);

// Says what an experiment does not vary, and which values it goes through of what it varies.
struct ExperimentOptions {
  std::int64_t batch = 1;               // without meaning where batches are varied
  std::vector<std::int64_t> batches;    // of batches (two at least) and throughput
  std::vector<std::size_t> r{1, 2, 3};  // of pruning; 0 = unlimited, as in Pruning
  std::vector<std::size_t> s{3, 8};
  std::uint64_t seeds = 3;  // of a search-cost experiment: lazy searches with the seeds 1 to that
  SearchOptions search;
  std::size_t max_part_size = kDefaultMaxPartSize;
  TimingOptions timing;
  RivalOptions rivals = {};  // of frameworks
};
template <>
inline constexpr auto kOptionTable<ExperimentOptions> =
    std::tuple{option(&ExperimentOptions::seeds,
                      {.id = "seeds",
                       .title = Sentence{"Searches"},
                       .help = Sentence{"Number of lazy searches, each with a seed of its own, of the experiment on "
                                        "search cost"},
                       .bounds = {1, 100},
                       .uses = use::kExperiment | use::kSearchExperiment})};

// The paper's: 1, 32 and 128 images where schedules are specialised, 1 to 128 for throughput; else none.
std::vector<std::int64_t> usual_batches(ExperimentKind kind);

// The user's mistakes in what is asked for: batch sizes, devices (by id), limits.
Result<void> check_experiment(ExperimentKind kind, std::span<const std::string> devices,
                              const ExperimentOptions& options);

// Runs it. The schedules that one experiment compares run interleaved wherever they run on one device with one batch.
// Only "devices" takes more than one device, and needs two.
//
// A stop keeps what was finished and marks it incomplete. Errors: check_experiment()'s, compare()'s, that a stop came
// before anything was finished, and "abandoned": by
// `abandon`, as in CompareContext.
Result<ExperimentResult> run_experiment(ExperimentKind kind, const Graph& graph,
                                        std::span<const ExperimentDevice> devices, const ExperimentOptions& options,
                                        const JobContext& job, const std::stop_token& abandon = {});

// Returns what engines took, as others' records: each with its operators, where it told them, one after the other and
// matched to the graph's.
std::vector<ExternalRun> engine_records(const ExperimentResult& frameworks, const Graph& graph);

// Puts results of frameworks side by side, one network each: a matrix of engines and networks.
ExperimentResult side_by_side(std::vector<ExperimentResult> results);

// Says by how much an engine's latency is above that of our fastest schedule, over the networks that it ran.
struct EngineMean {
  std::string engine;
  std::size_t networks = 0;
  double ratio = 1;  // geometric mean; above 1 it takes longer than ours
};
std::vector<EngineMean> engine_means(const ExperimentResult& frameworks);

}  // namespace iosx
