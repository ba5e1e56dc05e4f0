// Profiles of loaded plans, on a GPU made of host memory and a virtual clock.

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/profile.h"
#include "core/model/schedule/baselines.h"
#include "gpu/device/plan_runner.h"
#include "tests/gpu/device/host_device.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

using test::HostDevice;
using test::HostProfiler;
using test::open_on_host;
using test::plan_of;
using test::timed_host;

constexpr double kSlots = 132 * 64;

std::unique_ptr<LoadedPlan> loaded(const HostDevice& device, const Graph& graph, const Schedule& schedule) {
  return must(device->load(plan_of(graph, schedule, *device), {}, {}));
}

TEST(GpuProfile, ShowsLaunchesAndActiveWarps) {
  const HostDevice device = open_on_host({.host = timed_host(), .profiler = HostProfiler::Options{}});
  const Graph graph = iosx::test::fork(3);
  const auto greedy = loaded(device, graph, greedy_schedule(graph));
  const auto side_by_side = must(greedy->profile({}, {}));
  EXPECT_THAT(side_by_side.notices, IsEmpty());
  const Trace& trace = side_by_side.trace;
  EXPECT_EQ(trace.source, "CUPTI activity records");
  for (const KernelSpan& span : trace.kernels) EXPECT_THAT(span.launches, SizeIs(1)) << span.name;
  ASSERT_THAT(trace.counters, SizeIs(3));
  EXPECT_EQ(trace.counters[0].name, "active warps");
  EXPECT_EQ(trace.counters[1].name, "GPU at work");
  EXPECT_EQ(trace.counters[2].name, "kernels in flight");
  EXPECT_NEAR(trace.counters[0].mean(Micros{0}, trace.duration), 0.75 * kSlots, 0.02 * kSlots);

  const auto one_by_one = must(loaded(device, graph, one_by_one_schedule(graph))->profile({}, {}));
  const Trace& other = one_by_one.trace;
  EXPECT_NEAR(other.counters[0].mean(Micros{0}, other.duration), 0.25 * kSlots, 0.02 * kSlots);
  for (const StageSpan& stage : other.stages) {
    EXPECT_NEAR(other.counters[0].mean(stage.begin, stage.end), 0.25 * kSlots, 0.03 * kSlots);
  }
}

// "Profiling never feeds timing numbers."
TEST(GpuProfile, LeavesLatenciesAlone) {
  const HostDevice device = open_on_host({.host = timed_host(), .profiler = HostProfiler::Options{}});
  const Graph graph = iosx::test::fork(3);
  const auto plan = loaded(device, graph, greedy_schedule(graph));
  const auto before = plan->run({}, {});
  ASSERT_TRUE(plan->profile({}, {}));
  const auto after = plan->run({}, {});
  ASSERT_TRUE(before && after);
  EXPECT_NEAR(before->latency.value.count(), after->latency.value.count(), 1e-6);
}

TEST(GpuProfile, WithoutPermissionTheTimelineIsThereAndANoticeSaysWhy) {
  const HostDevice device =
      open_on_host({.host = timed_host(), .profiler = HostProfiler::Options{.sampler_error = "only administrators"}});
  const Graph graph = iosx::test::fork(3);
  const auto profile = must(loaded(device, graph, greedy_schedule(graph))->profile({}, {}));
  ASSERT_THAT(profile.notices, SizeIs(1));
  EXPECT_THAT(profile.notices[0], HasSubstr("hardware counters are not shown"));
  EXPECT_THAT(profile.notices[0], HasSubstr("only administrators"));
  EXPECT_EQ(profile.trace.source, "CUPTI activity records");
  ASSERT_THAT(profile.trace.counters, SizeIs(1));
}

TEST(GpuProfile, WithoutAProfilerEventMarksServe) {
  const Graph graph = iosx::test::fork(3);
  const HostDevice refused =
      open_on_host({.host = timed_host(),
                    .profiler = HostProfiler::Options{.trace_error = "no CUPTI", .sampler_error = "no CUPTI"}});
  const auto noted = must(loaded(refused, graph, greedy_schedule(graph))->profile({}, {}));
  EXPECT_THAT(noted.notices, SizeIs(2));
  EXPECT_EQ(noted.trace.source, "event marks");
  EXPECT_THAT(noted.trace.kernels, SizeIs(3));
  const HostDevice none = open_on_host({.host = timed_host()});
  EXPECT_EQ(must(loaded(none, graph, greedy_schedule(graph))->profile({}, {})).trace.source, "event marks");
}

TEST(GpuProfile, NodesThatCannotBeReadCostTheLaunchesOnly) {
  const HostDevice device = open_on_host({.host = timed_host(), .profiler = HostProfiler::Options{}});
  const Graph graph = iosx::test::fork(3);
  const auto plan = loaded(device, graph, greedy_schedule(graph));
  device.runtime->hides_nodes = true;
  const auto profile = must(plan->profile({}, {}));
  ASSERT_THAT(profile.notices, SizeIs(1));
  EXPECT_THAT(profile.notices[0], AllOf(HasSubstr("launches are not shown"), HasSubstr("LossyQuery")));
  EXPECT_EQ(profile.trace.source, "event marks");
  EXPECT_EQ(profile.trace.counters.front().name, "active warps");
}

TEST(GpuProfile, EagerPlansAreProfiledByEventMarks) {
  const HostDevice device = open_on_host({.host = timed_host(), .eager = true, .profiler = HostProfiler::Options{}});
  const Graph graph = iosx::test::fork(3);
  const auto profile = must(loaded(device, graph, greedy_schedule(graph))->profile({}, {}));
  ASSERT_FALSE(profile.notices.empty());
  EXPECT_THAT(profile.notices[0], HasSubstr("IOS_GPU_EAGER"));
  EXPECT_EQ(profile.trace.source, "event marks");
}

Comparison sequential_and_greedy(const HostDevice& device, const Graph& graph) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy}};
  return must(compare(graph, *device, options, {}));
}

// CUPTI's sampling may end all that CUPTI does otherwise.
TEST(GpuProfile, AllTimelinesComeBeforeTheFirstCounter) {
  HostProfiler::Options options{.sampling_ends_traces = true};
  const HostDevice device = open_on_host({.host = timed_host(), .profiler = options});
  Comparison comparison = sequential_and_greedy(device, iosx::test::fork(3));
  std::vector<std::size_t> counters;
  const auto halfway = [&](const Comparison& seen) -> Result<void> {
    for (const ScheduleResult& result : seen.results) {
      EXPECT_EQ(result.trace.source, "CUPTI activity records");
      counters.push_back(result.trace.counters.size());
    }
    return {};
  };
  must(profile(comparison, *device, {}, {}, halfway));
  EXPECT_THAT(comparison.notices, IsEmpty());
  EXPECT_THAT(counters, ElementsAre(1U, 1U)) << "kernels in flight";
  for (const ScheduleResult& result : comparison.results) EXPECT_THAT(result.trace.counters, SizeIs(3));
}

TEST(GpuProfile, TheSamplerEndsBeforeAnythingElseIsAsked) {
  const HostDevice device = open_on_host({.host = timed_host(), .profiler = HostProfiler::Options{}});
  const Graph graph = iosx::test::fork(3);
  const auto plan = loaded(device, graph, greedy_schedule(graph));
  for (int i = 0; i < 2; ++i) {  // the host's tracing refuses while a sampler is there
    EXPECT_THAT(must(plan->profile({}, {})).notices, IsEmpty());
  }
}

TEST(GpuProfile, WhatFailsInTheSecondHalfLeavesTheTimelines) {
  HostDevice device;
  HostProfiler::Options options{.before_sampler = [&device] { device.runtime->lost = true; }};
  device = open_on_host({.host = timed_host(), .profiler = options});
  Comparison comparison = sequential_and_greedy(device, iosx::test::fork(3));
  bool halfway = false;
  EXPECT_THAT(refused(profile(comparison, *device, {}, {},
                              [&](const Comparison&) -> Result<void> {
                                halfway = true;
                                return {};
                              }))
                  .text(),
              HasSubstr("illegal memory access"));
  EXPECT_TRUE(halfway);
  for (const ScheduleResult& result : comparison.results) EXPECT_EQ(result.trace.source, "CUPTI activity records");
}

TEST(GpuProfile, OptionsOutOfRangeAndStopsAreErrors) {
  const HostDevice device = open_on_host({.host = timed_host(), .profiler = HostProfiler::Options{}});
  const Graph graph = iosx::test::fork(3);
  const auto plan = loaded(device, graph, greedy_schedule(graph));
  for (const double interval : {0.5, 1001.0, -1.0}) {
    const auto refused = plan->profile({.interval = Micros{interval}}, {});
    ASSERT_FALSE(refused) << interval;
    EXPECT_THAT(refused.error().text(), HasSubstr("give 1 to 1000"));
  }
  EXPECT_FALSE(plan->profile({.replays = 5}, {}));
  EXPECT_FALSE(plan->profile({}, {stopped_token(), nullptr}));
}

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
