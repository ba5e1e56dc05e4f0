#include "core/analysis/draft/draft_evaluation.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "core/analysis/compare/make_schedules.h"
#include "core/search/baseline.h"

namespace iosx {
namespace {

UnitId first_unit(const Group& group) { return group.steps.front().units.front(); }

// The order of groups says nothing.
bool same_stage(const Stage& a, const Stage& b) {
  if (a.groups.size() != b.groups.size()) return false;
  const auto groups = [](const Stage& stage) {
    std::vector<const Group*> sorted;
    for (const Group& group : stage.groups) sorted.push_back(&group);
    std::ranges::sort(sorted, {}, [](const Group* group) { return first_unit(*group); });
    return sorted;
  };
  return std::ranges::equal(groups(a), groups(b), [](const Group* x, const Group* y) { return *x == *y; });
}

// Finds stages of a schedule, which must outlive it, without visiting all of them: no two have the same first unit.
class StagesOf {
 public:
  explicit StagesOf(const Schedule& schedule) {
    for (const Stage& stage : schedule.stages) by_first_.emplace(key(stage), &stage);
  }
  bool has(const Stage& stage) const {
    const auto found = by_first_.find(key(stage));
    return found != by_first_.end() && same_stage(*found->second, stage);
  }

 private:
  static UnitId key(const Stage& stage) { return first_unit(*std::ranges::min_element(stage.groups, {}, first_unit)); }
  std::map<UnitId, const Stage*> by_first_;
};

using Latencies = std::vector<std::optional<Latency>>;

Result<Latencies> known(const std::vector<Stage>& stages, LatencySource& source) {
  if (!source.measures()) return source.known_latencies(stages);
  IOS_TRY(auto found, source.stage_latencies(stages, {}));
  return Latencies(found.begin(), found.end());
}

Result<DraftCosts> costs_of(const Schedule& schedule, LatencySource* source) {
  DraftCosts costs{.stages = Latencies(schedule.stages.size())};
  if (source == nullptr) return costs;
  IOS_TRY(costs.stages, known(schedule.stages, *source));
  Millis sum = source->overhead().sum(schedule);
  std::vector<Latency> latencies;
  for (const auto& latency : costs.stages) {
    if (!latency) return costs;
    sum += latency->value;
    latencies.push_back(*latency);
  }
  costs.sum = sum;
  costs.spread = spread_of(latencies);
  return costs;
}

// Every stage of the start counts for the stage of the draft that has most of its units.
std::vector<std::optional<Millis>> changes_of(const ScheduleDraft& draft, const DraftCosts& costs,
                                              const Schedule& start, const DraftCosts& start_costs) {
  const std::vector<Stage>& stages = draft.schedule().stages;
  std::vector<std::optional<Millis>> sums(stages.size(), Millis(0));
  for (std::size_t i = 0; i < start.stages.size(); ++i) {
    std::map<std::size_t, std::size_t> shares;
    for (const UnitId unit : start.stages[i].units()) ++shares[draft.stage_of(unit)];
    const auto most = std::ranges::max_element(shares, {}, [](const auto& share) { return share.second; });
    std::optional<Millis>& sum = sums[most->first];
    const auto& latency = start_costs.stages[i];
    sum = sum && latency ? std::optional(*sum + latency->value) : std::nullopt;
  }
  std::vector<std::optional<Millis>> changes(stages.size());
  const StagesOf same(start);
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!same.has(stages[i]) && costs.stages[i] && sums[i]) changes[i] = costs.stages[i]->value - *sums[i];
  }
  return changes;
}

DraftReference reference_of(const ScheduleResult& result) {
  return {result.schedule_kind, result.title(), result.stage_sum};
}

Result<std::vector<DraftReference>> references_of(const Graph& graph, LatencySource* source, const Comparison* run) {
  std::vector<DraftReference> references;
  if (const ScheduleResult* best = run == nullptr ? nullptr : best_search(*run))
    references.push_back(reference_of(*best));
  for (const ScheduleKind kind : {ScheduleKind::kGreedy, ScheduleKind::kSequential}) {
    if (const ScheduleResult* result = run == nullptr ? nullptr : run->find(kind)) {
      references.push_back(reference_of(*result));
    } else if (source != nullptr && source->measures()) {
      const Schedule made = made_baseline(kind, graph);
      IOS_TRY(const DraftCosts costs, costs_of(made, source));
      if (costs.sum) references.push_back({kind, std::string(row_of(kind).title), *costs.sum});
    }
  }
  return references;
}

Result<DraftEvaluation> evaluated(const ScheduleDraft& draft, const ScheduleDraft& start, LatencySource* source,
                                  const Comparison* run) {
  DraftEvaluation evaluation;
  IOS_TRY(evaluation.costs, costs_of(draft.schedule(), source));
  IOS_TRY(const DraftCosts start_costs, costs_of(start.schedule(), source));
  evaluation.changes = changes_of(draft, evaluation.costs, start.schedule(), start_costs);
  IOS_TRY(evaluation.references, references_of(draft.graph(), source, run));
  return evaluation;
}

bool same_launches(const LaneSchedule& a, const LaneSchedule& b) {
  if (a.launches.size() != b.launches.size()) return false;
  std::vector<std::size_t> to(kMostLanes, kMostLanes);
  std::vector<std::size_t> back(kMostLanes, kMostLanes);
  for (std::size_t i = 0; i < a.launches.size(); ++i) {
    const LaneSchedule::Launch& x = a.launches[i];
    const LaneSchedule::Launch& y = b.launches[i];
    if (x.kernel != y.kernel || x.lane >= kMostLanes || y.lane >= kMostLanes) return false;
    if (to[x.lane] == kMostLanes && back[y.lane] == kMostLanes) {
      to[x.lane] = y.lane;
      back[y.lane] = x.lane;
    }
    if (to[x.lane] != y.lane || back[y.lane] != x.lane) return false;
  }
  return true;
}

bool has_kernels(const ScheduleResult& result, const LaneKernels& kernels) {
  return result.schedule.stages == kernels.schedule.stages &&
         result.trace.kernels.size() == kernels.staged.kernels.size();
}

}  // namespace

DraftEvaluation evaluate_draft(const ScheduleDraft& draft, const ScheduleDraft& start, LatencySource* source,
                               const Comparison* run) {
  auto found = evaluated(draft, start, source, run);
  if (found) return *std::move(found);
  DraftEvaluation nothing = evaluated(draft, start, nullptr, run).value();
  nothing.error = std::move(found.error());
  return nothing;
}

const ScheduleResult* beaten_search(const DraftCosts& costs, const Comparison& run) {
  const ScheduleResult* best = costs.sum ? best_search(run) : nullptr;
  return best != nullptr && beats(*costs.sum, costs.spread, *best) ? best : nullptr;
}

std::optional<DraftInsight> insight_of(const ScheduleDraft& draft, const DraftEvaluation& evaluation,
                                       const Comparison& run, SearchOptions searched_with) {
  const ScheduleResult* best = beaten_search(evaluation.costs, run);
  if (best == nullptr) return {};
  DraftInsight insight{best->schedule_kind, best->title(), best->stage_sum - *evaluation.costs.sum};
  if (const auto strategies = row_of(best->schedule_kind).strategies) searched_with.strategies = *strategies;
  const StagesOf found(best->schedule);
  const std::vector<Stage>& stages = draft.schedule().stages;
  for (std::size_t i = 0; i < stages.size(); ++i) {
    if (!found.has(stages[i])) insight.stages.push_back({i, exclusions(*run.graph, stages[i], searched_with)});
  }
  std::ranges::stable_sort(insight.stages, {},
                           [&](const StageBeyond& each) { return evaluation.changes[each.stage].value_or(Millis(0)); });
  return insight;
}

const ScheduleResult* find_by_hand(const Comparison& run, const Schedule& schedule,
                                   const std::optional<LaneSchedule>& lanes) {
  const auto found = std::ranges::find_if(run.results, [&](const ScheduleResult& result) {
    return result.schedule_kind == ScheduleKind::kByHand && result.lanes == lanes &&
           std::ranges::equal(result.schedule.stages, schedule.stages, same_stage);
  });
  return found == run.results.end() ? nullptr : &*found;
}

Result<LaneDraft> on_device(const LaneDraft& draft, const DeviceInfo& device, std::int64_t batch) {
  const LaneKernels& own = draft.kernels();
  if (!device.barrier_free) return tl::unexpected(runs_stages_only(device, own.schedule.name));
  if (own.staged.batch == batch && own.lowering == device.lowering) return draft;
  return LaneDraft::make(lane_kernels(own.graph, own.schedule, batch, device.lowering), draft.lanes());
}

Result<LaneRun> run_lanes(Device& device, const LaneDraft& draft, const JobContext& job) {
  IOS_TRY(const RunResult run, load_and_run(device, draft.plan(), {.trace = true}, job));
  return LaneRun{run.latency, times_of(draft.lanes(), run.trace)};
}

Result<std::vector<Millis>> latencies_at(Device& device, const LaneDraft& draft, KernelId kernel,
                                         std::span<const LaneDraft::Place> places, const JobContext& job) {
  std::vector<Millis> latencies;
  for (const LaneDraft::Place& place : places) {
    IOS_TRY(const LaneDraft there, draft.moved(kernel, place));
    IOS_TRY(const RunResult run, load_and_run(device, there.plan(), {}, job));
    latencies.push_back(run.latency.value);
  }
  return latencies;
}

std::vector<KernelTime> times_of(const LaneSchedule& lanes, const Trace& trace) {
  if (trace.kernels.size() != lanes.launches.size()) return {};
  std::vector<KernelTime> times(lanes.launches.size());
  for (const KernelSpan& span : trace.kernels) {  // of the plan on lanes, whose kernels stand in launch order
    times[lanes.launches[span.kernel.index()].kernel.index()] = {span.begin, span.end};
  }
  return times;
}

std::vector<KernelTime> laid_out(const LaneDraft& draft, std::span<const Micros> takes) {
  std::vector<KernelTime> times(takes.size());
  std::vector<Micros> free(draft.rows().size(), Micros{0});
  for (const auto& [kernel, lane, name] : draft.lanes().launches) {
    Micros begin = free[lane];
    for (const KernelId need : draft.kernels().needs[kernel.index()]) begin = std::max(begin, times[need.index()].end);
    free[lane] = begin + takes[kernel.index()];
    times[kernel.index()] = {begin, free[lane]};
  }
  return times;
}

const ScheduleResult* find_run(const Comparison& run, const LaneDraft& draft) {
  const auto found = std::ranges::find_if(run.results, [&](const ScheduleResult& result) {
    return result.lanes && has_kernels(result, draft.kernels()) && same_launches(*result.lanes, draft.lanes());
  });
  return found == run.results.end() ? nullptr : &*found;
}

std::vector<KernelTime> times_elsewhere(const Comparison& run, const LaneKernels& kernels) {
  const auto found =
      std::ranges::find_if(run.results, [&](const ScheduleResult& result) { return has_kernels(result, kernels); });
  if (found == run.results.end()) return {};
  return times_of(found->lanes.value_or(one_lane(kernels.staged)), found->trace);
}

std::vector<DraftReference> lane_references(const Comparison& run) {
  std::vector<DraftReference> references;
  const ScheduleResult* staged = nullptr;
  for (const ScheduleResult& result : run.results) {
    if (result.search && !result.lanes && (staged == nullptr || result.latency.value < staged->latency.value))
      staged = &result;
  }
  const ScheduleResult* flow = run.find(ScheduleKind::kIosFlow);
  if (flow != nullptr && !flow->lanes) flow = nullptr;
  for (const ScheduleResult* result : {flow, staged, run.find(ScheduleKind::kSequential)}) {
    if (result != nullptr) references.push_back({result->schedule_kind, result->title(), result->latency.value});
  }
  return references;
}

}  // namespace iosx
