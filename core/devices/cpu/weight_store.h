#pragma once

#include <cstdint>
#include <dnnl.hpp>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/function_ref.h"
#include "core/devices/cpu/memory.h"
#include "core/model/graph/parameters.h"

namespace iosx::cpu {

// Keeps packed weights in the formats of primitives while memory lasts. Each is packed once, because a search prepares
// thousands of plans of the same graph. It is not thread-safe.
class WeightStore {
 public:
  // Keeps about `capacity_bytes`, in addition to weights that plans still hold. The budget must outlive it.
  WeightStore(dnnl::engine engine, MemoryBudget& budget, std::int64_t capacity_bytes)
      : engine_(std::move(engine)), budget_(budget), capacity_(capacity_bytes) {}

  // Numbers before packing, with their format.
  struct Plain {
    Tensor tensor;
    dnnl::memory::desc desc;
  };
  struct Source {
    const std::shared_ptr<const Parameters>& parameters;
    std::span<const OperatorId> operators;
    std::string_view form;  // identifies how `make` transforms the operators' parameters; part of the key
  };
  struct Packed {
    dnnl::memory memory;
    std::shared_ptr<const Block> block;  // holds the memory; keep it while the memory is used
  };
  // Returns weights in the wanted format and type. Calls `make` where they are not stored.
  Packed packed(const Source& source, const dnnl::memory::desc& wanted, FunctionRef<Plain()> make);
  // Forgets all; plans keep theirs.
  void clear();
  MemoryBudget& budget() { return budget_; }

 private:
  struct Entry {
    std::shared_ptr<const Parameters> parameters;  // keeps the address from being reused
    dnnl::memory::desc desc;
    Packed packed;
    std::int64_t bytes = 0;
    std::int64_t last_use = 0;
  };
  Packed allocate(const dnnl::memory::desc& desc);
  void make_room();

  dnnl::engine engine_;
  MemoryBudget& budget_;
  std::int64_t capacity_;
  std::int64_t uses_ = 0;
  std::int64_t bytes_ = 0;
  std::shared_ptr<const Block> slab_;  // holds small weights, so that they too lie in large pages
  std::int64_t slab_used_ = 0;
  std::multimap<std::string, Entry> entries_;
};

}  // namespace iosx::cpu
