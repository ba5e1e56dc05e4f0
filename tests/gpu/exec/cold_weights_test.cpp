// Weights that are not in the cache.

#include "gpu/exec/cold_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "core/devices/device.h"
#include "core/model/graph/builder.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "tests/gpu/exec/bench.h"
#include "tests/support/graphs.h"

namespace iosx::gpu::test {
namespace {

constexpr std::int64_t kCache = std::int64_t{1} << 20;

// Two convolutions of 64 × 64 × 9 weights, 147 KB each, on small maps.
Graph two_convolutions() {
  GraphBuilder builder("two");
  Value last = builder.input("in", Shape{64, 4, 4});
  Conv conv;
  conv.out_channels = 64;
  conv.kernel = {3, 3};
  conv.padding = {1, 1};
  for (const char* name : {"a", "b"}) last = builder.add(name, conv, {last});
  return std::move(builder).build().value();
}

HostRuntime::Options small_cache() {
  HostRuntime::Options options;
  options.l2_bytes = kCache;
  return options;
}

const std::byte* weights_of(const PreparedKernel& kernel) {
  return static_cast<const std::byte*>(std::get<ConvStep>(kernel.steps.at(0)).operands.weights);
}

TEST(ColdWeights, AreTwiceWhatTheCacheHolds) {
  Bench bench(Math::kStrict, small_cache());
  EXPECT_EQ(bench.exec_context.cold_weights().bytes(), 2 * kCache);
}

TEST(ColdWeights, EveryCopyReadsOthersAndWritesTheSame) {
  constexpr std::int64_t kEach = std::int64_t{2} * (64 * 64 * 9 * 4 + 2 * 256);  // weights, and biases of either type
  constexpr int kRoom = 2 * kCache / kEach;
  Bench bench(Math::kStrict, small_cache());
  const Graph graph = two_convolutions();
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 1, kLowering);
  PreparedPlan made = prepared(bench, plan);
  EXPECT_EQ(&made.kernels(3), &made.kernels());
  made.spread_weights(2);
  made.spread_weights(100);
  const std::byte* const first = bench.exec_context.cold_weights().data();
  for (int copy = 0; copy < 2 * kRoom; ++copy) {
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      const auto& own = std::get<ConvStep>(made.kernels()[k].steps[0]).operands;
      const auto& other = std::get<ConvStep>(made.kernels(copy)[k].steps[0]).operands;
      EXPECT_EQ(std::tuple(own.x, own.y, own.workspace), std::tuple(other.x, other.y, other.workspace));
      const std::int64_t begin = copy % kRoom * kEach + static_cast<std::int64_t>(k) * kEach / 2;
      EXPECT_EQ(weights_of(made.kernels(copy)[k]) - first, begin) << copy << " " << k;
    }
  }
  run(made, bench.runtime, {.graph = true, .copies = 9});  // nothing of it is refused as a race, or as out of bounds
  bench.exec_context.cold_weights().evict();
  bench.runtime.synchronize(kOrigin);
}

// They leave the cache by themselves.
TEST(ColdWeights, WeightsForWhichThereIsNoRoomAreReadWhereTheyLie) {
  Bench bench(Math::kStrict, small_cache());
  GraphBuilder builder("large");
  Conv conv;
  conv.out_channels = 1024;  // 2.1 MB of weights
  builder.add("a", conv, {builder.input("in", Shape{512, 2, 2})});
  const Graph graph = std::move(builder).build().value();
  PreparedPlan made = prepared(bench, lower(graph, sequential_schedule(graph), 1, kLowering));
  made.spread_weights(10);
  EXPECT_EQ(&made.kernels(3), &made.kernels());
  run(made, bench.runtime, {.graph = true, .copies = 2});
}

TEST(ColdWeights, WithoutWeightsThereIsNothingToSpread) {
  Bench bench(Math::kStrict, small_cache());
  GraphBuilder builder("none");
  builder.add("relu", Activate{Activation::kRelu}, {builder.input("in", Shape{4, 2, 2})});
  const Graph graph = std::move(builder).build().value();
  PreparedPlan made = prepared(bench, lower(graph, sequential_schedule(graph), 1, kLowering));
  made.spread_weights(10);
  EXPECT_EQ(&made.kernels(3), &made.kernels());
}

}  // namespace
}  // namespace iosx::gpu::test
