#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"
#include "core/devices/cpu/kernels/vectorised.h"

namespace iosx::cpu {
namespace {

// The parts of one output element along one axis: (1 - weight) of one input element and weight of another.
struct Tap {
  std::int64_t first = 0;  // offset in elements
  std::int64_t second = 0;
  float weight = 0;
};

// Computes one axis of a resize, by the definition of ONNX, in floats like its runtimes.
struct AxisResize {
  ResizeMode mode;
  ResizeCoordinates coordinates;
  ResizeRounding rounding;
  float scale;
  std::int64_t in;
  std::int64_t out;

  float coordinate(std::int64_t index) const {
    const auto x = static_cast<float>(index);
    switch (coordinates) {
      case ResizeCoordinates::kHalfPixel: return (x + 0.5F) / scale - 0.5F;
      case ResizeCoordinates::kPytorchHalfPixel: return out > 1 ? (x + 0.5F) / scale - 0.5F : 0.0F;
      case ResizeCoordinates::kAlignCorners:
        return out > 1 ? x * static_cast<float>(in - 1) / static_cast<float>(out - 1) : 0.0F;
      case ResizeCoordinates::kAsymmetric: return x / scale;
    }
    return x;
  }

  float rounded(float x) const {
    switch (rounding) {
      case ResizeRounding::kPreferFloor: return std::ceil(x - 0.5F);
      case ResizeRounding::kPreferCeil: return std::floor(x + 0.5F);
      case ResizeRounding::kFloor: return std::floor(x);
      case ResizeRounding::kCeil: return std::ceil(x);
    }
    return x;
  }

  Tap tap(std::int64_t index, std::int64_t stride) const {
    const auto last = static_cast<float>(in - 1);
    const float x = coordinate(index);
    if (mode == ResizeMode::kNearest) {
      const auto nearest = static_cast<std::int64_t>(std::clamp(rounded(x), 0.0F, last));
      return {.first = nearest * stride, .second = nearest * stride, .weight = 0};
    }
    const float inside = std::clamp(x, 0.0F, last);
    const auto below = static_cast<std::int64_t>(inside);
    return {.first = below * stride,
            .second = std::min(below + 1, in - 1) * stride,
            .weight = inside - static_cast<float>(below)};
  }
};

// The taps of every output element along every axis; none for an axis that stays.
using Taps = std::array<std::vector<Tap>, TensorRef::kMaxRank>;

Taps taps_of(const TensorRef& in, const TensorRef& out, const Resize& resize) {
  Taps taps;
  for (std::size_t axis = 1; axis < in.rank; ++axis) {
    const AxisResize one{.mode = resize.mode,
                         .coordinates = resize.coordinates,
                         .rounding = resize.rounding,
                         .scale = resize.scales[axis - 1],
                         .in = in.dims[axis],
                         .out = out.dims[axis]};
    if (one.in == one.out && one.scale == 1) continue;
    for (std::int64_t i = 0; i < one.out; ++i) taps[axis].push_back(one.tap(i, in.strides[axis]));
  }
  return taps;
}

// The input rows, with their weights, of one output row.
struct Corners {
  std::size_t count = 1;
  std::int64_t offsets[std::size_t{1} << Shape::kMaxRank];  // elements
  float weights[std::size_t{1} << Shape::kMaxRank];

  Corners() {
    offsets[0] = 0;
    weights[0] = 1;
  }
  void move(std::int64_t offset) {
    for (std::size_t i = 0; i < count; ++i) offsets[i] += offset;
  }
  void take(const Tap& tap) {
    if (tap.weight == 0) return move(tap.first);
    for (std::size_t i = 0; i < count; ++i) {
      offsets[count + i] = offsets[i] + tap.second;
      weights[count + i] = weights[i] * tap.weight;
      offsets[i] += tap.first;
      weights[i] *= 1 - tap.weight;
    }
    count *= 2;
  }
};

// Computes out[i] = the sum of weights[k] * in[offsets[k] + i].
IOS_VECTORISED void mix_rows(const float* in, const std::int64_t* offsets, const float* weights, std::size_t count,
                             float* out, std::int64_t size) {
  std::int64_t i = 0;
  for (; i + kLanes <= size; i += kLanes) {
    Lanes sum{};
    for (std::size_t k = 0; k < count; ++k) {
      Lanes value;
      std::memcpy(&value, in + offsets[k] + i, sizeof(value));
      sum += weights[k] * value;
    }
    std::memcpy(out + i, &sum, sizeof(sum));
  }
  for (; i < size; ++i) {
    float sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += weights[k] * in[offsets[k] + i];
    out[i] = sum;
  }
}

struct Resizing {
  TensorRef in;
  TensorRef out;
  Taps taps;
  Places places;

  const std::byte* in_at(std::int64_t offset) const {
    return static_cast<const std::byte*>(in.data) + offset * bytes_of(in.type);
  }
  // Makes elements from..from + size of the row that the axis along it leaves as they are.
  void straight(const Corners& corners, std::int64_t from, std::int64_t size, float* target) const {
    const std::int64_t stride = in.strides[places.inner];
    if (corners.count == 1) {
      load_row(in_at(corners.offsets[0] + from * stride), in.type, stride, target, size);
      return;
    }
    if (plain(in.type, stride)) {
      mix_rows(static_cast<const float*>(in.data) + from, corners.offsets, corners.weights, corners.count, target,
               size);
      return;
    }
    float buffer[kRow];
    std::fill_n(target, size, 0.0F);
    for (std::size_t i = 0; i < corners.count; ++i) {
      load_row(in_at(corners.offsets[i] + from * stride), in.type, stride, buffer, size);
      add_scaled_row(target, buffer, corners.weights[i], size);
    }
  }

  // Makes elements from..from + size of the row along which elements are picked or mixed.
  void mixed(const Corners& corners, std::int64_t from, std::int64_t size, float* target) const {
    const auto value = [&](std::int64_t offset) {
      float result = 0;
      load_row(in_at(offset), in.type, 1, &result, 1);
      return result;
    };
    for (std::int64_t i = 0; i < size; ++i) {
      const Tap& tap = taps[places.inner][static_cast<std::size_t>(from + i)];
      float sum = 0;
      for (std::size_t corner = 0; corner < corners.count; ++corner) {
        const float first = value(corners.offsets[corner] + tap.first);
        const float mix = tap.weight == 0
                              ? first
                              : (1 - tap.weight) * first + tap.weight * value(corners.offsets[corner] + tap.second);
        sum += corners.weights[corner] * mix;
      }
      target[i] = sum;
    }
  }

  void row(std::int64_t index) const {
    const auto place = places.at(out, index);
    Corners corners;
    std::int64_t to = 0;
    for (std::size_t axis = 0; axis < out.rank; ++axis) {
      to += place[axis] * out.strides[axis];
      if (axis == places.inner) continue;
      if (taps[axis].empty()) {
        corners.move(place[axis] * in.strides[axis]);
      } else {
        corners.take(taps[axis][static_cast<std::size_t>(place[axis])]);
      }
    }
    float buffer[kRow];
    for (std::int64_t from = 0; from < places.length; from += kRow) {
      const std::int64_t size = std::min(kRow, places.length - from);
      std::byte* const at = static_cast<std::byte*>(out.data) + (to + from * places.stride) * bytes_of(out.type);
      float* const target = target_row(at, out.type, places.stride, buffer);
      taps[places.inner].empty() ? straight(corners, from, size, target) : mixed(corners, from, size, target);
      finish_row(target, at, out.type, places.stride, size);
    }
  }
};

}  // namespace

void resize(const TensorRef& in, const TensorRef& out, const Resize& resize) {
  IOS_CHECK(in.rank >= 1 && in.rank == out.rank && resize.scales.size() + 1 == in.rank && in.dims[0] == out.dims[0]);
  const Resizing resizing{.in = in, .out = out, .taps = taps_of(in, out, resize), .places = Places(out)};
  split(resizing.places.count, out.elements() * 2, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t index = begin; index < end; ++index) resizing.row(index);
  });
}

}  // namespace iosx::cpu
