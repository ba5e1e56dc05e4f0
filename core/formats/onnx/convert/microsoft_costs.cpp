#include <algorithm>
#include <array>
#include <initializer_list>

#include "core/base/fields.h"
#include "core/formats/onnx/convert/node_cost.h"

// Says what ONNX Runtime's own operators cost.
namespace iosx::onnx_import {
namespace {

// The weights are packed, bits for each of N x K.
void matmul_n_bits(NodeCost& op) {
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
void gather_block_quantized(NodeCost& op) {
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
  for (const std::size_t i : {0U, 2U, 3U}) op.reads_part(i, op.output_of_sample() / all);
  if (op.input(0).constant != nullptr)
    op.parameters(static_cast<std::int64_t>(std::min(all, static_cast<double>(kMostExact))));
}

// The inputs are queries (with keys and values, where those are absent), keys, values, past keys,
// past values, lengths of the sequences, length of the longest, tables of cosines and sines.
void group_query_attention(NodeCost& op) {
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
  const double pairs = op.extent(0, 0) * op.extent(0, 1) * static_cast<double>(read);
  op.flops(attention_flops(pairs, heads * width, heads * width));
  rotation_tables(op, 7, static_cast<double>(queries));
}

// The inputs are queries, keys, values, bias, mask, attention bias, past keys, past values.
void multi_head_attention(NodeCost& op) {
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
  const double pairs = op.extent(0, 0) * op.extent(0, 1) * static_cast<double>(keys);
  op.flops(attention_flops(pairs, width, values));
}

// The inputs are samples x positions x features, weights of queries, keys and values, bias, mask,
// past.
void microsoft_attention(NodeCost& op) {
  const std::int64_t heads = op.integer("num_heads");
  const std::int64_t all = op.size(1, 1);
  const Dims widths = op.integers("qkv_hidden_sizes", {all / 3, all / 3, all / 3});
  if (heads < 1 || widths.size() != 3 || op.rank(0) != 3) return;
  const std::int64_t samples = op.size(0, 0);
  const std::int64_t queries = op.size(0, 1);
  const std::int64_t keys = queries + (op.given(4) ? op.size(4, 3) : 0);
  op.output(0, {samples, queries, widths[2]});
  op.output(1, {2, samples, heads, keys, widths[2] / heads});
  const double pairs = op.extent(0, 0) * op.extent(0, 1) * static_cast<double>(keys);
  op.flops(2 * op.elements(0) * op.extent(1, 1) + attention_flops(pairs, widths[0], widths[2]));
}

// Each row takes k of the experts. After rows and the router's numbers, entry e of each input is of
// expert e: matrices, which may be packed, biases, and how the matrices are packed.
void experts(NodeCost& op, std::initializer_list<std::size_t> matrices, std::initializer_list<std::size_t> biases,
             std::int64_t bits) {
  op.output_like(0, 0);
  const std::int64_t count = op.size(1, -1);
  const std::int64_t taken = std::min(op.integer("k", 1), count);
  if (count < 1 || taken < 1 || op.size(0, -1) < 1) return;
  const double rows = op.elements(0) / op.extent(0, -1);
  const double taken_part = static_cast<double>(taken) / static_cast<double>(count);
  const double part = op.elements_of_sample(0) / op.extent(0, -1) * taken_part;
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
  op.flops(2 * rows * taken_part * weights);
  op.parameters(static_cast<std::int64_t>(std::min(parameters, static_cast<double>(kMostExact))));
}
void moe(NodeCost& op) { experts(op, {2, 4, 6}, {3, 5, 7}, 8); }
void quantised_moe(NodeCost& op) { experts(op, {2, 5, 8}, {4, 7, 10}, op.integer("expert_weight_bits", 4)); }

// The inputs are words, segments, and their tables, scale and shift; the outputs the normalised
// sum, a mask, the sum.
void embed_layer_norm(NodeCost& op) {
  const Dims ids = op.dims(0);
  if (ids.size() != 2) return;
  const std::int64_t width = op.size(2, 1);
  op.output(0, {ids[0], ids[1], width}, 2);
  op.output(1, {ids[0]});
  op.output(2, {ids[0], ids[1], width}, 2);
  op.flops(10 * op.output_elements());
  for (const std::size_t table : {2U, 3U, 4U}) {
    if (op.elements(table) > 0) op.reads_part(table, op.output_of_sample() / op.elements(table));
  }
}

void fused_gemm(NodeCost& op) {
  const bool turned = op.integer("transA") != 0;
  op.output(0, {op.size(0, turned ? 1 : 0), op.size(1, op.integer("transB") != 0 ? 0 : 1)});
  gemm(op);
}

// The input is samples x sizes x channels, the weights are outputs x window x inputs of a group.
void nhwc_conv(NodeCost& op) {
  const std::size_t rank = op.rank(0);
  if (rank < 3 || op.rank(1) != rank) return;
  const Dims weights = op.dims(1);
  const auto places = places_of(op, 1, std::span(weights).subspan(1, rank - 2));
  if (!places) return;
  Dims dims{op.size(0, 0)};
  dims.insert(dims.end(), places->begin(), places->end());
  dims.push_back(weights[0]);
  op.output(0, std::move(dims));
  conv(op, 1);
}

constexpr std::array kMicrosoftRules{
    CostRule{"Attention", microsoft_attention},
    CostRule{"EmbedLayerNormalization", embed_layer_norm},
    CostRule{"FusedGemm", fused_gemm},
    CostRule{"GatherBlockQuantized", gather_block_quantized},
    CostRule{"GroupNorm", [](NodeCost& op) { like_input(op, 8); }},
    CostRule{"GroupQueryAttention", group_query_attention},
    CostRule{"MatMulNBits", matmul_n_bits},
    CostRule{"MoE", moe},
    CostRule{"MultiHeadAttention", multi_head_attention},
    CostRule{"NhwcConv", nhwc_conv},
    CostRule{"QMoE", quantised_moe},
    CostRule{"RotaryEmbedding", rotary_embedding},
};

}  // namespace

void describe_microsoft(NodeCost& op) { describe_by(kMicrosoftRules, op); }

}  // namespace iosx::onnx_import
