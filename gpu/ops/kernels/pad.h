#pragma once

#include <algorithm>
#include <bit>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Where the output's elements along one axis come from. Negative padding crops first; then the rest is padded.
struct PadAxis {
  std::int64_t in_stride = 0;  // of a step
  std::int64_t out_stride = 0;
  std::int64_t shift = 0;  // of the input's first element relative to the output's
  std::int64_t begin = 0;  // the cropped input: [begin, end)
  std::int64_t end = 0;

  // Returns the input element for the output's `place`; -1 for none.
  IOS_HD std::int64_t source(std::int64_t place, PadMode mode) const {
    const std::int64_t at = place - shift;
    if (at >= begin && at < end) return at;
    if (mode == PadMode::kConstant || begin >= end) return -1;
    if (mode == PadMode::kEdge) return at < begin ? begin : end - 1;
    const std::int64_t period = 2 * (end - begin - 1);
    if (period == 0) return begin;
    const std::int64_t turn = ((at - begin) % period + period) % period;
    return begin + (turn < period - turn ? turn : period - turn);
  }
};

// Bits is an unsigned integer of the elements' size.
template <class Bits, int kWidth, class IndexType>
struct PadStep {
  using Index = IndexType;
  int rank;
  Divider<Index> sizes[TensorRef::kMaxRank];  // of the output, the innermost last and in vectors
  PadAxis axes[TensorRef::kMaxRank];
  const Bits* in;
  Bits* out;
  PadMode mode;
  Bits value;

  IOS_HD void operator()(Index step) const {
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool inside = true;
    IOS_NO_UNROLL
    for (int axis = rank - 1; axis >= 0; --axis) {
      const auto place = static_cast<std::int64_t>(take_place(step, sizes[axis]));
      const std::int64_t source = axes[axis].source(place, mode);
      inside = inside && source >= 0;
      from += source * axes[axis].in_stride;
      to += place * axes[axis].out_stride;
    }
    Vector<Bits, kWidth> vector;
    if (inside) {
      vector = Vector<Bits, kWidth>::load(in + from);
    } else {
      IOS_UNROLL
      for (int i = 0; i < kWidth; ++i) vector.at[i] = value;
    }
    vector.store(out + to);
  }
};

// Returns the number's bits in memory.
template <class Bits>
Bits bits_in_memory(float value, DataType type) {
  if constexpr (sizeof(Bits) == 4) {
    return std::bit_cast<Bits>(value);
  } else {
    return static_cast<Bits>(type == DataType::kFloat16 ? bits_of(FromFloat<__half>::of(value))
                                                        : bits_of(FromFloat<__nv_bfloat16>::of(value)));
  }
}

template <class Executor>
void dispatch(const PadCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  IOS_CHECK(in.rank >= 1 && in.rank == out.rank && in.rank <= TensorRef::kMaxRank && in.type == out.type);
  if (out.elements() == 0) return;
  const auto order = axes_by_stride(std::span(&out, 1));
  const std::size_t inner = order[out.rank - 1];
  const bool plain = call.begins[inner] == 0 && in.dims[inner] == out.dims[inner];
  const auto fit = [&](int w) { return plain && fits_along(inner, {&in, &out}, w); };
  choose_bits(out.type, [&]<class Bits>() {
    choose_width<Bits>(out.elements(), executor.choice, fit, [&]<int kWidth, class Index>() {
      PadStep<Bits, kWidth, Index> step{.rank = static_cast<int>(out.rank),
                                        .sizes = {},
                                        .axes = {},
                                        .in = static_cast<const Bits*>(in.data),
                                        .out = static_cast<Bits*>(out.data),
                                        .mode = call.mode,
                                        .value = bits_in_memory<Bits>(call.value, out.type)};
      for (std::size_t i = 0; i < out.rank; ++i) {
        const std::size_t axis = order[i];
        const std::int64_t together = axis == inner ? kWidth : 1;
        const std::int64_t before = call.begins[axis];
        const std::int64_t after = out.dims[axis] - in.dims[axis] - before;
        step.sizes[i] = Divider<Index>(out.dims[axis] / together);
        step.axes[i] = {.in_stride = in.strides[axis] * together,
                        .out_stride = out.strides[axis] * together,
                        .shift = before,
                        .begin = std::max<std::int64_t>(-before, 0),
                        .end = (in.dims[axis] - std::max<std::int64_t>(-after, 0)) / together};
      }
      executor.each(step, out.elements() / kWidth);
    });
  });
}

}  // namespace iosx::gpu::kernels
