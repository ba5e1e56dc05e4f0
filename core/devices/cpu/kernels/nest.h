#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/function_ref.h"
#include "core/model/layout/tensor_ref.h"

// These are loops over tensors of equal dims and different strides.
namespace iosx::cpu {

constexpr std::size_t kMaxOperands = 8;

// A nest holds the loops, the innermost last: axes ordered by the stride of operand 0, those of size 1 left out, and
// neighbours that are contiguous in every operand merged. There is at least one loop.
struct Nest {
  std::size_t operands = 0;
  std::size_t rank = 0;
  std::array<std::int64_t, TensorRef::kMaxRank> dims{};
  std::array<std::array<std::int64_t, TensorRef::kMaxRank>, kMaxOperands> strides{};  // elements
  std::array<std::byte*, kMaxOperands> data{};
  std::array<DataType, kMaxOperands> types{};

  std::int64_t elements() const;
  std::int64_t inner_stride(std::size_t operand) const { return strides[operand][rank - 1]; }
};

Nest make_nest(std::span<const TensorRef> operands);

// Takes a loop out of the nest and gives its place to the later ones; a nest of one loop keeps one of size 1.
void remove_loop(Nest& nest, std::size_t loop);

// Walks the first `loops` loops in order, from the index-th step on.
class NestCursor {
 public:
  NestCursor(const Nest& nest, std::size_t loops, std::int64_t index);
  void next();
  std::byte* at(std::size_t operand) const { return at_[operand]; }

 private:
  const Nest& nest_;
  std::size_t loops_;
  std::array<std::int64_t, TensorRef::kMaxRank> place_{};
  std::array<std::byte*, kMaxOperands> at_{};
};

// A row is a piece of the innermost loop: where it starts in each operand. Strides are the nest's.
struct NestRow {
  std::array<std::byte*, kMaxOperands> at{};
  std::int64_t size = 0;
};

// Calls row() for pieces of at most `longest` elements that cover the nest, on several threads. `work` as for split().
void for_rows(const Nest& nest, std::int64_t longest, std::int64_t work, FunctionRef<void(const NestRow&)> row);

}  // namespace iosx::cpu
