#include "core/model/graph/attribute_text.h"

#include <bit>
#include <charconv>
#include <vector>

#include "core/model/graph/operator_table.h"

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

// Attributes are taken apart by structured bindings: a field that is added and forgotten here does not compile.
struct AttributeText {
  std::string& text;

  void fused(const Activation& activation) const {
    if (activation == Activation::kIdentity) return;
    text += '/';
    put_activation(text, activation);
  }

  // Their shapes are said where they are read.
  void operator()(const Input& /*input*/) const { text += "input"; }
  void operator()(const Constant& /*constant*/) const { text += "constant"; }
  void operator()(const Conv& conv) const {
    const auto& [out_channels, kernel, stride, padding, dilation, groups, activation, names, end_padding] = conv;
    text += "conv";
    put(text, out_channels);
    put_window(text, kernel, stride, padding);
    if (end_padding != Extent{0, 0}) put_extent(text, 'e', end_padding);
    if (dilation != Extent{1, 1}) put_extent(text, 'd', dilation);
    if (groups != 1) put(text, 'g', groups);
    fused(activation);
  }
  void operator()(const ConvTranspose& conv) const {
    const auto& [out_channels, kernel, stride, padding, dilation, groups, activation, end_padding, output_padding] =
        conv;
    text += "deconv";
    put(text, out_channels);
    put_window(text, kernel, stride, padding);
    put_extent(text, 'e', end_padding);
    put_extent(text, 'o', output_padding);
    put_extent(text, 'd', dilation);
    put(text, 'g', groups);
    fused(activation);
  }
  void operator()(const Pool& pool) const {
    const auto& [kind, kernel, stride, padding, ceil_mode, dilation, count_padding, end_padding] = pool;
    switch (kind) {
      case PoolKind::kGlobalMax: text += "gmax"; return;
      case PoolKind::kGlobalAverage: text += "gavg"; return;
      case PoolKind::kMax: text += "max"; break;
      case PoolKind::kAverage: text += "avg"; break;
    }
    put_window(text, kernel, stride, padding);
    if (end_padding != Extent{0, 0}) put_extent(text, 'e', end_padding);
    if (dilation != Extent{1, 1}) put_extent(text, 'd', dilation);
    if (ceil_mode) text += 'c';
    if (!count_padding) text += 'x';
  }
  void operator()(const Activate& activate) const {
    const auto& [function] = activate;
    put_activation(text, function);
  }
  void operator()(const Affine& affine) const {
    const auto& [activation] = affine;
    text += "affine";
    fused(activation);
  }
  void operator()(const Add& /*add*/) const { text += "add"; }
  void operator()(const Mul& /*mul*/) const { text += "mul"; }
  void operator()(const Binary& binary) const {
    const auto& [function] = binary;
    text += binary_row(function).name;
  }
  void operator()(const Where& /*where*/) const { text += "where"; }
  void operator()(const Concat& concat) const {
    const auto& [axis] = concat;
    text += "concat";
    if (axis != 0) put(text, static_cast<std::int64_t>(axis));
  }
  void operator()(const Identity& /*identity*/) const { text += "copy"; }
  void operator()(const Linear& linear) const {
    const auto& [out_features, activation, axis] = linear;
    text += "linear";
    put(text, out_features);
    if (axis != 0) put(text, 'x', static_cast<std::int64_t>(axis));
    fused(activation);
  }
  void operator()(const MatMul& matmul) const {
    const auto& [sparse] = matmul;
    text += "matmul";
    if (sparse) text += 'z';
  }
  void operator()(const Recurrent& recurrent) const {
    const auto& [kind, direction, hidden, linear_before_reset, peepholes, last_cell] = recurrent;
    text += "recurrent";
    put(text, static_cast<std::int64_t>(kind));
    put(text, 'd', static_cast<std::int64_t>(direction));
    put(text, 'h', hidden);
    if (linear_before_reset) text += 'l';
    if (peepholes) text += 'p';
    if (last_cell) text += 'c';
  }
  void operator()(const TopK& top) const {
    const auto& [k, axis, largest, output] = top;
    text += "top";
    put(text, k);
    put(text, 'a', static_cast<std::int64_t>(axis));
    if (!largest) text += 's';
    if (output == TopKOutput::kIndices) text += 'i';
  }
  void operator()(const GridSample& sample) const {
    const auto& [mode, padding, align_corners] = sample;
    text += "grid";
    put(text, 'm', static_cast<std::int64_t>(mode));
    put(text, 'p', static_cast<std::int64_t>(padding));
    if (align_corners) text += 'a';
  }
  void operator()(const Reshape& reshape) const {
    const auto& [shape] = reshape;
    text += "reshape";
    put(text, '=', shape);
  }
  void operator()(const Expand& expand) const {
    const auto& [shape] = expand;
    text += "expand";
    put(text, '=', shape);
  }
  void operator()(const Gather& gather) const {
    const auto& [kind, axis] = gather;
    text += kind == GatherKind::kSlices ? "gather" : "pick";
    put(text, static_cast<std::int64_t>(axis));
  }
  void operator()(const Transpose& transpose) const {
    const auto& [axes] = transpose;
    text += "transpose";
    put_list(text, 'a', axes);
  }
  void operator()(const Slice& slice) const {
    const auto& [begins, steps, shape] = slice;
    text += "slice";
    put_list(text, 'b', begins);
    put_list(text, 's', steps);
    put(text, '=', shape);
  }
  void operator()(const Pad& pad) const {
    const auto& [mode, begins, ends, value] = pad;
    text += "pad";
    put(text, 'm', static_cast<std::int64_t>(mode));
    put_list(text, 'b', begins);
    put_list(text, 'e', ends);
    put_float(text, 'v', value);
  }
  void operator()(const Resize& resize) const {
    const auto& [mode, coordinates, rounding, scales, shape] = resize;
    text += "resize";
    put(text, 'm', static_cast<std::int64_t>(mode));
    put(text, 'c', static_cast<std::int64_t>(coordinates));
    put(text, 'r', static_cast<std::int64_t>(rounding));
    put_list(text, 's', scales);
    put(text, '=', shape);
  }
  void operator()(const Softmax& softmax) const {
    const auto& [axis] = softmax;
    text += "softmax";
    put(text, static_cast<std::int64_t>(axis));
  }
  void operator()(const Lrn& lrn) const {
    const auto& [size, alpha, beta, bias] = lrn;
    text += "lrn";
    put(text, size);
    put_float(text, '_', alpha);
    put_float(text, '_', beta);
    put_float(text, '_', bias);
  }
  void operator()(const Normalize& normalize) const {
    const auto& [axis, epsilon, centred, scaled] = normalize;
    text += centred ? "norm" : "rms";
    put(text, static_cast<std::int64_t>(axis));
    put_float(text, 'e', epsilon);
    if (scaled) text += 's';
  }
  void operator()(const Reduce& reduce) const {
    const auto& [kind, axes, keep_dims, last] = reduce;
    text += reduce_name(kind);
    put_list(text, 'a', axes);
    if (keep_dims) text += 'k';
    if (last) text += 'l';
  }
  void operator()(const Opaque& opaque) const {
    const auto& [type, place, shape] = opaque;
    text += '?';
    text += type;
    put(text, '=', shape);
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

void put_attributes(std::string& text, const Attributes& attributes) { visit_kind(AttributeText{text}, attributes); }

}  // namespace iosx
