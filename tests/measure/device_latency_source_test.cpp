#include "core/measure/device_latency_source.h"

#include <gtest/gtest.h>

#include "tests/support/graphs.h"

namespace iosx {
namespace {

// A device whose latency is the FLOPs of the plan, in ms.
class FakeDevice final : public Device {
 public:
  const DeviceInfo& info() const override { return info_; }

  Result<std::vector<Latency>> measure(std::span<const ExecutionPlan> plans, const JobContext& job) override {
    ++requests;
    if (broken) return fail("the device fell over");
    std::vector<Latency> latencies;
    for (const ExecutionPlan& plan : plans) {
      if (job.stopped()) break;
      double flops = 0;
      for (const Kernel& kernel : plan.kernels) flops += kernel.work.flops;
      latencies.push_back(Latency{Millis(flops), Millis(0), 1, Origin::kMeasured});
      ++measured;
      if (measured == stop_after) stop.request_stop();
    }
    return latencies;
  }
  Result<RunResult> run(const ExecutionPlan&, const RunOptions&, const JobContext&) override { return RunResult{}; }

  int requests = 0;
  int measured = 0;
  int stop_after = -1;
  bool broken = false;
  std::stop_source stop;

 private:
  DeviceInfo info_;
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
