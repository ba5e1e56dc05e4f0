#pragma once

#include <optional>

#include "gpu/ops/kernels/copy.h"

namespace iosx::gpu::kernels {

// Returns an equivalent copy between tensors of equal dims, if the axes of both can be cut into common pieces; none,
// for instance, from 2 × 3 to 3 × 2.
std::optional<CopyCall> as_copy(const ReshapeCall& call);

// Returns the tensor's axes in their own order, the outermost first.
Nest nest_in_order(const TensorRef& tensor);

// Moves one element by its number in row-major order.
template <class Bits, class IndexType>
struct ReshapeStep {
  using Index = IndexType;
  Loops<Index, 1> from;
  Loops<Index, 1> to;
  const Bits* in;
  Bits* out;

  IOS_HD void operator()(Index step) const {
    std::int64_t source[1];
    std::int64_t target[1];
    from.offsets(step, source);
    to.offsets(step, target);
    out[target[0]] = in[source[0]];
  }
};

template <class Executor>
void dispatch(const ReshapeCall& call, const Executor& executor) {
  IOS_CHECK(call.in.type == call.out.type && call.in.elements() == call.out.elements());
  if (call.out.elements() == 0) return;
  if (const auto copy = as_copy(call)) return dispatch(*copy, executor);
  choose_bits(call.out.type, [&]<class Bits>() {
    choose_index(call.out.elements(), executor.choice, [&]<class Index>() {
      executor.each(ReshapeStep<Bits, Index>{.from = loops_of<Index, 1>(nest_in_order(call.in), 1),
                                             .to = loops_of<Index, 1>(nest_in_order(call.out), 1),
                                             .in = static_cast<const Bits*>(call.in.data),
                                             .out = static_cast<Bits*>(call.out.data)},
                    call.out.elements());
    });
  });
}

}  // namespace iosx::gpu::kernels
