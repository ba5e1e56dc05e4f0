#include "views/time/time_axis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace iosx {
namespace {

// Ranges from nanoseconds to seconds, at several offsets and widths.
std::vector<TimeAxis> many_axes() {
  std::vector<TimeAxis> axes;
  for (const double begin : {-5.0, 0.0, 3.25, 4000.0, 2.5e6}) {
    for (const double length : {0.02, 1.0, 37.0, 980.0, 8500.0, 1e6}) {
      for (const double width : {40.0, 333.0, 1400.0, 3800.0}) {
        axes.push_back({{Micros(begin), Micros(begin + length)}, 220, width});
      }
    }
  }
  return axes;
}

TEST(TimeAxis, PixelsAndTimesAreInverse) {
  for (const TimeAxis& axis : many_axes()) {
    for (const double x : {220.0, 221.5, 300.0, 1000.0}) EXPECT_NEAR(axis.x(axis.time(x)), x, 1e-3);
    EXPECT_NEAR(axis.x(axis.range.begin), axis.left, 1e-9);
    EXPECT_NEAR(axis.x(axis.range.end), axis.right(), 1e-6);
    EXPECT_NEAR(axis.pixels(axis.duration(17)), 17, 1e-9);
  }
}

TEST(TimeAxis, ZoomKeepsTheAnchorInPlaceAndUndoesItself) {
  for (TimeAxis axis : many_axes()) {
    const double x = axis.left + axis.width / 3;
    const Micros anchor = axis.time(x);
    const TimeRange before = axis.range;
    axis.range = zoomed(axis.range, anchor, 0.8);
    EXPECT_NEAR(axis.x(anchor), x, 1e-3);
    EXPECT_NEAR(axis.range.length() / before.length(), 0.8, 1e-6);
    axis.range = zoomed(axis.range, anchor, 1 / 0.8);
    EXPECT_NEAR((axis.range.begin - before.begin) / before.length(), 0, 1e-6);
  }
}

TEST(TimeAxis, ClampedRangesLieInsideAndKeepTheirLengthWherePossible) {
  const TimeRange extent{Micros(0), Micros(100)};
  for (double begin = -250; begin < 250; begin += 7.5) {
    for (const double length : {0.0, 0.1, 5.0, 60.0, 100.0, 400.0}) {
      const TimeRange range = clamped({Micros(begin), Micros(begin + length)}, extent, Micros(1));
      EXPECT_GE(range.begin, extent.begin);
      EXPECT_LE(range.end, extent.end);
      EXPECT_NEAR(range.length().count(), std::clamp(length, 1.0, 100.0), 1e-9);
      EXPECT_EQ(clamped(range, extent, Micros(1)), range);
    }
  }
}

TEST(TimeAxis, TicksAreNiceInsideApartAndLabelledWithoutRepeats) {
  for (const TimeAxis& axis : many_axes()) {
    const Micros step = axis.step(80);
    const double mantissa = step.count() / std::pow(10, std::floor(std::log10(step.count()) + 1e-9));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6);
    EXPECT_GE(axis.pixels(step), 80 * (1 - 1e-6));
    EXPECT_LE(axis.pixels(step), 80 * 2.5 * (1 + 1e-6));
    const auto ticks = axis.ticks(80);
    EXPECT_LE(ticks.size(), static_cast<std::size_t>(axis.width / 80) + 2);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      EXPECT_GE(axis.x(ticks[i].time), axis.left - 0.01);
      EXPECT_LE(axis.x(ticks[i].time), axis.right() + 0.01);
      if (i > 0) {
        EXPECT_NE(ticks[i].label, ticks[i - 1].label);
      }
    }
  }
}

TEST(TimeAxis, UnitsFollowTheZoom) {
  const TimeAxis wide{{Micros(0), Micros(4000)}, 0, 800};
  EXPECT_EQ(wide.unit(80), AxisUnit::kMillis);
  EXPECT_EQ(wide.ticks(80)[1].label, "0.5");
  const TimeAxis close{{Micros(1000), Micros(1100)}, 0, 800};
  EXPECT_EQ(close.unit(80), AxisUnit::kMicros);
  EXPECT_EQ(close.ticks(80)[1].label, "1010");
  const TimeAxis closer{{Micros(0), Micros(1)}, 0, 800};
  EXPECT_EQ(closer.ticks(80)[1].label, "0.1");
}

TEST(TimeAxis, DegenerateAxesHaveNoTicks) {
  EXPECT_TRUE((TimeAxis{{Micros(5), Micros(5)}, 0, 800}.ticks(80).empty()));
  EXPECT_TRUE((TimeAxis{{Micros(0), Micros(5)}, 0, 0}.ticks(80).empty()));
}

}  // namespace
}  // namespace iosx
