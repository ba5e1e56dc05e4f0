#include <algorithm>
#include <array>
#include <functional>

#include "core/formats/onnx/write/export_graph.h"

// Writes convolutions and pooling as ONNX nodes.
namespace iosx::onnx_import {
namespace {

using List = std::vector<std::int64_t>;

List list(const Extent& extent) { return {extent.height, extent.width}; }

List pads(const Extent& begin, const Extent& extra) {
  return {begin.height, begin.width, begin.height + extra.height, begin.width + extra.width};
}

// A sliding window along one axis.
struct Axis {
  std::int64_t in;
  std::int64_t out;
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t begin;  // padding before
  std::int64_t end;    // and after
  std::int64_t dilation;

  std::int64_t reach() const { return dilation * (kernel - 1) + 1; }
  // Returns how far the last window hangs over the padded input.
  std::int64_t overhang() const { return std::max<std::int64_t>((out - 1) * stride + reach() - (begin + in + end), 0); }
  // Returns the output's size rounded up, without a rule for where the last window may start.
  std::int64_t rounded_up() const { return (begin + in + end - reach() + stride - 1) / stride + 1; }
};

std::array<Axis, 2> window_axes(const Pool& pool, const Shape& in, const Shape& out) {
  return {Axis{in.height(), out.height(), pool.kernel.height, pool.stride.height, pool.padding.height,
               pool.padding.height + pool.end_padding.height, pool.dilation.height},
          Axis{in.width(), out.width(), pool.kernel.width, pool.stride.width, pool.padding.width,
               pool.padding.width + pool.end_padding.width, pool.dilation.width}};
}

}  // namespace

void GraphExport::Kinds::operator()(const Conv& conv) const {
  const std::string weights = to.floats("weights", to.graph_.parameters()->weights(to.id_));
  const std::string bias = to.bias("bias");
  const std::string in = to.in();
  const std::string out = to.before(conv.activation);
  onnx::NodeProto& node = to.main_node("Conv", {in, weights, bias}, out);
  set(node, "kernel_shape", list(conv.kernel));
  set(node, "strides", list(conv.stride));
  set(node, "pads", pads(conv.padding, conv.end_padding));
  set(node, "dilations", list(conv.dilation));
  set(node, "group", conv.groups);
  to.fused(conv.activation, out);
}

void GraphExport::Kinds::operator()(const ConvTranspose& conv) const {
  const std::string weights = to.floats("weights", to.graph_.parameters()->weights(to.id_));
  const std::string bias = to.bias("bias");
  const std::string in = to.in();
  const std::string out = to.before(conv.activation);
  onnx::NodeProto& node = to.main_node("ConvTranspose", {in, weights, bias}, out);
  // A negative crop at the end adds to the output's size.
  List crop = pads(conv.padding, conv.end_padding);
  List extra = list(conv.output_padding);
  for (std::size_t axis = 0; axis < 2; ++axis) {
    extra[axis] -= std::min<std::int64_t>(crop[axis + 2], 0);
    crop[axis + 2] = std::max<std::int64_t>(crop[axis + 2], 0);
  }
  set(node, "kernel_shape", list(conv.kernel));
  set(node, "strides", list(conv.stride));
  set(node, "pads", crop);
  set(node, "output_padding", extra);
  set(node, "dilations", list(conv.dilation));
  set(node, "group", conv.groups);
  to.fused(conv.activation, out);
}

// ONNX's runtimes do not agree on ceil_mode where the last window would start in the padding at the end, nor on what
// count_include_pad counts of a window that hangs over the padding. Such a pool is written without them, with padding
// at the end that makes the output as large as ours, and with padding that counts as a node of its own.
void GraphExport::Kinds::operator()(const Pool& pool) const {
  std::string in = to.in();
  if (pool.kind == PoolKind::kGlobalMax || pool.kind == PoolKind::kGlobalAverage) {
    to.main_node(pool.kind == PoolKind::kGlobalMax ? "GlobalMaxPool" : "GlobalAveragePool", {in}, to.result_);
    return;
  }
  const bool average = pool.kind == PoolKind::kAverage;
  const auto [height, width] = window_axes(pool, to.shape(0), to.op_->output);
  const bool hangs_over = height.overhang() > 0 || width.overhang() > 0;
  const bool agreed = !pool.ceil_mode || (height.rounded_up() == height.out && width.rounded_up() == width.out);
  const bool padded = height.begin + height.end + width.begin + width.end > 0;
  bool counts = average && pool.count_padding && padded;
  List amounts{height.begin, width.begin, height.end, width.end};
  if (counts && hangs_over) {
    const List around{0, 0, height.begin, width.begin, 0, 0, height.end, width.end};
    in = to.helper("Pad", {in, to.integers("pads", around)}, "padded");
    amounts = {0, 0, 0, 0};
    counts = false;
  }
  const bool spelled_out = !agreed;
  if (spelled_out) {
    amounts[2] += height.overhang();
    amounts[3] += width.overhang();
    if (amounts[2] >= pool.kernel.height || amounts[3] >= pool.kernel.width) {
      to.refuse(message("rounds its output size up over a dilated window, which ONNX cannot do"),
                message("set ceil_mode to false"));
    }
  }
  onnx::NodeProto& node = to.main_node(average ? "AveragePool" : "MaxPool", {in}, to.result_);
  set(node, "kernel_shape", list(pool.kernel));
  set(node, "strides", list(pool.stride));
  set(node, "pads", amounts);
  set(node, "ceil_mode", std::int64_t{pool.ceil_mode && !spelled_out ? 1 : 0});
  if (average) {
    set(node, "count_include_pad", std::int64_t{counts ? 1 : 0});
  } else {
    set(node, "dilations", list(pool.dilation));
  }
}

// Writes recurrent layers, the largest elements, and sampling at computed places.

namespace {

using List = std::vector<std::int64_t>;

// Returns columns [begin, end) of some rows of a matrix, or a part of a vector, with other dims.
Tensor part(const Tensor& tensor, std::int64_t width, std::int64_t begin, std::int64_t end, List dims) {
  std::vector<float> made;
  const auto numbers = tensor.elements();
  const auto rows = static_cast<std::int64_t>(numbers.size()) / width;
  made.reserve(static_cast<std::size_t>(rows * (end - begin)));
  for (std::int64_t row = 0; row < rows; ++row) {
    made.insert(made.end(), numbers.begin() + row * width + begin, numbers.begin() + row * width + end);
  }
  return {std::move(dims), std::move(made)};
}

}  // namespace

// ONNX has no batch besides the sequences: all samples' sequences become those of one layer, and then samples again.
void GraphExport::Kinds::operator()(const Recurrent& recurrent) const {
  const Shape in = to.shape(0);
  const std::int64_t directions = directions_of(recurrent.direction);
  const std::int64_t hidden = recurrent.hidden;
  const std::int64_t rows = gates_of(recurrent.kind) * hidden;
  const auto turned = [&](const std::string& name, const List& order, std::string_view suffix) {
    std::string made = to.fresh(suffix);
    set(to.node("Transpose", {name}, made), "perm", order);
    return made;
  };
  const auto joined = [&](std::size_t input, std::string_view suffix) {
    const std::string leading = turned(to.read_with_batch(to.op_->inputs[input]), {1, 0, 2, 3}, suffix);
    const Shape shape = to.shape(input);
    const std::string dims = to.integers(suffix, List{shape[0], -1, shape[2]});
    return to.helper("Reshape", {leading, dims}, suffix);
  };
  const Tensor weights = to.graph_.parameters()->weights(to.id_);
  const Tensor bias = to.graph_.parameters()->bias(to.id_);
  const std::int64_t width = in[2] + hidden;
  const std::int64_t each = static_cast<std::int64_t>(bias.elements().size()) / directions;
  const std::string x = joined(0, "sequences");
  const std::string w = to.floats("W", part(weights, width, 0, in[2], {directions, rows, in[2]}));
  const std::string r = to.floats("R", part(weights, width, in[2], width, {directions, rows, hidden}));
  const bool biased = to.graph_.parameters()->has_bias(to.id_);
  const std::string b = biased ? to.floats("B", part(bias, each, 0, 2 * rows, {directions, 2 * rows})) : "";
  Names inputs{x, w, r, b, ""};
  for (std::size_t i = 1; i < to.op_->inputs.size(); ++i) inputs.push_back(joined(i, "state"));
  if (recurrent.peepholes) {
    inputs.resize(7);
    inputs.push_back(to.floats("P", part(bias, each, 2 * rows, each, {directions, 3 * hidden})));
  }
  std::string y = to.fresh("Y");
  const char* const type = recurrent.kind == RecurrentKind::kLstm  ? "LSTM"
                           : recurrent.kind == RecurrentKind::kGru ? "GRU"
                                                                   : "RNN";
  onnx::NodeProto& layer = to.node(type, inputs, y);
  set(layer, "hidden_size", hidden);
  set(layer, "direction",
      recurrent.direction == RecurrentDirection::kForward   ? "forward"
      : recurrent.direction == RecurrentDirection::kReverse ? "reverse"
                                                            : "bidirectional");
  if (recurrent.kind == RecurrentKind::kGru) {
    set(layer, "linear_before_reset", std::int64_t{recurrent.linear_before_reset ? 1 : 0});
  }
  if (recurrent.last_cell) {
    layer.add_output("");
    const std::string cell = to.fresh("Y_c");
    layer.add_output(cell);
    const std::string axis = to.integers("axis", List{0});
    const std::string apart = to.helper("Unsqueeze", {cell, axis}, "cell");
    const std::string both = to.fresh("states");
    set(to.node("Concat", {y, apart}, both), "axis", std::int64_t{0});
    y = both;
  }
  const std::string dims = to.integers("samples", List{to.op_->output[0], directions, -1, in[1], hidden});
  const std::string apart = to.helper("Reshape", {y, dims}, "samples");
  set(to.main_node("Transpose", {apart}, to.result_), "perm", List{2, 0, 1, 3, 4});
}

void GraphExport::Kinds::operator()(const TopK& top) const {
  const std::string in = to.in();
  const std::string k = to.integers("k", List{top.k});
  const bool values = top.output == TopKOutput::kValues;
  const std::string other = to.fresh(values ? "indices" : "values");
  const std::string places = values ? other : to.fresh("indices");
  onnx::NodeProto& node = values ? to.main_node("TopK", {in, k}, to.result_) : to.node("TopK", {in, k}, other);
  node.add_output(places);
  set(node, "axis", to.axis(top.axis));
  set(node, "largest", std::int64_t{top.largest ? 1 : 0});
  if (!values) set(to.main_node("Cast", {places}, to.result_), "to", std::int64_t{onnx::TensorProto::FLOAT});
}

void GraphExport::Kinds::operator()(const GridSample& sample) const {
  constexpr std::array kModes{"nearest", "bilinear", "bicubic"};
  constexpr std::array kPaddings{"zeros", "border", "reflection"};
  const std::string in = to.in();
  onnx::NodeProto& node = to.main_node("GridSample", {in, to.read_with_batch(to.op_->inputs[1])}, to.result_);
  set(node, "mode", kModes[static_cast<std::size_t>(sample.mode)]);
  set(node, "padding_mode", kPaddings[static_cast<std::size_t>(sample.padding)]);
  set(node, "align_corners", std::int64_t{sample.align_corners ? 1 : 0});
}

}  // namespace iosx::onnx_import
