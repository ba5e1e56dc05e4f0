// Networks of the zoo with the schedules that the program makes for them.

#include "core/devices/measure/latency_sources.h"
#include "core/model/schedule/baselines.h"
#include "core/search/prepare.h"
#include "core/search/search.h"
#include "models/networks/zoo.h"
#include "tests/gpu/exec/bench.h"
#include "tests/support/prelude.h"
#include "tests/support/reference.h"
#include "tests/support/simulated.h"

namespace iosx::gpu::test {
namespace {

Graph ready(std::string_view name) {
  auto graph = must(zoo_network(name));
  return must(prepare(graph, {}));
}

Schedule ios_schedule(const Graph& graph) {
  const auto device = iosx::test::simulated("tesla-v100");
  DeviceLatencySource latencies(graph, *device, 1);
  auto found = must(search(graph, latencies, {}, {}));
  return std::move(found.schedule);
}

std::size_t lanes(const Graph& graph, const Schedule& schedule) {
  return lower(graph, schedule, 1, kLowering).lane_count();
}

void check(std::string_view name, bool reference) {
  const Graph graph = ready(name);
  const Schedule sequential = one_by_one_schedule(graph);
  const ExecutionPlan plan = lower(graph, sequential, 1, kLowering);
  const auto inputs = synthetic_inputs(plan);
  Bench bench;
  PreparedPlan first = prepared(bench, plan);
  const auto expected = reference ? iosx::test::reference_outputs(graph, inputs, 1) : outputs_of(bench, first, inputs);
  std::size_t most_lanes = 0;
  std::vector<Schedule> schedules{greedy_schedule(graph)};
  if (reference) schedules.push_back(sequential);
  if (name != "nasnet") schedules.push_back(ios_schedule(graph));  // its search would take too long
  for (const Schedule& schedule : schedules) {
    most_lanes = std::max(most_lanes, lanes(graph, schedule));
    PreparedPlan made = prepared(bench, lower(graph, schedule, 1, kLowering));
    expect_close(expected, outputs_of(bench, made, inputs, {.graph = true}), 1e-4, schedule.name);
  }
  EXPECT_GT(most_lanes, 1U);
}

// Networks that are too large for the plain loops agree with their sequential schedule.
class LargeNetworks : public testing::TestWithParam<std::string_view> {};
TEST_P(LargeNetworks, AgreeWithTheSequentialSchedule) { check(GetParam(), false); }
INSTANTIATE_TEST_SUITE_P(Zoo, LargeNetworks, testing::Values("googlenet", "inception_v3", "resnet18", "nasnet"),
                         [](const auto& info) { return std::string(info.param); });

TEST(ExecutedNetworks, SampleAgreesWithTheReference) { check("sample", true); }
TEST(ExecutedNetworks, SqueezenetAgreesWithTheReference) { check("squeezenet", true); }

}  // namespace
}  // namespace iosx::gpu::test
