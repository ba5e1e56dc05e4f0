#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "gpu/exec/cold_weights.h"
#include "gpu/exec/conv_choice.h"
#include "gpu/exec/weight_store.h"
#include "gpu/runtime/device_memory.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Holds a device, its memory, and weights that outlast the plans prepared in it. Any number of plans may be prepared
// in it; one at a time uses it, because their tensors lie in the same block.
class ExecContext {
 public:
  // The runtime and the chooser must outlive it.
  ExecContext(Runtime& device, ConvChooser& conv_chooser, Math conv_math);

  // Returns at least that much device memory, the same block for every plan while it is large enough. The context
  // owns it.
  std::byte* arena(std::int64_t bytes);
  // Returns the arena's number. It changes when the arena is replaced or freed; older plans then cannot run any
  // more.
  std::int64_t arena_number() const { return arena_number_; }
  // Returns the replacement for weights that the cache does not hold; makes it on first use. Throws OutOfMemory.
  ColdWeights& cold_weights();
  // Frees everything kept for later plans. Plans prepared before cannot run any more.
  void clear();

  // Returns a unique number for a new plan.
  std::int64_t new_plan() { return ++plans_; }
  // Makes the arena's content this plan's. Returns false if it already was.
  bool hand_over(std::int64_t plan) { return std::exchange(occupant_, plan) != plan; }

  Runtime& runtime;
  ConvChooser& chooser;
  const Math math;
  WeightStore weights;

 private:
  std::unique_ptr<DeviceMemory> arena_;
  std::optional<ColdWeights> cold_weights_;
  std::int64_t arena_number_ = 0;
  std::int64_t plans_ = 0;
  std::int64_t occupant_ = 0;  // number of the plan that used the arena last
};

}  // namespace iosx::gpu
