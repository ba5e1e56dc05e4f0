#include "core/layout/layout.h"

#include <span>

#include "core/base/check.h"
#include "core/layout/views.h"

namespace iosx {
namespace {

constexpr std::size_t kFeatureMapRank = 4;  // with the batch

using Strides = std::array<std::int64_t, TensorRef::kMaxRank>;

Strides row_major(std::span<const std::int64_t> dims) {
  Strides strides{};
  std::int64_t step = 1;
  for (std::size_t axis = dims.size(); axis-- > 0;) {
    strides[axis] = step;
    step *= dims[axis];
  }
  return strides;
}

Strides device_strides(std::span<const std::int64_t> dims) {
  if (dims.size() != kFeatureMapRank) return row_major(dims);
  return {dims[1] * dims[2] * dims[3], 1, dims[3] * dims[1], dims[1]};
}

TensorRef without_strides(const Shape& shape, std::int64_t batch, DataType type, void* data) {
  TensorRef tensor{.data = data, .type = type, .rank = shape.rank() + 1};
  tensor.dims[0] = batch;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) tensor.dims[axis + 1] = shape[axis];
  return tensor;
}

}  // namespace

TensorRef tensor_ref(const Shape& shape, std::int64_t batch, DataType type, void* data) {
  return dense_like(without_strides(shape, batch, type, data), data);
}

TensorRef host_ref(const Shape& shape, std::int64_t batch, void* data) {
  TensorRef tensor = without_strides(shape, batch, DataType::kFloat32, data);
  tensor.strides = row_major(std::span(tensor.dims.data(), tensor.rank));
  return tensor;
}

TensorRef view_ref(const Buffer& buffer, const TensorView& view, std::int64_t batch, DataType type, void* data) {
  const TensorRef whole = tensor_ref(buffer.shape, buffer.constant ? 1 : batch, type, data);
  if (buffer.shape.rank() == 0) return whole;
  return narrowed(whole, 1, view.begin, view.end - view.begin);
}

bool is_dense(const TensorRef& tensor) {
  const Strides dense = device_strides(std::span(tensor.dims.data(), tensor.rank));
  for (std::size_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.dims[axis] != 1 && tensor.strides[axis] != dense[axis]) return false;
  }
  return true;
}

TensorRef dense_like(const TensorRef& tensor, void* data) {
  TensorRef dense = tensor;
  dense.data = data;
  dense.strides = device_strides(std::span(tensor.dims.data(), tensor.rank));
  return dense;
}

bool same_place(const TensorRef& a, const TensorRef& b) {
  if (a.data != b.data || a.type != b.type || a.rank != b.rank) return false;
  for (std::size_t axis = 0; axis < a.rank; ++axis) {
    if (a.dims[axis] != b.dims[axis] || (a.dims[axis] != 1 && a.strides[axis] != b.strides[axis])) return false;
  }
  return true;
}

}  // namespace iosx
