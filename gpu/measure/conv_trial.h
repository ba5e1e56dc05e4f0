#pragma once

#include <span>
#include <vector>

#include "gpu/exec/conv_choice.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// A convolution with its own operands for trying ways: random numbers (zeros use less power and may take short cuts),
// with the pitches and alignments of the problem.
class ConvTrial {
 public:
  ConvTrial(Runtime& runtime, const ConvProblem& problem);  // throws OutOfMemory

  const ConvTask& task() const { return task_; }
  // Allocates scratch memory for the largest of the ways, which run one after another. Skips ways that lack
  // memory, and returns the indices of the others.
  std::vector<std::size_t> make_room(std::span<const ConvWay> ways);
  // Enqueues that many copies on stream 0. The way must have room.
  void enqueue(const ConvWay& way, int copies);

 private:
  const DeviceMemory& random(std::int64_t elements, DataType type);
  TensorRef pixels(const PixelLayout& layout, std::int64_t channels, const Extent& extent);

  Runtime& runtime_;
  std::vector<DeviceMemory> operands_;
  std::vector<DeviceMemory> scratch_;  // one, or none
  ConvTask task_;
};

}  // namespace iosx::gpu
