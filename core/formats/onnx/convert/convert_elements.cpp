#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/element_functions.h"

namespace iosx::onnx_import {
namespace {

// With more channels a constant for all of them stays one number.
constexpr std::int64_t kMaxSpreadChannels = 1 << 16;

// Returns the constant's numbers if they are one for all channels of the shape or one for each, in the shape's rank.
std::optional<std::vector<float>> per_channel(const HostTensor& tensor, const Shape& shape, std::size_t lead) {
  if (!tensor.holds_floats() || shape.rank() == 0 || shape.channels() > kMaxSpreadChannels) return std::nullopt;
  const auto numbers = tensor.floats();
  auto dims = tensor.dims();
  if (dims.size() == shape.rank() + lead && lead == 1) {
    if (dims.front() != 1) return std::nullopt;
    dims = dims.subspan(1);
  }
  if (dims.size() > shape.rank()) return std::nullopt;
  if (numbers.size() == 1) return std::vector<float>{numbers[0]};
  const bool each = dims.size() == shape.rank() && dims.front() == shape.channels() &&
                    static_cast<std::int64_t>(numbers.size()) == shape.channels();
  return each ? std::optional(std::vector<float>(numbers.begin(), numbers.end())) : std::nullopt;
}

template <typename Function>
std::vector<float> each(std::vector<float> numbers, Function function) {
  std::transform(numbers.begin(), numbers.end(), numbers.begin(), function);
  return numbers;
}

// Adds the operator on these, under their common reshape, so that later operators can be fused into earlier ones.
template <typename Kind>
DraftValue combined(ConversionContext& call, Kind kind, const std::vector<DraftValue>& values,
                    std::string_view suffix = {}) {
  const Shape shape = values.front().shape;
  std::vector<DraftValue> sources;
  for (const DraftValue& value : values) {
    const DraftValue source = call.before_reshape(value);
    if (value.shape != shape || (!sources.empty() && source.shape != sources.front().shape)) break;
    sources.push_back(source);
  }
  if (sources.size() != values.size()) return call.add(kind, values, suffix);
  return call.reshape(call.add(kind, std::move(sources), suffix), shape);
}

// The computed and the constant input of a node with one of each; none if the constant is not one per channel.
struct WithConstant {
  DraftValue value;
  std::vector<float> numbers;
  bool constant_first = false;
  bool one_number = false;
};

std::optional<WithConstant> with_constant(const ConversionContext& call) {
  if (call.node().inputs.size() != 2) return std::nullopt;
  const bool first = call.constant(0) != nullptr;
  const HostTensor* const tensor = call.constant(first ? 0 : 1);
  const DraftValue* const value = call.computed(first ? 1 : 0);
  if (tensor == nullptr || value == nullptr) return std::nullopt;
  auto numbers = per_channel(call.of_one_sample(*tensor, call.rank(*value)), value->shape, call.lead());
  if (!numbers) return std::nullopt;
  return WithConstant{*value, std::move(*numbers), first, tensor->elements() == 1};
}

// Makes x to a power that is a number: what is not one of the usual ones stays a function of two.
std::optional<DraftValue> power(ConversionContext& call, const DraftValue& x, float exponent) {
  if (exponent == 1) return x;
  if (exponent == 2) return combined(call, Mul{}, {x, x});
  if (exponent == 3) return combined(call, Mul{}, {x, x, x});
  if (exponent == 0.5F) return call.activate(x, {ActivationKind::kSqrt});
  if (exponent == -1) return call.activate(x, {ActivationKind::kReciprocal});
  return std::nullopt;
}

// Makes the function an operator of one tensor, where there is one.
std::optional<DraftValue> with_numbers(ConversionContext& call, BinaryFunction function, const WithConstant& found) {
  const auto& [value, numbers, first, one] = found;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const bool bound = one && !std::isnan(numbers.front());  // a clipping to NaN would keep the numbers
  switch (function) {
    case BinaryFunction::kAdd: return call.affine(value, {1}, numbers);
    case BinaryFunction::kMul: return call.affine(value, numbers, {0});
    case BinaryFunction::kSub:
      return first ? call.affine(value, {-1}, numbers) : call.affine(value, {1}, each(numbers, std::negate<>()));
    case BinaryFunction::kDiv:
      if (first) return std::nullopt;
      return call.affine(value, each(numbers, [](float x) { return 1 / x; }), {0});
    case BinaryFunction::kPow: return first || !one ? std::nullopt : power(call, value, numbers.front());
    case BinaryFunction::kMax:
      return bound ? std::optional(call.activate(value, {ActivationKind::kClip, numbers.front(), kInfinity}))
                   : std::nullopt;
    case BinaryFunction::kMin:
      return bound ? std::optional(call.activate(value, {ActivationKind::kClip, -kInfinity, numbers.front()}))
                   : std::nullopt;
    case BinaryFunction::kPRelu:
      if (first || !one) return std::nullopt;
      return call.activate(value, {ActivationKind::kLeakyRelu, numbers.front()});
    default: return std::nullopt;
  }
}

Converted convert_binary(ConversionContext& call) {
  BinaryFunction function = binary_operator(call.node().op_type)->function;
  if (function == BinaryFunction::kMod && call.integer("fmod", 0) != 0) function = BinaryFunction::kFmod;
  if (call.node().inputs.size() == 1) return {call.value(0)};
  const auto found = with_constant(call);
  const auto simple = found && is_float(found->value.type) ? with_numbers(call, function, *found) : std::nullopt;
  if (simple) return {*simple};
  const std::vector<DraftValue> values = operands(call);
  if (function == BinaryFunction::kAdd) return {combined(call, Add{}, values)};
  if (function == BinaryFunction::kMul) return {combined(call, Mul{}, values)};
  DraftValue made = values.front();
  const bool truncates = function == BinaryFunction::kDiv && !is_float(made.type);
  for (std::size_t i = 1; i < values.size(); ++i) {
    const bool last = i + 1 == values.size() && !truncates;
    made = combined(call, Binary{function}, {made, values[i]}, last ? "" : fmt::format("first_{}", i + 1));
  }
  return {truncates ? call.activate(made, {ActivationKind::kTruncate}) : made};
}

Converted convert_mean(ConversionContext& call) {
  const std::vector<DraftValue> values = operands(call);
  if (values.size() == 1) return {values.front()};
  const DraftValue sum = combined(call, Add{}, values, "sum");
  const float part = 1.0F / static_cast<float>(values.size());
  return {call.add(Mul{}, {sum, call.scalar(part)})};
}

// The scale and shift of a batch normalisation.
struct Normalisation {
  std::vector<float> scale;
  std::vector<float> shift;
  bool shift_first = false;  // as our export writes it: only a mean and a scale
};

Normalisation normalisation(ConversionContext& call, std::int64_t channels) {
  std::array<std::span<const float>, 4> given;  // scale, bias, mean, variance
  for (std::size_t i = 0; i < given.size(); ++i) {
    const HostTensor* const tensor = call.floats(i + 1);
    given[i] = tensor->floats();
    if (static_cast<std::int64_t>(given[i].size()) == channels) continue;
    call.bad(message("its input {} has {} elements for {} channels", i + 1, given[i].size(), channels));
  }
  const double epsilon = call.number("epsilon", 1e-5F);
  // Runtimes then differ in which outputs are numbers at all.
  if (!(epsilon >= 0)) call.unsupported(message("batch normalisation with an epsilon below 0"));
  call.spend(2 * channels);
  Normalisation made;
  const auto all = [](std::span<const float> numbers, float value) {
    return std::ranges::all_of(numbers, [value](float x) { return x == value; });
  };
  if (epsilon == 0 && all(given[1], 0) && all(given[3], 1) && !all(given[2], 0)) {
    made = {{given[0].begin(), given[0].end()}, {}, true};
    for (const float mean : given[2]) made.shift.push_back(-mean);
    return made;
  }
  for (std::size_t c = 0; c < given[0].size(); ++c) {
    const double scale = given[0][c] / std::sqrt(double{given[3][c]} + epsilon);
    made.scale.push_back(static_cast<float>(scale));
    made.shift.push_back(static_cast<float>(given[1][c] - given[2][c] * scale));
  }
  return made;
}

// Normalises by the mean and variance of all samples; further outputs are the new running ones.
Converted normalised_batch(ConversionContext& call, const DraftValue& value) {
  const std::size_t rank = call.rank(value);
  if (call.lead() == 1) call.mixes_batch(message("it computes the statistics of the whole batch"));
  if (rank < 2) call.unsupported(message("batch normalisation without channels"));
  Dims axes{0};
  for (std::size_t axis = 2; axis < rank; ++axis) axes.push_back(static_cast<std::int64_t>(axis));
  const auto per_channel = [&](std::size_t i) -> Known {
    const HostTensor* const tensor = call.floats(i);
    if (tensor->elements() != value.shape[1])
      call.bad(message("its input {} has {} elements for {} channels", i, tensor->elements(), value.shape[1]));
    Dims dims(rank, 1);
    dims[1] = value.shape[1];
    return tensor->with_dims(std::move(dims));
  };
  const auto number = [](float given) { return HostTensor::of_floats({}, {given}); };
  const auto mean_of = [&](const Known& of, std::string_view suffix) {
    const Reduce mean{ReduceKind::kMean, call.axes(axes, rank), true};
    return Known(call.add(mean, {call.as_value(of)}, suffix));
  };
  const Known mean = mean_of(value, "mean");
  const Known centred = call.compose("Sub", {value, mean}, "centred");
  const Known variance = mean_of(call.compose("Mul", {centred, centred}, "squares"), "variance");
  const Known sum = call.compose("Add", {variance, number(call.number("epsilon", 1e-5F))}, "sum");
  const Known spread = call.compose("Sqrt", {sum}, "spread");
  const Known normal = call.compose("Div", {centred, spread}, "normal");
  const Known scaled = call.compose("Mul", {normal, per_channel(1)}, "scaled");
  Converted outputs{call.as_value(call.compose("Add", {scaled, per_channel(2)}, ""))};
  const float momentum = call.number("momentum", 0.9F);
  for (const auto& [input, now] : {std::pair{std::size_t{3}, mean}, {std::size_t{4}, variance}}) {
    if (!call.used(input - 2)) break;
    const Known before = call.compose("Mul", {per_channel(input), number(momentum)}, "before");
    const Known part = call.compose("Mul", {now, number(1 - momentum)}, "part");
    const DraftValue running = call.as_value(call.compose("Add", {part, before}, "running"));
    outputs.push_back(call.reshape(running, {value.shape[1]}));
  }
  return outputs;
}

Converted convert_batch_normalization(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const bool spatial = call.integer("spatial", 1) != 0;
  if (call.integer("training_mode", 0) != 0) return normalised_batch(call, value);
  for (std::size_t i = 1; i < 5; ++i) {
    if (call.used(i)) call.unsupported(message("the statistics of a batch"));
  }
  if (!spatial) call.unsupported(message("separate batch normalisation of each position"));
  if (call.rank(value) < 2) call.unsupported(message("batch normalisation without channels"));
  const Shape shape = value.shape;
  const std::int64_t channels = shape[1 - call.lead()];
  auto [scale, shift, shift_first] = normalisation(call, channels);
  if (call.lead() == 1) {
    const DraftValue made = call.affine(value, std::move(scale), std::move(shift));
    if (shift_first) call.put_shift_first(made);
    return {made};
  }
  if (shape[0] == 1) {
    const DraftValue sample = call.reshape(value, Shape(shape.dims().subspan(1)));
    return {call.reshape(call.affine(sample, std::move(scale), std::move(shift)), shape)};
  }
  Dims dims(shape.rank() - 1, 1);
  dims[0] = channels;
  const DraftValue factor = call.constant_value(Tensor(dims, std::move(scale)), "scale");
  const DraftValue offset = call.constant_value(Tensor(dims, std::move(shift)), "shift");
  const DraftValue scaled = call.add(Mul{}, {value, factor}, "scaled");
  return {call.add(Add{}, {scaled, offset})};
}

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
  if (tensor->elements() == 1) return tensor->floats()[0];
  call.bad(message("its input {} has {} elements", input, tensor->elements()));
}

// Clips with bounds that are tensors, or not of floats.
Converted clip_to_computed(ConversionContext& call) {
  DraftValue value = call.value(0);
  for (const std::size_t i : {1, 2}) {
    if (!call.given(i)) continue;
    const HostTensor* const tensor = call.constant(i);
    const DraftValue limit = tensor == nullptr ? call.value(i) : call.operand(*tensor, call.rank(value) + 1);
    if (tensor == nullptr && call.lead() == 1) call.mixes_batch(message("its bounds are the same for all samples"));
    const bool low = i == 1;
    value = call.add(Binary{low ? BinaryFunction::kMax : BinaryFunction::kMin}, {value, limit},
                     low && call.given(2) ? "low" : "");
  }
  return {value};
}

Converted convert_clip(ConversionContext& call) {
  if (call.computed(1) != nullptr || call.computed(2) != nullptr || (call.given(0) && call.constant(0) != nullptr))
    return clip_to_computed(call);
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
  const std::size_t axis = call.axis(given, call.rank(value));
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
  const DraftValue place = call.add(Reduce{ReduceKind::kArgMax, {axis}, true}, {value}, "place");
  const DraftValue found = call.add(Binary{BinaryFunction::kEqual}, {place, call.places(value.shape, axis)});
  return {call.reshape(found, shape, "restored")};
}

}  // namespace

std::vector<DraftValue> operands(ConversionContext& call) {
  std::size_t rank = 0;
  for (std::size_t i = 0; i < call.node().inputs.size(); ++i) {
    if (const DraftValue* const value = call.computed(i)) rank = std::max(rank, call.rank(*value));
  }
  std::vector<DraftValue> values;
  for (std::size_t i = 0; i < call.node().inputs.size(); ++i) {
    const HostTensor* const tensor = call.constant(i);
    values.push_back(tensor == nullptr || rank == 0 ? call.value(i) : call.operand(*tensor, rank));
    if (tensor == nullptr && call.lead() == 1 && call.rank(values.back()) != rank)
      call.mixes_batch(message("it combines tensors of different ranks"));
  }
  return values;
}

std::span<const Converter> element_converters() {
  static const std::vector<Converter> kConverters = [] {
    std::vector<Converter> all{{"BatchNormalization", convert_batch_normalization},
                               {"Clip", convert_clip},
                               {"Gelu", convert_gelu},
                               {"Hardmax", convert_hardmax},
                               {"IsInf", convert_is_inf, ElementType::kBool},
                               {"LogSoftmax", convert_log_softmax},
                               {"Mean", convert_mean},
                               {"Softmax", convert_softmax}};
    for (const BinaryOperator& row : binary_operators()) all.push_back({row.op_type, convert_binary, row.result});
    for (const ElementFunction& row : element_functions()) all.push_back({row.op_type, convert_function, row.result});
    return all;
  }();
  return kConverters;
}

}  // namespace iosx::onnx_import
