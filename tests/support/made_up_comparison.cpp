#include "tests/support/made_up_comparison.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "tests/support/lower.h"

namespace iosx::test {
namespace {

Conv convolve(std::int64_t channels, std::int64_t size) {
  return Conv{.out_channels = channels, .kernel = {size, size}, .padding = {size / 2, size / 2}};
}

Counter warps_of(const std::vector<KernelSpan>& kernels) {
  std::map<Micros, double> changes{{Micros(0), 0}};
  for (const KernelSpan& span : kernels) {
    changes[span.begin] += 800;
    changes[span.end] -= 800;
  }
  Counter counter{"active warps", "warps", 5120, {}, {}};
  double active = 0;
  for (const auto& [time, change] : changes) {
    active += change;
    counter.times.push_back(time);
    counter.values.push_back(active);
  }
  return counter;
}

Trace made_up_trace(const ExecutionPlan& plan, Micros first, Micros step) {
  Trace trace{.lanes = plan.lane_count()};
  Micros now{0};
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const Micros begin = now + Micros(4);
    Micros end = begin;
    for (std::size_t lane = 0; lane < plan.stages[s].lanes.size(); ++lane) {
      Micros at = begin;
      for (const KernelId id : plan.stages[s].lanes[lane]) {
        const Micros until = at + first + step * static_cast<double>(id.index());
        trace.kernels.push_back({plan.kernel(id).name, id, lane, s, at, until});
        at = until;
      }
      end = std::max(end, at);
    }
    trace.stages.push_back({begin, end});
    now = end;
  }
  trace.duration = now;
  std::stable_sort(trace.kernels.begin(), trace.kernels.end(),
                   [](const KernelSpan& a, const KernelSpan& b) { return a.begin < b.begin; });
  trace.counters.push_back(warps_of(trace.kernels));
  return trace;
}

void add(Comparison& comparison, ScheduleKind schedule_kind, Schedule schedule, Micros first, Micros step) {
  const Graph& graph = *comparison.graph;
  ScheduleResult& result = comparison.add(schedule_kind, std::move(schedule));
  result.plan = lower(graph, result.schedule, 1, {.free_slices = FreeSlices::kAlways});
  result.trace = made_up_trace(result.plan, first, step);
  result.latency = {result.trace.duration, Millis(0), 1, Origin::kSimulated};
  for (const StageSpan& stage : result.trace.stages) {
    result.stage_latencies.push_back({stage.end - stage.begin, Millis(0), 1, Origin::kSimulated});
    result.stage_sum += stage.end - stage.begin;
  }
}

std::shared_ptr<Comparison> comparison_of(Graph graph) {
  auto comparison = std::make_shared<Comparison>();
  comparison->graph = std::make_shared<const Graph>(std::move(graph));
  comparison->device = {"made-up", "Made-up GPU", "for tests", "made-up", Origin::kSimulated};
  return comparison;
}

Schedule one_by_one(const Graph& graph) {
  Schedule schedule{"sequential", {}};
  for (std::size_t i = 0; i < graph.units().size(); ++i) schedule.stages.push_back(single_unit_stage(UnitId(i)));
  return schedule;
}

}  // namespace

std::shared_ptr<Comparison> made_up_comparison() {
  GraphBuilder builder("fork");
  const Value image = builder.input("image", {16, 28, 28});
  const Value stem = builder.add("stem", convolve(32, 3), {image});
  const Value a = builder.add("a", convolve(32, 3), {stem});
  const Value b = builder.add("b", convolve(64, 1), {stem});
  const Value c = builder.add("c", Pool{PoolKind::kMax, {3, 3}, {1, 1}, {1, 1}, false}, {stem});
  builder.add("join", Concat{}, {a, b, c});
  Result<Graph> graph = std::move(builder).build();
  IOS_CHECK(graph);
  const UnitId ids[] = {UnitId(0), UnitId(1), UnitId(2), UnitId(3), UnitId(4)};
  const auto group = [](std::vector<UnitId> units) { return Group{{Step{std::move(units)}}}; };
  const Schedule greedy{"greedy",
                        {single_unit_stage(ids[0]), Stage{{group({ids[1]}), group({ids[2]}), group({ids[3]})}},
                         single_unit_stage(ids[4])}};
  const Schedule ios{
      "ios-both",
      {single_unit_stage(ids[0]), Stage{{group({ids[1], ids[2]}), group({ids[3]})}}, single_unit_stage(ids[4])}};
  auto comparison = comparison_of(std::move(*graph));
  add(*comparison, ScheduleKind::kSequential, one_by_one(*comparison->graph), Micros(20), Micros(10));
  add(*comparison, ScheduleKind::kGreedy, greedy, Micros(20), Micros(10));
  add(*comparison, ScheduleKind::kIosBoth, ios, Micros(20), Micros(10));
  return comparison;
}

std::shared_ptr<Comparison> made_up_lanes() {
  auto comparison = made_up_comparison();
  const ScheduleResult greedy = comparison->results[1];
  const auto needs = needs_of(greedy.plan);
  ScheduleResult& result = comparison->add(ScheduleKind::kIosFlow, greedy.schedule);
  result.stage_latencies = greedy.stage_latencies;
  result.stage_sum = greedy.stage_sum;
  result.lanes = named(same_lanes(greedy.plan), greedy.plan);
  result.plan = on_lanes(greedy.plan, needs, *result.lanes);
  result.trace.lanes = result.plan.lane_count();
  std::vector<Micros> free(result.trace.lanes, Micros(4));
  std::vector<Micros> ended(result.plan.kernels.size());
  for (std::size_t k = 0; k < result.plan.kernels.size(); ++k) {
    const Kernel& kernel = result.plan.kernels[k];
    Micros begin = free[kernel.lane];
    for (const KernelId wait : kernel.waits) begin = std::max(begin, ended[wait.index()] + Micros(1));
    const Micros end = begin + Micros(20) + Micros(10) * static_cast<double>(k);
    free[kernel.lane] = ended[k] = end;
    result.trace.kernels.push_back({kernel.name, KernelId(k), kernel.lane, kernel.stage, begin, end});
    result.trace.duration = std::max(result.trace.duration, end);
  }
  std::ranges::stable_sort(result.trace.kernels, {}, &KernelSpan::begin);
  result.trace.stages = overlapping_stages(result.plan, result.trace.kernels);
  result.trace.counters.push_back(warps_of(result.trace.kernels));
  result.latency = {result.trace.duration, Millis(0), 1, Origin::kSimulated};
  comparison->own_lanes = OwnLanes{greedy.id, {greedy.latency.value - Micros(5), Millis(0), 1, Origin::kSimulated}};
  return comparison;
}

std::shared_ptr<Comparison> made_up_twins() {
  auto comparison = made_up_comparison();
  add(*comparison, ScheduleKind::kIosBoth, comparison->results[2].schedule, Micros(25), Micros(10));
  return comparison;
}

std::shared_ptr<Comparison> made_up_chain(std::size_t kernels) {
  GraphBuilder builder("chain");
  Value value = builder.input("image", {4, 8, 8});
  for (std::size_t i = 0; i < kernels; ++i) value = builder.add("conv" + std::to_string(i), convolve(4, 1), {value});
  Result<Graph> graph = std::move(builder).build();
  IOS_CHECK(graph);
  auto comparison = comparison_of(std::move(*graph));
  add(*comparison, ScheduleKind::kSequential, one_by_one(*comparison->graph), Micros(3), Micros(0));
  return comparison;
}

Subject subject_of(std::shared_ptr<const Graph> graph, Schedule schedule, const MadeUpRun& run,
                   ScheduleKind schedule_kind) {
  auto comparison = std::make_shared<Comparison>();
  comparison->graph = std::move(graph);
  comparison->device = {"made-up", run.device, "for tests", "made-up", run.origin};
  comparison->batch = run.batch;
  ScheduleResult& result = comparison->add(schedule_kind, std::move(schedule));
  IOS_CHECK(run.stages.size() == result.schedule.stages.size());
  const auto latency = [&](double ms) { return Latency{Millis(ms), Millis(run.spread), run.samples, run.origin}; };
  for (const double ms : run.stages) {
    result.stage_latencies.push_back(latency(ms));
    result.stage_sum += Millis(ms);
  }
  result.between_stages = Millis(run.between);
  result.stage_sum += result.between_stages;
  result.latency = latency(result.stage_sum.count() + run.rest);
  Subject subject{comparison, 0};
  subject.label = result.title();
  return subject;
}

Schedule schedule_of(const std::vector<std::vector<std::vector<std::size_t>>>& stages, std::string name) {
  Schedule schedule{std::move(name), {}};
  for (const auto& groups : stages) {
    Stage& stage = schedule.stages.emplace_back();
    for (const auto& units : groups) {
      Group& group = stage.groups.emplace_back();
      for (const std::size_t unit : units) group.steps.push_back({{UnitId(unit)}});
    }
  }
  return schedule;
}

}  // namespace iosx::test
