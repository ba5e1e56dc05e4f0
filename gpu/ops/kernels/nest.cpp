#include "gpu/ops/kernels/nest.h"

#include <algorithm>

namespace iosx::gpu::kernels {
namespace {

// Returns the alignment of the loads and stores of a vector, in bytes.
std::int64_t alignment(std::int64_t element_bytes, int width) {
  return std::min<std::int64_t>(element_bytes * width, kWordBytes);
}

bool aligned(const void* data, std::int64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(data) % static_cast<std::uintptr_t>(bytes) == 0;
}

}  // namespace

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
