#include <algorithm>

#include "core/base/check.h"
#include "core/model/edit/operator_attributes.h"
#include "core/model/graph/attribute_list.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace {

constexpr std::int64_t kChannels = 64;
constexpr std::int64_t kImage = 224;

struct Usual {
  const Attributes& plain;  // of the kind
  Shape in;                 // what the operator will read

  std::size_t last_axis() const { return std::max<std::size_t>(in.rank(), 1) - 1; }
  std::size_t feature_axis() const { return in.rank() == 3 ? 0 : last_axis(); }

  Attributes operator()(Input input) const {
    input.shape = {3, kImage, kImage};
    return input;
  }
  Attributes operator()(Constant constant) const {
    constant.shape = in;
    return constant;
  }
  Attributes operator()(Conv conv) const {
    conv.out_channels = in.channels();
    conv.kernel = {3, 3};
    conv.padding = {1, 1};
    conv.activation = Activation::kRelu;
    return conv;
  }
  Attributes operator()(ConvTranspose conv) const {
    conv.out_channels = in.channels();
    conv.kernel = {2, 2};
    conv.stride = {2, 2};
    return conv;
  }
  Attributes operator()(Pool pool) const {  // of what is one pixel high or wide, that
    const auto size = [](std::int64_t pixels) { return std::min<std::int64_t>(pixels, 2); };
    pool.kernel = pool.stride = {size(in.height()), size(in.width())};
    return pool;
  }
  Attributes operator()(Linear linear) const {
    linear.axis = in.rank() == 3 ? 0 : last_axis();
    linear.out_features = in.rank() == 3 ? 1000 : in[last_axis()];
    return linear;
  }
  Attributes operator()(Recurrent recurrent) const {
    recurrent.hidden = in.rank() == 3 ? in[2] : kChannels;
    return recurrent;
  }
  Attributes operator()(TopK top) const {
    top.axis = last_axis();
    return top;
  }
  Attributes operator()(Reshape reshape) const {
    reshape.shape = {in.elements()};
    return reshape;
  }
  Attributes operator()(Expand expand) const {
    expand.shape = in;
    return expand;
  }
  Attributes operator()(Transpose transpose) const {
    for (std::size_t axis = 0; axis < in.rank(); ++axis) transpose.axes.push_back(axis);
    if (in.rank() > 1) std::swap(transpose.axes[in.rank() - 2], transpose.axes.back());
    return transpose;
  }
  Attributes operator()(Slice slice) const {
    slice.begins.assign(in.rank(), 0);
    slice.steps.assign(in.rank(), 1);
    slice.shape = in;
    return slice;
  }
  Attributes operator()(Pad pad) const {  // one pixel around a map
    pad.begins.assign(in.rank(), 0);
    for (std::size_t axis = 1; axis < in.rank() && in.rank() == 3; ++axis) pad.begins[axis] = 1;
    pad.ends = pad.begins;
    return pad;
  }
  Attributes operator()(Resize resize) const {  // a map to twice its height and width
    resize.coordinates = ResizeCoordinates::kAsymmetric;
    resize.rounding = ResizeRounding::kFloor;
    resize.shape = in;
    resize.scales.assign(in.rank(), 1);
    for (std::size_t axis = 1; axis < in.rank() && in.rank() == 3; ++axis) {
      resize.scales[axis] = 2;
      resize.shape = resize.shape.with(axis, 2 * in[axis]);
    }
    return resize;
  }
  Attributes operator()(Softmax softmax) const {
    softmax.axis = feature_axis();
    return softmax;
  }
  Attributes operator()(Normalize normalize) const {
    normalize.axis = feature_axis();
    return normalize;
  }
  Attributes operator()(Lrn lrn) const {
    lrn.size = 5;
    return lrn;
  }
  Attributes operator()(Reduce reduce) const {
    reduce.axes = {last_axis()};
    return reduce;
  }
  Attributes operator()(Opaque opaque) const {
    opaque.type = "Custom";
    opaque.shape = in;
    return opaque;
  }
  Attributes otherwise() const { return plain; }
};

using Shapes = std::vector<Shape>;

std::int64_t clamped(std::int64_t size) { return std::clamp<std::int64_t>(size, 1, kMaxExtent); }

Shape ones(std::size_t rank) {
  std::vector<std::int64_t> dims(std::min(rank, Shape::kMaxRank), 1);
  return Shape(dims);
}

// A map that a window of these sizes fits into.
Shape map_for(std::int64_t channels, const Extent& kernel, const Extent& dilation) {
  const auto size = [](std::int64_t window, std::int64_t apart) { return clamped(apart) * (clamped(window) - 1) + 1; };
  return {clamped(channels), size(kernel.height, dilation.height), size(kernel.width, dilation.width)};
}

// Inputs that an operator with these attributes accepts, if there are any.
struct Obliging {
  std::size_t inputs;  // at least

  Shapes otherwise() const { return Shapes(inputs, ones(1)); }
  Shapes operator()(const Conv& conv) const { return {map_for(conv.groups, conv.kernel, conv.dilation)}; }
  // One pixel makes as many as the window has, and those that are cropped from them must be fewer.
  Shapes operator()(const ConvTranspose& conv) const {
    const auto size = [](std::int64_t crop) { return clamped(crop) + 1; };
    return {Shape{clamped(conv.groups),
                  size(2 * clamped(conv.padding.height) + std::max<std::int64_t>(conv.end_padding.height, 0)),
                  size(2 * clamped(conv.padding.width) + std::max<std::int64_t>(conv.end_padding.width, 0))}};
  }
  Shapes operator()(const Pool& pool) const { return {map_for(1, pool.kernel, pool.dilation)}; }
  Shapes operator()(const MatMul& /*two*/) const { return {ones(2), ones(2)}; }
  Shapes operator()(const OneOf<Concat, Linear, Softmax, Normalize> auto& kind) const { return {up_to(kind.axis)}; }
  Shapes operator()(const Recurrent& /*recurrent*/) const { return {ones(3)}; }
  Shapes operator()(const TopK& top) const {
    Shape shape = up_to(top.axis);
    return {top.axis < shape.rank() ? shape.with(top.axis, clamped(top.k)) : shape};
  }
  Shapes operator()(const GridSample& /*sample*/) const { return {ones(3), Shape{1, 1, 2}}; }
  Shapes operator()(const Reshape& reshape) const { return {reshape.shape}; }
  Shapes operator()(const Expand& expand) const { return {expand.shape}; }
  Shapes operator()(const Transpose& transpose) const { return {ones(transpose.axes.size())}; }
  Shapes operator()(const Resize& resize) const { return {ones(resize.shape.rank())}; }
  Shapes operator()(const Slice& slice) const {
    std::vector<std::int64_t> dims;
    for (std::size_t axis = 0; axis < std::min(slice.begins.size(), Shape::kMaxRank); ++axis) {
      const std::int64_t first = std::clamp<std::int64_t>(slice.begins[axis], 0, kMaxExtent);
      const std::int64_t step =
          axis < slice.steps.size() ? std::clamp(slice.steps[axis], -kMaxExtent, kMaxExtent) : std::int64_t{1};
      const std::int64_t count = axis < slice.shape.rank() ? clamped(slice.shape[axis]) : 1;
      dims.push_back(std::max(first, first + (count - 1) * step) + 1);
    }
    return {Shape(dims)};
  }
  Shapes operator()(const Pad& pad) const {
    std::vector<std::int64_t> dims;
    for (std::size_t axis = 0; axis < std::min(pad.begins.size(), Shape::kMaxRank); ++axis) {
      const auto of = [&](const std::vector<std::int64_t>& amounts) {
        return axis < amounts.size() ? std::clamp(amounts[axis], -kMaxExtent, kMaxExtent) : std::int64_t{0};
      };
      const std::int64_t cropped = std::max<std::int64_t>(0, -of(pad.begins) - of(pad.ends));
      dims.push_back(1 + cropped + std::max<std::int64_t>({0, of(pad.begins), of(pad.ends)}));
    }
    return {Shape(dims)};
  }
  Shapes operator()(const Gather& gather) const {
    const Shape data = up_to(gather.axis);
    return {data, gather.kind == GatherKind::kElements ? data : ones(1)};
  }
  Shapes operator()(const Reduce& reduce) const {
    const auto last = std::ranges::max_element(reduce.axes);
    return {last == reduce.axes.end() ? ones(1) : up_to(*last)};
  }

 private:
  // With that axis, if a tensor can have it.
  static Shape up_to(std::size_t axis) { return ones(std::min(axis, Shape::kMaxRank) + 1); }
};

}  // namespace

Attributes default_attributes(std::size_t kind, const std::optional<Shape>& input) {
  IOS_CHECK(kind < std::variant_size_v<Attributes>);
  const Attributes plain = attributes_of_kind(kind);
  return visit_kind(Usual{plain, input.value_or(Shape{kChannels, 56, 56})}, plain);
}

std::size_t default_inputs(const Attributes& attributes) {
  if (std::holds_alternative<Concat>(attributes)) return 2;
  if (std::holds_alternative<Opaque>(attributes)) return 1;
  return operator_row(attributes).least_inputs;
}

Result<void> check_attributes(const Attributes& attributes) {
  IOS_TRY(infer_shape(attributes, visit_kind(Obliging{operator_row(attributes).least_inputs}, attributes)));
  return {};
}

}  // namespace iosx
