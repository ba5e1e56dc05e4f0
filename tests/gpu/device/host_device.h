#pragma once

#include "core/model/graph/graph.h"
#include "core/model/schedule/schedule.h"
#include "gpu/device/gpu_device.h"
#include "gpu/runtime/errors.h"
#include "tests/gpu/support/host_convolutions.h"
#include "tests/gpu/support/host_profiler.h"
#include "tests/gpu/support/host_runtime.h"
#include "tests/support/prelude.h"

namespace iosx::gpu::test {

// A HostRuntime whose calls a test watches or lets fail.
class WatchedRuntime final : public Runtime {
 public:
  explicit WatchedRuntime(HostRuntime::Options options) : host_(std::move(options)) {}

  std::function<void()> on_launch = {};  // before each launch of a kernel, a convolution or a graph
  int captures = 0;                      // ended so far
  std::int64_t captured = 0;             // operations in them
  std::int64_t graph_launches = 0;
  std::int64_t waits = 0;    // the host's, for a stream
  bool hides_nodes = false;  // take_nodes() fails
  bool lost = false;         // every call fails, as after an illegal access

  HostRuntime& host() { return host_; }

  const Properties& properties() const override { return host_.properties(); }
  void* allocate(std::int64_t bytes) override { return check(), host_.allocate(bytes); }
  void release(void* memory) noexcept override { host_.release(memory); }
  void upload(void* to, const void* from, std::int64_t bytes) override { check(), host_.upload(to, from, bytes); }
  void download(void* to, const void* from, std::int64_t bytes) override { check(), host_.download(to, from, bytes); }
  void launch(StreamId stream, const KernelCall& call) override { watch(), host_.launch(stream, call); }
  void execute(StreamId stream, const LibraryPlan& plan, const Operands& operands) override {
    watch(), host_.execute(stream, plan, operands);
  }
  void record(EventId event, StreamId stream) override { check(), host_.record(event, stream); }
  void wait(StreamId stream, EventId event) override { check(), host_.wait(stream, event); }
  void mark(TimerId timer, StreamId stream) override { check(), host_.mark(timer, stream); }
  void begin_capture(StreamId origin) override { check(), host_.begin_capture(origin); }
  std::unique_ptr<CapturedGraph> end_capture(StreamId origin) override {
    check();
    auto graph = host_.end_capture(origin);
    ++captures;
    captured += static_cast<std::int64_t>(host_.captured().size());
    return graph;
  }
  std::vector<GraphNode> take_nodes(StreamId stream) override {
    check();
    if (hides_nodes) throw GpuError("cudaGraphNodeGetDependencies: cudaErrorLossyQuery");
    return host_.take_nodes(stream);
  }
  void abandon_capture(StreamId origin) noexcept override { host_.abandon_capture(origin); }
  void launch(StreamId stream, CapturedGraph& graph) override {
    ++graph_launches;
    watch(), host_.launch(stream, graph);
  }
  void synchronize(StreamId stream) override {
    ++waits;
    check(), host_.synchronize(stream);
  }
  Millis between(TimerId begin, TimerId end) override { return check(), host_.between(begin, end); }
  void begin_clock(StreamId stream) override { check(), host_.begin_clock(stream); }
  void end_clock(StreamId stream) override { check(), host_.end_clock(stream); }
  double clock_mhz() override { return check(), host_.clock_mhz(); }

 private:
  void check() const;
  void watch() const;

  HostRuntime host_;
};

struct DeviceOptions {
  HostRuntime::Options host = {};
  HostConvolutions::Options convolutions = {};
  Math math = Math::kTf32;
  bool eager = false;
  bool untuned = false;
  std::optional<std::filesystem::path> plan_folder = {};
  std::optional<HostProfiler::Options> profiler = {};  // none: the device has none
};

// A GpuDevice on the host, without warm-up.
struct HostDevice {
  std::unique_ptr<Device> device;
  WatchedRuntime* runtime = nullptr;  // both the device's
  HostConvolutions* library = nullptr;

  Device& operator*() const { return *device; }
  Device* operator->() const { return device.get(); }
};
HostDevice open_on_host(DeviceOptions options = {});

// Every launch takes 1 ms and fills the GPU: few replays, so that results are computed few times.
HostRuntime::Options slow_host();
// Nothing is computed; a convolution takes 100 µs and fills so much of the GPU, everything else takes 1 µs.
HostRuntime::Options timed_host(double fills = 0.25);

// Timed twice, for tests of results. A device tunes no plan for a single run.
RunOptions twice(bool outputs = false, bool trace = false);
ExecutionPlan plan_of(const Graph& graph, const Schedule& schedule, const Device& device, std::int64_t batch = 1);

// Like the paper's sample network, with few channels: a, b and c read the input, d reads a, all are concatenated.
Graph small_sample();
// Blocks like ResNet's, with a residual each, a pool and a linear layer.
Graph small_residual();

}  // namespace iosx::gpu::test
