#include "core/analysis/compare/doubts.h"

#include <gmock/gmock.h>

#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::FakeDevice;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Comparison two_schedules(Millis greedy_sum) {
  Comparison comparison;
  comparison.device.origin = Origin::kMeasured;
  for (const Recipe recipe : {Recipe::kSequential, Recipe::kGreedy}) {
    Schedule schedule;
    schedule.name = row_of(recipe).id;
    ScheduleResult& result = comparison.add(recipe, std::move(schedule));
    result.latency = {.value = Millis{10}, .samples = 20, .origin = Origin::kMeasured};
    result.stage_sum = recipe == Recipe::kGreedy ? greedy_sum : Millis{9};
  }
  return comparison;
}

TEST(Doubts, AreToldWhereStagesDoNotAddUpToTheRun) {
  EXPECT_THAT(doubts(two_schedules(Millis{12.4}), {}), IsEmpty());
  EXPECT_THAT(doubts(two_schedules(Millis{7.6}), {}), IsEmpty());
  EXPECT_THAT(
      doubts(two_schedules(Millis{13}), {}),
      ElementsAre(AllOf(HasSubstr("Greedy (30 % more)"), Not(HasSubstr("Sequential")), HasSubstr("--remeasure"))));
  EXPECT_THAT(doubts(two_schedules(Millis{6}), {}), ElementsAre(HasSubstr("Greedy (40 % less)")));
}

TEST(Doubts, AreToldWhereManyStagesAreNoisy) {
  EXPECT_THAT(doubts(two_schedules(Millis{10}), {.known = 100, .noisy = 10}), IsEmpty());
  EXPECT_THAT(doubts(two_schedules(Millis{10}), {.known = 100, .noisy = 11}),
              ElementsAre(HasSubstr("11 of 100 stage latencies spread over more than 25 %")));
}

TEST(Doubts, AreNoneWhereNothingIsMeasured) {
  Comparison comparison = two_schedules(Millis{20});
  comparison.device.origin = Origin::kSimulated;
  EXPECT_THAT(doubts(comparison, {.known = 10, .noisy = 10}), IsEmpty());
}

// What a run adds that its stages do not show is noticed, on a device that measures.
TEST(Doubts, ReachTheUserOfAComparison) {
  FakeDevice device(Origin::kMeasured);
  const auto calm = compare(test::fork_join(4), device, {}, {});
  ASSERT_TRUE(calm) << calm.error().text();
  EXPECT_THAT(calm->notices, IsEmpty());
  device.end_to_end_penalty = Millis{2};
  const auto busy = compare(test::fork_join(4), device, {}, {});
  ASSERT_TRUE(busy) << busy.error().text();
  EXPECT_THAT(busy->notices, ElementsAre(AllOf(HasSubstr("Greedy"), HasSubstr("less"))));
}

}  // namespace
}  // namespace iosx
