#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/graph/shape_inference.h"
#include "core/import/onnx/call.h"

namespace iosx::onnx_import {
namespace {

constexpr std::array kCoordinates{
    std::pair{std::string_view("half_pixel"), ResizeCoordinates::kHalfPixel},
    std::pair{std::string_view("half_pixel_symmetric"), ResizeCoordinates::kHalfPixel},  // where scales are exact
    std::pair{std::string_view("pytorch_half_pixel"), ResizeCoordinates::kPytorchHalfPixel},
    std::pair{std::string_view("align_corners"), ResizeCoordinates::kAlignCorners},
    std::pair{std::string_view("asymmetric"), ResizeCoordinates::kAsymmetric},
};
constexpr std::array kRoundings{
    std::pair{std::string_view("round_prefer_floor"), ResizeRounding::kPreferFloor},
    std::pair{std::string_view("round_prefer_ceil"), ResizeRounding::kPreferCeil},
    std::pair{std::string_view("floor"), ResizeRounding::kFloor},
    std::pair{std::string_view("ceil"), ResizeRounding::kCeil},
};
constexpr std::array kModes{
    std::pair{std::string_view("nearest"), ResizeMode::kNearest},
    std::pair{std::string_view("linear"), ResizeMode::kLinear},
    std::pair{std::string_view("bilinear"), ResizeMode::kLinear},
};

template <typename Table>
auto named(Call& call, const Table& table, const std::string& name, std::string_view what) {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  call.unsupported(fmt::format("resizing with {} '{}'", what, name));
  return table.front().second;
}

// Sizes and scales of all axes of ONNX's.
struct Target {
  Dims sizes;
  std::vector<float> scales;
};

Target start(const Dims& from) { return {from, std::vector<float>(from.size(), 1.0F)}; }

// The places of the axes that scales or sizes are given for.
std::vector<std::size_t> places(Call& call, std::size_t rank, std::size_t count) {
  const auto some = call.integers("axes");
  if (call.failed()) return {};
  std::vector<std::size_t> found;
  for (std::size_t i = 0; !some && i < rank; ++i) found.push_back(i);
  for (const std::int64_t axis : some.value_or(Dims{})) {
    const std::int64_t place = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    if (place < 0 || place >= static_cast<std::int64_t>(rank)) call.bad(fmt::format("has no axis {}", axis));
    found.push_back(static_cast<std::size_t>(place));
  }
  if (found.size() != count) call.bad(fmt::format("has {} scales or sizes for {} axes", count, found.size()));
  return found;
}

Target scaled(Call& call, const Dims& from, std::span<const float> scales) {
  Target target = start(from);
  const auto axes = places(call, from.size(), scales.size());
  if (call.failed()) return {};
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const float size = std::floor(static_cast<float>(from[axes[i]]) * scales[i]);
    if (!(scales[i] > 0) || !(size >= 1) || size > static_cast<float>(kMaxExtent)) {
      call.bad(fmt::format("cannot scale {} elements by {}", from[axes[i]], scales[i]));
      return {};
    }
    target.sizes[axes[i]] = static_cast<std::int64_t>(size);
    target.scales[axes[i]] = scales[i];
  }
  return target;
}

Target sized(Call& call, const Dims& from, const Dims& sizes) {
  Target target = start(from);
  const auto axes = places(call, from.size(), sizes.size());
  if (call.failed()) return {};
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1 || sizes[i] > kMaxExtent) {
      call.bad(fmt::format("cannot resize to {} elements", sizes[i]));
      return {};
    }
    target.sizes[axes[i]] = sizes[i];
    target.scales[axes[i]] = static_cast<float>(sizes[i]) / static_cast<float>(from[axes[i]]);
  }
  return target;
}

Converted resized(Call& call, const DraftValue& value, const Target& target, Resize resize) {
  if (call.failed()) return {};
  if (call.lead() == 1 && target.scales[0] != 1) call.mixes_batch("it resizes along the batch axis");
  resize.shape = call.failed() ? Shape{} : call.shape(target.sizes);
  resize.scales.assign(target.scales.begin() + static_cast<std::ptrdiff_t>(call.lead()), target.scales.end());
  bool changes = false;
  for (const float scale : resize.scales) changes = changes || scale != 1;
  if (!changes) return {value};
  return {call.add(std::move(resize), {value})};
}

// Upsample, and Resize before opset 11.
Converted convert_upsample(Call& call) {
  const DraftValue value = call.value(0);
  Resize resize;
  resize.mode = named(call, kModes, call.text("mode", "nearest"), "the mode");
  resize.coordinates = ResizeCoordinates::kAsymmetric;
  resize.rounding = ResizeRounding::kFloor;
  if (call.failed()) return {};
  const Attribute* const attribute = find_attribute(call.node(), "scales");
  if (attribute != nullptr) {
    const auto* const scales = std::get_if<std::vector<float>>(attribute);
    if (scales == nullptr) call.bad("its attribute 'scales' is not a list of numbers");
    if (call.failed()) return {};
    return resized(call, value, scaled(call, call.dims(value), *scales), resize);
  }
  const HostTensor* const scales = call.floats(1);
  if (call.failed()) return {};
  return resized(call, value, scaled(call, call.dims(value), scales->floats()), resize);
}

void check_supported(Call& call, const Target& target, const Resize& resize, const std::string& coordinates,
                     const Dims& from) {
  const bool antialias = call.integer("antialias", 0) != 0;
  const std::string ratio = call.text("keep_aspect_ratio_policy", "stretch");
  if (ratio != "stretch" && call.given(3)) call.unsupported("resizing that keeps the aspect ratio");
  for (std::size_t i = 0; i < target.scales.size(); ++i) {
    const float scale = target.scales[i];
    if (antialias && scale < 1 && resize.mode == ResizeMode::kLinear) call.unsupported("resizing with antialiasing");
    const float size = scale * static_cast<float>(from[i]);
    const bool exact = std::abs(size - static_cast<float>(target.sizes[i])) < 1e-4F * size;
    if (coordinates == "half_pixel_symmetric" && !exact) call.unsupported("symmetric resizing by an inexact scale");
  }
}

Converted convert_resize(Call& call) {
  if (call.opset() < 11) return convert_upsample(call);
  const DraftValue value = call.value(0);
  Resize resize;
  const std::string coordinates = call.text("coordinate_transformation_mode", "half_pixel");
  resize.mode = named(call, kModes, call.text("mode", "nearest"), "the mode");
  resize.coordinates = named(call, kCoordinates, coordinates, "the coordinates");
  resize.rounding = named(call, kRoundings, call.text("nearest_mode", "round_prefer_floor"), "the rounding");
  if (call.failed()) return {};
  const Dims from = call.dims(value);
  const bool by_sizes = call.given(3);
  Target target;
  if (by_sizes) {
    const auto sizes = call.list(3);
    if (call.failed()) return {};
    target = sized(call, from, *sizes);
  } else {
    const HostTensor* const scales = call.floats(2);
    if (call.failed()) return {};
    target = scaled(call, from, scales->floats());
  }
  check_supported(call, target, resize, coordinates, from);
  return resized(call, value, target, resize);
}

constexpr std::array kResizeConverters{Converter{"Resize", convert_resize}, Converter{"Upsample", convert_upsample}};

}  // namespace

std::span<const Converter> resize_converters() { return kResizeConverters; }

}  // namespace iosx::onnx_import
