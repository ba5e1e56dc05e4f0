// Measures what launches, graphs, forks and joins cost on the GPU at hand: the floor under every schedule's latency. It
// prints tables of medians in µs and needs no arguments. Without a GPU it says why and ends well.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

#include "core/base/duration.h"
#include "gpu/bench/bench_kernels.h"
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
