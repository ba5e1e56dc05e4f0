#include "gpu/runtime/cuda_runtime.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <vector>

#include "core/base/check.h"
#include "gpu/ops/conv/cudnn_plan.h"
#include "gpu/ops/kernels/launch.h"
#include "gpu/runtime/clock_kernel.h"
#include "gpu/runtime/cuda_check.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/handles.h"
#include "gpu/runtime/nodes_before.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu {
namespace {

constexpr std::int64_t kClockNanoseconds = 50'000;

// While it lives, this thread may make streams and events although it is capturing others. Captures go on.
class CaptureLeave {
 public:
  explicit CaptureLeave(bool capturing) : capturing_(capturing) { exchange(); }
  ~CaptureLeave() { exchange(); }
  CaptureLeave(const CaptureLeave&) = delete;
  CaptureLeave& operator=(const CaptureLeave&) = delete;

 private:
  void exchange() {
    if (capturing_) cudaThreadExchangeStreamCaptureMode(&mode_);
  }
  bool capturing_;
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

class CudaGraph final : public CapturedGraph {
 public:
  CudaGraph(GraphHandle graph, GraphExecHandle exec) : graph_(std::move(graph)), exec_(std::move(exec)) {}
  cudaGraphExec_t exec() const { return exec_.get(); }

 private:
  GraphHandle graph_;     // whose nodes were asked for: they keep their identity while it lives
  GraphExecHandle exec_;  // destroying one that still runs is allowed: CUDA waits
};

class CudaRuntime final : public Runtime {
 public:
  explicit CudaRuntime(int device);
  ~CudaRuntime() override;
  CudaRuntime(const CudaRuntime&) = delete;
  CudaRuntime& operator=(const CudaRuntime&) = delete;

  const Properties& properties() const override { return properties_; }
  void* allocate(std::int64_t bytes) override;
  void release(void* memory) noexcept override;
  void upload(void* to, const void* from, std::int64_t bytes) override {
    copy(to, from, bytes, cudaMemcpyHostToDevice);
  }
  void download(void* to, const void* from, std::int64_t bytes) override {
    copy(to, from, bytes, cudaMemcpyDeviceToHost);
  }
  void launch(StreamId stream, const KernelCall& call) override;
  void execute(StreamId stream, const ConvPlan& plan, const ConvOperands& operands) override;
  void record(EventId id, StreamId stream) override;
  void wait(StreamId stream, EventId id) override;
  void join(EventId id, StreamId stream) override;
  void follow(StreamId stream, EventId id) override;
  void mark(TimerId id, StreamId stream) override;
  void begin_capture(StreamId origin) override;
  std::unique_ptr<CapturedGraph> end_capture(StreamId origin) override;
  std::vector<GraphNode> take_nodes(StreamId stream) override;
  void abandon_capture(StreamId origin) noexcept override;
  void launch(StreamId stream, CapturedGraph& graph) override;
  void synchronize(StreamId stream) override;
  Millis between(TimerId begin, TimerId end) override;
  double measure_clock_mhz(StreamId stream) override;

 private:
  struct Stream {
    StreamHandle raw;
    CudnnHandle cudnn;  // made by the first plan; destroyed before its stream
  };

  void enter() const { check(cudaSetDevice(device_), "cudaSetDevice"); }
  Stream& stream(StreamId id);
  cudaStream_t raw(StreamId id) { return stream(id).raw.get(); }
  cudnnHandle_t cudnn(StreamId id);
  cudaEvent_t at(std::vector<EventHandle>& events, std::size_t index, unsigned flags);
  cudaEvent_t event(EventId id) { return at(events_, id.index(), cudaEventDisableTiming); }
  cudaEvent_t timer(TimerId id) { return at(timers_, id.index(), cudaEventDefault); }
  void wait_for_all();
  void copy(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind);

  int device_;
  Properties properties_;
  bool capturing_ = false;
  std::set<cudaGraphNode_t> seen_;                // of the capture, by take_nodes()
  std::map<std::size_t, cudaGraphNode_t> joins_;  // of the capture, by event
  StreamHandle transfers_;
  PinnedMemory<ClockSample> clock_;  // written by the device
  std::vector<Stream> streams_;
  std::vector<EventHandle> events_;
  std::vector<EventHandle> timers_;
};

StreamHandle make_stream(bool first = false) {
  int least = 0;
  int greatest = 0;
  check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
  cudaStream_t stream = nullptr;
  check(cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, first ? greatest : least),
        "cudaStreamCreateWithPriority");
  return StreamHandle(stream);
}

CudaRuntime::CudaRuntime(int device) : device_(device) {
  enter();
  properties_ = read_properties(device);
  check(find_clock_kernel(), "cudaFuncGetAttributes");
  transfers_ = make_stream();
  void* sample = nullptr;
  check(cudaHostAlloc(&sample, sizeof(ClockSample), cudaHostAllocMapped), "cudaHostAlloc");
  clock_.reset(new (sample) ClockSample);
}

CudaRuntime::~CudaRuntime() {
  cudaSetDevice(device_);
  for (const Stream& stream : streams_) {
    if (stream.raw) cudaStreamSynchronize(stream.raw.get());
  }
}

CudaRuntime::Stream& CudaRuntime::stream(StreamId id) {
  if (streams_.size() <= id.index()) streams_.resize(id.index() + 1);
  Stream& stream = streams_[id.index()];
  if (!stream.raw) {
    const CaptureLeave leave(capturing_);
    stream.raw = make_stream(/*first=*/id == StreamId(0));
  }
  return stream;
}

// Each stream has a handle of its own, so that it is bound to its stream once, and plans on several streams share
// nothing.
cudnnHandle_t CudaRuntime::cudnn(StreamId id) {
  Stream& stream = this->stream(id);
  if (!stream.cudnn) {
    if (capturing_) throw GpuError(fmt::format("stream {} met its first cuDNN plan while it was captured", id.index()));
    cudnnHandle_t handle = nullptr;
    check_cudnn(cudnnCreate(&handle), "cudnnCreate");
    CudnnHandle owner(handle);
    check_cudnn(cudnnSetStream(handle, stream.raw.get()), "cudnnSetStream");
    stream.cudnn = std::move(owner);
  }
  return stream.cudnn.get();
}

cudaEvent_t CudaRuntime::at(std::vector<EventHandle>& events, std::size_t index, unsigned flags) {
  if (events.size() <= index) events.resize(index + 1);
  if (!events[index]) {
    const CaptureLeave leave(capturing_);
    cudaEvent_t event = nullptr;
    check(cudaEventCreateWithFlags(&event, flags), "cudaEventCreateWithFlags");
    events[index].reset(event);
  }
  return events[index].get();
}

void* CudaRuntime::allocate(std::int64_t bytes) {
  IOS_CHECK(bytes >= 0);
  enter();
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, static_cast<std::size_t>(bytes));
  if (status == cudaErrorMemoryAllocation) {
    cudaGetLastError();
    std::size_t free = 0;
    std::size_t total = 0;
    cudaMemGetInfo(&free, &total);
    throw OutOfMemory(message("{:.1f} MiB of GPU memory are needed, {:.1f} of {:.1f} MiB are free",
                              static_cast<double>(bytes) / (1 << 20), static_cast<double>(free) / (1 << 20),
                              static_cast<double>(total) / (1 << 20)));
  }
  check(status, "cudaMalloc");
  return memory;
}

void CudaRuntime::release(void* memory) noexcept {
  cudaSetDevice(device_);
  const CaptureLeave leave(capturing_);
  for (const Stream& stream : streams_) {
    if (stream.raw && !capturing_) cudaStreamSynchronize(stream.raw.get());
  }
  cudaFree(memory);
  cudaGetLastError();
}

// Waits for the streams, not for the whole device: that would disturb captures of other runtimes.
void CudaRuntime::wait_for_all() {
  for (const Stream& stream : streams_) {
    if (stream.raw) check(cudaStreamSynchronize(stream.raw.get()), "cudaStreamSynchronize");
  }
}

void CudaRuntime::copy(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return;
  enter();
  wait_for_all();
  check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), kind, transfers_.get()), "cudaMemcpyAsync");
  // Ordinary host memory may have been read by now and not have arrived.
  check(cudaStreamSynchronize(transfers_.get()), "cudaStreamSynchronize");
}

void CudaRuntime::launch(StreamId stream, const KernelCall& call) {
  enter();
  gpu::launch(call, raw(stream));
}

void CudaRuntime::execute(StreamId stream, const ConvPlan& plan, const ConvOperands& operands) {
  enter();
  const auto* const cudnn_plan = dynamic_cast<const CudnnPlan*>(&plan);
  IOS_CHECK(cudnn_plan != nullptr);
  cudnn_plan->execute(cudnn(stream), operands);
}

void CudaRuntime::record(EventId id, StreamId stream) {
  enter();
  check(cudaEventRecord(event(id), raw(stream)), "cudaEventRecord");
}

void CudaRuntime::wait(StreamId stream, EventId id) {
  enter();
  check(cudaStreamWaitEvent(raw(stream), event(id), 0), "cudaStreamWaitEvent");
}

// A graph without the node has more edges and computes the same: what CUDA refuses here is no error.
void CudaRuntime::join(EventId id, StreamId stream) {
  enter();
  joins_.erase(id.index());
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  cudaGraph_t graph = nullptr;
  const cudaGraphNode_t* before = nullptr;
  const cudaGraphEdgeData* edges = nullptr;
  std::size_t count = 0;
  check(cudaStreamGetCaptureInfo(raw(stream), &status, nullptr, &graph, &before, &edges, &count),
        "cudaStreamGetCaptureInfo");
  if (status == cudaStreamCaptureStatusActive && count > 1) {
    cudaGraphNodeParams empty{};
    empty.type = cudaGraphNodeTypeEmpty;
    cudaGraphNode_t node = nullptr;
    if (cudaGraphAddNode(&node, graph, before, edges, count, &empty) == cudaSuccess &&
        cudaStreamUpdateCaptureDependencies(raw(stream), &node, nullptr, 1, cudaStreamSetCaptureDependencies) ==
            cudaSuccess) {
      joins_[id.index()] = node;
    }
    cudaGetLastError();
  }
  record(id, stream);
}

void CudaRuntime::follow(StreamId stream, EventId id) {
  wait(stream, id);
  const auto join = joins_.find(id.index());
  if (join == joins_.end()) return;
  // The stream follows the node without what it had before: that comes before the join.
  cudaGraphNode_t node = join->second;
  cudaStreamUpdateCaptureDependencies(raw(stream), &node, nullptr, 1, cudaStreamSetCaptureDependencies);
  cudaGetLastError();
}

void CudaRuntime::mark(TimerId id, StreamId stream) {
  enter();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  check(cudaStreamIsCapturing(raw(stream), &status), "cudaStreamIsCapturing");
  // In a capture a plain record is an edge of the graph only, an external one a node that notes the time.
  const unsigned flags = status == cudaStreamCaptureStatusNone ? cudaEventRecordDefault : cudaEventRecordExternal;
  check(cudaEventRecordWithFlags(timer(id), raw(stream), flags), "cudaEventRecordWithFlags");
}

void CudaRuntime::begin_capture(StreamId origin) {
  enter();
  check(cudaStreamBeginCapture(raw(origin), cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  capturing_ = true;
}

std::unique_ptr<CapturedGraph> CudaRuntime::end_capture(StreamId origin) {
  enter();
  capturing_ = false;
  cudaGraph_t captured = nullptr;
  const cudaError_t status = cudaStreamEndCapture(raw(origin), &captured);
  GraphHandle graph(captured);
  seen_.clear();
  joins_.clear();
  check(status, "cudaStreamEndCapture");
  cudaGraphExec_t instance = nullptr;
  // Without the flag all nodes would have the priority of the stream that the graph is launched on.
  check(cudaGraphInstantiate(&instance, graph.get(), cudaGraphInstantiateFlagUseNodePriority), "cudaGraphInstantiate");
  auto result = std::make_unique<CudaGraph>(std::move(graph), GraphExecHandle(instance));
  // The upload happens now, not at the first launch, which may be timed.
  check(cudaGraphUpload(instance, raw(origin)), "cudaGraphUpload");
  check(cudaStreamSynchronize(raw(origin)), "cudaStreamSynchronize");
  return result;
}

// Goes back from what the stream's next work would wait for, as far as it is new.
std::vector<GraphNode> CudaRuntime::take_nodes(StreamId stream) {
  enter();
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  const cudaGraphNode_t* last = nullptr;
  const cudaGraphEdgeData* edges = nullptr;  // asked for, or edges of a special kind would be an error
  std::size_t count = 0;
  check(cudaStreamGetCaptureInfo(raw(stream), &status, nullptr, nullptr, &last, &edges, &count),
        "cudaStreamGetCaptureInfo");
  std::vector<cudaGraphNode_t> open(last, last + count);
  std::vector<GraphNode> kernels;
  while (!open.empty()) {
    cudaGraphNode_t node = open.back();
    open.pop_back();
    if (!seen_.insert(node).second) continue;
    cudaGraphNodeType type = cudaGraphNodeTypeEmpty;
    check(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): its identity
    if (type == cudaGraphNodeTypeKernel) kernels.push_back(GraphNode{reinterpret_cast<std::uintptr_t>(node)});
    const auto before = nodes_before([&](cudaGraphNode_t* nodes, cudaGraphEdgeData* edge_data, std::size_t* number) {
      check(cudaGraphNodeGetDependencies(node, nodes, edge_data, number), "cudaGraphNodeGetDependencies");
    });
    open.insert(open.end(), before.begin(), before.end());
  }
  return kernels;
}

void CudaRuntime::abandon_capture(StreamId origin) noexcept {
  if (!capturing_) return;
  capturing_ = false;
  seen_.clear();
  joins_.clear();
  cudaSetDevice(device_);
  cudaGraph_t captured = nullptr;
  cudaStreamEndCapture(streams_[origin.index()].raw.get(), &captured);
  if (captured != nullptr) cudaGraphDestroy(captured);
  cudaGetLastError();
}

void CudaRuntime::launch(StreamId stream, CapturedGraph& graph) {
  enter();
  const auto* const ours = dynamic_cast<const CudaGraph*>(&graph);
  IOS_CHECK(ours != nullptr);
  check(cudaGraphLaunch(ours->exec(), raw(stream)), "cudaGraphLaunch");
}

void CudaRuntime::synchronize(StreamId stream) {
  enter();
  check(cudaStreamSynchronize(raw(stream)), "cudaStreamSynchronize");
}

Millis CudaRuntime::between(TimerId begin, TimerId end) {
  enter();
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, timer(begin), timer(end)), "cudaEventElapsedTime");
  return Millis(milliseconds);
}

double CudaRuntime::measure_clock_mhz(StreamId stream) {
  enter();
  check(launch_clock_kernel(kClockNanoseconds, clock_.get(), raw(stream)), "the clock kernel");
  check(cudaStreamSynchronize(raw(stream)), "cudaStreamSynchronize");
  return static_cast<double>(clock_->cycles) / static_cast<double>(clock_->nanoseconds) * 1e3;
}

}  // namespace

std::unique_ptr<Runtime> make_cuda_runtime(int device) { return std::make_unique<CudaRuntime>(device); }

}  // namespace iosx::gpu
