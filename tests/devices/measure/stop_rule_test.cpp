#include "core/devices/measure/stop_rule.h"

#include <gtest/gtest.h>

#include <functional>

#include "tests/devices/measure/samples.h"

namespace iosx {
namespace {

using test::Samples;

constexpr TimingOptions kTiming{
    .warmup = 2, .repeats = 8, .max_repeats = 200, .min_time = Millis{0}, .precision = 0.02, .max_time = Millis{1e6}};

// Times runs until the rule has enough; `draw` gets the number of the run, warm-up runs counted.
Latency time(StopRule& rule, const std::function<double(int run)>& draw) {
  rule.start();
  for (int run = 0; !rule.done(); ++run) {
    if (run > 100'000) {
      ADD_FAILURE() << "the rule does not end";
      break;
    }
    rule.add(Millis{draw(run)});
  }
  return rule.latency();
}

TEST(StopRule, DropsTheWarmUp) {
  StopRule rule(kTiming);
  rule.start();
  EXPECT_TRUE(rule.warming_up());
  rule.add(Millis{500});
  EXPECT_TRUE(rule.warming_up());
  rule.add(Millis{400});
  EXPECT_FALSE(rule.warming_up());
  EXPECT_FALSE(rule.done());
  EXPECT_EQ(rule.timed(), 0U);
  rule.add(Millis{3});
  EXPECT_EQ(rule.latency().value.count(), 3);
  EXPECT_EQ(rule.latency().samples, 1);
  rule.add(Millis{5});
  rule.add(Millis{4});
  EXPECT_EQ(rule.samples(), (std::vector{Millis{3}, Millis{5}, Millis{4}})) << "in the order of the runs";
  rule.start();
  EXPECT_TRUE(rule.samples().empty());
}

TEST(StopRule, EndsAConstantAfterTheLeastNumberOfRuns) {
  StopRule rule(kTiming);
  const Latency latency = time(rule, [](int) { return 5.0; });
  EXPECT_EQ(latency.samples, 8);
  EXPECT_EQ(latency.value.count(), 5);
  EXPECT_EQ(latency.spread.count(), 0);
  EXPECT_EQ(latency.origin, Origin::kMeasured);
}

// Differences of runs: short, even negative, while it takes long to get them.
TEST(StopRule, CountsTheTimeThatASampleTook) {
  TimingOptions timing = kTiming;
  timing.warmup = 0;
  timing.precision = 0;
  timing.max_time = Millis{100};
  StopRule rule(timing);
  rule.start();
  int samples = 0;
  for (; !rule.done(); ++samples) rule.add(Millis{samples % 2 == 0 ? -0.5 : 0.1}, Millis{5});
  EXPECT_EQ(samples, 20);
  EXPECT_NEAR(rule.latency().value.count(), -0.2, 1e-12);
}

// Fewer than six samples have no interval.
TEST(StopRule, TakesSixSamplesToBePrecise) {
  TimingOptions timing = kTiming;
  timing.repeats = 1;
  StopRule rule(timing);
  EXPECT_EQ(time(rule, [](int) { return 5.0; }).samples, 6);
}

TEST(StopRule, GoesOnForTheTimeFloor) {
  TimingOptions timing = kTiming;
  timing.min_time = Millis{100};
  StopRule rule(timing);
  EXPECT_EQ(time(rule, [](int) { return 4.0; }).samples, 25);
  EXPECT_EQ(time(rule, [](int) { return 50.0; }).samples, 8);
  EXPECT_EQ(time(rule, [](int) { return 0.001; }).samples, 200);  // max_repeats comes first
}

TEST(StopRule, TakesMoreSamplesWhereThereIsMoreNoise) {
  StopRule rule(kTiming);
  Samples source(3);
  const std::int64_t calm = time(rule, [&](int) { return source.bell(10, 0.05).count(); }).samples;
  const std::int64_t noisy = time(rule, [&](int) { return source.bell(10, 0.5).count(); }).samples;
  EXPECT_LT(calm, 12);
  EXPECT_GT(noisy, 2 * calm);
  EXPECT_LT(noisy, 200);
}

// A processor that changes between two clock rates with every run.
double two_rates(int run) { return run % 2 == 0 ? 10 : 20; }

TEST(StopRule, GivesUpOnTwoPeaksAtTheLimit) {
  StopRule rule(kTiming);
  const Latency latency = time(rule, two_rates);
  EXPECT_EQ(latency.samples, 200);
  EXPECT_EQ(latency.spread.count(), 5);  // half the way between the peaks
}

// Early luck may hide one of the peaks from the median, but not from the spread.
TEST(StopRule, ShowsTwoPeaksAsSpread) {
  StopRule rule(kTiming);
  Samples source(4);
  const Latency latency = time(rule, [&](int) { return source.two_peaks(10, 20, 0.5).count(); });
  EXPECT_NEAR(latency.spread.count(), 5, 0.2);
}

TEST(StopRule, GivesUpAfterMaxTime) {
  TimingOptions timing = kTiming;
  timing.max_time = Millis{300};
  StopRule rule(timing);
  EXPECT_EQ(time(rule, two_rates).samples, 20);
  EXPECT_EQ(time(rule, [](int) { return 1000.0; }).samples, 8);  // the least number comes first
}

// A machine that slows down all the time does not get a precise median early, and the spread shows the way it went.
TEST(StopRule, ShowsDriftAsSpread) {
  StopRule rule(kTiming);
  const Latency latency = time(rule, [](int run) { return 10 * (1 + 0.01 * run); });
  EXPECT_GT(latency.samples, 20);
  EXPECT_GT(latency.spread / latency.value, 0.05);
}

TEST(StopRule, ForgivesOneOutlierInTwenty) {
  TimingOptions timing = kTiming;
  timing.repeats = 20;
  StopRule rule(timing);
  Samples source(5);
  const Latency latency = time(rule, [&](int run) { return run == 7 ? 900.0 : source.bell(10, 0.3).count(); });
  EXPECT_NEAR(latency.value.count(), 10, 0.3);
  EXPECT_LT(latency.spread.count(), 1);
}

// Looking at the interval after every run and ending when it is narrow costs some of its 95 %. It must stay small.
TEST(StopRule, EndsNearTheTrueMedian) {
  StopRule rule(kTiming);
  Samples source(6);
  constexpr int kExperiments = 1000;
  int near = 0;
  for (int i = 0; i < kExperiments; ++i) {
    const Latency latency = time(rule, [&](int) { return source.bell(10, 0.5).count(); });
    if (std::abs(latency.value.count() - 10) <= 0.02 * 10) ++near;
  }
  EXPECT_GE(near, kExperiments * 85 / 100);
}

TEST(StopRule, StartForgetsThePlanBefore) {
  StopRule rule(kTiming);
  time(rule, [](int) { return 100.0; });
  const Latency latency = time(rule, [](int run) { return run < 2 ? 77.0 : 1.0; });
  EXPECT_EQ(latency.value.count(), 1);
  EXPECT_EQ(latency.spread.count(), 0);
  EXPECT_EQ(latency.samples, 8);
}

TEST(StopRule, TakesAtLeastOneSampleWhateverTheOptions) {
  StopRule rule({.warmup = -3, .repeats = -1, .max_repeats = 0, .min_time = Millis{-1}, .precision = -1});
  EXPECT_EQ(time(rule, [](int) { return 2.0; }).samples, 1);
  StopRule more({.warmup = 0, .repeats = 50, .max_repeats = 3, .min_time = Millis{1e9}});
  EXPECT_EQ(time(more, [](int) { return 2.0; }).samples, 3);
}

}  // namespace
}  // namespace iosx
