#pragma once

#include <array>
#include <cmath>
#include <cstdint>

#include "core/model/graph/attributes.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/host_device.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// Says what one output element along one axis is made of: (1 - weight) of one input element and weight of another one.
struct ResizeTap {
  std::int64_t first = 0;  // places
  std::int64_t second = 0;
  float weight = 0;
};

// Says how an axis is resized, as ONNX defines it, in floats like its run times.
struct ResizeRule {
  ResizeMode mode = ResizeMode::kNearest;
  ResizeCoordinates coordinates = ResizeCoordinates::kHalfPixel;
  ResizeRounding rounding = ResizeRounding::kPreferFloor;

  IOS_HD ResizeTap tap(std::int64_t place, std::int64_t in, std::int64_t out, float scale) const {
    const auto last = static_cast<float>(in - 1);
    const float x = coordinate(static_cast<float>(place), in, out, scale);
    if (mode == ResizeMode::kNearest) {
      const auto nearest = static_cast<std::int64_t>(bounded(rounded(x), last));
      return {nearest, nearest, 0.0F};
    }
    const float inside = bounded(x, last);
    const auto below = static_cast<std::int64_t>(inside);
    return {below, below + 1 < in ? below + 1 : in - 1, inside - static_cast<float>(below)};
  }

 private:
  IOS_HD static float bounded(float x, float last) { return x < 0 ? 0.0F : (last < x ? last : x); }

  IOS_HD float coordinate(float x, std::int64_t in, std::int64_t out, float scale) const {
    switch (coordinates) {
      case ResizeCoordinates::kPytorchHalfPixel:
        if (out <= 1) return 0.0F;
        return (x + 0.5F) / scale - 0.5F;
      case ResizeCoordinates::kAlignCorners:
        return out > 1 ? x * static_cast<float>(in - 1) / static_cast<float>(out - 1) : 0.0F;
      case ResizeCoordinates::kAsymmetric: return x / scale;
      case ResizeCoordinates::kHalfPixel: break;
    }
    return (x + 0.5F) / scale - 0.5F;
  }

  IOS_HD float rounded(float x) const {
    switch (rounding) {
      case ResizeRounding::kPreferCeil: return floorf(x + 0.5F);
      case ResizeRounding::kFloor: return floorf(x);
      case ResizeRounding::kCeil: return ceilf(x);
      case ResizeRounding::kPreferFloor: break;
    }
    return ceilf(x - 0.5F);
  }
};

template <class Index>
struct ResizedAxis {
  Divider<Index> size;  // of the output
  std::int64_t in = 1;  // size of the input
  std::int64_t in_stride = 0;
  std::int64_t out_stride = 0;
  float scale = 1;
};

// Resizes at most kAxes axes: 2 for images, or the maximum. Their taps stay in registers, because all indices into
// them are known after unrolling.
template <class T, int kWidth, int kAxes, class IndexType>
struct ResizeStep {
  using Index = IndexType;
  Loops<Index, 2> loops;  // over the output and the input, along the other axes
  Divider<Index> kept;    // steps of these loops
  ResizedAxis<Index> axes[kAxes];
  int resized;
  ResizeRule rule;
  const T* in;
  T* out;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[2];
    loops.offsets(take_place(step, kept), at);
    ResizeTap taps[kAxes];
    IOS_UNROLL
    for (int i = 0; i < kAxes; ++i) {
      if (i >= resized) continue;
      const auto place = static_cast<std::int64_t>(take_place(step, axes[i].size));
      at[0] += place * axes[i].out_stride;
      taps[i] = rule.tap(place, axes[i].in, static_cast<std::int64_t>(axes[i].size.by()), axes[i].scale);
      taps[i].first *= axes[i].in_stride;
      taps[i].second *= axes[i].in_stride;
    }
    float sum[kWidth];
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) sum[i] = 0;
    // Bit i of a corner selects one of the two elements along resized axis i.
    IOS_NO_UNROLL
    for (int corner = 0; corner < (1 << resized); ++corner) add_corner(corner, taps, at[1], sum);
    write<T, kWidth>(sum, out + at[0]);
  }

 private:
  IOS_HD void add_corner(int corner, const ResizeTap (&taps)[kAxes], std::int64_t at, float (&sum)[kWidth]) const {
    float weight = 1;
    IOS_UNROLL
    for (int i = 0; i < kAxes; ++i) {
      if (i >= resized) continue;
      const bool second = ((corner >> i) & 1) != 0;
      at += second ? taps[i].second : taps[i].first;
      weight *= second ? taps[i].weight : 1 - taps[i].weight;
    }
    if (weight == 0) return;
    float value[kWidth];
    read<T, kWidth>(in + at, loops.inner[1], value);
    IOS_UNROLL
    for (int i = 0; i < kWidth; ++i) sum[i] += weight * value[i];
  }
};

// The resized axes, and the loops over the others.
struct ResizePlan {
  std::array<std::size_t, TensorRef::kMaxRank> axes{};
  std::size_t resized = 0;
  Nest kept;

  explicit ResizePlan(const ResizeCall& call) {
    TensorRef in = call.in;
    TensorRef out = call.out;
    for (std::size_t axis = out.rank; axis-- > 1;) {
      if (in.dims[axis] == out.dims[axis] && call.scales[axis] == 1) continue;
      axes[resized++] = axis;
      in.dims[axis] = 1;
      out.dims[axis] = 1;
    }
    kept = make_nest(std::array{out, in});
  }
};

template <class T, int kWidth, int kAxes, class Index, class Executor>
void run_resize(const ResizeCall& call, const ResizePlan& plan, const Executor& executor) {
  const std::int64_t kept = plan.kept.elements() / kWidth;
  ResizeStep<T, kWidth, kAxes, Index> step{
      .loops = loops_of<Index, 2>(plan.kept, kWidth),
      .kept = Divider<Index>(kept),
      .axes = {},
      .resized = static_cast<int>(plan.resized),
      .rule = {.mode = call.mode, .coordinates = call.coordinates, .rounding = call.rounding},
      .in = static_cast<const T*>(call.in.data),
      .out = static_cast<T*>(call.out.data)};
  for (std::size_t i = 0; i < plan.resized; ++i) {
    const std::size_t axis = plan.axes[i];
    step.axes[i] = {.size = Divider<Index>(call.out.dims[axis]),
                    .in = call.in.dims[axis],
                    .in_stride = call.in.strides[axis],
                    .out_stride = call.out.strides[axis],
                    .scale = call.scales[axis]};
  }
  executor.each(step, call.out.elements() / kWidth);
}

template <class Executor>
void dispatch(const ResizeCall& call, const Executor& executor) {
  const TensorRef& in = call.in;
  const TensorRef& out = call.out;
  IOS_CHECK(in.rank >= 1 && in.rank == out.rank && in.type == out.type && in.dims[0] == out.dims[0]);
  if (out.elements() == 0) return;
  IOS_CHECK(in.elements() > 0);
  const ResizePlan plan(call);
  const std::size_t inner = axes_by_stride(std::span(&out, 1))[out.rank - 1];
  const bool inner_kept = in.dims[inner] == out.dims[inner] && (inner == 0 || call.scales[inner] == 1);
  const auto fit = [&](int w) { return inner_kept && fits_along(inner, {&in, &out}, w); };
  choose_vectors(out.type, out.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    if (plan.resized <= 2) {
      run_resize<T, kWidth, 2, Index>(call, plan, executor);
    } else if constexpr (kWidth == 1) {
      run_resize<T, 1, TensorRef::kMaxRank - 1, Index>(call, plan, executor);
    } else {
      run_resize<T, 1, TensorRef::kMaxRank - 1, std::uint64_t>(call, plan, executor);
    }
  });
}

}  // namespace iosx::gpu::kernels
