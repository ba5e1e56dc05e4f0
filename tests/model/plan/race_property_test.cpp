#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "core/model/plan/needs.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/plan/tensor_places.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/legality.h"
#include "tests/model/plan/symbolic.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/random_plans.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

constexpr LowerOptions kOptions[] = {{},
                                     {.fuse = true},
                                     {.concat_in_place = true},
                                     {.fuse = true, .concat_in_place = true},
                                     {.free_slices = FreeSlices::kAlways},
                                     {.fuse = true, .concat_in_place = true, .free_slices = FreeSlices::kAlways},
                                     {.concat_in_place = true, .input_channel_multiple = 5}};
constexpr std::int64_t kElementBytes = 4;
constexpr std::int64_t kBatch = 2;

// What the random graphs and schedules made happen.
struct Tally {
  int merged = 0;
  int merged_into_place = 0;
  int concat_copies = 0;
  int merged_copies = 0;
  int fused_in_unit = 0;
  int fused_across_units = 0;
  int without_kernel = 0;  // concatenations
  int empty_stages = 0;
  int fewer_lanes = 0;
};

void count(const Graph& graph, const Schedule& schedule, const ExecutionPlan& plan, Tally& tally) {
  int concats = 0;
  for (const Operator& op : graph.operators()) concats += op.as<Concat>() != nullptr ? 1 : 0;
  std::set<OperatorId> seen;
  for (const Kernel& kernel : plan.kernels) {
    const Operator& op = graph.op(kernel.operators.front());
    if (kernel.operators.size() > 1) {
      ++tally.merged;
      if (plan.buffers[kernel.writes.buffer.index()].shape != kernel.output) ++tally.merged_into_place;
    }
    if (std::holds_alternative<Identity>(kernel.attributes)) {
      ++(op.as<Concat>() != nullptr ? tally.concat_copies : tally.merged_copies);
    }
    if (!kernel.fused.empty()) ++(kernel.units.size() > 1 ? tally.fused_across_units : tally.fused_in_unit);
    if (op.as<Concat>() != nullptr && seen.insert(kernel.operators.front()).second) --concats;
  }
  tally.without_kernel += concats;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    const std::size_t lanes = plan.stages[s].lanes.size();
    if (lanes == 0) ++tally.empty_stages;
    if (lanes > 0 && lanes < schedule.stages[s].groups.size()) ++tally.fewer_lanes;
  }
}

bool overlap(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  std::vector<std::size_t> both;
  std::ranges::set_intersection(a, b, std::back_inserter(both));
  return !both.empty();
}

// No kernel writes what a kernel of another lane of its stage reads or writes.
void expect_disjoint(const test::SymbolicMachine& machine, const ExecutionPlan& plan) {
  for (std::size_t i = 0; i < plan.kernels.size(); ++i) {
    for (std::size_t j = 0; j < plan.kernels.size(); ++j) {
      const Kernel& a = plan.kernels[i];
      const Kernel& b = plan.kernels[j];
      if (a.stage != b.stage || a.lane == b.lane) continue;
      const auto written = machine.cells(a.writes);
      EXPECT_FALSE(overlap(written, machine.cells(b.writes))) << a.name << " and " << b.name;
      for (const TensorView& view : b.reads) {
        EXPECT_FALSE(overlap(written, machine.cells(view))) << a.name << " and " << b.name;
      }
    }
  }
}

void check_structure(const Schedule& schedule, const ExecutionPlan& plan) {
  ASSERT_EQ(plan.stages.size(), schedule.stages.size());
  std::size_t next = 0;
  for (std::size_t s = 0; s < plan.stages.size(); ++s) {
    for (std::size_t lane = 0; lane < plan.stages[s].lanes.size(); ++lane) {
      EXPECT_FALSE(plan.stages[s].lanes[lane].empty());
      for (const KernelId id : plan.stages[s].lanes[lane]) {
        EXPECT_EQ(id.index(), next++);
        EXPECT_EQ(plan.kernel(id).stage, s);
        EXPECT_EQ(plan.kernel(id).lane, lane);
        EXPECT_EQ(plan.kernel(id).writes.end - plan.kernel(id).writes.begin, plan.kernel(id).output.channels());
      }
    }
  }
  EXPECT_EQ(next, plan.kernels.size());
}

// Any order that lanes and waits allow computes what the graph defines.
void check_orders(const Graph& graph, const ExecutionPlan& plan, std::mt19937& random) {
  const MemoryPlan memory = plan_memory(plan, kElementBytes);
  const auto defined = test::defined_symbols(graph);
  test::SymbolicMachine machine(graph, plan, memory);
  for (int turn = 0; turn < 3; ++turn) {
    if (turn == 0) {  // afterwards they must still be there
      for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
        const auto& symbols = defined[graph.inputs()[i].index()];
        machine.fill({plan.inputs[i], 0, static_cast<std::int64_t>(symbols.size())}, symbols);
      }
    }
    machine.run(random);
    ASSERT_EQ(plan.outputs.size(), graph.outputs().size());
    for (std::size_t i = 0; i < plan.outputs.size(); ++i) {
      const OperatorId op = graph.unit(graph.outputs()[i]).output();
      EXPECT_EQ(machine.read(plan.outputs[i].view), defined[op.index()]) << plan.outputs[i].name;
    }
  }
}

// What the operators that are done have made is in its place, and nothing else is.
void check_stage(const Graph& graph, const Stage& stage, const std::vector<bool>& done, const LowerOptions& options,
                 std::mt19937& random) {
  const ExecutionPlan plan = lower_stage(graph, stage, kBatch, options);
  const MemoryPlan memory = plan_memory(plan, kElementBytes);
  const auto defined = test::defined_symbols(graph);
  const TensorPlaces places(graph, kBatch, options);
  test::SymbolicMachine machine(graph, plan, memory);
  expect_disjoint(machine, plan);
  for (std::size_t b = 0; b < plan.buffers.size(); ++b) {
    if (!plan.buffers[b].external || plan.buffers[b].constant) continue;
    for (std::size_t i = 0; i < done.size(); ++i) {
      const Place place = places.of(OperatorId(i));
      if (!done[i] || places.region(place.region).owner != plan.buffers[b].source) continue;
      const std::int64_t channels = graph.operators()[i].output.channels();
      machine.fill({BufferId(b), place.begin, place.begin + channels}, defined[i]);
    }
  }
  machine.run(random);
}

void check_whole(const Graph& graph, const Schedule& schedule, const ExecutionPlan& plan, std::mt19937& random) {
  const MemoryPlan memory = plan_memory(plan, kElementBytes);
  check_structure(schedule, plan);
  expect_disjoint(test::SymbolicMachine(graph, plan, memory), plan);
  check_orders(graph, plan, random);
}

// The same kernels on lanes without barriers.
void check_barrier_free(const Graph& graph, const ExecutionPlan& staged, std::mt19937& random) {
  const auto needs = needs_of(staged);
  for (std::size_t lanes = 1; lanes < 6; lanes += 2) {
    const LaneSchedule launches = test::random_lanes(staged, lanes, random);
    ASSERT_TRUE(check_lanes(launches, needs));
    const ExecutionPlan plan = on_lanes(staged, needs, launches);
    const auto valid = check_plan(plan);
    ASSERT_TRUE(valid) << valid.error().line();
    EXPECT_LE(plan.lane_count(), lanes);
    check_orders(graph, plan, random);
  }
}

void check(const Graph& graph, const Schedule& schedule, std::mt19937& random, Tally& tally) {
  ASSERT_TRUE(check_legal(graph, schedule).has_value());
  for (const LowerOptions& options : kOptions) {
    SCOPED_TRACE(testing::Message() << "fuse " << options.fuse << ", in place " << options.concat_in_place);
    const ExecutionPlan plan = lower(graph, schedule, kBatch, options);
    count(graph, schedule, plan, tally);
    check_whole(graph, schedule, plan, random);
    check_barrier_free(graph, plan, random);
    std::vector<bool> done;
    for (const Operator& op : graph.operators()) done.push_back(op.is_source());
    for (const Stage& stage : schedule.stages) {
      check_stage(graph, stage, done, options, random);
      for (const UnitId unit : stage.units()) {
        for (const OperatorId op : graph.unit(unit).operators) done[op.index()] = true;
      }
    }
  }
}

TEST(PlanRaces, RandomGraphsAndSchedules) {
  Tally tally;
  for (std::uint64_t seed = 0; seed < 60; seed += test::every(8)) {
    SCOPED_TRACE(seed);
    std::mt19937 random(static_cast<std::uint32_t>(seed));
    const Graph graph = test::random_concat_graph(seed, 6 + seed % 30);
    check(graph, one_by_one_schedule(graph), random, tally);
    check(graph, greedy_schedule(graph, 1 + seed % 6), random, tally);
    for (int turn = 0; turn < 3; ++turn) check(graph, test::random_schedule(graph, random), random, tally);
    if (testing::Test::HasFailure()) return;
  }
  // Otherwise the generators are not worth their name.
  EXPECT_GT(tally.merged, 100 / test::every(10));
  EXPECT_GT(tally.merged_into_place, 20 / test::every(10));
  EXPECT_GT(tally.concat_copies, 100 / test::every(10));
  EXPECT_GT(tally.merged_copies, 20 / test::every(10));
  EXPECT_GT(tally.fused_in_unit, 50 / test::every(10));
  EXPECT_GT(tally.fused_across_units, 20 / test::every(10));
  EXPECT_GT(tally.without_kernel, 100 / test::every(10));
  EXPECT_GT(tally.empty_stages, 20 / test::every(10));
  EXPECT_GT(tally.fewer_lanes, 20 / test::every(10));
}

TEST(PlanRaces, SequentialMemoryIsNoMoreThanAllBuffers) {
  for (std::uint64_t seed = 0; seed < 40; seed += test::every(8)) {
    const Graph graph = test::random_concat_graph(seed, 30);
    for (const LowerOptions& options : kOptions) {
      const ExecutionPlan plan = lower(graph, one_by_one_schedule(graph), kBatch, options);
      std::int64_t sum = 0;
      std::int64_t largest = 0;
      for (const Buffer& buffer : plan.buffers) {
        if (buffer.constant) continue;
        const std::int64_t bytes = (buffer.shape.elements() * kBatch * kElementBytes + 63) / 64 * 64;
        sum += bytes;
        largest = std::max(largest, bytes);
      }
      const std::int64_t peak = plan_memory(plan, kElementBytes).peak_bytes;
      EXPECT_LE(peak, sum) << seed;
      EXPECT_GE(peak, largest) << seed;
      if (!options.fuse && !options.concat_in_place) {
        EXPECT_LT(peak, sum) << "30 units, one at a time: something dies";
      }
    }
  }
}

}  // namespace
}  // namespace iosx
