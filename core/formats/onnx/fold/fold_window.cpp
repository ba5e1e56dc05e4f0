#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>

#include "core/formats/onnx/fold/fold_operator.h"

// Folds operators that make windows for cutting audio, and unit matrices.
namespace iosx::onnx_import::folding {
namespace {

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

constexpr std::array kWindowOperators{
    Operator{"BlackmanWindow", 1, 1, false, blackman},
    Operator{"EyeLike", 1, 1, true, eye_like},
    Operator{"HammingWindow", 1, 1, false, hamming},
    Operator{"HannWindow", 1, 1, false, hann},
};

}  // namespace

std::span<const Operator> window_operators() { return kWindowOperators; }

}  // namespace iosx::onnx_import::folding
