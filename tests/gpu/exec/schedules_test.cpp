// Whatever the schedule and the order in which streams get ahead, the numbers are those that the graph means.

#include "core/devices/device.h"
#include "core/model/schedule/baselines.h"
#include "tests/gpu/exec/bench.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx::gpu::test {
namespace {

std::vector<Schedule> schedules_of(const Graph& graph, std::uint32_t seed, int random_ones) {
  std::mt19937 random(seed);
  std::vector<Schedule> schedules{one_by_one_schedule(graph), greedy_schedule(graph)};
  for (int i = 0; i < random_ones; ++i) schedules.push_back(iosx::test::random_schedule(graph, random));
  return schedules;
}

void check(Bench& bench, const Graph& graph, const std::vector<Schedule>& schedules, std::int64_t batch) {
  for (const Schedule& schedule : schedules) {
    ASSERT_TRUE(check_legal(graph, schedule));
    for (const Mode& mode : {Mode{}, Mode{.graph = true}, Mode{.graph = true, .copies = 2}}) {
      expect_reference(bench, graph, schedule, batch, tolerance_of(bench.exec_context.math), mode);
    }
  }
}

TEST(ExecutedSchedules, OfRandomGraphsAgreeWithTheReference) {
  for (std::uint32_t seed = 0; seed < 25; seed += iosx::test::every(4)) {
    Bench bench(Math::kStrict, {.seed = seed + 1});
    const Graph graph = iosx::test::random_concat_graph(seed, 14);
    check(bench, graph, schedules_of(graph, seed, 4), 1 + seed % 3);
  }
}

// Without looking for races: only numbers tell.
TEST(ExecutedSchedules, OfRandomGraphsAreRightInWhateverOrder) {
  for (std::uint32_t seed = 0; seed < 40; seed += iosx::test::every(4)) {
    Bench bench(Math::kStrict, {.seed = 100 + seed, .races = false});
    const Graph graph = iosx::test::random_concat_graph(seed % 5, 16);
    check(bench, graph, schedules_of(graph, seed, 2), 1);
  }
}

// Without barriers too, on whatever lanes.
TEST(ExecutedSchedules, OnRandomLanesAgreeWithTheReference) {
  for (std::uint32_t seed = 0; seed < 25; seed += iosx::test::every(4)) {
    Bench bench(Math::kStrict, {.seed = seed + 1});
    std::mt19937 random(seed);
    const Graph graph = iosx::test::random_concat_graph(seed, 14);
    for (const Schedule& schedule : schedules_of(graph, seed, 2)) {
      const ExecutionPlan staged = lower(graph, schedule, 1 + seed % 3, kLowering);
      const LaneSchedule lanes = iosx::test::random_lanes(staged, 2 + seed % 7, random);
      const ExecutionPlan plan = on_lanes(staged, needs_of(staged), lanes);
      for (const Mode& mode : {Mode{}, Mode{.graph = true}, Mode{.graph = true, .copies = 2}}) {
        expect_reference(bench, graph, plan, tolerance_of(bench.exec_context.math), mode, "lanes of " + schedule.name);
      }
    }
  }
}

TEST(ExecutedSchedules, AreRightWhateverTheLibraryTakes) {
  for (std::uint32_t bits = 0; bits < 8; ++bits) {
    Bench bench(Math::kStrict, {},
                {.slices = (bits & 1U) != 0, .residuals = (bits & 2U) != 0, .activations = (bits & 4U) != 0});
    for (std::uint32_t seed = 0; seed < 4; ++seed) {
      const Graph graph = iosx::test::random_concat_graph(seed, 14);
      check(bench, graph, schedules_of(graph, seed, 2), 2);
    }
  }
}

TEST(ExecutedSchedules, OfGrowingConcatenationsAgreeWithTheReference) {
  Bench bench;
  const Graph graph = iosx::test::dense_block(6);
  check(bench, graph, schedules_of(graph, 1, 4), 2);
}

// Columns of one matrix, merged and not; and merged ones that are copied out.
TEST(ExecutedSchedules, OfMergedLinearLayersAgreeInEveryPrecision) {
  const Graph graph = iosx::test::linear_siblings();
  for (const Math math : {Math::kStrict, Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    Bench bench(math);
    check(bench, graph, schedules_of(graph, 5, 6), 1);
    check(bench, graph, schedules_of(graph, 6, 6), 3);
    for (const Schedule& schedule : schedules_of(graph, 7, 4)) {
      LowerOptions dear = kLowering;
      dear.free_columns = false;
      expect_reference(bench, graph, lower(graph, schedule, 2, dear), tolerance_of(math), {.graph = true},
                       "copied, " + schedule.name);
    }
  }
}

// Products of any strides, by the library and by our kernel.
TEST(ExecutedSchedules, OfHeadsAgreeInEveryPrecision) {
  for (const Graph& graph : {iosx::test::interleaved_heads(), iosx::test::single_heads()}) {
    for (const Math math : {Math::kStrict, Math::kTf32, Math::kHalf, Math::kBfloat16}) {
      for (const bool products : {true, false}) {
        Bench bench(math, {}, {.products = products});
        for (const std::int64_t batch : {1, 3}) check(bench, graph, schedules_of(graph, 8, 4), batch);
      }
    }
  }
}

// In the library's kernel, in steps of the library or of ours, and where keys are turned before.
TEST(ExecutedSchedules, OfAttentionAgreeInEveryPrecision) {
  const Graph graph = iosx::test::attention_forms();
  LowerOptions turned = kLowering;
  turned.strided_products = false;
  for (const Math math : {Math::kStrict, Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    for (const int taken : {0, 1, 2}) {
      Bench bench(math, {}, {.products = taken > 0, .attention = taken > 1});
      for (const std::int64_t batch : {1, 3}) check(bench, graph, schedules_of(graph, 8, 2), batch);
      expect_reference(bench, graph, lower(graph, one_by_one_schedule(graph), 2, turned), tolerance_of(math), {},
                       "turned keys");
    }
  }
}

TEST(ExecutedSchedules, OfSqueezeAndExcitationAgreeInEveryPrecision) {
  const Graph graph = iosx::test::excited_maps();
  for (const Math math : {Math::kStrict, Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    Bench bench(math);
    for (const std::int64_t batch : {1, 3}) {
      std::vector<Schedule> schedules = schedules_of(graph, 8, 2);
      schedules.push_back(sequential_schedule(graph));
      check(bench, graph, schedules, batch);
    }
  }
}

TEST(ExecutedSchedules, OfActivatedSumsAgreeInEveryPrecision) {
  const Graph graph = iosx::test::activated_sums();
  const Schedule schedule = one_by_one_schedule(graph);
  const ExecutionPlan plan = lower(graph, schedule, 1, kLowering);
  EXPECT_THAT(mapped<std::string>(plan.kernels, &Kernel::name),
              ElementsAre("erf", "tanh", "two.sum", "three.sum", "six.sum", "shared", "act", "out"));
  for (const Math math : {Math::kStrict, Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    for (const bool activations : {true, false}) {
      Bench bench(math, {}, {.activations = activations});
      for (const std::int64_t batch : {1, 3}) expect_reference(bench, graph, schedule, batch, tolerance_of(math));
    }
  }
}

// Padding of a clip that is not 0 at 0 is zeros, whether the library applies the clip or we do.
TEST(ExecutedSchedules, OfActivatedInputsAgreeInEveryPrecision) {
  const Graph graph = iosx::test::activated_inputs();
  const Schedule schedule = one_by_one_schedule(graph);
  for (const Math math : {Math::kStrict, Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    for (const bool activations : {true, false}) {
      Bench bench(math, {}, {.activations = activations});
      for (const std::int64_t batch : {1, 3}) expect_reference(bench, graph, schedule, batch, tolerance_of(math));
    }
  }
}

TEST(ExecutedSchedules, OfRandomConvolutionsAgreeInEveryPrecision) {
  for (const Math math : {Math::kTf32, Math::kHalf, Math::kBfloat16}) {
    Bench bench(math);
    for (std::uint32_t seed = 0; seed < 4; seed += iosx::test::every(4)) {
      const Graph graph = iosx::test::random_dag(seed, 8);
      check(bench, graph, schedules_of(graph, seed, 2), 1);
    }
  }
}

// Every way of every convolution, one after another.
TEST(ExecutedSchedules, AreRightWhateverWaysAreChosen) {
  Bench bench;
  for (std::uint32_t seed = 0; seed < 4; ++seed) {
    const Graph graph = iosx::test::random_concat_graph(seed, 12);
    for (const Schedule& schedule : schedules_of(graph, seed, 1)) {
      const ExecutionPlan plan = lower(graph, schedule, 2, kLowering);
      const auto inputs = synthetic_inputs(plan);
      PreparedPlan first = prepared(bench, plan);
      const auto expected = outputs_of(bench, first, inputs);
      for (std::size_t rank = 1; rank < 9; ++rank) {
        PreparedPlan other = prepared(bench, plan, WayRanks(plan.kernels.size(), rank));
        expect_close(expected, outputs_of(bench, other, inputs), 1e-5, fmt::format("rank {}", rank));
      }
    }
  }
}

}  // namespace
}  // namespace iosx::gpu::test
