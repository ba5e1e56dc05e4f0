#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "core/model/layout/views.h"
#include "gpu/ops/kernels/calls.h"
#include "gpu/ops/kernels/copy.h"

namespace iosx::gpu::kernels {

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
  choose_bits(call.out.type, [&](auto bits) {
    using Bits = typename decltype(bits)::Type;
    const int width = widest(sizeof(Bits), executor.choice, [&](int w) {
      return std::all_of(copies.begin(), copies.end(),
                         [&](const ConcatCopy& copy) { return fits(copy.nest, copy.operands(), w); });
    });
    choose_width<Bits>(width, call.out.elements(), executor.choice, [&](auto chosen, auto index) {
      using Index = typename decltype(index)::Type;
      constexpr int kWidth = decltype(chosen)::value;
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

}  // namespace iosx::gpu::kernels
