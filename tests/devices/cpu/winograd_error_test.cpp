#include "core/devices/cpu/winograd_error.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace iosx::cpu {
namespace {

std::vector<float> random_weights(std::int64_t out, std::int64_t in) {
  std::mt19937 generator(1);
  std::normal_distribution<float> normal(0, 0.05F);
  std::vector<float> weights(static_cast<std::size_t>(out * in * 9));
  for (float& weight : weights) weight = normal(generator);
  return weights;
}

TEST(WinogradError, IsAFewMillionthsOfOrdinaryWeights) {
  for (const std::int64_t channels : {8, 64, 200}) {
    const double error = winograd_error(random_weights(40, channels), 40, channels);
    EXPECT_GT(error, 1e-8) << channels;
    EXPECT_LT(error, 3e-6) << channels;
    EXPECT_EQ(winograd_error(random_weights(40, channels), 40, channels), error) << "the sample is the same";
  }
  EXPECT_EQ(winograd_error(std::vector<float>(9), 1, 1), 0) << "zeros";
}

TEST(WinogradError, IsAskedForOnceALayer) {
  WinogradLayers layers;
  auto parameters = std::make_shared<const Parameters>();
  const std::vector<OperatorId> first{OperatorId(0)};
  const std::vector<OperatorId> merged{OperatorId(0), OperatorId(1)};
  int asked = 0;
  const auto answer = [&](bool accurate) {
    return [&asked, accurate] {
      ++asked;
      return accurate;
    };
  };
  EXPECT_FALSE(layers.accurate(parameters, first, answer(false)));
  EXPECT_FALSE(layers.accurate(parameters, first, answer(true)));
  EXPECT_TRUE(layers.accurate(parameters, merged, answer(true)));
  EXPECT_EQ(asked, 2);
  parameters = std::make_shared<const Parameters>();
  EXPECT_TRUE(layers.accurate(parameters, first, answer(true)));
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace iosx::cpu
