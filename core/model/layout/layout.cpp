#include "core/model/layout/layout.h"

#include "core/base/check.h"
#include "core/model/layout/views.h"

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

TensorRef buffer_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data) {
  const std::int64_t samples = buffer.constant ? 1 : batch;
  if (!buffer.row_major) return tensor_ref(buffer.shape, samples, type, data);
  TensorRef tensor = without_strides(buffer.shape, samples, type, data);
  tensor.strides = row_major(std::span(tensor.dims.data(), tensor.rank));
  return tensor;
}

TensorRef filled_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data) {
  const TensorRef whole = buffer_ref(buffer, batch, type, data);
  return buffer.blank == 0 ? whole : narrowed(whole, 1, 0, buffer.shape.channels() - buffer.blank);
}

TensorRef blank_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data) {
  const TensorRef whole = buffer_ref(buffer, batch, type, data);
  return narrowed(whole, 1, buffer.shape.channels() - buffer.blank, buffer.blank);
}

TensorRef view_ref(const Buffer& buffer, const TensorView& view, std::int64_t batch, DataType type, void* data) {
  const TensorRef whole = buffer_ref(buffer, batch, type, data);
  if (buffer.shape.rank() == 0) return whole;
  const TensorRef slice = narrowed(whole, buffer.axis + 1, view.begin, view.end - view.begin);
  if (view.seen.empty()) return slice;
  TensorRef seen = slice;
  seen.rank = view.seen.size() + 1;
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < view.seen.size(); ++i) {
    const std::int64_t stride = slice.strides[view.seen[i].axis + 1];
    seen.dims[i + 1] = view.seen[i].size;
    seen.strides[i + 1] = view.seen[i].step * stride;
    offset += view.seen[i].begin * stride;
  }
  seen.data = static_cast<std::byte*>(slice.data) + offset * bytes_of(type);
  return seen;
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

std::optional<TensorRef> feature_rows(const TensorRef& tensor, std::size_t axis) {
  IOS_CHECK(axis + 1 <= tensor.rank);
  TensorRef rows{.data = tensor.data, .type = tensor.type, .rank = 2};
  rows.dims = {1, 1};
  const TensorRef dense = dense_feature_rows(tensor, axis, tensor.data);
  for (std::size_t i = axis + 1; i < tensor.rank; ++i) {
    if (tensor.dims[i] != 1 && tensor.strides[i] != dense.strides[i]) return std::nullopt;
    rows.dims[1] *= tensor.dims[i];
  }
  rows.strides = {rows.dims[1], 1};
  // From the last to the first: an axis steps over all places of the later axes.
  for (std::size_t i = axis + 1; i-- > 0;) {
    if (tensor.dims[i] == 1) continue;
    if (rows.dims[0] == 1) {
      rows.strides[0] = tensor.strides[i];
    } else if (tensor.strides[i] != rows.dims[0] * rows.strides[0]) {
      return std::nullopt;
    }
    rows.dims[0] *= tensor.dims[i];
  }
  return rows;
}

TensorRef dense_feature_rows(const TensorRef& tensor, std::size_t axis, void* data) {
  TensorRef dense = dense_like(tensor, data);
  if (axis > 0) dense.strides = row_major(std::span(tensor.dims.data(), tensor.rank));
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
