#include "core/analysis/difference/saving.h"

#include <gmock/gmock.h>

#include "core/analysis/compare/compare.h"
#include "core/devices/registry.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

using test::schedule_of;
using test::subject_of;
using testing::ElementsAre;

std::shared_ptr<const Comparison> simulated(const char* network) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = *devices.open("tesla-v100");
  return std::make_shared<const Comparison>(*compare(*zoo_network(network), *device, CompareOptions(), {}));
}

double sum_of(const SavingSteps& saving) {
  double sum = 0;
  for (const SavingStep& step : saving.steps) sum += step.delta.value.count();
  return sum;
}

TEST(SavingSteps, GoPartByPartToTheScheduleAndAddUp) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject before = subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}),
                                    {.stages = {1, 2, 3, 4}, .between = 0.5, .rest = 0.25});
  const Subject after =
      subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {2.5, 3, 4.5}, .between = 0.25});
  const auto saving = saving_steps(before, after);
  ASSERT_TRUE(saving);
  ASSERT_EQ(saving->steps.size(), 3U);
  EXPECT_EQ(saving->steps[0].name, graph->parts()[0].name);
  EXPECT_THAT(saving->steps[0].units, ElementsAre(UnitId(0), UnitId(1)));
  EXPECT_DOUBLE_EQ(saving->steps[0].before.count(), 3);
  EXPECT_DOUBLE_EQ(saving->steps[0].after.count(), 2.5);
  EXPECT_DOUBLE_EQ(saving->steps[0].delta.value.count(), -0.5);
  EXPECT_DOUBLE_EQ(saving->steps[1].delta.value.count(), 0.5);
  EXPECT_TRUE(saving->steps[2].units.empty());
  EXPECT_DOUBLE_EQ(saving->steps[2].delta.value.count(), -0.5);  // 0.25 between stages, 0.25 beyond them
  EXPECT_EQ(saving->steps[2].delta.noise, Millis{0});
  EXPECT_DOUBLE_EQ(sum_of(*saving), saving->whole.delta.value.count());
  EXPECT_FALSE(saving->traced);
  // Stages of the baseline that lie in one stage of the schedule.
  ASSERT_EQ(saving->stages.size(), 3U);
  EXPECT_DOUBLE_EQ(saving->stages[0]->value.count(), -0.5);
  EXPECT_DOUBLE_EQ(saving->stages[1]->value.count(), 0);
  EXPECT_DOUBLE_EQ(saving->stages[2]->value.count(), 0.5);
}

TEST(StageSavings, AreThoseOfTheStepsAndPerWhatIsAsked) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject before = subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {1, 2, 3, 4}});
  auto eight = std::make_shared<Comparison>(
      *subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {16, 20, 40}}).comparison);
  eight->batch = 8;
  const Subject after{eight, 0, {}};
  const GraphMatch match = match_graphs(*graph, *graph);
  const auto samples = stage_savings(before, after, match, Per::kSample);
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_DOUBLE_EQ(samples[0]->value.count(), 2 - 3);
  EXPECT_DOUBLE_EQ(samples[1]->value.count(), 2.5 - 3);
  EXPECT_DOUBLE_EQ(samples[2]->value.count(), 5 - 4);
  EXPECT_DOUBLE_EQ(stage_savings(before, after, match, Per::kBatch)[0]->value.count(), 16 - 3);
  const auto steps = saving_steps(before, after);
  ASSERT_TRUE(steps);
  EXPECT_EQ(steps->per, Per::kSample);
  ASSERT_EQ(steps->stages.size(), 3U);
  for (std::size_t s = 0; s < 3; ++s) EXPECT_EQ(steps->stages[s]->value, samples[s]->value);
  // Several stages of the schedule may lie in one of the baseline: nobody knows then.
  EXPECT_EQ(stage_savings(after, before, match, Per::kSample)[0], std::nullopt);
  eight->results[0].stage_latencies.clear();
  EXPECT_TRUE(stage_savings(before, after, match, Per::kSample).empty());
}

// Where the same kernels run one after another, cut into other stages, nothing is saved anywhere.
TEST(StageSavings, AreNothingWhereOnlyTheCutsDiffer) {
  const auto run = simulated("alexnet");
  const std::size_t sequential = *run->index_of(run->find(ScheduleKind::kSequential)->id);
  for (std::size_t i = 0; i < run->results.size(); ++i) {
    const Subject schedule{run, i, {}};
    if (!schedule.has_stages()) continue;
    const GraphMatch match = match_graphs(*run->graph, *run->graph);
    for (const auto& delta : stage_savings({run, sequential, {}}, schedule, match, Per::kBatch)) {
      ASSERT_TRUE(delta);
      EXPECT_NEAR(delta->value.count(), 0, 1e-6) << run->results[i].id.text();
    }
  }
}

TEST(StageSavings, AreNotKnownOfUnitsThatTheBaselineLacks) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject subject = subject_of(graph, schedule_of({{{0, 1}}, {{2}}, {{3}}}), {.stages = {2, 3, 4}});
  GraphMatch match = match_graphs(*graph, *graph);
  match.units_in_b[1] = match.units_in_a[1] = UnitId();
  const auto savings = stage_savings(subject, subject, match, Per::kBatch);
  ASSERT_EQ(savings.size(), 3U);
  EXPECT_FALSE(savings[0]) << "it has a unit more";
  EXPECT_TRUE(savings[1] && savings[2]);
}

TEST(SavingSteps, ANetworkWithoutPartsIsToldByStage) {
  const Graph parts = test::two_parts();
  std::vector<UnitId> all;
  for (std::size_t i = 0; i < parts.units().size(); ++i) all.emplace_back(i);
  const auto graph = std::make_shared<const Graph>(parts.with_parts({Part{"all", all, false}}));
  const Subject before = subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}, {{3}}}), {.stages = {1, 2, 3, 4}});
  const Subject after = subject_of(graph, schedule_of({{{0, 1}}, {{2, 3}}}), {.stages = {2, 8}, .rest = 1});
  const auto saving = saving_steps(before, after);
  ASSERT_TRUE(saving);
  ASSERT_EQ(saving->steps.size(), 3U);
  EXPECT_EQ(saving->steps[0].stage, 0U);
  EXPECT_EQ(saving->steps[1].stage, 1U);
  EXPECT_DOUBLE_EQ(saving->steps[0].delta.value.count(), -1);
  EXPECT_DOUBLE_EQ(saving->steps[1].delta.value.count(), 1);
  EXPECT_DOUBLE_EQ(saving->steps[2].delta.value.count(), 1);
  // The other way round nobody knows what each half of a stage took: it stays one step.
  const auto back = saving_steps(after, before);
  ASSERT_TRUE(back);
  EXPECT_FALSE(back->stages[0]);
  ASSERT_EQ(back->steps.size(), 2U);
  EXPECT_FALSE(back->steps[0].stage);
  EXPECT_DOUBLE_EQ(sum_of(*back), -1);
}

TEST(SavingSteps, AreNoneWithoutLatencies) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const Subject known = subject_of(graph, schedule_of({{{0, 1}}, {{2, 3}}}), {.stages = {2, 8}});
  auto comparison = std::make_shared<Comparison>(*known.comparison);
  comparison->results[0].stage_latencies.clear();
  EXPECT_FALSE(saving_steps(known, {comparison, 0}));
  EXPECT_FALSE(saving_steps({comparison, 0}, known));
}

// Where noise is, a step says how much; where it cannot be told, none.
TEST(SavingSteps, KeepTheNoise) {
  const auto graph = std::make_shared<const Graph>(test::two_parts());
  const test::MadeUpRun run{.stages = {2, 8}, .spread = 0.1, .samples = 100, .origin = Origin::kMeasured};
  test::MadeUpRun once = run;
  once.samples = 1;
  const Schedule schedule = schedule_of({{{0, 1}}, {{2, 3}}});
  test::MadeUpRun other = run;
  other.stages = {3, 8};
  other.spread = 0.2;
  const auto saving = saving_steps(subject_of(graph, schedule, run), subject_of(graph, schedule, other));
  ASSERT_TRUE(saving && saving->steps[0].delta.noise);
  EXPECT_GT(*saving->steps[0].delta.noise, Millis{0});
  const auto unknown = saving_steps(subject_of(graph, schedule, run), subject_of(graph, schedule, once));
  ASSERT_TRUE(unknown);
  EXPECT_FALSE(unknown->steps[0].delta.noise);
}

// Of every schedule against every other, with stages and without.
TEST(SavingSteps, AddUpInANetworkOnASimulatedDevice) {
  const auto run = simulated("inception_v3");
  bool lanes = false;
  for (std::size_t a = 0; a < run->results.size(); ++a) {
    for (std::size_t b = 0; b < run->results.size(); ++b) {
      const auto saving = saving_steps({run, a}, {run, b});
      ASSERT_TRUE(saving);
      EXPECT_NEAR(sum_of(*saving), (run->results[b].latency.value - run->results[a].latency.value).count(), 1e-9);
      lanes = lanes || saving->traced;
      if (a != 0) continue;
      // One stream's kernels are all told apart, so stages add up to parts.
      double stages = 0;
      for (const auto& stage : saving->stages) {
        ASSERT_TRUE(stage) << run->results[b].title();
        stages += stage->value.count();
      }
      EXPECT_NEAR(stages + saving->steps.back().delta.value.count(), saving->whole.delta.value.count(), 1e-9);
    }
  }
  EXPECT_TRUE(lanes);
}

TEST(SavingSteps, ScheduleOfLanesIsToldFromItsTrace) {
  const auto run = test::made_up_lanes();
  const auto saving = saving_steps({run, 1}, {run, 3});
  ASSERT_TRUE(saving);
  EXPECT_TRUE(saving->traced);
  EXPECT_NEAR(sum_of(*saving), -0.006, 1e-9);
}

}  // namespace
}  // namespace iosx
