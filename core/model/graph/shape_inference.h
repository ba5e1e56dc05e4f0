#pragma once

#include <cstdint>
#include <span>

#include "core/base/result.h"
#include "core/model/graph/operator.h"

namespace iosx {

// Largest size of one dimension, kernel, stride, padding or dilation, and largest number of elements of one tensor:
// beyond any real network, small enough that no product of them overflows 64 bits.
inline constexpr std::int64_t kMaxExtent = 1 << 24;
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

// The output shape of an operator on inputs of these shapes. The error says which attribute or input does not fit;
// its `where` is empty (the caller knows the operator's name).
Result<Shape> infer_shape(const Attributes& attributes, std::span<const Shape> inputs);

}  // namespace iosx
