#include <unordered_set>

#include "core/devices/simulated/simulated_device.h"
#include "core/model/schedule/baselines.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"

namespace iosx::simulated {
namespace {

constexpr double kMost = 20;  // times the roofline and the launches

struct Found {
  std::string what;
  double us = 0;
  double roofline_us = 0;
  double launch_us = 0;

  double times() const { return us / (roofline_us + launch_us); }
};

// What its arithmetic takes at the device's peak, or its bytes at the memory's bandwidth, whichever is longer.
double roofline_us(const DeviceDescription& device, const Kernel& kernel) {
  const double bytes = static_cast<double>(kernel.work.bytes()) * device.element_bytes / kFloat32Bytes;
  return std::max(kernel.work.flops / (device.fp32_tflops * 1e6), bytes / (device.memory_bandwidth_gb_per_s * 1e3));
}

// Of a kernel without work, on captured devices to the end of a short one.
double launch_us(const DeviceDescription& device) {
  constexpr double kShortKernel = 2;
  return device.machine.start_us + device.machine.launch_us + (device.captured ? kShortKernel : 0);
}

// These say why a kernel may take longer.
bool has_a_reason(const DeviceDescription& device, const Kernel& kernel, const std::vector<KernelLoad>& loads) {
  // One position follows the other, and each waits for the one before.
  if (std::holds_alternative<Recurrent>(kernel.attributes)) return true;
  // A pool reads the whole window for each output, where the roofline counts each input once: 13 × 13 of YOLOX's.
  const auto* pool = std::get_if<Pool>(&kernel.attributes);
  if (pool != nullptr && pool->kernel.height * pool->kernel.width > 100) return true;
  // The back end's own product of tensors, as measured: a thread goes through the depth alone.
  if (device.captured && std::holds_alternative<MatMul>(kernel.attributes)) return true;
  // Where the host launches, the library splits no reduction of a convolution, as none of the measured ones was: the
  // steps of a long one wait for one another on a few multiprocessors.
  const bool whole = std::holds_alternative<Conv>(kernel.attributes) && device.kernels.max_split == 1;
  return whole && loads.front().chain_us > 0.8 * solo_duration(device.machine, loads.front());
}

void look_at(const DeviceDescription& device, const Graph& graph, std::vector<Found>& found) {
  const ExecutionPlan plan = lower(graph, sequential_schedule(graph), 1, device_info(device).lowering);
  KernelModel model(device);
  for (const Kernel& kernel : plan.kernels) {
    const std::vector<KernelLoad>& loads = model.loads(plan, kernel);
    if (loads.empty() || has_a_reason(device, kernel, loads)) continue;
    found.push_back({fmt::format("{} {} {} {}", device.id, graph.name(), kernel.name, kind_name(kernel.attributes)),
                     duration(device.machine, loads), roofline_us(device, kernel),
                     static_cast<double>(loads.size()) * launch_us(device)});
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
    list += fmt::format("{:>6.1f} times: {:>9.1f} µs, roofline {:>8.2f} µs, launches {:>5.1f} µs  {}\n", each.times(),
                        each.us, each.roofline_us, each.launch_us, each.what);
  }
  RecordProperty("worst", list);
  ASSERT_EQ(worst.size(), 10U);
  EXPECT_LT(worst.front().times(), kMost) << list;
}

}  // namespace
}  // namespace iosx::simulated
