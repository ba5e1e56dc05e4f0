// What hand-made schedules cost, without a window: against whole comparisons and made-up sources.
#include "core/analysis/draft/draft_evaluation.h"

#include "core/analysis/compare/compare.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

ScheduleDraft draft_of(std::shared_ptr<const Graph> graph, Schedule schedule) {
  return ScheduleDraft::make(std::move(graph), std::move(schedule)).value();
}

ScheduleDraft sequential_draft(Graph graph) {
  const auto shared = std::make_shared<const Graph>(std::move(graph));
  return draft_of(shared, one_by_one_schedule(*shared));
}

double sum_of_stages(const DraftCosts& costs) {
  double sum = 0;
  for (const auto& latency : costs.stages) sum += latency->value.count();
  return sum;
}

// A comparison of a network on a simulated V100, with a draft to change.
struct Compared {
  explicit Compared(const char* network, Pruning pruning = {}) {
    add_simulated_devices(devices);
    device = devices.open("tesla-v100").value();
    graph = std::make_shared<const Graph>(zoo_network(network).value());
    options.search.pruning = pruning;
    run = compare(*graph, *device, options, {}).value();
    source = std::make_unique<DeviceLatencySource>(*graph, *device, 1);
  }
  const ScheduleResult& result(ScheduleKind kind) const { return *run.find(kind); }
  ScheduleDraft draft(ScheduleKind kind) const { return draft_of(graph, result(kind).schedule); }
  DraftEvaluation evaluate(const ScheduleDraft& draft, const ScheduleDraft& start) {
    return evaluate_draft(draft, start, source.get(), &run);
  }

  DeviceRegistry devices;
  std::unique_ptr<Device> device;
  std::shared_ptr<const Graph> graph;
  CompareOptions options;
  Comparison run;
  std::unique_ptr<DeviceLatencySource> source;
};

TEST(DraftEvaluation, CostsAreTheSearchsOwn) {
  Compared compared("squeezenet");
  const ScheduleDraft draft = compared.draft(ScheduleKind::kGreedy);
  const DraftEvaluation found = compared.evaluate(draft, draft);
  EXPECT_FALSE(found.error);
  EXPECT_NEAR(found.costs.sum->count(), compared.result(ScheduleKind::kGreedy).stage_sum.count(), 1e-12);
  for (const auto& change : found.changes) EXPECT_FALSE(change.has_value()) << "nothing was changed";
  ASSERT_EQ(found.references.size(), 3U);
  EXPECT_EQ(found.references[0].sum, std::min({compared.result(ScheduleKind::kIosBoth).stage_sum,
                                               compared.result(ScheduleKind::kIosParallel).stage_sum,
                                               compared.result(ScheduleKind::kIosMerge).stage_sum}));
  EXPECT_EQ(found.references[1].sum, compared.result(ScheduleKind::kGreedy).stage_sum);
  EXPECT_EQ(found.references[2].sum, compared.result(ScheduleKind::kSequential).stage_sum);
  EXPECT_EQ(found.references[2].title, "Sequential");
}

TEST(DraftEvaluation, BaselinesThatNoRunHasAreComputedOnASimulatedDeviceOnly) {
  Compared compared("sample");
  const ScheduleDraft draft = compared.draft(ScheduleKind::kSequential);
  const DraftEvaluation alone = evaluate_draft(draft, draft, compared.source.get(), nullptr);
  ASSERT_EQ(alone.references.size(), 2U);
  EXPECT_EQ(alone.references[0].schedule_kind, ScheduleKind::kGreedy);
  EXPECT_NEAR(alone.references[0].sum.count(), compared.result(ScheduleKind::kGreedy).stage_sum.count(), 1e-12);
  EXPECT_NEAR(alone.references[1].sum.count(), compared.result(ScheduleKind::kSequential).stage_sum.count(), 1e-12);
  const DraftEvaluation without = evaluate_draft(draft, draft, nullptr, nullptr);
  EXPECT_TRUE(without.references.empty());
  EXPECT_FALSE(without.costs.sum);
  EXPECT_EQ(without.costs.stages.size(), draft.schedule().stages.size());
}

TEST(DraftEvaluation, ChangesAddUpToTheDifferenceOfTheStages) {
  FakeLatencies source(arbitrary_latency);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    const ScheduleDraft start = sequential_draft(random_dag(seed, 12));
    ScheduleDraft draft = start;
    for (std::size_t stage = 0; stage + 1 < draft.schedule().stages.size(); stage += 2)
      draft = draft.joined(stage).value();
    const double before = sum_of_stages(evaluate_draft(start, start, &source, nullptr).costs);
    const DraftEvaluation after = evaluate_draft(draft, start, &source, nullptr);
    double changes = 0;
    for (const auto& change : after.changes) changes += change.value_or(Millis(0)).count();
    EXPECT_NEAR(sum_of_stages(after.costs) - before, changes, 1e-9);
  }
}

TEST(DraftEvaluation, TheSumHasTheOverheadBetweenStages) {
  FakeLatencies source([](const Stage&) { return 2.0; });
  InterStageOverhead overhead{.first = {Millis(0.5), Millis(0.5)}};
  overhead.between = {InterStageOverhead::ByWidth{Millis(1), Millis(1)},
                      InterStageOverhead::ByWidth{Millis(1), Millis(1)}};
  source.set_overhead(overhead);
  const ScheduleDraft draft = sequential_draft(chain(3));
  EXPECT_DOUBLE_EQ(evaluate_draft(draft, draft, &source, nullptr).costs.sum->count(), 3 * 2 + 0.5 + 2 * 1);
}

TEST(DraftEvaluation, TheOrderOfGroupsIsNoChange) {
  FakeLatencies source(arbitrary_latency);
  const auto graph = std::make_shared<const Graph>(fork_join(4));
  const ScheduleDraft start = draft_of(graph, greedy_schedule(*graph));
  Schedule turned = start.schedule();
  std::size_t wide = 0;
  for (Stage& stage : turned.stages) {
    wide += stage.groups.size() > 1 ? 1U : 0U;
    std::ranges::reverse(stage.groups);
  }
  ASSERT_GT(wide, 0U);
  const DraftEvaluation found = evaluate_draft(start.replaced(turned).value(), start, &source, nullptr);
  for (const auto& change : found.changes) EXPECT_FALSE(change.has_value());
}

TEST(DraftEvaluation, ASourceThatFailsLeavesNothingKnownAndSaysWhy) {
  Compared compared("sample");
  FakeLatencies source(arbitrary_latency);
  source.fail_after(1);
  const ScheduleDraft draft = compared.draft(ScheduleKind::kSequential);
  const DraftEvaluation found = evaluate_draft(draft, draft, &source, &compared.run);
  EXPECT_TRUE(found.error.has_value());
  EXPECT_FALSE(found.costs.sum);
  for (const auto& latency : found.costs.stages) EXPECT_FALSE(latency.has_value());
  EXPECT_EQ(found.references.size(), 3U) << "the run's are known all the same";
}

TEST(DraftEvaluation, WhatBeatsTheSearchSaysWhyItWasNotFound) {
  Compared compared("sample", {1, 1});
  const ScheduleDraft start = draft_of(compared.graph, one_by_one_schedule(*compared.graph));
  const auto insight = [&](const ScheduleDraft& draft) {
    return insight_of(draft, compared.evaluate(draft, start), compared.run, compared.options.search);
  };
  EXPECT_FALSE(insight(start).has_value());
  const ScheduleDraft joined = start.joined(0).value();
  ASSERT_EQ(joined.schedule().stages[0].groups.size(), 2U);
  const auto found = must(insight(joined));
  const DraftEvaluation evaluation = compared.evaluate(joined, start);
  EXPECT_NEAR(found.gained.count(), (evaluation.references.front().sum - *evaluation.costs.sum).count(), 1e-12);
  ASSERT_FALSE(found.stages.empty() || found.stages[0].why.empty());
  EXPECT_EQ(found.stages[0].why[0].limit, Limit::kS);
  EXPECT_EQ(found.schedule_kind, beaten_search(evaluation.costs, compared.run)->schedule_kind);
}

TEST(DraftEvaluation, FindsTheResultThatTheDraftIs) {
  Compared compared("squeezenet");
  const ScheduleDraft draft = compared.draft(ScheduleKind::kGreedy);
  EXPECT_EQ(find_by_hand(compared.run, draft.schedule()), nullptr) << "greedy was not made by hand";
  Schedule turned = draft.schedule();
  for (Stage& stage : turned.stages) std::ranges::reverse(stage.groups);
  compared.run.add(ScheduleKind::kByHand, turned);
  EXPECT_EQ(find_by_hand(compared.run, draft.schedule()), &compared.run.results.back());
  EXPECT_EQ(find_by_hand(compared.run, draft.joined(0).value().schedule()), nullptr);
}

}  // namespace
}  // namespace iosx::test
