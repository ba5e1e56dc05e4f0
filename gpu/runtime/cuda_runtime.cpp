#include "gpu/runtime/cuda_runtime.h"

#include <fmt/format.h>

#include <set>
#include <vector>

#include "core/base/check.h"
#include "gpu/ops/conv/cudnn_library.h"
#include "gpu/ops/kernels/launch.h"
#include "gpu/runtime/clock_kernel.h"
#include "gpu/runtime/cuda_check.h"
#include "gpu/runtime/errors.h"
#include "gpu/runtime/handles.h"
#include "gpu/runtime/nodes_before.h"
#include "gpu/runtime/probe.h"

namespace iosx::gpu {
namespace {

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
  void execute(StreamId stream, const LibraryPlan& plan, const Operands& operands) override;
  void record(EventId id, StreamId stream) override;
  void wait(StreamId stream, EventId id) override;
  void mark(TimerId id, StreamId stream) override;
  void begin_capture(StreamId origin) override;
  std::unique_ptr<CapturedGraph> end_capture(StreamId origin) override;
  std::vector<GraphNode> take_nodes(StreamId stream) override;
  void abandon_capture(StreamId origin) noexcept override;
  void launch(StreamId stream, CapturedGraph& graph) override;
  void synchronize(StreamId stream) override;
  Millis between(TimerId begin, TimerId end) override;
  void begin_clock(StreamId stream) override { stamp_clock(0, stream); }
  void end_clock(StreamId stream) override { stamp_clock(1, stream); }
  double clock_mhz() override { return mhz_between(clock_.get()[0], clock_.get()[1]); }

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
  void stamp_clock(std::size_t which, StreamId stream);
  void copy(void* to, const void* from, std::int64_t bytes, cudaMemcpyKind kind);

  int device_;
  Properties properties_;
  bool capturing_ = false;
  std::set<cudaGraphNode_t> seen_;  // of the capture, by take_nodes()
  StreamHandle transfers_;
  PinnedMemory<ClockStamp> clock_;  // two, written by the device
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
  void* stamps = nullptr;
  check(cudaHostAlloc(&stamps, 2 * sizeof(ClockStamp), cudaHostAllocMapped), "cudaHostAlloc");
  clock_.reset(new (stamps) ClockStamp[2]);
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

void CudaRuntime::execute(StreamId stream, const LibraryPlan& plan, const Operands& operands) {
  enter();
  const auto* const cudnn_plan = dynamic_cast<const CudnnPlan*>(&plan);
  IOS_CHECK(cudnn_plan != nullptr);
  cudnnHandle_t handle = cudnn(stream);
  try {
    cudnn_plan->execute(handle, operands);
  } catch (const GpuError& error) {
    if (!capturing_) throw;
    throw GpuError(fmt::format("{}, while it was captured for a CUDA graph", error.what()));
  }
}

void CudaRuntime::record(EventId id, StreamId stream) {
  enter();
  check(cudaEventRecord(event(id), raw(stream)), "cudaEventRecord");
}

void CudaRuntime::wait(StreamId stream, EventId id) {
  enter();
  check(cudaStreamWaitEvent(raw(stream), event(id), 0), "cudaStreamWaitEvent");
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

void CudaRuntime::stamp_clock(std::size_t which, StreamId stream) {
  enter();
  check(launch_clock_stamp(clock_.get() + which, raw(stream)), "the clock stamp");
}

}  // namespace

std::unique_ptr<Runtime> make_cuda_runtime(int device) { return std::make_unique<CudaRuntime>(device); }

}  // namespace iosx::gpu
