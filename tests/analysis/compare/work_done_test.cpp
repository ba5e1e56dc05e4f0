#include "core/analysis/compare/work_done.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

struct Ran {
  std::vector<UnitId> units;
  double begin = 0;
  double end = 0;
};

// A run of kernels with these units, for tests only.
ScheduleResult ran(const std::vector<Ran>& kernels, double duration) {
  ScheduleResult result;
  for (const Ran& each : kernels) {
    const KernelId id(result.plan.kernels.size());
    Kernel kernel;
    kernel.units = each.units;
    result.plan.kernels.push_back(std::move(kernel));
    result.trace.kernels.push_back({.kernel = id, .begin = Micros(each.begin), .end = Micros(each.end)});
  }
  result.trace.duration = Micros(duration);
  return result;
}

constexpr UnitId kA(0);
constexpr UnitId kB(1);
constexpr UnitId kC(2);

ScheduleResult baseline() { return ran({{{kA}, 0, 10}, {{kB}, 12, 42}, {{kC}, 42, 102}}, 110); }

TEST(WorkDone, OfTheBaselineIsItsKernelTime) {
  const WorkDone done = must(work_done(baseline(), baseline()));
  EXPECT_DOUBLE_EQ(done.at(Micros(-1)), 0);
  EXPECT_NEAR(done.at(Micros(5)), 0.05, 1e-12);
  EXPECT_NEAR(done.at(Micros(11)), 0.10, 1e-12) << "nothing is done between kernels";
  EXPECT_NEAR(done.at(Micros(27)), 0.25, 1e-12);
  EXPECT_NEAR(done.at(Micros(42)), 0.40, 1e-12);
  EXPECT_DOUBLE_EQ(done.at(Micros(102)), 1);
  EXPECT_DOUBLE_EQ(done.at(Micros(200)), 1);
  EXPECT_NEAR(done.reached(0.25).count(), 27, 1e-9);
  EXPECT_NEAR(done.reached(0.5).count(), 52, 1e-9);
  EXPECT_NEAR(done.reached(1).count(), 102, 1e-9);
  EXPECT_EQ(done.reached(0), Micros(0));
}

// Units weigh what they took in the baseline, however long they take here.
TEST(WorkDone, AUnitWeighsItsKernelTimeInTheBaseline) {
  const WorkDone done = must(work_done(baseline(), ran({{{kA}, 0, 40}, {{kC}, 0, 20}, {{kB}, 20, 50}}, 50)));
  EXPECT_NEAR(done.at(Micros(20)), 0.05 + 0.60, 1e-12);
  EXPECT_NEAR(done.at(Micros(40)), 0.10 + 0.60 + 0.20, 1e-12);
  EXPECT_DOUBLE_EQ(done.at(Micros(50)), 1);
}

TEST(WorkDone, AMergedKernelDoesTheWorkOfAllItsUnits) {
  const WorkDone done = must(work_done(baseline(), ran({{{kA, kB}, 0, 20}, {{kC}, 20, 40}}, 40)));
  EXPECT_NEAR(done.at(Micros(10)), 0.2, 1e-12);
  EXPECT_NEAR(done.at(Micros(20)), 0.4, 1e-12);
}

TEST(WorkDone, AUnitOfSeveralKernelsIsSharedOutByTheirTime) {
  const WorkDone done =
      must(work_done(baseline(), ran({{{kA}, 0, 1}, {{kB}, 0, 5}, {{kC}, 5, 8}, {{kC}, 10, 11}}, 11)));
  EXPECT_NEAR(done.at(Micros(8)), 0.4 + 0.45, 1e-12);
  EXPECT_NEAR(done.at(Micros(10)), 0.4 + 0.45, 1e-12);
  EXPECT_DOUBLE_EQ(done.at(Micros(11)), 1);
}

TEST(WorkDone, FindsTheUnitsOfAnotherGraph) {
  const ScheduleResult other = ran({{{kA}, 0, 10}, {{kB}, 10, 20}}, 20);
  const std::vector<std::optional<UnitId>> counterpart{kC, kA};
  const WorkDone done = must(work_done(baseline(), other, counterpart));
  EXPECT_NEAR(done.at(Micros(10)), 60.0 / 70, 1e-12) << "of what both do";
  const std::vector<std::optional<UnitId>> nothing{std::nullopt, std::nullopt};
  EXPECT_FALSE(work_done(baseline(), other, nothing));
  EXPECT_FALSE(work_done(baseline(), ran({}, 20)));
}

TEST(WorkDone, NeverDecreasesAndEndsWithTheRun) {
  const auto comparison = test::made_up_lanes();
  for (const ScheduleResult& result : comparison->results) {
    const WorkDone done = must(work_done(comparison->results.front(), result));
    EXPECT_EQ(done.points.front().time, Micros(0));
    EXPECT_EQ(done.points.back().time, result.trace.duration) << result.id.text();
    EXPECT_DOUBLE_EQ(done.points.back().share, 1);
    for (std::size_t i = 1; i < done.points.size(); ++i) {
      EXPECT_LT(done.points[i - 1].time, done.points[i].time);
      EXPECT_LE(done.points[i - 1].share, done.points[i].share);
    }
  }
}

}  // namespace
}  // namespace iosx
