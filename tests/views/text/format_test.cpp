#include "views/text/format.h"

#include <gtest/gtest.h>

namespace iosx {
namespace {

TEST(Format, Numbers) {
  EXPECT_EQ(format::millis(Millis(0.82345)), QStringLiteral("0.823"));
  EXPECT_EQ(format::millis(Millis(123.456)), QStringLiteral("123.46"));
  EXPECT_EQ(format::millis(Millis(12345.67)), QStringLiteral("12345.7"));
  EXPECT_EQ(format::percent(0.1234), QStringLiteral("12.3"));
  EXPECT_EQ(format::count(7), QStringLiteral("7"));
  EXPECT_EQ(format::count(-1234567).remove(QChar(0x2009)), QStringLiteral("-1234567"));
  EXPECT_EQ(format::count(-1234567).size(), 10);
  EXPECT_EQ(format::count(123), QStringLiteral("123"));
  EXPECT_EQ(format::flops(1.234e9).replace(QChar(0x00A0), QLatin1Char(' ')), QStringLiteral("1.23 GFLOP"));
  EXPECT_EQ(format::bytes(34567890).replace(QChar(0x00A0), QLatin1Char(' ')), QStringLiteral("34.6 MB"));
  EXPECT_EQ(format::bytes(512).replace(QChar(0x00A0), QLatin1Char(' ')), QStringLiteral("512 B"));
  EXPECT_EQ(format::shape({384, 15, 15}), QStringLiteral("384 × 15 × 15"));
  EXPECT_EQ(format::elapsed(Seconds(3.14)), QStringLiteral("3.1 s"));
  EXPECT_EQ(format::elapsed(Seconds(65)), QStringLiteral("1 min 05 s"));
}

TEST(Format, AnybodysNumbers) {
  EXPECT_EQ(format::number(0), QStringLiteral("0"));
  EXPECT_EQ(format::number(0.123456), QStringLiteral("0.1235"));
  EXPECT_EQ(format::number(-2.5), QChar(0x2212) + QStringLiteral("2.5"));
  EXPECT_EQ(format::number(123456.7).remove(QChar(0x2009)), QStringLiteral("123457"));
  EXPECT_EQ(format::number(1.25e12), QStringLiteral("1.25e+12"));
  EXPECT_EQ(format::number(3e-9), QStringLiteral("3e-09"));
}

}  // namespace
}  // namespace iosx
