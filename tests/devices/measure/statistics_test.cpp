#include "core/devices/measure/statistics.h"
#include "core/devices/measure/stop_rule.h"
#include "tests/devices/measure/samples.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::Samples;

std::vector<Millis> millis(std::initializer_list<double> values) {
  return mapped<Millis>(values, [](const double value) { return Millis(value); });
}

std::vector<Millis> one_to(int count) {
  std::vector<Millis> samples;
  for (int i = count; i >= 1; --i) samples.emplace_back(i);
  return samples;
}

TEST(Median, IsTheMiddleOrTheMeanOfTwo) {
  EXPECT_EQ(median(millis({7})).count(), 7);
  EXPECT_EQ(median(millis({3, 1, 2})).count(), 2);
  EXPECT_EQ(median(millis({4, 1, 3, 2})).count(), 2.5);
  EXPECT_EQ(median(millis({1, 1000, 1})).count(), 1);
}

// The ranks in published tables of the sign test's interval.
TEST(MedianInterval, HasTheRanksOfTheTables) {
  struct Row {
    int samples, low, high;
  };
  for (const Row row : {Row{6, 1, 6}, Row{7, 1, 7}, Row{8, 1, 8}, Row{9, 2, 8}, Row{10, 2, 9}, Row{15, 4, 12},
                        Row{20, 6, 15}, Row{25, 8, 18}, Row{50, 18, 33}, Row{99, 40, 60}, Row{100, 40, 61}}) {
    const auto interval = median_interval(one_to(row.samples));
    ASSERT_TRUE(interval) << row.samples;
    EXPECT_EQ(interval->low.count(), row.low) << row.samples;
    EXPECT_EQ(interval->high.count(), row.high) << row.samples;
  }
}

TEST(MedianInterval, NeedsSixSamples) {
  for (int count = 1; count < 6; ++count) EXPECT_FALSE(median_interval(one_to(count))) << count;
}

TEST(MedianInterval, OfAConstantIsAPoint) {
  const std::vector<Millis> constant(30, Millis{4});
  EXPECT_EQ(median_interval(constant)->half_width().count(), 0);
  EXPECT_EQ(bulk(constant).half_width().count(), 0);
}

// How often the interval holds the true median, over 4,000 experiments of one size: at least 95 %, with room for the
// chance of the experiment itself (three deviations are 1 %), and not so much more that it tells nothing.
double coverage(std::size_t samples, const std::function<Millis(Samples&)>& draw, double true_median) {
  Samples source(samples);
  constexpr int kExperiments = 4000;
  int held = 0;
  for (int i = 0; i < kExperiments; ++i) {
    std::vector<Millis> drawn;
    for (std::size_t s = 0; s < samples; ++s) drawn.push_back(draw(source));
    const Interval interval = *median_interval(drawn);
    if (interval.low.count() <= true_median && true_median <= interval.high.count()) ++held;
  }
  return static_cast<double>(held) / kExperiments;
}

TEST(MedianInterval, HoldsTheMedianAsOftenAsItSays) {
  for (const std::size_t samples : {6U, 7U, 12U, 31U, 64U, 101U, 200U}) {
    for (const double part : {coverage(
                                  samples, [](Samples& s) { return s.bell(10, 1); }, 10),
                              coverage(
                                  samples, [](Samples& s) { return s.tail(5, 2); }, 5 + 2 * std::log(2.0)),
                              coverage(
                                  samples, [](Samples& s) { return Millis{s.uniform()}; }, 0.5)}) {
      EXPECT_GE(part, 0.94) << samples;
      EXPECT_LE(part, 0.995) << samples;
    }
  }
}

TEST(Bulk, IsTheShortestWithNineteenOfTwenty) {
  std::vector<Millis> samples = one_to(19);
  EXPECT_EQ(bulk(samples).low.count(), 1);
  EXPECT_EQ(bulk(samples).high.count(), 19);  // nineteen cannot leave one out
  samples.emplace_back(1000);
  EXPECT_EQ(bulk(samples).high.count(), 19);  // twenty can
  samples.back() = Millis{-1000};
  EXPECT_EQ(bulk(samples).low.count(), 1);
  EXPECT_EQ(bulk(one_to(100)).half_width().count(), 47);  // 95 of them, the lowest such run
  EXPECT_EQ(bulk(one_to(100)).low.count(), 1);
  EXPECT_EQ(bulk(millis({3})).half_width().count(), 0);
  EXPECT_EQ(bulk(millis({3, 5})).half_width().count(), 1);
}

TEST(Bulk, OfABellIsAlmostTwoDeviations) {
  Samples source(1);
  std::vector<Millis> samples;
  for (int i = 0; i < 20'000; ++i) samples.push_back(source.bell(10, 1));
  EXPECT_NEAR(bulk(samples).half_width().count(), 1.96, 0.05);
}

TEST(LatencyOf, HasMedianSpreadAndCount) {
  const Latency latency = latency_of(millis({4, 2, 3, 9}), Origin::kMeasured);
  EXPECT_EQ(latency.value.count(), 3.5);
  EXPECT_EQ(latency.spread.count(), 3.5);
  EXPECT_EQ(latency.samples, 4);
  EXPECT_EQ(latency.origin, Origin::kMeasured);
}

using testing::Optional;

std::vector<Millis> shuffled_to(int last) {
  std::vector<Millis> samples;
  for (int i = 1; i <= last; ++i) samples.emplace_back(i);
  std::shuffle(samples.begin(), samples.end(), std::mt19937(3));
  return samples;
}

TEST(Percentiles, AreNearestRanks) {
  const Percentiles told = percentiles_of(shuffled_to(200));
  EXPECT_EQ(told.samples, 200U);
  EXPECT_THAT(told.p50, Optional(Millis(100.5)));
  EXPECT_THAT(told.p95, Optional(Millis(190)));
  EXPECT_THAT(told.p99, Optional(Millis(198)));
}

TEST(Percentiles, AreNotToldOfTooFewSamples) {
  EXPECT_FALSE(percentiles_of({}).p50);
  EXPECT_FALSE(percentiles_of(shuffled_to(1)).p50);
  EXPECT_THAT(percentiles_of(shuffled_to(2)).p50, Optional(Millis(1.5)));
  EXPECT_FALSE(percentiles_of(shuffled_to(19)).p95);
  EXPECT_THAT(percentiles_of(shuffled_to(20)).p95, Optional(Millis(19))) << "one lies beyond it";
  EXPECT_FALSE(percentiles_of(shuffled_to(99)).p99);
  EXPECT_THAT(percentiles_of(shuffled_to(100)).p99, Optional(Millis(99)));
}

// By their definition: at least so many per cent are not above it, and fewer are not above the next lower one.
TEST(Percentiles, HoldForAnySamples) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> times(0, 1);
  for (std::size_t count = 100; count < 400; count += 7) {
    std::vector<Millis> samples;
    for (std::size_t i = 0; i < count; ++i) samples.emplace_back(times(random));
    const Percentiles told = percentiles_of(samples);
    for (const auto& [percentile, percent] : {std::pair(*told.p95, 95U), std::pair(*told.p99, 99U)}) {
      const Millis value = percentile;
      const auto up_to = std::ranges::count_if(samples, [&](Millis sample) { return sample <= value; });
      const auto below = std::ranges::count_if(samples, [&](Millis sample) { return sample < value; });
      EXPECT_GE(static_cast<std::size_t>(up_to) * 100, percent * count);
      EXPECT_LT(static_cast<std::size_t>(below) * 100, percent * count);
    }
  }
}

TEST(Samples, AreThinnedEvenly) {
  const std::vector<Millis> few{Millis(3), Millis(1)};
  EXPECT_EQ(thinned(few, 2), few);
  std::vector<Millis> many;
  for (int i = 0; i < 10; ++i) many.emplace_back(i);
  EXPECT_THAT(thinned(many, 5), ElementsAre(Millis(0), Millis(2), Millis(4), Millis(6), Millis(8)));
  EXPECT_EQ(thinned(many, 4).size(), 4U);
}

std::size_t counted(const Histograms::One& one) {
  return std::accumulate(one.counts.begin(), one.counts.end(), one.beyond);
}

TEST(Histograms, CountEverySampleOnce) {
  std::mt19937 random(5);
  std::normal_distribution<double> fast(4, 0.1);
  std::normal_distribution<double> slow(6, 0.5);
  std::vector<std::vector<Millis>> each(3);
  for (int i = 0; i < 500; ++i) each[0].emplace_back(fast(random));
  for (int i = 0; i < 30; ++i) each[2].emplace_back(slow(random));
  const Histograms made = histograms_of(each);
  ASSERT_EQ(made.of.size(), 3U);
  EXPECT_EQ(counted(made.of[0]), 500U);
  EXPECT_TRUE(made.of[1].counts.empty()) << "it has no samples";
  EXPECT_EQ(counted(made.of[2]), 30U);
  EXPECT_EQ(made.of[0].counts.size(), made.of[2].counts.size()) << "one axis";
  EXPECT_GE(made.bins, 24U);
  EXPECT_LE(made.bins, 160U);
  // A bin's samples are those between its edges.
  for (std::size_t bin = 0; bin + 1 < made.bins; ++bin) {
    const Millis low = made.begin + made.width * static_cast<double>(bin);
    const auto within =
        std::ranges::count_if(each[0], [&](Millis sample) { return sample >= low && sample < low + made.width; });
    EXPECT_NEAR(static_cast<double>(made.of[0].counts[bin]), static_cast<double>(within), 1);
  }
}

TEST(Histograms, FarOutliersDoNotSqueezeTheRest) {
  std::vector<std::vector<Millis>> each{shuffled_to(200)};
  each[0].emplace_back(1e6);
  const Histograms made = histograms_of(each);
  EXPECT_LT(made.end().count(), 1000);
  EXPECT_EQ(made.of[0].beyond, 1U);
  EXPECT_EQ(made.of[0].highest, Millis(1e6));
  EXPECT_GE(made.end() + made.width, *percentiles_of(each[0]).p99) << "what is told is on the axis";
}

TEST(Histograms, OfWhatIsAlwaysTheSameAreOneBin) {
  const Histograms made = histograms_of(std::vector<std::vector<Millis>>{std::vector<Millis>(50, Millis(2.5))});
  EXPECT_THAT(made.of[0].counts, ElementsAre(50U));
  EXPECT_GT(made.width, Millis(0));
  const Histograms zero = histograms_of(std::vector<std::vector<Millis>>{std::vector<Millis>(3, Millis(0))});
  EXPECT_THAT(zero.of[0].counts, ElementsAre(3U));
  EXPECT_GT(zero.width, Millis(0));
}

TEST(Histograms, OfNothingHaveNoBins) {
  EXPECT_EQ(histograms_of({}).bins, 0U);
  const Histograms made = histograms_of(std::vector<std::vector<Millis>>(2));
  EXPECT_EQ(made.bins, 0U);
  EXPECT_EQ(made.of.size(), 2U);
}

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
  EXPECT_NEAR(time(rule, [&](int) { return source.two_peaks(10, 20, 0.5).count(); }).spread.count(), 5, 0.2);
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
