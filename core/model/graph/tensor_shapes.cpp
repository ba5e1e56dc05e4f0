#include "core/model/graph/tensor_shapes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace {

using Dims = std::array<std::int64_t, Shape::kMaxRank>;

Shape made(const Dims& dims, std::size_t rank) { return Shape(std::span(dims.data(), rank)); }

Result<Shape> broadcast_all(std::span<const Shape> inputs) {
  Result<Shape> shape = inputs.front();
  for (const Shape& next : inputs.subspan(1)) {
    shape = broadcast(*shape, next);
    if (!shape) return shape;
  }
  return checked_shape(*shape);
}

Result<Shape> no_axis(std::size_t axis, const Shape& shape) {
  return fail(message("has no axis {} in its input {}", axis, shape_text(shape)));
}

}  // namespace

Result<Shape> checked_shape(const Shape& shape) {
  std::int64_t elements = 1;
  for (const std::int64_t size : shape.dims()) {
    if (size < 1 || size > kMaxExtent) {
      return fail(message("the output {} has a dimension outside 1..{}", shape_text(shape), kMaxExtent));
    }
    if (elements > kMaxElements / size) {
      return fail(message("the output {} has more than {} elements", shape_text(shape), kMaxElements));
    }
    elements *= size;
  }
  return shape;
}

Result<Shape> broadcast(const Shape& a, const Shape& b) {
  const std::size_t rank = std::max(a.rank(), b.rank());
  Dims dims{};
  for (std::size_t from_end = 1; from_end <= rank; ++from_end) {
    const std::int64_t left = from_end <= a.rank() ? a[a.rank() - from_end] : 1;
    const std::int64_t right = from_end <= b.rank() ? b[b.rank() - from_end] : 1;
    if (left != right && left != 1 && right != 1) {
      return fail(message("inputs have different shapes, {} and {}", shape_text(a), shape_text(b)));
    }
    dims[rank - from_end] = left == 1 ? right : left;
  }
  return made(dims, rank);
}

Result<Shape> infer_tensor_shape(const Activate& /*activate*/, std::span<const Shape> inputs) { return inputs.front(); }
Result<Shape> infer_tensor_shape(const Identity& /*identity*/, std::span<const Shape> inputs) { return inputs.front(); }

Result<Shape> infer_tensor_shape(const Affine& /*affine*/, std::span<const Shape> inputs) {
  if (inputs.front().rank() == 0) return no_axis(0, inputs.front());
  return inputs.front();
}

Result<Shape> infer_tensor_shape(const Add& /*add*/, std::span<const Shape> inputs) { return broadcast_all(inputs); }
Result<Shape> infer_tensor_shape(const Mul& /*mul*/, std::span<const Shape> inputs) { return broadcast_all(inputs); }

Result<Shape> infer_tensor_shape(const Binary& binary, std::span<const Shape> inputs) {
  if (binary.function == BinaryFunction::kAdd || binary.function == BinaryFunction::kMul) {
    return fail(message("{} is an operator of its own", binary_row(binary.function).name));
  }
  return broadcast_all(inputs);
}

Result<Shape> infer_tensor_shape(const Where& /*where*/, std::span<const Shape> inputs) {
  return broadcast_all(inputs);
}

Result<Shape> infer_tensor_shape(const Concat& concat, std::span<const Shape> inputs) {
  const Shape& first = inputs.front();
  if (concat.axis >= first.rank()) return no_axis(concat.axis, first);
  std::int64_t size = 0;
  for (const Shape& shape : inputs) {
    if (shape.rank() != first.rank() || shape.with(concat.axis, 1) != first.with(concat.axis, 1)) {
      return fail(concat.axis == 0
                      ? message("inputs {} and {} differ in more than channels, so they cannot be concatenated",
                                shape_text(first), shape_text(shape))
                      : message("inputs {} and {} differ in more than axis {}, so they cannot be concatenated",
                                shape_text(first), shape_text(shape), concat.axis));
    }
    size = std::min(size + shape[concat.axis], kMaxExtent + 1);
  }
  return checked_shape(first.with(concat.axis, size));
}

Result<Shape> infer_tensor_shape(const MatMul& /*matmul*/, std::span<const Shape> inputs) {
  const Shape& a = inputs[0];
  const Shape& b = inputs[1];
  if (a.rank() < 2 || b.rank() < 2) {
    return fail(message("needs matrices, has {} and {}", shape_text(a), shape_text(b)));
  }
  if (a[a.rank() - 1] != b[b.rank() - 2]) {
    return fail(message("the rows of {} and the columns of {} differ in length", shape_text(a), shape_text(b)));
  }
  auto outer = broadcast(Shape(a.dims().first(a.rank() - 2)), Shape(b.dims().first(b.rank() - 2)));
  if (!outer) return outer;
  Dims dims{};
  std::copy(outer->dims().begin(), outer->dims().end(), dims.begin());
  dims[outer->rank()] = a[a.rank() - 2];
  dims[outer->rank() + 1] = b[b.rank() - 1];
  return checked_shape(made(dims, outer->rank() + 2));
}

Result<Shape> infer_tensor_shape(const Recurrent& recurrent, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  if (in.rank() != 3) return fail(message("needs positions x sequences x features, has {}", shape_text(in)));
  if (recurrent.hidden < 1 || recurrent.hidden > kMaxExtent) {
    return fail(message("hidden units {} must lie in 1..{}", recurrent.hidden, kMaxExtent));
  }
  if (recurrent.last_cell && recurrent.kind != RecurrentKind::kLstm)
    return fail(message("has no cell state to answer"));
  const std::int64_t directions = directions_of(recurrent.direction);
  const std::int64_t rows = directions * gates_of(recurrent.kind) * recurrent.hidden;
  if (rows > kMaxElements / (in[2] + recurrent.hidden)) {
    return fail(message("has more than {} weights", kMaxElements));
  }
  const std::size_t states = recurrent.kind == RecurrentKind::kLstm ? 2 : 1;
  if (inputs.size() != 1 && inputs.size() != 1 + states) {
    return fail(message("needs {} state(s) as further inputs or none, has {}", states, inputs.size() - 1));
  }
  const Shape state{directions, in[1], recurrent.hidden};
  for (const Shape& given : inputs.subspan(1)) {
    if (given != state) return fail(message("needs a state {}, has {}", shape_text(state), shape_text(given)));
  }
  return checked_shape(Shape{in[0] + (recurrent.last_cell ? 1 : 0), directions, in[1], recurrent.hidden});
}

Result<Shape> infer_tensor_shape(const TopK& top, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  if (top.axis >= in.rank()) return no_axis(top.axis, in);
  if (top.k < 1 || top.k > in[top.axis]) {
    return fail(message("k {} must lie in 1..{}, the size of axis {}", top.k, in[top.axis], top.axis));
  }
  return in.with(top.axis, top.k);
}

Result<Shape> infer_tensor_shape(const GridSample& /*sample*/, std::span<const Shape> inputs) {
  const Shape& in = inputs[0];
  const Shape& grid = inputs[1];
  if (in.rank() != 3 || grid.rank() != 3 || grid[2] != 2) {
    return fail(message("needs channels x height x width and a grid height x width x 2, has {} and {}", shape_text(in),
                        shape_text(grid)));
  }
  return checked_shape(Shape{in[0], grid[0], grid[1]});
}

Result<Shape> infer_tensor_shape(const Reshape& reshape, std::span<const Shape> inputs) {
  auto shape = checked_shape(reshape.shape);
  if (shape && shape->elements() != inputs.front().elements()) {
    return fail(
        message("{} and {} have different numbers of elements", shape_text(inputs.front()), shape_text(*shape)));
  }
  return shape;
}

Result<Shape> infer_tensor_shape(const Transpose& transpose, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  std::array<bool, Shape::kMaxRank> seen{};
  Dims dims{};
  if (transpose.axes.size() != in.rank()) {
    return fail(message("orders {} axes of {}", transpose.axes.size(), shape_text(in)));
  }
  for (std::size_t i = 0; i < in.rank(); ++i) {
    const std::size_t axis = transpose.axes[i];
    if (axis >= in.rank() || seen[axis]) return fail(message("its axes are not a permutation"));
    seen[axis] = true;
    dims[i] = in[axis];
  }
  return made(dims, in.rank());
}

Result<Shape> infer_tensor_shape(const Slice& slice, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  if (slice.shape.rank() != in.rank() || slice.begins.size() != in.rank() || slice.steps.size() != in.rank()) {
    return fail(message("has not one begin and step for each axis of {}", shape_text(in)));
  }
  auto shape = checked_shape(slice.shape);
  if (!shape) return shape;
  for (std::size_t axis = 0; axis < in.rank(); ++axis) {
    const std::int64_t step = slice.steps[axis];
    if (step == 0 || step > kMaxExtent || step < -kMaxExtent) {
      return fail(message("step {} of axis {} must be in 1..{} or its negative", step, axis, kMaxExtent));
    }
    const std::int64_t first = slice.begins[axis];
    const auto inside = [&](std::int64_t at) { return at >= 0 && at < in[axis]; };
    if (!inside(first) || !inside(first + (slice.shape[axis] - 1) * step)) {
      return fail(message("reaches outside axis {} of {}", axis, shape_text(in)));
    }
  }
  return shape;
}

Result<Shape> infer_tensor_shape(const Pad& pad, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  if (pad.begins.size() != in.rank() || pad.ends.size() != in.rank()) {
    return fail(message("has not one begin and end for each axis of {}", shape_text(in)));
  }
  Dims dims{};
  for (std::size_t axis = 0; axis < in.rank(); ++axis) {
    for (const std::int64_t amount : {pad.begins[axis], pad.ends[axis]}) {
      if (amount < -kMaxExtent || amount > kMaxExtent) {
        return fail(message("padding {} of axis {} is beyond {}", amount, axis, kMaxExtent));
      }
      if (pad.mode == PadMode::kReflect && amount >= in[axis]) {
        return fail(message("reflects {} of the {} elements of axis {}", amount, in[axis], axis));
      }
    }
    dims[axis] = in[axis] + pad.begins[axis] + pad.ends[axis];
  }
  return checked_shape(made(dims, in.rank()));
}

Result<Shape> infer_tensor_shape(const Resize& resize, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  if (resize.shape.rank() != in.rank() || resize.scales.size() != in.rank()) {
    return fail(message("has not one scale for each axis of {}", shape_text(in)));
  }
  for (const float scale : resize.scales) {
    if (!(scale > 0)) return fail(message("scale {} must be positive", scale));
  }
  return checked_shape(resize.shape);
}

Result<Shape> infer_tensor_shape(const Softmax& softmax, std::span<const Shape> inputs) {
  const Shape& shape = inputs.front();
  if (softmax.axis >= shape.rank()) return no_axis(softmax.axis, shape);
  return shape;
}

Result<Shape> infer_tensor_shape(const Lrn& lrn, std::span<const Shape> inputs) {
  const Shape& shape = inputs.front();
  if (lrn.size < 1 || lrn.size > kMaxExtent) {
    return fail(message("size {} must lie in 1..{}", lrn.size, kMaxExtent));
  }
  if (shape.rank() == 0) return no_axis(0, shape);
  return shape;
}

Result<Shape> infer_tensor_shape(const Normalize& normalize, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  if (normalize.axis >= in.rank()) return no_axis(normalize.axis, in);
  if (!(normalize.epsilon >= 0)) return fail(message("epsilon {} must not be negative", normalize.epsilon));
  return in;
}

Result<Shape> infer_tensor_shape(const Expand& expand, std::span<const Shape> inputs) {
  auto shape = checked_shape(expand.shape);
  if (!shape) return shape;
  const auto both = broadcast(inputs.front(), *shape);
  if (!both || *both != *shape) {
    return fail(message("{} cannot be repeated to {}", shape_text(inputs.front()), shape_text(*shape)));
  }
  return shape;
}

Result<Shape> infer_tensor_shape(const Gather& gather, std::span<const Shape> inputs) {
  const Shape& data = inputs[0];
  const Shape& indices = inputs[1];
  if (gather.axis >= data.rank()) return no_axis(gather.axis, data);
  if (gather.kind == GatherKind::kElements) {
    bool fits = indices.rank() == data.rank();
    for (std::size_t axis = 0; fits && axis < data.rank(); ++axis) {
      fits = axis == gather.axis || indices[axis] <= data[axis];
    }
    if (!fits) return fail(message("indices {} do not fit {}", shape_text(indices), shape_text(data)));
    return indices;
  }
  if (data.rank() + indices.rank() - 1 > Shape::kMaxRank) {
    return fail(message("indices {} of {} make too many axes", shape_text(indices), shape_text(data)));
  }
  Dims dims{};
  std::size_t rank = 0;
  const auto add = [&](const Shape& shape, std::size_t from, std::size_t to) {
    for (std::size_t axis = from; axis < to; ++axis) dims[rank++] = shape[axis];
  };
  add(data, 0, gather.axis);
  add(indices, 0, indices.rank());
  add(data, gather.axis + 1, data.rank());
  return checked_shape(made(dims, rank));
}

Result<Shape> infer_tensor_shape(const Reduce& reduce, std::span<const Shape> inputs) {
  const Shape& in = inputs.front();
  if (is_arg(reduce.kind) && reduce.axes.size() != 1) return fail(message("looks for a place along one axis only"));
  std::array<bool, Shape::kMaxRank> reduced{};
  for (const std::size_t axis : reduce.axes) {
    if (axis >= in.rank()) return no_axis(axis, in);
    if (reduced[axis]) return fail(message("names axis {} twice", axis));
    reduced[axis] = true;
  }
  Dims dims{};
  std::size_t rank = 0;
  for (std::size_t axis = 0; axis < in.rank(); ++axis) {
    if (!reduced[axis] || reduce.keep_dims) dims[rank++] = reduced[axis] ? 1 : in[axis];
  }
  return made(dims, rank);
}

Result<Shape> infer_tensor_shape(const Opaque& opaque, std::span<const Shape> /*inputs*/) {
  return checked_shape(opaque.shape);
}

}  // namespace iosx
