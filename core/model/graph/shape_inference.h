#pragma once

#include "core/base/result.h"
#include "core/model/graph/operator.h"

namespace iosx {

// Every axis within 1..kMaxExtent, and at most kMaxElements elements.
Result<Shape> checked_shape(const Shape& shape);
// numpy's rule; the error names the two shapes.
Result<Shape> broadcast(const Shape& a, const Shape& b);

// The output shape of an operator on inputs of these shapes. The error says which attribute or input does not fit;
// its `where` is empty (the caller knows the operator's name).
Result<Shape> infer_shape(const Attributes& attributes, std::span<const Shape> inputs);

}  // namespace iosx
