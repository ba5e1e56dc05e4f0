#include "tests/gpu/support/host_convolutions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/gpu/support/host_numbers.h"

namespace iosx::gpu::test {
namespace {

TEST(HostNumbers, RoundToTheNearest) {
  const auto through = [](DataType type, float value) {
    std::uint32_t memory = 0;
    store(&memory, type, 0, value);
    return load(&memory, type, 0);
  };
  for (const DataType type : {DataType::kFloat32, DataType::kFloat16, DataType::kBfloat16}) {
    for (const float value : {0.0F, 1.0F, -2.5F, 0.0078125F, 3.0F}) EXPECT_EQ(through(type, value), value);
    EXPECT_TRUE(std::isnan(through(type, std::numeric_limits<float>::quiet_NaN())));
    EXPECT_EQ(through(type, INFINITY), INFINITY);
  }
  EXPECT_EQ(through(DataType::kFloat16, 1 + std::ldexp(1.0F, -11)), 1);  // ties to even
  EXPECT_EQ(through(DataType::kFloat16, 1 + 3 * std::ldexp(1.0F, -11)), 1 + std::ldexp(1.0F, -9));
  EXPECT_EQ(through(DataType::kFloat16, 65504), 65504);
  EXPECT_EQ(through(DataType::kFloat16, 65520), INFINITY);
  EXPECT_EQ(through(DataType::kFloat16, std::ldexp(3.0F, -24)), std::ldexp(3.0F, -24));
  EXPECT_EQ(through(DataType::kFloat16, std::ldexp(1.0F, -14)), std::ldexp(1.0F, -14));
  EXPECT_EQ(through(DataType::kFloat16, std::ldexp(1.0F, -26)), 0);
  EXPECT_EQ(through(DataType::kBfloat16, 1 + std::ldexp(1.0F, -8)), 1);
  EXPECT_EQ(through(DataType::kBfloat16, 1 + 3 * std::ldexp(1.0F, -8)), 1 + std::ldexp(1.0F, -6));
}

ConvProblem problem() {
  ConvProblem p;
  p.math = Math::kStrict;
  p.channels = 2;
  p.input = {1, 3};
  p.out_channels = 1;
  p.output = {1, 3};
  p.kernel = {1, 2};
  p.padding = {0, 1};
  p.padding_end = {0, 0};
  p.x.pitch = 2;
  p.y.pitch = 2;
  p.bias = true;
  return p;
}

// Numbers worked out by hand.
TEST(HostConvolutions, ComputesSlicesWithBiasResidualAndActivation) {
  ConvProblem p = problem();
  p.residual = true;
  p.z.pitch = 1;
  p.activation = Activation::kRelu;
  const std::vector<float> x{1, 2, 3, 4, 5, 6};
  const std::vector<float> weights{1, 10, 100, 1000};  // tap 0: 1, 10; tap 1: 100, 1000
  const std::vector<float> bias{-2000};
  const std::vector<float> residual{0.5F, -5000, 0.25F};
  std::vector<float> y(5, 7);
  convolve(p, {x.data(), weights.data(), bias.data(), residual.data(), y.data(), nullptr});
  EXPECT_EQ(y, (std::vector<float>{100.5F, 7, 0, 7, 3 + 40 + 500 + 6000 - 2000 + 0.25F}));
}

// x = (a, b): each spreads over three pixels of y, of which the first is cropped.
TEST(HostConvolutions, ComputesTransposedOnes) {
  ConvProblem p;
  p.math = Math::kStrict;
  p.transposed = true;
  p.channels = p.out_channels = 2;
  p.groups = 2;
  p.input = {1, 2};
  p.output = {1, 4};
  p.kernel = {1, 3};
  p.stride = {1, 2};
  p.padding = {0, 1};
  p.x.pitch = p.y.pitch = 2;
  const std::vector<float> x{1, 10, 2, 20};
  const std::vector<float> weights{1, 2, 3, 1, 1, 1};  // of channel 0, then 1
  std::vector<float> y(8);
  convolve(p, {x.data(), weights.data(), nullptr, nullptr, y.data(), nullptr});
  EXPECT_EQ(y, (std::vector<float>{2, 10, 3 + 2, 10 + 20, 4, 20, 6, 20}));
}

TEST(HostConvolutions, RefusesWhatItIsTold) {
  ConvProblem p = problem();
  EXPECT_EQ(HostConvolutions().plans(p).size(), 2U);
  EXPECT_TRUE(HostConvolutions({.slices = false}).plans(p).empty());
  p.y.pitch = 1;
  EXPECT_EQ(HostConvolutions({.slices = false}).plans(p).size(), 2U);
  p.residual = true;
  p.z.pitch = 1;
  EXPECT_TRUE(HostConvolutions({.residuals = false}).plans(p).empty());
  p.activation = Activation::kRelu;
  EXPECT_TRUE(HostConvolutions({.activations = false}).plans(p).empty());
  EXPECT_FALSE(HostConvolutions({.activations = false}).fuses(Activation::kRelu));
  EXPECT_EQ(HostConvolutions().plans(p).size(), 2U);
}

TEST(HostConvolutions, RestoresItsPlans) {
  HostConvolutions library;
  for (const ConvPlanPtr& plan : library.plans(problem())) {
    const ConvPlanPtr again = library.restore(problem(), plan->serialised());
    ASSERT_NE(again, nullptr);
    EXPECT_EQ(again->name(), plan->name());
    EXPECT_EQ(again->problem(), problem());
  }
  EXPECT_EQ(library.restore(problem(), "host 0 engine 1"), nullptr);
}

}  // namespace
}  // namespace iosx::gpu::test
