#include "tests/gpu/device/host_device.h"

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "tests/support/lower.h"

namespace iosx::gpu::test {
namespace {

Conv conv(std::int64_t channels, std::int64_t kernel, Activation activation = Activation::kRelu) {
  Conv conv{.out_channels = channels,
            .kernel = {kernel, kernel},
            .padding = {kernel / 2, kernel / 2},
            .activation = activation};
  return conv;
}

Graph built(GraphBuilder&& builder) {
  auto graph = std::move(builder).build();
  IOS_CHECK(graph);
  return std::move(*graph);
}

}  // namespace

void WatchedRuntime::check() const {
  if (lost) throw GpuError("CUDA: an illegal memory access was encountered");
}

void WatchedRuntime::watch() const {
  check();
  if (on_launch) on_launch();
}

HostDevice open_on_host(DeviceOptions options) {
  auto runtime = std::make_unique<WatchedRuntime>(std::move(options.host));
  auto library = std::make_unique<HostConvolutions>(options.convolutions);
  HostDevice host{.device = nullptr, .runtime = runtime.get(), .library = library.get()};
  DeviceInfo info = gpu_device_info(runtime->properties(), 0, options.math, library->version());
  ClockGuard::Options clock;
  clock.step = clock.warm_up_min = clock.warm_up_max = clock.pause = std::chrono::milliseconds{0};
  std::unique_ptr<Profiler> profiler;
  if (options.profiler) profiler = std::make_unique<HostProfiler>(runtime->host(), *options.profiler);
  host.device = make_gpu_device({.runtime = std::move(runtime),
                                 .library = std::move(library),
                                 .profiler = std::move(profiler),
                                 .plan_folder = std::move(options.plan_folder),
                                 .eager = options.eager,
                                 .untuned = options.untuned,
                                 .clock = clock,
                                 .sentinel = {.samples = 1, .launches = 2, .elements = 64}},
                                std::move(info), options.math);
  return host;
}

HostRuntime::Options slow_host() {
  return HostRuntime::Options{.cost = [](const Step&) { return std::pair(Micros{1000}, 1.0); }};
}

HostRuntime::Options timed_host(double fills) {
  HostRuntime::Options options{.compute = false};
  options.cost = [fills](const Step& step) {
    return std::holds_alternative<LibraryStep>(step) ? std::pair(Micros{100}, fills) : std::pair(Micros{1}, 0.0);
  };
  return options;
}

RunOptions twice(bool outputs, bool trace) {
  RunOptions options;
  options.timing = {.warmup = 0, .repeats = 2, .max_repeats = 2, .min_time = Millis{0}};
  options.outputs = outputs;
  options.trace = trace;
  return options;
}

ExecutionPlan plan_of(const Graph& graph, const Schedule& schedule, const Device& device, std::int64_t batch) {
  return lower(graph, schedule, batch, device.info().lowering);
}

Graph small_sample() {
  GraphBuilder builder("small sample");
  const Value in = builder.input("in", Shape{12, 7, 7});
  const Value a = builder.add("a", conv(12, 3), {in});
  const Value b = builder.add("b", conv(24, 3), {in});
  const Value c = builder.add("c", conv(12, 3), {in});
  const Value d = builder.add("d", conv(24, 3), {a});
  builder.add("concat", Concat{}, {b, c, d});
  return built(std::move(builder));
}

Graph small_residual() {
  GraphBuilder builder("small residual");
  Value x = builder.input("in", Shape{8, 6, 6});
  for (const char* block : {"a", "b"}) {
    const Value first = builder.add(fmt::format("{}1", block), conv(8, 1), {x});
    builder.begin_unit(fmt::format("{}2", block));
    const Value second = builder.add(fmt::format("{}2.conv", block), conv(8, 3, Activation::kIdentity), {first});
    const Value sum = builder.add(fmt::format("{}2.add", block), Add{}, {second, x});
    builder.add(fmt::format("{}2.relu", block), Activate{}, {sum});
    x = builder.end_unit();
  }
  Pool pool{.kind = PoolKind::kGlobalAverage};
  x = builder.add("pool", pool, {x});
  builder.add("fc", Linear{10, Activation::kIdentity}, {x});
  return built(std::move(builder));
}

}  // namespace iosx::gpu::test
