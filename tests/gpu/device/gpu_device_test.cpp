// How the device behaves, on a GPU made of host memory and a virtual clock.

#include "gpu/device/gpu_device.h"
#include "core/devices/measure/latency_sources.h"
#include "core/model/schedule/baselines.h"
#include "tests/gpu/device/host_device.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::gpu {
namespace {

using test::HostDevice;
using test::HostRuntime;
using test::open_on_host;
using test::plan_of;
using test::timed_host;

std::vector<ExecutionPlan> stage_plans(const Graph& graph, const Schedule& schedule, const Device& device) {
  return mapped<ExecutionPlan>(
      schedule.stages, [&](const Stage& stage) { return lower_stage(graph, stage, 1, device.info().lowering); });
}

TEST(GpuDevice, LatenciesFollowTheVirtualClock) {
  const Graph graph = iosx::test::fork(4);
  for (const double fills : {0.25, 1.0}) {
    const HostDevice device = open_on_host({.host = timed_host(fills)});
    const auto alone = must(device->measure(stage_plans(graph, one_by_one_schedule(graph), *device), {}, {}));
    ASSERT_EQ(alone.size(), 4U);
    for (const Latency& latency : alone) {
      EXPECT_NEAR(Micros(latency.value).count(), 100, 1);
      EXPECT_GE(latency.samples, 5);
      EXPECT_EQ(latency.origin, Origin::kMeasured);
    }
    const double expected = fills < 1 ? 100 : 400;
    const ExecutionPlan greedy = plan_of(graph, greedy_schedule(graph), *device);
    const auto together = device->measure(std::span(&greedy, 1), {}, {});
    EXPECT_NEAR(Micros(together->front().value).count(), expected, 3);
    const auto run = must(load_and_run(*device, greedy, {}, {}, {.tune = true}));
    EXPECT_NEAR(Micros(run.latency.value).count(), expected + 2, 3);  // and the launch of the graph
    ASSERT_EQ(run.stage_latencies.size(), 1U);
    EXPECT_NEAR(Micros(run.stage_latencies[0].value).count(), expected, 3);
    const auto waited = must(load_and_run(*device, greedy, {.host_clock = true}, {}, {.tune = true}));
    EXPECT_GT(waited.latency.value.count(), 0) << "the host's own time, which is not virtual";
    EXPECT_EQ(std::ssize(waited.samples), waited.latency.samples);
  }
}

// Of a network of more weights than the cache holds, stages are timed with weights from elsewhere, each copy with
// others, after something was read that leaves none of them in the cache.
TEST(GpuDevice, TimesStagesWithWeightsThatTheCacheDoesNotHold) {
  HostRuntime::Options host = timed_host(1);
  host.l2_bytes = 1 << 20;
  const Graph graph = iosx::test::fork(4);
  for (const bool cold : {false, true}) {
    const HostDevice device = open_on_host({.host = host});
    std::vector<ExecutionPlan> plans = stage_plans(graph, one_by_one_schedule(graph), *device);
    for (ExecutionPlan& plan : plans) plan.cold_weights = cold;
    const auto latencies = must(device->measure(plans, {}, {}));
    for (const Latency& latency : latencies) EXPECT_NEAR(Micros(latency.value).count(), 100, 1);
    std::set<const void*> weights;
    for (const auto& operation : device.runtime->host().captured()) {
      const auto* launch = std::get_if<HostRuntime::Launch>(&operation.what);
      const auto* conv = launch == nullptr ? nullptr : std::get_if<LibraryStep>(&launch->step);
      if (conv != nullptr) weights.insert(conv->operands.weights);
    }
    EXPECT_EQ(weights.size() > 1, cold);
    const auto evicts = [](const HostRuntime::Operation& operation) {
      const auto* launch = std::get_if<HostRuntime::Launch>(&operation.what);
      const auto* call = launch == nullptr ? nullptr : std::get_if<KernelCall>(&launch->step);
      return call != nullptr && std::holds_alternative<ReduceCall>(*call);
    };
    EXPECT_EQ(std::ranges::any_of(device.runtime->host().operations(), evicts), cold);
    const ExecutionPlan all = plan_of(graph, greedy_schedule(graph), *device);
    ASSERT_TRUE(load_and_run(*device, all, {}, {})) << "runs have their own weights";
  }
}

TEST(GpuDevice, ColdWeightsForWhichThereIsNoMemoryAreAnErrorThatSaysSo) {
  HostRuntime::Options host = timed_host(1);
  host.memory = 8 << 20;
  host.l2_bytes = 4 << 20;
  const HostDevice device = open_on_host({.host = host});
  const Graph graph = iosx::test::chain(1);
  ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *device);
  plan.cold_weights = true;
  EXPECT_THAT(refused(device->measure(std::span(&plan, 1), {}, {})).text(),
              HasSubstr("use a smaller batch, or end other programs that use the GPU"));
  plan.cold_weights = false;
  EXPECT_TRUE(device->measure(std::span(&plan, 1), {}, {}));
}

TEST(GpuDevice, APlanWithoutKernelsTakesNothing) {
  const HostDevice device = open_on_host({.host = timed_host(1)});
  const ExecutionPlan plans[2] = {{},
                                  plan_of(iosx::test::chain(1), one_by_one_schedule(iosx::test::chain(1)), *device)};
  const auto latencies = must(device->measure(plans, {}, {}));
  EXPECT_EQ(latencies[0].value.count(), 0);
  EXPECT_EQ(latencies[0].origin, Origin::kMeasured);
  EXPECT_GT(latencies[1].value.count(), 0);
}

TEST(GpuDevice, TracesEveryKernelOnItsLane) {
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const Graph graph = test::small_sample();
  const ExecutionPlan plan = plan_of(graph, greedy_schedule(graph), *device);
  const auto run = must(load_and_run(*device, plan, RunOptions{.trace = true}, {}, {.tune = true}));
  const Trace& trace = run.trace;
  ASSERT_EQ(trace.kernels.size(), plan.kernels.size());
  ASSERT_EQ(trace.stages.size(), plan.stages.size());
  EXPECT_EQ(trace.lanes, plan.lane_count());
  std::vector<Micros> reached(trace.lanes);
  for (const KernelSpan& span : trace.kernels) {
    EXPECT_LT(span.begin, span.end);
    EXPECT_GE(span.begin, trace.stages[span.stage].begin);
    EXPECT_LE(span.end, trace.stages[span.stage].end);
    EXPECT_EQ(span.name, plan.kernel(span.kernel).name);
    EXPECT_EQ(span.lane, plan.kernel(span.kernel).lane);
    EXPECT_GE(span.begin, reached[span.lane]);
    reached[span.lane] = span.end;
    for (const KernelId before : plan.kernel(span.kernel).waits) {
      const auto waited = std::ranges::find(trace.kernels, before, &KernelSpan::kernel);
      EXPECT_LE(waited->end, span.begin);
    }
  }
  EXPECT_NEAR((trace.duration - Micros(run.latency.value)).count(), 0, 10);
  ASSERT_EQ(trace.counters.size(), 1U);
  EXPECT_EQ(trace.counters[0].peak, 0) << "what a GPU could hold is not known";
  EXPECT_GT(trace.counters[0].mean(Micros{0}, trace.duration), 1.2);
  EXPECT_GT(run.peak_bytes, 0);
}

TEST(GpuDevice, SaysAtWhichClockItMeasured) {
  HostRuntime::Options host = timed_host(1);
  host.clock_mhz = [] { return 1755.0; };
  const HostDevice device = open_on_host({.host = host});
  const Graph graph = iosx::test::chain(2);
  const ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *device);
  EXPECT_EQ(must(load_and_run(*device, plan, {}, {}, {.tune = true})).latency.clock_mhz, 1755);
  EXPECT_EQ(must(device->measure(std::span(&plan, 1), {}, {})).front().clock_mhz, 1755);
}

std::unique_ptr<LoadedPlan> loaded(const HostDevice& device, const ExecutionPlan& plan, bool tune = true,
                                   const JobContext& job = {}) {
  return must(device->load(plan, {.tune = tune}, job));
}

TEST(GpuDevice, PreparesAPlanOnceHoweverOftenPlansTakeTurns) {
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const Graph graph = test::small_sample();
  const auto captures = [&](const auto& work) {
    const int before = device.runtime->captures;
    work();
    return device.runtime->captures - before;
  };
  std::unique_ptr<LoadedPlan> greedy;
  std::unique_ptr<LoadedPlan> sequential;
  const auto run = [](LoadedPlan& plan) { EXPECT_TRUE(plan.run(test::twice(), {})); };
  EXPECT_GT(captures([&] { greedy = loaded(device, plan_of(graph, greedy_schedule(graph), *device)); }), 2)
      << "convolutions are chosen, alone and side by side";
  sequential = loaded(device, plan_of(graph, one_by_one_schedule(graph), *device));
  EXPECT_EQ(captures([&] { run(*greedy); }), 2) << "the plan, and with stage marks";
  EXPECT_EQ(captures([&] { run(*sequential); }), 2);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(captures([&] { run(*greedy), run(*sequential); }), 0);
  }
  ASSERT_TRUE(device->measure(stage_plans(graph, greedy_schedule(graph), *device), {}, {}));
  EXPECT_EQ(captures([&] { run(*greedy), run(*sequential); }), 0) << "measured stages need less memory";
}

// The memory that all share is replaced by a larger block.
TEST(GpuDevice, PreparesAPlanAgainWhereALargerOneTookItsMemory) {
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const Graph graph = test::small_sample();
  const Schedule greedy = greedy_schedule(graph);
  const auto small = loaded(device, plan_of(graph, greedy, *device));
  ASSERT_TRUE(small->run(test::twice(), {}));
  const auto large = loaded(device, plan_of(graph, greedy, *device, 64));
  std::set<std::string> phases;
  const JobContext job{{}, [&](const Progress& progress) { phases.insert(progress.phase.text()); }};
  const int before = device.runtime->captures;
  ASSERT_TRUE(small->run(test::twice(), job));
  EXPECT_EQ(device.runtime->captures - before, 2);
  EXPECT_FALSE(phases.contains("choosing algorithms for concurrent convolutions")) << "what was chosen is known";
  ASSERT_TRUE(large->run(test::twice(), {}));
  ASSERT_TRUE(small->run(test::twice(), {}));
  EXPECT_EQ(device.runtime->captures - before, 4) << "large once, small once";
}

TEST(GpuDevice, TunesWhatIsLoadedToBeTimed) {
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const Graph graph = test::small_sample();
  const ExecutionPlan plan = plan_of(graph, greedy_schedule(graph), *device);
  std::set<std::string> phases;
  const JobContext job{{}, [&](const Progress& progress) { phases.insert(progress.phase.text()); }};
  ASSERT_TRUE(loaded(device, plan, false, job)->run({}, job));
  EXPECT_FALSE(phases.contains("choosing algorithms for concurrent convolutions"));
  loaded(device, plan, true, job);
  EXPECT_TRUE(phases.contains("choosing algorithms for concurrent convolutions"));
}

TEST(GpuDevice, APlanThatIsHeldRunsAfterAStopAndAnError) {
  const Graph graph = iosx::test::fork_join(3);
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const auto plan = loaded(device, plan_of(graph, greedy_schedule(graph), *device));
  const auto other = loaded(device, plan_of(graph, one_by_one_schedule(graph), *device));
  for (int launches = 1; launches < 40; launches = launches * 3 / 2 + 1) {
    std::stop_source stop;
    int left = launches;
    device.runtime->on_launch = [&] {
      if (--left == 0) stop.request_stop();
    };
    const auto run = plan->run({}, {stop.get_token(), {}});
    EXPECT_TRUE(run || stop.stop_requested()) << run.error().text();
    left = launches;
    device.runtime->on_launch = [&] {
      if (--left == 0) throw GpuError("CUDA: launch failed");
    };
    const auto failed = other->run({}, {});
    EXPECT_THAT(failed ? "it had no so many launches: try again" : failed.error().text(), HasSubstr("try again"));
    device.runtime->on_launch = {};
    for (LoadedPlan* const each : {plan.get(), other.get()}) {
      must(each->run({}, {}));
    }
  }
}

TEST(GpuDevice, HeldPlansOfSeveralThreadsTakeTurnsAndEndAtAnyTime) {
  const Graph graph = test::small_sample();
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const ExecutionPlan plan = plan_of(graph, greedy_schedule(graph), *device);
  const auto expected = must(loaded(device, plan)->run({}, {}));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 3; ++n) {
        const auto held = device->load(plan, {.tune = true}, {});
        ASSERT_TRUE(held) << held.error().text();
        const auto run = (*held)->run({}, {});
        ASSERT_TRUE(run) << run.error().text();
        EXPECT_NEAR(run->latency.value / expected.latency.value, 1, 1e-6);
      }
    });
  }
}

TEST(GpuDevice, KeepsWhatItChoseOnDisk) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "gpu_device_plans";
  std::filesystem::remove_all(folder);
  const Graph graph = test::small_sample();
  std::vector<int> asked;
  std::vector<int> captures;
  for (const Math math : {Math::kTf32, Math::kTf32, Math::kHalf}) {
    const HostDevice device = open_on_host({.host = timed_host(0.5), .math = math, .plan_folder = folder});
    ASSERT_TRUE(
        load_and_run(*device, plan_of(graph, greedy_schedule(graph), *device), test::twice(), {}, {.tune = true}));
    asked.push_back(device.library->asked);
    captures.push_back(device.runtime->captures);
  }
  EXPECT_GT(asked[0], 0);
  EXPECT_EQ(asked[1], 0);
  EXPECT_EQ(captures[1], 2);
  EXPECT_GT(asked[2], 0);
  std::filesystem::remove_all(folder);
}

TEST(GpuDevice, EagerlyCapturesNoPlan) {
  HostRuntime::Options host = timed_host(1);
  const HostDevice device = open_on_host({.host = host, .eager = true});
  const Graph graph = iosx::test::chain(3);
  const ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *device);
  RunOptions options{.trace = true};
  ASSERT_TRUE(load_and_run(*device, plan, options, {}, {.tune = true}));  // chooses the convolutions
  const int before = device.runtime->captures;
  const auto run = must(load_and_run(*device, plan, options, {}, {.tune = true}));
  EXPECT_EQ(device.runtime->captures, before);
  EXPECT_NEAR(Micros(run.latency.value).count(), 300, 5);
  EXPECT_EQ(run.trace.kernels.size(), 3U);
  EXPECT_EQ(run.stage_latencies.size(), 3U);
}

TEST(GpuDevice, UntunedMeasuresNothingBeforeItRuns) {
  const HostDevice device = open_on_host({.host = timed_host(0.5), .untuned = true});
  const Graph graph = test::small_sample();
  const ExecutionPlan plan = plan_of(graph, greedy_schedule(graph), *device);
  const JobContext job{{}, [](const Progress& progress) { ADD_FAILURE() << progress.phase; }};
  ASSERT_TRUE(load_and_run(*device, plan, test::twice(), job, {.tune = true}));
  EXPECT_EQ(device.runtime->captures, 2);  // the plan, and with stage marks
  EXPECT_THAT(device->info().fingerprint, HasSubstr("untuned"));
}

TEST(GpuDevice, RefusesWhatItCannotExecuteByNameTypeAndPlace) {
  auto [builder, in] = iosx::test::sketch("opaque", Shape{4});
  builder.add("memory", Opaque{"LSTM", "model.onnx, node 7", Shape{4}}, {in});
  const auto graph = must(std::move(builder).build());
  const HostDevice device = open_on_host({.host = timed_host(1)});
  const ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *device);
  const Error error = refused(load_and_run(*device, plan, {}, {}, {.tune = true}));
  for (const char* part : {"memory", "LSTM", "node 7"}) EXPECT_THAT(error.text(), HasSubstr(part));
  EXPECT_FALSE(device->measure(std::span(&plan, 1), {}, {}));
}

TEST(GpuDevice, RefusesInputsThatDoNotFit) {
  const HostDevice device = open_on_host({.host = timed_host(1)});
  const Graph graph = iosx::test::chain(1);
  const ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *device);
  RunOptions options{.inputs = {Tensor({1, 2}, {1, 2})}};
  EXPECT_THAT(refused(load_and_run(*device, plan, options, {}, {.tune = true})).text(), HasSubstr("in"));
  EXPECT_TRUE(load_and_run(*device, plan, {}, {}, {.tune = true}));
}

TEST(GpuDevice, RefusesWhatDoesNotFitIntoMemoryAndGoesOn) {
  HostRuntime::Options host = timed_host(1);
  host.memory = 64 << 20;
  const HostDevice device = open_on_host({.host = host});
  const Graph graph = iosx::test::chain(3);
  ASSERT_TRUE(load_and_run(*device, plan_of(graph, one_by_one_schedule(graph), *device, 100), {}, {}, {.tune = true}));
  const ExecutionPlan large = plan_of(graph, one_by_one_schedule(graph), *device, 10'000);
  EXPECT_THAT(refused(load_and_run(*device, large, {}, {}, {.tune = true})).text(), HasSubstr("smaller batch"));
  EXPECT_FALSE(device->measure(std::span(&large, 1), {}, {}));
  const auto small =
      load_and_run(*device, plan_of(graph, one_by_one_schedule(graph), *device, 100), {}, {}, {.tune = true});
  EXPECT_TRUE(small) << small.error().text();
}

TEST(GpuDevice, ForgetsOtherNetworksWeightsWhereMemoryIsShort) {
  HostRuntime::Options host = timed_host(1);
  host.memory = 24 << 20;  // 17 MB of weights fit once
  const HostDevice device = open_on_host({.host = host});
  for (const char* name : {"first", "second", "first"}) {
    GraphBuilder builder(name);
    builder.add("fc", Linear{1024, Activation::kIdentity}, {builder.input("in", Shape{4096})});
    const auto graph = std::move(builder).build();
    const auto run =
        load_and_run(*device, plan_of(*graph, one_by_one_schedule(*graph), *device), test::twice(), {}, {.tune = true});
    EXPECT_TRUE(run) << name << ": " << run.error().text();
  }
}

// Stops at each of many places in the work: what comes back is a prefix, and the device goes on working.
TEST(GpuDevice, StopsMeasuringAnywhere) {
  const Graph graph = iosx::test::fork_join(3);
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const std::vector<ExecutionPlan> plans = stage_plans(graph, greedy_schedule(graph), *device);
  std::set<std::size_t> sizes;
  for (int launches = 1; launches < 6000; launches = launches * 5 / 4 + 1) {
    std::stop_source stop;
    int left = launches;
    device.runtime->on_launch = [&] {
      if (--left == 0) stop.request_stop();
    };
    const auto latencies = must(device->measure(plans, {}, {stop.get_token(), {}}));
    if (stop.stop_requested()) {
      EXPECT_LT(latencies.size(), plans.size() + 1);
      EXPECT_GT(left, -2000) << "went on long after the stop";
    }
    sizes.insert(latencies.size());
  }
  EXPECT_GT(sizes.size(), 1U);
  device.runtime->on_launch = {};
  EXPECT_EQ(device->measure(plans, {}, {})->size(), plans.size());
}

TEST(GpuDevice, StopsARunAnywhere) {
  const Graph graph = iosx::test::fork_join(3);
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const ExecutionPlan plan = plan_of(graph, greedy_schedule(graph), *device);
  RunOptions options{.trace = true};
  int stopped = 0;
  for (int launches = 1; launches < 6000; launches = launches * 5 / 4 + 1) {
    std::stop_source stop;
    int left = launches;
    device.runtime->on_launch = [&] {
      if (--left == 0) stop.request_stop();
    };
    const auto run = load_and_run(*device, plan, options, {stop.get_token(), {}}, {.tune = true});
    EXPECT_TRUE(run || stop.stop_requested()) << run.error().text();
    stopped += run ? 0 : 1;
  }
  EXPECT_GT(stopped, 3);
  device.runtime->on_launch = {};
  EXPECT_TRUE(load_and_run(*device, plan, options, {}, {.tune = true}));
}

TEST(GpuDevice, AStopBeforeItBeganIsSeen) {
  const HostDevice device = open_on_host({.host = timed_host(1)});
  const ExecutionPlan plan = plan_of(iosx::test::chain(1), one_by_one_schedule(iosx::test::chain(1)), *device);
  EXPECT_EQ(device->measure(std::span(&plan, 1), {}, {stopped_token(), {}})->size(), 0U);
  EXPECT_FALSE(load_and_run(*device, plan, {}, {stopped_token(), {}}, {.tune = true}));
}

TEST(GpuDevice, TwoJobsAtOnceTakeTurns) {
  const Graph graph = test::small_sample();
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const ExecutionPlan greedy = plan_of(graph, greedy_schedule(graph), *device);
  const std::vector<ExecutionPlan> stages = stage_plans(graph, one_by_one_schedule(graph), *device);
  const auto expected = must(load_and_run(*device, greedy, {}, {}, {.tune = true}));
  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 5; ++n) {
        const auto run = load_and_run(*device, greedy, {}, {}, {.tune = true});
        ASSERT_TRUE(run) << run.error().text();
        EXPECT_NEAR(run->latency.value / expected.latency.value, 1, 1e-6);
      }
    });
    threads.emplace_back([&] {
      for (int n = 0; n < 5; ++n) EXPECT_EQ(device->measure(stages, {}, {})->size(), stages.size());
    });
  }
}

// Another device on the same GPU waits too, and a stop ends the waiting.
TEST(GpuDevice, AStopEndsTheWaitForTheGpu) {
  const Graph graph = iosx::test::chain(1);
  const HostDevice first = open_on_host({.host = timed_host(1)});
  const HostDevice second = open_on_host({.host = timed_host(1), .math = Math::kHalf});
  const ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *first);
  std::atomic<bool> working{false};
  std::atomic<bool> let_go{false};
  first.runtime->on_launch = [&] {
    working = true;
    working.notify_all();
    let_go.wait(false);
  };
  std::jthread busy([&] { EXPECT_TRUE(load_and_run(*first, plan, test::twice(), {}, {.tune = true})); });
  working.wait(false);
  std::stop_source stop;
  int reports = 0;
  const JobContext job{stop.get_token(), [&](const Progress& progress) {
                         EXPECT_EQ(progress.phase, "waiting for the GPU");
                         if (++reports == 2) stop.request_stop();
                       }};
  EXPECT_FALSE(load_and_run(*second, plan, test::twice(), job, {.tune = true}));
  EXPECT_EQ(second->measure(std::span(&plan, 1), {}, job)->size(), 0U);
  let_go = true;
  let_go.notify_all();
}

TEST(GpuDevice, GoesOnAfterAnErrorThatPasses) {
  const Graph graph = test::small_sample();
  const HostDevice device = open_on_host({.host = timed_host(0.5)});
  const ExecutionPlan plan = plan_of(graph, greedy_schedule(graph), *device);
  for (int launches = 1; launches < 3000; launches = launches * 2 + 1) {
    int left = launches;
    device.runtime->on_launch = [&] {
      if (--left == 0) throw GpuError("CUDA: launch failed");
    };
    const auto run = load_and_run(*device, plan, {}, {}, {.tune = true});
    if (run) continue;  // it had no so many launches, or a way to compute a convolution was given up
    EXPECT_THAT(run.error().text(), AllOf(HasSubstr("launch failed"), HasSubstr("try again")));
  }
  device.runtime->on_launch = {};
  must(load_and_run(*device, plan, {}, {}, {.tune = true}));
}

TEST(GpuDevice, SaysThatTheProgramMustBeRestartedWhereTheGpuIsLost) {
  const Graph graph = iosx::test::chain(2);
  const HostDevice device = open_on_host({.host = timed_host(1)});
  const ExecutionPlan plan = plan_of(graph, one_by_one_schedule(graph), *device);
  const auto held = loaded(device, plan);
  ASSERT_TRUE(held->run({}, {}));
  device.runtime->lost = true;
  EXPECT_THAT(refused(load_and_run(*device, plan, {}, {}, {.tune = true})).text(),
              AllOf(HasSubstr("illegal memory access"), HasSubstr("restart")));
  EXPECT_THAT(refused(device->measure(std::span(&plan, 1), {}, {})).text(), HasSubstr("restart"));
  EXPECT_THAT(refused(held->run({}, {})).text(), HasSubstr("restart"));
  EXPECT_FALSE(device->load(plan, {}, {}));
  device.runtime->lost = false;
}

constexpr Math kAll[] = {Math::kTf32, Math::kStrict, Math::kHalf, Math::kBfloat16};

Properties h200() {
  return {.name = "NVIDIA H200",
          .uuid = "GPU-8f2c",
          .multiprocessors = 132,
          .compute_capability = 90,
          .memory_bytes = 150'000'000'000,
          .l2_bytes = 0,
          .max_clock_mhz = 1980,
          .driver = "580.65",
          .cuda = "13.0"};
}

TEST(GpuDeviceInfo, NamesGpuNumberAndPrecision) {
  const auto id = [](int number, Math math) { return gpu_device_info(h200(), number, math, "cuDNN 9.19.0").id; };
  EXPECT_EQ(id(0, Math::kTf32), "gpu");
  EXPECT_EQ(id(0, Math::kStrict), "gpu-f32");
  EXPECT_EQ(id(0, Math::kHalf), "gpu-f16");
  EXPECT_EQ(id(0, Math::kBfloat16), "gpu-bf16");
  EXPECT_EQ(id(1, Math::kTf32), "gpu1");
  EXPECT_EQ(id(1, Math::kStrict), "gpu1-f32");
  const DeviceInfo info = gpu_device_info(h200(), 0, Math::kTf32, "cuDNN 9.19.0");
  EXPECT_EQ(info.name, "NVIDIA H200, float32 (TF32)");
  EXPECT_EQ(info.summary,
            "132 SMs, 1980 MHz at most, 150 GB, compute capability 9.0, driver 580.65, CUDA 13.0, cuDNN 9.19.0, "
            "GPU-8f2c");
  EXPECT_EQ(info.precision, "tf32");
  EXPECT_EQ(info.origin, Origin::kMeasured);
  EXPECT_TRUE(info.computes && info.lowering.fuse && info.lowering.concat_in_place);
  EXPECT_EQ(info.lowering.input_channel_multiple, 4);
  EXPECT_EQ(gpu_device_info(h200(), 0, Math::kHalf, "").lowering.input_channel_multiple, 8);
  EXPECT_EQ(gpu_device_info(h200(), 0, Math::kStrict, "").lowering.input_channel_multiple, 1);
  EXPECT_TRUE(info.lowering.strided_products);
  EXPECT_FALSE(gpu_device_info(h200(), 0, Math::kStrict, "").lowering.strided_products) << "our kernel reads columns";
  EXPECT_EQ(gpu_device_info(h200(), 0, Math::kStrict, "").name, "NVIDIA H200, float32 (strict)");
}

TEST(GpuDeviceInfo, SaysFloat32WhereThereAreNoTensorFloats) {
  Properties turing = h200();
  turing.compute_capability = 75;
  const DeviceInfo info = gpu_device_info(turing, 0, Math::kTf32, "cuDNN 9.19.0");
  EXPECT_EQ(info.precision, "f32");
  EXPECT_EQ(info.lowering.input_channel_multiple, 1);
  EXPECT_FALSE(info.lowering.strided_products);
  EXPECT_THAT(info.name, Not(HasSubstr("TF32")));
}

TEST(GpuDeviceInfo, FingerprintsTellApartWhatMayBeFasterOrSlower) {
  std::set<std::string> seen;
  for (const Math math : kAll) seen.insert(gpu_device_info(h200(), 0, math, "cuDNN 9.19.0").fingerprint);
  seen.insert(gpu_device_info(h200(), 0, Math::kTf32, "cuDNN 9.20.0").fingerprint);
  for (const auto change : std::initializer_list<void (*)(Properties&)>{
           [](Properties& p) { p.driver = "590.1"; }, [](Properties& p) { p.cuda = "13.1"; },
           [](Properties& p) { p.multiprocessors = 114; }}) {
    Properties other = h200();
    change(other);
    seen.insert(gpu_device_info(other, 0, Math::kTf32, "cuDNN 9.19.0").fingerprint);
  }
  EXPECT_EQ(seen.size(), 8U);
}

// The next machine of a provider has another card of the same model, for which measurements and plans hold, too.
TEST(GpuDeviceInfo, AnotherCardOfTheSameModelIsTheSameDevice) {
  Properties other = h200();
  other.uuid = "GPU-other";
  const DeviceInfo info = gpu_device_info(other, 0, Math::kTf32, "cuDNN 9.19.0");
  EXPECT_EQ(info.fingerprint, gpu_device_info(h200(), 0, Math::kTf32, "cuDNN 9.19.0").fingerprint);
  EXPECT_THAT(info.summary, HasSubstr("GPU-other"));
}

}  // namespace

}  // namespace iosx::gpu
