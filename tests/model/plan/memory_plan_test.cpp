#include "core/model/plan/memory_plan.h"

#include <gtest/gtest.h>

#include <chrono>
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
  EXPECT_EQ(peak(graph, one_by_one_schedule(graph), 1, {false, true}), (1 + 1 + 3) * kTensor);
}

TEST(MemoryPlan, ADenseBlockIsItsInputAndItsLastConcatenation) {
  const Graph graph = test::dense_block(6);
  EXPECT_EQ(peak(graph, one_by_one_schedule(graph), 4, {false, true}), 4 * (4 + 7 * 4) * 2 * 2 * 4);
}

// Two chains of three: one after the other each needs a tensor to write; side by side both need theirs at once.
TEST(MemoryPlan, LanesDoNotShare) {
  GraphBuilder builder("two chains");
  const Value in = builder.input("in", {8, 16, 16});
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
  GraphBuilder builder("test");
  const Value in = builder.input("in", {3, 1, 1});
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

}  // namespace
}  // namespace iosx
