// Launches of a plan, on the host-made GPU: each belongs to its kernel.

#include "gpu/profile/timeline.h"
#include "core/model/schedule/baselines.h"
#include "gpu/profile/course.h"
#include "tests/gpu/exec/bench.h"
#include "tests/gpu/support/host_profiler.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {
namespace {

HostRuntime::Options timed() {
  HostRuntime::Options options{.compute = false};
  options.cost = [](const Step& step) {
    return std::holds_alternative<LibraryStep>(step) ? std::pair(Micros{100}, 0.25) : std::pair(Micros{3}, 0.1);
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
  const auto timeline = must(timeline_of(prepared, bench.runtime, profiler, {}));
  ASSERT_EQ(timeline.kernels.size(), plan.kernels.size());
  ASSERT_EQ(timeline.launches.size(), plan.kernels.size());
  double last = 0;
  for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
    const std::vector<LaunchSpan>& launches = timeline.launches[k];
    ASSERT_EQ(launches.size(), prepared.kernels()[k].steps.size()) << plan.kernels[k].name;
    EXPECT_EQ(timeline.kernels[k].first, launches.front().begin);
    EXPECT_EQ(timeline.kernels[k].second, launches.back().end);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      const bool conv = std::holds_alternative<LibraryStep>(prepared.kernels()[k].steps[i]);
      EXPECT_NEAR((launches[i].end - launches[i].begin).count(), conv ? 100 : 3, 0.01) << plan.kernels[k].name;
      EXPECT_EQ(launches[i].registers, 64);
      EXPECT_DOUBLE_EQ(launches[i].occupancy, 0.5);
    }
    for (const KernelId before : plan.kernels[k].waits) {
      EXPECT_LE(timeline.kernels[before.index()].second, timeline.kernels[k].first);
    }
    last = std::max(last, timeline.kernels[k].second.count());
  }
  EXPECT_DOUBLE_EQ(timeline.duration.count(), last);
}

TEST(Timeline, RecordsThatAreLostAreAnError) {
  Bench bench(Math::kStrict, timed());
  const Graph graph = iosx::test::chain(3);
  const PreparedPlan prepared = test::prepared(bench, lower(graph, one_by_one_schedule(graph), 1, kLowering));
  run(prepared, bench.runtime);
  HostProfiler lossy(bench.runtime, {.lost_records = 1});
  EXPECT_THAT(refused(timeline_of(prepared, bench.runtime, lossy, {})).text(), HasSubstr("10 of 11 runs"));
  HostProfiler refusing(bench.runtime, {.trace_error = "no permission"});
  EXPECT_THAT(refused(timeline_of(prepared, bench.runtime, refusing, {})).text(), HasSubstr("no permission"));
}

TEST(Timeline, AStopEndsIt) {
  Bench bench(Math::kStrict, timed());
  const Graph graph = iosx::test::chain(2);
  const PreparedPlan prepared = test::prepared(bench, lower(graph, one_by_one_schedule(graph), 1, kLowering));
  run(prepared, bench.runtime);
  HostProfiler profiler(bench.runtime);
  EXPECT_FALSE(timeline_of(prepared, bench.runtime, profiler, {stopped_token(), nullptr}));
}

// Counters over time, from samples of the host-made GPU.

constexpr double kSlots = 132 * 64;

// Convolutions of 20 µs, one after another, that fill a quarter of the GPU.
class CourseTest : public testing::Test {
 protected:
  CourseTest() {
    const Graph graph = iosx::test::chain(6);
    prepared_.emplace(prepared(bench_, lower(graph, one_by_one_schedule(graph), 1, kLowering)));
    run(*prepared_, bench_.runtime);
    graph_ = capture(*prepared_, bench_.runtime).graph;
  }
  static HostRuntime::Options timed() {
    HostRuntime::Options options{.compute = false, .cost = [](const Step&) { return std::pair(Micros{20}, 0.25); }};
    return options;
  }
  std::function<void()> replay() {
    return [this] {
      bench_.runtime.launch(StreamId(0), *graph_);
      bench_.runtime.synchronize(StreamId(0));
      ++replays_;
    };
  }

  Bench bench_{Math::kStrict, timed()};
  std::optional<PreparedPlan> prepared_;
  std::unique_ptr<CapturedGraph> graph_;
  int replays_ = 0;
};

TEST_F(CourseTest, IsThatOfTheWork) {
  HostProfiler profiler(bench_.runtime);
  Sampling sampling(profiler);
  const auto course = must(course_of(replay(), sampling, {.expected = Micros{120}}, {}));
  EXPECT_EQ(course.folded.replays, 200U);
  EXPECT_EQ(course.interval, Micros{5});
  EXPECT_NEAR(course.folded.duration.count(), 120, 1);
  EXPECT_EQ(profiler.opened, 1);

  const std::vector<Counter> counters = counters_of(course, Micros{10}, Micros{250});
  ASSERT_EQ(counters.size(), 2U);
  const Counter& warps = counters[0];
  EXPECT_EQ(warps.name, "active warps");
  EXPECT_EQ(warps.peak, kSlots);
  EXPECT_THAT(warps.source, StartsWith("CUPTI PM sampling every 5 us, 200 runs"));
  EXPECT_NEAR(warps.mean(Micros{10}, Micros{250}), kSlots / 4, 0.02 * kSlots);
  EXPECT_EQ(warps.mean(Micros{0}, Micros{10}), 0) << "before the work";
  EXPECT_EQ(warps.mean(Micros{250}, Micros{300}), 0) << "after it";
  EXPECT_GT(warps.error, 0);
  EXPECT_LT(warps.error, 0.02 * kSlots);
  EXPECT_NEAR(counters[1].mean(Micros{10}, Micros{250}), 100, 2);
  EXPECT_THAT(counters[1].stage_errors, IsEmpty()) << "no stages were named";
}

TEST_F(CourseTest, RecordingsHaveRoomForTheirSamples) {
  HostProfiler profiler(bench_.runtime, {.most_samples = 400});
  Sampling sampling(profiler);
  must(course_of(replay(), sampling, {.expected = Micros{120}}, {}));
  EXPECT_GT(profiler.recordings, 20);
}

TEST_F(CourseTest, LostSamplesMakeTheIntervalLonger) {
  HostProfiler profiler(bench_.runtime, {.lost_below = Micros{15}});
  Sampling sampling(profiler);
  EXPECT_EQ(must(course_of(replay(), sampling, {.expected = Micros{120}}, {})).interval, Micros{20});
  HostProfiler hopeless(bench_.runtime, {.lost_below = Micros{1e9}});
  Sampling of_hopeless(hopeless);
  EXPECT_THAT(refused(course_of(replay(), of_hopeless, {.expected = Micros{120}}, {})).text(),
              HasSubstr("samples were lost"));
  EXPECT_EQ(hopeless.samplers, 0);
}

TEST_F(CourseTest, ARunTooLongForARecordingIsSampledMoreRarely) {
  HostProfiler profiler(bench_.runtime, {.most_samples = 40});
  Sampling sampling(profiler);
  EXPECT_GT(must(course_of(replay(), sampling, {.expected = Micros{120}}, {})).interval, Micros{5});
}

TEST_F(CourseTest, OneSamplerServesSeveral) {
  HostProfiler profiler(bench_.runtime, {.lost_below = Micros{15}});
  Sampling sampling(profiler);
  ASSERT_TRUE(course_of(replay(), sampling, {.expected = Micros{120}}, {}));
  EXPECT_EQ(profiler.intervals, 2) << "5, 10, 20 us";
  const int recordings = profiler.recordings;
  const auto second = must(course_of(replay(), sampling, {.expected = Micros{120}}, {}));
  EXPECT_EQ(second.interval, Micros{20}) << "it begins with what the first one came to";
  EXPECT_EQ(profiler.recordings, recordings + 1);
  EXPECT_EQ(profiler.opened, 1);
  EXPECT_EQ(profiler.intervals, 2);
  EXPECT_EQ(profiler.samplers, 1);
  sampling.end();
  EXPECT_EQ(profiler.samplers, 0);
}

// A100 and Turing count cycles between samples, and not few of them.
TEST_F(CourseTest, TheIntervalIsTheGpusOwn) {
  HostProfiler profiler(bench_.runtime, {.shortest = Micros{13}});
  Sampling sampling(profiler);
  const auto course = must(course_of(replay(), sampling, {.expected = Micros{120}}, {}));
  EXPECT_EQ(course.interval, Micros{13});
  EXPECT_THAT(counters_of(course, Micros{0}, Micros{120})[0].source, HasSubstr("every 13 us"));
}

TEST_F(CourseTest, RefusalsAndStopsAreErrors) {
  HostProfiler refusing(bench_.runtime, {.sampler_error = "no permission"});
  Sampling of_refusing(refusing);
  EXPECT_THAT(refused(course_of(replay(), of_refusing, {.expected = Micros{120}}, {})).text(),
              HasSubstr("no permission"));
  EXPECT_EQ(replays_, 0);
  HostProfiler profiler(bench_.runtime);
  Sampling sampling(profiler);
  EXPECT_FALSE(course_of(replay(), sampling, {.expected = Micros{120}}, {stopped_token(), nullptr}));
  EXPECT_EQ(replays_, 0);
  // What the work throws goes through.
  const auto throws = [] { throw std::runtime_error("lost"); };
  EXPECT_THROW(std::ignore = course_of(throws, sampling, {.expected = Micros{120}}, {}), std::runtime_error);
  sampling.end();
  EXPECT_EQ(profiler.samplers, 0);
}

}  // namespace

}  // namespace iosx::gpu::test
