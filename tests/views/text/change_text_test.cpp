#include "views/text/change_text.h"

#include <gtest/gtest.h>

namespace iosx {
namespace {

TEST(ChangeNumber, HasASignAndAsManyDecimalsAsAsked) {
  EXPECT_EQ(change_number(Millis(-0.624), 2), QString::fromUtf8("\u22120.62"));
  EXPECT_EQ(change_number(Millis(0.031), 2), "+0.03");
  EXPECT_EQ(change_number(Millis(-0.0004), 2), "0");
  EXPECT_EQ(change_number(Millis(0), 2), "0");
}

TEST(ChangeDecimals, ShowTwoDigitsOfTheLargest) {
  EXPECT_EQ(change_decimals(Millis(-0.62)), 2);
  EXPECT_EQ(change_decimals(Millis(0.062)), 3);
  EXPECT_EQ(change_decimals(Millis(5)), 2);
  EXPECT_EQ(change_decimals(Millis(12)), 1);
  EXPECT_EQ(change_decimals(Millis(123)), 0);
  EXPECT_EQ(change_decimals(Millis(1e-12)), 6);
  EXPECT_EQ(change_decimals(Millis(0)), 2);
}

}  // namespace
}  // namespace iosx
