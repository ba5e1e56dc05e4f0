#include "core/devices/measure/statistics.h"

#include <gtest/gtest.h>

#include <array>
#include <functional>

#include "tests/devices/measure/samples.h"

namespace iosx {
namespace {

using test::Samples;

std::vector<Millis> millis(std::initializer_list<double> values) {
  std::vector<Millis> samples;
  for (const double value : values) samples.emplace_back(value);
  return samples;
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

}  // namespace
}  // namespace iosx
