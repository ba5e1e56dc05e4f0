#pragma once

#include <cstdint>
#include <memory>

#include "gpu/exec/conv_choice.h"
#include "gpu/exec/weight_store.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// What plans are prepared in: a device, its memory, and weights that outlast the plans.
class Workplace {
 public:
  // The runtime and the chooser must outlive it.
  Workplace(Runtime& device, ConvChooser& conv_chooser, Math conv_math);

  // At least so many bytes, the same for every plan as long as they are enough.
  std::byte* arena(std::int64_t bytes);
  // Gives back all that is kept for later plans; there is no prepared plan now.
  void clear();

  Runtime& runtime;
  ConvChooser& chooser;
  const Math math;
  WeightStore weights;

 private:
  std::unique_ptr<DeviceMemory> arena_;
};

}  // namespace iosx::gpu
