#include "core/model/plan/lanes/lane_schedule.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/model/plan/lane_clocks.h"
#include "core/model/plan/needs.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

KernelId id(std::size_t index) { return KernelId(index); }

TEST(LaneClocks, KnowWhatHasEnded) {
  const ExecutionPlan staged = test::four_kernels();
  const ExecutionPlan plan = on_lanes(staged, needs_of(staged), {{{id(0), 0}, {id(2), 1}, {id(1), 0}, {id(3), 1}}});
  const LaneClocks clocks(plan);  // a | c | b | sum
  EXPECT_TRUE(clocks.before(id(0), id(2)));
  EXPECT_FALSE(clocks.before(id(0), id(1)));
  EXPECT_FALSE(clocks.before(id(1), id(2)));
  EXPECT_TRUE(clocks.before(id(0), id(3)));
  EXPECT_TRUE(clocks.before(id(2), id(3)));
}

TEST(LaneSchedule, WaitsForWhatNothingElseImplies) {
  const ExecutionPlan staged = test::four_kernels();
  const ExecutionPlan plan = on_lanes(staged, needs_of(staged), {{{id(0), 5}, {id(2), 3}, {id(1), 3}, {id(3), 5}}});
  EXPECT_TRUE(plan.barrier_free);
  EXPECT_EQ(plan.lane_count(), 2U);
  EXPECT_THAT(kernel_names(plan), ElementsAre("a", "c", "b", "sum"));
  EXPECT_THAT(plan.kernels[2].waits, ElementsAre(id(0)));
  EXPECT_THAT(plan.kernels[3].waits, ElementsAre(id(2))) << "b comes after c on its lane";
  // Each kernel keeps the stage that it comes from.
  EXPECT_EQ(plan.kernels[1].stage, 2U);
  EXPECT_THAT(plan.stages[2].lanes, ElementsAre(ElementsAre(id(1))));
  EXPECT_TRUE(check_plan(plan));
}

TEST(LaneSchedule, OfOneLaneNeedsNoWaits) {
  const ExecutionPlan staged = test::four_kernels();
  const ExecutionPlan plan = on_lanes(staged, needs_of(staged), one_lane(staged));
  for (const Kernel& kernel : plan.kernels) EXPECT_THAT(kernel.waits, IsEmpty());
  EXPECT_EQ(plan.lane_count(), 1U);
}

TEST(LaneSchedule, ListsTheLongestWayFirst) {
  const auto needs = needs_of(test::four_kernels());
  const std::vector<Micros> takes{Micros(1), Micros(1), Micros(5), Micros(1)};
  EXPECT_THAT(longest_way_first(needs, takes), ElementsAre(id(2), id(0), id(1), id(3)));
}

// c runs beside a and b; the sum stays where it need not wait for the last.
TEST(LaneSchedule, PutsAKernelWhereItStartsFirst) {
  const auto needs = needs_of(test::four_kernels());
  const std::vector<Micros> takes{Micros(1), Micros(1), Micros(5), Micros(1)};
  const LaneSchedule lanes = list_schedule(needs, longest_way_first(needs, takes), takes, 2, Micros(0.5));
  using Launch = LaneSchedule::Launch;
  EXPECT_THAT(lanes.launches, ElementsAre(Launch{id(2), 0}, Launch{id(0), 1}, Launch{id(1), 1}, Launch{id(3), 0}));
}

TEST(LaneSchedule, IsRefusedWhereItIsNone) {
  const auto needs = needs_of(test::four_kernels());
  const auto error = [&](const LaneSchedule& lanes) { return check_lanes(lanes, needs).error().line(); };
  EXPECT_EQ(error({{{id(0), 0}}}), "launches: has 1 of 4 kernels");
  EXPECT_EQ(error({{{id(0), 0}, {id(1), 0}, {id(3), 0}, {id(2), 0}}}),
            "launches[2]: kernel 3 comes before kernel 2, which it needs");
  EXPECT_EQ(error({{{id(0), 64}, {id(1), 0}, {id(2), 0}, {id(3), 0}}}), "launches[0]: lane 64 must lie in 0..63");
  EXPECT_EQ(error({{{id(0), 0}, {id(0), 0}, {id(2), 0}, {id(3), 0}}}), "launches[1]: kernel 0 is launched twice");
  EXPECT_EQ(error({{{id(4), 0}}}), "launches[0]: there is no such kernel");
}

// The same of plans with stages: a barrier that nothing needs may go, a wait that keeps two kernels apart may not.
TEST(LaneSchedule, StagesAreCheckedByTheSameRule) {
  const Graph graph = test::fork_join(3);
  ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  ASSERT_TRUE(check_plan(plan));
  for (Kernel& kernel : plan.kernels) kernel.waits.clear();
  EXPECT_FALSE(check_plan(plan));
}

}  // namespace
}  // namespace iosx
