#include "tests/support/operator_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>

#include "core/base/check.h"
#include "core/model/graph/builder.h"
#include "tests/support/element_functions.h"

namespace iosx::test {
namespace {

using Case = OperatorCase;

std::string identifier(std::string_view name) {
  std::string text(name);
  std::ranges::replace_if(
      text, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; }, '_');
  return text;
}

constexpr auto kPlain = [](auto&) {};
const Shape kMap{8, 9, 11};

std::vector<Case> convolutions() {
  std::vector<Case> cases{
      {"conv_1x1", Conv{.out_channels = 16, .kernel = {1, 1}}, {kMap}},
      {"conv_3x3_padded", Conv{.out_channels = 16, .kernel = {3, 3}, .padding = {1, 1}}, {kMap}},
      {"conv_1x7", Conv{.out_channels = 5, .kernel = {1, 7}, .padding = {0, 3}}, {kMap}},
      {"conv_stride", Conv{.out_channels = 12, .kernel = {3, 2}, .stride = {2, 3}}, {kMap}},
      {"conv_dilated", Conv{.out_channels = 16, .kernel = {3, 3}, .padding = {2, 3}, .dilation = {2, 3}}, {kMap}},
      {"conv_uneven_padding",
       Conv{.out_channels = 16, .kernel = {2, 4}, .padding = {0, 1}, .end_padding = {1, 1}},
       {kMap}},
      {"conv_less_end_padding",
       Conv{.out_channels = 16, .kernel = {4, 4}, .padding = {2, 2}, .end_padding = {-1, -1}},
       {kMap}},
      {"conv_grouped", Conv{.out_channels = 12, .kernel = {3, 3}, .padding = {1, 1}, .groups = 4}, {kMap}},
      {"conv_grouped_wide", Conv{.out_channels = 64, .kernel = {3, 3}, .padding = {1, 1}, .groups = 2}, {{32, 9, 9}}},
      {"conv_depthwise", Conv{.out_channels = 8, .kernel = {3, 3}, .padding = {1, 1}, .groups = 8}, {kMap}},
      {"conv_depthwise_odd",
       Conv{.out_channels = 19, .kernel = {5, 5}, .stride = {2, 2}, .padding = {2, 2}, .groups = 19},
       {{19, 9, 9}}},
      {"conv_depthwise_multiplied", Conv{.out_channels = 16, .kernel = {3, 3}, .groups = 8}, {kMap}},
      {"conv_three_channels",
       Conv{.out_channels = 32, .kernel = {7, 7}, .stride = {2, 2}, .padding = {3, 3}},
       {{3, 31, 29}}},
      {"conv_one_channel", Conv{.out_channels = 1, .kernel = {3, 3}}, {{1, 9, 9}}},
      {"conv_to_a_point", Conv{.out_channels = 10, .kernel = {9, 11}}, {kMap}},
  };
  for (const Activation& activation : every_activation()) {
    if (activation.kind == ActivationKind::kIdentity || !tame(activation.kind)) continue;
    const std::string name = identifier(activation_name(activation));
    if (!activation_row(activation.kind).fuses) {
      cases.push_back({"activate_" + name, Activate{activation}, {kMap}, jumps(activation.kind)});
      continue;
    }
    cases.push_back({"conv_" + name, Conv{.out_channels = 16, .kernel = {3, 3}, .activation = activation}, {kMap}});
    cases.push_back({"linear_" + name, Linear{20, activation}, {Shape{30}}});
    cases.push_back({"activate_" + name, Activate{activation}, {kMap}});
    cases.push_back({"affine_" + name, Affine{activation}, {kMap}});
    cases.push_back({"conv_transpose_" + name,
                     ConvTranspose{.out_channels = 8, .kernel = {3, 3}, .activation = activation},
                     {kMap}});
  }
  cases.push_back({"affine_shift_first", Affine{.shift_first = true}, {kMap}});
  return cases;
}

std::vector<Case> transposed_convolutions() {
  return {
      {"conv_transpose_2x2", ConvTranspose{.out_channels = 16, .kernel = {2, 2}, .stride = {2, 2}}, {kMap}},
      {"conv_transpose_padded",
       ConvTranspose{.out_channels = 6, .kernel = {3, 4}, .stride = {2, 2}, .padding = {1, 1}},
       {kMap}},
      {"conv_transpose_output_padding",
       ConvTranspose{
           .out_channels = 6, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .output_padding = {1, 1}},
       {kMap}},
      {"conv_transpose_beyond",
       ConvTranspose{.out_channels = 6, .kernel = {3, 3}, .stride = {3, 3}, .output_padding = {2, 1}},
       {kMap}},
      {"conv_transpose_uneven",
       ConvTranspose{.out_channels = 6, .kernel = {3, 3}, .stride = {2, 1}, .padding = {1, 0}, .end_padding = {-1, 1}},
       {kMap}},
      {"conv_transpose_dilated", ConvTranspose{.out_channels = 6, .kernel = {3, 2}, .dilation = {2, 2}}, {kMap}},
      {"conv_transpose_grouped",
       ConvTranspose{.out_channels = 12, .kernel = {3, 3}, .stride = {2, 2}, .groups = 4},
       {kMap}},
      {"conv_transpose_depthwise",
       ConvTranspose{.out_channels = 8, .kernel = {4, 4}, .stride = {2, 2}, .groups = 8},
       {kMap}},
  };
}

std::vector<Case> pools() {
  using enum PoolKind;
  return {
      {"max_pool", Pool{.kind = kMax, .kernel = {2, 2}, .stride = {2, 2}}, {kMap}},
      {"max_pool_padded", Pool{.kind = kMax, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}}, {kMap}},
      {"max_pool_ceil", Pool{.kind = kMax, .kernel = {3, 3}, .stride = {3, 2}, .ceil_mode = true}, {{8, 10, 12}}},
      {"max_pool_dilated", Pool{.kind = kMax, .kernel = {2, 3}, .dilation = {3, 2}}, {kMap}},
      {"max_pool_uneven", Pool{.kind = kMax, .kernel = {3, 2}, .end_padding = {1, 1}}, {kMap}},
      {"average_pool_counting", Pool{.kind = kAverage, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}}, {kMap}},
      {"average_pool", Pool{.kind = kAverage, .kernel = {3, 3}, .padding = {1, 1}, .count_padding = false}, {kMap}},
      {"average_pool_ceil_counting",
       Pool{.kind = kAverage, .kernel = {3, 3}, .stride = {2, 2}, .padding = {1, 1}, .ceil_mode = true},
       {{8, 10, 12}}},
      {"average_pool_ceil",
       Pool{.kind = kAverage, .kernel = {3, 3}, .stride = {2, 2}, .ceil_mode = true, .count_padding = false},
       {{8, 10, 12}}},
      {"average_pool_uneven_counting",
       Pool{.kind = kAverage, .kernel = {3, 3}, .padding = {1, 0}, .end_padding = {-1, 1}},
       {kMap}},
      {"average_pool_leftover", Pool{.kind = kAverage, .kernel = {2, 2}, .stride = {4, 4}}, {{8, 10, 13}}},
      {"global_average_pool", Pool{.kind = kGlobalAverage}, {kMap}},
      {"global_max_pool", Pool{.kind = kGlobalMax}, {kMap}},
      {"global_average_pool_large", Pool{.kind = kGlobalAverage}, {{40, 33, 35}}},
  };
}

std::vector<Case> others() {
  return {
      {"add", Add{}, {kMap, kMap}},
      {"add_three", Add{}, {kMap, kMap, kMap}},
      {"add_broadcast", Add{}, {kMap, Shape{8, 1, 1}, Shape{}}},
      {"add_rows", Add{}, {Shape{11}, kMap}},
      {"mul", Mul{}, {kMap, Shape{8, 1, 1}}},
      {"sub_broadcast", Binary{BinaryFunction::kSub}, {Shape{4, 5}, Shape{5}}},
      {"where", Where{}, {Shape{9, 11}, kMap, Shape{8, 1, 1}}, true},
      {"where_plain", Where{}, {kMap, kMap, kMap}, true},
      {"expand", Expand{Shape{3, 8, 9, 11}}, {Shape{8, 1, 11}}},
      {"expand_map", Expand{kMap}, {Shape{8, 1, 1}}},
      {"expand_scalar", Expand{Shape{4, 3}}, {Shape{}}},
      {"gather_rows", Gather{GatherKind::kSlices, 0}, {Shape{13, 6}, Shape{5}}},
      {"gather_columns", Gather{GatherKind::kSlices, 1}, {Shape{4, 7}, Shape{2, 3}}},
      {"gather_one", Gather{GatherKind::kSlices, 1}, {kMap, Shape{}}},
      {"gather_map", Gather{GatherKind::kSlices, 2}, {kMap, Shape{6}}},
      {"gather_elements", Gather{GatherKind::kElements, 1}, {Shape{4, 7}, Shape{3, 5}}},
      {"gather_elements_map", Gather{GatherKind::kElements, 2}, {kMap, Shape{8, 9, 4}}},
      {"layer_norm", Normalize{1, 1e-5F, true, true}, {Shape{7, 40}}},
      {"layer_norm_axes", Normalize{1, 1e-5F, true, true}, {kMap}},
      {"layer_norm_all", Normalize{0, 1e-3F, true, true}, {kMap}},
      {"layer_norm_plain", Normalize{2, 1e-5F, true, false}, {Shape{3, 5, 600}}},
      {"rms_norm", Normalize{1, 1e-5F, false, true}, {Shape{7, 40}}},
      {"concat", Concat{}, {kMap, Shape{3, 9, 11}, Shape{1, 9, 11}}},
      {"concat_rows", Concat{1}, {kMap, Shape{8, 2, 11}}},
      {"concat_columns", Concat{2}, {kMap, Shape{8, 9, 1}}},
      {"concat_vectors", Concat{}, {Shape{3}, Shape{5}}},
      {"identity", Identity{}, {kMap}},
      {"linear_on_a_map", Linear{13, Activation::kRelu}, {kMap}},
      {"linear_on_a_matrix", Linear{13, Activation::kIdentity}, {Shape{4, 6}}},
      {"linear_on_rows", Linear{13, Activation::kRelu, 1}, {Shape{4, 6}}},
      {"linear_on_channels", Linear{13, Activation::kIdentity, 1}, {kMap}},
      {"linear_on_lines", Linear{13, {ActivationKind::kGelu}, 2}, {kMap}},
      {"linear_on_windows", Linear{5, Activation::kIdentity, 3}, {Shape{2, 3, 5, 7}}},
      {"linear_on_a_scalar", Linear{3, Activation::kIdentity}, {Shape{}}},
      {"matmul", MatMul{}, {Shape{5, 7}, Shape{7, 6}}},
      {"matmul_many", MatMul{}, {Shape{3, 5, 7}, Shape{3, 7, 6}}},
      {"matmul_broadcast", MatMul{}, {Shape{2, 3, 5, 7}, Shape{3, 7, 6}}},
      {"matmul_one_matrix", MatMul{}, {Shape{3, 5, 7}, Shape{7, 6}}},
      {"reshape_flatten", Reshape{Shape{8 * 9 * 11}}, {kMap}},
      {"reshape_split", Reshape{Shape{2, 4, 9, 11}}, {kMap}},
      {"reshape_to_map", Reshape{Shape{4, 6, 5}}, {Shape{120}}},
      {"transpose_map", Transpose{{2, 0, 1}}, {kMap}},
      {"transpose_channels", Transpose{{1, 0, 2, 3}}, {Shape{2, 4, 3, 5}}},
      {"slice", Slice{{1, 8, 2}, {2, -2, 3}, Shape{3, 4, 3}}, {kMap}},
      {"pad_zero", Pad{PadMode::kConstant, {0, 1, 2}, {1, 0, 3}, 0.5F}, {kMap}},
      {"pad_reflect", Pad{PadMode::kReflect, {0, 2, 1}, {0, 1, 3}, 0}, {kMap}},
      {"pad_edge", Pad{PadMode::kEdge, {0, 2, 1}, {0, 1, 3}, 0}, {kMap}},
      {"pad_crop", Pad{PadMode::kConstant, {0, -1, 2}, {0, -2, -1}, 0}, {kMap}},
      {"resize_nearest",
       Resize{ResizeMode::kNearest, ResizeCoordinates::kAsymmetric, ResizeRounding::kFloor, {1, 2, 2}, {8, 18, 22}},
       {kMap}},
      {"resize_linear",
       Resize{ResizeMode::kLinear, ResizeCoordinates::kHalfPixel, ResizeRounding::kFloor, {1, 2, 1.5F}, {8, 18, 16}},
       {kMap}},
      {"resize_align_corners",
       Resize{ResizeMode::kLinear, ResizeCoordinates::kAlignCorners, ResizeRounding::kFloor, {1, 2, 2}, {8, 18, 22}},
       {kMap}},
      {"softmax", Softmax{0}, {Shape{50}}},
      {"softmax_channels", Softmax{0}, {kMap}},
      {"softmax_columns", Softmax{2}, {kMap}},
      {"lrn", Lrn{5, 1e-2F, 0.75F, 1}, {kMap}},
      {"lrn_even", Lrn{4, 1e-2F, 0.5F, 2}, {kMap}},
  };
}

Recurrent recurrent(RecurrentKind kind, RecurrentDirection direction, const auto& change) {
  Recurrent made{.kind = kind, .direction = direction, .hidden = 5};
  change(made);
  return made;
}

std::vector<Case> binaries() {
  std::vector<Case> cases;
  for (const BinaryRow& row : binary_rows()) {
    if (row.function == BinaryFunction::kAdd || row.function == BinaryFunction::kMul) continue;
    cases.push_back({identifier(row.name), Binary{row.function}, {kMap, kMap}, jumps(row.function)});
  }
  return cases;
}

std::vector<Case> reductions() {
  std::vector<Case> cases;
  for (int i = 0; i <= static_cast<int>(ReduceKind::kArgMin); ++i) {
    const auto kind = static_cast<ReduceKind>(i);
    const std::string name = "reduce_" + identifier(reduce_name(kind));
    if (is_arg(kind)) {
      for (const std::size_t axis : {0, 2}) {
        const std::string along = fmt::format("{}_{}", name, axis);
        cases.push_back({along, Reduce{kind, {axis}, true, false}, {kMap}, true});
        cases.push_back({along + "_last", Reduce{kind, {axis}, false, true}, {kMap}, true});
      }
      continue;
    }
    // The product of a whole map is smaller than any number of half precision.
    const Shape map = kind == ReduceKind::kProduct ? kMap.with(1, 2).with(2, 3) : kMap;
    cases.push_back({name + "_map", Reduce{kind, {1, 2}, true}, {map}});
    cases.push_back({name + "_squeezed", Reduce{kind, {1, 2}, false}, {map}});
    cases.push_back({name + "_channels", Reduce{kind, {0}, false}, {kMap}});
    cases.push_back({name + "_rows", Reduce{kind, {1}, true}, {Shape{4, 600}}});
  }
  return cases;
}

// What divides by the number, or raises to its power.
bool needs_positive(const Attributes& attributes, std::size_t input) {
  using enum BinaryFunction;
  const auto* const binary = std::get_if<Binary>(&attributes);
  if (binary == nullptr || input != 1) return false;
  return binary->function == kDiv || binary->function == kPow || binary->function == kMod || binary->function == kFmod;
}

// Multiples of 1/2 from -3/2 to 3/2, which every precision keeps; for indices of an axis, whole numbers.
Tensor exact_numbers(const Shape& shape, std::size_t input, std::int64_t indices_of) {
  std::vector<float> values(static_cast<std::size_t>(shape.elements()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i / (input + 1)) * 5;
    values[i] = indices_of == 0 ? static_cast<float>(number % 7 - 3) / 2
                                : static_cast<float>(number % (2 * indices_of) - indices_of);
  }
  return {{shape.dims().begin(), shape.dims().end()}, std::move(values)};
}

}  // namespace

void PrintTo(const OperatorCase& one, std::ostream* out) { *out << one.name; }

std::vector<OperatorCase> host_operator_cases() {
  using enum RecurrentKind;
  using enum RecurrentDirection;
  const Shape sequence{8, 2, 7};
  const Shape grid{6, 10, 2};
  std::vector<Case> cases{
      {"lstm", recurrent(kLstm, kForward, kPlain), {sequence}},
      {"lstm_reverse", recurrent(kLstm, kReverse, kPlain), {sequence}},
      {"lstm_both_states", recurrent(kLstm, kBoth, kPlain), {sequence, Shape{2, 2, 5}, Shape{2, 2, 5}}},
      {"lstm_peepholes", recurrent(kLstm, kBoth, [](Recurrent& r) { r.peepholes = true; }), {sequence}},
      {"lstm_wide", recurrent(kLstm, kBoth, [](Recurrent& r) { r.hidden = 48; }), {Shape{12, 1, 64}}},
      {"lstm_last_cell", recurrent(kLstm, kForward, [](Recurrent& r) { r.last_cell = true; }), {sequence}},
      {"lstm_last_cell_both_states",
       recurrent(kLstm, kBoth, [](Recurrent& r) { r.last_cell = r.peepholes = true; }),
       {sequence, Shape{2, 2, 5}, Shape{2, 2, 5}}},
      {"gru", recurrent(kGru, kForward, kPlain), {sequence}},
      {"gru_both_state", recurrent(kGru, kBoth, kPlain), {sequence, Shape{2, 2, 5}}},
      {"gru_linear_before_reset",
       recurrent(kGru, kBoth, [](Recurrent& r) { r.linear_before_reset = true; }),
       {sequence}},
      {"rnn", recurrent(kRnn, kForward, kPlain), {sequence}},
      {"rnn_both_state", recurrent(kRnn, kBoth, kPlain), {sequence, Shape{2, 2, 5}}},
      // On a GPU all counts.
      {"matmul_sparse", MatMul{.sparse = true}, {Shape{5, 7}, Shape{7, 6}}, true},
      {"matmul_sparse_broadcast", MatMul{.sparse = true}, {Shape{2, 3, 5, 7}, Shape{3, 7, 6}}, true},
      {"top_k_channels", TopK{3, 0, true, TopKOutput::kValues}, {kMap}},
      {"top_k_columns", TopK{11, 2, false, TopKOutput::kValues}, {kMap}},
      {"top_k_places", TopK{4, 1, true, TopKOutput::kIndices}, {kMap}},
      {"top_k_smallest_places", TopK{2, 0, false, TopKOutput::kIndices}, {Shape{50}}},
  };
  for (const GridMode mode : {GridMode::kNearest, GridMode::kLinear, GridMode::kCubic}) {
    for (const GridPadding padding : {GridPadding::kZeros, GridPadding::kBorder, GridPadding::kReflection}) {
      // Where the border begins, ONNX and cubic kernels disagree: positions half a pixel outside.
      if (mode == GridMode::kCubic && padding == GridPadding::kBorder) continue;
      for (const bool aligned : {false, true}) {
        cases.push_back({fmt::format("grid_sample_{}_{}{}", static_cast<int>(mode), static_cast<int>(padding),
                                     aligned ? "_aligned" : ""),
                         GridSample{mode, padding, aligned},
                         {kMap, grid}});
      }
    }
  }
  return cases;
}

std::vector<OperatorCase> operator_cases() {
  std::vector<Case> cases;
  for (const auto& some : {convolutions(), transposed_convolutions(), pools(), others(), binaries(), reductions()}) {
    cases.insert(cases.end(), some.begin(), some.end());
  }
  return cases;
}

Graph network_of(const OperatorCase& one, Placement placement) {
  GraphBuilder builder(one.name);
  std::vector<Value> inputs;
  for (std::size_t i = 0; i < one.inputs.size(); ++i) {
    const Shape& shape = one.inputs[i];
    const auto* const gather = std::get_if<Gather>(&one.attributes);
    if (one.exact || (gather != nullptr && i == 1)) {
      const std::int64_t indices_of = gather == nullptr ? 0 : one.inputs[0][gather->axis];
      Tensor numbers = exact_numbers(shape, i, indices_of);
      if (needs_positive(one.attributes, i)) {
        std::vector<float> positive(numbers.elements().begin(), numbers.elements().end());
        for (float& x : positive) x = 1 + std::abs(2 * x);
        numbers = Tensor({numbers.dims().begin(), numbers.dims().end()}, std::move(positive));
      }
      const Value constant = builder.constant(fmt::format("numbers{}", i), std::move(numbers));
      if (gather != nullptr) {
        inputs.push_back(constant);
        continue;
      }
      const Value always = builder.constant(fmt::format("always{}", i), Tensor({}, std::vector<float>{1}));
      const Value input = builder.input(fmt::format("in{}", i), shape);
      inputs.push_back(builder.add(fmt::format("exact{}", i), Where{}, {always, constant, input}));
    } else if (placement == Placement::kWhole || shape.rank() == 0) {
      inputs.push_back(builder.input(fmt::format("in{}", i), shape));
    } else {
      Value value = builder.input(fmt::format("in{}", i), shape.with(0, shape[0] + 5));
      inputs.push_back({value.producer, 2, 2 + shape[0]});
    }
  }
  const Value out = builder.add("op", one.attributes, inputs);
  if (placement == Placement::kSliced && builder.shape(out).rank() > 0) {
    const Value other = builder.input("beside", builder.shape(out));
    builder.add("join", Concat{}, {other, out, other});
  }
  auto graph = std::move(builder).build();
  IOS_CHECK(graph);
  return std::move(*graph);
}

}  // namespace iosx::test
