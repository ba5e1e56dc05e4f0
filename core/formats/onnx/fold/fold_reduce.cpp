#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/formats/onnx/element_functions.h"
#include "core/formats/onnx/fold/fold.h"

// Folds sums, products, extremes and means along axes. Floating-point values are accumulated in double
// precision.
namespace iosx::onnx_import::folding {
namespace {

// The axes that vanish, and the dims with a 1 in their place.
struct Reduction {
  Dims axes;
  Dims kept;
  bool keep = true;
  bool nothing = false;  // no axes at all are asked for: the input is the result
};

Result<Reduction> reduction(const ConversionContext& call) {
  IOS_TRY(const auto written, list_input_or_attribute(call, 1, "axes"));
  IOS_TRY(const auto keep, int_attribute(call.node, "keepdims", 1));
  IOS_TRY(const auto noop, int_attribute(call.node, "noop_with_empty_axes", 0));
  Reduction result;
  result.keep = keep != 0;
  result.kept.assign(call[0].dims().begin(), call[0].dims().end());
  if (!written || written->empty()) {
    result.nothing = noop != 0;
    result.axes.resize(result.kept.size());
    std::iota(result.axes.begin(), result.axes.end(), 0);
  } else {
    IOS_TRY(result.axes, checked_axes(call, *written, call[0].rank()));
  }
  for (const std::int64_t axis : result.axes) result.kept[static_cast<std::size_t>(axis)] = 1;
  return result;
}

// Returns an element in the form that is joined with the others.
template <typename Sum>
Sum prepared(const ReduceOperator& row, Sum value) {
  if constexpr (std::is_same_v<Sum, double>) {
    if (row.exponential) return std::exp(value);
  }
  switch (row.kind) {
    case ReduceKind::kL1: return value < 0 ? -value : value;
    case ReduceKind::kL2:
    case ReduceKind::kSumOfSquares: return value * value;
    default: return value;
  }
}

template <typename Sum>
Sum combine(ReduceKind kind, Sum sum, Sum value) {
  using Wide = std::conditional_t<std::is_same_v<Sum, std::int64_t>, std::uint64_t, Sum>;  // wraps, as integers do
  switch (kind) {
    case ReduceKind::kProduct: return static_cast<Sum>(static_cast<Wide>(sum) * static_cast<Wide>(value));
    case ReduceKind::kMax: return value != value || value > sum ? value : sum;
    case ReduceKind::kMin: return value != value || value < sum ? value : sum;
    default: return static_cast<Sum>(static_cast<Wide>(sum) + static_cast<Wide>(value));
  }
}

template <typename T, typename Sum>
HostTensor reduced(const HostTensor& tensor, const Reduction& what, const ReduceOperator& row) {
  const auto values = values_of<T>(tensor);
  const std::size_t count = static_cast<std::size_t>(*element_count(what.kept));
  std::vector<Sum> sums(count, row.kind == ReduceKind::kProduct ? Sum{1} : Sum{0});
  std::vector<bool> seen(count, false);
  const View views[] = {{broadcast_strides(what.kept, tensor.dims()), 0}};
  walk(tensor.dims(), views, [&](std::size_t k, const std::int64_t(&at)[1]) {
    const auto to = static_cast<std::size_t>(at[0]);
    const bool first = (row.kind == ReduceKind::kMax || row.kind == ReduceKind::kMin) && !seen[to];
    const Sum value = prepared(row, static_cast<Sum>(values[k]));
    sums[to] = first ? value : combine(row.kind, sums[to], value);
    seen[to] = true;
  });
  std::vector<T> results(count);
  const auto each = count == 0 ? Sum{1} : static_cast<Sum>(tensor.elements()) / static_cast<Sum>(count);
  std::transform(sums.begin(), sums.end(), results.begin(), [&](Sum sum) {
    if (row.kind == ReduceKind::kMean) sum /= each;
    if (row.kind == ReduceKind::kL2) sum = static_cast<Sum>(std::sqrt(sum));
    if (row.logarithm) sum = static_cast<Sum>(std::log(sum));
    return narrowed(static_cast<T>(sum), tensor.type());
  });
  return make_tensor(what.kept, std::move(results), tensor.type());
}

Result<Outputs> reduce(const ConversionContext& call) {
  const ReduceOperator& row = *reduce_operator(call.node.op_type);
  const ReduceKind kind = row.kind;
  IOS_TRY(const auto what, reduction(call));
  if (what.nothing) return Outputs{call[0]};
  const bool is_bool = call[0].type() == ElementType::kBool;
  if (is_bool && kind != ReduceKind::kMax && kind != ReduceKind::kMin)
    return call.error(message("its input is of type bool"));
  IOS_TRY(const auto count, checked_count(call, what.kept));
  const bool needs_some = kind == ReduceKind::kMax || kind == ReduceKind::kMin || kind == ReduceKind::kMean;
  if (call[0].elements() == 0 && count > 0 && needs_some) return call.error(message("reduces no elements at all"));
  const bool floats_only = kind == ReduceKind::kMean || kind == ReduceKind::kL2 || row.logarithm;
  if (floats_only && !call[0].holds_floats()) {
    return call.error(kind == ReduceKind::kMean ? message("takes the mean of integers")
                                                : message("takes a root or logarithm of integers"),
                      {});
  }
  HostTensor result = call[0].holds_floats() ? reduced<float, double>(call[0], what, row)
                                             : reduced<std::int64_t, std::int64_t>(call[0], what, row);
  if (what.keep) return Outputs{std::move(result)};
  Dims dims = what.kept;
  for (auto axis = what.axes.rbegin(); axis != what.axes.rend(); ++axis) dims.erase(dims.begin() + *axis);
  return Outputs{result.with_dims(std::move(dims))};
}

// Windows for cutting audio, and unit matrices.

// a0 - a1 cos x + a2 cos 2x over a period.
struct Cosines {
  double constant;
  double first;
  double second;
};
constexpr Cosines kHann{0.5, 0.5, 0};
constexpr Cosines kHamming{25.0 / 46, 1 - 25.0 / 46, 0};
constexpr Cosines kBlackman{0.42, 0.5, 0.08};

Result<Outputs> window(const ConversionContext& call, const Cosines& cosines) {
  IOS_TRY(const auto size, list_input(call, 0));
  if (size.size() != 1) return call.error(message("needs one size"));
  IOS_TRY(const auto periodic, int_attribute(call.node, "periodic", 1));
  IOS_TRY(const auto number, int_attribute(call.node, "output_datatype", 1));
  const ElementType type = element_type_of(number);
  if (!is_float(type)) return call.error(message("yields numbers that are not floating-point"));
  IOS_TRY(const auto count, checked_count(call, size));
  const auto period = static_cast<double>(periodic != 0 ? count : count - 1);
  std::vector<float> made(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < made.size(); ++i) {
    const double x = 2 * std::numbers::pi * static_cast<double>(i) / period;
    made[i] = static_cast<float>(cosines.constant - cosines.first * std::cos(x) + cosines.second * std::cos(2 * x));
  }
  return Outputs{HostTensor::of_floats({count}, std::move(made), type)};
}
Result<Outputs> hann(const ConversionContext& call) { return window(call, kHann); }
Result<Outputs> hamming(const ConversionContext& call) { return window(call, kHamming); }
Result<Outputs> blackman(const ConversionContext& call) { return window(call, kBlackman); }

// Returns ones on a diagonal, of the input's dims.
Result<Outputs> eye_like(const ConversionContext& call) {
  IOS_TRY(const auto shift, int_attribute(call.node, "k", 0));
  IOS_TRY(const auto number, int_attribute(call.node, "dtype", onnx_number_of(call[0].type())));
  const ElementType type = element_type_of(number);
  if (call[0].rank() != 2) return call.error(message("needs a matrix"));
  Dims dims = dims_of(call[0]);
  IOS_TRY(const auto count, checked_count(call, dims));
  const auto fill = [&](auto one) {
    std::vector<decltype(one)> made(static_cast<std::size_t>(count));
    for (std::int64_t row = 0; row < dims[0]; ++row) {
      if (shift < -row || shift >= dims[1] - row) continue;
      made[static_cast<std::size_t>(row * dims[1] + row + shift)] = one;
    }
    return made;
  };
  if (is_float(type)) return Outputs{HostTensor::of_floats(dims, fill(1.0F), type)};
  if (is_integer(type)) return Outputs{HostTensor::of_integers(dims, fill(std::int64_t{1}), type)};
  return call.error(message("yields the type {}", to_string(type)));
}

}  // namespace

std::span<const Operator> reducing_operators() {
  static const std::vector<Operator> kOperators = [] {
    std::vector<Operator> all{{"BlackmanWindow", 1, 1, false, blackman},
                              {"EyeLike", 1, 1, true, eye_like},
                              {"HammingWindow", 1, 1, false, hamming},
                              {"HannWindow", 1, 1, false, hann}};
    for (const ReduceOperator& row : reduce_operators()) all.push_back({row.op_type, 1, 2, false, reduce});
    return all;
  }();
  return kOperators;
}

}  // namespace iosx::onnx_import::folding
