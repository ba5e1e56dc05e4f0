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

TEST(ColdWeights, PlacesFollowOneAnotherAndComeAgainAfterTwiceTheCache) {
  Bench bench(Math::kStrict, small_cache());
  ColdWeights& cold = bench.exec_context.cold_weights();
  EXPECT_EQ(cold.bytes(), 2 * kCache);
  const auto* const first = static_cast<const std::byte*>(cold.place(1000));
  EXPECT_EQ(static_cast<const std::byte*>(cold.place(kCache)) - first, 1024);
  EXPECT_EQ(cold.place(kCache), first) << "it would end behind the last byte";
  EXPECT_EQ(static_cast<const std::byte*>(cold.place(1)) - first, kCache);
}

TEST(ColdWeights, EveryCopyReadsOthersAndWritesTheSame) {
  Bench bench(Math::kStrict, small_cache());
  const Graph graph = two_convolutions();
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 1, kLowering);
  PreparedPlan made = prepared(bench, plan);
  EXPECT_EQ(&made.kernels(3), &made.kernels());
  made.spread_weights(100);
  std::set<const void*> weights;
  int copies = 0;
  for (; copies < 100 && !weights.contains(std::get<ConvStep>(made.kernels(copies)[0].steps[0]).operands.weights);
       ++copies) {
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      const auto& own = std::get<ConvStep>(made.kernels()[k].steps[0]).operands;
      const auto& other = std::get<ConvStep>(made.kernels(copies)[k].steps[0]).operands;
      EXPECT_EQ(std::tuple(own.x, own.y, own.workspace), std::tuple(other.x, other.y, other.workspace));
      EXPECT_NE(own.weights, other.weights);
      weights.insert(other.weights);
    }
  }
  EXPECT_EQ(copies, 7) << "2 MiB have room for so many times 2 · 147,456 bytes and the biases";
  EXPECT_EQ(weights.size(), 14U);
  run(made, bench.runtime, {.graph = true, .copies = 9});  // nothing of it is refused as a race, or as out of bounds
  bench.exec_context.cold_weights().evict();
  bench.runtime.synchronize(kOrigin);
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
