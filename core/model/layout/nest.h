#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/model/layout/tensor_ref.h"

namespace iosx {

// Returns the axes of tensors of equal dims by descending stride of the first tensor, ties by those of the next ones.
// The innermost is last; axes of size 1 come first.
std::array<std::size_t, TensorRef::kMaxRank> axes_by_stride(std::span<const TensorRef> tensors);

constexpr std::size_t kMaxOperands = 8;

// Loops over tensors of equal dims and different strides, the innermost last. They are ordered by the strides of
// operand 0; axes of size 1 are left out, and neighbouring axes that are contiguous in every operand are merged. There
// is at least one loop.
struct Nest {
  std::size_t operands = 0;
  std::size_t rank = 0;
  std::array<std::int64_t, TensorRef::kMaxRank> dims{};
  std::array<std::array<std::int64_t, TensorRef::kMaxRank>, kMaxOperands> strides{};  // elements
  std::array<std::byte*, kMaxOperands> data{};
  std::array<DataType, kMaxOperands> types{};

  std::int64_t elements() const;
  std::int64_t inner_stride(std::size_t operand) const { return strides[operand][rank - 1]; }
  std::int64_t inner_bytes(std::size_t operand) const { return inner_stride(operand) * bytes_of(types[operand]); }
};

Nest make_nest(std::span<const TensorRef> operands);

}  // namespace iosx
