#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/analysis/compare/find_lanes.h"
#include "core/analysis/experiment/lab.h"
#include "core/model/trace/trace.h"

namespace iosx {

Result<void> try_schedules(Lab& lab) {
  IOS_TRY(auto comparison, lab.compare(lab.setting(), made_schedule_kinds()));
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", said("schedule")}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"speedup", said("speed-up"), "", 2},
                     {"speedup_low", said("95 % from"), "", 2, true},
                     {"speedup_high", said("to"), "", 2, true},
                     {"stages", said("stages"), "", 0},
                     {"search_seconds", said("search"), "s", 3}};
  const ScheduleResult& fastest = comparison.results[comparison.best()];
  for (const ScheduleResult& one : comparison.results) {
    if (!one.asked) continue;
    if (one.search) lab.note_budget(*one.search, one.title());
    const Speedup gain = comparison.speedup(one);
    const auto bound = [&](double value) { return gain.known() ? std::optional(value) : std::nullopt; };
    result.trials.push_back(
        {.levels = {one.title()},
         .values = {one.latency.value.count(), one.latency.spread.count(), gain.value, bound(gain.low),
                    bound(gain.high),
                    one.lanes ? std::nullopt : std::optional(static_cast<double>(one.schedule.stages.size())),
                    one.search ? seconds_of(*one.search) : std::nullopt},
         .origin = one.latency.origin,
         .schedule_kind = one.schedule_kind,
         .best = none_faster(one, fastest),
         .within_noise = one.schedule_kind != ScheduleKind::kSequential && gain.within_noise()});
  }
  result.comparison = std::make_shared<const Comparison>(std::move(comparison));
  return {};
}

namespace {

// A value of what is varied.
struct Level {
  std::string name;
  Lab::Setting setting;
};

std::vector<Level> batch_levels(const Lab& lab) {
  const std::vector<std::int64_t>& batches = lab.options().batches;
  std::vector<Level> levels;
  for (const std::int64_t batch : batches) {
    const std::string progress = fmt::format("batch {} ({} of {})", batch, levels.size() + 1, batches.size());
    levels.push_back({fmt::format("{}", batch), {lab.devices().front(), batch, progress}});
  }
  return levels;
}

}  // namespace

Result<void> try_throughput(Lab& lab) {
  ExperimentResult& result = lab.result();
  result.factors = {{"batch", said("batch"), true}, {"schedule", said("schedule")}};
  result.measures = {{"samples_per_second", said("throughput"), "samples/s", 1}, latency_measure(), spread_measure()};
  for (const Level& level : batch_levels(lab)) {
    if (lab.ended()) return {};
    IOS_TRY(const auto comparison,
            lab.compare(level.setting, {ScheduleKind::kSequential, ScheduleKind::kGreedy, ScheduleKind::kIosBoth}));
    const ScheduleResult& fastest = comparison.results[comparison.best()];
    for (const ScheduleResult& one : comparison.results) {
      const Millis latency = one.latency.value;
      if (one.search) lab.note_budget(*one.search, fmt::format("batch {}, {}", level.name, one.title()));
      result.trials.push_back({.levels = {level.name, one.title()},
                               .values = {static_cast<double>(level.setting.batch) / Seconds(latency).count(),
                                          latency.count(), one.latency.spread.count()},
                               .origin = one.latency.origin,
                               .schedule_kind = one.schedule_kind,
                               .best = none_faster(one, fastest)});
    }
  }
  return {};
}

Result<void> try_utilization(Lab& lab) {
  IOS_TRY(auto comparison, lab.compare(lab.setting(), {ScheduleKind::kSequential, ScheduleKind::kIosBoth}));
  const ScheduleResult* const base = comparison.find(ScheduleKind::kSequential);
  if (base == nullptr) return fail(message("stopped before anything was finished"));
  const Trace& sequential = base->trace;
  const Counter* const counter = main_counter(sequential);
  if (counter == nullptr) {
    return fail(message("does not report its utilization"), comparison.device.id, message("choose another device"));
  }
  const double baseline = counter->mean(Micros(0), sequential.duration);
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", said("schedule")}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"mean_utilization", "mean of " + counter->name, counter->unit, counter->peak < 1000 ? 2 : 0},
                     {"share_percent", "of what the device holds", "%", 1},
                     {"ratio", said("against sequential"), "", 2}};
  for (const ScheduleResult& one : comparison.results) {
    if (one.search) lab.note_budget(*one.search, one.title());
    const Counter* const own = main_counter(one.trace);
    if (!one.asked || own == nullptr) continue;
    const double mean = own->mean(Micros(0), one.trace.duration);
    result.trials.push_back({.levels = {one.title()},
                             .values = {one.latency.value.count(), one.latency.spread.count(), mean,
                                        own->peak > 0 ? std::optional(100 * mean / own->peak) : std::nullopt,
                                        baseline > 0 ? std::optional(mean / baseline) : std::nullopt},
                             .origin = one.latency.origin,
                             .schedule_kind = one.schedule_kind});
  }
  result.comparison = std::make_shared<const Comparison>(std::move(comparison));
  return {};
}

namespace {

// A point of the curve: lanes of a schedule's kernels, or the schedule itself.
struct MemoryPoint {
  GivenSchedule given;
  ScheduleKind schedule_kind = ScheduleKind::kByHand;  // of the schedule with stages
};

// The schedules with stages, each plan once, and after them lanes of all their kernels.
Result<std::vector<MemoryPoint>> points_of(Lab& lab, const Comparison& staged) {
  std::vector<MemoryPoint> points;
  std::vector<ExecutionPlan> plans;
  for (const ScheduleResult& each : staged.results) {
    if (each.search) lab.note_budget(*each.search, each.title());
    if (std::ranges::find(plans, each.plan) != plans.end()) continue;
    plans.push_back(each.plan);
    points.push_back({GivenSchedule(each.schedule), each.schedule_kind});
    points.back().given.schedule.name = each.title();
  }
  IOS_TRY(auto found, lanes_by_memory(*lab.devices().front().device, plans, lab.options().compare.timing, lab.job()));
  for (FoundLanes& lanes : found) {
    MemoryPoint point = points[lanes.of];
    point.given.lanes = std::move(lanes.lanes);
    points.push_back(std::move(point));
  }
  return points;
}

// Nothing takes at most as much memory and is faster beyond the noise.
bool on_front(const ScheduleResult& one, std::span<const ScheduleResult> runs) {
  return std::ranges::all_of(runs, [&](const ScheduleResult& other) {
    if (other.planned_bytes > one.planned_bytes || &other == &one) return true;
    if (other.planned_bytes < one.planned_bytes && other.latency.value <= one.latency.value) return false;
    return none_faster(one, other);
  });
}

class Specialisation {
 public:
  Specialisation(Lab& lab, std::vector<Level> levels) : lab_(lab), result_(lab.result()), levels_(std::move(levels)) {
    result_.measures = {latency_measure(), spread_measure(), {"loss_percent", said("loss"), "%", 1}};
  }

  // First every level's schedule; then all of them side by side at every level.
  Result<void> run() && {
    for (const Level& level : levels_) {
      Lab::Setting setting = level.setting;
      setting.name = "search, " + setting.name;
      IOS_TRY(auto found, lab_.find(setting, lab_.options().compare.search));
      if (!found) return run_at_home();
      lab_.note_budget(found->search, fmt::format("{} {}", result_.factors[0].title, level.name));
      found_.push_back(std::move(*found));
    }
    for (std::size_t column = 0; column < levels_.size(); ++column) {
      if (lab_.ended()) break;
      IOS_TRY(const auto runs, lab_.compare(levels_[column].setting, found_));
      if (runs.results.size() < found_.size()) break;  // a stop, which the lab has noted
      add_column(column, {runs.results.data(), found_.size()});
    }
    return {};
  }

 private:
  // After a stop: what was found, where it was found for.
  Result<void> run_at_home() {
    for (std::size_t home = 0; home < found_.size(); ++home) {
      IOS_TRY(const auto runs, lab_.compare(levels_[home].setting, {&found_[home], 1}));
      add(home, home, runs.results.front(), runs.results.front());
    }
    return {};
  }

  void add_column(std::size_t column, std::span<const ScheduleResult> runs) {
    for (std::size_t row = 0; row < runs.size(); ++row) {
      add(row, column, runs[row], runs[column]);
      result_.trials.back().best = none_faster(runs[row], fastest_of(runs));
    }
  }

  void add(std::size_t row, std::size_t column, const ScheduleResult& run, const ScheduleResult& own) {
    const Speedup own_gains = speedup(run.latency, run.rounds, own.latency, own.rounds);
    result_.trials.push_back(
        {.levels = {levels_[row].name, levels_[column].name},
         .values = {run.latency.value.count(), run.latency.spread.count(), 100 * (own_gains.value - 1)},
         .origin = run.latency.origin,
         .within_noise = row != column && own_gains.within_noise()});
  }

  Lab& lab_;
  ExperimentResult& result_;
  std::vector<Level> levels_;
  std::vector<FoundSchedule> found_;  // of the first levels; of all, unless it was stopped
};

}  // namespace

Result<void> try_memory(Lab& lab) {
  const ExperimentDevice& device = lab.devices().front();
  if (!device.device->info().barrier_free) {
    return fail(message("{} cannot run lanes, so a memory limit does not apply", device.device->info().name), "device",
                message("choose another device"));
  }
  std::vector<ScheduleKind> kinds = made_schedule_kinds();
  std::erase_if(kinds, [](ScheduleKind kind) { return row_of(kind).barrier_free; });
  IOS_TRY(const auto staged, lab.compare(lab.setting(), kinds));
  IOS_TRY(auto points, points_of(lab, staged));
  std::vector<GivenSchedule> given;
  for (const MemoryPoint& point : points) given.push_back(point.given);
  IOS_TRY(const auto together, lab.compare(lab.setting("side by side"), std::move(given)));
  ExperimentResult& result = lab.result();
  result.factors = {{"schedule", said("schedule")}};
  result.measures = {latency_measure(),
                     spread_measure(),
                     {"planned_peak_mb", said("planned peak"), "MB", 2},
                     {"lanes", said("lanes"), "", 0}};
  // A stop leaves some out.
  const std::span<const ScheduleResult> runs(together.results.data(), std::min(points.size(), together.results.size()));
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const ScheduleResult& run = runs[i];
    const bool front = on_front(run, runs);
    if (run.lanes && !front) continue;
    result.trials.push_back(
        {.levels = {run.schedule.name},
         .values = {run.latency.value.count(), run.latency.spread.count(), megabytes(run.planned_bytes),
                    run.lanes ? std::optional(static_cast<double>(run.plan.lane_count())) : std::nullopt},
         .origin = run.latency.origin,
         .schedule_kind = points[i].schedule_kind,
         .best = front});
  }
  std::ranges::stable_sort(result.trials, {}, [](const Trial& trial) { return trial.values[2].value_or(0); });
  return {};
}

Result<void> try_batches(Lab& lab) {
  lab.result().factors = {{"found_for_batch", said("found for batch"), true},
                          {"run_at_batch", said("run at batch"), true}};
  return Specialisation(lab, batch_levels(lab)).run();
}

Result<void> try_devices(Lab& lab) {
  lab.result().factors = {{"found_on", said("found on")}, {"run_on", said("run on")}};
  std::vector<Level> levels;
  for (const ExperimentDevice& device : lab.devices()) {
    const std::string& id = device.device->info().id;
    levels.push_back({id,
                      {device, lab.options().compare.batch,
                       fmt::format("{} ({} of {})", id, levels.size() + 1, lab.devices().size())}});
  }
  return Specialisation(lab, std::move(levels)).run();
}

}  // namespace iosx
