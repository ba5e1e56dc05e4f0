#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/function_ref.h"
#include "core/model/layout/nest.h"

// Loops over tensors of equal dims and different strides.
namespace iosx::cpu {

// The first operands of most kernels.
constexpr std::size_t kOut = 0;
constexpr std::size_t kIn = 1;

// Returns the tensor at the first place of an axis.
inline TensorRef without(TensorRef tensor, std::size_t axis) {
  tensor.dims[axis] = 1;
  return tensor;
}

// Removes a loop from the nest and moves the later ones up; a nest of one loop keeps one of size 1.
void remove_loop(Nest& nest, std::size_t loop);

// Walks the first `loops` loops in order, starting at step `index`.
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

// A piece of the innermost loop: its start in each operand. The nest has the strides.
struct NestRow {
  std::array<std::byte*, kMaxOperands> at{};
  std::int64_t size = 0;
};

// Calls row() on several threads for pieces of at most `longest` elements that cover the nest. `work` as for split().
void for_rows(const Nest& nest, std::int64_t longest, std::int64_t work, FunctionRef<void(const NestRow&)> row);

// Calls body(begin, end) for even parts of 0 <= i < count, each on its own thread of the calling thread's team. `work`
// is roughly how many elements the whole moves or computes; small work stays on one thread.
void split(std::int64_t count, std::int64_t work, FunctionRef<void(std::int64_t, std::int64_t)> body);

// Returns how many threads split() would use, given enough parts.
int threads_for(std::int64_t work);

// Counts the rows of a tensor, which run along one axis, for kernels that need a row's place on every axis.
struct Places {
  std::size_t inner;  // the axis along a row: the one of stride 1, else the last; 0 without axes
  std::int64_t count = 1;
  std::int64_t length = 1;  // of a row
  std::int64_t stride = 1;  // along a row, in elements

  explicit Places(const TensorRef& ref) : inner(ref.rank == 0 ? 0 : ref.rank - 1) {
    for (std::size_t axis = 0; axis < ref.rank; ++axis) {
      if (ref.strides[axis] == 1 && ref.dims[axis] > 1) inner = axis;
    }
    for (std::size_t axis = 0; axis < ref.rank; ++axis) {
      if (axis != inner) count *= ref.dims[axis];
    }
    if (ref.rank == 0) return;
    length = ref.dims[inner];
    stride = ref.strides[inner];
  }

  // Returns the place of row `index` on each axis, 0 on the inner one.
  std::array<std::int64_t, TensorRef::kMaxRank> at(const TensorRef& ref, std::int64_t index) const {
    std::array<std::int64_t, TensorRef::kMaxRank> place{};
    for (std::size_t axis = ref.rank; axis-- > 0;) {
      if (axis == inner || ref.dims[axis] == 1) continue;
      place[axis] = index % ref.dims[axis];
      index /= ref.dims[axis];
    }
    return place;
  }
};

}  // namespace iosx::cpu
