#include "gpu/measure/stage_of.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"

namespace iosx::gpu {
namespace {

constexpr LowerOptions kLowering{.fuse = true, .concat_in_place = true, .input_channel_multiple = 8};

// The same as lowering the stage by itself, but for buffers that later stages write to, which are external here.
void expect_as_lowered_alone(const Graph& graph, const Schedule& schedule) {
  const ExecutionPlan plan = lower(graph, schedule, 2, kLowering);
  for (std::size_t i = 0; i < schedule.stages.size(); ++i) {
    const ExecutionPlan cut = stage_of(plan, i).plan;
    const ExecutionPlan alone = lower_stage(graph, schedule.stages[i], 2, kLowering);
    ASSERT_EQ(cut.kernels.size(), alone.kernels.size());
    ASSERT_EQ(cut.stages.size(), 1U);
    EXPECT_EQ(cut.stages.front().lanes, alone.stages.front().lanes);
    EXPECT_EQ(cut.batch, 2);
    EXPECT_EQ(cut.parameters, plan.parameters);
    for (std::size_t k = 0; k < cut.kernels.size(); ++k) {
      const Kernel& a = cut.kernels[k];
      const Kernel& b = alone.kernels[k];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.lane, b.lane);
      EXPECT_EQ(a.waits, b.waits);
      ASSERT_EQ(a.reads.size(), b.reads.size());
      const auto expect_same_view = [&](const TensorView& x, const TensorView& y) {
        EXPECT_EQ(x.begin, y.begin);
        EXPECT_EQ(x.end, y.end);
        const Buffer& ours = cut.buffers[x.buffer.index()];
        const Buffer& theirs = alone.buffers[y.buffer.index()];
        EXPECT_EQ(ours.blank, theirs.blank);
        EXPECT_EQ(ours.shape, theirs.shape) << a.name;
        EXPECT_EQ(ours.constant, theirs.constant);
        EXPECT_GE(ours.external, theirs.external) << a.name;
      };
      for (std::size_t r = 0; r < a.reads.size(); ++r) expect_same_view(a.reads[r], b.reads[r]);
      expect_same_view(a.writes, b.writes);
    }
  }
}

TEST(StageOf, IsTheStageAsLoweredAlone) {
  for (const Graph& graph :
       {iosx::test::diamond(), iosx::test::sample(), iosx::test::fork_join(3), iosx::test::dense_block(4)}) {
    expect_as_lowered_alone(graph, one_by_one_schedule(graph));
    expect_as_lowered_alone(graph, greedy_schedule(graph));
  }
}

// Merged convolutions as well: every kernel is in one stage's plan, and reads what is there before or made before it.
TEST(StageOf, CutsRandomPlansIntoPlansThatStandAlone) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Graph graph = iosx::test::random_concat_graph(seed, 12);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const ExecutionPlan plan = lower(graph, iosx::test::random_schedule(graph, random), 1, kLowering);
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < plan.stages.size(); ++i) {
      const StagePlan stage = stage_of(plan, i);
      std::set<std::size_t> made;
      ASSERT_EQ(stage.kernels.size(), stage.plan.kernels.size());
      for (std::size_t k = 0; k < stage.plan.kernels.size(); ++k) {
        const Kernel& kernel = stage.plan.kernels[k];
        const Kernel& original = plan.kernel(stage.kernels[k]);
        EXPECT_EQ(kernel.name, original.name);
        EXPECT_EQ(original.stage, i);
        EXPECT_TRUE(seen.insert(stage.kernels[k].index()).second);
        for (const TensorView& view : kernel.reads) {
          const std::size_t buffer = view.buffer.index();
          EXPECT_TRUE(stage.plan.buffers[buffer].external || made.count(buffer) == 1) << seed << ' ' << kernel.name;
        }
        made.insert(kernel.writes.buffer.index());
        for (const KernelId wait : kernel.waits) EXPECT_LT(wait.index(), k);
      }
    }
    EXPECT_EQ(seen.size(), plan.kernels.size());
  }
}

}  // namespace
}  // namespace iosx::gpu
