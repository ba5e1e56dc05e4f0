#pragma once

#include <chrono>
#include <functional>
#include <stop_token>
#include <utility>

#include "gpu/measure/clock_guard.h"
#include "gpu/measure/replay_timer.h"
#include "gpu/runtime/device_memory.h"
#include "tests/gpu/support/host_runtime.h"

namespace iosx::gpu::test {

// A host runtime and a guard in the runtime's virtual time: tests need no real time.
class Measuring {
 public:
  using Cost = std::function<std::pair<Micros, double>(const Step&)>;

  explicit Measuring(Cost cost = {}, Micros graph_launch = Micros{25}, std::int64_t memory = 1 << 26)
      : runtime(options(std::move(cost), graph_launch, memory)),
        guard(runtime, guard_options()),
        timer(runtime, guard),
        block_(runtime, 4096) {}

  // A kernel that the cost function identifies by its seed.
  void launch(std::uint32_t seed) {
    TensorRef tensor{.data = block_.data(), .type = DataType::kFloat32, .rank = 1, .dims = {}, .strides = {}};
    tensor.dims[0] = 16;
    tensor.strides[0] = 1;
    runtime.launch(StreamId{0}, FillCall{.out = tensor, .seed = seed});
  }
  static std::uint32_t seed_of(const Step& step) {
    const auto* call = std::get_if<KernelCall>(&step);
    const auto* fill = call == nullptr ? nullptr : std::get_if<FillCall>(call);
    return fill == nullptr ? 0 : fill->seed;
  }

  ClockGuard::Clock::time_point now() const {
    return ClockGuard::Clock::time_point(std::chrono::duration_cast<ClockGuard::Clock::duration>(
        std::chrono::hours(1) + std::chrono::duration<double, std::micro>(runtime.now().count()) + slept));
  }
  ClockGuard::Options guard_options() {
    ClockGuard::Options options;
    options.warm_up_min = std::chrono::milliseconds{2};
    options.warm_up_max = std::chrono::milliseconds{20};
    options.step = std::chrono::milliseconds{1};
    options.recovery = std::chrono::milliseconds{5};
    options.now = [this] { return now(); };
    options.sleep = [this](ClockGuard::Clock::duration time) { slept += time; };
    return options;
  }

  std::function<double()> clock_mhz = [] { return 1500.0; };
  ClockGuard::Clock::duration slept{0};
  HostRuntime runtime;
  ClockGuard guard;
  ReplayTimer timer;

 private:
  HostRuntime::Options options(Cost cost, Micros graph_launch, std::int64_t memory) {
    HostRuntime::Options options;
    options.compute = false;
    options.memory = memory;
    options.cost = std::move(cost);
    options.clock_mhz = [this] { return clock_mhz(); };
    options.graph_launch = graph_launch;
    return options;
  }

  DeviceMemory block_;
};

}  // namespace iosx::gpu::test
