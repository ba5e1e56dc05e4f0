#pragma once

#include <array>

#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/choice.h"
#include "gpu/ops/kernels/nest.h"

namespace iosx::gpu::kernels {

// A vector has one index.
template <class T, int kWidth, class IndexType>
struct GatherStep {
  using Index = IndexType;
  Loops<Index, 3> loops;  // over the output, the data and the indices
  const T* data;
  const T* indices;
  T* out;
  std::int64_t size;  // of the axis
  std::int64_t along;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[3];
    loops.offsets(step, at);
    float index[1];
    read<T, 1>(indices + at[2], 0, index);
    float values[kWidth];
    read<T, kWidth>(data + at[1] + place(index[0]) * along, loops.inner[1], values);
    write<T, kWidth>(values, out + at[0]);
  }

 private:
  // Returns a place inside the axis; 0 for NaN.
  IOS_HD std::int64_t place(float index) const {
    const auto most = static_cast<float>(size);
    if (!(index >= -most)) return 0;
    if (index >= most) return size - 1;
    const auto found = static_cast<std::int64_t>(index);
    const std::int64_t from_start = found < 0 ? found + size : found;
    return from_start < size ? from_start : size - 1;
  }
};

template <class Executor>
void dispatch(const GatherCall& call, const Executor& executor) {
  const auto& [data, indices, size, along] = call.from;
  const std::array operands{call.out, data, indices};
  IOS_CHECK(data.type == call.out.type && indices.type == call.out.type);
  if (call.out.elements() == 0) return;
  const Nest nest = make_nest(operands);
  const bool one_index = nest.inner_stride(2) == 0;
  choose_type(call.out.type, [&, &data = data, &indices = indices, size = size, along = along](auto type) {
    using T = typename decltype(type)::Type;
    // Places along the axis keep a vector aligned where their distance is a multiple of vectors.
    const int width = widest(sizeof(T), executor.choice,
                             [&](int w) { return w == 1 || (one_index && along % w == 0 && fits(nest, operands, w)); });
    choose_width<T>(width, nest.elements(), executor.choice, [&](auto chosen, auto index) {
      using Index = typename decltype(index)::Type;
      constexpr int kWidth = decltype(chosen)::value;
      executor.each(GatherStep<T, kWidth, Index>{.loops = loops_of<Index, 3>(nest, kWidth),
                                                 .data = static_cast<const T*>(data.data),
                                                 .indices = static_cast<const T*>(indices.data),
                                                 .out = static_cast<T*>(call.out.data),
                                                 .size = size,
                                                 .along = along},
                    nest.elements() / kWidth);
    });
  });
}

}  // namespace iosx::gpu::kernels
