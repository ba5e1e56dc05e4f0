#include "gpu/measure/way_trial.h"

#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

// Has everything that moves an output or an operand: groups, strides, dilation, unequal paddings, slices, a residual.
ConvProblem crooked(Activation activation) {
  ConvProblem p;
  p.math = Math::kStrict;
  p.batch = 2;
  p.channels = 6;
  p.input = {9, 7};
  p.out_channels = 4;
  p.output = {4, 6};
  p.kernel = {3, 2};
  p.stride = {2, 1};
  p.dilation = {1, 2};
  p.padding = {0, 1};
  p.padding_end = {0, 0};
  p.groups = 2;
  p.x = {10, 8};
  p.y = {7, 4};
  p.z = {5, 4};
  p.bias = p.residual = true;
  p.activation = activation;
  return p;
}

TEST(WayTrial, FindsNoErrorInTheWaysOfAProblem) {
  HostRuntime runtime;
  HostConvolutions library;
  for (const Activation& activation : {Activation::kRelu, Activation{ActivationKind::kGelu}}) {
    const ConvProblem problem = crooked(activation);
    WayTrial trial(runtime, problem);
    const std::vector<Way> ways = candidate_ways(problem, library);
    EXPECT_GT(ways.size(), 4U);
    for (const std::size_t i : trial.make_room(ways)) EXPECT_LT(trial.error(ways[i]), 1e-6) << ways[i].name();
  }
}

TEST(WayTrial, FindsTheErrorOfAnotherConvolution) {
  HostRuntime runtime;
  HostConvolutions library;
  const ConvProblem problem = crooked(Activation::kIdentity);
  WayTrial trial(runtime, problem);
  ConvProblem other = problem;
  other.dilation.width = 1;
  other.padding_end.width = -1;
  for (const Way& way : candidate_ways(other, library)) {
    trial.make_room(std::span(&way, 1));
    EXPECT_GT(trial.error(way), 0.01) << way.name();
  }
}

AttentionProblem attention(Math math) {
  AttentionProblem p;
  p.scale = 0.5F;
  p.scores = {.math = math,
              .batch = 2,
              .rows = 5,
              .depth = 8,
              .columns = 7,
              .a = {.batch = 8, .row = 16, .column = 1},
              .b = {.batch = 8, .row = 1, .column = 16},
              .y = {.batch = 40, .row = 8, .column = 1}};
  p.context = {.math = math,
               .batch = 2,
               .rows = 5,
               .depth = 7,
               .columns = 8,
               .a = p.scores.y,
               .b = {.batch = 8, .row = 16, .column = 1},
               .y = {.batch = 8, .row = 16, .column = 1}};
  return p;
}

// In half precision steps round the scores, too. A million is beyond float16.
TEST(WayTrial, FindsNoErrorInTheWaysOfAttentionInEveryPrecision) {
  HostRuntime runtime;
  HostConvolutions library;
  for (const Math math : {Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    const double allowed = math == Math::kTf32 ? 1e-6 : math == Math::kHalf ? 2e-3 : 2e-2;
    const AttentionProblem problem = attention(math);
    WayTrial trial(runtime, problem);
    const std::vector<Way> ways = candidate_ways(problem, library);
    EXPECT_EQ(ways.size(), 3U);
    EXPECT_EQ(trial.make_room(ways).size(), 3U);
    for (const Way& way : ways) EXPECT_LT(trial.error(way), allowed) << way.name();
    WayTrial large(runtime, problem, 1e6F);
    large.make_room(ways);
    for (const Way& way : ways) {
      const double error = large.error(way);
      EXPECT_EQ(error < allowed, math != Math::kHalf) << way.name() << ", " << error;
    }
    AttentionProblem other = problem;
    other.scale = 1;
    for (const Way& way : candidate_ways(other, library)) {
      if (way.plan != nullptr) {
        EXPECT_GT(trial.error(way), 0.01) << way.name();
      }
    }
  }
}

}  // namespace
}  // namespace iosx::gpu::test
