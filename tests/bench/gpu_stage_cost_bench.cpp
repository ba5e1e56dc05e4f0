// What it costs to measure a stage on a GPU, estimated on one of host memory and a virtual clock:
//   gpu_stage_cost_bench [NETWORK] [PART]      Inception V3's fifth part without arguments
// Every stage of the part is measured, looked at once and with all the care that is the default. GPU time is that of
// the virtual clock, on which a convolution takes 8 us and any other kernel 3; what the host does is counted and
// multiplied by what such calls cost elsewhere. An estimate, no measurement: it ranks ways to measure.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <set>

#include "core/model/plan/stage_planner.h"
#include "core/search/prepare.h"
#include "core/search/stage_candidates.h"
#include "models/open_graph.h"
#include "tests/gpu/device/host_device.h"

namespace {

using namespace iosx;
using gpu::test::HostConvolutions;
using gpu::test::HostRuntime;
using gpu::test::WatchedRuntime;

// Of one call by the host: published figures for CUDA 12 and 13 on servers, rounded up.
constexpr Micros kCapturedNode{3.5};  // captured and instantiated
constexpr Micros kGraphLaunch{7};
constexpr Micros kWait{12};

struct Gpu {
  std::unique_ptr<Device> device;
  WatchedRuntime* runtime = nullptr;
};

Gpu open_gpu() {
  HostRuntime::Options options{.compute = false, .races = false, .memory = std::int64_t{16} << 30};
  options.cost = [](const gpu::Step& step) {
    return std::pair(Micros{std::holds_alternative<gpu::KernelCall>(step) ? 3.0 : 8.0}, 0.3);
  };
  auto runtime = std::make_unique<WatchedRuntime>(options);
  auto library = std::make_unique<HostConvolutions>();
  Gpu opened{.device = nullptr, .runtime = runtime.get()};
  DeviceInfo info = gpu::gpu_device_info(runtime->properties(), 0, gpu::Math::kTf32, library->version());
  gpu::ClockGuard::Options clock;
  clock.now = [&host = opened.runtime->host()] {
    return gpu::ClockGuard::Clock::time_point(
        std::chrono::duration_cast<gpu::ClockGuard::Clock::duration>(std::chrono::hours(1) + host.now()));
  };
  opened.device = gpu::make_gpu_device(
      {.runtime = std::move(runtime), .library = std::move(library), .untuned = true, .clock = clock}, std::move(info),
      gpu::Math::kTf32);
  return opened;
}

std::vector<ExecutionPlan> stage_plans(const Graph& graph, const Part& part, const Device& device) {
  const SearchOptions options;
  const PartGraph units(graph, part.units);
  const auto space = enumerate(units, options.rule, options.pruning, {}, {});
  StagePlanner planner(graph, 1, device.info().lowering);
  std::vector<ExecutionPlan> plans;
  std::set<StageKey> seen;
  for (const StageCandidate& candidate : stage_candidates(graph, units, space.value().stages, options.strategies)) {
    const auto same = planner.canonical(make_stage(units, space->stages[candidate.ending], candidate.strategy));
    if (seen.insert(same.key).second) plans.push_back(planner.plan(same.stage).plan);
  }
  return plans;
}

void show(std::string_view name, Gpu& opened, std::span<const ExecutionPlan> plans, const TimingOptions& timing) {
  WatchedRuntime& runtime = *opened.runtime;
  const Micros begin = runtime.host().now();
  const std::int64_t captured = runtime.captured;
  const std::int64_t launched = runtime.graph_launches;
  const std::int64_t waits = runtime.waits;
  const auto latencies = opened.device->measure(plans, timing, {});
  if (!latencies) std::exit((fmt::print(stderr, "{}\n", latencies.error().text()), 1));
  const auto stages = static_cast<double>(plans.size());
  const Millis on_gpu = Millis(runtime.host().now() - begin) / stages;
  const Millis graphs = Millis(kCapturedNode) * static_cast<double>(runtime.captured - captured) / stages;
  const Millis calls = (Millis(kGraphLaunch) * static_cast<double>(runtime.graph_launches - launched) +
                        Millis(kWait) * static_cast<double>(runtime.waits - waits)) /
                       stages;
  double samples = 0;
  for (const Latency& latency : *latencies) samples += static_cast<double>(latency.samples);
  fmt::print("{:12} {:6.2f} ms a stage: GPU {:.2f}, graphs {:.2f}, launches and waits {:.2f}; {:.1f} samples\n", name,
             (on_gpu + graphs + calls).count(), on_gpu.count(), graphs.count(), calls.count(), samples / stages);
}

}  // namespace

int main(int argc, char** argv) {
  const auto document = open_graph(argc > 1 ? argv[1] : "inception_v3");
  if (!document) return fmt::print(stderr, "{}\n", document.error().text()), 2;
  const SearchOptions options;
  const auto graph = prepare(*document->graph, options);
  if (!graph) return fmt::print(stderr, "{}\n", graph.error().text()), 2;
  const auto parts = graph->parts();
  const std::size_t number = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 5;
  const Part& part = parts[std::min(number, parts.size() - 1)];
  Gpu opened = open_gpu();
  const auto plans = stage_plans(*graph, part, *opened.device);
  fmt::print("{} distinct stages of part {}\n", plans.size(), part.name);
  static_cast<void>(opened.device->measure(std::span(plans).first(1), {}, {}));  // warms the GPU up
  show("quick estimate", opened, plans, quick_estimate({}));
  show("refined", opened, plans, {});
  return 0;
}
