#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts normalisations: over the last axes directly, over others with reshapes and transpositions around.
namespace iosx::onnx_import {
namespace {

// Makes value · scale + shift, with one of each for every element of an axis of the shape. A null one is left out.
DraftValue scaled_along(ConversionContext& call, const DraftValue& value, std::size_t axis, const HostTensor* scale,
                        const HostTensor* shift) {
  if (call.failed()) return {};
  const std::int64_t size = value.shape[axis];
  for (const HostTensor* const given : {scale, shift}) {
    if (given == nullptr || given->elements() == size) continue;
    call.bad(message("has {} factors for {} channels", given->elements(), size));
    return {};
  }
  const auto numbers = [&](const HostTensor* from, float absent) {
    if (from == nullptr) return std::vector<float>{absent};
    return std::vector<float>(from->floats().begin(), from->floats().end());
  };
  if (axis == 0) return call.affine(value, numbers(scale, 1), numbers(shift, 0));
  Dims dims(value.shape.rank() - axis, 1);
  dims.front() = size;
  DraftValue made = value;
  if (scale != nullptr) {
    const DraftValue factor = call.constant_value(Tensor(dims, numbers(scale, 1)), "scale");
    made = call.add(Mul{}, {made, factor}, {}, {}, "scaled");
  }
  if (shift == nullptr) return made;
  return call.add(Add{}, {made, call.constant_value(Tensor(dims, numbers(shift, 0)), "shift")});
}

// A constant input repeated to the shape's last axes; nothing if it is computed, absent, or does not fit.
std::optional<std::vector<float>> spread(ConversionContext& call, std::size_t i, std::span<const std::int64_t> dims) {
  const HostTensor* const given = call.constant(i);
  if (given == nullptr || !given->holds_floats()) return std::nullopt;
  const auto numbers = given->floats();
  const auto own = given->dims();
  const std::int64_t count = *element_count(dims);
  if (std::ranges::equal(own, dims)) return std::vector<float>(numbers.begin(), numbers.end());
  if (numbers.size() == 1 && call.spend(count)) {
    return std::vector<float>(static_cast<std::size_t>(count), numbers[0]);
  }
  return std::nullopt;
}

// Adds what LayerNormalization says of the mean and of 1 / deviation.
Converted with_statistics(ConversionContext& call, const DraftValue& value, const DraftValue& made,
                          const Normalize& norm) {
  Converted outputs{made};
  if (!call.used(1) && !call.used(2)) return outputs;
  Reduce mean{ReduceKind::kMean, {}, true};
  for (std::size_t axis = norm.axis; axis < value.shape.rank(); ++axis) mean.axes.push_back(axis);
  const DraftValue average = call.add(mean, {value}, {}, {}, "mean");
  const DraftValue rest = call.add(Binary{BinaryFunction::kSub}, {value, average}, {}, {}, "rest");
  const DraftValue squares = call.add(Mul{}, {rest, rest}, {}, {}, "squares");
  const DraftValue variance = call.add(mean, {squares}, {}, {}, "variance");
  const DraftValue epsilon = call.constant_value(Tensor({}, std::vector<float>{norm.epsilon}), "epsilon");
  const DraftValue sum = call.add(Add{}, {variance, epsilon}, {}, {}, "sum");
  const DraftValue root = call.add(Activate{{ActivationKind::kSqrt}}, {sum}, {}, {}, "deviation");
  outputs.push_back(average);
  outputs.push_back(call.add(Activate{{ActivationKind::kReciprocal}}, {root}, {}, {}, "inverse_deviation"));
  return outputs;
}

Converted convert_over_last_axes(ConversionContext& call, bool centred) {
  const DraftValue value = call.value(0);
  const std::int64_t given = call.integer("axis", -1);
  Normalize norm{.axis = 0, .epsilon = call.number("epsilon", 1e-5F), .centred = centred, .scaled = false};
  if (call.failed()) return {};
  norm.axis = call.axis(given, call.rank(value));
  if (call.failed()) return {};
  const auto dims = value.shape.dims().subspan(norm.axis);
  auto scale = spread(call, 1, dims);
  auto bias = spread(call, 2, dims);
  if (scale && (bias || !call.given(2))) {
    if (!call.spend(2 * static_cast<std::int64_t>(scale->size()))) return {};
    norm.scaled = true;
    const Dims own(dims.begin(), dims.end());
    Tensor shift = bias ? Tensor(own, std::move(*bias)) : Tensor();
    const DraftValue made = call.add(norm, {value}, Tensor(own, std::move(*scale)), std::move(shift));
    return with_statistics(call, value, made, norm);
  }
  DraftValue made = call.add(norm, {value}, {}, {}, "normal");
  for (const std::size_t i : {1, 2}) {
    if (!call.given(i)) continue;
    const HostTensor* const tensor = call.constant(i);
    const DraftValue factor = tensor == nullptr ? call.value(i) : call.operand(*tensor, call.rank(value));
    if (tensor == nullptr && call.lead() == 1)
      call.mixes_batch(message("its scale and bias are the same for all samples"));
    made = i == 1 ? call.add(Mul{}, {made, factor}, {}, {}, call.given(2) ? "scaled" : "")
                  : call.add(Add{}, {made, factor});
  }
  return with_statistics(call, value, made, norm);
}
Converted convert_layer_norm(ConversionContext& call) { return convert_over_last_axes(call, true); }
Converted convert_rms_norm(ConversionContext& call) { return convert_over_last_axes(call, false); }

// Normalises channels in groups, each with all of its pixels: outer × groups × elements.
DraftValue normal_groups(ConversionContext& call, const DraftValue& value, std::int64_t groups, float epsilon) {
  if (call.failed()) return {};
  const std::size_t channel_axis = 1 - call.lead();
  const std::int64_t outer = channel_axis == 0 ? 1 : value.shape[0];
  const Shape shape = value.shape;
  const Dims dims{outer, groups, shape.elements() / outer / groups};
  const Shape parts(std::span<const std::int64_t>(dims).subspan(call.lead()));
  const Normalize norm{.axis = parts.rank() - 1, .epsilon = epsilon, .centred = true, .scaled = false};
  return call.reshape(call.add(norm, {call.reshape(value, parts, "groups")}, {}, {}, "normal"), shape);
}

Converted convert_instance_norm(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const float epsilon = call.number("epsilon", 1e-5F);
  const HostTensor* const scale = call.floats(1);
  const HostTensor* const bias = call.floats(2);
  if (call.failed()) return {};
  if (call.rank(value) < 2) call.bad(message("needs samples x channels"));
  if (call.failed()) return {};
  const std::size_t axis = 1 - call.lead();
  if (value.shape.rank() == axis + 1) {  // of one element each
    return {scaled_along(call, normal_groups(call, value, value.shape[axis], epsilon), axis, scale, bias)};
  }
  const Normalize norm{.axis = axis + 1, .epsilon = epsilon, .centred = true, .scaled = false};
  return {scaled_along(call, call.add(norm, {value}, {}, {}, "normal"), axis, scale, bias)};
}

// The scale and bias are one for each channel since opset 21, before for each group.
Converted convert_group_norm(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const float epsilon = call.number("epsilon", 1e-5F);
  const std::int64_t groups = call.integer("num_groups", 0);
  const HostTensor* const scale = call.floats(1);
  const HostTensor* const bias = call.floats(2);
  if (call.failed()) return {};
  if (call.rank(value) < 2) call.bad(message("needs samples x channels"));
  if (call.failed()) return {};
  const std::size_t axis = 1 - call.lead();
  const std::int64_t channels = value.shape[axis];
  if (groups < 1 || channels % groups != 0) {
    call.bad(message("{} groups do not divide {} channels", groups, channels));
    return {};
  }
  const DraftValue normal = normal_groups(call, value, groups, epsilon);
  const auto each_channel = [&](const HostTensor& given) {
    if (given.elements() != groups) return given;
    std::vector<float> numbers;
    for (const float number : given.floats()) {
      numbers.insert(numbers.end(), static_cast<std::size_t>(channels / groups), number);
    }
    return HostTensor::of_floats({channels}, std::move(numbers));
  };
  const HostTensor factors = each_channel(*scale);
  const HostTensor offsets = each_channel(*bias);
  return {scaled_along(call, normal, axis, &factors, &offsets)};
}

// Over any axes: these are brought to the end and back.
Converted convert_mean_variance_norm(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto given = call.integers("axes");
  if (call.failed()) return {};
  const auto axes = call.axes(given.value_or(Dims{0, 2, 3}), call.rank(value));
  if (call.failed()) return {};
  Transpose order;
  for (std::size_t axis = 0; axis < value.shape.rank(); ++axis) {
    if (!std::ranges::binary_search(axes, axis)) order.axes.push_back(axis);
  }
  const Normalize norm{.axis = order.axes.size(), .epsilon = 1e-9F, .centred = true, .scaled = false};
  order.axes.insert(order.axes.end(), axes.begin(), axes.end());
  Transpose back{std::vector<std::size_t>(order.axes.size())};
  for (std::size_t i = 0; i < order.axes.size(); ++i) back.axes[order.axes[i]] = i;
  const DraftValue turned = call.add(order, {value}, {}, {}, "turned");
  return {call.add(back, {call.add(norm, {turned}, {}, {}, "normal")})};
}

Converted convert_lp_norm(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::int64_t axis = call.integer("axis", -1);
  const std::int64_t p = call.integer("p", 2);
  if (p != 1 && p != 2) call.unsupported(message("the norm of order {}", p));
  if (call.failed()) return {};
  const Reduce reduce{p == 1 ? ReduceKind::kL1 : ReduceKind::kL2, {call.axis(axis, call.rank(value))}, true};
  const DraftValue norm = call.add(reduce, {value}, {}, {}, "norm");
  // Zeros stay zeros.
  constexpr float kLeast = std::numeric_limits<float>::min();
  constexpr float kMost = std::numeric_limits<float>::infinity();
  const DraftValue divisor = call.add(Activate{{ActivationKind::kClip, kLeast, kMost}}, {norm}, {}, {}, "divisor");
  return {call.add(Binary{BinaryFunction::kDiv}, {value, divisor})};
}

constexpr std::array kNormConverters{
    Converter{"GroupNormalization", convert_group_norm},
    Converter{"InstanceNormalization", convert_instance_norm},
    Converter{"LayerNormalization", convert_layer_norm},
    Converter{"LpNormalization", convert_lp_norm},
    Converter{"MeanVarianceNormalization", convert_mean_variance_norm},
    Converter{"RMSNormalization", convert_rms_norm},
    Converter{"SimplifiedLayerNormalization", convert_rms_norm},
};

}  // namespace

std::span<const Converter> norm_converters() { return kNormConverters; }

}  // namespace iosx::onnx_import
