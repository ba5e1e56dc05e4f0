#include "gpu/ops/kernels/nest.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/base/check.h"

namespace iosx::gpu::kernels {
namespace {

// Returns whether axis a belongs outside axis b.
bool outside(std::span<const TensorRef> operands, std::size_t a, std::size_t b) {
  const auto& dims = operands.front().dims;
  if ((dims[a] == 1) != (dims[b] == 1)) return dims[a] == 1;
  for (const TensorRef& ref : operands) {
    const auto left = std::abs(ref.strides[a]);
    const auto right = std::abs(ref.strides[b]);
    if (left != right) return left > right;
  }
  return false;
}

// Insertion sort: it is stable, and there are few axes.
void sort_axes(std::span<const TensorRef> operands, std::span<std::size_t> axes) {
  for (std::size_t i = 1; i < axes.size(); ++i) {
    for (std::size_t j = i; j > 0 && outside(operands, axes[j], axes[j - 1]); --j) std::swap(axes[j], axes[j - 1]);
  }
}

// Returns the alignment of the loads and stores of a vector, in bytes.
std::int64_t alignment(std::int64_t element_bytes, int width) {
  return std::min<std::int64_t>(element_bytes * width, kWordBytes);
}

bool aligned(const void* data, std::int64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes) == 0;
}

}  // namespace

std::int64_t Nest::elements() const {
  std::int64_t count = 1;
  for (std::size_t loop = 0; loop < rank; ++loop) count *= dims[loop];
  return count;
}

Nest make_nest(std::span<const TensorRef> operands) {
  IOS_CHECK(!operands.empty() && operands.size() <= kMaxOperands);
  const TensorRef& first = operands.front();
  IOS_CHECK(first.rank <= TensorRef::kMaxRank);
  std::array<std::size_t, TensorRef::kMaxRank> axes{};
  std::size_t count = 0;
  for (std::size_t axis = 0; axis < first.rank; ++axis) {
    for (const TensorRef& ref : operands) IOS_CHECK(ref.rank == first.rank && ref.dims[axis] == first.dims[axis]);
    if (first.dims[axis] != 1) axes[count++] = axis;
  }
  sort_axes(operands, std::span(axes).first(count));

  Nest nest;
  nest.operands = operands.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t axis = axes[i];
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

bool fits(const Nest& nest, std::span<const TensorRef> memory, int width) {
  if (width == 1) return true;
  if (nest.inner_stride(0) != 1 || nest.dims[nest.rank - 1] % width != 0) return false;
  for (std::size_t op = 0; op < memory.size(); ++op) {
    if (nest.inner_stride(op) != 1) continue;
    const std::int64_t element = bytes_of(memory[op].type);
    const std::int64_t bytes = alignment(element, width);
    if (!aligned(memory[op].data, bytes)) return false;
    for (std::size_t loop = 0; loop + 1 < nest.rank; ++loop) {
      if (nest.strides[op][loop] * element % bytes != 0) return false;
    }
  }
  return true;
}

bool steps_fit(const Nest& nest, std::size_t operand, DataType type, int width) {
  const std::int64_t element = bytes_of(type);
  for (std::size_t loop = 0; loop < nest.rank; ++loop) {
    if (nest.dims[loop] != 1 && nest.strides[operand][loop] * element % alignment(element, width) != 0) return false;
  }
  return true;
}

std::array<std::size_t, TensorRef::kMaxRank> order_of(const TensorRef& tensor) {
  std::array<std::size_t, TensorRef::kMaxRank> axes{};
  for (std::size_t axis = 0; axis < tensor.rank; ++axis) axes[axis] = axis;
  sort_axes(std::span(&tensor, 1), std::span(axes).first(tensor.rank));
  return axes;
}

bool fits_along(std::size_t axis, std::initializer_list<const TensorRef*> tensors, int width) {
  if (width == 1) return true;
  for (const TensorRef* tensor : tensors) {
    if (tensor->data == nullptr) continue;
    if ((tensor->strides[axis] != 1 && tensor->dims[axis] != 1) || tensor->dims[axis] % width != 0) return false;
    const std::int64_t element = bytes_of(tensor->type);
    const std::int64_t bytes = alignment(element, width);
    if (!aligned(tensor->data, bytes)) return false;
    for (std::size_t other = 0; other < tensor->rank; ++other) {
      if (other != axis && tensor->dims[other] != 1 && tensor->strides[other] * element % bytes != 0) return false;
    }
  }
  return true;
}

}  // namespace iosx::gpu::kernels
