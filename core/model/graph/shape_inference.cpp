#include "core/model/graph/shape_inference.h"

#include <algorithm>

#include "core/model/graph/attribute_list.h"
#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

bool in_range(std::int64_t value) { return value >= 0 && value <= kMaxExtent; }

Result<void> check_count(const OperatorRow& row, std::size_t inputs) {
  if (inputs >= row.least_inputs && inputs <= row.most_inputs) return {};
  if (row.least_inputs == row.most_inputs) {
    return fail(message("needs {} input(s), has {}", row.least_inputs, inputs));
  }
  return fail(message("needs at least {} inputs, has {}", row.least_inputs, inputs));
}

// Output size of a sliding window along one axis; 0 when the window does not fit.
std::int64_t windowed(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t padding,
                      std::int64_t end_padding, std::int64_t dilation, bool ceil_mode) {
  const std::int64_t reach = in + 2 * padding + end_padding - dilation * (kernel - 1) - 1;
  if (reach < 0) return 0;
  std::int64_t out = reach / stride + 1;
  if (ceil_mode && reach % stride != 0) {
    // The extra window must start inside the input or its left padding.
    if (out * stride < in + padding) ++out;
  }
  return out;
}

using Dims = std::array<std::int64_t, Shape::kMaxRank>;

Shape made(const Dims& dims, std::size_t rank) { return Shape(std::span(dims.data(), rank)); }

Result<Shape> broadcast_all(std::span<const Shape> inputs) {
  Shape shape = inputs.front();
  for (const Shape& next : inputs.subspan(1)) {
    IOS_TRY(shape, broadcast(shape, next));
  }
  return checked_shape(shape);
}

// Infers from as many inputs as the operator's row says, and attributes within their bounds.
struct Infer {
  std::span<const Shape> inputs;

  Result<void> need_feature_map() const {
    if (inputs.front().is_feature_map()) return {};
    return fail(message("needs channels x height x width, has {}", shape_text(inputs.front())));
  }

  Result<Shape> window(std::int64_t channels, const Extent& kernel, const Extent& stride, const Extent& padding,
                       const Extent& end_padding, const Extent& dilation, bool ceil_mode) const {
    const Extent end{padding.height + end_padding.height, padding.width + end_padding.width};
    if (!in_range(end.height) || !in_range(end.width)) {
      return fail(message("end padding [{}, {}] must lie in 0..{}", end.height, end.width, kMaxExtent));
    }
    const Shape& in = inputs.front();
    const Shape out{
        channels,
        windowed(in.height(), kernel.height, stride.height, padding.height, end_padding.height, dilation.height,
                 ceil_mode),
        windowed(in.width(), kernel.width, stride.width, padding.width, end_padding.width, dilation.width, ceil_mode)};
    if (out.height() < 1 || out.width() < 1) {
      return fail(message("kernel [{}, {}] does not fit the input {}", kernel.height, kernel.width, shape_text(in)));
    }
    return checked_shape(out);
  }

  Result<Shape> operator()(const OneOf<Input, Constant, Opaque> auto& kind) const { return checked_shape(kind.shape); }

  // The error that channels, groups and kernel do not fit, if any. in_channels and out_channels: of the weights.
  Result<void> check_weights(std::int64_t out_channels, std::int64_t groups, const Extent& kernel) const {
    const std::int64_t in_channels = inputs.front().channels();
    if (in_channels % groups != 0 || out_channels % groups != 0) {
      return fail(
          message("groups {} must divide the {} input and the {} output channels", groups, in_channels, out_channels));
    }
    // Two factors of at most 2^24 each, then a comparison before every further product.
    std::int64_t weights = out_channels * (in_channels / groups);
    for (const auto size : {kernel.height, kernel.width}) {
      if (weights > kMaxElements / size) return fail(message("has more than {} weights", kMaxElements));
      weights *= size;
    }
    return {};
  }

  Result<Shape> operator()(const Conv& conv) const {
    IOS_TRY(need_feature_map());
    IOS_TRY(check_weights(conv.out_channels, conv.groups, conv.kernel));
    return window(conv.out_channels, conv.kernel, conv.stride, conv.padding, conv.end_padding, conv.dilation, false);
  }

  Result<Shape> operator()(const ConvTranspose& conv) const {
    IOS_TRY(need_feature_map());
    IOS_TRY(check_weights(conv.out_channels, conv.groups, conv.kernel));
    const auto size = [](std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t crop,
                         std::int64_t dilation,
                         std::int64_t extra) { return (in - 1) * stride + dilation * (kernel - 1) + 1 - crop + extra; };
    const Shape& in = inputs.front();
    return checked_shape(
        Shape{conv.out_channels,
              size(in.height(), conv.kernel.height, conv.stride.height,
                   2 * conv.padding.height + conv.end_padding.height, conv.dilation.height, conv.output_padding.height),
              size(in.width(), conv.kernel.width, conv.stride.width, 2 * conv.padding.width + conv.end_padding.width,
                   conv.dilation.width, conv.output_padding.width)});
  }

  Result<Shape> operator()(const Pool& pool) const {
    IOS_TRY(need_feature_map());
    const auto channels = inputs.front().channels();
    if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) return Shape{channels, 1, 1};
    const auto too_much = [](std::int64_t padding, std::int64_t extra, std::int64_t kernel, std::int64_t dilation) {
      return std::max(padding, padding + extra) > dilation * (kernel - 1);
    };
    if (too_much(pool.padding.height, pool.end_padding.height, pool.kernel.height, pool.dilation.height) ||
        too_much(pool.padding.width, pool.end_padding.width, pool.kernel.width, pool.dilation.width)) {
      return fail(message("padding [{}, {}] before and [{}, {}] after must be smaller than the kernel [{}, {}]",
                          pool.padding.height, pool.padding.width, pool.padding.height + pool.end_padding.height,
                          pool.padding.width + pool.end_padding.width, pool.kernel.height, pool.kernel.width));
    }
    return window(channels, pool.kernel, pool.stride, pool.padding, pool.end_padding, pool.dilation, pool.ceil_mode);
  }

  Result<Shape> operator()(const Linear& linear) const {
    const auto dims = inputs.front().dims();
    if (linear.axis > 0 && linear.axis >= dims.size()) {
      return fail(message("axis {} is outside its input of {} axes", linear.axis, dims.size()));
    }
    std::vector<std::int64_t> made(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(linear.axis));
    made.push_back(linear.out_features);
    auto out = checked_shape(Shape(made));
    if (out && linear.out_features > kMaxElements / inputs.front().elements_from(linear.axis)) {
      return fail(message("has more than {} weights", kMaxElements));
    }
    return out;
  }

  Result<Shape> operator()(const OneOf<Activate, Identity> auto& /*kind*/) const { return inputs.front(); }

  Result<Shape> with_axis(std::size_t axis) const {
    const Shape& in = inputs.front();
    if (axis < in.rank()) return in;
    return fail(message("has no axis {} in its input {}", axis, shape_text(in)));
  }
  Result<Shape> operator()(const OneOf<Affine, Lrn> auto& /*kind*/) const { return with_axis(0); }
  Result<Shape> operator()(const Softmax& softmax) const { return with_axis(softmax.axis); }

  Result<Shape> operator()(const OneOf<Add, Mul, Where> auto& /*kind*/) const { return broadcast_all(inputs); }

  Result<Shape> operator()(const Binary& binary) const {
    if (binary.function == BinaryFunction::kAdd || binary.function == BinaryFunction::kMul) {
      return fail(message("{} is a separate operator", binary_row(binary.function).name));
    }
    return broadcast_all(inputs);
  }

  Result<Shape> operator()(const Concat& concat) const {
    IOS_TRY(const Shape first, with_axis(concat.axis));
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

  Result<Shape> operator()(const MatMul& /*matmul*/) const {
    const Shape& a = inputs[0];
    const Shape& b = inputs[1];
    if (a.rank() < 2 || b.rank() < 2) {
      return fail(message("needs matrices, has {} and {}", shape_text(a), shape_text(b)));
    }
    if (a[a.rank() - 1] != b[b.rank() - 2]) {
      return fail(message("the rows of {} and the columns of {} differ in length", shape_text(a), shape_text(b)));
    }
    IOS_TRY(const Shape outer, broadcast(Shape(a.dims().first(a.rank() - 2)), Shape(b.dims().first(b.rank() - 2))));
    Dims dims{};
    std::ranges::copy(outer.dims(), dims.begin());
    dims[outer.rank()] = a[a.rank() - 2];
    dims[outer.rank() + 1] = b[b.rank() - 1];
    return checked_shape(made(dims, outer.rank() + 2));
  }

  Result<Shape> operator()(const Recurrent& recurrent) const {
    const Shape& in = inputs.front();
    if (in.rank() != 3) return fail(message("needs positions x sequences x features, but has {}", shape_text(in)));
    if (recurrent.last_cell && recurrent.kind != RecurrentKind::kLstm)
      return fail(message("has no cell state to output"));
    const std::int64_t directions = directions_of(recurrent.direction);
    const std::int64_t rows = directions * gates_of(recurrent.kind) * recurrent.hidden;
    if (rows > kMaxElements / (in[2] + recurrent.hidden)) {
      return fail(message("has more than {} weights", kMaxElements));
    }
    const std::size_t states = recurrent.kind == RecurrentKind::kLstm ? 2 : 1;
    if (inputs.size() != 1 && inputs.size() != 1 + states) {
      return fail(message("needs {} state(s) as further inputs, or none, but has {}", states, inputs.size() - 1));
    }
    const Shape state{directions, in[1], recurrent.hidden};
    for (const Shape& given : inputs.subspan(1)) {
      if (given != state) return fail(message("needs a state {}, has {}", shape_text(state), shape_text(given)));
    }
    return checked_shape(Shape{in[0] + (recurrent.last_cell ? 1 : 0), directions, in[1], recurrent.hidden});
  }

  Result<Shape> operator()(const TopK& top) const {
    IOS_TRY(const Shape in, with_axis(top.axis));
    if (top.k > in[top.axis]) {
      return fail(message("k {} must lie in 1..{}, the size of axis {}", top.k, in[top.axis], top.axis));
    }
    return in.with(top.axis, top.k);
  }

  Result<Shape> operator()(const GridSample& /*sample*/) const {
    const Shape& in = inputs[0];
    const Shape& grid = inputs[1];
    if (in.rank() != 3 || grid.rank() != 3 || grid[2] != 2) {
      return fail(message("needs channels x height x width and a grid height x width x 2, has {} and {}",
                          shape_text(in), shape_text(grid)));
    }
    return checked_shape(Shape{in[0], grid[0], grid[1]});
  }

  Result<Shape> operator()(const Reshape& reshape) const {
    auto shape = checked_shape(reshape.shape);
    if (shape && shape->elements() != inputs.front().elements()) {
      return fail(
          message("{} and {} have different numbers of elements", shape_text(inputs.front()), shape_text(*shape)));
    }
    return shape;
  }

  Result<Shape> operator()(const Transpose& transpose) const {
    const Shape& in = inputs.front();
    std::array<bool, Shape::kMaxRank> seen{};
    Dims dims{};
    if (transpose.axes.size() != in.rank()) {
      return fail(message("permutes {} axes, but its input has {}", transpose.axes.size(), shape_text(in)));
    }
    for (std::size_t i = 0; i < in.rank(); ++i) {
      const std::size_t axis = transpose.axes[i];
      if (axis >= in.rank() || seen[axis]) return fail(message("its axes are not a permutation"));
      seen[axis] = true;
      dims[i] = in[axis];
    }
    return made(dims, in.rank());
  }

  Result<Shape> operator()(const Slice& slice) const {
    const Shape& in = inputs.front();
    if (slice.shape.rank() != in.rank() || slice.begins.size() != in.rank() || slice.steps.size() != in.rank()) {
      return fail(message("does not have one begin and step for each axis of {}", shape_text(in)));
    }
    IOS_TRY(const Shape shape, checked_shape(slice.shape));
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

  Result<Shape> operator()(const Pad& pad) const {
    const Shape& in = inputs.front();
    if (pad.begins.size() != in.rank() || pad.ends.size() != in.rank()) {
      return fail(message("does not have one begin and end for each axis of {}", shape_text(in)));
    }
    Dims dims{};
    for (std::size_t axis = 0; axis < in.rank(); ++axis) {
      for (const std::int64_t amount : {pad.begins[axis], pad.ends[axis]}) {
        if (amount < -kMaxExtent || amount > kMaxExtent) {
          return fail(message("padding {} of axis {} exceeds {}", amount, axis, kMaxExtent));
        }
        if (pad.mode == PadMode::kReflect && amount >= in[axis]) {
          return fail(message("reflects {} of the {} elements of axis {}", amount, in[axis], axis));
        }
      }
      dims[axis] = in[axis] + pad.begins[axis] + pad.ends[axis];
    }
    return checked_shape(made(dims, in.rank()));
  }

  Result<Shape> operator()(const Resize& resize) const {
    const Shape& in = inputs.front();
    if (resize.shape.rank() != in.rank() || resize.scales.size() != in.rank()) {
      return fail(message("does not have one scale for each axis of {}", shape_text(in)));
    }
    for (const float scale : resize.scales) {
      if (!(scale > 0)) return fail(message("scale {} must be positive", scale));
    }
    return checked_shape(resize.shape);
  }

  Result<Shape> operator()(const Normalize& normalize) const {
    IOS_TRY(const Shape in, with_axis(normalize.axis));
    if (!(normalize.epsilon >= 0)) return fail(message("epsilon {} must not be negative", normalize.epsilon));
    return in;
  }

  Result<Shape> operator()(const Expand& expand) const {
    IOS_TRY(const Shape shape, checked_shape(expand.shape));
    const auto both = broadcast(inputs.front(), shape);
    if (!both || *both != shape) {
      return fail(message("{} cannot be repeated to {}", shape_text(inputs.front()), shape_text(shape)));
    }
    return shape;
  }

  Result<Shape> operator()(const Gather& gather) const {
    IOS_TRY(const Shape data, with_axis(gather.axis));
    const Shape& indices = inputs[1];
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

  Result<Shape> operator()(const Reduce& reduce) const {
    const Shape& in = inputs.front();
    if (is_arg(reduce.kind) && reduce.axes.size() != 1) return fail(message("can find a position along one axis only"));
    std::array<bool, Shape::kMaxRank> reduced{};
    for (const std::size_t axis : reduce.axes) {
      IOS_TRY(with_axis(axis));
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
};

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

Result<Shape> infer_shape(const Attributes& attributes, std::span<const Shape> inputs) {
  IOS_TRY(check_count(operator_row(attributes), inputs.size()));
  IOS_TRY(check_bounds(attributes));
  if (const Activation fused = fused_activation(attributes); !activation_row(fused.kind).fuses) {
    return fail(message("cannot apply {} itself", activation_name(fused)));
  }
  return visit_kind(Infer{inputs}, attributes);
}

}  // namespace iosx
