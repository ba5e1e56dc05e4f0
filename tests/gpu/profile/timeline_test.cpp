// Launches of a plan, on the host-made GPU: each belongs to its kernel.

#include "gpu/profile/timeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "core/model/schedule/baselines.h"
#include "tests/gpu/exec/bench.h"
#include "tests/gpu/support/host_profiler.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"

namespace iosx::gpu::test {
namespace {

using testing::HasSubstr;

HostRuntime::Options timed() {
  HostRuntime::Options options;
  options.compute = false;
  options.cost = [](const Step& step) {
    return std::holds_alternative<ConvStep>(step) ? std::pair(Micros{100}, 0.25) : std::pair(Micros{3}, 0.1);
  };
  return options;
}

TEST(Timeline, EveryKernelHasItsLaunches) {
  Bench bench(Math::kStrict, timed());
  const Graph graph = iosx::test::fork(3);
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, kLowering);
  const PreparedPlan prepared = test::prepared(bench, plan);
  run(prepared, bench.runtime);
  HostProfiler profiler(bench.runtime);
  const auto timeline = timeline_of(prepared, bench.runtime, profiler, {});
  ASSERT_TRUE(timeline) << timeline.error().text();
  ASSERT_EQ(timeline->kernels.size(), plan.kernels.size());
  ASSERT_EQ(timeline->launches.size(), plan.kernels.size());
  double last = 0;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const std::vector<LaunchSpan>& launches = timeline->launches[k];
    ASSERT_EQ(launches.size(), prepared.kernels()[k].steps.size()) << plan.kernels[k].name;
    EXPECT_EQ(timeline->kernels[k].first, launches.front().begin);
    EXPECT_EQ(timeline->kernels[k].second, launches.back().end);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const bool conv = std::holds_alternative<ConvStep>(prepared.kernels()[k].steps[i]);
      EXPECT_NEAR((launches[i].end - launches[i].begin).count(), conv ? 100 : 3, 0.01) << plan.kernels[k].name;
      EXPECT_EQ(launches[i].registers, 64);
      EXPECT_DOUBLE_EQ(launches[i].occupancy, 0.5);
    }
    for (const KernelId before : plan.kernels[k].waits) {
      EXPECT_LE(timeline->kernels[before.index()].second, timeline->kernels[k].first);
    }
    last = std::max(last, timeline->kernels[k].second.count());
  }
  EXPECT_DOUBLE_EQ(timeline->duration.count(), last);
}

TEST(Timeline, RecordsThatAreLostAreAnError) {
  Bench bench(Math::kStrict, timed());
  const Graph graph = iosx::test::chain(3);
  const PreparedPlan prepared = test::prepared(bench, lower(graph, one_by_one_schedule(graph), 1, kLowering));
  run(prepared, bench.runtime);
  HostProfiler lossy(bench.runtime, {.lost_records = 1});
  const auto lost = timeline_of(prepared, bench.runtime, lossy, {});
  ASSERT_FALSE(lost);
  EXPECT_THAT(lost.error().text(), HasSubstr("10 of 11 runs"));
  HostProfiler refusing(bench.runtime, {.trace_error = "no permission"});
  const auto refused = timeline_of(prepared, bench.runtime, refusing, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("no permission"));
}

TEST(Timeline, AStopEndsIt) {
  Bench bench(Math::kStrict, timed());
  const Graph graph = iosx::test::chain(2);
  const PreparedPlan prepared = test::prepared(bench, lower(graph, one_by_one_schedule(graph), 1, kLowering));
  run(prepared, bench.runtime);
  HostProfiler profiler(bench.runtime);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(timeline_of(prepared, bench.runtime, profiler, {stop.get_token(), nullptr}));
}

}  // namespace
}  // namespace iosx::gpu::test
