
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/model/graph/builder.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/merge.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

Group group(std::initializer_list<UnitId> units) {
  Group result;
  for (const UnitId id : units) result.steps.push_back(Step{{id}});
  return result;
}

TEST(Lower, SequentialScheduleIsOneLaneWithoutWaits) {
  const Graph graph = test::chain(4);
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 2);
  ASSERT_EQ(plan.kernels.size(), 4U);
  EXPECT_EQ(plan.stages.size(), 4U);
  EXPECT_EQ(plan.lane_count(), 1U);
  EXPECT_EQ(plan.batch, 2);
  for (const Kernel& kernel : plan.kernels) EXPECT_THAT(kernel.waits, IsEmpty());
  EXPECT_EQ(plan.kernels[1].work.flops, work(graph, OperatorId(2), 2).flops);
  // The graph input is the only buffer filled before the run.
  EXPECT_TRUE(plan.buffers[plan.kernels[0].reads[0].buffer.index()].external);
  EXPECT_EQ(plan.kernels[1].reads[0].buffer, plan.kernels[0].writes.buffer);
}

TEST(Lower, ForkAndJoinAreCrossLaneWaits) {
  const Graph graph = test::diamond();
  Schedule schedule{"own", {}};
  schedule.stages.push_back(single_unit_stage(unit(graph, "a")));
  schedule.stages.push_back(Stage{{group({unit(graph, "b")}), group({unit(graph, "c")})}});
  schedule.stages.push_back(single_unit_stage(unit(graph, "d")));
  const ExecutionPlan plan = lower(graph, schedule, 1);
  ASSERT_EQ(plan.kernels.size(), 4U);
  EXPECT_THAT(plan.kernels[1].waits, IsEmpty());                 // b follows a on lane 0
  EXPECT_THAT(plan.kernels[2].waits, ElementsAre(KernelId(0)));  // c forks from a
  EXPECT_EQ(plan.kernels[2].lane, 1U);
  EXPECT_THAT(plan.kernels[3].waits, ElementsAre(KernelId(2)));  // d joins c
  EXPECT_EQ(plan.lane_count(), 2U);
}

TEST(Lower, StageAloneReadsExternalBuffers) {
  const Graph graph = test::diamond();
  const ExecutionPlan plan = lower_stage(graph, single_unit_stage(unit(graph, "d")), 1);
  ASSERT_EQ(plan.kernels.size(), 1U);
  ASSERT_EQ(plan.kernels[0].reads.size(), 2U);
  for (const TensorView& view : plan.kernels[0].reads) EXPECT_TRUE(plan.buffers[view.buffer.index()].external);
  EXPECT_NE(plan.kernels[0].reads[0].buffer, plan.kernels[0].reads[1].buffer);
  EXPECT_FALSE(plan.buffers[plan.kernels[0].writes.buffer.index()].external);
}

// Two convolutions on one input and a consumer of channels 1..6 of the second.
// Where slices are dear the merged stage copies each output to where it belongs; whoever reads it notices nothing.
TEST(Lower, AMergedConvolutionKeepsToItsOwnStage) {
  GraphBuilder builder("merge");
  const Value in = builder.input("in", Shape{4, 8, 8});
  Conv one;
  one.out_channels = 6;
  one.activation = Activation::kRelu;
  Conv three = one;
  three.out_channels = 10;
  three.kernel = {3, 3};
  three.padding = {1, 1};
  builder.add("p", one, {in});
  Value q = builder.add("q", three, {in});
  q.begin = 1;
  q.end = 7;
  builder.add("r", one, {q});
  const Graph graph = std::move(builder).build().value();

  Schedule schedule{"own", {merge_stage({unit(graph, "p"), unit(graph, "q")}), single_unit_stage(unit(graph, "r"))}};
  const ExecutionPlan plan = lower(graph, schedule, 3);
  ASSERT_THAT(kernel_names(plan), ElementsAre("p + q", "copy of p", "copy of q", "r"));
  const Kernel& merged = plan.kernels[0];
  EXPECT_EQ(merged.name, "p + q");
  EXPECT_EQ(merged.output, (Shape{16, 8, 8}));
  const auto* conv = std::get_if<Conv>(&merged.attributes);
  ASSERT_NE(conv, nullptr);
  EXPECT_EQ(conv->kernel, (Extent{3, 3}));
  EXPECT_THAT(conv->merged_from, ElementsAre("p", "q"));
  // 16 channels × 64 pixels × 3 samples, each 2 · 4 · 9 + 1 FLOPs: the padded kernel is really computed.
  EXPECT_EQ(merged.work.flops, 16 * 64 * 3 * (2 * 4 * 9 + 1));
  EXPECT_EQ(merged.work.parameters, 16 * (4 * 9 + 1));
  EXPECT_EQ(merged.work.bytes_written, 16 * 64 * 3 * 4);
  for (std::size_t k = 1; k < 3; ++k) {
    EXPECT_EQ(plan.kernels[k].stage, 0U);
    EXPECT_EQ(plan.kernels[k].reads[0].buffer, merged.writes.buffer);
  }
  const auto expect_reads = [](const ExecutionPlan& of, const std::string& buffer, std::int64_t begin) {
    ASSERT_EQ(of.kernels.back().reads.size(), 1U);
    const TensorView& read = of.kernels.back().reads[0];
    EXPECT_EQ(of.buffers[read.buffer.index()].name, buffer);
    EXPECT_EQ(read.begin, begin);
    EXPECT_EQ(read.end, begin + 6);
  };
  expect_reads(plan, "q", 1);
  expect_reads(lower(graph, one_by_one_schedule(graph), 3), "q", 1);
  // Where they are free p and q lie side by side under every schedule.
  const LowerOptions free{.free_slices = FreeSlices::kAlways};
  const ExecutionPlan in_place = lower(graph, schedule, 3, free);
  EXPECT_THAT(kernel_names(in_place), ElementsAre("p + q", "r"));
  expect_reads(in_place, "p + q", 6 + 1);
  expect_reads(lower(graph, one_by_one_schedule(graph), 3, free), "p + q", 6 + 1);
}

TEST(Lower, MergingInsideAGroupOfAConcurrentStage) {
  const Graph graph = test::fork(3);
  Stage stage;
  stage.groups.push_back(Group{{Step{{unit(graph, "a"), unit(graph, "b")}}}});
  stage.groups.push_back(group({unit(graph, "c")}));
  const ExecutionPlan plan = lower_stage(graph, stage, 1);
  ASSERT_EQ(plan.kernels.size(), 4U);  // with two copies
  EXPECT_EQ(plan.kernels[0].units.size(), 2U);
  EXPECT_EQ(plan.kernels[2].lane, 0U);
  EXPECT_EQ(plan.kernels[3].lane, 1U);
}

}  // namespace
}  // namespace iosx
