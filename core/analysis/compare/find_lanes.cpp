#include "core/analysis/compare/find_lanes.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "core/analysis/compare/comparison.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

// GPUs have eight hardware channels by default; more lanes gain nothing.
constexpr std::array<std::size_t, 4> kLanes{2, 3, 5, 8};

// The cost of a wait for another lane: 0.23 to 0.84 µs on an H200 (gpu/bench/measured).
constexpr Micros kWait{0.6};

// Returns how long each kernel of a run one after another takes, with what comes before it: from the end of the one
// before to its own end.
std::vector<Micros> times_in(const Trace& trace, std::size_t kernels) {
  std::vector<Micros> takes(kernels, Micros{0});
  Micros reached{0};
  for (const KernelSpan& span : trace.kernels) {
    takes[span.kernel.index()] = std::max(Micros{0}, span.end - reached);
    reached = std::max(reached, span.end);
  }
  return takes;
}

Result<std::vector<Micros>> times_alone(Device& device, const ExecutionPlan& staged,
                                        const std::vector<std::vector<KernelId>>& needs, const TimingOptions& timing,
                                        const JobContext& job) {
  IOS_TRY(const RunResult run, load_and_run(device, on_lanes(staged, needs, one_lane(staged)),
                                            {.timing = timing, .trace = true}, job, {.tune = true}));
  return times_in(run.trace, staged.kernels.size());
}

// The sets of layers that merge, each of one part, by the first unit of each.
std::map<UnitId, std::vector<UnitId>> merged_units(const Graph& graph) {
  std::map<UnitId, std::vector<UnitId>> sets;
  for (const std::vector<UnitId>& all : mergeable_sets(graph)) {
    std::map<PartId, std::vector<UnitId>> by_part;
    for (const UnitId unit : all) by_part[graph.unit(unit).part].push_back(unit);
    for (auto& [part, units] : by_part) {
      if (units.size() > 1) sets.emplace(units.front(), std::move(units));
    }
  }
  return sets;
}

// Makes lanes for the kernels of one plan, and runs them.
class LaneTrials {
 public:
  LaneTrials(Device& device, const ExecutionPlan& staged, const TimingOptions& timing, const JobContext& job)
      : device_(device), staged_(staged), timing_(timing), job_(job), needs_(needs_of(staged)) {}

  // Comes first.
  Result<void> prepare() {
    IOS_TRY(takes_, times_alone(device_, staged_, needs_, timing_, job_));
    std::vector<KernelId> given;
    for (std::size_t k = 0; k < staged_.kernels.size(); ++k) given.emplace_back(k);
    orders_ = {std::move(given), longest_way_first(needs_, takes_)};
    return {};
  }

  void make_plain() {
    make(same_lanes(staged_));
    for (const std::vector<KernelId>& order : orders_) {
      for (const std::size_t lanes : kLanes) make(list_schedule(needs_, order, takes_, lanes, kWait));
    }
  }

  // A budget's memory estimate is not exact, so smaller budgets are tried where the peak is too high.
  void make_within(std::int64_t limit) {
    for (const std::vector<KernelId>& order : orders_) {
      for (const std::size_t lanes : {std::size_t{1}, kLanes[0], kLanes[1], kLanes[2], kLanes[3]}) {
        for (const double part : {1.0, 0.9, 0.75}) {
          const auto budget = static_cast<std::int64_t>(static_cast<double>(limit) * part);
          if (make(list_within(budget, order, lanes)) <= limit) break;
        }
      }
    }
  }

  void make_smallest() {
    for (const std::vector<KernelId>& order : orders_) make(list_within(0, order, 1));
  }

  std::int64_t least_bytes() const {
    return made_.empty() ? 0 : std::ranges::min(made_, {}, &FoundLanes::planned_bytes).planned_bytes;
  }

  // Runs what fits and has not run yet.
  Result<void> run(std::optional<std::int64_t> limit) {
    for (std::size_t i = 0; i < made_.size(); ++i) {
      FoundLanes& each = made_[i];
      if (each.took > Millis(0) || (limit && each.planned_bytes > *limit)) continue;
      job_.report(message("trying lanes"), static_cast<std::int64_t>(i), static_cast<std::int64_t>(made_.size()));
      IOS_TRY(const RunResult run, load_and_run(device_, each.plan, {.timing = timing_}, job_, {.tune = true}));
      each.took = run.latency.value;
    }
    return {};
  }

  // Among those that ran.
  std::optional<FoundLanes> fastest() const {
    const FoundLanes* best = nullptr;
    for (const FoundLanes& each : made_) {
      if (each.took > Millis(0) && (best == nullptr || each.took < best->took)) best = &each;
    }
    return best == nullptr ? std::nullopt : std::optional(*best);
  }

  // Returns the fastest, or what slows networks down least of those that take hardly longer.
  Result<std::optional<FoundLanes>> best(const SlowdownOf& slowdown) {
    std::optional<FoundLanes> best = fastest();
    if (!best || !slowdown) return best;
    const Millis most = best->took * (1 + kFairTie);
    best.reset();
    std::ranges::stable_sort(made_, {}, &FoundLanes::took);
    for (FoundLanes& each : made_) {
      if (each.took <= Millis(0) || each.took > most) continue;
      IOS_TRY(const RunResult run,
              load_and_run(device_, each.plan, {.timing = timing_, .trace = true}, job_, {.tune = true}));
      each.slowdown = slowdown(each.plan, run);
      if (!best || slows_less(each, *best)) best = each;
    }
    return best;
  }

  std::vector<FoundLanes> take() && { return std::move(made_); }

 private:
  LaneSchedule list_within(std::int64_t bytes, const std::vector<KernelId>& order, std::size_t lanes) const {
    return list_schedule_within(memory_budget(device_.info(), bytes), staged_, needs_, order, takes_, lanes, kWait);
  }

  // Returns the planned peak.
  std::int64_t make(LaneSchedule lanes) {
    ExecutionPlan plan = on_lanes(staged_, needs_, lanes);
    const auto known = std::ranges::find(made_, plan, &FoundLanes::plan);
    if (known != made_.end()) return known->planned_bytes;
    const std::int64_t bytes = planned_peak(plan, device_.info());
    made_.push_back({named(std::move(lanes), staged_), std::move(plan), Millis(0), bytes});
    return bytes;
  }

  Device& device_;
  const ExecutionPlan& staged_;
  const TimingOptions& timing_;
  const JobContext& job_;
  const std::vector<std::vector<KernelId>> needs_;
  std::vector<Micros> takes_;
  std::vector<std::vector<KernelId>> orders_;
  std::vector<FoundLanes> made_;  // took is 0 until it has run
};

Result<std::vector<FoundLanes>> lanes_of_one(Device& device, const ExecutionPlan& staged, const TimingOptions& timing,
                                             const JobContext& job) {
  constexpr std::int64_t kLimits = 12;
  LaneTrials trials(device, staged, timing, job);
  IOS_TRY(trials.prepare());
  trials.make_plain();
  trials.make_smallest();
  IOS_TRY(trials.run({}));
  const std::int64_t least = trials.least_bytes();
  const std::int64_t most = trials.fastest()->planned_bytes;
  for (std::int64_t i = 0; i < kLimits && least < most; ++i) {
    if (job.stopped()) break;  // the run says so
    trials.make_within(least + (most - least) * i / kLimits);
  }
  IOS_TRY(trials.run({}));
  return std::move(trials).take();
}

}  // namespace

bool slows_less(const FoundLanes& one, const FoundLanes& other) {
  return one.slowdown && other.slowdown && *one.slowdown < *other.slowdown;
}

std::vector<Message> left_to_find(const Comparison& comparison) {
  const ScheduleResult* const sequential = comparison.find(ScheduleKind::kSequential);
  if (sequential == nullptr || !comparison.knows_latencies()) return {};
  std::vector<Message> sentences;
  const ExecutionPlan& plan = sequential->plan;
  const Millis best = comparison.results[comparison.best()].latency.value;
  if (!sequential->trace.kernels.empty()) {
    const Millis least = longest_path(needs_of(plan), times_in(sequential->trace, plan.kernels.size()));
    sentences.push_back(message(
        "Quick: the longest path of these kernels takes {:.3f} ms, so that other lanes are at most {:.2f} times "
        "as fast.",
        least.count(), std::max(1.0, best / least)));
  }
  if (const std::size_t sets = merged_units(*comparison.graph).size(); sets > 0) {
    sentences.push_back(
        message("Quick: merging was not tried. {} sets of layers can be merged; a search without {} tries them.", sets,
                info_of(&CompareOptions::quick).flag()));
  }
  return sentences;
}

std::optional<Schedule> merged_schedule(const Graph& graph) {
  const std::map<UnitId, std::vector<UnitId>> sets = merged_units(graph);
  if (sets.empty()) return std::nullopt;
  std::vector<bool> merged(graph.units().size(), false);
  for (const auto& [first, units] : sets) {
    for (const UnitId unit : units) merged[unit.index()] = true;
  }
  Schedule schedule = sequential_schedule(graph);
  schedule.name = "sequential-merged";
  for (Stage& stage : schedule.stages) {
    std::vector<Step>& steps = stage.groups.front().steps;
    std::erase_if(steps, [&](const Step& step) {
      return merged[step.units.front().index()] && !sets.contains(step.units.front());
    });
    for (Step& step : steps) {
      if (const auto set = sets.find(step.units.front()); set != sets.end()) step.units = set->second;
    }
  }
  return schedule;
}

Result<LaneSearch> find_lanes(Device& device, const ExecutionPlan& staged, const TimingOptions& timing,
                              const JobContext& job, std::int64_t memory_limit, const SlowdownOf& slowdown) {
  if (staged.kernels.size() < 2) return LaneSearch{};
  LaneTrials trials(device, staged, timing, job);
  IOS_TRY(trials.prepare());
  trials.make_plain();
  if (memory_limit == 0) {
    IOS_TRY(trials.run({}));
    IOS_TRY(auto best, trials.best(slowdown));
    return LaneSearch{std::move(best)};
  }
  trials.make_within(memory_limit);
  trials.make_smallest();
  IOS_TRY(trials.run(memory_limit));
  IOS_TRY(auto best, trials.best(slowdown));
  return LaneSearch{std::move(best), trials.least_bytes()};
}

Result<std::vector<FoundLanes>> lanes_by_memory(Device& device, std::span<const ExecutionPlan> staged,
                                                const TimingOptions& timing, const JobContext& job) {
  std::vector<FoundLanes> found;
  for (std::size_t i = 0; i < staged.size(); ++i) {
    if (staged[i].kernels.size() < 2) continue;
    IOS_TRY(auto lanes, lanes_of_one(device, staged[i], timing, job));
    for (FoundLanes& each : lanes) {
      found.push_back(std::move(each));
      found.back().of = i;
    }
  }
  std::ranges::stable_sort(found, [](const FoundLanes& a, const FoundLanes& b) {
    return a.planned_bytes != b.planned_bytes ? a.planned_bytes < b.planned_bytes : a.took < b.took;
  });
  std::optional<Millis> fastest;
  std::erase_if(found, [&](const FoundLanes& each) {
    if (fastest && each.took >= *fastest) return true;
    fastest = each.took;
    return false;
  });
  return found;
}

}  // namespace iosx
