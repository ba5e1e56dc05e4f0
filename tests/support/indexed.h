#pragma once

#include "core/model/layout/tensor_ref.h"
#include "tests/support/prelude.h"

// Numbers by index, for slow, simple code to compare kernels with.
namespace iosx::test {

using Dims = std::vector<std::int64_t>;

// The same numbers on every computer.
template <typename Number>
class RandomOf {
 public:
  explicit RandomOf(unsigned seed) : engine_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool flip() { return between(0, 1) == 1; }
  bool rarely() { return between(0, 3) == 0; }
  Number value(Number low, Number high) {
    return low + (high - low) * static_cast<Number>(engine_()) / static_cast<Number>(std::mt19937::max());
  }

 private:
  std::mt19937 engine_;
};

// Elements in row-major order of the dims.
template <typename Number>
struct ValuesOf {
  Dims dims;
  std::vector<Number> elements;

  explicit ValuesOf(Dims sizes) : dims(std::move(sizes)) {
    std::size_t count = 1;
    for (const auto size : dims) count *= static_cast<std::size_t>(size);
    elements.resize(count);
  }
  Number& at(const Dims& index) { return elements[position(index)]; }
  Number at(const Dims& index) const { return elements[position(index)]; }

 private:
  std::size_t position(const Dims& index) const {
    std::int64_t result = 0;
    for (std::size_t axis = 0; axis < dims.size(); ++axis) result = result * dims[axis] + index[axis];
    return static_cast<std::size_t>(result);
  }
};

inline void for_each_index(const Dims& dims, const std::function<void(const Dims&)>& visit) {
  if (std::ranges::find(dims, 0) != dims.end()) return;
  Dims index(dims.size(), 0);
  while (true) {
    visit(index);
    std::size_t axis = dims.size();
    while (axis > 0 && ++index[axis - 1] == dims[axis - 1]) index[--axis] = 0;
    if (axis == 0) return;
  }
}

inline Dims dims_of(const TensorRef& ref) { return {ref.dims.begin(), ref.dims.begin() + static_cast<int>(ref.rank)}; }

inline std::byte* element(const TensorRef& ref, const Dims& index) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < ref.rank; ++axis) offset += index[axis] * ref.strides[axis];
  return static_cast<std::byte*>(ref.data) + offset * bytes_of(ref.type);
}

// Returns by byte of that memory whether it is the tensor's.
inline std::vector<bool> owned_bytes(const TensorRef& ref, const std::byte* begin, std::size_t size) {
  std::vector<bool> owned(size);
  for_each_index(dims_of(ref), [&](const Dims& index) {
    const auto at = element(ref, index) - begin;
    for (std::int64_t i = 0; i < bytes_of(ref.type); ++i) owned[static_cast<std::size_t>(at + i)] = true;
  });
  return owned;
}

}  // namespace iosx::test
