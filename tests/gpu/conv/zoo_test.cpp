// Every convolution and linear layer of every network of the zoo has plans, on a described H200.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "core/model/schedule/baselines.h"
#include "gpu/exec/conv_problem_of.h"
#include "gpu/exec/conv_ways.h"
#include "gpu/ops/conv/cudnn_library.h"
#include "models/networks/zoo.h"
#include "tests/gpu/conv/descriptions.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"
#include "tests/support/sanitized.h"

namespace iosx::gpu {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

using Problems = std::map<std::string, ConvProblem>;  // by key

// Of the sequential and the greedy schedule, and of one that merges at random.
Problems zoo_problems(Math math, std::int64_t batch) {
  Problems problems;
  for (std::size_t i = 0; i < zoo().size(); i += iosx::test::every(3)) {
    const Graph graph = zoo()[i].build();
    std::mt19937 random(7);
    for (const Schedule& schedule :
         {one_by_one_schedule(graph), greedy_schedule(graph), iosx::test::random_schedule(graph, random)}) {
      const ExecutionPlan plan =
          lower(graph, schedule, batch, {.fuse = true, .concat_in_place = true, .free_columns = true});
      for (const ConvProblem& problem : conv_problems(plan, math)) problems.emplace(key_of(problem), problem);
    }
  }
  return problems;
}

struct Case {
  Math math = Math::kTf32;
  std::int64_t batch = 1;
};

class Zoo : public testing::TestWithParam<Case> {};

TEST_P(Zoo, EveryLayerHasPlans) {
  const auto [math, batch] = GetParam();
  const auto library = CudnnLibrary::described(test::h200());
  const Problems problems = zoo_problems(math, batch);
  EXPECT_GE(problems.size(), 300U / iosx::test::every(3));
  std::size_t slices = 0;
  std::size_t residuals = 0;
  std::size_t other_ways = 0;
  for (const auto& [key, problem] : problems) {
    slices += problem.x.pitch != problem.channels || problem.y.pitch != problem.out_channels ? 1 : 0;
    residuals += problem.residual ? 1 : 0;
    const std::vector<ConvPlanPtr> plans = library->plans(problem);
    if (problem.residual && problem.z.pitch != problem.y.pitch) {
      // Only engines that need a driver to be built; the executor has other ways (ResidualsMustLieAsTheOutputDoes).
      for (const ConvPlanPtr& plan : plans) EXPECT_THAT(plan->name(), HasSubstr("runtime compiled")) << key;
      continue;
    }
    if (plans.empty()) {
      // Where cuDNN fuses less: activations that only its compiled engines know, which need a driver, transposed
      // convolutions, and depthwise ones, for which there is a kernel of our own.
      const bool plain = problem.activation == Activation::kRelu || problem.activation == Activation::kIdentity;
      EXPECT_TRUE(!plain || problem.transposed || problem.groups > 1) << key;
      EXPECT_THAT(candidate_ways(problem, *library), Not(IsEmpty())) << key;
      ++other_ways;
      continue;
    }
    for (const ConvPlanPtr& plan : plans) {
      EXPECT_GE(plan->workspace_bytes(), 0) << key;
      EXPECT_LT(plan->workspace_bytes(), std::int64_t{4} << 30) << key;
      EXPECT_FALSE(plan->serialised().empty()) << key;
      if (math == Math::kStrict) {
        EXPECT_THAT(plan->name(), Not(HasSubstr("tensor cores"))) << key;
      }
    }
  }
  EXPECT_GT(slices, 50U / iosx::test::every(5));
  EXPECT_GT(residuals, 10U / iosx::test::every(5));
  EXPECT_LT(other_ways, problems.size() / 2);
}

std::string name_of(const testing::TestParamInfo<Case>& info) {
  constexpr const char* kNames[] = {"tf32", "strict", "half", "bfloat16"};
  return std::string(kNames[static_cast<int>(info.param.math)]) + "_batch" + std::to_string(info.param.batch);
}

INSTANTIATE_TEST_SUITE_P(Maths, Zoo,
                         testing::Values(Case{Math::kTf32, 1}, Case{Math::kStrict, 1}, Case{Math::kHalf, 1},
                                         Case{Math::kBfloat16, 1}, Case{Math::kHalf, 32}),
                         name_of);

}  // namespace
}  // namespace iosx::gpu
