#pragma once

#include "core/model/graph/attributes.h"
#include "core/model/layout/tensor_ref.h"

// Other views of the same memory. They copy nothing; kernels read and write them like any tensor.
namespace iosx {

TensorRef transposed(const TensorRef& in, const Transpose& transpose);
TensorRef sliced(const TensorRef& in, const Slice& slice);

// `size` elements from `begin` along an axis of the TensorRef (the batch is axis 0): one input of a concatenation.
TensorRef narrowed(const TensorRef& in, std::size_t axis, std::int64_t begin, std::int64_t size);

// Broadcasts the sample's axes by numpy's rules: dims (of a TensorRef, with the batch) are at least as many as in's,
// missing ones are inserted after the batch, and those of size 1 get stride 0.
TensorRef broadcast(const TensorRef& in, std::span<const std::int64_t> dims);

// A gather as separate output elements: with the index i at the element's place in `indices`, it is the element i ·
// step after its place in `data`. Both have the output's dims, with strides of 0.
struct GatherViews {
  TensorRef data;
  TensorRef indices;
  std::int64_t size = 0;  // indices count this many places
  std::int64_t step = 0;
};
GatherViews gather_views(const Gather& gather, const TensorRef& data, const TensorRef& indices, const TensorRef& out);

// Integers up to this are exact in the type.
constexpr std::int64_t largest_integer(DataType type) {
  return std::int64_t{1} << (type == DataType::kFloat32 ? 24 : type == DataType::kFloat16 ? 11 : 8);
}

}  // namespace iosx
