#include "core/search/big_count.h"

#include <gtest/gtest.h>

#include "core/search/state_space.h"

namespace iosx {
namespace {

TEST(BigCount, PrintsDecimals) {
  EXPECT_EQ(BigCount().decimal(), "0");
  EXPECT_EQ(BigCount(10).decimal(), "10");
  EXPECT_EQ(BigCount(18446744073709551615U).decimal(), "18446744073709551615");
}

TEST(BigCount, CarriesThroughEveryLimb) {
  BigCount power(1);
  for (int i = 0; i < 331; ++i) {
    const BigCount twice = power;
    power += twice;
  }
  EXPECT_EQ(power.decimal(),
            "4374501449566023848745004454235242730706338861786424872851541212819905998398751846447026354046107648");
  BigCount almost(18446744073709551615U);
  almost += almost;
  almost += BigCount(2);
  EXPECT_EQ(almost.decimal(), "36893488147419103232");  // 2^65
}

TEST(BigCount, CountsTheSchedulesOfIndependentUnits) {
  // Ordered partitions of n units: the Fubini numbers, OEIS A000670.
  const std::vector<UnitSet> predecessors(12, 0);
  const auto counted = count(PartGraph(predecessors), EndingRule::kConnected, {0, 0});
  ASSERT_TRUE(counted.has_value());
  EXPECT_EQ(counted->schedules, "28091567595");
  EXPECT_EQ(counted->states, 4095);
  EXPECT_EQ(counted->transitions, 527345);  // 3^12 - 2^12
}

TEST(BigCount, CountsTheSchedulesOfTheLongestChain) {
  std::vector<UnitSet> predecessors(64, 0);
  for (std::size_t i = 1; i < 64; ++i) predecessors[i] = singleton(i - 1);
  const auto counted = count(PartGraph(predecessors), EndingRule::kConnected, {0, 0});
  ASSERT_TRUE(counted.has_value());
  EXPECT_EQ(counted->schedules, "9223372036854775808");  // 2^63: cut or not after each unit but the last
  EXPECT_EQ(counted->states, 64);
  EXPECT_EQ(counted->transitions, 64 * 65 / 2);
}

}  // namespace
}  // namespace iosx
