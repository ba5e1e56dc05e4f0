#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/model/layout/tensor_ref.h"

namespace iosx::cpu {

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
