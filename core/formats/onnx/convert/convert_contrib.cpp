#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts fused operators of ONNX Runtime's optimiser back to several.
namespace iosx::onnx_import {
namespace {

Known plus(ConversionContext& call, const Known& x, std::size_t input) {
  return call.given(input) && !call.failed() ? call.compose("Add", {x, call.input(input)}, "sum") : x;
}

Known first_input(ConversionContext& call) { return call.as_value(call.input(0).value_or(DraftValue{})); }

Converted gelu(ConversionContext& call, const char* approximation) {
  if (!call.given(0)) call.bad(message("its input 0 is absent"));
  const Known sum = plus(call, first_input(call), 1);
  return {call.as_value(call.compose("Gelu", {sum}, "", {{"approximate", std::string(approximation)}}))};
}
Converted convert_bias_gelu(ConversionContext& call) { return gelu(call, "none"); }
Converted convert_fast_gelu(ConversionContext& call) { return gelu(call, "tanh"); }

// Makes x · sigmoid(alpha · x).
Converted convert_quick_gelu(ConversionContext& call) {
  const DraftValue x = call.value(0);
  const Known scaled = call.compose("Mul", {x, HostTensor::of_floats({}, {call.number("alpha", 1.702F)})}, "scaled");
  return {call.as_value(call.compose("Mul", {x, call.compose("Sigmoid", {scaled}, "gate")}, ""))};
}

// The inputs are input, skip, scale, shift (of layer normalisation only), bias. The last output is what is normalised.
Converted skip_norm(ConversionContext& call, std::string_view op_type, bool shifts) {
  if (!call.given(0) || !call.given(1)) call.bad(message("its first two inputs are absent"));
  if (call.used(1) || call.used(2)) call.unsupported(message("the statistics of a normalisation"));
  const Known sum = plus(call, plus(call, first_input(call), 1), shifts ? 4 : 3);
  std::vector<std::optional<Known>> inputs{sum, call.input(2)};
  if (shifts && call.given(3)) inputs.push_back(call.input(3));
  const float epsilon = call.number("epsilon", 1e-5F);
  const Known made = call.compose(op_type, inputs, "", {{"axis", std::int64_t{-1}}, {"epsilon", epsilon}});
  return {call.as_value(made), {}, {}, call.as_value(sum)};
}
Converted convert_skip_layer_norm(ConversionContext& call) { return skip_norm(call, "LayerNormalization", true); }
Converted convert_skip_rms_norm(ConversionContext& call) { return skip_norm(call, "RMSNormalization", false); }

// Makes alpha · A B, of matrices that may be transposed first.
Converted convert_fused_matmul(ConversionContext& call) {
  if (call.integer("transBatchA", 0) != 0 || call.integer("transBatchB", 0) != 0) {
    call.unsupported(message("batch axes that are transposed"));
  }
  const float alpha = call.number("alpha", 1);
  const auto side = [&](std::size_t i, std::string_view transposes) -> std::optional<Known> {
    auto known = call.input(i);
    if (!known) call.bad(message("one of its inputs is absent"));
    if (call.failed() || call.integer(transposes, 0) == 0) return known;
    const auto* const tensor = std::get_if<HostTensor>(&*known);
    const std::size_t rank = tensor != nullptr ? tensor->dims().size() : call.rank(std::get<DraftValue>(*known));
    if (rank < 2) return known;
    Dims order;
    for (std::size_t axis = 0; axis < rank; ++axis) order.push_back(static_cast<std::int64_t>(axis));
    std::swap(order[rank - 1], order[rank - 2]);
    return call.compose("Transpose", {known}, "turned", {{"perm", order}});
  };
  const auto a = side(0, "transA");
  const auto b = side(1, "transB");
  Known made = call.compose("MatMul", {a, b}, alpha == 1 ? "" : "product");
  if (alpha != 1) made = call.compose("Mul", {made, HostTensor::of_floats({}, {alpha})}, "");
  return {call.as_value(made)};
}

// Makes a convolution, a sum where there is one, and an activation.
Converted convert_fused_conv(ConversionContext& call) {
  const std::string activation = call.text("activation", "");
  if (!activation.empty() && activation != "Relu" && activation != "Sigmoid" && activation != "Tanh") {
    call.unsupported(message("the activation {}", name_text(activation)));
  }
  std::vector<std::optional<Known>> inputs{call.input(0), call.input(1)};
  if (call.given(2)) inputs.push_back(call.input(2));
  Known made = call.compose("Conv", inputs, activation.empty() ? "" : "conv", call.node().attributes);
  made = plus(call, made, 3);
  if (!activation.empty()) made = call.compose(activation, {made}, "");
  return {call.as_value(made)};
}

constexpr ElementType kAny = ElementType::kUndefined;
constexpr std::array kContribConverters{
    Converter{"BiasGelu", convert_bias_gelu, kAny, kMicrosoft},
    Converter{"FastGelu", convert_fast_gelu, kAny, kMicrosoft},
    Converter{"FusedConv", convert_fused_conv, kAny, kMicrosoft},
    Converter{"FusedMatMul", convert_fused_matmul, kAny, kMicrosoft},
    Converter{"Gelu", convert_bias_gelu, kAny, kMicrosoft},
    Converter{"QuickGelu", convert_quick_gelu, kAny, kMicrosoft},
    Converter{"SkipLayerNormalization", convert_skip_layer_norm, kAny, kMicrosoft},
    Converter{"SkipSimplifiedLayerNormalization", convert_skip_rms_norm, kAny, kMicrosoft},
};

}  // namespace

std::span<const Converter> contrib_converters() { return kContribConverters; }

}  // namespace iosx::onnx_import
