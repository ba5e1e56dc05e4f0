#pragma once

#include <cuda_runtime_api.h>
#include <cudnn_graph.h>

#include <memory>
#include <type_traits>

// Own objects of CUDA and cuDNN; they are moved, not copied. Errors on destruction are ignored.
namespace iosx::gpu {

template <typename Raw, auto kDestroy>
struct Destroyer {
  using pointer = Raw;
  void operator()(Raw raw) const noexcept { kDestroy(raw); }
};
template <typename Raw, auto kDestroy>
using Handle = std::unique_ptr<std::remove_pointer_t<Raw>, Destroyer<Raw, kDestroy>>;

using StreamHandle = Handle<cudaStream_t, cudaStreamDestroy>;
using EventHandle = Handle<cudaEvent_t, cudaEventDestroy>;
using GraphHandle = Handle<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = Handle<cudaGraphExec_t, cudaGraphExecDestroy>;
using CudnnHandle = Handle<cudnnHandle_t, cudnnDestroy>;
template <typename T>
using PinnedMemory = Handle<T*, cudaFreeHost>;

}  // namespace iosx::gpu
