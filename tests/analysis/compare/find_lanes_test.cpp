// Schedules without barriers, on a simulated GPU.

#include "core/analysis/compare/find_lanes.h"

#include <gmock/gmock.h>

#include <cmath>
#include <memory>
#include <random>

#include "core/analysis/compare/compare.h"
#include "core/devices/cpu/cpu_device.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/formats/schedule_file.h"
#include "core/model/plan/needs.h"
#include "core/model/plan/plan_validity.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"
#include "tests/support/random_plans.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::unique_ptr<Device> simulated(const std::string& id) {
  return std::make_unique<simulated::SimulatedDevice>(simulated_description(id));
}

Millis run(Device& device, const ExecutionPlan& plan) {
  return load_and_run(device, plan, {}, {}).value().latency.value;
}

TEST(FindLanes, GainsWhatBarriersCost) {
  const Graph graph = zoo_network("parallel_vit_s16").value();
  const auto device = simulated("h200");
  const ExecutionPlan staged = StagePlanner(graph, 1, device->info().lowering).plan(greedy_schedule(graph));
  const auto found = find_lanes(*device, staged, {}, {});
  ASSERT_TRUE(found && *found);
  EXPECT_GT(run(*device, staged) / (*found)->took, 1.15);
  EXPECT_EQ(run(*device, (*found)->plan), (*found)->took);
  EXPECT_TRUE(check_plan((*found)->plan));
  EXPECT_EQ(barrier_free_plan(staged, (*found)->lanes).value(), (*found)->plan);
}

TEST(FindLanes, OfOneKernelAreNone) {
  const Graph graph = test::chain(1);
  const auto device = simulated("h200");
  const auto found = find_lanes(*device, StagePlanner(graph, 1, {}).plan(sequential_schedule(graph)), {}, {});
  ASSERT_TRUE(found);
  EXPECT_FALSE(*found);
}

// A kernel pays for waiting across lanes, however the device launches.
TEST(FindLanes, WaitsAcrossLanesCost) {
  const Graph graph = test::chain(8);
  for (const char* id : {"h200", "h200-streams", "tesla-v100"}) {
    const auto device = simulated(id);
    const ExecutionPlan staged = StagePlanner(graph, 1, device->info().lowering).plan(sequential_schedule(graph));
    const auto needs = needs_of(staged);
    LaneSchedule zigzag = one_lane(staged);
    for (std::size_t i = 0; i < zigzag.launches.size(); ++i) zigzag.launches[i].lane = i % 2;
    const Millis line = run(*device, on_lanes(staged, needs, one_lane(staged)));
    EXPECT_GT(run(*device, on_lanes(staged, needs, zigzag)), line + Millis(0.0005)) << id;
    EXPECT_NEAR(line / run(*device, staged), 1, 1e-9) << id << ": one lane is one lane";
  }
}

TEST(BarrierFree, IsNeverSlowerThanAnythingBesideIt) {
  for (const char* network : {"squeezenet", "googlenet", "sample"}) {
    const auto device = simulated("h200");
    const auto comparison = compare(zoo_network(network).value(), *device, {}, {});
    ASSERT_TRUE(comparison) << comparison.error().line();
    std::vector<std::string> ids;
    for (const ScheduleResult& result : comparison->results) ids.push_back(result.id.text());
    EXPECT_THAT(ids, ElementsAre("sequential", "greedy", "ios-merge", "ios-parallel", "ios-both", "list", "ios-flow"));
    const ScheduleResult& flow = *comparison->find(ScheduleKind::kIosFlow);
    for (const ScheduleResult& other : comparison->results) {
      EXPECT_LE(flow.latency.value, other.latency.value) << network << ", " << other.id.text();
    }
    EXPECT_EQ(flow.plan.barrier_free, flow.lanes.has_value());
    const ScheduleResult& list = *comparison->find(ScheduleKind::kList);
    EXPECT_EQ(list.schedule, comparison->find(ScheduleKind::kSequential)->schedule)
        << "it keeps what chose its kernels";
    EXPECT_EQ(list.plan.barrier_free, list.lanes.has_value());
    EXPECT_EQ(list.trace.stages.size(), list.plan.stages.size());
  }
}

// In the order asked for, and again where somebody asks twice.
TEST(BarrierFree, StandsWhereItIsAskedFor) {
  CompareOptions options;
  options.schedule_kinds = {ScheduleKind::kIosFlow, ScheduleKind::kGreedy, ScheduleKind::kIosFlow};
  const auto comparison = compare(zoo_network("googlenet").value(), *simulated("a100"), options, {});
  ASSERT_TRUE(comparison);
  std::vector<std::string> ids;
  for (const ScheduleResult& result : comparison->results) ids.push_back(result.id.text());
  EXPECT_THAT(ids, ElementsAre("ios-flow", "ios-flow-2", "greedy", "sequential"));
  EXPECT_FALSE(comparison->results.back().asked);
}

TEST(BarrierFree, ComesBackFromAFile) {
  const Graph graph = zoo_network("googlenet").value();
  const auto device = simulated("h200");
  CompareOptions options;
  options.schedule_kinds = {ScheduleKind::kList};
  const auto comparison = compare(graph, *device, options, {});
  ASSERT_TRUE(comparison);
  const ScheduleResult& list = *comparison->find(ScheduleKind::kList);
  ASSERT_TRUE(list.lanes);
  const auto file = parse_schedule_json(schedule_to_json(graph, list.schedule, {}, list.lanes), "f.json", graph);
  ASSERT_TRUE(file) << file.error().line();
  EXPECT_EQ(file->lanes, list.lanes);
  GivenSchedule given(file->schedule);
  given.lanes = file->lanes;
  const auto again = evaluate(graph, given, *device, 1, {}, {});
  ASSERT_TRUE(again) << again.error().line();
  EXPECT_EQ(again->latency, list.latency);
  EXPECT_EQ(again->plan, list.plan);
  // Another device makes other kernels.
  const auto elsewhere = evaluate(graph, given, *simulated("tesla-k80"), 1, {}, {});
  ASSERT_FALSE(elsewhere);
  EXPECT_THAT(elsewhere.error().text(), HasSubstr("another device"));
}

// What a file says of kernels is checked before anything follows from it.
TEST(BarrierFree, OfAFileIsCheckedAgainstTheKernels) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto device = simulated("h200");
  const ExecutionPlan staged = StagePlanner(graph, 1, device->info().lowering).plan(sequential_schedule(graph));
  GivenSchedule given(sequential_schedule(graph));
  const auto refusal = [&](LaneSchedule lanes) {
    given.lanes = std::move(lanes);
    const auto run = evaluate(graph, given, *device, 1, {}, {});
    return run ? std::string("runs") : run.error().text();
  };
  LaneSchedule lanes = named(one_lane(staged), staged);
  EXPECT_EQ(refusal(lanes), "runs");
  lanes.launches[0].name = "other";
  EXPECT_THAT(refusal(lanes), HasSubstr("another device"));
  lanes = named(one_lane(staged), staged);
  lanes.launches[0].kernel = KernelId(16777215);
  EXPECT_THAT(refusal(lanes), HasSubstr("another device"));
}

TEST(BarrierFree, IsLeftOutWhereCoresAreSharedOutByStage) {
  test::FakeDevice device;
  const auto all = compare(test::fork_join(3), device, {}, {});
  ASSERT_TRUE(all);
  EXPECT_EQ(all->find(ScheduleKind::kIosFlow), nullptr);
  CompareOptions options;
  options.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kList};
  const auto one = compare(test::fork_join(3), device, options, {});
  ASSERT_FALSE(one);
  EXPECT_THAT(one.error().text(), HasSubstr("runs stages only"));
}

// The CPU runs such a plan one kernel after another: what it computes is the same.
TEST(BarrierFree, IsComputedByTheCpu) {
  const auto device = open_cpu_device({.cores = 2}).value();
  for (std::uint32_t seed = 0; seed < 8; ++seed) {
    std::mt19937 random(seed);
    const Graph graph = test::random_concat_graph(seed, 14);
    const ExecutionPlan staged = StagePlanner(graph, 2, device->info().lowering).plan(greedy_schedule(graph));
    const ExecutionPlan plan = on_lanes(staged, needs_of(staged), test::random_lanes(staged, 5, random));
    const RunOptions options{.timing = {.warmup = 0, .repeats = 1, .max_repeats = 1}, .trace = true, .outputs = true};
    const auto wanted = load_and_run(*device, staged, options, {});
    const auto given = load_and_run(*device, plan, options, {});
    ASSERT_TRUE(wanted && given) << given.error().line();
    for (std::size_t i = 0; i < wanted->outputs.size(); ++i) {
      const auto a = wanted->outputs[i].elements();
      const auto b = given->outputs[i].elements();
      for (std::size_t e = 0; e < a.size(); ++e) ASSERT_NEAR(a[e], b[e], 2e-5 * (1 + std::abs(a[e]))) << seed;
    }
    EXPECT_TRUE(given->stage_latencies.empty());
    EXPECT_EQ(given->trace.lanes, plan.lane_count());
  }
}

}  // namespace
}  // namespace iosx
