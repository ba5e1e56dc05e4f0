#include "core/analysis/compare/find_lanes.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "core/model/plan/needs.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/merge.h"

namespace iosx {
namespace {

// GPUs have eight hardware channels by default, and more lanes win nothing.
constexpr std::array<std::size_t, 4> kLanes{2, 3, 5, 8};

// What a wait for another lane takes: 0.23 to 0.84 µs on an H200 (gpu/bench/measured).
constexpr Micros kWait{0.6};

// Returns how long each kernel takes alone, with what comes before it: from the end of the one before to its own end.
Result<std::vector<Micros>> times_alone(Device& device, const ExecutionPlan& staged,
                                        const std::vector<std::vector<KernelId>>& needs, const TimingOptions& timing,
                                        const JobContext& job) {
  IOS_TRY(const RunResult run, load_and_run(device, on_lanes(staged, needs, one_lane(staged)),
                                            {.timing = timing, .trace = true}, job, {.tune = true}));
  std::vector<Micros> takes(staged.kernels.size(), Micros{0});
  Micros reached{0};
  for (const KernelSpan& span : run.trace.kernels) {
    takes[span.kernel.index()] = std::max(Micros{0}, span.end - reached);
    reached = std::max(reached, span.end);
  }
  return takes;
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

}  // namespace

std::optional<Schedule> merged_schedule(const Graph& graph) {
  const std::map<UnitId, std::vector<UnitId>> sets = merged_units(graph);
  if (sets.empty()) return std::nullopt;
  std::vector<bool> merged(graph.units().size(), false);
  for (const auto& [first, units] : sets) {
    for (const UnitId unit : units) merged[unit.index()] = true;
  }
  Schedule schedule = sequential_schedule(graph);
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

Result<std::optional<FoundLanes>> find_lanes(Device& device, const ExecutionPlan& staged, const TimingOptions& timing,
                                             const JobContext& job) {
  if (staged.kernels.size() < 2) return std::nullopt;
  const std::vector<std::vector<KernelId>> needs = needs_of(staged);
  IOS_TRY(const auto takes, times_alone(device, staged, needs, timing, job));
  std::vector<LaneSchedule> candidates{same_lanes(staged)};
  std::vector<KernelId> given;
  for (std::size_t k = 0; k < staged.kernels.size(); ++k) given.emplace_back(k);
  for (const std::vector<KernelId>& order : {given, longest_way_first(needs, takes)}) {
    for (const std::size_t lanes : kLanes) candidates.push_back(list_schedule(needs, order, takes, lanes, kWait));
  }
  std::optional<FoundLanes> best;
  std::vector<ExecutionPlan> tried;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    job.report(message("trying lanes"), static_cast<std::int64_t>(i), static_cast<std::int64_t>(candidates.size()));
    ExecutionPlan plan = on_lanes(staged, needs, candidates[i]);
    if (std::ranges::find(tried, plan) != tried.end()) continue;
    tried.push_back(plan);
    IOS_TRY(const RunResult run, load_and_run(device, plan, {.timing = timing}, job, {.tune = true}));
    if (best && run.latency.value >= best->took) continue;
    best = FoundLanes{named(std::move(candidates[i]), staged), std::move(plan), run.latency.value};
  }
  return best;
}

}  // namespace iosx
