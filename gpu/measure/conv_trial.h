#pragma once

#include <span>
#include <vector>

#include "gpu/exec/conv_choice.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// A ConvTrial is a convolution with operands of its own to try ways with: random numbers, never zeros, which use less
// power and may take short cuts; pitches and misalignments as the problem says.
class ConvTrial {
 public:
  ConvTrial(Runtime& runtime, const ConvProblem& problem);  // throws OutOfMemory

  const ConvTask& task() const { return task_; }
  // Allocates scratch memory for the largest of the ways, which run one after another. Ways for which there is not
  // enough are left out: what comes back are the indices of the others.
  std::vector<std::size_t> make_room(std::span<const ConvWay> ways);
  // Gives so many copies to stream 0. The way must have room.
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
