#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "core/formats/onnx/fold/fold_operator.h"

// Folds quantised weights to their numbers, and back.
namespace iosx::onnx_import::folding {
namespace {

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

constexpr std::array kQuantizeOperators{
    Operator{"DequantizeLinear", 2, 3, false, dequantize},
    Operator{"QuantizeLinear", 2, 3, false, quantize},
};

}  // namespace

std::span<const Operator> quantize_operators() { return kQuantizeOperators; }

}  // namespace iosx::onnx_import::folding
