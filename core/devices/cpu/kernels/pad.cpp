#include <algorithm>
#include <array>

#include "core/base/check.h"
#include "core/devices/cpu/kernels/loops.h"
#include "core/devices/cpu/kernels/rows.h"

namespace iosx::cpu {
namespace {

constexpr std::int64_t kPadding = -1;

// Where the output's elements along one axis come from. Negative padding crops first; then the rest is padded.
struct AxisSource {
  PadMode mode = PadMode::kConstant;
  std::int64_t shift = 0;  // of the output's first element against the input's
  std::int64_t begin = 0;  // what cropping leaves of the input
  std::int64_t end = 0;

  // Returns the element of the input that output element `i` shows, or kPadding.
  std::int64_t source(std::int64_t i) const {
    const std::int64_t at = i - shift;
    if (at >= begin && at < end) return at;
    if (mode == PadMode::kConstant || begin >= end) return kPadding;
    if (mode == PadMode::kEdge) return at < begin ? begin : end - 1;
    const std::int64_t period = 2 * (end - begin - 1);
    if (period == 0) return begin;
    const std::int64_t turn = ((at - begin) % period + period) % period;
    return begin + std::min(turn, period - turn);
  }
};

struct Padding {
  TensorRef in;
  TensorRef out;
  float value = 0;
  std::array<AxisSource, TensorRef::kMaxRank> axes{};
  Places places;

  // Makes one row of the output from a row of the input.
  void row(const std::byte* from, std::byte* to) const {
    const AxisSource& axis = axes[places.inner];
    const std::int64_t in_stride = in.strides[places.inner];
    float buffer[kRow];
    for (std::int64_t start = 0; start < places.length; start += kRow) {
      const std::int64_t size = std::min(kRow, places.length - start);
      // The elements in between are the input's in order.
      const std::int64_t first = std::clamp<std::int64_t>(axis.shift + axis.begin - start, 0, size);
      const std::int64_t last = std::clamp<std::int64_t>(axis.shift + axis.end - start, first, size);
      std::byte* const place = to + start * places.stride * bytes_of(out.type);
      float* const target = target_row(place, out.type, places.stride, buffer);
      const auto single = [&](std::int64_t i) {
        const std::int64_t source = axis.source(start + i);
        target[i] = value;
        if (source != kPadding) load_row(from + source * in_stride * bytes_of(in.type), in.type, 1, target + i, 1);
      };
      for (std::int64_t i = 0; i < first; ++i) single(i);
      if (last > first) {
        load_row(from + (start + first - axis.shift) * in_stride * bytes_of(in.type), in.type, in_stride,
                 target + first, last - first);
      }
      for (std::int64_t i = last; i < size; ++i) single(i);
      finish_row(target, place, out.type, places.stride, size);
    }
  }

  void constant_row(std::byte* to) const {
    float buffer[kRow];
    std::fill_n(buffer, std::min(kRow, places.length), value);
    for (std::int64_t start = 0; start < places.length; start += kRow) {
      store_row(buffer, to + start * places.stride * bytes_of(out.type), out.type, places.stride,
                std::min(kRow, places.length - start));
    }
  }

  void run_row(std::int64_t index) const {
    const auto place = places.at(out, index);
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool constant = false;
    for (std::size_t axis = 0; axis < out.rank; ++axis) {
      to += place[axis] * out.strides[axis];
      if (axis == places.inner) continue;
      const std::int64_t source = axes[axis].source(place[axis]);
      constant = constant || source == kPadding;
      from += source * in.strides[axis];
    }
    auto* const target = static_cast<std::byte*>(out.data) + to * bytes_of(out.type);
    if (constant) {
      constant_row(target);
    } else {
      row(static_cast<const std::byte*>(in.data) + from * bytes_of(in.type), target);
    }
  }
};

}  // namespace

void pad(const TensorRef& in, const TensorRef& out, const Pad& pad) {
  IOS_CHECK(in.rank >= 1 && in.rank == out.rank && pad.begins.size() + 1 == in.rank && pad.ends.size() + 1 == in.rank &&
            in.dims[0] == out.dims[0]);
  Padding padding{.in = in, .out = out, .value = pad.value, .axes = {}, .places = Places(out)};
  padding.axes[0].end = in.dims[0];
  for (std::size_t axis = 1; axis < in.rank; ++axis) {
    const std::int64_t before = pad.begins[axis - 1];
    const std::int64_t after = pad.ends[axis - 1];
    IOS_CHECK(out.dims[axis] == in.dims[axis] + before + after);
    padding.axes[axis] = {.mode = pad.mode,
                          .shift = before,
                          .begin = std::max<std::int64_t>(-before, 0),
                          .end = in.dims[axis] - std::max<std::int64_t>(-after, 0)};
  }
  split(padding.places.count, out.elements(), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t index = begin; index < end; ++index) padding.run_row(index);
  });
}

}  // namespace iosx::cpu
