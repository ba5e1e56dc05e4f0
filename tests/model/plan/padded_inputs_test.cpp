#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "core/model/graph/builder.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/support/lower.h"

// LowerOptions::input_channel_multiple.
namespace iosx {
namespace {

constexpr LowerOptions kEight{.input_channel_multiple = 8};

Conv conv(std::int64_t channels, std::int64_t groups = 1) {
  Conv conv;
  conv.out_channels = channels;
  conv.groups = groups;
  return conv;
}

const Buffer& input_of(const ExecutionPlan& plan, std::size_t i = 0) { return plan.buffers[plan.inputs[i].index()]; }

// The blank channels of the only input of a network that somebody else builds on it.
template <typename Build>
std::int64_t blank_of(Build&& build, std::int64_t channels = 3) {
  GraphBuilder builder("made");
  build(builder, builder.input("image", Shape{channels, 8, 8}));
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 2, kEight);
  const auto valid = check_plan(plan);
  EXPECT_TRUE(valid) << valid.error().text();
  EXPECT_EQ(filled_shape(input_of(plan)), (Shape{channels, 8, 8}));
  EXPECT_EQ(input_of(plan).shape, (Shape{channels + input_of(plan).blank, 8, 8}));
  return input_of(plan).blank;
}

TEST(PaddedInputs, AreThoseThatConvolutionsAloneRead) {
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }), 5);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) {
              b.add("a", conv(4), {in});
              b.add("b", conv(6), {in});
            }),
            5);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }, 8), 0) << "already whole";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }, 12), 4);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(3, 3), {in}); }), 0) << "groups";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(4), {in}); }, 1), 7);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", conv(1), {in}); }, 1), 0) << "depthwise";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) { b.add("a", Activate{}, {in}); }), 0);
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) {
              const Value a = b.add("a", conv(3), {in});
              b.add("sum", Add{}, {a, in});
            }),
            0)
      << "somebody else reads it, too";
  EXPECT_EQ(blank_of([](GraphBuilder& b, const Value& in) {
              Value two = in;
              two.end = 2;
              b.add("a", conv(4), {two});
            }),
            0)
      << "a slice of it";
}

TEST(PaddedInputs, AreReadWholeByMergedConvolutionsToo) {
  GraphBuilder builder("merged");
  const Value in = builder.input("image", Shape{3, 8, 8});
  builder.add("a", conv(4), {in});
  builder.add("b", conv(6), {in});
  const Graph graph = std::move(builder).build().value();
  const Stage merged{{Group{{Step{{UnitId(0), UnitId(1)}}}}}};
  const ExecutionPlan plan = lower_stage(graph, merged, 1, kEight);
  const auto valid = check_plan(plan);
  ASSERT_TRUE(valid) << valid.error().text();
  const TensorView& read = plan.kernels.front().reads.front();
  EXPECT_EQ(read.end - read.begin, 8);
  EXPECT_EQ(plan.buffers[read.buffer.index()].blank, 5);
}

TEST(PaddedInputs, DoNotChangeTheWorkButTheKeyOfTheStageThatReadsThem) {
  const Graph graph = zoo_network("squeezenet").value();
  const Schedule schedule = one_by_one_schedule(graph);
  StagePlanner plain(graph, 1, {});
  StagePlanner padded(graph, 1, kEight);
  std::size_t other_keys = 0;
  for (const Stage& stage : schedule.stages) {
    const PlannedStage before = plain.plan(stage);
    const PlannedStage after = padded.plan(stage);
    other_keys += before.key == after.key ? 0 : 1;
    ASSERT_EQ(before.plan.kernels.size(), after.plan.kernels.size());
    for (std::size_t k = 0; k < before.plan.kernels.size(); ++k) {
      EXPECT_EQ(before.plan.kernels[k].work, after.plan.kernels[k].work);
    }
  }
  EXPECT_EQ(other_keys, 1U);
}

TEST(PaddedInputs, StandInWholeRunsAndInStagesAlike) {
  for (const ZooNetwork& network : zoo()) {
    const Graph graph = network.build();
    const Schedule schedule = one_by_one_schedule(graph);
    const ExecutionPlan run = lower(graph, schedule, 1, kEight);
    StagePlanner planner(graph, 1, kEight);
    for (const Stage& stage : schedule.stages) {
      for (const Buffer& alone : planner.plan(stage).plan.buffers) {
        const auto same = std::ranges::find(run.buffers, alone.name, &Buffer::name);
        ASSERT_NE(same, run.buffers.end()) << network.name << ": " << alone.name;
        EXPECT_EQ(same->blank, alone.blank) << network.name << ": " << alone.name;
        EXPECT_EQ(same->shape, alone.shape) << network.name << ": " << alone.name;
      }
    }
  }
}

}  // namespace
}  // namespace iosx
