#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/devices/simulated/kernel_model.h"
#include "core/devices/simulated/simulated_device.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/lower.h"
#include "tests/support/sanitized.h"

namespace iosx::simulated {
namespace {

constexpr double kMost = 20;  // times the roofline

struct Found {
  std::string what;
  double us = 0;
  double roofline_us = 0;
  double launch_us = 0;

  double times() const { return (us - launch_us) / roofline_us; }
};

// What a kernel takes however little it does: the device's start of each launch, and a block that fills its pipeline
// and writes what it has.
double launches_us(const DeviceDescription& device, std::size_t launches) {
  constexpr double kShortestKernel = 8;
  return static_cast<double>(launches) * (device.machine.start_us + kShortestKernel);
}

// What its arithmetic takes at the device's peak, or its bytes at the memory's bandwidth, whichever is longer.
double roofline_us(const DeviceDescription& device, const Kernel& kernel) {
  const double bytes = static_cast<double>(kernel.work.bytes()) * device.element_bytes / kFloat32Bytes;
  return std::max(kernel.work.flops / (device.fp32_tflops * 1e6), bytes / (device.memory_bandwidth_gb_per_s * 1e3));
}

// These say why a kernel may take longer.
bool has_a_reason(const Kernel& kernel) {
  // One position after the other, each a kernel's worth of waiting.
  return std::holds_alternative<Recurrent>(kernel.attributes);
}

void look_at(const DeviceDescription& device, const Graph& graph, std::vector<Found>& found) {
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 1, device_info(device).lowering);
  KernelModel model(device);
  for (const Kernel& kernel : plan.kernels) {
    const std::vector<KernelLoad>& loads = model.loads(plan, kernel);
    if (loads.empty() || has_a_reason(kernel)) continue;
    found.push_back({fmt::format("{} {} {} {}", device.id, graph.name(), kernel.name, kind_name(kernel.attributes)),
                     duration(device.machine, loads), roofline_us(device, kernel), launches_us(device, loads.size())});
  }
  std::ranges::sort(found, std::ranges::greater(), &Found::times);
  if (found.size() > 10) found.resize(10);
}

TEST(Roofline, NoKernelOfTheZooTakesManyTimesItsRoofline) {
  std::vector<Found> worst;
  const std::vector<DeviceDescription> devices = simulated_descriptions();
  ASSERT_GT(devices.size(), 30U);
  for (const ZooNetwork& network : zoo()) {
    const Graph graph = network.build();
    for (const DeviceDescription& device : devices) look_at(device, graph, worst);
  }
  std::string list;
  for (const Found& each : worst) {
    list += fmt::format("{:>6.1f} times: {:>9.1f} µs, roofline {:>8.2f} µs  {}\n", each.times(), each.us,
                        each.roofline_us, each.what);
  }
  RecordProperty("worst", list);
  ASSERT_EQ(worst.size(), 10U);
  EXPECT_LT(worst.front().times(), kMost) << list;
}

}  // namespace
}  // namespace iosx::simulated
