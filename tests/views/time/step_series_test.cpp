#include "views/time/step_series.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace iosx {
namespace {

// Arbitrary, but the same in every run.
StepSeries some_series(std::size_t count) {
  std::vector<Micros> times;
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    times.emplace_back(5 + static_cast<double>(i));
    values.push_back(static_cast<double>((i * 0x9E3779B97F4A7C15ULL) >> 54));
  }
  return {std::move(times), std::move(values), Micros(5 + static_cast<double>(count))};
}

TEST(StepSeries, MeansAndExtremesAreThoseOfTheValues) {
  const StepSeries series = some_series(500);
  for (const auto& [begin, end] :
       {std::pair(5.0, 505.0), {100.0, 101.0}, {100.25, 100.75}, {77.5, 390.5}, {5.0, 70.0}}) {
    double area = 0;
    double least = 1e9;
    double most = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double from = std::max(begin, series.times()[i].count());
      const double to = std::min(end, series.times()[i].count() + 1);
      if (to <= from) continue;
      area += series.values()[i] * (to - from);
      least = std::min(least, series.values()[i]);
      most = std::max(most, series.values()[i]);
    }
    EXPECT_NEAR(series.area(Micros(begin), Micros(end)), area, 1e-6);
    EXPECT_NEAR(series.mean(Micros(begin), Micros(end)), area / (end - begin), 1e-6);
    EXPECT_EQ(series.least_and_most(Micros(begin), Micros(end)), std::pair(least, most));
  }
}

TEST(StepSeries, MeansOfAllColumnsAreThoseOfEach) {
  const StepSeries series = some_series(3000);
  for (const double column : {0.3, 7.1, 100.0}) {
    std::vector<Micros> edges;
    for (double at = -20; at < 3100; at += column) edges.emplace_back(at);
    edges.push_back(edges.back());  // an empty one
    const std::vector<double> means = series.means(edges);
    ASSERT_EQ(means.size(), edges.size() - 1);
    for (std::size_t i = 0; i < means.size(); ++i) {
      EXPECT_NEAR(means[i], series.mean(edges[i], edges[i + 1]), 1e-6) << i;
    }
  }
  EXPECT_TRUE(series.means({}).empty());
}

TEST(StepSeries, ColumnsAreSeenWithTheirExtremes) {
  const StepSeries series = some_series(3000);
  const TimeRange range{Micros(7.5), Micros(2900)};
  constexpr std::size_t kColumns = 37;
  const Micros column = range.length() / static_cast<double>(kColumns);
  const auto seen = series.seen(range, kColumns);
  ASSERT_EQ(seen.size(), 2 * kColumns + 1);
  for (std::size_t i = 0; i < kColumns; ++i) {
    const Micros begin = range.begin + column * static_cast<double>(i);
    const auto [least, most] = series.least_and_most(begin, begin + column);
    EXPECT_EQ(seen[2 * i].value, most) << i;
    EXPECT_EQ(seen[2 * i + 1].value, least) << i;
  }
}

TEST(StepSeries, IsNothingOutsideItsTime) {
  const StepSeries series = some_series(10);
  EXPECT_EQ(series.at(Micros(4)), 0);
  EXPECT_EQ(series.at(Micros(5)), series.values()[0]);
  EXPECT_EQ(series.at(Micros(15)), 0);
  EXPECT_EQ(series.mean(Micros(0), Micros(4)), 0);
  EXPECT_NEAR(series.mean(Micros(0), Micros(6)), series.values()[0], 1e-9);  // of what is there
  EXPECT_TRUE(series.seen({Micros(20), Micros(30)}, 10).empty());
  const StepSeries nothing;
  EXPECT_EQ(nothing.mean(Micros(0), Micros(1)), 0);
  EXPECT_TRUE(nothing.seen({Micros(0), Micros(1)}, 10).empty());
}

TEST(StepSeries, IsSeenStepByStepOrByColumns) {
  const StepSeries series = some_series(1000);
  const auto close = series.seen({Micros(10), Micros(20)}, 100);
  ASSERT_EQ(close.size(), 11U);  // ten steps, and where the picture ends
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(close[i].value, series.at(Micros(10 + static_cast<double>(i))));
  const auto far = series.seen({Micros(0), Micros(1100)}, 50);
  EXPECT_LE(far.size(), 101U);
  double most = 0;
  for (std::size_t i = 0; i < far.size(); ++i) {
    most = std::max(most, far[i].value);
    if (i > 0) {
      EXPECT_LT(far[i - 1].time, far[i].time);
    }
  }
  EXPECT_EQ(most, series.most());
  EXPECT_EQ(far.back().value, 0);
  EXPECT_EQ(far.back().time, series.end());
}

}  // namespace
}  // namespace iosx
