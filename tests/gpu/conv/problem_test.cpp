#include "gpu/ops/conv/problem.h"
#include "gpu/ops/conv/cudnn_graph.h"
#include "gpu/runtime/errors.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/support/prelude.h"

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
      [](ConvProblem& p) { p.before.kind = ActivationKind::kElu; },
      [](ConvProblem& p) { p.before.alpha = 0.1F; },
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
  EXPECT_THAT(key_of(problem), StartsWith("conv f16 n1 c384 8x8 k384 8x8 filter 3x3 "));
  EXPECT_THAT(key_of(problem), HasSubstr(" y 768@8 "));
}

// Problems as cuDNN's graphs. cuDNN checks the sizes of all tensors when it takes a graph.

std::int64_t windows_of(std::int64_t image, std::int64_t kernel, std::int64_t stride, std::int64_t dilation,
                        std::int64_t padding) {
  return (image + padding - (kernel - 1) * dilation - 1) / stride + 1;
}

TEST(FittingEndPadding, IsTheOneNearestToTheBeginThatFits) {
  for (std::int64_t image = 6; image <= 9; ++image) {
    for (const std::int64_t kernel : {1, 2, 3}) {
      for (const std::int64_t stride : {1, 2, 3}) {
        for (const std::int64_t dilation : {1, 2}) {
          for (const std::int64_t begin : {0, 1, 2}) {
            for (std::int64_t end = -1; end <= 3; ++end) {
              const std::int64_t windows = windows_of(image, kernel, stride, dilation, begin + end);
              const std::int64_t fitting = fitting_end_padding(image, windows, kernel, stride, dilation, begin);
              EXPECT_EQ(windows_of(image, kernel, stride, dilation, begin + fitting), windows);
              EXPECT_LE(std::abs(fitting - begin), std::abs(end - begin));
            }
          }
        }
      }
    }
  }
}

TEST(CudnnGraph, HasTheActivationsThatCudnnDefinesAsWeDo) {
  const std::vector<Activation> exact = {Activation::kIdentity,
                                         Activation::kRelu,
                                         Activation::kSigmoid,
                                         Activation::kTanh,
                                         Activation::kSwish,
                                         {ActivationKind::kLeakyRelu, 0.1F, 0},
                                         {ActivationKind::kElu, 0.5F, 0},
                                         {ActivationKind::kClip, 0, 6}};
  const std::vector<Activation> others = {Activation::kHardSwish,
                                          {ActivationKind::kHardSigmoid, 0.2F, 0.5F},
                                          {ActivationKind::kClip, -1, 1},
                                          {ActivationKind::kClip, 0, -1}};
  ConvProblem problem = test::conv3x3(Math::kHalf);
  for (const Activation& activation : exact) {
    problem.activation = activation;
    EXPECT_TRUE(expressible(activation)) << activation_name(activation);
    EXPECT_NO_THROW(CudnnGraph(problem, nullptr)) << activation_name(activation);
  }
  for (const Activation& activation : others) {
    problem.activation = activation;
    EXPECT_FALSE(expressible(activation)) << activation_name(activation);
    EXPECT_THROW(CudnnGraph(problem, nullptr), Unsupported) << activation_name(activation);
  }
}

TEST(CudnnGraph, TakesEverySizeThatOurConvolutionsCanHave) {
  ConvProblem problem = test::conv3x3(Math::kTf32);
  for (const std::int64_t stride : {1, 2, 3}) {
    for (const std::int64_t dilation : {1, 2}) {
      for (const std::int64_t begin : {0, 1}) {
        for (std::int64_t end = -2; end <= 2; ++end) {
          problem.stride = {stride, 1};
          problem.dilation = {dilation, 1};
          problem.padding.height = begin;
          problem.padding_end.height = end;
          problem.output.height = windows_of(problem.input.height, 3, stride, dilation, begin + end);
          EXPECT_NO_THROW(CudnnGraph(problem, nullptr)) << key_of(problem);
        }
      }
    }
  }
}

TEST(CudnnGraph, TakesTransposedConvolutionsWithPaddedOutputs) {
  ConvProblem problem = test::transposed3x3(Math::kTf32);
  EXPECT_NO_THROW(CudnnGraph(problem, nullptr));
  problem.output = {16, 15};  // one more row
  EXPECT_NO_THROW(CudnnGraph(problem, nullptr));
  problem.padding = {0, 2};
  problem.output = {17, 13};
  EXPECT_NO_THROW(CudnnGraph(problem, nullptr));
}

TEST(CudnnGraph, RefusesSizesThatDoNotFit) {
  ConvProblem problem = test::conv3x3(Math::kTf32);
  problem.groups = 5;
  EXPECT_THROW(CudnnGraph(problem, nullptr), GpuError);
}

}  // namespace

}  // namespace iosx::gpu
