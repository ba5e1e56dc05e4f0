#pragma once

#include "core/model/graph/tensor.h"

namespace iosx {

// The type of a tensor's elements in device memory. kFloat16 is IEEE's binary16.
enum class DataType { kFloat32, kFloat16, kBfloat16 };
constexpr std::int64_t bytes_of(DataType type) { return type == DataType::kFloat32 ? 4 : 2; }

// A tensor in device memory, with any strides. Axis 0 is the batch (size 1 for a constant), the others are those of
// the sample's Shape in its order, whatever their order in memory. Strides count elements; a stride of 0 repeats.
struct TensorRef {
  static constexpr std::size_t kMaxRank = Shape::kMaxRank + 1;

  void* data = nullptr;
  DataType type = DataType::kFloat32;
  std::size_t rank = 0;
  std::array<std::int64_t, kMaxRank> dims{};
  std::array<std::int64_t, kMaxRank> strides{};

  std::int64_t elements() const {
    std::int64_t count = 1;
    for (std::size_t axis = 0; axis < rank; ++axis) count *= dims[axis];
    return count;
  }
};

}  // namespace iosx
