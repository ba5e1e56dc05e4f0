#include "core/model/trace/trace.h"

#include <gtest/gtest.h>

namespace iosx {
namespace {

Counter steps() { return Counter{"active warps", "warps", 100, {Micros(0), Micros(2), Micros(5)}, {10, 40, 0}}; }

TEST(Counter, AreaOfWholeAndOfWindows) {
  const Counter counter = steps();
  EXPECT_DOUBLE_EQ(counter.area(Micros(0), Micros(10)), 10 * 2 + 40 * 3);
  EXPECT_DOUBLE_EQ(counter.area(Micros(1), Micros(3)), 10 * 1 + 40 * 1);
  EXPECT_DOUBLE_EQ(counter.area(Micros(5), Micros(10)), 0);
  EXPECT_DOUBLE_EQ(counter.area(Micros(3), Micros(3)), 0);
}

TEST(Counter, MeanIsTimeWeighted) {
  EXPECT_DOUBLE_EQ(steps().mean(Micros(0), Micros(5)), 140.0 / 5);
  EXPECT_DOUBLE_EQ(steps().mean(Micros(4), Micros(4)), 0);
}

TEST(Counter, LastValueHoldsToTheEndAndNothingBeforeTheFirst) {
  const Counter counter{"n", "u", 1, {Micros(2)}, {3}};
  EXPECT_DOUBLE_EQ(counter.area(Micros(0), Micros(4)), 6);
  EXPECT_DOUBLE_EQ(Counter{}.area(Micros(0), Micros(4)), 0);
}

}  // namespace
}  // namespace iosx
