#include "gpu/device/gpu_trace.h"

#include <gtest/gtest.h>

#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"

namespace iosx::gpu {
namespace {

using Times = std::vector<KernelTime>;

KernelTime time_of(double begin, double end) { return {Micros{begin}, Micros{end}}; }

// a, then b, c and d side by side, then one that joins them.
ExecutionPlan plan() {
  const Graph graph = iosx::test::fork_join(3);
  return lower(graph, greedy_schedule(graph), 1);
}

TEST(GpuTrace, PlacesKernelsStagesAndTheCounter) {
  const ExecutionPlan three = plan();
  ASSERT_EQ(three.stages.size(), 3U);
  ASSERT_EQ(three.kernels.size(), 5U);
  const Trace trace =
      trace_of(three, Times{time_of(1, 3), time_of(4, 8), time_of(5, 7), time_of(4, 6), time_of(9, 10)}, Micros{11});
  EXPECT_EQ(trace.duration.count(), 11);
  EXPECT_EQ(trace.lanes, 3U);
  ASSERT_EQ(trace.stages.size(), 3U);
  EXPECT_EQ(trace.stages[1].begin.count(), 4);
  EXPECT_EQ(trace.stages[1].end.count(), 8);
  ASSERT_EQ(trace.counters.size(), 1U);
  const Counter& counter = trace.counters.front();
  EXPECT_EQ(counter.name, "kernels in flight");
  EXPECT_EQ(counter.peak, 0) << "what a GPU could hold is not known";
  EXPECT_DOUBLE_EQ(counter.area(Micros{0}, Micros{11}), 2 + 4 + 2 + 2 + 1);
  EXPECT_DOUBLE_EQ(counter.mean(Micros{5}, Micros{6}), 3);
  EXPECT_DOUBLE_EQ(counter.mean(Micros{10}, Micros{11}), 0);
}

// Timers tick coarsely: a begin may read a little before the end that it waited for.
TEST(GpuTrace, LetsNothingOverlapThatThePlanOrders) {
  const Trace trace = trace_of(
      plan(), Times{time_of(0, 3), time_of(2.9, 8), time_of(3, 2.95), time_of(2.5, 6), time_of(7.5, 7.6)}, Micros{7});
  EXPECT_EQ(trace.duration.count(), 8);
  for (std::size_t s = 1; s < trace.stages.size(); ++s) EXPECT_GE(trace.stages[s].begin, trace.stages[s - 1].end);
  for (const KernelSpan& span : trace.kernels) {
    EXPECT_LE(span.begin, span.end);
    EXPECT_GE(span.begin, trace.stages[span.stage].begin);
    EXPECT_LE(span.end, trace.stages[span.stage].end);
  }
}

}  // namespace
}  // namespace iosx::gpu
