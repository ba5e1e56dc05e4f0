#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "core/base/function_ref.h"
#include "core/model/graph/parameters.h"
#include "core/model/layout/tensor_ref.h"
#include "gpu/runtime/device_memory.h"
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

}  // namespace iosx::gpu
