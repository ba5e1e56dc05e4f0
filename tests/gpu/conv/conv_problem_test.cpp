#include "gpu/ops/conv/conv_problem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>
#include <vector>

#include "tests/gpu/conv/problems.h"

namespace iosx::gpu {
namespace {

TEST(ConvProblem, MathHasADataType) {
  EXPECT_EQ(data_type(Math::kTf32), DataType::kFloat32);
  EXPECT_EQ(data_type(Math::kStrict), DataType::kFloat32);
  EXPECT_EQ(data_type(Math::kHalf), DataType::kFloat16);
  EXPECT_EQ(data_type(Math::kBfloat16), DataType::kBfloat16);
}

// Each differs from conv3x3 in one field, and no two alike.
std::vector<ConvProblem> neighbours() {
  const std::vector<std::function<void(ConvProblem&)>> changes = {
      [](ConvProblem& p) { p.transposed = true; },
      [](ConvProblem& p) { p.math = Math::kStrict; },
      [](ConvProblem& p) { p.math = Math::kHalf; },
      [](ConvProblem& p) { p.math = Math::kBfloat16; },
      [](ConvProblem& p) { p.batch = 3; },
      [](ConvProblem& p) { p.channels = 3; },
      [](ConvProblem& p) { p.input.height = 3; },
      [](ConvProblem& p) { p.input.width = 3; },
      [](ConvProblem& p) { p.out_channels = 3; },
      [](ConvProblem& p) { p.output.height = 3; },
      [](ConvProblem& p) { p.output.width = 3; },
      [](ConvProblem& p) { p.kernel.height = 5; },
      [](ConvProblem& p) { p.kernel.width = 5; },
      [](ConvProblem& p) { p.stride.height = 3; },
      [](ConvProblem& p) { p.stride.width = 3; },
      [](ConvProblem& p) { p.dilation.height = 3; },
      [](ConvProblem& p) { p.dilation.width = 3; },
      [](ConvProblem& p) { p.padding.height = 3; },
      [](ConvProblem& p) { p.padding.width = 3; },
      [](ConvProblem& p) { p.padding_end.height = -3; },
      [](ConvProblem& p) { p.padding_end.width = -3; },
      [](ConvProblem& p) { p.groups = 3; },
      [](ConvProblem& p) { p.x.pitch = 3; },
      [](ConvProblem& p) { p.x.alignment = 4; },
      [](ConvProblem& p) { p.y.pitch = 3; },
      [](ConvProblem& p) { p.y.alignment = 4; },
      [](ConvProblem& p) { p.bias = false; },
      [](ConvProblem& p) { p.residual = true; },
      [](ConvProblem& p) { p.z.pitch = 3; },
      [](ConvProblem& p) { p.z.alignment = 4; },
      [](ConvProblem& p) { p.activation.kind = ActivationKind::kElu; },
      [](ConvProblem& p) { p.activation.alpha = 0.1F; },
      [](ConvProblem& p) { p.activation.alpha = std::nextafter(0.1F, 1.0F); },
      [](ConvProblem& p) { p.activation.beta = 0.1F; },
  };
  std::vector<ConvProblem> problems;
  for (const auto& change : changes) change(problems.emplace_back(test::conv3x3(Math::kTf32)));
  return problems;
}

TEST(ConvProblem, KeysAreEqualExactlyForEqualProblems) {
  EXPECT_EQ(key_of(test::conv3x3(Math::kTf32)), key_of(test::conv3x3(Math::kTf32)));
  std::set<std::string> keys{key_of(test::conv3x3(Math::kTf32))};
  for (const ConvProblem& problem : neighbours()) {
    EXPECT_FALSE(problem == test::conv3x3(Math::kTf32));
    EXPECT_TRUE(keys.insert(key_of(problem)).second) << key_of(problem);
  }
}

TEST(ConvProblem, EveryActivationHasItsOwnKey) {
  std::set<std::string> keys;
  for (int kind = 0; kind <= static_cast<int>(ActivationKind::kSwish); ++kind) {
    ConvProblem problem = test::conv3x3(Math::kHalf);
    problem.activation.kind = static_cast<ActivationKind>(kind);
    EXPECT_TRUE(keys.insert(key_of(problem)).second) << key_of(problem);
  }
}

TEST(ConvProblem, KeysAreReadable) {
  ConvProblem problem = test::conv3x3(Math::kHalf);
  problem.y = {768, 8};
  EXPECT_THAT(key_of(problem), testing::StartsWith("conv f16 n1 c384 8x8 k384 8x8 filter 3x3 "));
  EXPECT_THAT(key_of(problem), testing::HasSubstr(" y 768@8 "));
}

}  // namespace
}  // namespace iosx::gpu
