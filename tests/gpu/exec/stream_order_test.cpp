#include "gpu/exec/enqueue.h"

#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/support/random_plans.h"

namespace iosx::gpu {
namespace {

ExecutionPlan plan_of(const std::vector<std::pair<std::size_t, std::vector<std::size_t>>>& kernels) {
  ExecutionPlan plan;
  std::size_t lanes = 0;
  for (const auto& [lane, waits] : kernels) {
    Kernel& kernel = plan.kernels.emplace_back();
    kernel.lane = lane;
    for (const std::size_t wait : waits) kernel.waits.emplace_back(wait);
    lanes = std::max(lanes, lane + 1);
  }
  plan.stages.emplace_back().lanes.resize(lanes);
  return plan;
}

std::vector<KernelId> all(const ExecutionPlan& plan) {
  std::vector<KernelId> kernels;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) kernels.emplace_back(k);
  return kernels;
}

TEST(StreamOrder, OfOneLaneNeedsNothing) {
  const ExecutionPlan plan = plan_of({{0, {}}, {0, {}}, {0, {}}});
  const StreamOrder order = stream_order(plan, all(plan));
  EXPECT_TRUE(order.joins.empty());
  for (const auto& launch : order.launches) {
    EXPECT_FALSE(launch.fork || launch.event);
    EXPECT_TRUE(launch.waits.empty());
  }
}

// 1 waits for 0, 2 for 1: then 2 need not wait for 0, too.
TEST(StreamOrder, LeavesOutWhatOtherWaitsImply) {
  const ExecutionPlan plan = plan_of({{0, {}}, {1, {0}}, {2, {0, 1}}, {0, {1, 2}}});
  const StreamOrder order = stream_order(plan, all(plan));
  EXPECT_EQ(order.launches[1].waits, (std::vector<KernelId>{KernelId(0)}));
  EXPECT_EQ(order.launches[2].waits, (std::vector<KernelId>{KernelId(1)}));
  EXPECT_EQ(order.launches[3].waits, (std::vector<KernelId>{KernelId(2)}));
  EXPECT_TRUE(order.joins.empty());
  for (const auto& launch : order.launches) EXPECT_FALSE(launch.fork);
  EXPECT_FALSE(order.launches[3].event);
}

TEST(StreamOrder, JoinsOnlyWhatIsStillApart) {
  const ExecutionPlan plan = plan_of({{0, {}}, {1, {}}, {2, {1}}, {1, {2}}, {3, {}}});
  const StreamOrder order = stream_order(plan, all(plan));
  EXPECT_EQ(order.joins, (std::vector<KernelId>{KernelId(4), KernelId(3)}));
  EXPECT_TRUE(order.launches[1].fork);
  EXPECT_FALSE(order.launches[2].fork);
  EXPECT_FALSE(order.launches[3].fork);
  EXPECT_TRUE(order.launches[4].fork);
}

TEST(StreamOrder, OfAStageTakesWhatCameBeforeAsDone) {
  const ExecutionPlan plan = plan_of({{0, {}}, {1, {0}}, {0, {1}}});
  const StreamOrder order = stream_order(plan, std::vector<KernelId>{KernelId(1), KernelId(2)});
  ASSERT_EQ(order.launches.size(), 2U);
  EXPECT_TRUE(order.launches[0].fork);
  EXPECT_TRUE(order.launches[0].waits.empty());
  EXPECT_EQ(order.launches[1].waits, (std::vector<KernelId>{KernelId(1)}));
}

// For random plans: by transitive closure, every wait of the plan holds, and so do the fork and the join.
TEST(StreamOrder, KeepsEveryWait) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = iosx::test::random_concat_graph(seed, 16);
    const ExecutionPlan plan =
        lower(graph, iosx::test::random_schedule(graph, random), 1, {.fuse = true, .concat_in_place = true});
    const StreamOrder order = stream_order(plan, all(plan));
    const std::size_t n = plan.kernels.size();
    std::vector<std::vector<bool>> before(n, std::vector<bool>(n, false));
    std::vector<bool> forked(n, false);
    std::vector<std::optional<std::size_t>> last(plan.lane_count());
    const auto after = [&](std::size_t k, std::size_t other) {
      before[k][other] = true;
      for (std::size_t i = 0; i < n; ++i) before[k][i] = before[k][i] || before[other][i];
      forked[k] = forked[k] || forked[other];
    };
    for (const auto& launch : order.launches) {
      const std::size_t k = launch.kernel.index();
      auto& lane = last[plan.kernels[k].lane];
      forked[k] = launch.fork || plan.kernels[k].lane == 0;
      if (lane) after(k, *lane);
      for (const KernelId wait : launch.waits) {
        after(k, wait.index());
        EXPECT_TRUE(order.launches[wait.index()].event);
      }
      lane = k;
      EXPECT_TRUE(forked[k]);
      for (const KernelId wait : plan.kernels[k].waits) EXPECT_TRUE(before[k][wait.index()]) << seed;
    }
    std::vector<bool> joined(n, false);
    const auto join = [&](std::size_t k) {
      joined[k] = true;
      for (std::size_t i = 0; i < n; ++i) joined[i] = joined[i] || before[k][i];
    };
    if (last[0]) join(*last[0]);
    for (const KernelId id : order.joins) join(id.index());
    EXPECT_EQ(std::count(joined.begin(), joined.end(), false), 0) << seed;
  }
}

// Stream 0 has priority: it must be where a stage's longest lane is, as far as arithmetic says which that is.
TEST(StreamOrder, LaneZeroHasTheMostWorkOfEachStage) {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = iosx::test::random_concat_graph(seed, 16);
    const ExecutionPlan plan =
        lower(graph, iosx::test::random_schedule(graph, random), 1, {.fuse = true, .concat_in_place = true});
    for (const PlanStage& stage : plan.stages) {
      std::vector<double> work;
      for (const auto& lane : stage.lanes) {
        double& flops = work.emplace_back();
        for (const KernelId id : lane) flops += static_cast<double>(plan.kernel(id).work.flops);
      }
      for (const double flops : work) EXPECT_LE(flops, work.front()) << seed;
    }
  }
}

}  // namespace
}  // namespace iosx::gpu
