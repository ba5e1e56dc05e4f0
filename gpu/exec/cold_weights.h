#pragma once

#include <cstddef>
#include <cstdint>

#include "gpu/ops/conv/conv_problem.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Stands for the weights of a network that has more of them than the GPU's cache holds, so that a run finds none of
// them there: what a stage reads has left by the time it runs again. Timed over and over with its own weights it would
// find them in the cache and be too fast. The contents are random numbers.
class ColdWeights {
 public:
  // Takes device memory, three and a half times as much as the cache has. Throws OutOfMemory.
  ColdWeights(Runtime& runtime, DataType type);

  std::byte* data() const { return weights_.data(); }
  std::int64_t bytes() const { return weights_.bytes(); }  // twice those of the cache
  // Gives the origin stream something to read that leaves none of the weights in the cache.
  void evict();

 private:
  Runtime& runtime_;
  DeviceMemory weights_;
  DeviceMemory other_;  // what is read instead, behind room for what comes of it
};

}  // namespace iosx::gpu
