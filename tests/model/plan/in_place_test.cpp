#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/model/graph/builder.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr LowerOptions kInPlace{false, true};

void expect_view(const ExecutionPlan& plan, const TensorView& view, std::string_view buffer, std::int64_t begin,
                 std::int64_t end) {
  EXPECT_EQ(plan.buffers[view.buffer.index()].name, buffer);
  EXPECT_EQ(view.begin, begin);
  EXPECT_EQ(view.end, end);
}

Group alone(UnitId id) { return Group{{Step{{id}}}}; }

TEST(InPlace, ProducersWriteSlicesAndTheConcatenationIsNoKernel) {
  const Graph graph = test::fork_join(3);  // a → b, c, d → e
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, kInPlace);
  EXPECT_THAT(kernel_names(plan), ElementsAre("a", "b", "c", "d"));
  expect_view(plan, plan.kernels[1].writes, "e", 0, 8);
  expect_view(plan, plan.kernels[2].writes, "e", 8, 16);
  expect_view(plan, plan.kernels[3].writes, "e", 16, 24);
  EXPECT_EQ(plan.kernels[2].output, (Shape{8, 16, 16}));
  EXPECT_EQ(plan.buffers.size(), 3U);
  ASSERT_EQ(plan.outputs.size(), 1U);
  expect_view(plan, plan.outputs[0].view, "e", 0, 24);
  ASSERT_EQ(plan.stages.size(), 3U);
  EXPECT_THAT(plan.stages[2].lanes, IsEmpty());
}

TEST(InPlace, NothingChangesWithoutTheOption) {
  const Graph graph = test::fork_join(2);
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  EXPECT_THAT(kernel_names(plan), ElementsAre("a", "b", "c", "d"));
  EXPECT_EQ(plan.kernels[3].reads.size(), 2U);
  EXPECT_TRUE(std::holds_alternative<Concat>(plan.kernels[3].attributes));
  EXPECT_EQ(plan.buffers.size(), 5U);
}

// The stage after an empty one waits for the one before it.
TEST(InPlace, WaitsReachBackOverAnEmptyStage) {
  GraphBuilder builder("test");
  const Value in = builder.input("in", {4, 2, 2});
  const Value a = builder.add("a", Activate{}, {in});
  const Value b = builder.add("b", Activate{}, {in});
  const Value joined = builder.add("joined", Concat{}, {a, b});
  builder.add("c", Activate{}, {joined});
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, kInPlace);
  EXPECT_THAT(kernel_names(plan), ElementsAre("a", "b", "c"));
  EXPECT_EQ(plan.kernels[2].stage, 2U);
  EXPECT_THAT(plan.kernels[2].waits, ElementsAre(KernelId(1)));
  expect_view(plan, plan.kernels[2].reads[0], "joined", 0, 8);
}

TEST(InPlace, WhatCouldNotBeWrittenInPlaceIsCopied) {
  GraphBuilder builder("test");
  const Value in = builder.input("in", {4, 2, 2});
  const Value fixed = builder.constant("fixed", Tensor({1, 2, 2}, std::vector<float>(4, 1)));
  const Value a = builder.add("a", Activate{}, {in});
  builder.add("joined", Concat{}, {in, a, a, fixed});
  builder.add("only copies", Concat{}, {in, in});
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 5, kInPlace);
  EXPECT_THAT(kernel_names(plan),
              ElementsAre("a", "copy into joined", "copy into joined", "copy into joined", "only copies"));
  expect_view(plan, plan.kernels[0].writes, "joined", 4, 8);
  const Kernel& first = plan.kernels[1];
  EXPECT_TRUE(std::holds_alternative<Identity>(first.attributes));
  EXPECT_EQ(first.operators, std::vector{graph.find_operator("joined").value()});
  ASSERT_EQ(first.reads.size(), 1U);
  expect_view(plan, first.reads[0], "in", 0, 4);
  expect_view(plan, first.writes, "joined", 0, 4);
  EXPECT_EQ(first.output, (Shape{4, 2, 2}));
  EXPECT_EQ(first.work.flops, 0);
  EXPECT_EQ(first.work.bytes_read, 5 * 4 * 4 * 4);
  expect_view(plan, plan.kernels[2].reads[0], "joined", 4, 8);
  expect_view(plan, plan.kernels[2].writes, "joined", 8, 12);
  expect_view(plan, plan.kernels[3].reads[0], "fixed", 0, 1);
  expect_view(plan, plan.kernels[3].writes, "joined", 12, 13);
  EXPECT_EQ(plan.kernels[3].work.bytes_read, 4 * 4);  // one for the whole batch
  EXPECT_EQ(plan.kernels[3].work.bytes_written, 5 * 4 * 4);
  EXPECT_TRUE(std::holds_alternative<Concat>(plan.kernels[4].attributes));
  EXPECT_EQ(plan.kernels[4].reads.size(), 2U);
}

TEST(InPlace, AMergedConvolutionWritesNeighboursAtOnce) {
  const Graph graph = test::fork_join(3);
  Schedule schedule{"own", {single_unit_stage(unit(graph, "a"))}};
  schedule.stages.push_back(Stage{{Group{{Step{{unit(graph, "c"), unit(graph, "d")}}}}, alone(unit(graph, "b"))}});
  schedule.stages.push_back(single_unit_stage(unit(graph, "e")));
  const ExecutionPlan plan = lower(graph, schedule, 1, kInPlace);
  EXPECT_THAT(kernel_names(plan), ElementsAre("a", "c + d", "b"));
  expect_view(plan, plan.kernels[1].writes, "e", 8, 24);
  EXPECT_EQ(plan.kernels[1].output, (Shape{16, 16, 16}));
}

TEST(InPlace, AMergedConvolutionThatDoesNotFitIsCopiedOnItsLane) {
  const Graph graph = test::fork_join(3);
  Schedule schedule{"own", {single_unit_stage(unit(graph, "a"))}};
  // b and d are no neighbours: c lies between them.
  schedule.stages.push_back(Stage{{alone(unit(graph, "c")), Group{{Step{{unit(graph, "d"), unit(graph, "b")}}}}}});
  schedule.stages.push_back(single_unit_stage(unit(graph, "e")));
  const ExecutionPlan plan = lower(graph, schedule, 1, kInPlace);
  ASSERT_THAT(kernel_names(plan), ElementsAre("a", "b + d", "copy of b", "copy of d", "c"));  // the most work first
  expect_view(plan, plan.kernels[1].writes, "b + d", 0, 16);
  for (std::size_t k = 2; k < 4; ++k) {
    EXPECT_TRUE(std::holds_alternative<Identity>(plan.kernels[k].attributes));
    EXPECT_EQ(plan.kernels[k].lane, 0U);
    EXPECT_THAT(plan.kernels[k].waits, IsEmpty());
  }
  expect_view(plan, plan.kernels[2].reads[0], "b + d", 0, 8);
  expect_view(plan, plan.kernels[2].writes, "e", 0, 8);
  expect_view(plan, plan.kernels[3].reads[0], "b + d", 8, 16);
  expect_view(plan, plan.kernels[3].writes, "e", 16, 24);
  EXPECT_EQ(plan.kernels[3].operators, std::vector{graph.find_operator("d").value()});
}

// Strides are as in the whole plan: the buffer has the shape of the outermost concatenation.
TEST(InPlace, AStageAloneSeesTheSameViews) {
  const Graph graph = test::dense_block(4);
  const ExecutionPlan plan = lower_stage(graph, single_unit_stage(unit(graph, "y3")), 2, kInPlace);
  ASSERT_EQ(plan.kernels.size(), 1U);
  expect_view(plan, plan.kernels[0].reads[0], "concat4", 0, 12);
  expect_view(plan, plan.kernels[0].writes, "concat4", 12, 16);
  ASSERT_EQ(plan.buffers.size(), 1U);
  EXPECT_EQ(plan.buffers[0].shape.channels(), 20);
  EXPECT_TRUE(plan.buffers[0].external);
  EXPECT_EQ(plan.buffers[0].source, graph.find_operator("concat4").value());

  const ExecutionPlan first = lower_stage(graph, single_unit_stage(unit(graph, "x")), 2, kInPlace);
  expect_view(first, first.kernels[0].writes, "concat4", 0, 4);
  EXPECT_FALSE(first.buffers[first.kernels[0].writes.buffer.index()].external);

  const ExecutionPlan none = lower_stage(graph, single_unit_stage(unit(graph, "concat2")), 2, kInPlace);
  EXPECT_THAT(none.kernels, IsEmpty());
  ASSERT_EQ(none.stages.size(), 1U);
  EXPECT_EQ(none.lane_count(), 0U);
}

TEST(InPlace, ADenseBlockHasNoCopies) {
  const Graph graph = test::dense_block(12);
  for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph)}) {
    const ExecutionPlan plan = lower(graph, schedule, 1, kInPlace);
    EXPECT_EQ(plan.kernels.size(), 13U);
    EXPECT_EQ(plan.buffers.size(), 2U);
    for (const Kernel& kernel : plan.kernels) EXPECT_TRUE(std::holds_alternative<Conv>(kernel.attributes));
    EXPECT_EQ(plan.stages.size(), schedule.stages.size());
  }
}

}  // namespace
}  // namespace iosx
