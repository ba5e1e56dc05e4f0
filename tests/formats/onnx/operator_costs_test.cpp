#include <deque>

#include "core/formats/onnx/convert/not_executed.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import {
namespace {

using Attributes = std::map<std::string, Attribute, std::less<>>;

// What a node reads: float32 of these sizes, integers of these values, weights of ones, or nothing.
struct Numbers {
  Dims dims;
};
struct Integers {
  Dims values;
};
struct Weights {
  Dims dims;
  ElementType type = ElementType::kFloat32;
};
struct Scales {
  std::vector<float> values;
};
struct Absent {};
using Read = std::variant<Numbers, Integers, Weights, Scales, Absent>;

struct Cost {
  const char* op_type;
  std::vector<Read> inputs;
  Dims output;
  double flops = 0;
  Attributes attributes = {};
  std::int64_t opset = 17;
  std::int64_t parameters = 0;
  double weight_bytes = 0;
  const char* domain = "";
  std::size_t outputs = 1;
};

HostTensor ones(const Weights& weights) {
  const auto count = static_cast<std::size_t>(*element_count(weights.dims));
  if (is_float(weights.type)) return HostTensor::of_floats(weights.dims, std::vector<float>(count, 1), weights.type);
  return HostTensor::of_integers(weights.dims, Dims(count, 1), weights.type);
}

NotExecuted cost_of(const Cost& each, std::int64_t samples = 1) {
  Node node;
  node.op_type = each.op_type;
  node.domain = each.domain;
  node.outputs.assign(each.outputs, "y");
  node.attributes = each.attributes;
  std::deque<HostTensor> constants;  // facts point to them
  std::vector<TensorFacts> facts;
  const auto add = [&](HostTensor tensor) {
    const HostTensor& kept = constants.emplace_back(std::move(tensor));
    return TensorFacts{kept.type(), Dims(kept.dims().begin(), kept.dims().end()), &kept};
  };
  for (const Read& read : each.inputs) {
    node.inputs.push_back(std::holds_alternative<Absent>(read) ? "" : "x");
    facts.emplace_back();
    TensorFacts& made = facts.back();
    if (const auto* const numbers = std::get_if<Numbers>(&read)) made = {ElementType::kFloat32, numbers->dims};
    if (const auto* const weights = std::get_if<Weights>(&read)) made = add(ones(*weights));
    if (const auto* const integers = std::get_if<Integers>(&read)) {
      const bool single = integers->values.size() == 1;
      Dims dims = single ? Dims{} : Dims{std::ssize(integers->values)};
      made = add(HostTensor::of_integers(std::move(dims), integers->values));
    }
    if (const auto* const scales = std::get_if<Scales>(&read))
      made = add(HostTensor::of_floats({std::ssize(scales->values)}, scales->values));
  }
  return not_executed(node, facts, each.opset, {}, samples);
}

constexpr ElementType kInt8 = ElementType::kInt8;
constexpr ElementType kInt64 = ElementType::kInt64;
Attribute integer(std::int64_t value) { return value; }

const Weights kScale{{}};
const Weights kZero{{}, kInt8};

// A multiply-add is two FLOPs; comparisons, exponentials and the like are one each.
const Cost kCosts[] = {
    // One addition an element.
    {"CumSum", {Numbers{{2, 3, 4}}, Integers{{1}}}, {2, 3, 4}, 24, {}, 17, 0, 8},
    {"CumProd", {Numbers{{2, 3, 4}}, Integers{{1}}}, {2, 3, 4}, 24, {}, 26, 0, 8},
    // Maximum, exponential, sum, quotient.
    {"Softmax", {Numbers{{2, 5}}}, {2, 5}, 40},
    {"LogSoftmax", {Numbers{{2, 5}}}, {2, 5}, 40},
    {"Hardmax", {Numbers{{2, 5}}}, {2, 5}, 10},
    // Sum, sum of squares, difference and quotient (6), scale, shift.
    {"InstanceNormalization", {Numbers{{1, 4, 6}}, Weights{{4}}, Weights{{4}}}, {1, 4, 6}, 8 * 24, {}, 17, 8, 32},
    {"GroupNormalization", {Numbers{{1, 4, 6}}, Weights{{4}}, Weights{{4}}}, {1, 4, 6}, 8 * 24, {}, 21, 8, 32},
    {"LayerNormalization", {Numbers{{2, 6}}, Weights{{6}}}, {2, 6}, 7 * 12, {}, 17, 6, 24},
    {"LayerNormalization", {Numbers{{2, 6}}, Weights{{6}}, Weights{{6}}}, {2, 6}, 8 * 12, {}, 17, 12, 48},
    {"RMSNormalization", {Numbers{{2, 6}}, Weights{{6}}}, {2, 6}, 4 * 12, {}, 23, 6, 24},
    {"LpNormalization", {Numbers{{2, 6}}}, {2, 6}, 3 * 12},
    {"MeanVarianceNormalization", {Numbers{{1, 2, 3, 2}}}, {1, 2, 3, 2}, 6 * 12},
    // A window of 5 squares and additions, and three for the rest.
    {"LRN", {Numbers{{1, 8, 2, 2}}}, {1, 8, 2, 2}, 13 * 32, {{"size", integer(5)}}},
    {"TopK", {Numbers{{2, 100}}, Weights{{1}, kInt64}}, {2, 1}, 200, {}, 17, 0, 8, "", 2},
    {"ArgMax", {Numbers{{2, 100}}}, {1, 100}, 200},
    {"OneHot", {Numbers{{3}}, Integers{{10}}, Scales{{0, 1}}}, {3, 10}, 0, {}, 17, 0, 16},
    {"Trilu", {Numbers{{4, 4}}}, {4, 4}, 0},
    // 2/3 n³ for each of two matrices.
    {"Det", {Numbers{{2, 3, 3}}}, {2}, 2 * 18},
    {"Mean", {Numbers{{4}}, Numbers{{4}}, Numbers{{4}}}, {4}, 12},
    {"Sum", {Numbers{{4}}, Numbers{{4}}, Numbers{{4}}}, {4}, 8},
    {"Gelu", {Numbers{{4}}}, {4}, 4, {}, 20},
    {"Col2Im",
     {Numbers{{1, 8, 9}}, Integers{{6, 6}}, Integers{{2, 2}}},
     {1, 2, 6, 6},
     72,
     {{"strides", Dims{2, 2}}},
     18,
     0,
     32},
    {"CenterCropPad", {Numbers{{9, 5}}, Weights{{1}, kInt64}}, {9, 1}, 0, {{"axes", Dims{1}}}, 18, 0, 8},
    {"Pad",
     {Numbers{{2, 5}}, Integers{{1, 2}}, Absent{}, Weights{{1}, kInt64}},
     {2, 8},
     0,
     {{"mode", "wrap"}},
     19,
     0,
     24},
    // Two samples along each of two axes, from four pixels each, in 2 x 3 x 2 x 2 outputs.
    {"RoiAlign",
     {Numbers{{1, 3, 8, 8}}, Numbers{{2, 4}}, Weights{{2}, kInt64}},
     {2, 3, 2, 2},
     24 * 8 * 4,
     {{"output_height", integer(2)}, {"output_width", integer(2)}, {"sampling_ratio", integer(2)}},
     17,
     0,
     16},
    {"NegativeLogLikelihoodLoss", {Numbers{{6, 5}}, Weights{{6}, kInt64}}, {}, 12, {}, 17, 0, 48},

    // Windows of 2 x 2 over 2 channels, for 3 channels at 3 x 3 or 2 x 2 places.
    {"ConvInteger",
     {Weights{{1, 2, 4, 4}, kInt8}, Weights{{3, 2, 2, 2}, kInt8}},
     {1, 3, 3, 3},
     2 * 27 * 8,
     {},
     17,
     24,
     32 + 24},
    {"QLinearConv",
     {Numbers{{1, 2, 4, 4}}, kScale, kZero, Weights{{3, 2, 2, 2}, kInt8}, kScale, kZero, kScale, kZero,
      Weights{{3}, ElementType::kInt32}},
     {1, 3, 2, 2},
     2 * 12 * 8,
     {{"strides", Dims{2, 2}}},
     17,
     27,
     24 + 12 + 3 * 4 + 3},
    {"MatMulInteger", {Weights{{4, 6}, kInt8}, Weights{{6, 5}, kInt8}}, {4, 5}, 2 * 20 * 6, {}, 17, 54, 54},
    {"QLinearMatMul",
     {Weights{{4, 6}, kInt8}, kScale, kZero, Weights{{6, 5}, kInt8}, kScale, kZero, kScale, kZero},
     {4, 5},
     2 * 20 * 6,
     {},
     17,
     54,
     24 + 30 + 3 * 4 + 3},
    // A window of 3 whose taps are 2 apart, so that it reaches 5: at 4 places, or at 5 rounded up.
    {"AveragePool",
     {Numbers{{1, 2, 11}}},
     {1, 2, 4},
     8 * 3,
     {{"kernel_shape", Dims{3}}, {"dilations", Dims{2}}, {"strides", Dims{2}}},
     19},
    {"AveragePool",
     {Numbers{{1, 2, 12}}},
     {1, 2, 5},
     10 * 3,
     {{"kernel_shape", Dims{3}}, {"dilations", Dims{2}}, {"strides", Dims{2}}, {"ceil_mode", integer(1)}},
     19},
    {"LpPool", {Numbers{{1, 2, 6}}}, {1, 2, 3}, 6 * 2, {{"kernel_shape", Dims{2}}, {"strides", Dims{2}}}, 18},
    // 2 x 4 x 4 outputs of 3 x 3 taps over 2 channels; 2 x 9 x 16 samples of four pixels, and a
    // factor for each.
    {"DeformConv",
     {Numbers{{1, 2, 6, 6}}, Weights{{2, 2, 3, 3}}, Numbers{{1, 18, 4, 4}}, Absent{}, Numbers{{1, 9, 4, 4}}},
     {1, 2, 4, 4},
     2 * 32 * 18 + 2 * 9 * 16 * (8 + 1),
     {},
     19,
     36,
     144},
    {"GridSample", {Numbers{{1, 2, 4, 4}}, Numbers{{1, 3, 3, 2}}}, {1, 2, 3, 3}, 18, {{"mode", "nearest"}}},
    {"GridSample", {Numbers{{1, 2, 4, 4}}, Numbers{{1, 3, 3, 2}}}, {1, 2, 3, 3}, 18 * 32, {{"mode", "bicubic"}}},

    // 12 x 12 from 6 x 4: 6 is scaled by 2, to which 4 has to keep.
    {"Resize",
     {Numbers{{1, 1, 6, 4}}, Absent{}, Absent{}, Integers{{12, 12}}},
     {1, 1, 12, 8},
     96 * 2 * 4,
     {{"axes", Dims{2, 3}}, {"keep_aspect_ratio_policy", "not_larger"}, {"mode", "linear"}},
     18,
     0,
     16},
    {"Resize",
     {Numbers{{1, 1, 6, 4}}, Absent{}, Absent{}, Integers{{12, 12}}},
     {1, 1, 18, 12},
     216 * 2 * 16,
     {{"axes", Dims{2, 3}}, {"keep_aspect_ratio_policy", "not_smaller"}, {"mode", "cubic"}},
     18,
     0,
     16},
    // Half as wide and smoothed: four pixels instead of two.
    {"Resize",
     {Numbers{{1, 1, 6, 4}}, Absent{}, Scales{{1, 1, 1, 0.5F}}},
     {1, 1, 6, 2},
     12 * 2 * 4,
     {{"antialias", integer(1)}, {"mode", "linear"}},
     18,
     0,
     16},
    {"Resize", {Numbers{{1, 1, 6, 4}}, Absent{}, Scales{{1, 1, 2, 2}}}, {1, 1, 12, 8}, 0, {}, 13, 0, 16},

    // ij,jk is 2 · 2 · 3 · 4 FLOPs, ik,kl is 2 · 2 · 4 · 5.
    {"Einsum", {Numbers{{2, 3}}, Numbers{{3, 4}}, Numbers{{4, 5}}}, {2, 5}, 48 + 80, {{"equation", "ij,jk,kl->il"}}},
    // b of three terms is summed with the last: 2 · 3 products, then 2 · 3 multiply-adds.
    {"Einsum",
     {Numbers{{2, 3}}, Numbers{{2, 3}}, Numbers{{2, 3}}},
     {2},
     6 + 12,
     {{"equation", "...b, ...b, ...b -> ..."}}},
    {"Einsum", {Numbers{{2, 3}}}, {}, 6, {{"equation", "ij->"}}},
    {"Einsum", {Numbers{{2, 3}}}, {3, 2}, 0, {{"equation", "ij->ji"}}},

    // 2 heads of 4 (queries and keys) and 8 (values), 3 queries, 5 keys.
    {"Attention",
     {Numbers{{1, 2, 3, 4}}, Numbers{{1, 2, 5, 4}}, Numbers{{1, 2, 5, 8}}},
     {1, 2, 3, 8},
     2 * 2 * 3 * 5 * (4 + 8),
     {},
     23},
    {"MultiHeadAttention",
     {Numbers{{1, 3, 8}}, Numbers{{1, 5, 8}}, Numbers{{1, 5, 16}}},
     {1, 3, 16},
     2 * 3 * 5 * (8 + 16),
     {{"num_heads", integer(2)}},
     1,
     0,
     0,
     "com.microsoft"},
    {"Attention",
     {Numbers{{1, 3, 6}}, Weights{{6, 32}}},
     {1, 3, 16},
     2 * 3 * 6 * 32 + 2 * 3 * 3 * (8 + 16),
     {{"num_heads", integer(2)}, {"qkv_hidden_sizes", Dims{8, 8, 16}}},
     1,
     192,
     768,
     "com.microsoft"},
};

TEST(OperatorCost, FollowsFromSizesAndAttributes) {
  for (const Cost& each : kCosts) {
    SCOPED_TRACE(fmt::format("{}, opset {}", each.op_type, each.opset));
    const NotExecuted found = cost_of(each);
    ASSERT_TRUE(found.outputs.front().dims);
    EXPECT_EQ(*found.outputs.front().dims, each.output);
    ASSERT_TRUE(found.flops);
    EXPECT_DOUBLE_EQ(*found.flops, each.flops);
    EXPECT_EQ(found.parameters, each.parameters);
    ASSERT_TRUE(found.weight_bytes);
    EXPECT_DOUBLE_EQ(*found.weight_bytes, each.weight_bytes);
  }
}

// How many samples a region has, or what is unique, depends on values.
TEST(OperatorCost, IsUnknownWhereItFollowsFromValues) {
  const Attributes sizes{{"output_height", integer(2)}, {"output_width", integer(2)}};
  const Cost cases[] = {
      {"RoiAlign", {Numbers{{1, 3, 8, 8}}, Numbers{{2, 4}}, Weights{{2}, kInt64}}, {}, 0, sizes},
      {"Unique", {Numbers{{8}}}, {}},
      {"NonZero", {Numbers{{8}}}, {}},
      {"Resize", {Numbers{{1, 6}}, Absent{}, Numbers{{2}}}, {}, 0, {}, 18},
      {"AveragePool", {Numbers{{1, 1, 6}}}, {}, 0, {{"kernel_shape", Dims{1}}, {"strides", Dims{0}}}, 19},
      {"Einsum", {Numbers{{2, 3}}}, {}, 0, {{"equation", "ij,jk->ik"}}},
      {"Einsum", {Numbers{{2, 3}}}, {}, 0, {{"equation", "i2->i"}}},
  };
  for (const Cost& each : cases) {
    SCOPED_TRACE(each.op_type);
    EXPECT_FALSE(cost_of(each).has_cost());
  }
}

// 64 rows of 8 numbers, of which each of the samples reads four.
TEST(OperatorCost, OfATableIsWhatOneSampleReads) {
  for (const std::int64_t samples : {1, 4}) {
    const Cost gather{"Gather", {Weights{{64, 8}}, Numbers{{samples, 4}}}, {}};
    const NotExecuted found = cost_of(gather, samples);
    EXPECT_EQ(found.weight_bytes, 4 * 4 * 8);
  }
}

}  // namespace
}  // namespace iosx::onnx_import
