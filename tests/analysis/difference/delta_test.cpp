#include "core/analysis/difference/delta.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/graphs.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

Latency measured(double value, double spread, std::int64_t samples = 100) {
  return {Millis(value), Millis(spread), samples, Origin::kMeasured};
}

TEST(Delta, ClaimsNothingInsideItsNoise) {
  EXPECT_EQ((Delta{Millis(-0.2), Millis(0.1)}).verdict(), Verdict::kFaster);
  EXPECT_EQ((Delta{Millis(0.2), Millis(0.1)}).verdict(), Verdict::kSlower);
  EXPECT_EQ((Delta{Millis(-0.1), Millis(0.1)}).verdict(), Verdict::kSame);
  EXPECT_EQ((Delta{Millis(-0.2), std::nullopt}).verdict(), Verdict::kUnknown);
  EXPECT_EQ((Delta{Millis(0), std::nullopt}).verdict(), Verdict::kSame);
  EXPECT_EQ((Delta{Millis(1e-9), Millis(0)}).verdict(), Verdict::kSame);  // what sums are off by
}

TEST(DeltaSum, OfExactLatenciesHasNoNoise) {
  DeltaSum sum;
  sum.add({Millis(1.5), Millis(0), 1, Origin::kSimulated}, -1);
  sum.add({Millis(1.0), Millis(0), 1, Origin::kSimulated});
  EXPECT_DOUBLE_EQ(sum.delta().value.count(), -0.5);
  EXPECT_EQ(sum.delta().noise, Millis(0));
}

TEST(DeltaSum, AddsUnlikeErrorsAsIndependentOnes) {
  DeltaSum sum;
  sum.add(measured(1, 0.3), -1);
  sum.add(measured(2, 0.4));
  EXPECT_DOUBLE_EQ(sum.delta().noise->count(), std::hypot(0.3, 0.4) * 1.2533 / 10);
}

TEST(DeltaSum, OfOneMeasurementErrsOnceForEachTimeItIsThere) {
  DeltaSum sum;
  sum.add(measured(1, 0.3));
  sum.add(measured(1, 0.3));
  EXPECT_DOUBLE_EQ(sum.delta().noise->count(), 2 * 0.3 * 1.2533 / 10);
  sum.add(measured(1, 0.3), -2);  // both sides have it: nothing is left of its error
  EXPECT_EQ(sum.delta().noise, Millis(0));
  EXPECT_EQ(sum.delta().verdict(), Verdict::kSame);
}

TEST(DeltaSum, OfTooFewSamplesIsOfUnknownNoise) {
  DeltaSum sum;
  sum.add(measured(1, 0, 1), -1);
  sum.add(measured(2, 0.1));
  EXPECT_FALSE(sum.delta().noise);
}

TEST(WholeDifference, SaysTheSameAsTheSpeedup) {
  const auto graph = std::make_shared<const Graph>(test::chain(1));
  const Schedule schedule = test::schedule_of({{{0}}});
  const auto subject = [&](double ms, double spread, std::int64_t samples = 50) {
    return test::subject_of(graph, schedule,
                            {.stages = {ms}, .spread = spread, .samples = samples, .origin = Origin::kMeasured});
  };
  for (const double b : {1.0, 1.9, 1.96, 2.0, 2.05, 2.2, 9.0}) {
    for (const double spread : {0.01, 0.05, 0.5}) {
      const WholeDifference whole = whole_difference(subject(2, spread), subject(b, spread));
      EXPECT_EQ(whole.delta.verdict() == Verdict::kSame, whole.speedup.within_noise() || b == 2.0)
          << b << ' ' << spread;
      if (whole.delta.outside_noise()) {
        EXPECT_EQ(whole.delta.verdict() == Verdict::kFaster, b < 2);
      }
    }
  }
  EXPECT_EQ(whole_difference(subject(2, 0, 1), subject(1, 0, 1)).delta.verdict(), Verdict::kUnknown);
}

TEST(WholeDifference, HeedsRoundsOnlyWithinOneComparison) {
  const auto graph = std::make_shared<const Graph>(test::chain(1));
  auto comparison = std::make_shared<Comparison>();
  comparison->graph = graph;
  comparison->device.origin = Origin::kMeasured;
  for (const double ms : {2.0, 1.9}) {
    ScheduleResult& result = comparison->add(ScheduleKind::kByHand, test::schedule_of({{{0}}}));
    result.latency = measured(ms, 0.3);
    result.stage_latencies = {measured(ms, 0.3)};
    // Both drift by as much as ten times their difference.
    for (int round = 0; round < 9; ++round) result.rounds.emplace_back(ms * (1 + 0.05 * round));
  }
  auto copy = std::make_shared<Comparison>(*comparison);
  EXPECT_EQ(whole_difference({comparison, 0}, {comparison, 1}).delta.verdict(), Verdict::kFaster);
  EXPECT_EQ(whole_difference({comparison, 0}, {copy, 1}).delta.verdict(), Verdict::kSame);
}

TEST(WholeDifference, OfSumsThatNobodyRanHasTheNoiseOfTheirStages) {
  const auto graph = std::make_shared<const Graph>(test::chain(2));
  const auto replayed = [&](double ms) {
    const Subject made =
        test::subject_of(graph, test::schedule_of({{{0}}, {{1}}}),
                         {.stages = {1, ms}, .spread = 0.1, .samples = 100, .origin = Origin::kRecorded});
    auto comparison = std::make_shared<Comparison>(*made.comparison);
    comparison->results[0].latency = {Millis(1 + ms), Millis(0), 0, Origin::kRecorded};
    return Subject{comparison, 0};
  };
  const WholeDifference whole = whole_difference(replayed(3), replayed(2));
  // The first stage is one measurement, which both have.
  EXPECT_DOUBLE_EQ(whole.delta.noise->count(), std::hypot(0.1, 0.1) * 1.2533 / 10);
  EXPECT_EQ(whole.delta.verdict(), Verdict::kFaster);
  EXPECT_TRUE(whole.speedup.known());
  EXPECT_FALSE(whole.speedup.within_noise());
}

}  // namespace
}  // namespace iosx
