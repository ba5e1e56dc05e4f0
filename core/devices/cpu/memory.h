#pragma once

#include <cstddef>
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
#include "core/base/message.h"
#include "core/model/graph/parameters.h"
#include "core/model/layout/tensor_ref.h"

// The device's memory for tensors. It is not thread-safe: one thread prepares plans.
namespace iosx::cpu {

inline constexpr std::int64_t kAlignment = 64;  // of every buffer, in bytes: a cache line and a vector register

// Rounds up to a multiple of the alignment.
constexpr std::int64_t padded_bytes(std::int64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

// Thrown where memory is too small, and caught at the device's edge.
class OutOfMemory : public MessageError {
 public:
  using MessageError::MessageError;
};

// Counts the memory that the device holds, so that a plan too large is refused and does not end the program.
class MemoryBudget {
 public:
  explicit MemoryBudget(std::int64_t limit_bytes) : limit_(limit_bytes) {}

  // Throws OutOfMemory where that would exceed the limit. `what` is for the message: "weights".
  void take(std::int64_t bytes, Sentence what);
  void give_back(std::int64_t bytes) { used_ -= bytes; }
  std::int64_t limit() const { return limit_; }
  std::int64_t used() const { return used_; }

 private:
  std::int64_t limit_;
  std::int64_t used_ = 0;
};

// Throws OutOfMemory where a limit of the process leaves too little address space for oneDNN to make a primitive:
// oneDNN does not survive a failed allocation.
void check_room_for_primitive();

// Counts memory that other code allocates against a budget, while it lives.
class Reservation {
 public:
  Reservation(MemoryBudget& budget, std::int64_t bytes, Sentence what) : budget_(budget), bytes_(bytes) {
    budget_.take(bytes_, what);
  }
  ~Reservation() { budget_.give_back(bytes_); }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

 private:
  MemoryBudget& budget_;
  std::int64_t bytes_;
};

// Owns aligned memory and counts it against a budget, which must outlive it.
class Block {
 public:
  Block(MemoryBudget& budget, std::int64_t bytes, Sentence what);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  std::byte* data() const { return data_.get(); }
  std::int64_t bytes() const { return bytes_; }

 private:
  struct Free {
    void operator()(std::byte* data) const;
  };
  MemoryBudget& budget_;
  std::int64_t bytes_;
  std::unique_ptr<std::byte, Free> data_;
};

// Owns memory that kernels share when they run one after another: each kernel reuses it from the start.
class Scratch {
 public:
  explicit Scratch(MemoryBudget& budget) : budget_(budget) {}

  // Starts the next kernel's allocations.
  void next_kernel();
  // Frees all memory; no plan that uses it may be left.
  void clear() { parts_.clear(); }
  std::byte* take(std::int64_t bytes);
  TensorRef take_like(const TensorRef& tensor);  // dense
  // Returns the most bytes that one kernel took since the last reset_peak().
  std::int64_t peak_bytes() const { return peak_; }
  void reset_peak() { peak_ = 0; }

 private:
  struct Part {
    std::unique_ptr<Block> block;
    std::int64_t used = 0;
  };
  MemoryBudget& budget_;
  std::vector<Part> parts_;  // each larger than the previous
  std::int64_t taken_ = 0;
  std::int64_t peak_ = 0;
};

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
