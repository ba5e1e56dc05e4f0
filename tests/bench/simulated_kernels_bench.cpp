#include <benchmark/benchmark.h>

#include <functional>

#include "core/devices/simulated/kernel_model.h"
#include "models/devices/simulated_devices.h"

// What the simulator takes to choose the fastest way for an operator, and for the closed form of one kernel.
namespace {

using namespace iosx;             // NOLINT(google-build-using-namespace)
using namespace iosx::simulated;  // NOLINT(google-build-using-namespace)

ConvProblem problem(std::int64_t channels, std::int64_t size, std::int64_t kernel) {
  ConvProblem made{1, Shape{channels, size, size}, Shape{channels, size, size}, {}};
  made.attributes.out_channels = channels;
  made.attributes.kernel = {kernel, kernel};
  return made;
}

void convolution(benchmark::State& state) {
  const DeviceDescription device = simulated_description("tesla-v100");
  const ConvProblem conv = problem(256, 28, state.range(0));
  for (auto _ : state) {
    Fastest best(device.machine);
    convolution_ways(device, conv, std::ref(best));
    benchmark::DoNotOptimize(std::move(best).kernels());
  }
}
BENCHMARK(convolution)->Arg(1)->Arg(3);

void product(benchmark::State& state) {
  const DeviceDescription device = simulated_description("tesla-v100");
  const Product product{.rows = 512, .columns = 768, .depth = 3072};
  for (auto _ : state) {
    Fastest best(device.machine);
    matrix_ways(device, device.library.float32, product, std::ref(best));
    benchmark::DoNotOptimize(std::move(best).kernels());
  }
}
BENCHMARK(product);

void closed_form(benchmark::State& state) {
  const DeviceDescription device = simulated_description("tesla-v100");
  KernelLoad load{.blocks = 1234, .warps = 4, .blocks_per_sm = 4, .flops = 1e6, .dram_bytes = 1e4, .l2_bytes = 1e5};
  for (auto _ : state) benchmark::DoNotOptimize(solo_duration(device.machine, load));
}
BENCHMARK(closed_form);

}  // namespace
