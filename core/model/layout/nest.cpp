#include "core/model/layout/nest.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/check.h"

namespace iosx {
namespace {

// Returns whether axis a belongs outside axis b.
bool outside(std::span<const TensorRef> tensors, std::size_t a, std::size_t b) {
  const auto& dims = tensors.front().dims;
  if ((dims[a] == 1) != (dims[b] == 1)) return dims[a] == 1;
  for (const TensorRef& ref : tensors) {
    const auto left = std::abs(ref.strides[a]);
    const auto right = std::abs(ref.strides[b]);
    if (left != right) return left > right;
  }
  return false;
}

}  // namespace

std::array<std::size_t, TensorRef::kMaxRank> axes_by_stride(std::span<const TensorRef> tensors) {
  std::array<std::size_t, TensorRef::kMaxRank> axes{};
  // Insertion sort, which is stable; there are few axes.
  for (std::size_t i = 0; i < tensors.front().rank; ++i) {
    axes[i] = i;
    for (std::size_t j = i; j > 0 && outside(tensors, axes[j], axes[j - 1]); --j) std::swap(axes[j], axes[j - 1]);
  }
  return axes;
}

std::int64_t Nest::elements() const {
  std::int64_t count = 1;
  for (std::size_t loop = 0; loop < rank; ++loop) count *= dims[loop];
  return count;
}

Nest make_nest(std::span<const TensorRef> operands) {
  IOS_CHECK(!operands.empty() && operands.size() <= kMaxOperands);
  const TensorRef& first = operands.front();
  IOS_CHECK(first.rank <= TensorRef::kMaxRank);
  Nest nest;
  nest.operands = operands.size();
  for (std::size_t op = 0; op < operands.size(); ++op) {
    IOS_CHECK(operands[op].rank == first.rank);
    IOS_CHECK(std::equal(first.dims.begin(), first.dims.begin() + first.rank, operands[op].dims.begin()));
    nest.data[op] = static_cast<std::byte*>(operands[op].data);
    nest.types[op] = operands[op].type;
  }
  const auto axes = axes_by_stride(operands);
  for (const std::size_t axis : std::span(axes).first(first.rank)) {
    if (first.dims[axis] == 1) continue;
    const std::size_t last = nest.rank - 1;
    const bool merged = nest.rank > 0 && [&] {
      for (std::size_t op = 0; op < operands.size(); ++op) {
        if (nest.strides[op][last] != operands[op].strides[axis] * first.dims[axis]) return false;
      }
      return true;
    }();
    const std::size_t loop = merged ? last : nest.rank++;
    nest.dims[loop] = first.dims[axis] * (merged ? nest.dims[loop] : 1);
    for (std::size_t op = 0; op < operands.size(); ++op) nest.strides[op][loop] = operands[op].strides[axis];
  }
  if (nest.rank == 0) {
    nest.rank = 1;
    nest.dims[0] = 1;
    for (std::size_t op = 0; op < operands.size(); ++op) nest.strides[op][0] = 1;
  }
  return nest;
}

}  // namespace iosx
