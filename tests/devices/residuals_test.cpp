#include "core/devices/simulated/residuals.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace iosx::simulated {
namespace {

KernelForm conv_form(std::int64_t channels) {
  Conv conv;
  conv.out_channels = channels;
  return KernelForm{.attributes = conv, .batch = 1, .output = Shape{channels, 14, 14}, .reads = {{Shape{64, 14, 14}}}};
}

TEST(Residuals, AreOfTheSpreadAndTheSameEveryTime) {
  constexpr int kDraws = 4000;
  double sum = 0;
  double squares = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    const double log = std::log(residual_factor(conv_form(128), 30, draw));
    EXPECT_EQ(log, std::log(residual_factor(conv_form(128), 30, draw)));
    sum += log;
    squares += log * log;
  }
  const double spread = residual_spread(ResidualKind::kConvolution, 30);
  EXPECT_NEAR(sum / kDraws, 0, 4 * spread / std::sqrt(kDraws));
  EXPECT_NEAR(std::sqrt(squares / kDraws), spread, 0.05 * spread);
}

TEST(Residuals, OfDifferentKernelsAreIndependent) {
  constexpr int kDraws = 4000;
  double products = 0;
  for (std::uint64_t draw = 0; draw < kDraws; ++draw) {
    products +=
        std::log(residual_factor(conv_form(128), 30, draw)) * std::log(residual_factor(conv_form(129), 30, draw));
  }
  const double spread = residual_spread(ResidualKind::kConvolution, 30);
  EXPECT_NEAR(products / kDraws / (spread * spread), 0, 0.07);
}

TEST(Residuals, SortKernelsByWhatWasMeasured) {
  EXPECT_EQ(residual_kind(Conv{}), ResidualKind::kConvolution);
  EXPECT_EQ(residual_kind(Linear{}), ResidualKind::kMatrix);
  EXPECT_EQ(residual_kind(Softmax{}), ResidualKind::kRows);
  EXPECT_EQ(residual_kind(Pool{}), ResidualKind::kStream);
  EXPECT_GT(residual_spread(ResidualKind::kMatrix, 5), residual_spread(ResidualKind::kMatrix, 5000));
}

}  // namespace
}  // namespace iosx::simulated
