#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/graph/tensor_attributes.h"
#include "core/layout/tensor_ref.h"

// Other looks at the same memory. Nothing is copied; kernels read and write them like any tensor.
namespace iosx {

TensorRef transposed(const TensorRef& in, const Transpose& transpose);
TensorRef sliced(const TensorRef& in, const Slice& slice);

// `size` elements from `begin` along an axis of the TensorRef (the batch is axis 0): a concatenation's piece.
TensorRef narrowed(const TensorRef& in, std::size_t axis, std::int64_t begin, std::int64_t size);

// As numpy broadcasts the sample's axes: dims (of a TensorRef, with the batch) are at least as many as in's, missing
// ones are inserted after the batch, and those of size 1 get stride 0.
TensorRef broadcast(const TensorRef& in, std::span<const std::int64_t> dims);

}  // namespace iosx
