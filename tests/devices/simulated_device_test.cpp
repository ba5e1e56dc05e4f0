#include "core/devices/simulated/simulated_device.h"

#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::simulated {
namespace {

DeviceDescription v100() { return simulated_description("tesla-v100"); }
DeviceDescription captured_h200() { return simulated_description("h200"); }

double measured(SimulatedDevice& device, const Graph& graph, const Stage& stage) {
  const ExecutionPlan plan = lower_stage(graph, stage, 1);
  return device.measure({&plan, 1}, {}, {}).value().front().value.count();
}

// The first `count` units side by side.
Stage concurrent(std::size_t count) {
  Stage stage;
  for (std::size_t i = 0; i < count; ++i) stage.groups.push_back(Group{{Step{{UnitId(i)}}}});
  return stage;
}

TEST(SimulatedDevice, LatenciesAreMarkedSimulatedAndDeterministic) {
  SimulatedDevice device(v100());
  SimulatedDevice other(v100());
  const Graph graph = test::sample();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  const RunResult once = load_and_run(device, plan, {}, {}).value();
  EXPECT_EQ(once.latency.origin, Origin::kSimulated);
  EXPECT_EQ(once.latency.samples, 1);
  EXPECT_EQ(once.latency.value, load_and_run(device, plan, {}, {}).value().latency.value);
  EXPECT_EQ(once.latency.value, load_and_run(other, plan, {}, {}).value().latency.value);
  EXPECT_EQ(device.info().origin, Origin::kSimulated);
}

TEST(SimulatedDevice, StageLatenciesAddUpToTheRun) {
  SimulatedDevice device(v100());
  for (const Graph& graph : {test::sample(), test::diamond(), test::random_dag(3, 20)}) {
    for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph)}) {
      const RunResult run = load_and_run(device, lower(graph, schedule, 4), RunOptions{.trace = true}, {}).value();
      ASSERT_EQ(run.stage_latencies.size(), schedule.stages.size());
      double sum = 0;
      for (const Latency& latency : run.stage_latencies) sum += latency.value.count();
      EXPECT_NEAR(sum, run.latency.value.count(), 1e-9);
      EXPECT_NEAR(Millis(run.trace.duration).count(), run.latency.value.count(), 1e-9);
    }
  }
}

TEST(SimulatedDevice, TraceHoldsEveryKernelOnItsLane) {
  SimulatedDevice device(v100());
  const Graph graph = test::random_dag(5, 24);
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  const Trace trace = load_and_run(device, plan, RunOptions{.trace = true}, {}).value().trace;
  ASSERT_EQ(trace.kernels.size(), plan.kernels.size());
  std::vector<Micros> lane_end(trace.lanes, Micros(0));
  Micros before{0};
  for (const KernelSpan& span : trace.kernels) {
    const Kernel& kernel = plan.kernel(span.kernel);
    EXPECT_EQ(span.name, kernel.name);
    EXPECT_EQ(span.lane, kernel.lane);
    EXPECT_EQ(span.stage, kernel.stage);
    EXPECT_GE(span.begin, before);
    EXPECT_GE(span.end, span.begin);
    EXPECT_GE(span.begin + Micros(1e-9), lane_end[span.lane]) << "a lane runs one kernel at a time";
    EXPECT_GE(span.begin, trace.stages[span.stage].begin);
    EXPECT_LE(span.end, trace.stages[span.stage].end);
    lane_end[span.lane] = span.end;
    before = span.begin;
  }
  EXPECT_EQ(trace.stages.size(), plan.stages.size());
}

TEST(SimulatedDevice, ActiveWarpsStayBelowTheirPeakAndEndAtZero) {
  SimulatedDevice device(v100());
  const Graph graph = test::sample();
  const Trace trace =
      load_and_run(device, lower(graph, greedy_schedule(graph), 16), RunOptions{.trace = true}, {}).value().trace;
  ASSERT_EQ(trace.counters.size(), 1U);
  const Counter& warps = trace.counters.front();
  EXPECT_EQ(warps.peak, 80 * 64);
  for (const double value : warps.values) {
    EXPECT_GE(value, 0);
    EXPECT_LE(value, warps.peak);
  }
  EXPECT_EQ(warps.values.back(), 0);
  EXPECT_GT(warps.mean(Micros(0), trace.duration), 0);
  EXPECT_TRUE(load_and_run(device, lower(graph, greedy_schedule(graph), 1), {}, {}).value().trace.counters.empty());
}

TEST(SimulatedDevice, MoreGroupsAreNeverFaster) {
  SimulatedDevice device(v100());
  const Graph graph = test::fork(10);
  double before = 0;
  for (std::size_t count = 1; count <= 10; ++count) {
    const double now = measured(device, graph, concurrent(count));
    EXPECT_GE(now, before) << count;
    before = now;
  }
}

TEST(SimulatedDevice, ALongerGroupIsNeverFaster) {
  SimulatedDevice device(v100());
  const Graph graph = test::chain(8);
  Stage stage;
  stage.groups.emplace_back();
  double before = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    stage.groups[0].steps.push_back(Step{{UnitId(i)}});
    const double now = measured(device, graph, stage);
    EXPECT_GT(now, before) << i;
    before = now;
  }
}

TEST(SimulatedDevice, OneLaneIsMeasuredBackToBack) {
  DeviceDescription description = v100();
  description.machine.launch_us = 1000;
  SimulatedDevice device(description);
  const Graph graph = test::chain(3);
  // The host is what limits it: three launches, and no kernel after the last one is waited for.
  EXPECT_NEAR(measured(device, graph, Stage{{Group{{Step{{UnitId(0)}}, Step{{UnitId(1)}}, Step{{UnitId(2)}}}}}}), 3.0,
              1e-9);
}

TEST(SimulatedDevice, SeveralLanesPayForSynchronising) {
  const Graph graph = test::fork(2);
  DeviceDescription description = v100();
  SimulatedDevice device(description);
  description.machine.sync_us += 100;
  SimulatedDevice slow(description);
  // Not part of a stage but of what lies between two.
  EXPECT_NEAR(measured(slow, graph, concurrent(2)), measured(device, graph, concurrent(2)), 1e-12);
  EXPECT_NEAR(measured(slow, graph, concurrent(1)), measured(device, graph, concurrent(1)), 1e-12);
  const auto gap = [&](StageWidth before, StageWidth after) {
    return (slow.info().overhead.before(before, after) - device.info().overhead.before(before, after)).count();
  };
  EXPECT_NEAR(gap(StageWidth::kOneLane, StageWidth::kOneLane), 0, 1e-12);
  EXPECT_NEAR(gap(StageWidth::kOneLane, StageWidth::kSeveralLanes), 0.1, 1e-9);
  EXPECT_NEAR(gap(StageWidth::kSeveralLanes, StageWidth::kOneLane), 0.1, 1e-9);
  EXPECT_NEAR(gap(StageWidth::kSeveralLanes, StageWidth::kSeveralLanes), 0.1, 1e-9);
  // In a run the host waits between two stages only where one of them has several lanes.
  const Graph diamond = test::diamond();
  const auto run = [&](SimulatedDevice& on, const Schedule& schedule) {
    return load_and_run(on, lower(diamond, schedule, 1), {}, {}).value().latency.value.count();
  };
  const Schedule greedy = greedy_schedule(diamond);  // a | b, c | d
  EXPECT_NEAR(run(slow, greedy) - run(device, greedy), 0.2, 1e-9);
  EXPECT_NEAR(run(slow, one_by_one_schedule(diamond)), run(device, one_by_one_schedule(diamond)), 1e-12);
}

double run_latency(Device& device, const Graph& graph, const Schedule& schedule) {
  return load_and_run(device, lower(graph, schedule, 1, device.info().lowering), {}, {}).value().latency.value.count();
}

TEST(SimulatedDevice, CapturedChainsCostWhatTheirStagesDo) {
  SimulatedDevice device(captured_h200());
  const Graph graph = test::chain(6);
  double sum = device.info().overhead.sum(one_by_one_schedule(graph)).count();
  EXPECT_GT(sum, 0);  // the replay
  for (const Stage& stage : one_by_one_schedule(graph).stages) sum += measured(device, graph, stage);
  EXPECT_NEAR(run_latency(device, graph, one_by_one_schedule(graph)), sum, 1e-9);
}

// Nearly: how many lanes a stage waits for, and that others run at all, are of the stage before it and of the plan.
TEST(SimulatedDevice, CapturedStagesAddUpToTheRun) {
  SimulatedDevice device(captured_h200());
  const LowerOptions options = device.info().lowering;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = test::random_dag(seed, 6 + seed);
    const Schedule schedule = greedy_schedule(graph);
    double sum = device.info().overhead.sum(schedule).count();
    for (const Stage& stage : schedule.stages) {
      const ExecutionPlan plan = lower_stage(graph, stage, 1, options);
      sum += device.measure({&plan, 1}, {}, {}).value().front().value.count();
    }
    EXPECT_NEAR(run_latency(device, graph, schedule) / sum, 1, 0.05) << seed;
  }
}

TEST(SimulatedDevice, CapturedLanesPayForJoining) {
  const Graph diamond = test::diamond();
  DeviceDescription description = captured_h200();
  SimulatedDevice device(description);
  description.launches->figures.wait_us += 100;
  SimulatedDevice slow(description);
  const Schedule sequential = one_by_one_schedule(diamond);
  EXPECT_NEAR(run_latency(slow, diamond, sequential), run_latency(device, diamond, sequential), 1e-12);
  // a | b, c | d: the fork and the join, and each launch beside others.
  const Schedule greedy = greedy_schedule(diamond);
  EXPECT_NEAR(run_latency(slow, diamond, greedy) - run_latency(device, diamond, greedy), 0.2, 0.01);
}

// A kernel that takes no time hands on what it waited for.
TEST(SimulatedDevice, CapturedViewsHandOnTheirWaits) {
  GraphBuilder builder("g");
  Conv conv{.out_channels = 64, .kernel = {3, 3}, .padding = {1, 1}};
  const Value in = builder.input("in", Shape{64, 16, 16});
  const Value a = builder.add("a", conv, {in});
  const Value view = builder.add("view", Identity{}, {builder.add("b", conv, {in})});
  builder.add("c", conv, {view});
  builder.add("d", conv, {a});
  const Graph graph = std::move(builder).build().value();
  // b ends late; its view is on the lane that runs a, and c follows on a third.
  const auto group = [](std::size_t unit) { return Group{{Step{{UnitId(unit)}}}}; };
  const Schedule schedule{"views", {Stage{{group(0), group(1)}}, Stage{{group(2)}}, Stage{{group(3), group(4)}}}};
  SimulatedDevice device(captured_h200());
  const ExecutionPlan plan = lower(graph, schedule, 1, device.info().lowering);
  const Trace trace = load_and_run(device, plan, RunOptions{.trace = true}, {}).value().trace;
  const auto span = [&](std::string_view name) {
    return *std::ranges::find(trace.kernels, name, [](const KernelSpan& each) { return std::string_view(each.name); });
  };
  EXPECT_GT(span("c").begin, span("b").end);
  EXPECT_GT(span("d").begin, span("b").end);
  EXPECT_GT(span("c").begin, span("a").end);
}

// Many plans are shared out among threads.
TEST(SimulatedDevice, MeasuresManyPlansAsOneByOne) {
  for (const DeviceDescription& description : {v100(), captured_h200()}) {
    std::vector<ExecutionPlan> plans;
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
      const Graph graph = test::random_dag(seed, 20);
      for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph)}) {
        for (const Stage& stage : schedule.stages) plans.push_back(lower_stage(graph, stage, 1));
      }
    }
    ASSERT_GT(plans.size(), 200U);
    SimulatedDevice device(description);
    const auto latencies = device.measure(plans, {}, {}).value();
    SimulatedDevice other(description);
    for (std::size_t i = 0; i < plans.size(); ++i) {
      EXPECT_EQ(latencies[i].value, other.measure({&plans[i], 1}, {}, {}).value().front().value) << i;
    }
  }
}

TEST(SimulatedDevice, StopGivesAPrefix) {
  SimulatedDevice device(v100());
  const Graph graph = test::chain(2);
  const std::vector<ExecutionPlan> plans(10, lower(graph, one_by_one_schedule(graph), 1));
  std::stop_source stop;
  EXPECT_EQ(device.measure(plans, {}, JobContext{stop.get_token(), {}}).value().size(), 10U);
  stop.request_stop();
  EXPECT_LT(device.measure(plans, {}, JobContext{stop.get_token(), {}}).value().size(), 10U);
}

TEST(SimulatedDevice, EmptyPlan) {
  SimulatedDevice device(v100());
  const RunResult run = load_and_run(device, ExecutionPlan{}, RunOptions{.trace = true}, {}).value();
  EXPECT_EQ(run.latency.value.count(), 0);
  EXPECT_TRUE(run.trace.kernels.empty());
}

// A plan with concatenations in place: not what it asks for, but nothing that it cannot run.
TEST(SimulatedDevice, StagesWithoutKernelsTakeNoTime) {
  SimulatedDevice device(v100());
  const Graph graph = test::fork_join(3);
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1, {.fuse = true, .concat_in_place = true});
  ASSERT_TRUE(plan.stages.back().lanes.empty());
  const RunResult run = load_and_run(device, plan, RunOptions{.trace = true}, {}).value();
  ASSERT_EQ(run.stage_latencies.size(), 3U);
  EXPECT_GT(run.stage_latencies[1].value.count(), 0);
  EXPECT_EQ(run.stage_latencies[2].value.count(), 0);
  EXPECT_EQ(run.trace.stages.size(), 3U);
  EXPECT_EQ(run.trace.kernels.size(), 4U);
}

// Of an operator that reads one tensor, on a Tesla V100.
double ms_of_opaque(const Shape& in, Opaque opaque) {
  auto [builder, value] = test::sketch("opaque", in);
  opaque.type = "Foo";
  opaque.costed = true;
  builder.add("y", std::move(opaque), {value});
  SimulatedDevice device(v100());
  return measured(device, must(std::move(builder).build()), concurrent(1));
}

double ratio(double a, double b) { return std::max(a, b) / std::min(a, b); }

TEST(SimulatedDevice, OpaqueOperatorsTakeWhatTheirFlopsAndBytesNeed) {
  // Attention of one position, with a cache of 16.8 MB, and of 2,048, with tables of rotations and without.
  const Opaque step{.shape = {1, 4096}, .flops = 4 * 2048 * 4096};
  Opaque rotated = step;
  rotated.parameters = 2 * 64 * 4096;
  const double alone = ms_of_opaque({4096, 1024}, step);
  const double with_tables = ms_of_opaque({4096, 1024}, rotated);
  EXPECT_GT(std::min(alone, with_tables), 4 * 4096 * 1024 / 900e6) << "no more than 900 GB/s";
  EXPECT_LT(std::max(alone, with_tables), 0.05);
  const Opaque prompt{.shape = {2048, 4096}, .flops = std::int64_t{4} * 2048 * 2048 * 4096};
  const double whole = ms_of_opaque({2048, 6144}, prompt);
  EXPECT_GT(whole, 0.9 * 68.7 / 15.7);
  EXPECT_LT(whole, 2 * 68.7 / 15.7);
}

TEST(SimulatedDevice, OpaqueOperatorsTakeLittleMoreForAPixelOrABias) {
  const auto transposed = [](std::int64_t size) {
    const Shape out{8, size, size, size};
    return ms_of_opaque({16, size, size, size},
                        {.shape = out, .flops = 2 * 432 * out.elements(), .parameters = 3456, .weight_bytes = 13824});
  };
  EXPECT_LT(ratio(transposed(63), transposed(64)), 1.5);
  EXPECT_LT(ratio(transposed(64), transposed(65)), 1.5);
  const auto biased = [](std::int64_t bias) {
    const Shape out{64, 6, 6, 6, 6};
    return ms_of_opaque(out, {.shape = out,
                              .flops = 2 * 5184 * out.elements(),
                              .parameters = 64 * 5184 + bias,
                              .weight_bytes = 4 * (64 * 5184 + bias)});
  };
  EXPECT_LT(ratio(biased(0), biased(64)), 1.5);
}

}  // namespace
}  // namespace iosx::simulated
