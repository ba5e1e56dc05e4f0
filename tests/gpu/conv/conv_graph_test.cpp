// Problems as cuDNN's graphs. cuDNN checks the sizes of all tensors when it takes a graph.
#include "gpu/ops/conv/conv_graph.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "gpu/runtime/errors.h"
#include "tests/gpu/conv/problems.h"

namespace iosx::gpu {
namespace {

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

TEST(ConvGraph, HasTheActivationsThatCudnnDefinesAsWeDo) {
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
    EXPECT_NO_THROW(ConvGraph(problem, nullptr)) << activation_name(activation);
  }
  for (const Activation& activation : others) {
    problem.activation = activation;
    EXPECT_FALSE(expressible(activation)) << activation_name(activation);
    EXPECT_THROW(ConvGraph(problem, nullptr), Unsupported) << activation_name(activation);
  }
}

TEST(ConvGraph, TakesEverySizeThatOurConvolutionsCanHave) {
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
          EXPECT_NO_THROW(ConvGraph(problem, nullptr)) << key_of(problem);
        }
      }
    }
  }
}

TEST(ConvGraph, TakesTransposedConvolutionsWithPaddedOutputs) {
  ConvProblem problem = test::transposed3x3(Math::kTf32);
  EXPECT_NO_THROW(ConvGraph(problem, nullptr));
  problem.output = {16, 15};  // one more row
  EXPECT_NO_THROW(ConvGraph(problem, nullptr));
  problem.padding = {0, 2};
  problem.output = {17, 13};
  EXPECT_NO_THROW(ConvGraph(problem, nullptr));
}

TEST(ConvGraph, RefusesSizesThatDoNotFit) {
  ConvProblem problem = test::conv3x3(Math::kTf32);
  problem.groups = 5;
  EXPECT_THROW(ConvGraph(problem, nullptr), GpuError);
}

}  // namespace
}  // namespace iosx::gpu
