#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/engines/engine.h"
#include "core/formats/document.h"
#include "core/formats/external/external_run.h"

// The experiments of the IOS paper (MLSys 2021), for any network and device.
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
  std::string_view title;    // for display: "Pruning"
  std::string_view summary;  // its question, in a line
};
std::span<const ExperimentRow> experiment_table();  // in display order
const ExperimentRow& row_of(ExperimentKind kind);

// What varies from trial to trial.
struct Factor {
  std::string id;     // in documents: "run_at_batch"
  std::string title;  // for display: "run at batch"
  bool number = false;
  friend bool operator==(const Factor&, const Factor&) = default;
};

// A result of a trial.
struct Measure {
  std::string id;     // in documents, with its unit at the end: "latency_ms"
  std::string title;  // for display: "latency"
  std::string unit;   // "ms"; empty: a plain number
  int decimals = 3;
  bool noise = false;  // for measured latencies; ignored for simulated ones
  friend bool operator==(const Measure&, const Measure&) = default;
};

struct TrialPoint {
  double x = 0;
  double y = 0;
  friend bool operator==(const TrialPoint&, const TrialPoint&) = default;
};

struct Trial {
  std::vector<std::string> levels;            // one per factor
  std::vector<std::optional<double>> values;  // one per measure; none: unknown or meaningless here
  Origin origin = Origin::kSimulated;
  std::optional<ScheduleKind> schedule_kind =
      {};                     // of the schedule that ran, where the experiment compares schedule kinds
  bool best = false;          // no compared trial is better by more than the noise
  bool within_noise = false;  // equal to its reference within the noise
  // Search cost: the structures requested so far, and the cost in ms of the best schedule at that point.
  std::vector<TrialPoint> course = {};
  friend bool operator==(const Trial&, const Trial&) = default;
};

// How an engine ran, or why it did not.
struct EngineTrial {
  EngineInfo info = {};
  std::string settings = {};                   // one line: what its adapter set
  Seconds prepared_in{0};                      // includes conversion and compilation
  Message problem = {};                        // why it has no time; empty: it has one
  std::vector<EngineOperator> operators = {};  // from its own profile; empty: none
};

// The results of an experiment, as trials: one per line of its table, or per cell of its matrix.
struct ExperimentResult {
  ExperimentKind kind = ExperimentKind::kSchedules;
  std::string network = {};
  std::vector<DeviceInfo> devices = {};    // those it ran on
  std::optional<std::int64_t> batch = {};  // none where it varies
  std::vector<Factor> factors = {};
  std::vector<Measure> measures = {};
  std::vector<Trial> trials = {};
  std::optional<SearchMethod> method = {};  // pruning: exhaustive or lazy, the same for all searches
  bool complete = true;                     // false: stopped; trials are missing, or ran only once
  std::vector<Message> notices = {};        // see Comparison
  std::vector<EngineTrial> engines = {};    // for frameworks, with a single network
  // Schedules, utilization and frameworks: our compared schedules, with traces. Otherwise null.
  std::shared_ptr<const Comparison> comparison = nullptr;

  // With two factors: levels of the first are rows, of the second columns.
  bool matrix() const;
  // Returns the levels of a factor, in the order of their first trials.
  std::vector<std::string> levels(std::size_t factor) const;
  std::optional<std::size_t> measure(std::string_view id) const;                       // index into measures
  std::optional<double> value(const Trial& trial, std::string_view measure_id) const;  // none also without the measure
  const Trial* find(std::string_view first_level, std::string_view second_level) const;  // may be null
  bool measured() const;                                                                 // at least on one device
};

// A device, and where its measurements are kept.
struct ExperimentDevice {
  Device* device = nullptr;
  Keeping keeping = {};
};

// Which engines a network is compared with, and in which form they get it.
struct RivalOptions {
  EngineSettings engines = {};
  // The network's own ONNX file, which engines get unchanged; empty: a file is written for them.
  std::filesystem::path model = {};
  // Its inputs and outputs with the experiment's batch.
  FileInterface file = {};
  bool profile = false;  // also ask each for the times of its operators
};

// Returns them for a document opened by `source`, a name or a path: an engine that can run that file with this
// batch gets it unchanged.
RivalOptions rivals_of(const Document& document, const std::string& source, std::int64_t batch);

// The fixed values of an experiment, and the values of what it varies.
struct ExperimentOptions {
  CompareOptions compare = {};  // of these only batch (where it does not vary), search, max_part_size and timing
  std::vector<std::int64_t> batches = {};  // of batches (at least two) and throughput
  std::vector<std::size_t> r{1, 2, 3};     // of pruning; 0: unlimited, as in Pruning
  std::vector<std::size_t> s{3, 8};
  std::uint64_t seeds = 3;   // of a search-cost experiment: lazy searches with the seeds 1 to this
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

// Returns the paper's: 1, 32 and 128 images for specialised schedules, 1 to 128 for throughput; otherwise none.
std::vector<std::int64_t> usual_batches(ExperimentKind kind);

// Checks the user's request: batch sizes, devices (by id), limits.
Result<void> check_experiment(ExperimentKind kind, std::span<const std::string> devices,
                              const ExperimentOptions& options);

// Runs the experiment. Compared schedules run interleaved wherever they run on one device with one batch. Only
// "devices" takes more than one device, and needs two.
//
// A stop keeps finished trials and marks the result incomplete. Errors: those of check_experiment() and compare(), a
// stop before any trial was finished, and "abandoned": by `abandon`, as in CompareContext.
Result<ExperimentResult> run_experiment(ExperimentKind kind, const Graph& graph,
                                        std::span<const ExperimentDevice> devices, const ExperimentOptions& options,
                                        const JobContext& job, const std::stop_token& abandon = {});

// Returns the engines' times as external runs: each with its operators, if known, one after the other and matched to
// the graph's.
std::vector<ExternalRun> engine_records(const ExperimentResult& frameworks, const Graph& graph);

// Joins results of frameworks, one network each, to a matrix of engines and networks.
ExperimentResult side_by_side(std::vector<ExperimentResult> results);

// How far an engine's latency is above that of our fastest schedule, over the networks that it ran.
struct EngineMean {
  std::string engine;
  std::size_t networks = 0;
  double ratio = 1;  // geometric mean; above 1 it takes longer than ours
};
std::vector<EngineMean> engine_means(const ExperimentResult& frameworks);

}  // namespace iosx
