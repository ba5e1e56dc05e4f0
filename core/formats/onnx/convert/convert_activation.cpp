#include <fmt/format.h>

#include <limits>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/element_functions.h"

namespace iosx::onnx_import {
namespace {

Converted convert_function(ConversionContext& call) {
  const ElementFunction& row = *element_function(call.node().op_type);
  const auto parameter = [&](const ElementFunction::Parameter& of) {
    return of.attribute.empty() ? 0.0F : call.number(of.attribute, of.absent);
  };
  return {call.activate(call.value(0), {row.kind, parameter(row.alpha), parameter(row.beta)})};
}

Converted convert_gelu(ConversionContext& call) {
  const bool tanh = call.text("approximate", "none") == "tanh";
  return {call.activate(call.value(0), {tanh ? ActivationKind::kGeluTanh : ActivationKind::kGelu})};
}

Converted convert_is_inf(ConversionContext& call) {
  const bool negative = call.integer("detect_negative", 1) != 0;
  const bool positive = call.integer("detect_positive", 1) != 0;
  return {call.activate(call.value(0), {ActivationKind::kIsInf, negative ? 1.0F : 0, positive ? 1.0F : 0})};
}

// Returns a bound of Clip: an attribute before opset 11, then an input that may be absent.
float bound(ConversionContext& call, std::size_t input, std::string_view attribute, float absent) {
  if (call.opset() < 11) return call.number(attribute, absent);
  if (!call.given(input)) return absent;
  const HostTensor* const tensor = call.floats(input);
  if (call.failed()) return absent;
  if (tensor->elements() == 1) return tensor->floats()[0];
  call.bad(message("its input {} has {} elements", input, tensor->elements()));
  return absent;
}

// Clips with bounds that are tensors, or not of floats.
Converted clip_to_computed(ConversionContext& call) {
  DraftValue value = call.value(0);
  if (call.failed()) return {};
  for (const std::size_t i : {1, 2}) {
    if (!call.given(i)) continue;
    const HostTensor* const tensor = call.constant(i);
    const DraftValue limit = tensor == nullptr ? call.value(i) : call.operand(*tensor, call.rank(value) + 1);
    if (tensor == nullptr && call.lead() == 1) call.mixes_batch(message("its bounds are the same for all samples"));
    const bool low = i == 1;
    value = call.add(Binary{low ? BinaryFunction::kMax : BinaryFunction::kMin}, {value, limit}, {}, {},
                     low && call.given(2) ? "low" : "");
  }
  return {value};
}

Converted convert_clip(ConversionContext& call) {
  if (call.computed(1) != nullptr || call.computed(2) != nullptr || (call.given(0) && call.constant(0) != nullptr)) {
    return clip_to_computed(call);
  }
  if (call.computed(0) != nullptr && !is_float(call.computed(0)->type)) return clip_to_computed(call);
  const float low = bound(call, 1, "min", std::numeric_limits<float>::lowest());
  const float high = bound(call, 2, "max", std::numeric_limits<float>::max());
  if (low == 0 && high == std::numeric_limits<float>::max()) return {call.activate(call.value(0), Activation::kRelu)};
  return {call.activate(call.value(0), {ActivationKind::kClip, low, high})};
}

// The value with one axis to work along: before opset 13 all axes from `axis` on were one. `restore` reverts that.
struct Along {
  DraftValue value;
  std::size_t axis = 0;
  Shape shape;  // as it was
};

Along along(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const bool flattens = call.opset() < 13;
  const std::int64_t given = call.integer("axis", flattens ? 1 : -1);
  if (call.failed()) return {};
  const std::size_t axis = call.axis(given, call.rank(value));
  if (call.failed()) return {};
  if (!flattens || axis + 1 == value.shape.rank()) return {value, axis, value.shape};
  std::int64_t before = 1;
  for (std::size_t i = 0; i < axis; ++i) before *= value.shape[i];
  return {call.reshape(value, Shape{before, value.shape.elements() / before}), 1, value.shape};
}

Converted convert_softmax(ConversionContext& call) {
  const auto [value, axis, shape] = along(call);
  return {call.reshape(call.add(Softmax{axis}, {value}), shape, "restored")};
}

Converted convert_log_softmax(ConversionContext& call) {
  const auto [value, axis, shape] = along(call);
  return {call.reshape(call.log_softmax(value, axis), shape, "restored")};
}

// Gives 1 at the first of the largest, 0 elsewhere.
Converted convert_hardmax(ConversionContext& call) {
  const auto [value, axis, shape] = along(call);
  const DraftValue place = call.add(Reduce{ReduceKind::kArgMax, {axis}, true}, {value}, {}, {}, "place");
  const DraftValue found = call.add(Binary{BinaryFunction::kEqual}, {place, call.places(value.shape, axis)});
  return {call.reshape(found, shape, "restored")};
}

}  // namespace

std::span<const Converter> activation_converters() {
  static const std::vector<Converter> kConverters = [] {
    std::vector<Converter> all{{"Clip", convert_clip},
                               {"Gelu", convert_gelu},
                               {"Hardmax", convert_hardmax},
                               {"IsInf", convert_is_inf, ElementType::kBool},
                               {"LogSoftmax", convert_log_softmax},
                               {"Softmax", convert_softmax}};
    for (const ElementFunction& row : element_functions()) all.push_back({row.op_type, convert_function, row.result});
    return all;
  }();
  return kConverters;
}

}  // namespace iosx::onnx_import
