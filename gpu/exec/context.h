#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/function_ref.h"
#include "core/model/graph/parameters.h"
#include "core/model/layout/tensor_ref.h"
#include "gpu/exec/way.h"
#include "gpu/ops/conv/problem.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Holds weights on the device and uploads each once, because a search prepares thousands of plans of the same graph.
class WeightStore {
 public:
  explicit WeightStore(Runtime& runtime) : runtime_(runtime) {}

  struct Source {
    const std::shared_ptr<const Parameters>& parameters;
    std::span<const OperatorId> operators;
    std::string_view form;  // identifies how `make` transforms the operators' parameters; part of the key
  };
  // `make` returns the elements in device order; they are converted to the type. It is called for missing weights only.
  // The returned device memory stays valid until clear().
  const DeviceMemory& get(const Source& source, DataType type, FunctionRef<Tensor()> make);
  std::int64_t bytes() const { return bytes_; }
  void clear();

 private:
  struct Entry {
    std::shared_ptr<const Parameters> parameters;  // keeps the address from being reused
    DeviceMemory memory;
  };
  Runtime& runtime_;
  std::int64_t bytes_ = 0;
  std::map<std::string, Entry> entries_;
};

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

// Holds a device, its memory, and weights that outlast the plans prepared in it. Any number of plans may be prepared
// in it; one at a time uses it, because their tensors lie in the same block.
class ExecContext {
 public:
  // The runtime and the chooser must outlive it.
  ExecContext(Runtime& device, WayChooser& conv_chooser, Math conv_math);

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
  WayChooser& chooser;
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
