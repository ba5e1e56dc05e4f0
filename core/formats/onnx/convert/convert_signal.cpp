#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <numbers>

#include "core/formats/onnx/convert/conversion_context.h"

// Converts what is a product with a matrix that only sizes decide.
namespace iosx::onnx_import {
namespace {

constexpr std::int64_t kLargestMatrix = std::int64_t{1} << 24;  // elements

// The Fourier transform of one axis, whose elements have one part or two: real and imaginary.
struct Fourier {
  std::int64_t elements = 0;
  std::int64_t parts = 1;
  std::int64_t length = 0;  // of the transform: elements beyond it do not count, missing ones are 0
  std::int64_t results = 0;
  bool inverse = false;
};

// Returns its matrix: (elements · parts) x (results · 2).
HostTensor matrix_of(ConversionContext& call, const Fourier& fourier) {
  const std::int64_t rows = fourier.elements * fourier.parts;
  const std::int64_t columns = fourier.results * 2;
  if (rows > kLargestMatrix / columns) call.unsupported(message("a transform of {} elements", fourier.elements));
  call.spend(rows * columns);
  std::vector<float> numbers(static_cast<std::size_t>(rows * columns), 0.0F);
  const auto at = [&](std::int64_t element, std::int64_t part, std::int64_t result, std::int64_t of) -> float& {
    return numbers[static_cast<std::size_t>((element * fourier.parts + part) * columns + result * 2 + of)];
  };
  const double sign = fourier.inverse ? 1 : -1;
  const double scale = fourier.inverse ? 1.0 / static_cast<double>(fourier.length) : 1;
  for (std::int64_t element = 0; element < std::min(fourier.elements, fourier.length); ++element) {
    for (std::int64_t result = 0; result < fourier.results; ++result) {
      const auto turns = static_cast<double>(element * result % fourier.length) / static_cast<double>(fourier.length);
      const auto real = static_cast<float>(scale * std::cos(2 * std::numbers::pi * turns));
      const auto imaginary = static_cast<float>(scale * sign * std::sin(2 * std::numbers::pi * turns));
      at(element, 0, result, 0) = real;
      at(element, 0, result, 1) = imaginary;
      if (fourier.parts == 1) continue;
      at(element, 1, result, 0) = -imaginary;
      at(element, 1, result, 1) = real;
    }
  }
  return HostTensor::of_floats({rows, columns}, std::move(numbers));
}

// Up to opset 19 the axis is an attribute, then an input.
std::int64_t axis_of_transform(ConversionContext& call) {
  if (call.opset() < 20) return call.integer("axis", 1);
  const auto given = call.list(2);
  if (given && given->size() != 1) call.bad(message("its axis is not one number"));
  return given ? given->front() : -2;
}

Converted convert_dft(ConversionContext& call) {
  const DraftValue value = call.value(0);
  const std::size_t rank = value.shape.rank();
  const std::size_t axis = call.axis(axis_of_transform(call), call.rank(value));
  if (rank < 2 || axis + 1 >= rank || value.shape[rank - 1] > 2)
    call.bad(message("its input {} has no last axis of one or two parts", shape_text(value.shape)));
  Fourier fourier{.elements = value.shape[axis], .parts = value.shape[rank - 1], .length = value.shape[axis]};
  if (const auto length = call.list(1)) {
    if (length->size() != 1 || length->front() < 1 || length->front() > kMaxExtent)
      call.bad(message("its length is not one number above 0"));
    fourier.length = length->front();
  }
  fourier.inverse = call.integer("inverse", 0) != 0;
  const bool onesided = call.integer("onesided", 0) != 0;
  if (onesided && fourier.inverse) call.unsupported(message("an inverse transform of one side"));
  fourier.results = onesided ? fourier.length / 2 + 1 : fourier.length;

  // The axis goes before the parts, and both become one.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i + 1 < rank; ++i) {
    if (i != axis) order.push_back(i);
  }
  Dims others;
  for (const std::size_t i : order) others.push_back(value.shape[i]);
  order.insert(order.end(), {axis, rank - 1});
  std::vector<std::size_t> back(rank);
  for (std::size_t i = 0; i < rank; ++i) back[order[i]] = i;
  const auto with = [&](std::initializer_list<std::int64_t> last) {
    Dims dims = others;
    dims.insert(dims.end(), last);
    return Shape(dims);
  };
  const DraftValue turned = call.transpose(value, order, "turned");
  const DraftValue rows = call.reshape(turned, with({fourier.elements * fourier.parts}), "rows");
  const DraftValue product = call.as_value(call.compose("MatMul", {rows, matrix_of(call, fourier)}, "product"));
  return {call.transpose(call.reshape(product, with({fourier.results, 2})), back, "")};
}

// Returns the coordinates of `size` pixels along an axis of the output, from -1 to 1.
std::vector<float> coordinates(std::int64_t size, bool align_corners) {
  std::vector<float> made;
  for (std::int64_t i = 0; i < size; ++i) {
    const auto place = static_cast<double>(i);
    const auto count = static_cast<double>(size);
    const double aligned = size == 1 ? 0 : 2 * place / (count - 1) - 1;
    made.push_back(static_cast<float>(align_corners ? aligned : (2 * place + 1) / count - 1));
  }
  return made;
}

// Transforms (samples x axes x (axes + 1)) times the places of the output's pixels: the last axis first, then a 1.
Converted convert_affine_grid(ConversionContext& call) {
  const DraftValue theta = call.value(0);
  const auto size = call.list(1);
  const auto axes = size ? static_cast<std::int64_t>(size->size()) - 2 : 0;
  if (axes != 2 && axes != 3) call.bad(message("its sizes are not those of an image or a volume"));
  const Dims spatial(size->begin() + 2, size->end());
  const auto pixels = element_count(spatial);
  if (!pixels || *pixels < 1 || *pixels > kLargestMatrix) call.unsupported(message("a grid of that many places"));
  if (call.rank(theta) != 3 || theta.shape[theta.shape.rank() - 1] != axes + 1)
    call.bad(message("its transforms {} do not fit", shape_text(theta.shape)));
  call.spend(*pixels * (axes + 1));
  std::vector<float> places(static_cast<std::size_t>(*pixels * (axes + 1)), 1.0F);
  std::int64_t inner = 1;  // pixels for each step along the axis
  for (std::int64_t axis = axes - 1, row = 0; axis >= 0; --axis, ++row) {
    const std::int64_t count = spatial[static_cast<std::size_t>(axis)];
    const auto along = coordinates(count, call.integer("align_corners", 0) != 0);
    for (std::int64_t pixel = 0; pixel < *pixels; ++pixel) {
      places[static_cast<std::size_t>(row * *pixels + pixel)] = along[static_cast<std::size_t>(pixel / inner % count)];
    }
    inner *= count;
  }
  const HostTensor matrix = HostTensor::of_floats({axes + 1, *pixels}, std::move(places));
  const DraftValue product = call.as_value(call.compose("MatMul", {theta, matrix}, "places"));
  const DraftValue grid = call.transpose(product, {1, 0}, "turned");
  const Dims before(grid.shape.dims().begin(), grid.shape.dims().end() - 2);
  Dims dims = before;
  dims.insert(dims.end(), spatial.begin(), spatial.end());
  dims.push_back(axes);
  return {call.reshape(grid, Shape(dims), "")};
}

constexpr std::array kSignalConverters{
    Converter{"AffineGrid", convert_affine_grid},
    Converter{"DFT", convert_dft},
};

}  // namespace

std::span<const Converter> signal_converters() { return kSignalConverters; }

}  // namespace iosx::onnx_import
