#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/formats/onnx/element_functions.h"
#include "core/formats/onnx/fold/fold.h"

// Folds functions of one or two tensors, element by element. Integers wrap around at their type's width, as
// elsewhere.
namespace iosx::onnx_import::folding {
namespace {

using Integer = std::int64_t;
using Bits = std::uint64_t;  // for arithmetic that may wrap

Integer times(Integer a, Integer b) { return static_cast<Integer>(static_cast<Bits>(a) * static_cast<Bits>(b)); }
Integer minus(Integer a, Integer b) { return static_cast<Integer>(static_cast<Bits>(a) - static_cast<Bits>(b)); }

Integer integer_power(Integer base, Integer exponent) {
  if (exponent < 0) {  // as the C library's pow(), cut to an integer
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  Integer result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = times(result, base);
    base = times(base, base);
  }
  return result;
}

// Computes the function of two integers. b is not 0 where it divides.
Integer evaluate(BinaryFunction function, Integer a, Integer b) {
  switch (function) {
    case BinaryFunction::kAdd: return static_cast<Integer>(static_cast<Bits>(a) + static_cast<Bits>(b));
    case BinaryFunction::kMul: return times(a, b);
    case BinaryFunction::kSub: return minus(a, b);
    case BinaryFunction::kDiv: return b == -1 ? minus(0, a) : a / b;  // towards zero
    case BinaryFunction::kPow: return integer_power(a, b);
    case BinaryFunction::kMin: return std::min(a, b);
    case BinaryFunction::kMax: return std::max(a, b);
    case BinaryFunction::kMod: {
      const Integer rest = b == -1 ? 0 : a % b;
      return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
    }
    case BinaryFunction::kFmod: return b == -1 ? 0 : a % b;
    case BinaryFunction::kEqual: return a == b ? 1 : 0;
    case BinaryFunction::kGreater: return a > b ? 1 : 0;
    case BinaryFunction::kGreaterOrEqual: return a >= b ? 1 : 0;
    case BinaryFunction::kLess: return a < b ? 1 : 0;
    case BinaryFunction::kLessOrEqual: return a <= b ? 1 : 0;
    case BinaryFunction::kAnd: return a != 0 && b != 0 ? 1 : 0;
    case BinaryFunction::kOr: return a != 0 || b != 0 ? 1 : 0;
    case BinaryFunction::kXor: return (a != 0) != (b != 0) ? 1 : 0;
    case BinaryFunction::kPRelu: return a < 0 ? times(a, b) : a;
  }
  return a;
}
float evaluate(BinaryFunction function, float a, float b) { return apply(function, a, b); }

// Computes the function of one integer; returns nothing where it is none of integers.
std::optional<Integer> evaluate(ActivationKind function, Integer a) {
  switch (function) {
    case ActivationKind::kAbs: return a < 0 ? minus(0, a) : a;
    case ActivationKind::kNeg: return minus(0, a);
    case ActivationKind::kRelu: return std::max<Integer>(a, 0);
    case ActivationKind::kSign: return a > 0 ? 1 : a < 0 ? -1 : 0;
    default: return std::nullopt;
  }
}

// The result has the type; for bool with float numbers it has integers all the same.
template <typename T>
HostTensor combined(BinaryFunction function, const HostTensor& a, const HostTensor& b, Dims dims, ElementType type) {
  const View views[] = {{broadcast_strides(a.dims(), dims), 0}, {broadcast_strides(b.dims(), dims), 0}};
  const auto of_a = values_of<T>(a);
  const auto of_b = values_of<T>(b);
  const auto fill = [&]<typename To>(To) {
    std::vector<To> values(static_cast<std::size_t>(*element_count(dims)));
    walk(dims, views, [&](std::size_t k, const std::int64_t(&at)[2]) {
      const T value = evaluate(function, of_a[static_cast<std::size_t>(at[0])], of_b[static_cast<std::size_t>(at[1])]);
      values[k] = narrowed(static_cast<To>(value), type);
    });
    return make_tensor(std::move(dims), std::move(values), type);
  };
  return is_float(type) ? fill(0.0F) : fill(Integer{0});
}

Result<HostTensor> combine(const ConversionContext& call, BinaryFunction function, const HostTensor& a,
                           const HostTensor& b, ElementType type) {
  const std::array shapes{dims_of(a), dims_of(b)};
  IOS_TRY(auto dims, broadcast_dims(call, shapes));
  return a.holds_floats() ? combined<float>(function, a, b, std::move(dims), type)
                          : combined<Integer>(function, a, b, std::move(dims), type);
}

// Raises an integer base with a floating-point exponent.
Integer rounded_power(Integer base, float exponent) {
  const double power = std::pow(static_cast<double>(base), static_cast<double>(exponent));
  if (std::isnan(power)) return 0;
  if (power >= 0x1p63) return std::numeric_limits<Integer>::max();
  if (power <= -0x1p63) return std::numeric_limits<Integer>::min();
  return static_cast<Integer>(power);
}

HostTensor floats_of(const HostTensor& tensor) {
  const auto integers = tensor.integers();
  return HostTensor::of_floats(dims_of(tensor), {integers.begin(), integers.end()});
}

// The exponent may be of another type than the base, whose type is the result's.
Result<HostTensor> mixed_power(const ConversionContext& call, const HostTensor& base, const HostTensor& exponent) {
  if (base.holds_floats()) return combine(call, BinaryFunction::kPow, base, floats_of(exponent), base.type());
  const std::array shapes{dims_of(base), dims_of(exponent)};
  IOS_TRY(auto dims, broadcast_dims(call, shapes));
  const View views[] = {{broadcast_strides(base.dims(), dims), 0}, {broadcast_strides(exponent.dims(), dims), 0}};
  std::vector<Integer> values(static_cast<std::size_t>(*element_count(dims)));
  walk(dims, views, [&](std::size_t k, const std::int64_t(&at)[2]) {
    values[k] = narrowed(rounded_power(base.integers()[static_cast<std::size_t>(at[0])],
                                       exponent.floats()[static_cast<std::size_t>(at[1])]),
                         base.type());
  });
  return make_tensor(std::move(dims), std::move(values), base.type());
}

// Checks that the types are those of the operator.
Result<void> check_types(const ConversionContext& call, const BinaryOperator& row) {
  const bool is_bool = call[0].type() == ElementType::kBool;
  if (row.logical && !is_bool) return call.error(message("its inputs are not of type bool"));
  const bool compares = row.result == ElementType::kBool;
  if (is_bool && !compares) return call.error(message("its inputs are of type bool"));
  return row.function == BinaryFunction::kPow ? Result<void>() : same_types(call);
}

Result<Outputs> binary(const ConversionContext& call) {
  const BinaryOperator& row = *binary_operator(call.node.op_type);
  IOS_TRY(check_types(call, row));
  BinaryFunction function = row.function;
  if (function == BinaryFunction::kMod) {
    IOS_TRY(const auto like_c, int_attribute(call.node, "fmod", 0));
    if (like_c != 0) function = BinaryFunction::kFmod;
  }
  const bool divides = function == BinaryFunction::kDiv || row.function == BinaryFunction::kMod;
  const ElementType type = row.result == ElementType::kUndefined ? call[0].type() : row.result;
  HostTensor result = call[0];
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr) return call.error(message("its input {} is absent", i));
    const auto right = call[i].integers();
    if (divides && std::ranges::find(right, 0) != right.end()) return call.error(message("divides an integer by 0"));
    const bool mixed = result.holds_floats() != call[i].holds_floats();
    IOS_TRY(auto next, mixed ? mixed_power(call, result, call[i]) : combine(call, function, result, call[i], type));
    result = std::move(next);
  }
  return Outputs{std::move(result)};
}

Result<Outputs> unary(const ConversionContext& call) {
  const ElementFunction& row = *element_function(call.node.op_type);
  const HostTensor& tensor = call[0];
  const auto parameter = [&](const ElementFunction::Parameter& of) {
    return of.attribute.empty() ? Result<float>(0.0F) : float_attribute(call.node, of.attribute, of.absent);
  };
  IOS_TRY(const auto alpha, parameter(row.alpha));
  IOS_TRY(const auto beta, parameter(row.beta));
  const Activation function{row.kind, alpha, beta};
  if (tensor.holds_floats() && row.result == ElementType::kUndefined) {
    std::vector<float> values(tensor.floats().begin(), tensor.floats().end());
    for (float& value : values) value = narrowed(iosx::apply(function, value), tensor.type());
    return Outputs{make_tensor(dims_of(tensor), std::move(values), tensor.type())};
  }
  std::vector<Integer> values(tensor.integers().begin(), tensor.integers().end());
  if (row.result == ElementType::kBool) {  // a question
    const bool negates = row.kind == ActivationKind::kNot;
    if (negates && tensor.type() != ElementType::kBool) return call.error(message("its input is not of type bool"));
    for (Integer& value : values) value = negates ? 1 - value : 0;
    for (const float value : tensor.floats()) values.push_back(static_cast<Integer>(iosx::apply(function, value)));
    return Outputs{make_tensor(dims_of(tensor), std::move(values), ElementType::kBool)};
  }
  for (Integer& value : values) {
    const auto made = tensor.type() == ElementType::kBool ? std::nullopt : evaluate(row.kind, value);
    if (!made) return call.error(message("its input is of type {}", to_string(tensor.type())));
    value = narrowed(*made, tensor.type());
  }
  if (values.empty() && !evaluate(row.kind, Integer{0}))
    return call.error(message("its input is of type {}", to_string(tensor.type())));
  return Outputs{make_tensor(dims_of(tensor), std::move(values), tensor.type())};
}

// Quantised weights become their numbers, and back.

// Maps elements to scales: the tensor is outer x axis x inner, with one scale for all, one per place of the axis, or
// one per block of places.
struct Places {
  std::int64_t outer = 1;
  std::int64_t axis = 1;
  std::int64_t inner = 1;
  std::int64_t block = 0;  // 0: one scale for all
  std::int64_t blocks = 1;
  bool blocked = false;  // a scale for each element of the other axes too

  std::size_t scale_of(std::int64_t o, std::int64_t a, std::int64_t i) const {
    if (block == 0) return 0;
    return static_cast<std::size_t>(blocked ? (o * blocks + a / block) * inner + i : a);
  }
};

std::int64_t product(std::span<const std::int64_t> dims) {
  return std::accumulate(dims.begin(), dims.end(), std::int64_t{1}, std::multiplies<>());
}

Result<Places> places(const ConversionContext& call, const HostTensor& scale) {
  const auto dims = call[0].dims();
  Places places;
  if (scale.elements() == 1) {
    places.inner = call[0].elements();
    return places;
  }
  IOS_TRY(const auto given, int_attribute(call.node, "axis", 1));
  IOS_TRY(const auto axis, checked_axis(call, given, call[0].rank()));
  const auto at = static_cast<std::size_t>(axis);
  places = {product(dims.first(at)), dims[at], product(dims.subspan(at + 1)), 1, dims[at], false};
  if (scale.rank() > 1) {
    IOS_TRY(const auto block, int_attribute(call.node, "block_size", 0));
    if (block < 1) return call.error(message("has scales of several axes without a block_size"));
    places.block = block;
    places.blocks = (dims[at] + block - 1) / block;
    places.blocked = true;
  }
  const std::int64_t wanted = places.blocked ? places.outer * places.blocks * places.inner : places.axis;
  if (scale.elements() == wanted) return places;
  return call.error(message("has {} scales for {} places", scale.elements(), wanted));
}

Result<std::vector<float>> numbers(const ConversionContext& call, const HostTensor& tensor) {
  if (tensor.holds_floats()) return std::vector<float>(tensor.floats().begin(), tensor.floats().end());
  if (!tensor.holds_integers()) return call.error(message("has an input whose numbers cannot be read"));
  return std::vector<float>(tensor.integers().begin(), tensor.integers().end());
}

// Scales, zero points (one zero where there are none) and their places.
struct Grid {
  Places places;
  std::vector<float> scale;
  std::vector<float> zero;

  float zero_of(std::size_t i) const { return zero.size() == 1 ? zero[0] : zero[i]; }
};

Result<Grid> grid(const ConversionContext& call) {
  IOS_TRY(auto found, places(call, call[1]));
  IOS_TRY(auto scale, numbers(call, call[1]));
  Grid made{found, std::move(scale), {0.0F}};
  if (const HostTensor* const given = call.optional(2); given != nullptr) {
    IOS_TRY(auto zero, numbers(call, *given));
    if (zero.size() != made.scale.size() && zero.size() != 1)
      return call.error(message("does not have one zero point per scale"));
    made.zero = std::move(zero);
  }
  return made;
}

template <typename Function>
void for_each_place(const Places& places, Function function) {
  std::size_t k = 0;
  for (std::int64_t o = 0; o < places.outer; ++o) {
    for (std::int64_t a = 0; a < places.axis; ++a) {
      for (std::int64_t i = 0; i < places.inner; ++i) function(k++, places.scale_of(o, a, i));
    }
  }
}

Result<Outputs> dequantize(const ConversionContext& call) {
  IOS_TRY(checked_count(call, call[0].dims()));
  IOS_TRY(const auto found, grid(call));
  IOS_TRY(auto made, numbers(call, call[0]));
  for_each_place(found.places,
                 [&](std::size_t k, std::size_t s) { made[k] = (made[k] - found.zero_of(s)) * found.scale[s]; });
  const ElementType type = call[1].holds_floats() ? call[1].type() : ElementType::kFloat32;
  return Outputs{HostTensor::of_floats(dims_of(call[0]), std::move(made), type)};
}

Result<Outputs> quantize(const ConversionContext& call) {
  IOS_TRY(checked_count(call, call[0].dims()));
  IOS_TRY(const auto declared, int_attribute(call.node, "output_dtype", 0));
  ElementType type = call.optional(2) != nullptr ? call[2].type() : ElementType::kUint8;
  if (declared != 0) type = element_type_of(declared);
  const auto range = quantised_range(type);
  if (!range) return call.error(message("quantises to the type {}", to_string(type)));
  IOS_TRY(const auto found, grid(call));
  IOS_TRY(const auto given, numbers(call, call[0]));
  std::vector<std::int64_t> made(given.size());
  for_each_place(found.places, [&](std::size_t k, std::size_t s) {
    const float whole = std::nearbyint(given[k] / found.scale[s]) + found.zero_of(s);
    made[k] = static_cast<std::int64_t>(std::isnan(whole) ? 0 : std::clamp(whole, range->low, range->high));
  });
  return Outputs{HostTensor::of_integers(dims_of(call[0]), std::move(made), type)};
}

}  // namespace

std::span<const Operator> element_operators() {
  static const std::vector<Operator> kOperators = [] {
    std::vector<Operator> all{{"DequantizeLinear", 2, 3, false, dequantize}, {"QuantizeLinear", 2, 3, false, quantize}};
    for (const ElementFunction& row : element_functions()) all.push_back({row.op_type, 1, 1, false, unary});
    for (const BinaryOperator& row : binary_operators()) {
      const std::size_t least = row.many ? 1 : 2;
      all.push_back({row.op_type, least, row.many ? kAnyNumber : 2, false, binary});
    }
    return all;
  }();
  return kOperators;
}

}  // namespace iosx::onnx_import::folding
