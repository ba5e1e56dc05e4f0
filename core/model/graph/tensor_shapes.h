#pragma once

#include <cstddef>
#include <span>

#include "core/base/result.h"
#include "core/model/graph/operator.h"

// Shape inference of the operators that are not bound to feature maps; see shape_inference.h, which has counted the
// inputs.
namespace iosx {

// Every axis within 1..kMaxExtent, and at most kMaxElements elements.
Result<Shape> checked_shape(const Shape& shape);
// numpy's rule; the error names the two shapes.
Result<Shape> broadcast(const Shape& a, const Shape& b);

Result<Shape> infer_tensor_shape(const Activate& activate, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Affine& affine, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Identity& identity, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Add& add, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Mul& mul, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Binary& binary, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Where& where, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Concat& concat, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const MatMul& matmul, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Recurrent& recurrent, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const TopK& top, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const GridSample& sample, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Reshape& reshape, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Transpose& transpose, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Slice& slice, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Pad& pad, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Resize& resize, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Softmax& softmax, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Lrn& lrn, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Expand& expand, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Gather& gather, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Normalize& normalize, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Reduce& reduce, std::span<const Shape> inputs);
Result<Shape> infer_tensor_shape(const Opaque& opaque, std::span<const Shape> inputs);

}  // namespace iosx
