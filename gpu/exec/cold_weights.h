#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/ops/conv/conv_problem.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Replaces the weights of a network that has more weights than the GPU's cache holds, so that no run finds them in the
// cache. Repeated timing with a stage's own weights would find them there and be too fast. The contents are random
// numbers.
class ColdWeights {
 public:
  // Allocates device memory of three and a half times the cache size. Throws OutOfMemory.
  ColdWeights(Runtime& runtime, DataType type);

  std::byte* data() const { return weights_.data(); }
  std::int64_t bytes() const { return weights_.bytes(); }  // twice the cache size
  // Makes the origin stream read data that evicts all weights from the cache.
  void evict();

 private:
  Runtime& runtime_;
  DeviceMemory weights_;
  DeviceMemory other_;  // read to evict, after room for the result
};

}  // namespace iosx::gpu
