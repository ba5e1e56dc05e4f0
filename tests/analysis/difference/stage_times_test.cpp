#include "core/analysis/difference/stage_times.h"

#include <gmock/gmock.h>

#include "tests/support/graphs.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

using test::schedule_of;
using test::subject_of;
using testing::ElementsAre;
using testing::IsEmpty;

struct Ran {
  std::size_t unit;
  std::size_t stage;
  double begin;  // µs
  double end;
};

// A kernel a unit, each on a lane of its own.
void trace(ScheduleResult& result, const std::vector<Ran>& ran, double duration) {
  result.plan = {};
  result.trace = {};
  for (const Ran& each : ran) {
    Kernel kernel;
    kernel.units = {UnitId(each.unit)};
    kernel.stage = each.stage;
    kernel.lane = result.plan.kernels.size();
    const KernelId id(result.plan.kernels.size());
    result.plan.kernels.push_back(kernel);
    result.trace.kernels.push_back({"k", id, kernel.lane, each.stage, Micros(each.begin), Micros(each.end)});
  }
  result.trace.duration = Micros(duration);
}

// One that can be changed.
struct Changeable {
  std::shared_ptr<Comparison> comparison;
  Subject subject;
  explicit Changeable(const Subject& made)
      : comparison(std::make_shared<Comparison>(*made.comparison)), subject{comparison, 0} {}
  ScheduleResult& result() const { return comparison->results[0]; }
};

Changeable four_units(const std::vector<std::vector<std::vector<std::size_t>>>& stages, const test::MadeUpRun& run) {
  return Changeable(subject_of(std::make_shared<const Graph>(test::two_parts()), schedule_of(stages), run));
}

std::vector<double> micros(const std::vector<Micros>& times) {
  std::vector<double> plain;
  plain.reserve(times.size());
  for (const Micros time : times) plain.push_back(time.count());
  return plain;
}

TEST(KernelShares, ThoseThatRunAtTheSameTimeShareIt) {
  const Changeable made = four_units({{{0}}, {{1}}, {{2}}, {{3}}}, {.stages = {1, 1, 1, 1}});
  trace(made.result(), {{0, 0, 0, 4}, {1, 1, 2, 6}, {2, 2, 7, 8}}, 8);
  made.result().lanes = LaneSchedule{};
  EXPECT_THAT(micros(kernel_shares(made.result())), ElementsAre(3, 3, 2));
}

TEST(KernelShares, WhatABarrierTakesIsNoKernels) {
  const Changeable made = four_units({{{0}, {1}}, {{2, 3}}}, {.stages = {1, 1}});
  trace(made.result(), {{0, 0, 1, 4}, {1, 0, 1, 3}, {2, 1, 6, 8}, {3, 1, 9, 10}}, 10);
  EXPECT_THAT(micros(kernel_shares(made.result())), ElementsAre(2, 1, 2, 2));  // µs 8 to 9 are the last one's
}

// A device's launch, say: a stage's latency has it too.
TEST(KernelShares, WhatAStageTakesBeforeItsFirstKernelIsThatKernels) {
  const Changeable made = four_units({{{0}, {1}}, {{2, 3}}}, {.stages = {1, 1}});
  trace(made.result(), {{0, 0, 1, 4}, {1, 0, 1, 3}, {2, 1, 6, 8}, {3, 1, 9, 10}}, 10);
  made.result().trace.stages = {{.begin = Micros(0), .end = Micros(4)}, {.begin = Micros(5.5), .end = Micros(10)}};
  EXPECT_THAT(micros(kernel_shares(made.result())), ElementsAre(3, 1, 2.5, 2));  // µs 4 to 5.5 are a barrier's
}

TEST(KernelShares, AreNoneWithoutATrace) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {1, 1}});
  EXPECT_THAT(kernel_shares(made.result()), IsEmpty());
}

TEST(StageTimes, AreLatenciesWhereStagesRun) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {1, 2}, .between = 0.5});
  EXPECT_EQ(stage_times(made.subject), made.result().stage_latencies);
}

TEST(StageTimes, WithoutBarriersAddUpToTheRun) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {1, 2}});
  trace(made.result(), {{0, 0, 0, 4}, {2, 1, 0, 4}, {1, 0, 4, 6}, {3, 1, 7, 10}}, 10);
  made.result().lanes = LaneSchedule{};
  made.result().latency.value = Millis(20);  // the trace is half as long in its own time
  const auto times = stage_times(made.subject);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_DOUBLE_EQ(times[0].value.count(), 8);
  EXPECT_DOUBLE_EQ(times[1].value.count(), 12);
  made.result().trace = {};
  EXPECT_THAT(stage_times(made.subject), IsEmpty());
}

TEST(TimesOfSets, PartAStageAsItsKernelsWere) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {3, 4}});
  const std::vector<std::optional<std::size_t>> sets{0, 1, 1, std::nullopt};
  auto times = times_of_sets(made.subject, sets, 2);
  EXPECT_FALSE(times[0]);  // nobody knows how long each unit of a stage took
  EXPECT_FALSE(times[1]);
  trace(made.result(), {{0, 0, 0, 1}, {1, 0, 1, 3}, {2, 1, 4, 7}, {3, 1, 7, 8}}, 8);
  times = times_of_sets(made.subject, sets, 2);
  ASSERT_TRUE(times[0] && times[1]);
  ASSERT_EQ(times[0]->size(), 1U);
  ASSERT_EQ(times[1]->size(), 2U);
  EXPECT_DOUBLE_EQ(times[0]->at(0).value.count(), 1);
  EXPECT_DOUBLE_EQ(times[1]->at(0).value.count(), 2);
  EXPECT_DOUBLE_EQ(times[1]->at(1).value.count(), 3);
}

TEST(TimesOfSets, KnowNothingOfAKernelOfSeveralSets) {
  const Changeable made = four_units({{{0, 1}}, {{2, 3}}}, {.stages = {3, 4}});
  trace(made.result(), {{0, 0, 0, 1}, {2, 1, 4, 7}, {3, 1, 7, 8}}, 8);
  made.result().plan.kernels[0].units = {UnitId(0), UnitId(1)};
  const auto times = times_of_sets(made.subject, std::vector<std::optional<std::size_t>>{0, 1, 2, 2}, 3);
  EXPECT_FALSE(times[0]);
  EXPECT_FALSE(times[1]);
  ASSERT_TRUE(times[2]);
  EXPECT_DOUBLE_EQ(times[2]->at(0).value.count(), 4);
}

}  // namespace
}  // namespace iosx
