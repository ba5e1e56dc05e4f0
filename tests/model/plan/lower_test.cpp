
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <variant>

#include "core/model/graph/builder.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/merge.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"

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

Schedule merging_siblings(const Graph& graph) {
  Schedule schedule{"merging",
                    {merge_stage({unit(graph, "query"), unit(graph, "key"), unit(graph, "value")}),
                     merge_stage({unit(graph, "gate"), unit(graph, "up")})}};
  for (const char* name : {"scores", "context", "some", "windows"}) {
    schedule.stages.push_back(single_unit_stage(unit(graph, name)));
  }
  schedule.stages.push_back(merge_stage({unit(graph, "left"), unit(graph, "right")}));
  schedule.stages.push_back(merge_stage({unit(graph, "second"), unit(graph, "first")}));
  schedule.stages.push_back(single_unit_stage(unit(graph, "all")));
  return schedule;
}

// The layers run as one, then what follows each of them in its unit, after a copy where columns are dear.
TEST(Lower, MergedLinearLayersAreCopiedOut) {
  const Graph graph = test::linear_siblings();
  const ExecutionPlan plan = lower(graph, merging_siblings(graph), 3);
  ASSERT_TRUE(check_plan(plan)) << check_plan(plan).error().text();
  EXPECT_THAT(kernel_names(plan),
              ElementsAre("query.linear + key.linear + value", "copy of query.linear", "copy of key.linear",
                          "copy of value", "query.norm", "key.turn", "gate + up", "copy of gate", "copy of up",
                          "scores", "context", "some", "windows", "left + right", "copy of left", "copy of right",
                          "first + second", "copy of first", "copy of second", "all"));
  const Kernel& merged = plan.kernels[0];
  EXPECT_EQ(merged.attributes, Attributes(Linear{19, Activation::kIdentity, 1}));
  EXPECT_EQ(merged.output, (Shape{5, 19}));
  EXPECT_EQ(merged.work.flops, 3 * 5 * 19 * (2 * 8 + 1));
  EXPECT_EQ(merged.work.parameters, 19 * (8 + 1));
  EXPECT_EQ(merged.work.bytes_read, (3 * 5 * 8 + 19 * 9) * 4);
  EXPECT_EQ(merged.work.bytes_written, 3 * 5 * 19 * 4);
  const Kernel& copy = plan.kernels[2];
  EXPECT_EQ(copy.reads[0], (TensorView{merged.writes.buffer, 6, 12}));
  EXPECT_EQ(copy.output, (Shape{5, 6}));
  EXPECT_EQ(copy.work.bytes_written, 3 * 5 * 6 * 4);
  EXPECT_EQ(plan.buffers[merged.writes.buffer.index()].axis, 1U);
  EXPECT_EQ(plan.buffers[copy.writes.buffer.index()].axis, 0U);
}

// Where columns are free they lie in one matrix, merged or not, but for what somebody reads some rows of.
TEST(Lower, ColumnsOfLinearLayersLieSideBySide) {
  const Graph graph = test::linear_siblings();
  const LowerOptions free{.free_columns = true};
  const ExecutionPlan plan = lower(graph, merging_siblings(graph), 3, free);
  ASSERT_TRUE(check_plan(plan)) << check_plan(plan).error().text();
  EXPECT_THAT(kernel_names(plan), ElementsAre("query.linear + key.linear + value", "query.norm", "key.turn",
                                              "gate + up", "copy of gate", "copy of up", "scores", "context", "some",
                                              "windows", "left + right", "first + second", "all"));
  const BufferId columns = plan.kernels[0].writes.buffer;
  EXPECT_EQ(plan.buffers[columns.index()].shape, (Shape{5, 19}));
  EXPECT_EQ(plan.buffers[columns.index()].axis, 1U);
  EXPECT_EQ(plan.kernels[2].reads[0], (TensorView{columns, 6, 12}));   // key.turn
  EXPECT_EQ(plan.kernels[7].reads[1], (TensorView{columns, 12, 19}));  // context
  ASSERT_EQ(plan.outputs.size(), 6U);
  EXPECT_EQ(plan.outputs[2].name, "left");
  EXPECT_EQ(plan.outputs[3].view, (TensorView{plan.outputs[2].view.buffer, 2, 7}));
  EXPECT_TRUE(plan.buffers[plan.outputs[2].view.buffer.index()].row_major);
  EXPECT_EQ(plan.buffers[plan.outputs[2].view.buffer.index()].axis, 2U);

  const ExecutionPlan apart = lower(graph, one_by_one_schedule(graph), 3, free);
  ASSERT_TRUE(check_plan(apart)) << check_plan(apart).error().text();
  const auto key = std::ranges::find(apart.kernels, "key.linear", &Kernel::name);
  EXPECT_EQ(key->writes.begin, 6);
  EXPECT_EQ(key->writes.end, 12);
  EXPECT_EQ(apart.buffers[key->writes.buffer.index()].shape, (Shape{5, 19}));
}

// Not neighbours: they are copied, into columns too.
TEST(Lower, MergedColumnsWithAGapAreCopied) {
  const Graph graph = test::linear_siblings();
  const ExecutionPlan plan =
      lower_stage(graph, merge_stage({unit(graph, "value"), unit(graph, "query")}), 1, {.free_columns = true});
  ASSERT_TRUE(check_plan(plan)) << check_plan(plan).error().text();
  ASSERT_THAT(kernel_names(plan),
              ElementsAre("query.linear + value", "copy of query.linear", "copy of value", "query.norm"));
  EXPECT_EQ(plan.kernels[2].writes.begin, 12);
  EXPECT_EQ(plan.kernels[2].writes.end, 19);
  EXPECT_EQ(plan.kernels[1].writes.buffer, plan.kernels[2].writes.buffer);
}

TEST(Lower, MergedLinearLayersNeedAllTheirOperators) {
  const Graph graph = test::linear_siblings();
  ExecutionPlan plan = lower(graph, merging_siblings(graph), 1);
  std::swap(plan.kernels[0].operators[0], plan.kernels[0].operators[1]);  // as many rows
  EXPECT_TRUE(check_plan(plan));
  plan.kernels[0].operators.pop_back();
  EXPECT_EQ(check_plan(plan).error().where, "kernels[0].operators");
  plan.kernels[0].operators.push_back(*graph.find_operator("some"));  // it reads 4 features
  EXPECT_EQ(check_plan(plan).error().where, "kernels[0].operators");
}

TEST(Lower, LinearSiblingsGiveValidPlansUnderEverySchedule) {
  const Graph graph = test::linear_siblings();
  std::mt19937 random(4);
  int copies = 0;
  for (int i = 0; i < 60; ++i) {
    const Schedule schedule = test::random_schedule(graph, random);
    for (const bool columns : {false, true}) {
      const LowerOptions wishes{.fuse = i % 2 == 0, .concat_in_place = i % 3 == 0, .free_columns = columns};
      const ExecutionPlan plan = lower(graph, schedule, 1 + i % 3, wishes);
      ASSERT_TRUE(check_plan(plan)) << check_plan(plan).error().text();
      copies +=
          static_cast<int>(std::ranges::count_if(
              plan.kernels, [](const Kernel& kernel) { return std::holds_alternative<Identity>(kernel.attributes); })) *
          (columns ? -1 : 1);
    }
  }
  EXPECT_GT(copies, 0);  // fewer where columns are free
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
