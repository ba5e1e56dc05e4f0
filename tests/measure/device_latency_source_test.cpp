#include "core/measure/device_latency_source.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "core/plan/lower.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

// A device whose latency is the cost of the plan's kernels, in ms.
class FakeDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return described; }

  Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const TimingOptions& /*timing*/,
                                       const JobContext& job) override {
    ++requests;
    if (broken) return fail("the device fell over");
    std::vector<Latency> latencies;
    for (const ExecutionPlan& plan : plans) {
      if (job.stopped()) break;
      double flops = 0;
      for (const Kernel& kernel : plan.kernels) flops += cost(kernel);
      latencies.push_back(Latency{Millis(flops), Millis(0), 1, Origin::kMeasured});
      ++measured;
      if (measured == stop_after) stop.request_stop();
    }
    return latencies;
  }
  Result<RunResult> run(const ExecutionPlan&, const RunOptions&, const JobContext&) override { return RunResult{}; }

  std::function<double(const Kernel&)> cost = [](const Kernel& kernel) { return kernel.work.flops; };
  int requests = 0;
  int measured = 0;
  int stop_after = -1;
  bool broken = false;
  std::stop_source stop;
  DeviceInfo described;
};

std::vector<Stage> every_unit(const Graph& graph) {
  std::vector<Stage> stages;
  for (std::size_t i = 0; i < graph.units().size(); ++i) stages.push_back(single_unit_stage(UnitId(i)));
  return stages;
}

TEST(DeviceLatencySource, SameStructureIsMeasuredOnce) {
  const Graph graph = test::chain(6);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  const auto stages = every_unit(graph);
  const auto first = source.stage_latencies(stages, {}).value();
  ASSERT_EQ(first.size(), 6U);
  EXPECT_EQ(device.measured, 1);
  EXPECT_EQ(source.measurements(), 1);
  EXPECT_EQ(source.stage_latencies(stages, {}).value().size(), 6U);
  EXPECT_EQ(device.measured, 1);
  EXPECT_EQ(first[0].origin, Origin::kMeasured);
}

TEST(DeviceLatencySource, AnswersInOrder) {
  const Graph graph = test::random_dag(9, 30);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 2);
  const auto latencies = source.stage_latencies(every_unit(graph), {}).value();
  ASSERT_EQ(latencies.size(), 30U);
  for (std::size_t i = 0; i < latencies.size(); ++i) {
    EXPECT_EQ(latencies[i].value.count(), work(graph, UnitId(i), 2).flops) << i;
  }
  EXPECT_LT(device.measured, 30);
  EXPECT_EQ(source.measurements(), device.measured);
}

// Branches of one structure that write other channels of the concatenation: whether they are one measurement is up to
// the device, and the concatenation itself may leave it nothing to do.
TEST(DeviceLatencySource, LowersAsTheDeviceWants) {
  const Graph graph = test::fork_join(3);
  const auto stages = every_unit(graph);
  FakeDevice plain;
  plain.cost = [](const Kernel&) { return 1.0; };
  const auto kernels = DeviceLatencySource(graph, plain, 1).stage_latencies(stages, {}).value();
  EXPECT_EQ(plain.measured, 2);  // convolutions, concatenation
  EXPECT_EQ(kernels.back().value.count(), 1);
  FakeDevice in_place = plain;
  in_place.measured = 0;
  in_place.described.lowering.concat_in_place = true;
  const auto fewer = DeviceLatencySource(graph, in_place, 1).stage_latencies(stages, {}).value();
  EXPECT_EQ(in_place.measured, 5);
  EXPECT_EQ(fewer.front().value.count(), 1);
  EXPECT_EQ(fewer.back().value.count(), 0);
}

TEST(DeviceLatencySource, RequestsAreBatches) {
  const Graph graph = test::random_dag(4, 40);
  std::vector<Stage> stages;
  for (std::size_t i = 0; i + 1 < 40; ++i) {
    for (std::size_t j = i + 1; j < 40; ++j) {
      stages.push_back(Stage{{Group{{Step{{UnitId(i)}}, Step{{UnitId(j)}}}}}});
    }
  }
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  EXPECT_EQ(source.stage_latencies(stages, {}).value().size(), stages.size());
  EXPECT_LT(device.requests, device.measured);
}

TEST(DeviceLatencySource, StopGivesAPrefixAndForgetsNothing) {
  const Graph graph = test::random_dag(9, 30);
  const auto stages = every_unit(graph);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  device.stop_after = 2;
  const auto some = source.stage_latencies(stages, JobContext{device.stop.get_token(), {}}).value();
  EXPECT_GE(some.size(), 2U);
  EXPECT_LT(some.size(), stages.size());
  EXPECT_EQ(source.measurements(), 2);
  const auto all = source.stage_latencies(stages, {}).value();
  ASSERT_EQ(all.size(), stages.size());
  for (std::size_t i = 0; i < some.size(); ++i) EXPECT_EQ(some[i].value, all[i].value);
  EXPECT_EQ(source.measurements(), device.measured);
}

// The device is slower the later its heavier lanes start.
TEST(DeviceLatencySource, TheOrderOfGroupsDoesNotMatter) {
  const Graph graph = test::sample();
  Stage stage{{Group{{Step{{UnitId(0)}}}}, Group{{Step{{UnitId(1)}}}}, Group{{Step{{UnitId(2)}}}}}};
  const auto by_lane = [](const Kernel& kernel) { return kernel.work.flops * static_cast<double>(kernel.lane + 1); };
  std::set<double> seen;
  std::set<double> of_the_device;
  for (int turn = 0; turn < 3; ++turn) {
    FakeDevice device;
    device.cost = by_lane;
    DeviceLatencySource fresh(graph, device, 1);
    seen.insert(fresh.stage_latencies(std::vector{stage}, {}).value().front().value.count());
    double direct = 0;
    for (const Kernel& kernel : lower_stage(graph, stage, 1).kernels) direct += by_lane(kernel);
    of_the_device.insert(direct);
    std::rotate(stage.groups.begin(), stage.groups.begin() + 1, stage.groups.end());
  }
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_GT(of_the_device.size(), 1U);
}

TEST(DeviceLatencySource, TalliesStructuresWhateverWasKnown) {
  const Graph graph = test::random_dag(9, 30);
  const auto stages = every_unit(graph);
  FakeDevice device;
  DeviceLatencySource source(graph, device, 1);
  source.start_tally();
  ASSERT_TRUE(source.stage_latencies(stages, {}));
  const StageTally first = source.tally();
  EXPECT_EQ(first.structures, device.measured);
  EXPECT_EQ(first.measured, device.measured);
  ASSERT_TRUE(source.stage_latencies(stages, {}));  // asked twice, tallied once
  EXPECT_EQ(source.tally().structures, first.structures);

  source.start_tally();
  EXPECT_EQ(source.tally().structures, 0);
  ASSERT_TRUE(source.stage_latencies(stages, {}));
  EXPECT_EQ(source.tally().structures, first.structures);
  EXPECT_EQ(source.tally().measured, 0);
}

TEST(DeviceLatencySource, DeviceErrorIsPassedOnAndNotRemembered) {
  const Graph graph = test::chain(2);
  FakeDevice device;
  device.broken = true;
  DeviceLatencySource source(graph, device, 1);
  const auto failed = source.stage_latencies(every_unit(graph), {});
  ASSERT_FALSE(failed.has_value());
  EXPECT_EQ(failed.error().what, "the device fell over");
  device.broken = false;
  EXPECT_EQ(source.stage_latencies(every_unit(graph), {}).value().size(), 2U);
}

}  // namespace
}  // namespace iosx
