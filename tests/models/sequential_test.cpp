// The sequential schedule is what speed-ups are measured against: nothing of the zoo may make it slower than it has to
// be.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/analysis/compare/compare.h"
#include "core/devices/registry.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/baselines.h"
#include "core/search/baseline.h"
#include "core/search/prepare.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/sanitized.h"

namespace iosx::test {
namespace {

std::size_t kernels(const Graph& graph, const LowerOptions& lowering, const Schedule& schedule) {
  return StagePlanner(graph, 1, lowering).plan(schedule).kernels.size();
}

// All of the network in one group of one stage: nothing can be fused that this does not fuse.
Schedule in_one_stage(const Graph& graph) {
  Part all;
  for (std::size_t u = 0; u < graph.units().size(); ++u) all.units.emplace_back(u);
  return Schedule{"in one stage", {sequential_stage(all)}};
}

TEST(SequentialOfTheZoo, FusesAllThatOneStreamCan) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const std::vector<std::string> ids{"h200", "tesla-v100", "h200-f16"};
  for (std::size_t d = 0; d < ids.size(); d += every(3)) {
    const std::string& id = ids[d];
    const auto device = devices.open(id).value();
    const LowerOptions& lowering = device->info().lowering;
    for (std::size_t n = 0; n < zoo().size(); n += every(4)) {
      const ZooNetwork& entry = zoo()[n];
      const Graph graph = prepare(entry.build(), {}).value();
      const std::size_t sequential = kernels(graph, lowering, sequential_schedule(graph));
      EXPECT_EQ(sequential, kernels(graph, lowering, in_one_stage(graph))) << entry.name << " on " << id;
      EXPECT_LE(sequential, kernels(graph, lowering, one_by_one_schedule(graph))) << entry.name << " on " << id;
    }
  }
}

// What a search may do says nothing of what one stream does.
TEST(SequentialOfTheZoo, DoesNotDependOnTheOptionsOfASearch) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto device = devices.open("h200").value();
  const Graph graph = zoo_network("resnet18").value();
  iosx::CompareOptions options;
  options.schedule_kinds = {ScheduleKind::kSequential};
  const Schedule usual = compare(graph, *device, options, {}).value().results.front().schedule;
  options.max_part_size = 1;
  EXPECT_EQ(compare(graph, *device, options, {}).value().results.front().schedule, usual);
  EXPECT_EQ(made_baseline(ScheduleKind::kSequential, graph).stages.size(), usual.stages.size());
}

}  // namespace
}  // namespace iosx::test
