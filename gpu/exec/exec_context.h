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

// Plans are prepared in an ExecContext: it has a device, its memory, and weights that outlast the plans. Any number of
// plans may be prepared in it, one at a time uses it: their tensors lie in the same block.
class ExecContext {
 public:
  // The runtime and the chooser must outlive it.
  ExecContext(Runtime& device, ConvChooser& conv_chooser, Math conv_math);

  // Returns at least so many bytes of device memory, the same for every plan as long as they are enough. The context
  // owns them.
  std::byte* arena(std::int64_t bytes);
  // Returns the arena's number. It is another one after the arena was replaced or given back, so that plans prepared
  // before cannot run any more.
  std::int64_t arena_number() const { return arena_number_; }
  // Returns what stands for weights that the cache does not hold; made when it is first asked for. Throws OutOfMemory.
  ColdWeights& cold_weights();
  // Gives back all that is kept for later plans. No plan prepared before can run any more.
  void clear();

  // Returns a number for a plan that is being prepared; no other plan has it.
  std::int64_t new_plan() { return ++plans_; }
  // The arena's contents are this plan's from now on. It returns false if they were before.
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
  std::int64_t occupant_ = 0;  // the number of the plan that used the arena last
};

}  // namespace iosx::gpu
