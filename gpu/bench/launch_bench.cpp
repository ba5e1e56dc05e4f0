// Measures what launches, graphs, forks and joins cost on the GPU at hand: the floor under every schedule's latency;
// and what global pools cost in one launch and in parts. It prints tables of medians in µs and needs no arguments.
// Without a GPU it says why and ends well.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/base/duration.h"
#include "core/model/layout/layout.h"
#include "gpu/bench/bench_kernels.h"
#include "gpu/ops/kernels/launch.h"
#include "gpu/ops/kernels/reduce_parts.h"
#include "gpu/runtime/cuda_check.h"
#include "gpu/runtime/handles.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu::bench {
namespace {

constexpr int kSamples = 51;
constexpr std::size_t kMaxLanes = 8;

double median(std::vector<double> samples) {
  const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
  std::nth_element(samples.begin(), middle, samples.end());
  return *middle;
}

EventHandle make_event(unsigned flags) {
  cudaEvent_t event = nullptr;
  check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
  return EventHandle(event);
}

class Bench {
 public:
  Bench();

  cudaStream_t origin() const { return lane(0); }
  cudaStream_t lane(std::size_t i) const { return lanes_[i].get(); }
  using Work = std::function<void()>;  // gives launches to the streams

  // Holds the time from the first launch to the end of the last kernel as the host sees it, and that of the launches
  // alone.
  struct HostTimes {
    double total = 0;
    double launches = 0;
  };
  HostTimes host_times(const Work& work) const;
  // Returns the time between two events around the work, of which there is enough before to keep the GPU busy while it
  // is launched.
  double device_time(const Work& work) const;
  GraphExecHandle captured(const Work& work) const;
  // Gives each lane its work: the other lanes wait for lane 0 before it, and lane 0 for all of them after it.
  void fork_and_join(std::size_t lanes, const std::function<void(cudaStream_t)>& each) const;

 private:
  std::array<StreamHandle, kMaxLanes> lanes_;
  std::array<EventHandle, kMaxLanes> joins_;
  EventHandle fork_ = make_event(cudaEventDisableTiming);
  EventHandle begin_ = make_event(cudaEventDefault);
  EventHandle end_ = make_event(cudaEventDefault);
};

Bench::Bench() {
  for (std::size_t i = 0; i < kMaxLanes; ++i) {
    cudaStream_t stream = nullptr;
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    lanes_[i].reset(stream);
    joins_[i] = make_event(cudaEventDisableTiming);
  }
}

Bench::HostTimes Bench::host_times(const Work& work) const {
  using Clock = std::chrono::steady_clock;
  std::vector<double> totals;
  std::vector<double> launches;
  for (int i = 0; i < kSamples; ++i) {
    const auto begin = Clock::now();
    work();
    const auto launched = Clock::now();
    check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
    totals.push_back(Micros(Clock::now() - begin).count());
    launches.push_back(Micros(launched - begin).count());
  }
  return {median(totals), median(launches)};
}

double Bench::device_time(const Work& work) const {
  constexpr std::int64_t kBusy = 2'000'000;  // ns
  std::vector<double> samples;
  for (int i = 0; i < kSamples; ++i) {
    launch_spin(origin(), kBusy);
    check(cudaEventRecord(begin_.get(), origin()), "cudaEventRecord");
    work();
    check(cudaEventRecord(end_.get(), origin()), "cudaEventRecord");
    check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "cudaEventElapsedTime");
    samples.push_back(Micros(Millis(milliseconds)).count());
  }
  return median(samples);
}

GraphExecHandle Bench::captured(const Work& work) const {
  work();  // loads the kernels
  check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
  check(cudaStreamBeginCapture(origin(), cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  work();
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(origin(), &graph), "cudaStreamEndCapture");
  const GraphHandle owner(graph);
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph, 0), "cudaGraphInstantiate");
  GraphExecHandle result(exec);
  check(cudaGraphUpload(exec, origin()), "cudaGraphUpload");
  check(cudaStreamSynchronize(origin()), "cudaStreamSynchronize");
  return result;
}

void Bench::fork_and_join(std::size_t lanes, const std::function<void(cudaStream_t)>& each) const {
  check(cudaEventRecord(fork_.get(), origin()), "cudaEventRecord");
  for (std::size_t i = 1; i < lanes; ++i) check(cudaStreamWaitEvent(lane(i), fork_.get(), 0), "cudaStreamWaitEvent");
  for (std::size_t i = 0; i < lanes; ++i) each(lane(i));
  for (std::size_t i = 1; i < lanes; ++i) {
    check(cudaEventRecord(joins_[i].get(), lane(i)), "cudaEventRecord");
    check(cudaStreamWaitEvent(origin(), joins_[i].get(), 0), "cudaStreamWaitEvent");
  }
}

void launch(cudaGraphExec_t graph, cudaStream_t stream) { check(cudaGraphLaunch(graph, stream), "cudaGraphLaunch"); }

void warm_up(const Bench& bench) {
  for (int i = 0; i < 100; ++i) launch_spin(bench.origin(), 5'000'000);
  check(cudaStreamSynchronize(bench.origin()), "cudaStreamSynchronize");
}

void bench_chains(const Bench& bench) {
  fmt::print("\nChains of empty kernels, one launch after another and as one graph\n");
  fmt::print("{:>8} {:>13} {:>13} {:>13} {:>13} {:>13} {:>13}\n", "kernels", "eager total", "launches", "graph total",
             "its launch", "on the GPU", "per kernel");
  for (const int kernels : {1, 10, 100, 1000}) {
    const auto chain = [&] {
      for (int i = 0; i < kernels; ++i) launch_empty(bench.origin());
    };
    const GraphExecHandle graph = bench.captured(chain);
    const auto replay = [&] { launch(graph.get(), bench.origin()); };
    const auto eager = bench.host_times(chain);
    const auto replayed = bench.host_times(replay);
    const double on_gpu = bench.device_time(replay);
    fmt::print("{:>8} {:>13.2f} {:>13.2f} {:>13.2f} {:>13.2f} {:>13.2f} {:>13.3f}\n", kernels, eager.total,
               eager.launches, replayed.total, replayed.launches, on_gpu, on_gpu / kernels);
  }
}

void bench_lanes(const Bench& bench) {
  constexpr int kStages = 50;
  constexpr std::int64_t kSpin = 20'000;  // ns
  fmt::print("\nStages of side-by-side lanes in a graph of {} stages, on the GPU, per stage\n", kStages);
  fmt::print("{:>8} {:>16} {:>24}\n", "lanes", "empty kernels", fmt::format("kernels of {} µs", kSpin / 1000));
  for (std::size_t lanes = 1; lanes <= kMaxLanes; ++lanes) {
    const auto stages = [&](const std::function<void(cudaStream_t)>& each) {
      const GraphExecHandle graph = bench.captured([&] {
        for (int i = 0; i < kStages; ++i) bench.fork_and_join(lanes, each);
      });
      return bench.device_time([&] { launch(graph.get(), bench.origin()); }) / kStages;
    };
    const double empty = stages([](cudaStream_t stream) { launch_empty(stream); });
    const double busy = stages([](cudaStream_t stream) { launch_spin(stream, kSpin); });
    fmt::print("{:>8} {:>16.3f} {:>23.3f}\n", lanes, empty, busy);
  }
}

// T(2N) - T(N) of graphs must be N times what one costs within them, however long the launch takes.
void bench_differences(const Bench& bench) {
  constexpr int kCopies = 20;
  fmt::print("\nOne kernel by differences: graphs of {} and {} copies\n", kCopies, 2 * kCopies);
  fmt::print("{:>8} {:>16} {:>16} {:>16}\n", "µs", "T(N) / N", "T(2N) / 2N", "(T(2N) - T(N)) / N");
  for (const std::int64_t nanoseconds : {5'000, 10'000, 20'000, 50'000, 200'000}) {
    const auto time_of = [&](int copies) {
      const GraphExecHandle graph = bench.captured([&] {
        for (int i = 0; i < copies; ++i) launch_spin(bench.origin(), nanoseconds);
      });
      return bench.device_time([&] { launch(graph.get(), bench.origin()); });
    };
    const double once = time_of(kCopies);
    const double twice = time_of(2 * kCopies);
    fmt::print("{:>8} {:>16.3f} {:>16.3f} {:>16.3f}\n", nanoseconds / 1000, once / kCopies, twice / (2 * kCopies),
               (twice - once) / kCopies);
  }
}

using DeviceBytes = Handle<std::byte*, cudaFree>;
DeviceBytes allocated(std::int64_t bytes) {
  void* memory = nullptr;
  check(cudaMalloc(&memory, static_cast<std::size_t>(bytes)), "cudaMalloc");
  return DeviceBytes(static_cast<std::byte*>(memory));
}

// Enqueues a pool in one launch, or in so many parts.
void launch_pool(const ReduceCall& pool, std::int64_t parts, void* sums, cudaStream_t stream) {
  if (parts == 1) return gpu::launch(pool, stream);
  for (const ReduceCall& call : in_parts(pool, parts, sums)) gpu::launch(call, stream);
}

// A pool's input is read over and over, so it is in the L2 cache where it fits, as after the operator that made it.
void bench_pools(const Bench& bench, int multiprocessors) {
  constexpr int kCopies = 20;
  constexpr std::array<std::int64_t, 7> kParts{1, 2, 4, 16, 64, 256, 1024};
  fmt::print("\nGlobal average pools in a graph of {}, per pool, by the number of parts; one part is one launch\n",
             kCopies);
  fmt::print("{:>16} {:>9} {:>8}", "maps", "type", "chosen");
  for (const std::int64_t parts : kParts) fmt::print(" {:>9}", parts);
  fmt::print(" {:>9}\n", "as chosen");
  for (const Shape& maps : {Shape{32, 256, 256}, Shape{2048, 7, 7}}) {
    for (const DataType type : {DataType::kFloat32, DataType::kFloat16}) {
      const DeviceBytes in = allocated(maps.elements() * bytes_of(type));
      const DeviceBytes out = allocated(maps.channels() * bytes_of(type));
      const ReduceCall pool{.reduction = ReduceKind::kMean,
                            .in = tensor_ref(maps, 1, type, in.get()),
                            .out = tensor_ref(Shape{maps.channels(), 1, 1}, 1, type, out.get())};
      const std::int64_t chosen = reduce_parts(pool, multiprocessors);
      const DeviceBytes sums = allocated(partial_bytes(pool, std::max(chosen, kParts.back())));
      gpu::launch(FillCall{.out = pool.in, .seed = 1}, bench.origin());
      const auto time_of = [&](std::int64_t parts) {
        const GraphExecHandle graph = bench.captured([&] {
          for (int i = 0; i < kCopies; ++i) launch_pool(pool, parts, sums.get(), bench.origin());
        });
        return bench.device_time([&] { launch(graph.get(), bench.origin()); }) / kCopies;
      };
      fmt::print("{:>16} {:>9} {:>8}", fmt::format("{}x{}x{}", maps.height(), maps.width(), maps.channels()),
                 type == DataType::kFloat32 ? "float32" : "float16", chosen);
      for (const std::int64_t parts : kParts) {
        if (parts <= maps.height() * maps.width()) {
          fmt::print(" {:>9.2f}", time_of(parts));
        } else {
          fmt::print(" {:>9}", "-");
        }
      }
      fmt::print(" {:>9.2f}\n", time_of(chosen));
    }
  }
}

int run() {
  const SystemFacts facts = probe_system();
  Message reason = refusal(facts);
  if (reason.empty()) reason = refusal(facts.devices.front());
  if (!reason.empty()) {
    fmt::print("skipped: {}\n", reason);
    return 0;
  }
  const Properties& gpu = facts.devices.front().properties;
  fmt::print("{}, driver {}, CUDA {}; medians of {} in µs\n", gpu.name, gpu.driver, gpu.cuda, kSamples);
  check(cudaSetDevice(0), "cudaSetDevice");
  const Bench bench;
  warm_up(bench);
  bench_chains(bench);
  bench_lanes(bench);
  bench_differences(bench);
  bench_pools(bench, gpu.multiprocessors);
  return 0;
}

}  // namespace
}  // namespace iosx::gpu::bench

int main() {
  try {
    return iosx::gpu::bench::run();
  } catch (const std::exception& error) {
    fmt::print(stderr, "gpu_launch_bench: {}\n", error.what());
    return 1;
  }
}
