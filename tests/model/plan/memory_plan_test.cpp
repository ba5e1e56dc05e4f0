#include "core/model/plan/memory_plan.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

constexpr LowerOptions kInPlace{.concat_in_place = true};

constexpr std::int64_t kTensor = 8 * 16 * 16 * 4;  // bytes of an 8×16×16 float32 tensor

std::int64_t peak(const Graph& graph, const Schedule& schedule, std::int64_t batch = 1,
                  const LowerOptions& options = {}) {
  return plan_memory(lower(graph, schedule, batch, options), 4).peak_bytes;
}

TEST(MemoryPlan, AChainNeedsTwoTensorsAndItsInput) {
  EXPECT_EQ(peak(test::chain(1), one_by_one_schedule(test::chain(1))), 2 * kTensor);
  for (std::size_t n = 2; n < 6; ++n) EXPECT_EQ(peak(test::chain(n), one_by_one_schedule(test::chain(n))), 3 * kTensor);
  EXPECT_EQ(peak(test::chain(4), one_by_one_schedule(test::chain(4)), 8), 8 * 3 * kTensor);
}

TEST(MemoryPlan, AConcatenationInPlaceIsNotHeldTwice) {
  const Graph graph = test::fork_join(3);
  // The input, the three branches and the concatenation; what the branches read lies where the concatenation will.
  EXPECT_EQ(peak(graph, one_by_one_schedule(graph)), (1 + 3 + 3) * kTensor);
  // The input, what the branches read, and the concatenation.
  EXPECT_EQ(peak(graph, one_by_one_schedule(graph), 1, kInPlace), (1 + 1 + 3) * kTensor);
}

TEST(MemoryPlan, ADenseBlockIsItsInputAndItsLastConcatenation) {
  const Graph graph = test::dense_block(6);
  EXPECT_EQ(peak(graph, one_by_one_schedule(graph), 4, kInPlace), 4 * (4 + 7 * 4) * 2 * 2 * 4);
}

// Two chains of three: one after the other each needs a tensor to write; side by side both need theirs at once.
TEST(MemoryPlan, LanesDoNotShare) {
  auto [builder, in] = test::sketch("two chains", {8, 16, 16});
  std::vector<Value> ends;
  Stage together;
  std::size_t unit = 0;
  for (const char* side : {"l", "r"}) {
    Value last = in;
    Group group;
    for (int i = 0; i < 4; ++i) {
      last = builder.add(side + std::to_string(i), Activate{}, {last});
      group.steps.push_back(Step{{UnitId(unit++)}});
    }
    ends.push_back(last);
    together.groups.push_back(std::move(group));
  }
  builder.add("sum", Add{}, ends);
  const Graph graph = std::move(builder).build().value();
  EXPECT_EQ(peak(graph, one_by_one_schedule(graph)), 4 * kTensor);  // input, the left end, two of the right chain
  EXPECT_EQ(peak(graph, Schedule{"", {together, single_unit_stage(UnitId(unit))}}), 5 * kTensor);
}

TEST(MemoryPlan, OffsetsAreAlignedAndConstantsElsewhere) {
  auto [builder, in] = test::sketch("test", {3, 1, 1});
  const Value fixed = builder.constant("fixed", Tensor({3, 1, 1}, {1, 2, 3}));
  builder.add("sum", Add{}, {in, fixed});
  const Graph graph = std::move(builder).build().value();
  const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), 7);
  const MemoryPlan memory = plan_memory(plan, 2, 256);
  EXPECT_EQ(memory.constant_bytes, 3 * 2);
  EXPECT_EQ(memory.peak_bytes, 2 * 256);
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    EXPECT_EQ(memory.offsets[b] == MemoryPlan::kNone, plan.buffers[b].constant);
    if (!plan.buffers[b].constant) {
      EXPECT_EQ(memory.offsets[b] % 256, 0);
    }
  }
}

TEST(MemoryPlan, InputsAndOutputsKeepTheirMemory) {
  const Graph graph = test::fork(3);  // three outputs
  EXPECT_EQ(peak(graph, one_by_one_schedule(graph)), 4 * kTensor);
  // What a stage leaves for later stages is there when it ends.
  const Stage stage{{Group{{Step{{UnitId(0)}}, Step{{UnitId(1)}}, Step{{UnitId(2)}}}}}};
  EXPECT_EQ(plan_memory(lower_stage(graph, stage, 1), 4).peak_bytes, 4 * kTensor);
}

TEST(MemoryPlan, EmptyPlan) {
  const MemoryPlan memory = plan_memory(ExecutionPlan{}, 4);
  EXPECT_EQ(memory.peak_bytes, 0);
  EXPECT_TRUE(memory.offsets.empty());
}

// Each kernel reads the one before and one long before.
TEST(MemoryPlan, TenThousandBuffersInLessThanASecond) {
  constexpr std::size_t kBuffers = 10'000;
  ExecutionPlan plan;
  for (std::size_t i = 0; i < kBuffers; ++i) {
    plan.buffers.push_back(
        Buffer{"", Shape{static_cast<std::int64_t>(1 + i * 7919 % 100), 4, 4}, i == 0, false, OperatorId{}});
    if (i == 0) continue;
    Kernel& kernel = plan.kernels.emplace_back();
    kernel.stage = i - 1;
    kernel.reads.push_back({BufferId(i - 1), 0, 1});
    kernel.reads.push_back({BufferId(i > 300 ? i - 1 - i * 104729 % 300 : 0), 0, 1});
    kernel.writes = {BufferId(i), 0, 1};
    plan.stages.push_back(PlanStage{{{KernelId(i - 1)}}});
  }
  const auto start = std::chrono::steady_clock::now();
  const MemoryPlan memory = plan_memory(plan, 4);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  RecordProperty("milliseconds", std::to_string(took.count() * 1000));
#ifdef NDEBUG
  EXPECT_LT(took.count(), 1.0);
#endif
  EXPECT_GT(memory.peak_bytes, 0);
}

// Most buffers are in use for a moment only, and some all the time; all pairs would be five billions.
TEST(MemoryPlan, AHundredThousandBuffersInSeconds) {
  constexpr std::size_t kBuffers = test::kSanitized ? 20'000 : 100'000;
  ExecutionPlan plan;
  for (std::size_t i = 0; i < kBuffers; ++i) {
    plan.buffers.push_back(Buffer{"", Shape{static_cast<std::int64_t>(1 + i % 3), 4, 4}, i == 0, false, OperatorId{}});
    if (i == 0) continue;
    Kernel& kernel = plan.kernels.emplace_back();
    kernel.stage = i - 1;
    kernel.reads.push_back({BufferId(i - 1), 0, 1});
    kernel.reads.push_back({BufferId((i - 1) / 1000 * 1000), 0, 1});
    kernel.writes = {BufferId(i), 0, 1};
    plan.stages.push_back(PlanStage{{{KernelId(i - 1)}}});
  }
  const auto start = std::chrono::steady_clock::now();
  const MemoryPlan memory = plan_memory(plan, 4);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_LT(memory.peak_bytes, 20 * 3 * 16 * 4);
  EXPECT_TRUE(check_memory(plan, memory, 4));
}

bool row_major(const Graph& graph, std::string_view name) {
  return row_major_outputs(graph)[graph.find_operator(name)->index()];
}

Graph assembled(GraphBuilder builder) { return must(std::move(builder).build()); }

TEST(MemoryOrder, OfHeadsIsRowMajorAndOfImagesIsNot) {
  GraphBuilder builder("vision");
  Conv conv{.out_channels = 8};
  Value x = builder.add("conv", conv, {builder.input("image", Shape{3, 4, 4})});
  x = builder.add("relu", Activate{}, {x});
  x = builder.add("tokens", Transpose{{1, 0}}, {builder.add("flat", Reshape{Shape{8, 16}}, {x})});
  x = builder.add("split", Reshape{Shape{16, 2, 4}}, {x});
  const Value heads = builder.add("heads", Transpose{{1, 0, 2}}, {x});
  const Value keys = builder.add("keys", Transpose{{1, 2, 0}}, {x});
  const Value scores = builder.add("scores", MatMul{}, {heads, keys});
  builder.add("softmax", Softmax{2}, {scores});
  const Graph graph = assembled(std::move(builder));
  for (const char* name : {"image", "conv", "relu", "flat", "tokens"}) EXPECT_FALSE(row_major(graph, name)) << name;
  for (const char* name : {"split", "heads", "keys", "scores", "softmax"}) EXPECT_TRUE(row_major(graph, name)) << name;
}

// Also over what is computed element by element, before and after, and by a pool that comes later.
TEST(MemoryOrder, IsThatOfAFeatureMapWhereAnyReaderSeesOne) {
  auto [builder, in] = test::sketch("late", Shape{4, 6, 8});
  const Value scaled = builder.add("scaled", Affine{}, {in});
  const Value turned = builder.add("turned", Transpose{{0, 2, 1}}, {scaled});
  const Value sum = builder.add("sum", Add{}, {scaled, builder.constant("term", Shape{4, 1, 1})});
  builder.add("pool", Pool{PoolKind::kMax, {2, 2}, {2, 2}, {0, 0}, false}, {sum});
  builder.add("product", MatMul{}, {turned, sum});
  const Graph graph = assembled(std::move(builder));
  for (const char* name : {"in", "scaled", "term", "sum", "pool"}) EXPECT_FALSE(row_major(graph, name)) << name;
  for (const char* name : {"turned", "product"}) EXPECT_TRUE(row_major(graph, name)) << name;
}

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
  auto [builder, in] = test::sketch("test", {4, 2, 2});
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
  auto [builder, in] = test::sketch("test", {4, 2, 2});
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
