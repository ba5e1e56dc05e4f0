#include <algorithm>
#include <array>
#include <cmath>

#include "core/formats/onnx/convert/conversion_context.h"

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
auto named(ConversionContext& call, const Table& table, const std::string& name, std::string_view what) {
  for (const auto& [known, value] : table) {
    if (known == name) return value;
  }
  call.unsupported(message("resizing with {} '{}'", what, name));
}

// Sizes and scales of all of ONNX's axes.
struct Target {
  Dims sizes;
  std::vector<float> scales;
};

Target start(const Dims& from) { return {from, std::vector<float>(from.size(), 1.0F)}; }

// Returns the places of the axes that scales or sizes are given for.
std::vector<std::size_t> places(ConversionContext& call, std::size_t rank, std::size_t count) {
  const auto some = call.integers("axes");
  std::vector<std::size_t> found;
  for (std::size_t i = 0; !some && i < rank; ++i) found.push_back(i);
  for (const std::int64_t axis : some.value_or(Dims{})) {
    const std::int64_t place = axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis;
    if (place < 0 || place >= static_cast<std::int64_t>(rank)) call.bad(message("has no axis {}", axis));
    found.push_back(static_cast<std::size_t>(place));
  }
  if (found.size() != count) call.bad(message("has {} scales or sizes for {} axes", count, found.size()));
  return found;
}

Target scaled(ConversionContext& call, const Dims& from, std::span<const float> scales) {
  Target target = start(from);
  const auto axes = places(call, from.size(), scales.size());
  for (std::size_t i = 0; i < scales.size(); ++i) {
    const float size = std::floor(static_cast<float>(from[axes[i]]) * scales[i]);
    if (!(scales[i] > 0) || !(size >= 1) || size > static_cast<float>(kMaxExtent))
      call.bad(message("cannot scale {} elements by {}", from[axes[i]], scales[i]));
    target.sizes[axes[i]] = static_cast<std::int64_t>(size);
    target.scales[axes[i]] = scales[i];
  }
  return target;
}

Target sized(ConversionContext& call, const Dims& from, const Dims& sizes) {
  Target target = start(from);
  const auto axes = places(call, from.size(), sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] < 1 || sizes[i] > kMaxExtent) call.bad(message("cannot resize to {} elements", sizes[i]));
    target.sizes[axes[i]] = sizes[i];
    target.scales[axes[i]] = static_cast<float>(sizes[i]) / static_cast<float>(from[axes[i]]);
  }
  return target;
}

Converted resized(ConversionContext& call, const DraftValue& value, const Target& target, Resize resize) {
  if (call.lead() == 1 && target.scales[0] != 1) call.mixes_batch(message("it resizes along the batch axis"));
  resize.shape = call.shape(target.sizes);
  resize.scales.assign(target.scales.begin() + static_cast<std::ptrdiff_t>(call.lead()), target.scales.end());
  bool changes = false;
  for (const float scale : resize.scales) changes = changes || scale != 1;
  if (!changes) return {value};
  return {call.add(std::move(resize), {value})};
}

// Before opset 11 an element of a smaller axis is the next one that the output's place lies on or before, and one of a
// larger axis is the one before it: two operators where the axes differ.
Converted resized_by_direction(ConversionContext& call, const DraftValue& value, const Target& target, Resize resize) {
  if (resize.mode != ResizeMode::kNearest) return resized(call, value, target, resize);
  Target down = start(call.dims(value));
  for (std::size_t axis = 0; axis < down.sizes.size(); ++axis) {
    if (target.scales[axis] >= 1) continue;
    down.sizes[axis] = target.sizes[axis];
    down.scales[axis] = target.scales[axis];
  }
  Target up = target;
  for (float& scale : up.scales) scale = std::max(scale, 1.0F);
  resize.rounding = ResizeRounding::kCeil;
  const Converted smaller = resized(call, value, down, resize);
  resize.rounding = ResizeRounding::kFloor;
  return resized(call, smaller.front(), up, resize);
}

// Converts Upsample, and Resize before opset 11.
Converted convert_upsample(ConversionContext& call) {
  const DraftValue value = call.value(0);
  Resize resize;
  resize.mode = named(call, kModes, call.text("mode", "nearest"), "the mode");
  resize.coordinates = ResizeCoordinates::kAsymmetric;
  const Attribute* const attribute = find_attribute(call.node(), "scales");
  if (attribute != nullptr) {
    const auto* const scales = std::get_if<std::vector<float>>(attribute);
    if (scales == nullptr) call.bad(message("its attribute 'scales' is not a list of numbers"));
    return resized_by_direction(call, value, scaled(call, call.dims(value), *scales), resize);
  }
  const HostTensor* const scales = call.floats(1);
  return resized_by_direction(call, value, scaled(call, call.dims(value), scales->floats()), resize);
}

// Interpolation that none of our operators does. It is linear in the elements, axis by axis: a product with a matrix
// for each, whose rows have every input element's weight in an output element.
class Interpolation {
 public:
  explicit Interpolation(ConversionContext& call) : call_(call) {
    const std::string mode = call.text("mode", "nearest");
    cubic_ = mode == "cubic";
    nearest_ = mode == "nearest";
    if (!cubic_) named(call, kModes, mode, "the mode");
    rounding_ = named(call, kRoundings, call.text("nearest_mode", "round_prefer_floor"), "the rounding");
    coordinates_ = call.text("coordinate_transformation_mode", "half_pixel");
    crops_ = coordinates_ == "tf_crop_and_resize";
    const bool known = crops_ || coordinates_ == "tf_half_pixel_for_nn" ||
                       std::ranges::any_of(kCoordinates, [&](const auto& each) { return each.first == coordinates_; });
    if (!known) call.unsupported(message("resizing with the coordinates '{}'", coordinates_));
    antialias_ = call.integer("antialias", 0) != 0 && !nearest_;
    exclude_outside_ = call.integer("exclude_outside", 0) != 0;
    a_ = call.number("cubic_coeff_a", -0.75F);
    outside_ = call.number("extrapolation_value", 0);
    if (crops_) read_regions();
  }

  // Returns whether the operator Resize does the same.
  bool is_plain(const Target& target, const Dims& from) const {
    if (cubic_ || crops_ || coordinates_ == "tf_half_pixel_for_nn") return false;
    for (std::size_t i = 0; i < target.scales.size(); ++i) {
      const float scale = target.scales[i];
      if (antialias_ && scale < 1) return false;
      const float size = scale * static_cast<float>(from[i]);
      const bool exact = std::abs(size - static_cast<float>(target.sizes[i])) < 1e-4F * size;
      if (coordinates_ == "half_pixel_symmetric" && !exact) return false;
    }
    return true;
  }

  Converted run(DraftValue value, const Target& target, const Dims& from) {
    std::vector<DraftValue> covered;  // 1 where a crop lies on the input, along each axis
    for (std::size_t i = from.size(); i-- > 0;) {
      const bool stays =
          target.scales[i] == 1 && target.sizes[i] == from[i] && (!crops_ || whole_region(i, from.size()));
      if (stays) continue;
      const std::size_t axis = call_.axis(static_cast<std::int64_t>(i), from.size());
      call_.spend(2 * from[i] * target.sizes[i]);
      const Along along{from[i], target.sizes[i], target.scales[i], i, from.size()};
      value = product(value, axis, along);
      if (crops_ && outside_ != 0) covered.push_back(cover(along, axis, value.shape.rank()));
    }
    return {covered.empty() ? value : filled(value, covered)};
  }

 private:
  struct Along {
    std::int64_t from;
    std::int64_t to;
    float scale;
    std::size_t axis;  // ONNX's
    std::size_t rank;
  };

  void read_regions() {
    const HostTensor* const regions = call_.floats(1);
    regions_.assign(regions->floats().begin(), regions->floats().end());
  }

  // Returns where the first and the last element lie, in sizes of the axis.
  std::pair<double, double> region(std::size_t axis, std::size_t rank) {
    std::size_t at = axis;
    std::size_t count = rank;
    if (const auto some = call_.integers("axes")) {
      count = some->size();
      at = count;
      for (std::size_t i = 0; i < count; ++i) {
        const std::int64_t each = (*some)[i] < 0 ? (*some)[i] + static_cast<std::int64_t>(rank) : (*some)[i];
        if (each == static_cast<std::int64_t>(axis)) at = i;
      }
      if (at == count) return {0, 1};
    }
    if (regions_.size() != 2 * count)
      call_.bad(message("its region has {} numbers for {} axes", regions_.size(), count));
    return {regions_[at], regions_[at + count]};
  }
  bool whole_region(std::size_t axis, std::size_t rank) {
    const auto [begin, end] = region(axis, rank);
    return begin == 0 && end == 1;
  }

  // Returns where in the input an element of the output lies.
  double position(const Along& along, std::int64_t place) {
    const auto x = static_cast<double>(place);
    const double scale = along.scale;
    const auto last_from = static_cast<double>(along.from - 1);
    const auto last_to = static_cast<double>(along.to - 1);
    if (crops_) {
      const auto [begin, end] = region(along.axis, along.rank);
      const double first = begin * last_from;
      return along.to > 1 ? first + x * (end - begin) * last_from / last_to : 0.5 * (begin + end) * last_from;
    }
    if (coordinates_ == "align_corners") return along.to > 1 ? x * last_from / last_to : 0;
    if (coordinates_ == "asymmetric") return x / scale;
    if (coordinates_ == "tf_half_pixel_for_nn") return (x + 0.5) / scale;
    if (coordinates_ == "pytorch_half_pixel" && along.to == 1) return 0;
    double offset = 0;
    if (coordinates_ == "half_pixel_symmetric") {
      const double exact = scale * static_cast<double>(along.from);
      offset = 0.5 * static_cast<double>(along.from) * (1 - static_cast<double>(along.to) / exact);
    }
    return offset + (x + 0.5) / scale - 0.5;
  }

  double kernel(double distance) const {
    const double x = std::abs(distance);
    if (!cubic_) return std::max(0.0, 1 - x);
    const double a = a_;
    if (x <= 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
  }

  bool outside(const Along& along, double x) const {
    return crops_ && (x < 0 || x > static_cast<double>(along.from - 1));
  }

  std::int64_t rounded(double x) const {
    switch (rounding_) {
      case ResizeRounding::kPreferFloor: return static_cast<std::int64_t>(std::ceil(x - 0.5));
      case ResizeRounding::kPreferCeil: return static_cast<std::int64_t>(std::floor(x + 0.5));
      case ResizeRounding::kFloor: return static_cast<std::int64_t>(std::floor(x));
      case ResizeRounding::kCeil: return static_cast<std::int64_t>(std::ceil(x));
    }
    return 0;
  }

  // Returns what each element counts for one that lies at x.
  std::vector<double> row(const Along& along, double x) const {
    std::vector<double> counts(static_cast<std::size_t>(along.from), 0.0);
    if (outside(along, x)) return counts;
    const auto inside = [&](std::int64_t i) { return std::clamp<std::int64_t>(i, 0, along.from - 1); };
    if (nearest_) {
      counts[static_cast<std::size_t>(inside(rounded(x)))] = 1;
      return counts;
    }
    const double stretch = antialias_ ? std::min(1.0, double{along.scale}) : 1;
    const double reach = (cubic_ ? 2 : 1) / stretch;
    double sum = 0;
    for (auto i = static_cast<std::int64_t>(std::ceil(x - reach)); static_cast<double>(i) <= x + reach; ++i) {
      if (exclude_outside_ && i != inside(i)) continue;
      const double count = kernel((static_cast<double>(i) - x) * stretch);
      counts[static_cast<std::size_t>(inside(i))] += count;
      sum += count;
    }
    for (double& count : counts) count /= sum;
    return counts;
  }

  // The axis of the value, of the graph's, becomes the matrix's other one.
  DraftValue product(const DraftValue& value, std::size_t axis, const Along& along) {
    const std::size_t rank = value.shape.rank();
    const bool last = axis + 1 == rank;  // x · Mᵀ, otherwise M · x
    std::vector<float> numbers(static_cast<std::size_t>(along.from * along.to));
    for (std::int64_t place = 0; place < along.to; ++place) {
      const auto counts = row(along, position(along, place));
      for (std::int64_t i = 0; i < along.from; ++i) {
        numbers[static_cast<std::size_t>(last ? i * along.to + place : place * along.from + i)] =
            static_cast<float>(counts[static_cast<std::size_t>(i)]);
      }
    }
    const Dims dims = last ? Dims{along.from, along.to} : Dims{along.to, along.from};
    const DraftValue matrix = call_.constant_value(Tensor(dims, std::move(numbers)), "matrix");
    if (rank == 1) {
      const DraftValue one = call_.reshape(value, Shape{1, along.from}, "row");
      return call_.reshape(call_.add(MatMul{.sparse = true}, {one, matrix}, "resized"), Shape{along.to});
    }
    if (last) return call_.add(MatMul{.sparse = true}, {value, matrix}, "resized");
    // The axes after it are one; those before it are matrices.
    const auto dims_of = value.shape.dims();
    const auto count = [](auto some) { return Shape(some).elements(); };
    const std::int64_t before = count(dims_of.first(axis));
    const std::int64_t after = count(dims_of.subspan(axis + 1));
    const DraftValue flat = call_.reshape(value, Shape{before, along.from, after}, "rows");
    DraftValue made = call_.add(MatMul{.sparse = true}, {matrix, flat}, "resized");
    return call_.reshape(made, value.shape.with(axis, along.to));
  }

  DraftValue cover(const Along& along, std::size_t axis, std::size_t rank) {
    std::vector<float> inside;
    for (std::int64_t place = 0; place < along.to; ++place) {
      inside.push_back(outside(along, position(along, place)) ? 0.0F : 1.0F);
    }
    Dims dims(rank, 1);
    dims[axis] = along.to;
    return call_.constant_value(Tensor(std::move(dims), std::move(inside)), "inside");
  }

  // Fills everything else with the value that was given for it.
  DraftValue filled(DraftValue value, const std::vector<DraftValue>& covered) {
    const DraftValue other = call_.scalar(outside_, "outside");
    for (const DraftValue& inside : covered) value = call_.add(Where{}, {inside, value, other}, "filled");
    return value;
  }

  ConversionContext& call_;
  bool cubic_ = false;
  bool nearest_ = false;
  bool crops_ = false;
  bool antialias_ = false;
  bool exclude_outside_ = false;
  ResizeRounding rounding_ = ResizeRounding::kPreferFloor;
  std::string coordinates_;
  float a_ = 0;
  float outside_ = 0;
  std::vector<float> regions_;
};

Converted convert_resize(ConversionContext& call) {
  if (call.opset() < 11) return convert_upsample(call);
  const DraftValue value = call.value(0);
  const Dims from = call.dims(value);
  const bool by_sizes = call.given(3);
  if (by_sizes && call.text("keep_aspect_ratio_policy", "stretch") != "stretch")
    call.unsupported(message("resizing that keeps the aspect ratio"));
  Target target;
  if (by_sizes) {
    const auto sizes = call.list(3);
    target = sized(call, from, *sizes);
  } else {
    const HostTensor* const scales = call.floats(2);
    target = scaled(call, from, scales->floats());
  }
  Interpolation interpolation(call);
  if (!interpolation.is_plain(target, from)) {
    Converted made = interpolation.run(value, target, from);
    made.front().type = value.type;
    return made;
  }
  Resize resize;
  resize.mode = named(call, kModes, call.text("mode", "nearest"), "the mode");
  resize.coordinates =
      named(call, kCoordinates, call.text("coordinate_transformation_mode", "half_pixel"), "the coordinates");
  resize.rounding = named(call, kRoundings, call.text("nearest_mode", "round_prefer_floor"), "the rounding");
  return resized(call, value, target, resize);
}

constexpr std::array kResizeConverters{Converter{"Resize", convert_resize}, Converter{"Upsample", convert_upsample}};

}  // namespace

std::span<const Converter> resize_converters() { return kResizeConverters; }

}  // namespace iosx::onnx_import
