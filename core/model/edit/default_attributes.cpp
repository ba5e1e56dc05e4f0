#include "core/model/edit/default_attributes.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/model/graph/attribute_list.h"
#include "core/model/graph/operator_table.h"

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

}  // namespace iosx
