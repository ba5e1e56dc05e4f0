#include <fmt/format.h>

#include <array>
#include <limits>

#include "core/import/onnx/call.h"

namespace iosx::onnx_import {
namespace {

Converted convert_relu(Call& call) { return {call.activate(call.value(0), Activation::kRelu)}; }
Converted convert_sigmoid(Call& call) { return {call.activate(call.value(0), Activation::kSigmoid)}; }
Converted convert_tanh(Call& call) { return {call.activate(call.value(0), Activation::kTanh)}; }
Converted convert_hard_swish(Call& call) { return {call.activate(call.value(0), Activation::kHardSwish)}; }

Converted convert_leaky_relu(Call& call) {
  return {call.activate(call.value(0), {ActivationKind::kLeakyRelu, call.number("alpha", 0.01F), 0})};
}

Converted convert_elu(Call& call) {
  return {call.activate(call.value(0), {ActivationKind::kElu, call.number("alpha", 1), 0})};
}

Converted convert_hard_sigmoid(Call& call) {
  const Activation function{ActivationKind::kHardSigmoid, call.number("alpha", 0.2F), call.number("beta", 0.5F)};
  return {call.activate(call.value(0), function)};
}

// A bound of Clip: an attribute before opset 11, then an input that may be absent.
float bound(Call& call, std::size_t input, std::string_view attribute, float absent) {
  if (call.opset() < 11) return call.number(attribute, absent);
  if (!call.given(input)) return absent;
  const HostTensor* const tensor = call.floats(input);
  if (call.failed()) return absent;
  if (tensor->elements() == 1) return tensor->floats()[0];
  call.bad(fmt::format("its input {} has {} elements", input, tensor->elements()));
  return absent;
}

Converted convert_clip(Call& call) {
  const float low = bound(call, 1, "min", std::numeric_limits<float>::lowest());
  const float high = bound(call, 2, "max", std::numeric_limits<float>::max());
  if (low == 0 && high == std::numeric_limits<float>::max()) return convert_relu(call);
  return {call.activate(call.value(0), {ActivationKind::kClip, low, high})};
}

Converted convert_prelu(Call& call) {
  const HostTensor* const slope = call.floats(1);
  if (call.failed()) return {};
  if (slope->elements() != 1) {
    call.unsupported("a slope for each channel");
    return {};
  }
  return {call.activate(call.value(0), {ActivationKind::kLeakyRelu, slope->floats()[0], 0})};
}

Converted convert_softmax(Call& call) {
  const DraftValue value = call.value(0);
  const bool flattens = call.opset() < 13;
  const std::int64_t given = call.integer("axis", flattens ? 1 : -1);
  if (call.failed()) return {};
  const std::size_t axis = call.axis(given, call.rank(value));
  const std::size_t rank = value.shape.rank();
  if (call.failed()) return {};
  if (!flattens || axis + 1 == rank) return {call.add(Softmax{axis}, {value})};
  // Over all axes from this one on.
  std::int64_t before = 1;
  for (std::size_t i = 0; i < axis; ++i) before *= value.shape[i];
  const Shape rows{before, value.shape.elements() / before};
  return {call.reshape(call.add(Softmax{1}, {call.reshape(value, rows)}), value.shape)};
}

constexpr std::array kActivationConverters{
    Converter{"Clip", convert_clip},
    Converter{"Elu", convert_elu},
    Converter{"HardSigmoid", convert_hard_sigmoid},
    Converter{"HardSwish", convert_hard_swish},
    Converter{"LeakyRelu", convert_leaky_relu},
    Converter{"PRelu", convert_prelu},
    Converter{"Relu", convert_relu},
    Converter{"Sigmoid", convert_sigmoid},
    Converter{"Softmax", convert_softmax},
    Converter{"Tanh", convert_tanh},
};

}  // namespace

std::span<const Converter> activation_converters() { return kActivationConverters; }

}  // namespace iosx::onnx_import
