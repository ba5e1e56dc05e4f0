#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/formats/onnx/convert/cost_description.h"
#include "core/formats/onnx/element_functions.h"

// What ONNX's own operators cost.
namespace iosx::onnx_import {
namespace {

// ONNX's operators whose shapes its library infers.

void moves(CostDescription& op) { op.flops(0); }
// Copies elements of the first input, all of it only where the output is as large.
void picks(CostDescription& op) {
  op.flops(0);
  if (op.elements(0) > 0) op.reads_part(0, op.output_elements() / op.elements(0));
}
void per_output(CostDescription& op) { op.flops(op.output_elements()); }
void per_input(CostDescription& op) { op.flops(op.elements(0)); }
void in_and_out(CostDescription& op) { op.flops(op.elements(0) + op.output_elements()); }

void pool(CostDescription& op) { op.flops(op.output_elements() * product_of(op.integers("kernel_shape", {}))); }

void conv_transpose(CostDescription& op) {
  const Dims weights = op.dims(1);
  if (weights.size() > 1) op.flops(2 * op.elements(0) * product_of(std::span(weights).subspan(1)));
}
void matmul(CostDescription& op) { op.flops(2 * op.output_elements() * static_cast<double>(op.size(0, -1))); }
// The weights are directions x (gates · hidden) x inputs.
void recurrent(CostDescription& op) {
  op.flops(2 * static_cast<double>(op.size(0, 0)) * static_cast<double>(op.size(0, 1)) *
           (op.elements(1) + op.elements(2)));
}

double log2_of(std::int64_t size) {
  return std::max(1.0, std::log2(static_cast<double>(std::max<std::int64_t>(size, 2))));
}

// Newer operators of ONNX, and ones that its library does not infer rightly.

// The input is signals with a last axis of 1 or 2 parts.
void dft(CostDescription& op) {
  Dims dims = op.dims(0);
  const auto rank = static_cast<std::int64_t>(dims.size());
  std::int64_t axis = op.opset() < 20 ? op.integer("axis", 1) : rank - 2;
  if (op.given(2)) axis = op.number(2).value_or(rank);
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank) return;
  std::int64_t length = dims[static_cast<std::size_t>(axis)];
  if (op.given(1)) length = op.number(1).value_or(0);
  const bool onesided = op.integer("onesided") != 0;
  dims[static_cast<std::size_t>(axis)] = onesided && length > 0 ? length / 2 + 1 : length;
  op.output(0, ending_in(std::move(dims), 2));
  op.flops(5 * op.output_elements() / 2 * log2_of(length));
}

// The inputs are samples x length x 1, step, window, length of a frame.
void stft(CostDescription& op) {
  const std::int64_t step = op.number(1).value_or(0);
  const std::int64_t length = op.given(3) ? op.number(3).value_or(0) : op.size(2, 0);
  const std::int64_t signal = op.size(0, 1);
  if (step < 1 || length < 1 || signal < length) return;
  const std::int64_t frames = (signal - length) / step + 1;
  op.output(0, {op.size(0, 0), frames, op.integer("onesided", 1) != 0 ? length / 2 + 1 : length, 2});
  op.flops(5 * static_cast<double>(op.size(0, 0) * frames) * static_cast<double>(length) * log2_of(length));
}

void affine_grid(CostDescription& op) {
  const HostTensor* const size = op.input(1).constant;
  if (size == nullptr || !size->holds_integers() || size->elements() < 3) return;
  Dims dims{size->integers().begin(), size->integers().end()};
  const auto axes = static_cast<std::int64_t>(dims.size()) - 2;
  dims.erase(dims.begin() + 1);
  dims.push_back(axes);
  op.output(0, std::move(dims));
  op.flops(2 * static_cast<double>(axes + 1) * op.output_elements());
}

// The inputs are samples x channels x sizes, and samples x sizes of the output x coordinates.
void grid_sample(CostDescription& op) {
  const Dims grid = op.dims(1);
  if (op.rank(0) < 3 || grid.size() != op.rank(0)) return;
  Dims dims{op.size(0, 0), op.size(0, 1)};
  dims.insert(dims.end(), grid.begin() + 1, grid.end() - 1);
  const double corners = std::exp2(static_cast<double>(dims.size() - 2));
  op.output(0, std::move(dims));
  op.flops(2 * corners * op.output_elements());
}

// ONNX's own: queries, keys and values are samples x positions x features or samples x heads x positions x features;
// then a mask, past keys, past values.
void attention(CostDescription& op) {
  const bool apart = op.rank(0) == 4;
  const std::int64_t heads = apart ? op.size(0, 1) : op.integer("q_num_heads");
  const std::int64_t shared = apart ? op.size(1, 1) : op.integer("kv_num_heads");
  if (heads < 1 || shared < 1) return;
  const auto width = [&](std::size_t i, std::int64_t of) { return apart ? op.size(i, 3) : op.size(i, 2) / of; };
  const std::int64_t samples = op.size(0, 0);
  const std::int64_t queries = op.size(0, -2);
  const std::int64_t keys = op.size(1, -2) + (op.given(4) ? op.size(4, 2) : 0);
  if (apart) {
    op.output(0, {samples, heads, queries, width(2, shared)});
  } else {
    op.output(0, {samples, queries, heads * width(2, shared)});
  }
  op.output(1, {samples, shared, keys, width(1, shared)});
  op.output(2, {samples, shared, keys, width(2, shared)});
  op.output(3, {samples, heads, queries, keys});
  op.flops(attention_flops(samples, queries, keys, heads * width(0, heads)));
}

// The library's shapes are right for these, or nothing else is known.
constexpr std::array kOnnxRules{
    CostRule{"AffineGrid", affine_grid},
    CostRule{"Attention", attention},
    CostRule{"AveragePool", pool},
    CostRule{"BatchNormalization", in_and_out},
    CostRule{"Bernoulli", per_output},
    CostRule{"BitShift", per_output},
    CostRule{"BitwiseAnd", per_output},
    CostRule{"BitwiseNot", per_output},
    CostRule{"BitwiseOr", per_output},
    CostRule{"BitwiseXor", per_output},
    CostRule{"Cast", moves},
    CostRule{"CastLike", moves},
    CostRule{"Concat", moves},
    CostRule{"Conv", conv},
    CostRule{"ConvTranspose", conv_transpose},
    CostRule{"DFT", dft},
    CostRule{"DepthToSpace", moves},
    CostRule{"DequantizeLinear", in_and_out},
    CostRule{"Dropout", per_output},
    CostRule{"Expand", moves},
    CostRule{"EyeLike", moves},
    CostRule{"Flatten", moves},
    CostRule{"Gather", picks},
    CostRule{"GatherElements", picks},
    CostRule{"GatherND", picks},
    CostRule{"Gemm", gemm},
    CostRule{"GlobalAveragePool", per_input},
    CostRule{"GlobalMaxPool", per_input},
    CostRule{"GridSample", grid_sample},
    CostRule{"GRU", recurrent},
    CostRule{"Identity", moves},
    CostRule{"LSTM", recurrent},
    CostRule{"LpPool", pool},
    CostRule{"MatMul", matmul},
    CostRule{"MaxPool", pool},
    CostRule{"MaxUnpool", moves},
    CostRule{"Pad", moves},
    CostRule{"QuantizeLinear", in_and_out},
    CostRule{"RNN", recurrent},
    CostRule{"RandomNormal", per_output},
    CostRule{"RandomNormalLike", per_output},
    CostRule{"RandomUniform", per_output},
    CostRule{"RandomUniformLike", per_output},
    CostRule{"Reshape", moves},
    CostRule{"ReverseSequence", moves},
    CostRule{"RotaryEmbedding", rotary_embedding},
    CostRule{"STFT", stft},
    CostRule{"ScatterElements", moves},
    CostRule{"ScatterND", moves},
    CostRule{"Slice", picks},
    CostRule{"SpaceToDepth", moves},
    CostRule{"Split", moves},
    CostRule{"Squeeze", moves},
    CostRule{"Swish", same_shape},
    CostRule{"TensorScatter", [](CostDescription& op) { op.output_like(0, 0), op.flops(0); }},
    CostRule{"Tile", moves},
    CostRule{"Transpose", moves},
    CostRule{"Unsqueeze", moves},
    CostRule{"Where", per_output},
};

}  // namespace

void describe_onnx(CostDescription& op) {
  if (describe_by(kOnnxRules, op)) return;
  const std::string_view type = op.node().op_type;
  if (element_function(type) != nullptr || binary_operator(type) != nullptr) return per_output(op);
  if (reduce_operator(type) != nullptr) return per_input(op);
}

}  // namespace iosx::onnx_import
