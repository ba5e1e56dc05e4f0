#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <type_traits>

#include "core/import/onnx/fold_operator.h"

// Arithmetic, element by element. Integers wrap around at their type's width, as they do elsewhere.
namespace iosx::onnx_import::folding {
namespace {

using Integer = std::int64_t;
using Bits = std::uint64_t;  // for arithmetic that may wrap

struct Plus {
  float operator()(float a, float b) const { return a + b; }
  Integer operator()(Integer a, Integer b) const {
    return static_cast<Integer>(static_cast<Bits>(a) + static_cast<Bits>(b));
  }
};
struct Minus {
  float operator()(float a, float b) const { return a - b; }
  Integer operator()(Integer a, Integer b) const {
    return static_cast<Integer>(static_cast<Bits>(a) - static_cast<Bits>(b));
  }
};
struct Times {
  float operator()(float a, float b) const { return a * b; }
  Integer operator()(Integer a, Integer b) const {
    return static_cast<Integer>(static_cast<Bits>(a) * static_cast<Bits>(b));
  }
};
struct Over {  // towards zero; b is not 0
  float operator()(float a, float b) const { return a / b; }
  Integer operator()(Integer a, Integer b) const { return b == -1 ? Minus()(0, a) : a / b; }
};
struct PythonModulo {  // the sign of b
  float operator()(float a, float b) const {
    const float rest = std::fmod(a, b);
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
  Integer operator()(Integer a, Integer b) const {
    const Integer rest = b == -1 ? 0 : a % b;
    return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
  }
};
struct CModulo {  // the sign of a
  float operator()(float a, float b) const { return std::fmod(a, b); }
  Integer operator()(Integer a, Integer b) const { return b == -1 ? 0 : a % b; }
};
struct Smaller {  // NaN wins, as in numpy
  float operator()(float a, float b) const { return a != a || a < b ? a : b; }
  Integer operator()(Integer a, Integer b) const { return std::min(a, b); }
};
struct Larger {
  float operator()(float a, float b) const { return a != a || a > b ? a : b; }
  Integer operator()(Integer a, Integer b) const { return std::max(a, b); }
};

template <typename T, typename Function>
HostTensor combined(const HostTensor& a, const HostTensor& b, Dims dims, Function function) {
  const View views[] = {{broadcast_strides(a.dims(), dims), 0}, {broadcast_strides(b.dims(), dims), 0}};
  const auto of_a = values_of<T>(a);
  const auto of_b = values_of<T>(b);
  std::vector<T> values(static_cast<std::size_t>(*element_count(dims)));
  walk(dims, views, [&](std::size_t k, const std::int64_t(&at)[2]) {
    const T value = function(of_a[static_cast<std::size_t>(at[0])], of_b[static_cast<std::size_t>(at[1])]);
    values[k] = narrowed(value, a.type());
  });
  return make_tensor(std::move(dims), std::move(values), a.type());
}

template <typename Function>
Result<HostTensor> combine(const Call& call, const HostTensor& a, const HostTensor& b, Function function) {
  if (a.type() == ElementType::kBool) return call.error("its inputs are of type bool");
  const std::array shapes{dims_of(a), dims_of(b)};
  auto dims = broadcast_dims(call, shapes);
  if (!dims) return tl::unexpected(std::move(dims.error()));
  return a.holds_floats() ? combined<float>(a, b, std::move(*dims), function)
                          : combined<Integer>(a, b, std::move(*dims), function);
}

// From the first input on: Add has two, Max and Sum any number.
template <typename Function>
Result<Outputs> accumulate(const Call& call) {
  if (auto same = same_types(call); !same) return tl::unexpected(std::move(same.error()));
  HostTensor result = call[0];
  for (std::size_t i = 1; i < call.inputs.size(); ++i) {
    if (call.inputs[i] == nullptr) return call.error(fmt::format("its input {} is absent", i));
    auto next = combine(call, result, call[i], Function());
    if (!next) return tl::unexpected(std::move(next.error()));
    result = std::move(*next);
  }
  return Outputs{std::move(result)};
}

template <typename Function>
Result<Outputs> divide(const Call& call) {
  const auto divisors = call[1].integers();
  if (std::find(divisors.begin(), divisors.end(), 0) != divisors.end()) return call.error("divides an integer by 0");
  return accumulate<Function>(call);
}

Result<Outputs> mod(const Call& call) {
  const auto like_c = int_attribute(call.node, "fmod", 0);
  if (!like_c) return tl::unexpected(like_c.error());
  return *like_c != 0 ? divide<CModulo>(call) : divide<PythonModulo>(call);
}

Integer integer_power(Integer base, Integer exponent) {
  if (exponent < 0) {  // as the C library's pow(), cut to an integer
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  Integer result = 1;
  for (; exponent > 0; exponent >>= 1) {
    if ((exponent & 1) != 0) result = Times()(result, base);
    base = Times()(base, base);
  }
  return result;
}

// An integer base with a floating-point exponent.
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

// The exponent may be of another type; the result is of the base's.
Result<Outputs> pow(const Call& call) {
  const auto one = [](Result<HostTensor> result) -> Result<Outputs> {
    if (!result) return tl::unexpected(std::move(result.error()));
    return Outputs{std::move(*result)};
  };
  struct Power {
    float operator()(float a, float b) const { return std::pow(a, b); }
    Integer operator()(Integer a, Integer b) const { return integer_power(a, b); }
  };
  const HostTensor& base = call[0];
  const HostTensor& exponent = call[1];
  if (base.type() == ElementType::kBool) return call.error("its inputs are of type bool");
  if (base.holds_integers() == exponent.holds_integers()) return one(combine(call, base, exponent, Power()));
  if (base.holds_floats()) return one(combine(call, base, floats_of(exponent), Power()));
  const std::array shapes{dims_of(base), dims_of(exponent)};
  auto dims = broadcast_dims(call, shapes);
  if (!dims) return tl::unexpected(std::move(dims.error()));
  const View views[] = {{broadcast_strides(base.dims(), *dims), 0}, {broadcast_strides(exponent.dims(), *dims), 0}};
  std::vector<Integer> values(static_cast<std::size_t>(*element_count(*dims)));
  walk(*dims, views, [&](std::size_t k, const std::int64_t(&at)[2]) {
    values[k] = narrowed(rounded_power(base.integers()[static_cast<std::size_t>(at[0])],
                                       exponent.floats()[static_cast<std::size_t>(at[1])]),
                         base.type());
  });
  return Outputs{make_tensor(std::move(*dims), std::move(values), base.type())};
}

struct Negate {
  float operator()(float a) const { return -a; }
  Integer operator()(Integer a) const { return Minus()(0, a); }
};
struct Magnitude {
  float operator()(float a) const { return std::fabs(a); }
  Integer operator()(Integer a) const { return a < 0 ? Minus()(0, a) : a; }
};
struct Sign {
  float operator()(float a) const { return a > 0 ? 1.0F : a < 0 ? -1.0F : a; }
  Integer operator()(Integer a) const { return a > 0 ? 1 : a < 0 ? -1 : 0; }
};
struct Down {
  float operator()(float a) const { return std::floor(a); }
};
struct Up {
  float operator()(float a) const { return std::ceil(a); }
};
struct ToEven {
  float operator()(float a) const { return std::nearbyint(a); }
};
struct Root {
  float operator()(float a) const { return std::sqrt(a); }
};
struct Exponential {
  float operator()(float a) const { return std::exp(a); }
};
struct Logarithm {
  float operator()(float a) const { return std::log(a); }
};
struct Inverse {
  float operator()(float a) const { return 1.0F / a; }
};

template <typename Function>
Result<Outputs> each(const Call& call) {
  const HostTensor& tensor = call[0];
  const auto apply = [&](const auto& from) {
    using T = std::remove_const_t<typename std::remove_reference_t<decltype(from)>::element_type>;
    std::vector<T> to(from.size());
    std::transform(from.begin(), from.end(), to.begin(),
                   [&](T value) { return narrowed(static_cast<T>(Function()(value)), tensor.type()); });
    return make_tensor(dims_of(tensor), std::move(to), tensor.type());
  };
  if (tensor.holds_floats()) return Outputs{apply(tensor.floats())};
  if constexpr (std::is_same_v<std::invoke_result_t<Function, Integer>, Integer>) {
    if (tensor.type() != ElementType::kBool) return Outputs{apply(tensor.integers())};
  }
  return call.error(fmt::format("its input is of type {}", to_string(tensor.type())));
}

}  // namespace

std::span<const Operator> arithmetic_operators() {
  static constexpr std::array kOperators{
      Operator{"Abs", 1, 1, false, each<Magnitude>},
      Operator{"Add", 2, 2, false, accumulate<Plus>},
      Operator{"Ceil", 1, 1, false, each<Up>},
      Operator{"Div", 2, 2, false, divide<Over>},
      Operator{"Exp", 1, 1, false, each<Exponential>},
      Operator{"Floor", 1, 1, false, each<Down>},
      Operator{"Log", 1, 1, false, each<Logarithm>},
      Operator{"Max", 1, kAnyNumber, false, accumulate<Larger>},
      Operator{"Min", 1, kAnyNumber, false, accumulate<Smaller>},
      Operator{"Mod", 2, 2, false, mod},
      Operator{"Mul", 2, 2, false, accumulate<Times>},
      Operator{"Neg", 1, 1, false, each<Negate>},
      Operator{"Pow", 2, 2, false, pow},
      Operator{"Reciprocal", 1, 1, false, each<Inverse>},
      Operator{"Round", 1, 1, false, each<ToEven>},
      Operator{"Sign", 1, 1, false, each<Sign>},
      Operator{"Sqrt", 1, 1, false, each<Root>},
      Operator{"Sub", 2, 2, false, accumulate<Minus>},
      Operator{"Sum", 1, kAnyNumber, false, accumulate<Plus>},
  };
  return kOperators;
}

}  // namespace iosx::onnx_import::folding
