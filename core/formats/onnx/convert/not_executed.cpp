#include "core/formats/onnx/convert/not_executed.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/fields.h"
#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/element_functions.h"

namespace iosx::onnx_import {
namespace {

// Beyond it no attribute or size means anything.
std::int64_t sensible(std::int64_t value) { return value < -kMaxExtent || value > kMaxExtent ? 0 : value; }

// A node with the facts of its inputs. Numbers that are absent or senseless are 0, which no cost follows from.
class Description {
 public:
  Description(const Node& node, std::span<const TensorFacts> inputs, std::int64_t opset, NotExecuted& made)
      : node_(node), inputs_(inputs), opset_(opset), made_(made) {}

  const Node& node() const { return node_; }
  std::int64_t opset() const { return opset_; }
  bool given(std::size_t i) const { return node_.input(i) != nullptr && i < inputs_.size(); }
  TensorFacts input(std::size_t i) const { return given(i) ? inputs_[i] : TensorFacts{}; }
  Dims dims(std::size_t i) const { return input(i).dims.value_or(Dims{}); }
  std::size_t rank(std::size_t i) const { return dims(i).size(); }
  // Returns the size of an axis, negative from the end; 0: unknown.
  std::int64_t size(std::size_t i, std::int64_t axis) const {
    const Dims all = dims(i);
    if (axis < 0) axis += static_cast<std::int64_t>(all.size());
    const bool known = axis >= 0 && axis < static_cast<std::int64_t>(all.size());
    return known ? sensible(std::max<std::int64_t>(all[static_cast<std::size_t>(axis)], 0)) : 0;
  }
  double elements(std::size_t i) const { return static_cast<double>(input(i).elements()); }
  double output_elements() const { return static_cast<double>(made_.outputs.front().elements()); }

  std::int64_t integer(std::string_view name, std::int64_t absent = 0) const {
    return sensible(int_attribute(node_, name, absent).value_or(absent));
  }
  // Returns those of the attribute; `absent` ones without it.
  Dims integers(std::string_view name, Dims absent) const {
    auto found = ints_attribute(node_, name);
    return found && *found ? **found : std::move(absent);
  }
  // Returns the single integer of a constant input.
  std::optional<std::int64_t> number(std::size_t i) const {
    const HostTensor* const tensor = input(i).constant;
    if (tensor == nullptr || !tensor->holds_integers() || tensor->elements() != 1) return std::nullopt;
    return sensible(tensor->integers()[0]);
  }

  // Set what an output is. A size of 0 is one that is not known.
  void output(std::size_t i, Dims sizes, std::size_t type_of_input = 0) {
    if (i >= made_.outputs.size()) return;
    std::ranges::replace_if(
        sizes, [](std::int64_t size) { return size < 1; }, kUnknownSize);
    made_.outputs[i] = {.type = input(type_of_input).type, .dims = std::move(sizes)};
  }
  void output_like(std::size_t i, std::size_t input_index) {
    if (i < made_.outputs.size() && input(input_index).dims)
      made_.outputs[i] = {.type = input(input_index).type, .dims = input(input_index).dims};
  }
  void flops(double count) { made_.flops = count; }
  void parameters(std::int64_t count) { made_.parameters = count; }
  // Says that an input holds no weights.
  void no_parameters(std::size_t i) {
    const HostTensor* const tensor = input(i).constant;
    if (tensor == nullptr || tensor->holds_integers()) return;
    made_.parameters = std::max<std::int64_t>(made_.parameters - tensor->elements(), 0);
  }
  // Says that only a part of a constant input is read.
  void reads_part(std::size_t i, double part) {
    const HostTensor* const tensor = input(i).constant;
    if (tensor == nullptr || !made_.weight_bytes) return;
    const auto bytes = static_cast<double>(tensor->stored_bytes().value_or(0));
    *made_.weight_bytes -= bytes * (1 - std::clamp(part, 0.0, 1.0));
  }

 private:
  const Node& node_;
  std::span<const TensorFacts> inputs_;
  std::int64_t opset_;
  NotExecuted& made_;
};

double product_of(std::span<const std::int64_t> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1.0, [](double all, std::int64_t size) {
    return all * static_cast<double>(std::max<std::int64_t>(size, 0));
  });
}

// Replaces the last size.
Dims ending_in(Dims dims, std::int64_t size) {
  if (!dims.empty()) dims.back() = size;
  return dims;
}

// ONNX's operators whose shapes its library infers.

void moves(Description& op) { op.flops(0); }
// Copies elements of the first input, all of it only where the output is as large.
void picks(Description& op) {
  op.flops(0);
  if (op.elements(0) > 0) op.reads_part(0, op.output_elements() / op.elements(0));
}
void per_output(Description& op) { op.flops(op.output_elements()); }
void per_input(Description& op) { op.flops(op.elements(0)); }
void in_and_out(Description& op) { op.flops(op.elements(0) + op.output_elements()); }

void pool(Description& op) { op.flops(op.output_elements() * product_of(op.integers("kernel_shape", {}))); }

// The weights are outputs x inputs of a group x window.
void conv(Description& op) {
  const Dims weights = op.dims(1);
  if (weights.size() > 1) op.flops(2 * op.output_elements() * product_of(std::span(weights).subspan(1)));
}
void conv_transpose(Description& op) {
  const Dims weights = op.dims(1);
  if (weights.size() > 1) op.flops(2 * op.elements(0) * product_of(std::span(weights).subspan(1)));
}
void matmul(Description& op) { op.flops(2 * op.output_elements() * static_cast<double>(op.size(0, -1))); }
void gemm(Description& op) {
  const std::int64_t terms = op.size(0, op.integer("transA") != 0 ? 0 : 1);
  op.flops(2 * op.output_elements() * static_cast<double>(terms));
}

// The weights are directions x (gates · hidden) x inputs.
void recurrent(Description& op) {
  op.flops(2 * static_cast<double>(op.size(0, 0)) * static_cast<double>(op.size(0, 1)) *
           (op.elements(1) + op.elements(2)));
}

double log2_of(std::int64_t size) {
  return std::max(1.0, std::log2(static_cast<double>(std::max<std::int64_t>(size, 2))));
}

// Newer operators of ONNX, and ones that its library does not infer rightly.

void same_shape(Description& op) {
  op.output_like(0, 0);
  op.flops(3 * op.output_elements());
}

// Inputs i and i + 1 are tables of cosines and sines with a row for each position, of which so many are read.
void rotation_tables(Description& op, std::size_t i, double positions) {
  for (const std::size_t table : {i, i + 1}) {
    if (op.size(table, 0) > 0) op.reads_part(table, positions / static_cast<double>(op.size(table, 0)));
    op.no_parameters(table);
  }
}

// The inputs are features, tables, positions; of ONNX Runtime's own operator features, positions, tables.
void rotary_embedding(Description& op) {
  same_shape(op);
  const bool own = op.node().domain.empty();
  const std::size_t positions = own ? 3 : 1;
  const bool each = op.rank(positions) == 2;  // otherwise they are in order
  rotation_tables(op, own ? 1 : 2, each ? op.elements(positions) : static_cast<double>(op.size(0, -2)));
}

// The input is signals with a last axis of 1 or 2 parts.
void dft(Description& op) {
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
void stft(Description& op) {
  const std::int64_t step = op.number(1).value_or(0);
  const std::int64_t length = op.given(3) ? op.number(3).value_or(0) : op.size(2, 0);
  const std::int64_t signal = op.size(0, 1);
  if (step < 1 || length < 1 || signal < length) return;
  const std::int64_t frames = (signal - length) / step + 1;
  op.output(0, {op.size(0, 0), frames, op.integer("onesided", 1) != 0 ? length / 2 + 1 : length, 2});
  op.flops(5 * static_cast<double>(op.size(0, 0) * frames) * static_cast<double>(length) * log2_of(length));
}

void affine_grid(Description& op) {
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
void grid_sample(Description& op) {
  const Dims grid = op.dims(1);
  if (op.rank(0) < 3 || grid.size() != op.rank(0)) return;
  Dims dims{op.size(0, 0), op.size(0, 1)};
  dims.insert(dims.end(), grid.begin() + 1, grid.end() - 1);
  const double corners = std::exp2(static_cast<double>(dims.size() - 2));
  op.output(0, std::move(dims));
  op.flops(2 * corners * op.output_elements());
}

// Attention of `queries` positions over `keys`: scores and their products with values, of this width over all heads.
double attention_flops(std::int64_t samples, std::int64_t queries, std::int64_t keys, std::int64_t width) {
  return 4 * static_cast<double>(samples) * static_cast<double>(queries) * static_cast<double>(keys) *
         static_cast<double>(width);
}

// ONNX's own: queries, keys and values are samples x positions x features or samples x heads x positions x features;
// then a mask, past keys, past values.
void attention(Description& op) {
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

// ONNX Runtime's own operators.

// The weights are packed, bits for each of N x K.
void matmul_n_bits(Description& op) {
  const std::int64_t n = op.integer("N");
  const std::int64_t k = op.integer("K");
  if (n < 1 || k < 1 || op.rank(0) < 1 || op.size(0, -1) != k) return;
  op.output(0, ending_in(op.dims(0), n));
  op.flops(2 * op.output_elements() * static_cast<double>(k));
  if (op.input(1).constant != nullptr) op.parameters(n * k);
}

// Returns how many elements of this many bits an element of a packed tensor holds.
std::int64_t packed(const TensorFacts& tensor, std::int64_t bits) {
  return tensor.type == ElementType::kUint8 && bits > 0 && bits < 8 ? 8 / bits : 1;
}

// The inputs are a table in blocks, indices, scales, zero points.
void gather_block_quantized(Description& op) {
  const Dims table = op.dims(0);
  const Dims indices = op.dims(1);
  const auto rank = static_cast<std::int64_t>(table.size());
  std::int64_t axis = op.integer("gather_axis");
  if (axis < 0) axis += rank;
  if (axis < 0 || axis >= rank || !op.input(1).dims) return;
  const std::int64_t inside = packed(op.input(0), op.integer("bits", 4));
  Dims dims(table.begin(), table.begin() + axis);
  dims.insert(dims.end(), indices.begin(), indices.end());
  dims.insert(dims.end(), table.begin() + axis + 1, table.end());
  if (axis + 1 < rank) dims.back() = sensible(dims.back()) * inside;
  op.output(0, std::move(dims), 2);
  op.flops(2 * op.output_elements());
  const double all = op.elements(0) * static_cast<double>(inside);
  if (all < 1) return;
  for (const std::size_t i : {0U, 2U, 3U}) op.reads_part(i, op.output_elements() / all);
  if (op.input(0).constant != nullptr)
    op.parameters(static_cast<std::int64_t>(std::min(all, static_cast<double>(kMostExact))));
}

// The inputs are queries (with keys and values, where those are absent), keys, values, past keys, past values, lengths
// of the sequences, length of the longest, tables of cosines and sines.
void group_query_attention(Description& op) {
  const std::int64_t heads = op.integer("num_heads");
  const std::int64_t shared = op.integer("kv_num_heads");
  if (heads < 1 || shared < 1 || op.rank(0) != 3) return;
  const bool together = !op.given(1);
  const std::int64_t width = op.size(0, 2) / (together ? heads + 2 * shared : heads);
  const std::int64_t queries = op.size(0, 1);
  const std::int64_t past = op.given(3) ? op.size(3, 2) : 0;
  // Past and present may share one buffer of the longest length.
  const auto longest = op.number(6);
  const std::int64_t read = longest.value_or(past + queries);
  const std::int64_t keys = std::max(past, read);
  op.output(0, {op.size(0, 0), queries, heads * width});
  for (const std::size_t i : {1U, 2U}) op.output(i, {op.size(0, 0), shared, keys, width});
  op.flops(attention_flops(op.size(0, 0), queries, read, heads * width));
  rotation_tables(op, 7, static_cast<double>(queries));
}

// The inputs are queries, keys, values, bias, mask, attention bias, past keys, past values.
void multi_head_attention(Description& op) {
  const std::int64_t heads = op.integer("num_heads");
  if (heads < 1) return;
  const std::int64_t samples = op.size(0, 0);
  const std::int64_t queries = op.size(0, 1);
  const bool packed_input = op.rank(0) == 5;
  const std::int64_t width = packed_input ? heads * op.size(0, 4) : op.size(0, 2);
  std::int64_t keys = queries;
  std::int64_t values = width;
  if (op.rank(1) == 3) {
    keys = op.size(1, 1);
    values = op.size(2, 2);
  } else if (op.rank(1) == 4) {
    keys = op.size(1, 2);
    values = heads * op.size(2, 3);
  } else if (op.rank(1) == 5) {
    keys = op.size(1, 1);
  }
  if (op.given(6)) keys += op.size(6, 2);
  op.output(0, {samples, queries, values});
  op.output(1, {samples, heads, keys, width / heads});
  op.output(2, {samples, heads, keys, values / heads});
  op.output(3, {samples, heads, queries, keys});
  op.flops(attention_flops(samples, queries, keys, width));
}

// The inputs are samples x positions x features, weights of queries, keys and values, bias, mask, past.
void microsoft_attention(Description& op) {
  const std::int64_t heads = op.integer("num_heads");
  const std::int64_t all = op.size(1, 1);
  const Dims widths = op.integers("qkv_hidden_sizes", {all / 3, all / 3, all / 3});
  if (heads < 1 || widths.size() != 3 || op.rank(0) != 3) return;
  const std::int64_t samples = op.size(0, 0);
  const std::int64_t queries = op.size(0, 1);
  const std::int64_t keys = queries + (op.given(4) ? op.size(4, 3) : 0);
  op.output(0, {samples, queries, widths[2]});
  op.output(1, {2, samples, heads, keys, widths[2] / heads});
  op.flops(2 * op.elements(0) * static_cast<double>(all) + attention_flops(samples, queries, keys, widths[2]));
}

// Each row takes k of the experts. After rows and the router's numbers, entry e of each input is of expert e: matrices,
// which may be packed, biases, and how the matrices are packed.
void experts(Description& op, std::initializer_list<std::size_t> matrices, std::initializer_list<std::size_t> biases,
             std::int64_t bits) {
  op.output_like(0, 0);
  const std::int64_t count = op.size(1, -1);
  const std::int64_t taken = std::min(op.integer("k", 1), count);
  if (count < 1 || taken < 1 || op.size(0, -1) < 1) return;
  const double rows = op.elements(0) / static_cast<double>(op.size(0, -1));
  const double part = std::min(1.0, rows * static_cast<double>(taken) / static_cast<double>(count));
  for (std::size_t i = 2; i < op.node().inputs.size(); ++i) op.reads_part(i, part);
  double weights = 0;
  double parameters = 0;
  for (const std::size_t i : matrices) {
    const double elements = op.elements(i) * static_cast<double>(packed(op.input(i), bits));
    weights += elements;
    if (op.input(i).constant != nullptr) parameters += elements;
  }
  for (const std::size_t i : biases) {
    if (op.input(i).constant != nullptr) parameters += op.elements(i);
  }
  op.flops(2 * rows * static_cast<double>(taken) * weights / static_cast<double>(count));
  op.parameters(static_cast<std::int64_t>(std::min(parameters, static_cast<double>(kMostExact))));
}
void moe(Description& op) { experts(op, {2, 4, 6}, {3, 5, 7}, 8); }
void quantised_moe(Description& op) { experts(op, {2, 5, 8}, {4, 7, 10}, op.integer("expert_weight_bits", 4)); }

// The inputs are words, segments, and their tables, scale and shift; the outputs the normalised sum, a mask, the sum.
void embed_layer_norm(Description& op) {
  const Dims ids = op.dims(0);
  if (ids.size() != 2) return;
  const std::int64_t width = op.size(2, 1);
  op.output(0, {ids[0], ids[1], width}, 2);
  op.output(1, {ids[0]});
  op.output(2, {ids[0], ids[1], width}, 2);
  op.flops(10 * op.output_elements());
  for (const std::size_t table : {2U, 3U, 4U}) {
    if (op.elements(table) > 0) op.reads_part(table, op.output_elements() / op.elements(table));
  }
}

void fused_gemm(Description& op) {
  const bool turned = op.integer("transA") != 0;
  op.output(0, {op.size(0, turned ? 1 : 0), op.size(1, op.integer("transB") != 0 ? 0 : 1)});
  gemm(op);
}

void group_norm(Description& op) {
  op.output_like(0, 0);
  op.flops(8 * op.output_elements());
}

// The input is samples x sizes x channels, the weights are outputs x window x inputs of a group.
void nhwc_conv(Description& op) {
  const std::size_t rank = op.rank(0);
  if (rank < 3 || op.rank(1) != rank) return;
  const std::size_t axes = rank - 2;
  const Dims pads = op.integers("pads", Dims(2 * axes, 0));
  const Dims strides = op.integers("strides", Dims(axes, 1));
  const Dims dilations = op.integers("dilations", Dims(axes, 1));
  const auto same = string_attribute(op.node(), "auto_pad", "NOTSET");
  if (pads.size() != 2 * axes || strides.size() != axes || dilations.size() != axes || !same) return;
  Dims dims{op.size(0, 0)};
  for (std::size_t i = 0; i < axes; ++i) {
    const auto axis = static_cast<std::int64_t>(i) + 1;
    const auto sane = [](std::int64_t value, std::int64_t least) { return value >= least && value <= kMaxExtent; };
    if (!sane(strides[i], 1) || !sane(dilations[i], 1) || !sane(pads[i], 0) || !sane(pads[axes + i], 0)) return;
    const std::int64_t size = op.size(0, axis);
    const std::int64_t reach = dilations[i] * (op.size(1, axis) - 1) + 1;
    const std::int64_t room = size + pads[i] + pads[axes + i] - reach;
    dims.push_back(same->starts_with("SAME") ? (size + strides[i] - 1) / strides[i] : room / strides[i] + 1);
  }
  dims.push_back(op.size(1, 0));
  op.output(0, std::move(dims));
  conv(op);
}

struct CostRule {
  std::string_view op_type;
  void (*describe)(Description&);
};

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
    CostRule{"TensorScatter", [](Description& op) { op.output_like(0, 0), op.flops(0); }},
    CostRule{"Tile", moves},
    CostRule{"Transpose", moves},
    CostRule{"Unsqueeze", moves},
    CostRule{"Where", per_output},
};
constexpr std::array kMicrosoftRules{
    CostRule{"Attention", microsoft_attention},
    CostRule{"EmbedLayerNormalization", embed_layer_norm},
    CostRule{"FusedGemm", fused_gemm},
    CostRule{"GatherBlockQuantized", gather_block_quantized},
    CostRule{"GroupNorm", group_norm},
    CostRule{"GroupQueryAttention", group_query_attention},
    CostRule{"MatMulNBits", matmul_n_bits},
    CostRule{"MoE", moe},
    CostRule{"MultiHeadAttention", multi_head_attention},
    CostRule{"NhwcConv", nhwc_conv},
    CostRule{"QMoE", quantised_moe},
    CostRule{"RotaryEmbedding", rotary_embedding},
};

const CostRule* find_rule(const Node& node) {
  const bool own = node.domain.empty();
  if (!own && node.domain != kMicrosoft) return nullptr;
  const std::span<const CostRule> rules =
      own ? std::span<const CostRule>(kOnnxRules) : std::span<const CostRule>(kMicrosoftRules);
  const auto found = std::ranges::find(rules, node.op_type, &CostRule::op_type);
  return found == rules.end() ? nullptr : &*found;
}

void describe(Description& op) {
  if (const CostRule* const rule = find_rule(op.node())) return rule->describe(op);
  if (!op.node().domain.empty()) return;
  const std::string_view type = op.node().op_type;
  if (element_function(type) != nullptr || binary_operator(type) != nullptr) return per_output(op);
  if (reduce_operator(type) != nullptr) return per_input(op);
}

}  // namespace

NotExecuted not_executed(const Node& node, std::span<const TensorFacts> inputs, std::int64_t opset,
                         std::span<const std::optional<Dims>> declared) {
  NotExecuted made{.outputs = infer_outputs(node, inputs, opset)};
  for (std::size_t i = 0; i < std::min(made.outputs.size(), declared.size()); ++i) {
    if (declared[i] && !made.outputs[i].has_sizes()) made.outputs[i].dims = declared[i];
  }
  made.weight_bytes = 0;
  for (const TensorFacts& input : inputs) {
    if (input.constant == nullptr) continue;
    const std::int64_t elements = std::min(input.constant->elements(), kMostExact);
    if (!input.constant->holds_integers()) made.parameters = std::min(made.parameters + elements, kMostExact);
    const auto bytes = input.constant->stored_bytes();
    made.weight_bytes =
        bytes && made.weight_bytes ? std::optional(*made.weight_bytes + static_cast<double>(*bytes)) : std::nullopt;
  }
  Description description(node, inputs, opset, made);
  if (!made.outputs.empty()) describe(description);
  // Numbers that follow from unknown sizes are unknown.
  const auto known = [](const TensorFacts& each) { return each.type == ElementType::kUndefined || each.has_sizes(); };
  const bool sized = std::ranges::all_of(inputs, known) && !made.outputs.empty() && made.outputs.front().has_sizes();
  if (!sized || !made.flops || !std::isfinite(*made.flops)) made.flops.reset();
  return made;
}

bool is_deterministic(const Node& node) {
  return !node.op_type.starts_with("Random") && node.op_type != "Bernoulli" && node.op_type != "Multinomial" &&
         node.op_type != "Dropout";
}

}  // namespace iosx::onnx_import
