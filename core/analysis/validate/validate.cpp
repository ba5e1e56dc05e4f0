#include "core/analysis/validate/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/analysis/validate/published.h"
#include "core/devices/measure/device_latency_source.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/search/search.h"

namespace iosx {
namespace {

constexpr double kTie = 1.01;  // published differences below this are no ranking

// Keeps the first error and does nothing after it, so that the code below reads as tables.
class Validator {
 public:
  Validator(const NetworkSource& networks, Device& v100, Device& k80, const ValidationOptions& options,
            const JobContext& job)
      : networks_(networks), v100_(v100), k80_(k80), options_(options), job_(job) {
    result_.device = v100.info().name;
  }

  Result<Validation> run() {
    compare_schedules();
    sample_network();
    batches();
    if (options_.searches) batch_specialisation();
    if (options_.searches) device_specialisation();
    if (error_) return tl::unexpected(*std::move(error_));
    if (job_.stopped()) return fail(message("validation was stopped"));
    return std::move(result_);
  }

 private:
  bool ended() const { return error_.has_value() || job_.stopped(); }

  template <typename T>
  T take(Result<T> result, T otherwise) {
    if (result) return *std::move(result);
    if (!error_) error_ = std::move(result.error());
    return otherwise;
  }

  const Graph* network(std::string_view name) {
    const auto at = graphs_.find(std::string(name));
    if (at != graphs_.end()) return &at->second;
    auto graph = networks_(name);
    if (!graph) {
      if (!error_) error_ = std::move(graph.error());
      return nullptr;
    }
    return &graphs_.emplace(std::string(name), *std::move(graph)).first->second;
  }

  // Found schedules are kept.
  Schedule schedule(ScheduleKind schedule_kind, const Graph& graph, Device& device, std::int64_t batch) {
    const ScheduleKindRow& row = row_of(schedule_kind);
    if (row.baseline()) return row.make_baseline(graph, kDefaultMaxStreams);
    const std::string_view name = row.id;
    const std::string key = fmt::format("{} {} {} {}", graph.name(), device.info().id, batch, name);
    const auto at = found_.find(key);
    if (at != found_.end()) return at->second;
    job_.report(message("searching {} for {} with batch {}", name, graph.name(), batch), 0, 0);
    SearchOptions options;
    options.method = SearchMethod::kExhaustive;  // what was published is the optimum
    options.strategies = row.strategies.value();
    auto latencies = source(graph, device, batch);
    auto searched = search(graph, *latencies, options, JobContext{job_.stop, {}});
    if (!searched) {
      if (!error_) error_ = std::move(searched.error());
      return one_by_one_schedule(graph);
    }
    return found_.emplace(key, std::move(searched->schedule)).first->second;
  }

  // One source for all searches of a network on a device, so that they share its answers.
  std::shared_ptr<LatencySource> source(const Graph& graph, Device& device, std::int64_t batch) {
    auto& known = sources_[fmt::format("{} {} {}", graph.name(), device.info().id, batch)];
    if (!known) known = std::make_shared<DeviceLatencySource>(graph, device, batch);
    return known;
  }

  RunResult run(const Graph& graph, const Schedule& schedule, Device& device, std::int64_t batch, bool trace = false) {
    return take(load_and_run(device, StagePlanner(graph, batch, device.info().lowering).plan(schedule),
                             RunOptions{.trace = trace}, job_),
                RunResult{});
  }

  double end_to_end(const Graph& graph, ScheduleKind schedule_kind, Device& device, std::int64_t batch) {
    return run(graph, schedule(schedule_kind, graph, device, batch), device, batch).latency.value.count();
  }

  void row(std::string section, std::string what, double published_ms, double simulated_ms) {
    if (!ended()) result_.rows.push_back({std::move(section), std::move(what), published_ms, simulated_ms});
  }

  void compare_schedules() {
    for (const published::NetworkRow& published : published::schedules()) {
      if (std::ranges::find(options_.compared, published.network) == options_.compared.end()) continue;
      const Graph* graph = network(published.network);
      std::vector<double> simulated;
      for (std::size_t i = 0; i < published::kSchedules.size() && !ended(); ++i) {
        const ScheduleKindRow& schedule_kind = row_of(published::kSchedules[i]);
        if (!options_.searches && schedule_kind.strategies) break;
        simulated.push_back(end_to_end(*graph, schedule_kind.schedule_kind, v100_, 1));
        row("schedules", fmt::format("{}, {}", published.network, schedule_kind.id), published.by_schedule[i],
            simulated.back());
      }
      for (std::size_t i = 0; i < simulated.size(); ++i) {
        for (std::size_t j = 0; j < simulated.size(); ++j) rank(published, simulated, i, j);
      }
    }
  }

  void rank(const published::NetworkRow& published, const std::vector<double>& simulated, std::size_t faster,
            std::size_t slower) {
    const double ratio = published.by_schedule[slower] / published.by_schedule[faster];
    if (ratio < kTie) return;
    result_.rankings.push_back(
        Ranking{std::string(published.network), std::string(row_of(published::kSchedules[faster]).id),
                std::string(row_of(published::kSchedules[slower]).id), ratio, simulated[slower] / simulated[faster]});
  }

  // a, b | c, d | concat: the schedule that the paper draws.
  static Schedule published_sample_schedule(const Graph& graph) {
    const auto units = [](std::initializer_list<std::size_t> ids) {
      Stage stage;
      for (const std::size_t id : ids) stage.groups.push_back(Group{{Step{{UnitId(id)}}}});
      return stage;
    };
    return Schedule{"published", graph.units().size() == 5 ? std::vector{units({0, 1}), units({2, 3}), units({4})}
                                                           : one_by_one_schedule(graph).stages};
  }

  void sample_network() {
    const Graph* graph = network("sample");
    if (ended()) return;
    const RunResult sequential = run(*graph, one_by_one_schedule(*graph), v100_, 1, true);
    const RunResult ios = run(*graph, published_sample_schedule(*graph), v100_, 1, true);
    const auto add = [&](std::string_view name, const RunResult& run, auto published, double published_ms) {
      for (std::size_t i = 0; i < published.size() && i < run.stage_latencies.size(); ++i) {
        row("sample network", fmt::format("{}, stage {}", name, i + 1), published[i],
            run.stage_latencies[i].value.count());
      }
      row("sample network", fmt::format("{}, end to end", name), published_ms, run.latency.value.count());
    };
    add(row_of(ScheduleKind::kOneByOne).id, sequential, published::kSampleSequentialStages,
        published::kSampleSequential);
    add("published IOS schedule", ios, published::kSampleIosStages, published::kSampleIos);
    result_.published_warp_ratio = published::kSampleWarpRatio;
    const double before = mean_warps(sequential.trace);
    result_.simulated_warp_ratio = before > 0 ? mean_warps(ios.trace) / before : 0;
  }

  static double mean_warps(const Trace& trace) {
    return trace.counters.empty() ? 0 : trace.counters.front().mean(Micros(0), trace.duration);
  }

  void batches() {
    const Graph* graph = network("inception_v3");
    for (const published::BatchRow& published : published::inception_batches()) {
      if (ended()) return;
      const auto what = [&](ScheduleKind schedule_kind) {
        return fmt::format("batch {}, {}", published.batch, row_of(schedule_kind).id);
      };
      row("inception_v3 by batch", what(ScheduleKind::kOneByOne), published.sequential,
          end_to_end(*graph, ScheduleKind::kOneByOne, v100_, published.batch));
      if (!options_.searches) continue;
      row("inception_v3 by batch", what(ScheduleKind::kIosBoth), published.ios,
          end_to_end(*graph, ScheduleKind::kIosBoth, v100_, published.batch));
    }
  }

  void batch_specialisation() {
    const Graph* graph = network("inception_v3");
    for (std::size_t i = 0; i < published::kSpecialised.size(); ++i) {
      for (std::size_t j = 0; j < published::kSpecialised.size() && !ended(); ++j) {
        const std::int64_t batch = published::kSpecialised[i];
        const Schedule found = schedule(ScheduleKind::kIosBoth, *graph, v100_, published::kSpecialised[j]);
        row("batch specialisation", fmt::format("run with {}, optimised for {}", batch, published::kSpecialised[j]),
            published::kBatchSpecialisation[i][j], run(*graph, found, v100_, batch).latency.value.count());
      }
    }
  }

  void device_specialisation() {
    const Graph* graph = network("inception_v3");
    const std::array<Device*, 2> devices{&k80_, &v100_};
    for (std::size_t i = 0; i < devices.size(); ++i) {
      for (std::size_t j = 0; j < devices.size() && !ended(); ++j) {
        const Schedule found = schedule(ScheduleKind::kIosBoth, *graph, *devices[j], 1);
        row("device specialisation",
            fmt::format("run on {}, optimised for {}", published::kDevices[i], published::kDevices[j]),
            published::kDeviceSpecialisation[i][j], run(*graph, found, *devices[i], 1).latency.value.count());
      }
    }
  }

  const NetworkSource& networks_;
  Device& v100_;
  Device& k80_;
  const ValidationOptions& options_;
  const JobContext& job_;
  std::map<std::string, Graph> graphs_;
  std::map<std::string, Schedule> found_;
  std::map<std::string, std::shared_ptr<LatencySource>> sources_;
  std::optional<Error> error_;
  Validation result_;
};

double mean_of(const std::vector<ValidationRow>& rows, std::string_view section) {
  double sum = 0;
  std::size_t count = 0;
  for (const ValidationRow& row : rows) {
    if (!section.empty() && row.section != section) continue;
    sum += std::abs(row.relative_error());
    ++count;
  }
  return count == 0 ? 0 : sum / static_cast<double>(count);
}

}  // namespace

double Validation::mean_error() const { return mean_of(rows, {}); }
double Validation::mean_error(std::string_view section) const { return mean_of(rows, section); }

std::size_t Validation::reproduced_rankings() const {
  return static_cast<std::size_t>(std::ranges::count_if(rankings, &Ranking::reproduced));
}

std::vector<std::string> Validation::sections() const {
  std::vector<std::string> names;
  for (const ValidationRow& row : rows) {
    if (std::ranges::find(names, row.section) == names.end()) names.push_back(row.section);
  }
  return names;
}

Result<Validation> validate(const NetworkSource& networks, Device& v100, Device& k80, const ValidationOptions& options,
                            const JobContext& job) {
  return Validator(networks, v100, k80, options, job).run();
}

}  // namespace iosx
