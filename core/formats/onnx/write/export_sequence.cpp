#include <array>
#include <functional>

#include "core/formats/onnx/write/export_kinds.h"

// Writes recurrent layers, the largest elements, and sampling at computed places.
namespace iosx::onnx_import {
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
