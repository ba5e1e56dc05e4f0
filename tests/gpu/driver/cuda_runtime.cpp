// A CUDA runtime made up for tests, in the place of the toolkit's: the functions that gpu/ calls, as the toolkit
// documents them, on the GPU of machine.h. gpu/runtime and the kernels' launchers are linked with it unchanged.
//
// Memory is the host's. Kernels and cuDNN's plans are launched and not executed: what they would write stays as it was.
// Instead each takes its time on its stream, in virtual microseconds that events carry from stream to stream, so that
// lanes run side by side and captured graphs take what their longest path takes. Things go wrong as
// $IOS_MADE_UP_FAILURE says. It is not thread-safe: the device gives one thread at a time the turn.
#include <cuda_runtime_api.h>
#include <cudnn_graph.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tests/gpu/driver/machine.h"

// These are CUDA's names for what its handles point to.
struct CUgraph_st {
  double micros = 0;
  std::vector<std::pair<cudaEvent_t, double>> marks;  // events that each launch records, and when after its begin
  std::vector<cudaStream_t> streams;                  // while it is captured; the origin first
  bool invalid = false;
};
struct CUgraphExec_st {
  CUgraph_st graph;
};
struct CUstream_st {
  double now = 0;               // when it has done everything; in a capture from the graph's begin on
  cudaGraph_t graph = nullptr;  // that captures it
  double before_capture = 0;
};
struct CUgraphNode_st {
  double at = 0;  // when what is before it has ended, from the graph's begin on
};
struct CUevent_st {
  double at = 0;
  cudaGraph_t graph = nullptr;  // where a capture recorded it
};
struct cudnnContext {
  cudaStream_t stream = nullptr;
};

namespace iosx::gpu::test {
namespace {

constexpr double kKernelMicros = 2;
constexpr double kPlanMicros = 10;  // of cuDNN
constexpr double kGraphMicros = 5;  // until its first kernel

constexpr std::array kErrors{
    std::tuple(cudaSuccess, "cudaSuccess", "no error"),
    std::tuple(cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"),
    std::tuple(cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"),
    std::tuple(cudaErrorInsufficientDriver, "cudaErrorInsufficientDriver",
               "CUDA driver version is insufficient for CUDA runtime version"),
    std::tuple(cudaErrorIllegalAddress, "cudaErrorIllegalAddress", "an illegal memory access was encountered"),
    std::tuple(cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"),
    std::tuple(cudaErrorStreamCaptureUnsupported, "cudaErrorStreamCaptureUnsupported",
               "operation not permitted when stream is capturing"),
    std::tuple(cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
               "operation failed due to a previous error during capture"),
    std::tuple(cudaErrorStreamCaptureUnjoined, "cudaErrorStreamCaptureUnjoined", "capturing stream has unjoined work")};

struct Gpu {
  std::map<const std::byte*, std::size_t> blocks;  // of device memory, with their sizes
  std::size_t used = 0;
  std::int64_t launches = 0;
  std::int64_t captures = 0;
  cudaGraph_t capture = nullptr;  // the one that is under way
  bool lost = false;
  cudaError_t last = cudaSuccess;

  std::size_t memory() const {
    return static_cast<std::size_t>(failure().memory_mib > 0 ? failure().memory_mib << 20 : machine().memory);
  }
  // Says whether so many bytes from there on are the device's.
  bool has(const void* address, std::size_t bytes) const {
    const auto* const begin = static_cast<const std::byte*>(address);
    auto block = blocks.upper_bound(begin);
    return block != blocks.begin() && (--block, begin + bytes <= block->first + block->second);
  }
};

Gpu& gpu() {
  static Gpu gpu;
  return gpu;
}

// Returns what the call returns, and remembers it as CUDA does. A lost GPU answers every call with why it is lost.
template <typename Call>
cudaError_t on_gpu(const Call& call) {
  const cudaError_t status = failure().driver_too_old ? cudaErrorInsufficientDriver
                             : gpu().lost             ? cudaErrorIllegalAddress
                                                      : call();
  if (status != cudaSuccess) gpu().last = status;
  return status;
}

cudaError_t nothing() {
  return on_gpu([] { return cudaSuccess; });
}
template <typename T>
cudaError_t answer(T* to, const std::type_identity_t<T>& value) {
  return on_gpu([&] { return *to = value, cudaSuccess; });
}

// Gives work to a stream. Where it goes wrong, the calls after this one learn of it: launches do not wait.
cudaError_t launch_on(cudaStream_t stream, double micros) {
  if (stream->graph != nullptr && stream->graph->invalid) return cudaErrorStreamCaptureUnsupported;
  stream->now += micros;
  if (stream->graph == nullptr) gpu().lost = ++gpu().launches == failure().illegal_address;
  return cudaSuccess;
}

// A stream that waits for an event of a capture belongs to that from then on.
void join(cudaStream_t stream, cudaGraph_t graph) {
  graph->streams.push_back(stream);
  stream->before_capture = std::exchange(stream->now, 0);
  stream->graph = graph;
}

dim3 pushed_grid;
cudaStream_t pushed_stream = nullptr;

}  // namespace
}  // namespace iosx::gpu::test

using namespace iosx::gpu::test;

extern "C" {

// The system.

cudaError_t cudaDriverGetVersion(int* version) { return *version = driver_cuda(), cudaSuccess; }
cudaError_t cudaRuntimeGetVersion(int* version) { return *version = CUDART_VERSION, cudaSuccess; }

cudaError_t cudaGetDeviceCount(int* count) { return answer(count, 1); }
cudaError_t cudaSetDevice(int) { return nothing(); }

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int) {
  return on_gpu([&] {
    const Chip& chip = machine();
    *properties = {};
    std::strncpy(properties->name, chip.name, sizeof(properties->name) - 1);
    std::memcpy(properties->uuid.bytes, "made up for test", sizeof(properties->uuid.bytes));
    properties->major = chip.capability / 10;
    properties->minor = chip.capability % 10;
    properties->warpSize = 32;
    properties->multiProcessorCount = chip.multiprocessors;
    properties->totalGlobalMem = gpu().memory();
    properties->l2CacheSize = chip.l2;
    properties->maxThreadsPerMultiProcessor = chip.threads;
    properties->maxBlocksPerMultiProcessor = chip.blocks;
    properties->regsPerMultiprocessor = Chip::kRegisters;
    properties->sharedMemPerMultiprocessor = static_cast<std::size_t>(chip.shared);
    properties->reservedSharedMemPerBlock = static_cast<std::size_t>(chip.reserved_shared());
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int) {
  if (which == cudaDevAttrClockRate) return answer(value, machine().clock);
  return which == cudaDevAttrComputeMode ? answer(value, cudaComputeModeDefault) : cudaErrorNotSupported;
}

const char* cudaGetErrorName(cudaError_t error) {
  for (const auto& [known, name, words] : kErrors) {
    if (known == error) return name;
  }
  return "cudaErrorUnknown";
}
const char* cudaGetErrorString(cudaError_t error) {
  for (const auto& [known, name, words] : kErrors) {
    if (known == error) return words;
  }
  return "unknown error";
}
cudaError_t cudaGetLastError() { return std::exchange(gpu().last, cudaSuccess); }

// Memory.

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
  return on_gpu([&] {
    if (gpu().used + bytes > gpu().memory()) return cudaErrorMemoryAllocation;
    *memory = std::aligned_alloc(256, (bytes + 255) / 256 * 256 + 256);
    if (*memory == nullptr) return cudaErrorMemoryAllocation;
    gpu().blocks[static_cast<const std::byte*>(*memory)] = bytes;
    gpu().used += bytes;
    return cudaSuccess;
  });
}

cudaError_t cudaFree(void* memory) {
  if (const auto block = gpu().blocks.find(static_cast<const std::byte*>(memory)); block != gpu().blocks.end()) {
    gpu().used -= block->second;
    gpu().blocks.erase(block);
    std::free(memory);
  }
  return nothing();
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
  return on_gpu([&] { return *total = gpu().memory(), *free = *total - gpu().used, cudaSuccess; });
}

cudaError_t cudaHostAlloc(void** memory, std::size_t bytes, unsigned) { return answer(memory, std::calloc(1, bytes)); }
cudaError_t cudaFreeHost(void* memory) { return std::free(memory), cudaSuccess; }

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t) {
  return on_gpu([&] {
    if (!gpu().has(kind == cudaMemcpyHostToDevice ? to : from, bytes)) return cudaErrorInvalidValue;
    return std::memcpy(to, from, bytes), cudaSuccess;
  });
}

// Streams and events.

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return on_gpu([&] { return *least = 0, *greatest = -5, cudaSuccess; });
}
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) { return answer(stream, new CUstream_st); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned, int) {
  return answer(stream, new CUstream_st);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return delete stream, cudaSuccess; }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return on_gpu([&] { return stream->graph == nullptr ? cudaSuccess : cudaErrorStreamCaptureUnsupported; });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return on_gpu([&] {
    if (event->graph != nullptr && event->graph != gpu().capture) return cudaErrorInvalidValue;
    if (event->graph != nullptr && stream->graph == nullptr) join(stream, event->graph);
    stream->now = std::max(stream->now, event->at);
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return answer(event, new CUevent_st); }
cudaError_t cudaEventDestroy(cudaEvent_t event) { return delete event, cudaSuccess; }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return answer(event, {stream->now, stream->graph});
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned flags) {
  if (flags != cudaEventRecordExternal || stream->graph == nullptr) return cudaEventRecord(event, stream);
  stream->graph->marks.emplace_back(event, stream->now);
  return nothing();
}
cudaError_t cudaEventElapsedTime(float* millis, cudaEvent_t begin, cudaEvent_t end) {
  return answer(millis, static_cast<float>((end->at - begin->at) / 1000));
}

// Captures and graphs.

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode*) { return cudaSuccess; }
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return answer(status, stream->graph == nullptr ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive);
}

// One that is not allowed begins all the same, and the first launch in it learns so.
cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode) {
  return on_gpu([&] {
    join(stream, gpu().capture = new CUgraph_st);
    const std::int64_t number = ++gpu().captures;
    stream->graph->invalid = number >= failure().first_capture && number <= failure().last_capture;
    return cudaSuccess;
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  cudaGraph_t captured = stream->graph;
  *graph = gpu().capture = nullptr;
  if (captured == nullptr) return on_gpu([] { return cudaErrorInvalidValue; });
  captured->micros = stream->now;
  // What another stream did last is before the origin's end, or nobody waited for it.
  const bool joined = std::ranges::all_of(captured->streams, [&](auto other) { return other->now <= stream->now; });
  for (cudaStream_t member : std::exchange(captured->streams, {})) {
    member->now = member->before_capture;
    member->graph = nullptr;
  }
  const cudaError_t status = on_gpu([&] {
    if (captured->invalid) return cudaErrorStreamCaptureInvalidated;
    return joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined;
  });
  if (status == cudaSuccess) {
    *graph = captured;
  } else {
    delete captured;
  }
  return status;
}

// It knows no nodes but the empty ones that are added: who asks which node a launch became is told of none.
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long*,
                                     cudaGraph_t* graph, const cudaGraphNode_t** before,
                                     const cudaGraphEdgeData** edges, std::size_t* count) {
  if (graph == nullptr) return cudaErrorNotSupported;
  return on_gpu([&] {
    *status = stream->graph == nullptr ? cudaStreamCaptureStatusNone : cudaStreamCaptureStatusActive;
    *graph = stream->graph;
    if (before != nullptr) *before = nullptr;
    if (edges != nullptr) *edges = nullptr;
    if (count != nullptr) *count = 0;
    return cudaSuccess;
  });
}
// An empty node is after all that its graph's first stream has come to.
cudaError_t cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t*, const cudaGraphEdgeData*,
                             std::size_t, cudaGraphNodeParams* parameters) {
  if (parameters->type != cudaGraphNodeTypeEmpty || graph->streams.empty()) return cudaErrorNotSupported;
  return answer(node, new CUgraphNode_st{graph->streams.front()->now});
}
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* nodes, const cudaGraphEdgeData*,
                                                std::size_t count, unsigned) {
  return on_gpu([&] {
    for (std::size_t i = 0; i < count; ++i) stream->now = std::max(stream->now, nodes[i]->at);
    return cudaSuccess;
  });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType*) { return cudaErrorNotSupported; }
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t*, cudaGraphEdgeData*, std::size_t*) {
  return cudaErrorNotSupported;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long) {
  return answer(exec, new CUgraphExec_st{*graph});
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) { return nothing(); }
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return on_gpu([&] {
    const double begin = stream->now + kGraphMicros;
    for (const auto& [event, after] : exec->graph.marks) *event = {begin + after, nullptr};
    return launch_on(stream, kGraphMicros + exec->graph.micros);
  });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) { return delete graph, cudaSuccess; }
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) { return delete exec, cudaSuccess; }

// Kernels: what nvcc's code calls (crt/host_runtime.h).

void** __cudaRegisterFatBinary(void*) {
  static void* handle = nullptr;
  return &handle;
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
void __cudaRegisterFunction(void**, const char*, char*, const char*, int, uint3*, uint3*, dim3*, dim3*, int*) {}
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): an identity
  return *kernel = static_cast<cudaKernel_t>(const_cast<void*>(function)), cudaSuccess;
}
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void*) { return answer(attributes, {}); }

unsigned __cudaPushCallConfiguration(dim3 grid, dim3, std::size_t, cudaStream_t stream) {
  pushed_grid = grid;
  pushed_stream = stream;
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3*, std::size_t*, void* stream) {
  *grid = pushed_grid;
  *static_cast<cudaStream_t*>(stream) = pushed_stream;
  return cudaSuccess;
}
cudaError_t __cudaLaunchKernel(cudaKernel_t, dim3 grid, dim3, void**, std::size_t, cudaStream_t stream) {
  return on_gpu([&] {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.y > 65535 || grid.z > 65535) return cudaErrorInvalidValue;
    return launch_on(stream, kKernelMicros);
  });
}

// cuDNN's handles, which the library makes for a real GPU only. All that builds plans is its own.

cudnnStatus_t cudnnCreate(cudnnHandle_t* handle) { return *handle = new cudnnContext, CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle) { return delete handle, CUDNN_STATUS_SUCCESS; }
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream) {
  return handle->stream = stream, CUDNN_STATUS_SUCCESS;
}

// The whole workspace must be the device's. What the operands are cuDNN tells nobody.
cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan, cudnnBackendDescriptor_t pack) {
  std::int64_t bytes = 0;
  void* workspace = nullptr;
  std::int64_t count = 0;
  const bool known = cudnnBackendGetAttribute(plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1,
                                              &count, &bytes) == CUDNN_STATUS_SUCCESS &&
                     cudnnBackendGetAttribute(pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &count,
                                              &workspace) == CUDNN_STATUS_SUCCESS;
  if (!known || (bytes > 0 && !gpu().has(workspace, static_cast<std::size_t>(bytes)))) return CUDNN_STATUS_BAD_PARAM;
  const cudaError_t status = on_gpu([&] { return launch_on(handle->stream, kPlanMicros); });
  return status == cudaSuccess ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_EXECUTION_FAILED;
}

}  // extern "C"
