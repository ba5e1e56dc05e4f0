#include "core/analysis/compare/reliability.h"

#include "core/analysis/compare/compare.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::FakeDevice;

Comparison two_schedules(Millis greedy_sum) {
  Comparison comparison;
  comparison.device.origin = Origin::kMeasured;
  for (const ScheduleKind schedule_kind : {ScheduleKind::kSequential, ScheduleKind::kGreedy}) {
    Schedule schedule{.name = std::string(row_of(schedule_kind).id)};
    ScheduleResult& result = comparison.add(schedule_kind, std::move(schedule));
    result.latency = {.value = Millis{10}, .samples = 20, .origin = Origin::kMeasured};
    result.stage_sum = schedule_kind == ScheduleKind::kGreedy ? greedy_sum : Millis{9};
  }
  return comparison;
}

TEST(ReliabilityWarnings, AreToldWhereStagesDoNotAddUpToTheRun) {
  EXPECT_THAT(reliability_warnings(two_schedules(Millis{12.4}), {}), IsEmpty());
  EXPECT_THAT(reliability_warnings(two_schedules(Millis{7.6}), {}), IsEmpty());
  EXPECT_THAT(
      reliability_warnings(two_schedules(Millis{13}), {}),
      ElementsAre(AllOf(HasSubstr("Greedy (30 % more)"), Not(HasSubstr("Sequential")), HasSubstr("--remeasure"))));
  EXPECT_THAT(reliability_warnings(two_schedules(Millis{6}), {}), ElementsAre(HasSubstr("Greedy (40 % less)")));
}

TEST(ReliabilityWarnings, AreToldWhereManyStagesAreNoisy) {
  EXPECT_THAT(reliability_warnings(two_schedules(Millis{10}), {.known = 100, .noisy = 10}), IsEmpty());
  EXPECT_THAT(reliability_warnings(two_schedules(Millis{10}), {.known = 100, .noisy = 11}),
              ElementsAre(HasSubstr("11 of 100 stage latencies spread over more than 25 %")));
}

TEST(ReliabilityWarnings, AreNoneWhereNothingIsMeasured) {
  Comparison comparison = two_schedules(Millis{20});
  comparison.device.origin = Origin::kSimulated;
  EXPECT_THAT(reliability_warnings(comparison, {.known = 10, .noisy = 10}), IsEmpty());
}

// What a run adds that its stages do not show is noticed, on a device that measures.
TEST(ReliabilityWarnings, ReachTheUserOfAComparison) {
  FakeDevice device(Origin::kMeasured);
  EXPECT_THAT(must(compare(test::fork_join(4), device, {}, {})).notices, IsEmpty());
  device.end_to_end_penalty = Millis{2};
  const auto busy = must(compare(test::fork_join(4), device, {}, {}));
  EXPECT_THAT(busy.notices, ElementsAre(AllOf(HasSubstr("Greedy"), HasSubstr("less"))));
}

}  // namespace
}  // namespace iosx
