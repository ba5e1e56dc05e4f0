#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "core/model/layout/tensor_ref.h"
#include "gpu/ops/kernels/loops.h"
#include "gpu/ops/kernels/vector.h"

// Plan loops over tensors of equal dims and different strides, on the host.
namespace iosx::gpu::kernels {

constexpr std::size_t kMaxOperands = 5;

// The loops, the innermost last. They are ordered by the strides of operand 0; axes of size 1 are left out, and
// neighbouring axes that are contiguous in every operand are merged. There is at least one loop.
struct Nest {
  std::size_t operands = 0;
  std::size_t rank = 0;
  std::array<std::int64_t, TensorRef::kMaxRank> dims{};
  std::array<std::array<std::int64_t, TensorRef::kMaxRank>, kMaxOperands> strides{};  // elements

  std::int64_t elements() const;
  std::int64_t inner_stride(std::size_t operand) const { return strides[operand][rank - 1]; }
};

Nest make_nest(std::span<const TensorRef> operands);

// Returns whether vectors of that width along the innermost loop can be stored to operand 0, and loaded from the
// others that have stride 1 there: the sizes divide and everything is aligned. `memory` has the operands in memory,
// in the nest's order; the nest may have more.
bool fits(const Nest& nest, std::span<const TensorRef> memory, int width);

// Makes loops over vectors of that width.
template <class Index, int kOperands>
Loops<Index, kOperands> loops_of(const Nest& nest, int width) {
  Loops<Index, kOperands> loops;
  loops.rank = static_cast<int>(nest.rank);
  for (std::size_t loop = 0; loop < nest.rank; ++loop) {
    const std::int64_t together = loop + 1 == nest.rank ? width : 1;
    loops.sizes[loop] = Divider<Index>(nest.dims[loop] / together);
    for (std::size_t i = 0; i < kOperands; ++i) {
      loops.strides[loop][i] = nest.strides[i][loop] * together;
      loops.inner[i] = nest.inner_stride(i);
    }
  }
  return loops;
}

// Returns whether the operand's steps through all loops keep vectors of that width aligned, along whatever other loop
// they lie.
bool steps_fit(const Nest& nest, std::size_t operand, DataType type, int width);

// Returns the tensor's axes by descending stride, the innermost last; those of size 1 come first.
std::array<std::size_t, TensorRef::kMaxRank> order_of(const TensorRef& tensor);

// Returns whether vectors of that width along the axis can be loaded from each of the tensors (data null: none): its
// stride is 1, its size divides, and all other strides and the pointer are aligned.
bool fits_along(std::size_t axis, std::initializer_list<const TensorRef*> tensors, int width);

}  // namespace iosx::gpu::kernels
