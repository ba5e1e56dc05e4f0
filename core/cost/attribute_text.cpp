#include "core/cost/attribute_text.h"

#include <bit>
#include <charconv>
#include <vector>

namespace iosx {
namespace {

void put_extent(std::string& text, char mark, const Extent& extent) {
  put(text, mark, extent.height);
  put(text, 'x', extent.width);
}

// The bits: lossless.
void put_float(std::string& text, char mark, float number) {
  put(text, mark, static_cast<std::int64_t>(std::bit_cast<std::uint32_t>(number)));
}

template <typename Number>
void put_list(std::string& text, char mark, const std::vector<Number>& numbers) {
  text.push_back(mark);
  for (const Number number : numbers) {
    if constexpr (std::is_same_v<Number, float>) {
      put_float(text, '_', number);
    } else {
      put(text, '_', static_cast<std::int64_t>(number));
    }
  }
}

void put_window(std::string& text, const Extent& kernel, const Extent& stride, const Extent& padding) {
  put_extent(text, 'k', kernel);
  if (stride != Extent{1, 1}) put_extent(text, 's', stride);
  if (padding != Extent{0, 0}) put_extent(text, 'p', padding);
}

void put_activation(std::string& text, const Activation& activation) {
  text += activation_name(activation);
  if (activation.alpha != 0 || activation.beta != 0) {
    put_float(text, '_', activation.alpha);
    put_float(text, '_', activation.beta);
  }
}

struct AttributeText {
  std::string& text;

  void fused(const Activation& activation) const {
    if (activation == Activation::kIdentity) return;
    text += '/';
    put_activation(text, activation);
  }

  void operator()(const Input& /*input*/) const { text += "input"; }
  void operator()(const Constant& /*constant*/) const { text += "constant"; }
  void operator()(const Conv& conv) const {
    text += "conv";
    put(text, conv.out_channels);
    put_window(text, conv.kernel, conv.stride, conv.padding);
    if (conv.end_padding != Extent{0, 0}) put_extent(text, 'e', conv.end_padding);
    if (conv.dilation != Extent{1, 1}) put_extent(text, 'd', conv.dilation);
    if (conv.groups != 1) put(text, 'g', conv.groups);
    fused(conv.activation);
  }
  void operator()(const ConvTranspose& conv) const {
    text += "deconv";
    put(text, conv.out_channels);
    put_window(text, conv.kernel, conv.stride, conv.padding);
    put_extent(text, 'e', conv.end_padding);
    put_extent(text, 'o', conv.output_padding);
    put_extent(text, 'd', conv.dilation);
    put(text, 'g', conv.groups);
    fused(conv.activation);
  }
  void operator()(const Pool& pool) const {
    switch (pool.kind) {
      case PoolKind::kGlobalMax: text += "gmax"; return;
      case PoolKind::kGlobalAverage: text += "gavg"; return;
      case PoolKind::kMax: text += "max"; break;
      case PoolKind::kAverage: text += "avg"; break;
    }
    put_window(text, pool.kernel, pool.stride, pool.padding);
    if (pool.end_padding != Extent{0, 0}) put_extent(text, 'e', pool.end_padding);
    if (pool.dilation != Extent{1, 1}) put_extent(text, 'd', pool.dilation);
    if (pool.ceil_mode) text += 'c';
    if (!pool.count_padding) text += 'x';
  }
  void operator()(const Activate& activate) const { put_activation(text, activate.function); }
  void operator()(const Affine& affine) const {
    text += "affine";
    fused(affine.activation);
  }
  void operator()(const Add& /*add*/) const { text += "add"; }
  void operator()(const Mul& /*mul*/) const { text += "mul"; }
  void operator()(const Sub& /*sub*/) const { text += "sub"; }
  void operator()(const Div& /*div*/) const { text += "div"; }
  void operator()(const Concat& concat) const {
    text += "concat";
    if (concat.axis != 0) put(text, static_cast<std::int64_t>(concat.axis));
  }
  void operator()(const Identity& /*identity*/) const { text += "copy"; }
  void operator()(const Linear& linear) const {
    text += "linear";
    put(text, linear.out_features);
    fused(linear.activation);
  }
  void operator()(const MatMul& /*matmul*/) const { text += "matmul"; }
  void operator()(const Reshape& reshape) const {
    text += "reshape";
    put(text, '=', reshape.shape);
  }
  void operator()(const Transpose& transpose) const {
    text += "transpose";
    put_list(text, 'a', transpose.axes);
  }
  void operator()(const Slice& slice) const {
    text += "slice";
    put_list(text, 'b', slice.begins);
    put_list(text, 's', slice.steps);
    put(text, '=', slice.shape);
  }
  void operator()(const Pad& pad) const {
    text += "pad";
    put(text, 'm', static_cast<std::int64_t>(pad.mode));
    put_list(text, 'b', pad.begins);
    put_list(text, 'e', pad.ends);
    put_float(text, 'v', pad.value);
  }
  void operator()(const Resize& resize) const {
    text += "resize";
    put(text, 'm', static_cast<std::int64_t>(resize.mode));
    put(text, 'c', static_cast<std::int64_t>(resize.coordinates));
    put(text, 'r', static_cast<std::int64_t>(resize.rounding));
    put_list(text, 's', resize.scales);
    put(text, '=', resize.shape);
  }
  void operator()(const Softmax& softmax) const {
    text += "softmax";
    put(text, static_cast<std::int64_t>(softmax.axis));
  }
  void operator()(const Lrn& lrn) const {
    text += "lrn";
    put(text, lrn.size);
    put_float(text, '_', lrn.alpha);
    put_float(text, '_', lrn.beta);
    put_float(text, '_', lrn.bias);
  }
  void operator()(const ReduceMean& reduce) const {
    text += "mean";
    put_list(text, 'a', reduce.axes);
    if (reduce.keep_dims) text += 'k';
  }
  void operator()(const Opaque& opaque) const {
    text += '?';
    text += opaque.type;
    put(text, '=', opaque.shape);
  }
};

}  // namespace

void put(std::string& text, std::int64_t number) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  text.append(digits, end);
}

void put(std::string& text, char mark, std::int64_t number) {
  text.push_back(mark);
  put(text, number);
}

void put(std::string& text, char mark, const Shape& shape) {
  for (const std::int64_t size : shape.dims()) {
    put(text, mark, size);
    mark = 'x';
  }
  if (shape.rank() == 0) text.push_back(mark);
}

void put_attributes(std::string& text, const Attributes& attributes) { std::visit(AttributeText{text}, attributes); }

}  // namespace iosx
