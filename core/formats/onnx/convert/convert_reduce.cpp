#include <algorithm>
#include <limits>

#include "core/formats/onnx/convert/conversion_context.h"
#include "core/formats/onnx/element_functions.h"

namespace iosx::onnx_import {
namespace {

// Returns the axes of a Reduce… node: all where it has none, unless that means none.
std::vector<std::size_t> reduced_axes(ConversionContext& call, const DraftValue& value) {
  const auto given = call.list(1, "axes");
  const bool none_means_none = call.integer("noop_with_empty_axes", 0) != 0;
  const std::size_t rank = call.rank(value);
  Dims axes = given.value_or(Dims{});
  if (axes.empty() && none_means_none) return {};
  for (std::size_t i = 0; given.value_or(Dims{}).empty() && i < rank; ++i) axes.push_back(static_cast<std::int64_t>(i));
  return call.axes(axes, rank);
}

// The mean of a feature map is a global pool, which convolutional networks are known by.
std::optional<DraftValue> as_pool(ConversionContext& call, const DraftValue& value, const Reduce& reduce) {
  const std::size_t own = value.shape.rank();
  if (reduce.kind != ReduceKind::kMean || call.rank(value) != 4) return std::nullopt;
  if (reduce.axes != std::vector<std::size_t>{own - 2, own - 1}) return std::nullopt;
  const auto dims = value.shape.dims();
  const Shape map = own == 4 ? Shape{dims[0] * dims[1], dims[2], dims[3]} : value.shape;
  Pool pool;
  pool.kind = PoolKind::kGlobalAverage;
  const DraftValue pooled = call.add(pool, {call.reshape(value, map, "maps")});
  Shape shape(dims.first(own - 2));
  if (reduce.keep_dims) shape = value.shape.with(own - 2, 1).with(own - 1, 1);
  return call.reshape(pooled, shape);
}

// Divides the sum, as devices may multiply a mean by the inverse of the number, which is not exact.
DraftValue whole_mean(ConversionContext& call, const DraftValue& value, Reduce reduce) {
  std::int64_t count = 1;
  for (const std::size_t axis : reduce.axes) count *= value.shape[axis];
  reduce.kind = ReduceKind::kSum;
  const DraftValue sum = call.add(reduce, {value}, "sum");
  const DraftValue mean =
      call.add(Binary{BinaryFunction::kDiv}, {sum, call.scalar(static_cast<float>(count), "count")}, "mean");
  return call.activate(mean, {ActivationKind::kTruncate});
}

// Makes ln Σ e^(x - m) + m, where m is the largest, but a number where that is infinite, so that ∞ - ∞ does not come
// in.
DraftValue log_of_sum_of_powers(ConversionContext& call, const DraftValue& value, const Reduce& reduce) {
  Reduce kept = reduce;
  kept.keep_dims = true;
  kept.kind = ReduceKind::kMax;
  constexpr float kLargest = std::numeric_limits<float>::max();
  const DraftValue largest = call.add(kept, {value}, "max");
  const DraftValue most = call.add(Activate{{ActivationKind::kClip, -kLargest, kLargest}}, {largest}, "bounded");
  const DraftValue less = call.add(Binary{BinaryFunction::kSub}, {value, most}, "less");
  const DraftValue powers = call.add(Activate{{ActivationKind::kExp}}, {less}, "exp");
  kept.kind = ReduceKind::kSum;
  const DraftValue sum = call.add(kept, {powers}, "sum");
  const DraftValue log = call.add(Activate{{ActivationKind::kLog}}, {sum}, "log");
  const DraftValue whole = call.add(Add{}, {log, most});
  if (reduce.keep_dims) return whole;
  Dims dims;
  for (std::size_t axis = 0, next = 0; axis < value.shape.rank(); ++axis) {
    const bool reduced = next < reduce.axes.size() && reduce.axes[next] == axis;
    next += reduced ? 1 : 0;
    if (!reduced) dims.push_back(value.shape[axis]);
  }
  return call.reshape(whole, Shape(dims));
}

Converted convert_reduce(ConversionContext& call) {
  const ReduceOperator& row = *reduce_operator(call.node().op_type);
  const DraftValue value = call.value(0);
  Reduce reduce{row.kind, {}, call.integer("keepdims", 1) != 0};
  reduce.axes = reduced_axes(call, value);
  if (row.exponential) return {log_of_sum_of_powers(call, value, reduce)};
  const bool changes = row.kind == ReduceKind::kL1 || row.kind == ReduceKind::kL2 ||
                       row.kind == ReduceKind::kSumOfSquares || row.logarithm;
  if (reduce.axes.empty() && !changes) return {value};
  if (row.kind == ReduceKind::kMean && !is_float(value.type)) return {whole_mean(call, value, reduce)};
  if (const auto pooled = as_pool(call, value, reduce)) return {*pooled};
  const DraftValue made = call.add(reduce, {value}, row.logarithm ? "reduced" : "");
  return {row.logarithm ? call.activate(made, {ActivationKind::kLog}) : made};
}

Converted convert_arg(ConversionContext& call, ReduceKind kind) {
  const DraftValue value = call.value(0);
  const std::int64_t axis = call.integer("axis", 0);
  Reduce reduce{kind, {}, call.integer("keepdims", 1) != 0, call.integer("select_last_index", 0) != 0};
  reduce.axes = {call.axis(axis, call.rank(value))};
  return {call.add(reduce, {value})};
}
Converted convert_arg_max(ConversionContext& call) { return convert_arg(call, ReduceKind::kArgMax); }
Converted convert_arg_min(ConversionContext& call) { return convert_arg(call, ReduceKind::kArgMin); }

constexpr std::int64_t kMostSummed = 4096;  // a matrix of so many rows and columns

// Makes a product with a matrix of ones above its diagonal, or below.
Converted convert_cum_sum(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const auto given = call.list(1);
  const bool exclusive = call.integer("exclusive", 0) != 0;
  const bool reverse = call.integer("reverse", 0) != 0;
  if (!given || given->size() != 1) call.bad(message("its axis is not one number"));
  const std::size_t axis = call.axis(given->front(), call.rank(value));
  const std::int64_t size = value.shape[axis];
  if (size > kMostSummed) call.unsupported(message("the sums of {} elements", size));
  call.spend(size * size);
  std::vector<float> ones(static_cast<std::size_t>(size * size), 0.0F);
  for (std::int64_t from = 0; from < size; ++from) {
    for (std::int64_t to = 0; to < size; ++to) {
      const bool counts = (from == to && !exclusive) || (reverse ? from > to : from < to);
      if (counts) ones[static_cast<std::size_t>(from * size + to)] = 1;
    }
  }
  // outer × size × inner, turned to outer × inner × size.
  std::int64_t outer = 1;
  for (std::size_t i = 0; i < axis; ++i) outer *= value.shape[i];
  const std::int64_t inner = value.shape.elements() / outer / size;
  const DraftValue apart = call.reshape(value, Shape{outer, size, inner}, "apart");
  const DraftValue turned = call.add(Transpose{{0, 2, 1}}, {apart}, "turned");
  const DraftValue matrix = call.constant_value(Tensor({size, size}, std::move(ones)), "ones");
  const DraftValue sums = call.add(MatMul{.sparse = true}, {turned, matrix}, "sums");
  return {call.reshape(call.add(Transpose{{0, 2, 1}}, {sums}), value.shape, "together")};
}

// Normalisations over the last axes are made directly, over others with reshapes and transpositions around.

// Makes value · scale + shift, with one of each for every element of an axis of the shape. A null one is left out.
DraftValue scaled_along(ConversionContext& call, const DraftValue& value, std::size_t axis, const HostTensor* scale,
                        const HostTensor* shift) {
  const std::int64_t size = value.shape[axis];
  for (const HostTensor* const given : {scale, shift}) {
    if (given == nullptr || given->elements() == size) continue;
    call.bad(message("has {} factors for {} channels", given->elements(), size));
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
    made = call.add(Mul{}, {made, factor}, "scaled");
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
  if (numbers.size() == 1) {
    call.spend(count);
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
  const DraftValue average = call.add(mean, {value}, "mean");
  const DraftValue rest = call.add(Binary{BinaryFunction::kSub}, {value, average}, "rest");
  const DraftValue squares = call.add(Mul{}, {rest, rest}, "squares");
  const DraftValue variance = call.add(mean, {squares}, "variance");
  const DraftValue epsilon = call.scalar(norm.epsilon, "epsilon");
  const DraftValue sum = call.add(Add{}, {variance, epsilon}, "sum");
  const DraftValue root = call.add(Activate{{ActivationKind::kSqrt}}, {sum}, "deviation");
  outputs.push_back(average);
  outputs.push_back(call.add(Activate{{ActivationKind::kReciprocal}}, {root}, "inverse_deviation"));
  return outputs;
}

Converted convert_over_last_axes(ConversionContext& call, bool centred) {
  const DraftValue value = call.value(0);
  const std::int64_t given = call.integer("axis", -1);
  Normalize norm{.axis = 0, .epsilon = call.number("epsilon", 1e-5F), .centred = centred, .scaled = false};
  norm.axis = call.axis(given, call.rank(value));
  const auto dims = value.shape.dims().subspan(norm.axis);
  auto scale = spread(call, 1, dims);
  auto bias = spread(call, 2, dims);
  if (scale && (bias || !call.given(2))) {
    call.spend(2 * static_cast<std::int64_t>(scale->size()));
    norm.scaled = true;
    const Dims own(dims.begin(), dims.end());
    Tensor shift = bias ? Tensor(own, std::move(*bias)) : Tensor();
    const DraftValue made = call.add(norm, {value}, Tensor(own, std::move(*scale)), std::move(shift));
    return with_statistics(call, value, made, norm);
  }
  DraftValue made = call.add(norm, {value}, "normal");
  for (const std::size_t i : {1, 2}) {
    if (!call.given(i)) continue;
    const HostTensor* const tensor = call.constant(i);
    const DraftValue factor = tensor == nullptr ? call.value(i) : call.operand(*tensor, call.rank(value));
    if (tensor == nullptr && call.lead() == 1)
      call.mixes_batch(message("its scale and bias are the same for all samples"));
    made = i == 1 ? call.add(Mul{}, {made, factor}, call.given(2) ? "scaled" : "") : call.add(Add{}, {made, factor});
  }
  return with_statistics(call, value, made, norm);
}
Converted convert_layer_norm(ConversionContext& call) { return convert_over_last_axes(call, true); }
Converted convert_rms_norm(ConversionContext& call) { return convert_over_last_axes(call, false); }

// Normalises channels in groups, each with all of its pixels: outer × groups × elements.
DraftValue normal_groups(ConversionContext& call, const DraftValue& value, std::int64_t groups, float epsilon) {
  const std::size_t channel_axis = 1 - call.lead();
  const std::int64_t outer = channel_axis == 0 ? 1 : value.shape[0];
  const Shape shape = value.shape;
  const Dims dims{outer, groups, shape.elements() / outer / groups};
  const Shape parts(std::span<const std::int64_t>(dims).subspan(call.lead()));
  const Normalize norm{.axis = parts.rank() - 1, .epsilon = epsilon, .centred = true, .scaled = false};
  return call.reshape(call.add(norm, {call.reshape(value, parts, "groups")}, "normal"), shape);
}

Converted convert_instance_norm(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const float epsilon = call.number("epsilon", 1e-5F);
  const HostTensor* const scale = call.floats(1);
  const HostTensor* const bias = call.floats(2);
  if (call.rank(value) < 2) call.bad(message("needs samples x channels"));
  const std::size_t axis = 1 - call.lead();
  if (value.shape.rank() == axis + 1) {  // of one element each
    return {scaled_along(call, normal_groups(call, value, value.shape[axis], epsilon), axis, scale, bias)};
  }
  const Normalize norm{.axis = axis + 1, .epsilon = epsilon, .centred = true, .scaled = false};
  return {scaled_along(call, call.add(norm, {value}, "normal"), axis, scale, bias)};
}

// The scale and bias are one for each channel since opset 21, before for each group.
Converted convert_group_norm(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const float epsilon = call.number("epsilon", 1e-5F);
  const std::int64_t groups = call.integer("num_groups", 0);
  const HostTensor* const scale = call.floats(1);
  const HostTensor* const bias = call.floats(2);
  if (call.rank(value) < 2) call.bad(message("needs samples x channels"));
  const std::size_t axis = 1 - call.lead();
  const std::int64_t channels = value.shape[axis];
  if (groups < 1 || channels % groups != 0) call.bad(message("{} groups do not divide {} channels", groups, channels));
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
  const auto axes = call.axes(given.value_or(Dims{0, 2, 3}), call.rank(value));
  Transpose order;
  for (std::size_t axis = 0; axis < value.shape.rank(); ++axis) {
    if (!std::ranges::binary_search(axes, axis)) order.axes.push_back(axis);
  }
  const Normalize norm{.axis = order.axes.size(), .epsilon = 1e-9F, .centred = true, .scaled = false};
  order.axes.insert(order.axes.end(), axes.begin(), axes.end());
  Transpose back{std::vector<std::size_t>(order.axes.size())};
  for (std::size_t i = 0; i < order.axes.size(); ++i) back.axes[order.axes[i]] = i;
  const DraftValue turned = call.add(order, {value}, "turned");
  return {call.add(back, {call.add(norm, {turned}, "normal")})};
}

Converted convert_lp_norm(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::int64_t axis = call.integer("axis", -1);
  const std::int64_t p = call.integer("p", 2);
  if (p != 1 && p != 2) call.unsupported(message("the norm of order {}", p));
  const Reduce reduce{p == 1 ? ReduceKind::kL1 : ReduceKind::kL2, {call.axis(axis, call.rank(value))}, true};
  const DraftValue norm = call.add(reduce, {value}, "norm");
  // Zeros stay zeros.
  constexpr float kLeast = std::numeric_limits<float>::min();
  constexpr float kMost = std::numeric_limits<float>::infinity();
  const DraftValue divisor = call.add(Activate{{ActivationKind::kClip, kLeast, kMost}}, {norm}, "divisor");
  return {call.add(Binary{BinaryFunction::kDiv}, {value, divisor})};
}

// Losses, with which models exported together with their training's last operator end.

// Scores by sample and class, and the class of each sample, one of which may be ignored.
struct Targets {
  DraftValue classes;
  DraftValue ignored;  // 1 where it does not count; no operator where all count
  bool some_ignored = false;
};

Targets targets(ConversionContext& call) {
  Targets made{call.value(1), {}, false};
  const std::int64_t ignored = call.integer("ignore_index", -1);
  if (find_attribute(call.node(), "ignore_index") == nullptr) return made;
  made.some_ignored = true;
  const DraftValue index = call.scalar(static_cast<float>(ignored), "ignored_class");
  made.ignored = call.add(Binary{BinaryFunction::kEqual}, {made.classes, index}, "ignored");
  made.classes = call.add(Where{}, {made.ignored, call.scalar(0, "any_class"), made.classes}, "classes");
  return made;
}

// Returns what each sample weighs; nothing where all weigh 1.
std::optional<DraftValue> weights(ConversionContext& call, const Targets& target, std::size_t input) {
  std::optional<DraftValue> weight;
  if (call.given(input)) {
    weight = call.add(Gather{GatherKind::kSlices, 0}, {call.value(input), target.classes}, "weights");
  } else if (target.some_ignored) {
    weight = call.scalar(1, "weight");
  }
  if (weight && target.some_ignored) {
    weight = call.add(Where{}, {target.ignored, call.scalar(0, "no_weight"), *weight}, "counted");
  }
  return weight;
}

DraftValue sum(ConversionContext& call, const DraftValue& value, std::string_view suffix) {
  Reduce all{ReduceKind::kSum, {}, false};
  for (std::size_t axis = 0; axis < value.shape.rank(); ++axis) all.axes.push_back(axis);
  return call.add(all, {value}, suffix);
}

DraftValue loss(ConversionContext& call, const DraftValue& log_probability) {
  const std::string reduction = call.text("reduction", "mean");
  if (log_probability.shape.rank() < 2) call.bad(message("needs samples x classes"));
  if (reduction != "mean" && reduction != "sum" && reduction != "none")
    call.bad(message("its reduction is '{}'", reduction));
  const Targets target = targets(call);
  const Shape shape = target.classes.shape;
  Dims dims(shape.dims().begin(), shape.dims().end());
  dims.insert(dims.begin() + (dims.empty() ? 0 : 1), 1);
  const DraftValue at = call.reshape(target.classes, Shape(dims), "places");
  const DraftValue picked = call.add(Gather{GatherKind::kElements, 1}, {log_probability, at}, "picked");
  DraftValue each = call.add(Activate{{ActivationKind::kNeg}}, {call.reshape(picked, shape)}, "each");
  const auto weight = weights(call, target, 2);
  if (weight) each = call.add(Mul{}, {each, *weight}, "weighted");
  if (reduction == "none") return each;
  const DraftValue total = sum(call, each, reduction == "sum" ? "" : "sum");
  if (reduction == "sum") return total;
  const DraftValue count =
      weight ? sum(call, *weight, "weight_sum") : call.scalar(static_cast<float>(shape.elements()), "count");
  return call.add(Binary{BinaryFunction::kDiv}, {total, count});
}

Converted convert_likelihood_loss(ConversionContext& call) {
  if (call.lead() == 1) call.mixes_batch(message("it sums over the batch"));
  return {loss(call, call.value(0))};
}

Converted convert_cross_entropy(ConversionContext& call) {
  if (call.lead() == 1) call.mixes_batch(message("it sums over the batch"));
  const DraftValue scores = call.value(0);
  if (scores.shape.rank() < 2) call.bad(message("needs samples x classes"));
  const DraftValue log_probability = call.log_softmax(scores, 1, "log_probability");
  const DraftValue made = loss(call, log_probability);
  return {made, log_probability};
}

}  // namespace

std::span<const Converter> reduce_converters() {
  static const std::vector<Converter> kConverters = [] {
    std::vector<Converter> all{{"ArgMax", convert_arg_max, ElementType::kInt64},
                               {"ArgMin", convert_arg_min, ElementType::kInt64},
                               {"CumSum", convert_cum_sum},
                               {"GroupNormalization", convert_group_norm},
                               {"InstanceNormalization", convert_instance_norm},
                               {"LayerNormalization", convert_layer_norm},
                               {"LpNormalization", convert_lp_norm},
                               {"MeanVarianceNormalization", convert_mean_variance_norm},
                               {"NegativeLogLikelihoodLoss", convert_likelihood_loss},
                               {"RMSNormalization", convert_rms_norm},
                               {"SimplifiedLayerNormalization", convert_rms_norm},
                               {"SoftmaxCrossEntropyLoss", convert_cross_entropy}};
    for (const ReduceOperator& row : reduce_operators()) all.push_back({row.op_type, convert_reduce});
    return all;
  }();
  return kConverters;
}

}  // namespace iosx::onnx_import
