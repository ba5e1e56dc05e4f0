#include "core/analysis/experiment/experiment.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/analysis/experiment/lab.h"
#include "core/base/check.h"

namespace iosx {
namespace {

constexpr std::array kTable{
    ExperimentRow{ExperimentKind::kSchedules, "schedules", said("Schedules"),
                  said("Latency of sequential, greedy, IOS and barrier-free schedules")},
    ExperimentRow{ExperimentKind::kPruning, "pruning", said("Pruning"),
                  said("Search effort that smaller r and s save, and latency they add")},
    ExperimentRow{ExperimentKind::kBatches, "batches", said("Batch sizes"),
                  said("A schedule found for one batch size, run with another")},
    ExperimentRow{ExperimentKind::kDevices, "devices", said("Devices"),
                  said("A schedule found on one device, run on another")},
    ExperimentRow{ExperimentKind::kThroughput, "throughput", said("Throughput"),
                  said("Samples per second by batch size")},
    ExperimentRow{ExperimentKind::kUtilization, "utilization", said("Utilization"),
                  said("Device utilization over time: sequential and IOS-Both")},
    ExperimentRow{ExperimentKind::kSearch, "search", said("Search cost"),
                  said("Lazy compared with exhaustive search: what it saves and loses")},
    ExperimentRow{ExperimentKind::kMemory, "memory", said("Memory"),
                  said("Latency over tensor memory: lanes under memory limits")},
    ExperimentRow{ExperimentKind::kFrameworks, "frameworks", said("Frameworks"),
                  said("Our schedules and other inference engines with the same network, weights, input and threads")},
};

bool varies_batches(ExperimentKind kind) { return !usual_batches(kind).empty(); }

Result<void> check_batches(ExperimentKind kind, const std::vector<std::int64_t>& batches) {
  const std::size_t fewest = kind == ExperimentKind::kBatches ? 2 : 1;
  if (batches.size() < fewest) {
    return fail(batches.empty() ? message("no batch size") : message("one batch size"), "batches",
                fewest == 1 ? message("give at least one") : message("give at least two"));
  }
  for (std::size_t i = 0; i < batches.size(); ++i) {
    if (auto valid = check_batch(batches[i]); !valid) return valid;
    if (std::count(batches.begin(), batches.end(), batches[i]) > 1) {
      return fail(message("{} is given twice", batches[i]), "batches", message("give each once"));
    }
  }
  return {};
}

Result<void> check_devices(ExperimentKind kind, std::span<const std::string> devices) {
  if (kind != ExperimentKind::kDevices) {
    IOS_CHECK(devices.size() == 1);
    return {};
  }
  if (devices.size() < 2) return fail(message("fewer than two devices"), "devices", message("give at least two"));
  for (std::size_t i = 0; i < devices.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (devices[i] == devices[j]) {
        return fail(message("'{}' is given twice", devices[i]), "devices", message("give each once"));
      }
    }
  }
  return {};
}

// In the order of ExperimentKind.
constexpr std::array<Result<void> (*)(Lab&), kTable.size()> kTries{try_schedules, try_pruning,    try_batches,
                                                                   try_devices,   try_throughput, try_utilization,
                                                                   try_search,    try_memory,     try_frameworks};

}  // namespace

std::span<const ExperimentRow> experiment_table() { return kTable; }

const ExperimentRow& row_of(ExperimentKind kind) {
  const auto row = std::ranges::find(kTable, kind, &ExperimentRow::kind);
  IOS_CHECK(row != kTable.end());
  return *row;
}

bool ExperimentResult::matrix() const {
  return kind == ExperimentKind::kBatches || kind == ExperimentKind::kDevices || kind == ExperimentKind::kThroughput ||
         (kind == ExperimentKind::kFrameworks && factors.size() == 2);
}

std::vector<std::string> ExperimentResult::levels(std::size_t factor) const {
  std::vector<std::string> levels;
  for (const Trial& trial : trials) {
    if (std::ranges::count(levels, trial.levels[factor]) == 0) levels.push_back(trial.levels[factor]);
  }
  return levels;
}

std::optional<std::size_t> ExperimentResult::measure(std::string_view id) const {
  const auto found = std::ranges::find(measures, id, &Measure::id);
  if (found == measures.end()) return std::nullopt;
  return static_cast<std::size_t>(found - measures.begin());
}

std::optional<double> ExperimentResult::value(const Trial& trial, std::string_view measure_id) const {
  const auto index = measure(measure_id);
  return index ? trial.values[*index] : std::nullopt;
}

const Trial* ExperimentResult::find(std::string_view first_level, std::string_view second_level) const {
  const auto found = std::ranges::find_if(trials, [&](const Trial& trial) {
    return trial.levels.size() == 2 && trial.levels[0] == first_level && trial.levels[1] == second_level;
  });
  return found == trials.end() ? nullptr : &*found;
}

bool ExperimentResult::measured() const {
  return std::ranges::any_of(devices, [](const DeviceInfo& device) { return !is_modelled(device.origin); });
}

std::vector<std::int64_t> usual_batches(ExperimentKind kind) {
  if (kind == ExperimentKind::kBatches) return {1, 32, 128};
  if (kind == ExperimentKind::kThroughput) return {1, 16, 32, 64, 128};
  return {};
}

Result<void> check_experiment(ExperimentKind kind, std::span<const std::string> devices,
                              const ExperimentOptions& options) {
  if (auto valid = check_devices(kind, devices); !valid) return valid;
  if (kind == ExperimentKind::kPruning && (options.r.empty() || options.s.empty())) {
    return fail(message("no limits to try"), options.r.empty() ? "r" : "s",
                message("give at least one; 0 = unlimited"));
  }
  return varies_batches(kind) ? check_batches(kind, options.batches) : check_batch(options.compare.batch);
}

Result<ExperimentResult> run_experiment(ExperimentKind kind, const Graph& graph,
                                        std::span<const ExperimentDevice> devices, const ExperimentOptions& options,
                                        const JobContext& job, const std::stop_token& abandon) {
  std::vector<std::string> ids;
  for (const ExperimentDevice& device : devices) ids.push_back(device.device->info().id);
  IOS_TRY(check_experiment(kind, ids, options));
  ExperimentResult result{.kind = kind, .network = graph.name()};
  for (const ExperimentDevice& device : devices) {
    result.devices.push_back(device.device->info());
    if (is_modelled(result.devices.back().origin) && !graph.has_known_cost()) return fail(kUnknownLatencies);
  }
  if (!varies_batches(kind)) result.batch = options.compare.batch;
  Lab lab(graph, devices, options, job, abandon, result);
  auto done = kTries.at(static_cast<std::size_t>(kind))(lab);
  lab.tell_out_of_budget();
  if (abandon.stop_requested()) return fail(message("abandoned"));
  if (!done && job.stopped() && !result.trials.empty()) {
    result.complete = false;  // what was finished before the stop is still worth showing
    return result;
  }
  if (!done) return tl::unexpected(std::move(done.error()));
  if (result.trials.empty()) return fail(message("stopped before anything was finished"));
  return result;
}

}  // namespace iosx
