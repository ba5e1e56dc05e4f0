// On a real GPU: how the device behaves.

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/report.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/gpu/suite/suite.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

using Clock = std::chrono::steady_clock;

Graph network(const char* name) {
  auto graph = zoo_network(name);
  EXPECT_TRUE(graph);
  return std::move(*graph);
}

ExecutionPlan plan_of(const Graph& graph, const Schedule& schedule, const Device& device, std::int64_t batch = 1) {
  return lower(graph, schedule, batch, device.info().lowering);
}

class GpuSuiteDevice : public testing::Test {
 protected:
  void SetUp() override { IOS_NEEDS("gpu"); }
};

TEST_F(GpuSuiteDevice, TracesAndCountsWhatRuns) {
  Device& device = test::shared("gpu");
  const Graph graph = network("inception_v3");
  const ExecutionPlan plan = plan_of(graph, greedy_schedule(graph), device);
  const auto run = must(load_and_run(device, plan, RunOptions{.trace = true}, {}, {.tune = true}));
  std::printf("  inception_v3 greedy, untuned: %.3f ms +- %.3f, SM clock %.0f MHz, %.1f MB\n",
              run.latency.value.count(), run.latency.spread.count(), run.latency.clock_mhz,
              static_cast<double>(run.peak_bytes) / 1e6);
  EXPECT_GT(run.latency.clock_mhz, 100);
  EXPECT_LT(run.latency.clock_mhz, 5000);
  EXPECT_EQ(run.trace.kernels.size(), plan.kernels.size());
  for (const KernelSpan& span : run.trace.kernels) {
    EXPECT_LT(span.begin, span.end) << span.name;
    EXPECT_GE(span.begin, run.trace.stages[span.stage].begin);
    EXPECT_LE(span.end, run.trace.stages[span.stage].end);
  }
  // Marks around every kernel cost something.
  EXPECT_GT(run.trace.duration, run.latency.value * 0.8);
  EXPECT_LT(run.trace.duration, run.latency.value * 10 + Millis{1});
  EXPECT_GT(run.trace.counters.at(0).mean(Micros{0}, run.trace.duration), 0.5);
}

// Whether counters may be read is the machine's affair: what is there must be right.
TEST_F(GpuSuiteDevice, ProfilesWhatRuns) {
  Device& device = test::shared("gpu");
  const Graph graph = iosx::test::fork(3);
  const auto loaded = must(device.load(plan_of(graph, greedy_schedule(graph), device), {}, {}));
  const auto before = loaded->run({}, {});
  const auto profile = must(loaded->profile({.replays = 50}, {}));
  const auto after = loaded->run({}, {});
  ASSERT_TRUE(before && after);
  // A profiler that stays attached must not be felt.
  EXPECT_NEAR(after->latency.value / before->latency.value, 1, 0.1);
  for (const Message& notice : profile.notices) std::printf("  %s\n", notice.text().c_str());
  const Trace& trace = profile.trace;
  for (const Counter& counter : trace.counters) {
    std::printf("  %s: %.2f %s, %s\n", counter.name.c_str(), counter.mean(Micros{0}, trace.duration),
                counter.unit.c_str(), counter.source.c_str());
  }
  if (trace.source != "event marks") {
    for (const KernelSpan& span : trace.kernels) EXPECT_FALSE(span.launches.empty()) << span.name;
  }
  ASSERT_FALSE(trace.counters.empty());
  if (trace.counters.front().name != "active warps") return;
  EXPECT_GT(trace.counters.front().mean(Micros{0}, trace.duration), 1);
  EXPECT_LE(trace.counters.front().mean(Micros{0}, trace.duration), trace.counters.front().peak);
}

TEST_F(GpuSuiteDevice, MeasuresTheSameTwice) {
  Device& device = test::shared("gpu");
  const Graph graph = network("inception_v3");
  const Schedule greedy = greedy_schedule(graph);
  std::vector<ExecutionPlan> plans;
  for (std::size_t i = 0; i < greedy.stages.size() && plans.size() < 8; i += 5) {
    plans.push_back(lower_stage(graph, greedy.stages[i], 1, device.info().lowering));
  }
  const auto first = device.measure(plans, {}, {});
  const auto second = device.measure(plans, {}, {});
  ASSERT_TRUE(first) << first.error().text();
  ASSERT_TRUE(second) << second.error().text();
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].kernels.empty()) continue;
    const double ratio = (*second)[i].value / (*first)[i].value;
    std::printf("  stage %zu: %.2f µs, again %.2f µs (%+.1f %%)\n", 5 * i + 1, Micros((*first)[i].value).count(),
                Micros((*second)[i].value).count(), 100 * (ratio - 1));
    EXPECT_GT((*first)[i].value.count(), 0);
    EXPECT_NEAR(ratio, 1, 0.2);
  }
}

TEST_F(GpuSuiteDevice, StopsSoonWhileItMeasures) {
  const auto device = must(test::open("gpu", test::Mode::kTuned));
  const Graph graph = network("resnet50");
  const std::vector<ExecutionPlan> plans(50, plan_of(graph, one_by_one_schedule(graph), *device, 4));
  for (const int delay : {50, 1500, 4000}) {  // while it chooses convolutions, and perhaps later
    std::stop_source stop;
    Clock::time_point asked;
    std::jthread stopper([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(delay));
      asked = Clock::now();
      stop.request_stop();
    });
    const auto latencies = device->measure(plans, {.repeats = 2000, .max_repeats = 2000}, {stop.get_token(), {}});
    const auto ended = Clock::now();
    stopper.join();
    ASSERT_TRUE(latencies) << latencies.error().text();
    EXPECT_LT(latencies->size(), plans.size());
    const double late = Millis(ended - asked).count();
    std::printf("  asked after %d ms, stopped %.0f ms later\n", delay, late);
    EXPECT_LT(late, 3000);
  }
}

TEST_F(GpuSuiteDevice, RefusesWhatDoesNotFitIntoMemoryAndGoesOn) {
  Device& device = test::shared("gpu");
  const Graph graph = network("squeezenet");
  const auto large =
      load_and_run(device, plan_of(graph, one_by_one_schedule(graph), device, kMaxBatch * 4), {}, {}, {.tune = true});
  ASSERT_FALSE(large);
  std::printf("  %s\n", large.error().text().c_str());
  EXPECT_THAT(large.error().text(), HasSubstr("smaller batch"));
  must(load_and_run(device, plan_of(graph, one_by_one_schedule(graph), device), {}, {}, {.tune = true}));
}

TEST_F(GpuSuiteDevice, TwoJobsAtOnceTakeTurns) {
  Device& first = test::shared("gpu");
  const auto second = must(test::open("gpu", test::Mode::kUntuned));
  const Graph graph = network("squeezenet");
  const ExecutionPlan greedy = plan_of(graph, greedy_schedule(graph), first);
  const auto alone = must(load_and_run(first, greedy, {}, {}));
  std::vector<std::jthread> threads;
  std::atomic<int> done{0};
  for (Device* device : {&first, &first, second.get()}) {
    threads.emplace_back([&, device] {
      for (int n = 0; n < 3; ++n) {
        const auto run = load_and_run(*device, greedy, {}, {}, {.tune = true});
        ASSERT_TRUE(run) << run.error().text();
        EXPECT_NEAR(run->latency.value / alone.latency.value, 1, 0.3);
        ++done;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(done, 9);
}

TEST_F(GpuSuiteDevice, ASecondStartMeasuresNoConvolutions) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "gpu_suite_cache";
  std::filesystem::remove_all(folder);
  const char* const before = std::getenv("XDG_CACHE_HOME");
  const std::string kept = before == nullptr ? "" : before;
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  const Graph graph = network("squeezenet");
  std::vector<int> measured;
  for (int start = 0; start < 2; ++start) {
    const auto device = must(test::open("gpu", test::Mode::kTuned));
    int reports = 0;
    const JobContext job{{}, [&](const Progress& progress) {
                           if (progress.phase == "measuring convolutions") ++reports;
                         }};
    const auto begin = Clock::now();
    must(load_and_run(*device, plan_of(graph, greedy_schedule(graph), *device), {}, job, {.tune = true}));
    std::printf("  start %d: %d convolutions measured, %.0f ms\n", start + 1, reports,
                Millis(Clock::now() - begin).count());
    measured.push_back(reports);
  }
  if (before == nullptr) {
    unsetenv("XDG_CACHE_HOME");
  } else {
    setenv("XDG_CACHE_HOME", kept.c_str(), 1);
  }
  std::filesystem::remove_all(folder);
  EXPECT_GT(measured[0], 10);
  EXPECT_EQ(measured[1], 0);
}

TEST_F(GpuSuiteDevice, NothingIsFasterThanTheBestOfAComparison) {
  const auto device = must(test::open("gpu", test::Mode::kTuned));
  CompareOptions options{.verify = true};
  const auto comparison = must(compare(network("sample"), *device, options, {}));
  std::printf("%s", comparison_table(comparison).c_str());
  EXPECT_FALSE(comparison.failed_verification());
  for (const ScheduleResult& result : comparison.results) {
    EXPECT_GE(result.latency.value, comparison.results[comparison.best()].latency.value);
  }
}

}  // namespace
}  // namespace iosx::gpu
