#include <algorithm>
#include <array>
#include <string_view>

#include "core/formats/onnx/convert/conversion_context.h"

// Quantised operators, computed in float: integers are ordinary numbers, rounded and clipped where ONNX says so. Each
// is read as its equivalent nodes.
namespace iosx::onnx_import {
namespace {

using Operand = std::optional<Known>;

Known number(float x) { return HostTensor::of_floats({}, {x}); }

std::size_t rank_of(const ConversionContext& call, const Known& known) {
  if (const auto* const tensor = std::get_if<HostTensor>(&known)) return tensor->dims().size();
  return call.rank(std::get<DraftValue>(known));
}

// Returns numbers of any type as floats, so that sums of them do not wrap around.
Known as_floats(ConversionContext& call, const Operand& given) {
  if (!given) call.bad(message("one of its inputs is absent"));
  if (const auto* const tensor = std::get_if<HostTensor>(&*given)) {
    if (tensor->is_opaque()) call.unsupported(message("a constant cannot be read: {}", tensor->why_opaque()));
    if (tensor->holds_floats()) return *tensor;
    call.spend(tensor->elements());
    const auto integers = tensor->integers();
    return HostTensor::of_floats({tensor->dims().begin(), tensor->dims().end()},
                                 std::vector<float>(integers.begin(), integers.end()));
  }
  return std::get<DraftValue>(*given).of_type(ElementType::kFloat32);
}

// Makes one number for each place of an axis, so that it broadcasts against a tensor of this rank.
Known along(ConversionContext& call, Known numbers, std::int64_t axis, std::size_t rank) {
  if (rank_of(call, numbers) != 1) return numbers;
  auto* const tensor = std::get_if<HostTensor>(&numbers);
  if (tensor == nullptr) {
    if (call.lead() == 0 && std::get<DraftValue>(numbers).shape.elements() == 1)
      return call.reshape(std::get<DraftValue>(numbers), Shape{}, "scalar");
    call.unsupported(message("scales that are computed for each position of an axis"));
  }
  if (tensor->elements() == 1) return tensor->with_dims({});
  const auto count = static_cast<std::int64_t>(rank);
  if (axis < 0) axis += count;
  if (axis < 0 || axis >= count) call.bad(message("its axis {} is not one of the {} of its input", axis, count));
  Dims dims(static_cast<std::size_t>(count - axis), 1);
  dims[0] = tensor->elements();
  return tensor->with_dims(std::move(dims));
}

bool is_zero(const Known& known) {
  const auto* const tensor = std::get_if<HostTensor>(&known);
  if (tensor == nullptr || !tensor->holds_floats()) return false;
  const auto numbers = tensor->floats();
  return std::all_of(numbers.begin(), numbers.end(), [](float x) { return x == 0; });
}

// Makes x - zero; `scaled` says that a factor follows.
Known centred(ConversionContext& call, const Operand& x, const Operand& zero, std::int64_t axis, bool scaled = false) {
  Known numbers = as_floats(call, x);
  if (!zero) return numbers;
  const Known offset = along(call, as_floats(call, zero), axis, rank_of(call, numbers));
  if (is_zero(offset)) return numbers;
  Known made = call.compose("Sub", {numbers, offset}, "centred");
  if (scaled) call.put_shift_first(made);
  return made;
}

// Makes (x - zero) · scale.
Known dequantised(ConversionContext& call, const Operand& x, const Operand& scale, const Operand& zero,
                  std::int64_t axis, std::string_view suffix = "dequantised") {
  const Known numbers = centred(call, x, zero, axis, true);
  const Known factor = along(call, as_floats(call, scale), axis, rank_of(call, numbers));
  return call.compose("Mul", {numbers, factor}, suffix);
}

// The zero point has the requested type; unsigned bytes without one.
ElementType type_of(const Operand& zero) {
  if (!zero) return ElementType::kUint8;
  if (const auto* const tensor = std::get_if<HostTensor>(&*zero)) return tensor->type();
  return std::get<DraftValue>(*zero).type;
}

// The bounds are attributes before opset 11.
Known clipped(ConversionContext& call, const Known& x, float low, float high, std::string_view suffix) {
  return call.compose("Clip", {x, number(low), number(high)}, suffix, {{"min", low}, {"max", high}});
}

// Makes x / scale, rounded, + zero, clipped to the type.
Known quantised(ConversionContext& call, const Known& x, const Operand& scale, const Operand& zero, std::int64_t axis,
                ElementType type) {
  const auto range = quantised_range(type);
  if (!range) call.unsupported(message("numbers of type {}", to_string(type)));
  const std::size_t rank = rank_of(call, x);
  Known made = call.compose("Div", {x, along(call, as_floats(call, scale), axis, rank)}, "scaled");
  made = call.compose("Round", {made}, "rounded");
  if (zero) {
    const Known offset = along(call, as_floats(call, zero), axis, rank);
    if (!is_zero(offset)) made = call.compose("Add", {made, offset}, "shifted");
  }
  made = clipped(call, made, range->low, range->high, "");
  if (auto* const value = std::get_if<DraftValue>(&made)) value->type = type;
  return made;
}

Converted converted(ConversionContext& call, Known known) {
  call.note_quantised();
  return {call.as_value(std::move(known))};
}

// Returns the numbers of x; x, its scale and its zero point stand from the input `first` on.
Known input(ConversionContext& call, std::size_t first, std::int64_t axis = 1) {
  return dequantised(call, call.input(first), call.input(first + 1), call.input(first + 2), axis);
}

// Makes the output with the scale at this input and the zero point after it.
Converted output(ConversionContext& call, const Known& made, std::size_t scale) {
  const Operand zero = call.input(scale + 1);
  return converted(call, quantised(call, made, call.input(scale), zero, 1, type_of(zero)));
}

Converted convert_quantize(ConversionContext& call) {
  const std::int64_t axis = call.integer("axis", 1);
  const std::int64_t declared = call.integer("output_dtype", 0);
  if (call.integer("block_size", 0) != 0) call.unsupported(message("scales for blocks"));
  const Known x = as_floats(call, call.input(0));
  const Operand zero = call.input(2);
  const ElementType type = declared != 0 && !zero ? element_type_of(declared) : type_of(zero);
  return converted(call, quantised(call, x, call.input(1), zero, axis, type));
}

Converted convert_dequantize(ConversionContext& call) {
  const std::int64_t axis = call.integer("axis", 1);
  if (call.integer("block_size", 0) != 0) call.unsupported(message("scales for blocks"));
  return converted(call, dequantised(call, call.input(0), call.input(1), call.input(2), axis, ""));
}

// A quantised tensor with the scale and zero point for its numbers.
struct Dynamic {
  Known numbers;  // not shifted by the zero point
  Known scale;
  Known zero;
};

// Quantises as ONNX defines DynamicQuantizeLinear: the range of all numbers and 0 is divided into 255 steps.
Dynamic dynamic(ConversionContext& call, const Operand& given) {
  if (call.lead() == 1) call.mixes_batch(message("it scales all samples together"));
  const Known x = as_floats(call, given);
  const NodeAttributes no_dims{{"keepdims", std::int64_t{0}}};
  const Known most = call.compose("Max", {call.compose("ReduceMax", {x}, "most", no_dims), number(0)}, "most");
  const Known least = call.compose("Min", {call.compose("ReduceMin", {x}, "least", no_dims), number(0)}, "least");
  const Known range = call.compose("Sub", {most, least}, "range");
  // The scale is never zero, so that zeros alone give zeros.
  const Known scale =
      call.compose("Max", {call.compose("Div", {range, number(255)}, "scale"), number(1e-30F)}, "scale");
  const Known start = call.compose("Div", {call.compose("Sub", {number(0), least}, "below"), scale}, "start");
  return {x, scale, call.compose("Round", {clipped(call, start, 0, 255, "start")}, "zero")};
}

Converted convert_dynamic_quantize(ConversionContext& call) {
  const Dynamic made = dynamic(call, call.input(0));
  const Known numbers = quantised(call, made.numbers, made.scale, made.zero, 1, ElementType::kUint8);
  call.note_quantised();
  const DraftValue zero = call.as_value(made.zero).of_type(ElementType::kUint8);
  return {call.as_value(numbers), call.as_value(made.scale), zero};
}

Converted convert_qlinear_conv(ConversionContext& call) {
  const Known x = input(call, 0);
  const Known weights = dequantised(call, call.input(3), call.input(4), call.input(5), 0);
  std::vector<Operand> inputs{x, weights};
  if (call.given(8)) {
    // Multiples of the product of both scales.
    const Known unit = call.compose("Mul", {as_floats(call, call.input(1)), as_floats(call, call.input(4))}, "unit");
    inputs.emplace_back(call.compose("Mul", {as_floats(call, call.input(8)), unit}, "bias"));
  }
  return output(call, call.compose("Conv", inputs, "conv", call.node().attributes), 6);
}

// A constant stays as it is.
Known of_integers(Known made) {
  if (auto* const value = std::get_if<DraftValue>(&made)) value->type = ElementType::kInt32;
  return made;
}

Converted convert_conv_integer(ConversionContext& call) {
  const Known x = centred(call, call.input(0), call.input(2), 1);
  const Known weights = centred(call, call.input(1), call.input(3), 0);
  return converted(call, of_integers(call.compose("Conv", {x, weights}, "", call.node().attributes)));
}

Converted convert_qlinear_matmul(ConversionContext& call) {
  const Known a = input(call, 0, -2);
  const Known b = input(call, 3, -1);
  return output(call, call.compose("MatMul", {a, b}, "product"), 6);
}

Converted convert_matmul_integer(ConversionContext& call) {
  const Known a = centred(call, call.input(0), call.input(2), -2);
  const Known b = centred(call, call.input(1), call.input(3), -1);
  return converted(call, of_integers(call.compose("MatMul", {a, b}, "")));
}

Known with_bias(ConversionContext& call, const Known& made, std::size_t bias) {
  return call.given(bias) ? call.compose("Add", {made, as_floats(call, call.input(bias))}, "") : made;
}

// The inputs are A, B, scales of A and B, zero points of A and B, bias.
Converted convert_matmul_integer_to_float(ConversionContext& call) {
  const Known a = dequantised(call, call.input(0), call.input(2), call.input(4), -2);
  const Known b = dequantised(call, call.input(1), call.input(3), call.input(5), -1);
  return converted(call, with_bias(call, call.compose("MatMul", {a, b}, call.given(6) ? "product" : ""), 6));
}

// The inputs are A in float, B, scale and zero point of B, bias.
Converted convert_dynamic_quantize_matmul(ConversionContext& call) {
  const Dynamic made = dynamic(call, call.input(0));
  const Known numbers = quantised(call, made.numbers, made.scale, made.zero, 1, ElementType::kUint8);
  const Known a = dequantised(call, numbers, made.scale, made.zero, 1);
  const Known b = dequantised(call, call.input(1), call.input(2), call.input(3), -1);
  return converted(call, with_bias(call, call.compose("MatMul", {a, b}, call.given(4) ? "product" : ""), 4));
}

// The inputs are A, its scale and zero point, the same of B, scale and zero point of the output.
Converted of_two(ConversionContext& call, std::string_view op_type) {
  const Known a = input(call, 0);
  const Known b = input(call, 3);
  return output(call, call.compose(op_type, {a, b}, "float"), 6);
}
Converted convert_qlinear_add(ConversionContext& call) { return of_two(call, "Add"); }
Converted convert_qlinear_mul(ConversionContext& call) { return of_two(call, "Mul"); }

// The inputs are X, its scale and zero point, scale and zero point of the output.
Converted of_one(ConversionContext& call, std::string_view op_type) {
  if (call.integer("channels_last", 0) != 0) call.unsupported(message("channels that come last"));
  return output(call, call.compose(op_type, {input(call, 0)}, "float", call.node().attributes), 3);
}
Converted convert_qlinear_sigmoid(ConversionContext& call) { return of_one(call, "Sigmoid"); }
Converted convert_qlinear_leaky_relu(ConversionContext& call) { return of_one(call, "LeakyRelu"); }
Converted convert_qlinear_average_pool(ConversionContext& call) { return of_one(call, "AveragePool"); }
Converted convert_qlinear_global_average_pool(ConversionContext& call) { return of_one(call, "GlobalAveragePool"); }

// The inputs are scale and zero point of the output, then each input with its own.
Converted convert_qlinear_concat(ConversionContext& call) {
  std::vector<Operand> parts;
  for (std::size_t i = 2; i + 2 < call.node().inputs.size(); i += 3) parts.emplace_back(input(call, i));
  return output(call, call.compose("Concat", parts, "float", call.node().attributes), 0);
}

// The inputs are A, its scale and zero point, the same of B, C, scale and zero point of the output; the output is float
// without these.
Converted convert_qgemm(ConversionContext& call) {
  const float alpha = call.number("alpha", 1);
  const Known a = input(call, 0);
  const Known b =
      dequantised(call, call.input(3), call.input(4), call.input(5), call.integer("transB", 0) != 0 ? 0 : 1);
  std::vector<Operand> inputs{a, b};
  if (call.given(6)) {
    const Known unit = call.compose("Mul", {as_floats(call, call.input(1)), as_floats(call, call.input(4))}, "unit");
    const Known scaled = call.compose("Mul", {unit, number(alpha)}, "unit");
    inputs.emplace_back(call.compose("Mul", {as_floats(call, call.input(6)), scaled}, "bias"));
  }
  const bool rounds = call.given(7);
  const Known made = call.compose("Gemm", inputs, rounds ? "float" : "", call.node().attributes);
  return rounds ? output(call, made, 7) : converted(call, made);
}

constexpr std::array kQuantizedConverters{
    Converter{"ConvInteger", convert_conv_integer},
    Converter{"DequantizeLinear", convert_dequantize},
    Converter{"DynamicQuantizeLinear", convert_dynamic_quantize},
    Converter{"MatMulInteger", convert_matmul_integer},
    Converter{"QLinearConv", convert_qlinear_conv},
    Converter{"QLinearMatMul", convert_qlinear_matmul},
    Converter{"QuantizeLinear", convert_quantize},
    Converter{"DequantizeLinear", convert_dequantize, ElementType::kUndefined, kMicrosoft},
    Converter{"DynamicQuantizeMatMul", convert_dynamic_quantize_matmul, ElementType::kUndefined, kMicrosoft},
    Converter{"MatMulIntegerToFloat", convert_matmul_integer_to_float, ElementType::kUndefined, kMicrosoft},
    Converter{"QGemm", convert_qgemm, ElementType::kUndefined, kMicrosoft},
    Converter{"QLinearAdd", convert_qlinear_add, ElementType::kUndefined, kMicrosoft},
    Converter{"QLinearAveragePool", convert_qlinear_average_pool, ElementType::kUndefined, kMicrosoft},
    Converter{"QLinearConcat", convert_qlinear_concat, ElementType::kUndefined, kMicrosoft},
    Converter{"QLinearGlobalAveragePool", convert_qlinear_global_average_pool, ElementType::kUndefined, kMicrosoft},
    Converter{"QLinearLeakyRelu", convert_qlinear_leaky_relu, ElementType::kUndefined, kMicrosoft},
    Converter{"QLinearMul", convert_qlinear_mul, ElementType::kUndefined, kMicrosoft},
    Converter{"QLinearSigmoid", convert_qlinear_sigmoid, ElementType::kUndefined, kMicrosoft},
    Converter{"QuantizeLinear", convert_quantize, ElementType::kUndefined, kMicrosoft},
};

}  // namespace

std::span<const Converter> quantized_converters() { return kQuantizedConverters; }

}  // namespace iosx::onnx_import
