#include "gpu/exec/conv_problem_of.h"

#include <gtest/gtest.h>

#include "core/model/graph/builder.h"
#include "core/model/layout/layout.h"
#include "core/model/schedule/baselines.h"
#include "tests/gpu/exec/bench.h"
#include "tests/support/random_plans.h"

namespace iosx::gpu::test {
namespace {

alignas(256) std::array<std::byte, 1> address;

TensorRef view(const Shape& shape, std::int64_t begin, std::int64_t end, std::int64_t batch, Math math) {
  return view_ref({"b", shape, false, false, {}}, {BufferId(0), begin, end}, batch, data_type(math), address.data());
}

TEST(ConvProblemOf, TakesEverythingFromTheConvolution) {
  Conv conv;
  conv.out_channels = 12;
  conv.kernel = {3, 5};
  conv.stride = {2, 1};
  conv.padding = {1, 2};
  conv.end_padding = {-1, 1};
  conv.dilation = {1, 2};
  conv.groups = 2;
  conv.activation = Activation::kRelu;
  const TensorRef x = view({8, 9, 11}, 0, 8, 3, Math::kHalf);
  const TensorRef y = view({12, 4, 8}, 0, 12, 3, Math::kHalf);
  ConvProblem expected;
  expected.math = Math::kHalf;
  expected.batch = 3;
  expected.channels = 8;
  expected.input = {9, 11};
  expected.out_channels = 12;
  expected.output = {4, 8};
  expected.kernel = {3, 5};
  expected.stride = {2, 1};
  expected.dilation = {1, 2};
  expected.padding = {1, 2};
  expected.padding_end = {0, 3};
  expected.groups = 2;
  expected.x = {8, 16};
  expected.y = {12, 8};
  expected.bias = true;
  expected.activation = Activation::kRelu;
  EXPECT_EQ(problem_of(conv, x, y, nullptr, Math::kHalf), expected);
  const TensorRef z = view({40, 4, 8}, 4, 16, 3, Math::kHalf);
  expected.residual = true;
  expected.z = {40, 8};
  EXPECT_EQ(problem_of(conv, x, y, &z, Math::kHalf), expected);
}

TEST(ConvProblemOf, KnowsHowSlicesAreAligned) {
  Conv conv;
  conv.out_channels = 4;
  const TensorRef y = view({4, 2, 2}, 0, 4, 1, Math::kTf32);
  const auto x = [&](std::int64_t channels, std::int64_t begin, std::int64_t end) {
    return problem_of(conv, view({channels, 2, 2}, begin, end, 1, Math::kTf32), y, nullptr, Math::kTf32).x;
  };
  EXPECT_EQ(x(32, 0, 32), (PixelLayout{32, 16}));
  EXPECT_EQ(x(32, 4, 32), (PixelLayout{32, 16}));
  EXPECT_EQ(x(32, 2, 32), (PixelLayout{32, 8}));
  EXPECT_EQ(x(32, 3, 32), (PixelLayout{32, 4}));
  EXPECT_EQ(x(33, 4, 32), (PixelLayout{33, 4}));
  EXPECT_EQ(dense_layout(33, Math::kTf32), (PixelLayout{33, 4}));
  EXPECT_EQ(dense_layout(33, Math::kHalf), (PixelLayout{33, 2}));
  EXPECT_EQ(dense_layout(32, Math::kHalf), (PixelLayout{32, 16}));
}

TEST(ConvProblemOf, OfATransposedOneCropsWhatItPads) {
  ConvTranspose conv;
  conv.out_channels = 4;
  conv.kernel = {3, 3};
  conv.stride = {2, 2};
  conv.padding = {1, 0};
  conv.end_padding = {0, 1};
  conv.output_padding = {1, 1};
  const ConvProblem problem =
      problem_of(conv, view({2, 3, 3}, 0, 2, 1, Math::kStrict), view({4, 6, 7}, 0, 4, 1, Math::kStrict), Math::kStrict);
  EXPECT_TRUE(problem.transposed);
  EXPECT_EQ(problem.padding, (Extent{1, 0}));
  EXPECT_EQ(problem.padding_end, (Extent{0, 0}));
}

// A lone pixel lies in no larger tensor.
TEST(ConvProblemOf, OfALinearLayerIsAConvolutionOfOnePixel) {
  const Linear linear{10, Activation::kRelu};
  for (const std::int64_t batch : {1, 3}) {
    const TensorRef x = view({70}, 4, 36, batch, Math::kTf32);
    const TensorRef y = view({10}, 0, 10, batch, Math::kTf32);
    const ConvProblem problem = problem_of(linear, x, y, nullptr, Math::kTf32);
    EXPECT_EQ(problem.batch, batch);
    EXPECT_EQ(problem.channels, 32);
    EXPECT_EQ(problem.out_channels, 10);
    EXPECT_EQ(problem.input, (Extent{1, 1}));
    EXPECT_EQ(problem.x, (batch == 1 ? PixelLayout{32, 16} : PixelLayout{70, 8}));
    EXPECT_EQ(problem.activation, Activation::kRelu);
  }
}

// What is known before any memory is there is what prepared plans then ask for.
TEST(ConvProblemOf, ProblemsOfAPlanAreThoseOfItsPreparedKernels) {
  for (std::uint32_t seed = 0; seed < 10; ++seed) {
    for (const Math math : {Math::kStrict, Math::kHalf}) {
      Bench bench(math);
      const Graph graph = iosx::test::random_concat_graph(seed, 12);
      const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 2, kLowering);
      const PreparedPlan made = prepared(bench, plan);
      std::vector<ConvProblem> executed;
      for (const PreparedKernel& kernel : made.kernels()) {
        for (const Step& step : kernel.steps) {
          if (const auto* conv = std::get_if<ConvStep>(&step)) executed.push_back(conv->plan->problem());
        }
      }
      EXPECT_EQ(conv_problems(plan, math), executed);
    }
  }
}

}  // namespace
}  // namespace iosx::gpu::test
