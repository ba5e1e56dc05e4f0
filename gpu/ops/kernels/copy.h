#pragma once

#include <algorithm>
#include <array>
#include <type_traits>
#include <vector>

#include "core/model/layout/views.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/nest.h"
#include "gpu/ops/kernels/vector.h"

namespace iosx::gpu::kernels {

// From and To are the same unsigned integer, whose bits are moved, or floats of different types.
template <class From, class To, int kWidth, class IndexType>
struct CopyStep {
  using Index = IndexType;
  Loops<Index, 2> loops;
  const From* in;
  To* out;

  IOS_HD void operator()(Index step) const {
    std::int64_t at[2];
    loops.offsets(step, at);
    if constexpr (std::is_same_v<From, To>) {
      gather<From, kWidth>(in + at[1], loops.inner[1]).store(out + at[0]);
    } else {
      float values[kWidth];
      read<From, kWidth>(in + at[1], loops.inner[1], values);
      write<To, kWidth>(values, out + at[0]);
    }
  }
};

template <class From, class To, class Executor>
void run_copy(const TensorRef& in, const TensorRef& out, const Executor& executor) {
  const std::array operands{out, in};
  const Nest nest = make_nest(operands);
  using Narrow = std::conditional_t<sizeof(To) < sizeof(From), To, From>;
  const auto fit = [&](int w) { return fits(nest, operands, w); };
  choose_width<Narrow>(nest.elements(), executor.choice, fit, [&]<int kWidth, class Index>() {
    executor.each(CopyStep<From, To, kWidth, Index>{.loops = loops_of<Index, 2>(nest, kWidth),
                                                    .in = static_cast<const From*>(in.data),
                                                    .out = static_cast<To*>(out.data)},
                  nest.elements() / kWidth);
  });
}

template <class Executor>
void dispatch(const CopyCall& call, const Executor& executor) {
  if (call.out.elements() == 0) return;
  if (call.in.type == call.out.type) {
    return choose_bits(call.in.type, [&]<class Bits>() { run_copy<Bits, Bits>(call.in, call.out, executor); });
  }
  choose_type(call.in.type, [&]<class From>() {
    choose_type(call.out.type, [&]<class To>() {
      if constexpr (!std::is_same_v<From, To>) run_copy<From, To>(call.in, call.out, executor);
    });
  });
}

// Makes several copies in one launch, one after another in the numbering of steps.
template <class Bits, int kWidth, class IndexType>
struct ConcatStep {
  static constexpr int kMost = static_cast<int>(ConcatCall::kMaxInputs);
  using Index = IndexType;
  CopyStep<Bits, Bits, kWidth, Index> copies[kMost];
  Index begins[kMost];  // the first step of each; missing ones are never reached

  IOS_HD void operator()(Index step) const {
    int copy = 0;
    IOS_UNROLL
    for (int i = 1; i < kMost; ++i) copy += step >= begins[i] ? 1 : 0;
    copies[copy](step - begins[copy]);
  }
};

struct ConcatCopy {
  TensorRef to;
  TensorRef from;
  Nest nest;
  auto operands() const { return std::array{to, from}; }
};

template <class Executor>
void dispatch(const ConcatCall& call, const Executor& executor) {
  IOS_CHECK(call.count >= 1 && call.count <= ConcatCall::kMaxInputs);
  std::vector<ConcatCopy> copies;
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < call.count; ++i) {
    const std::int64_t size = call.in[i].dims[call.axis];
    IOS_CHECK(call.in[i].type == call.out.type);
    if (call.in[i].elements() > 0) {
      copies.push_back({narrowed(call.out, call.axis, begin, size), call.in[i], {}});
      copies.back().nest = make_nest(copies.back().operands());
    }
    begin += size;
  }
  IOS_CHECK(begin == call.out.dims[call.axis]);
  if (copies.empty()) return;
  const auto fit = [&](int w) {
    return std::all_of(copies.begin(), copies.end(),
                       [&](const ConcatCopy& copy) { return fits(copy.nest, copy.operands(), w); });
  };
  choose_bits(call.out.type, [&]<class Bits>() {
    choose_width<Bits>(call.out.elements(), executor.choice, fit, [&]<int kWidth, class Index>() {
      ConcatStep<Bits, kWidth, Index> step{};
      std::fill(std::begin(step.begins), std::end(step.begins), static_cast<Index>(~Index{0}));
      Index next = 0;
      for (std::size_t i = 0; i < copies.size(); ++i) {
        step.copies[i] = {.loops = loops_of<Index, 2>(copies[i].nest, kWidth),
                          .in = static_cast<const Bits*>(copies[i].from.data),
                          .out = static_cast<Bits*>(copies[i].to.data)};
        step.begins[i] = next;
        next += static_cast<Index>(copies[i].nest.elements() / kWidth);
      }
      executor.each(step, static_cast<std::int64_t>(next));
    });
  });
}

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
  const GatherViews& from = call.from;
  const std::array operands{call.out, from.data, from.indices};
  IOS_CHECK(from.data.type == call.out.type && from.indices.type == call.out.type);
  if (call.out.elements() == 0) return;
  const Nest nest = make_nest(operands);
  const bool one_index = nest.inner_stride(2) == 0;
  // Places along the axis keep a vector aligned where their distance is a multiple of vectors.
  const auto fit = [&](int w) { return one_index && from.step % w == 0 && fits(nest, operands, w); };
  choose_vectors(call.out.type, nest.elements(), executor.choice, fit, [&]<class T, int kWidth, class Index>() {
    executor.each(GatherStep<T, kWidth, Index>{.loops = loops_of<Index, 3>(nest, kWidth),
                                               .data = static_cast<const T*>(from.data.data),
                                               .indices = static_cast<const T*>(from.indices.data),
                                               .out = static_cast<T*>(call.out.data),
                                               .size = from.size,
                                               .along = from.step},
                  nest.elements() / kWidth);
  });
}

}  // namespace iosx::gpu::kernels
