#include "core/model/layout/views.h"

#include "core/base/check.h"

namespace iosx {
namespace {

void advance(TensorRef& ref, std::int64_t elements) {
  ref.data = static_cast<std::byte*>(ref.data) + elements * bytes_of(ref.type);
}

}  // namespace

TensorRef transposed(const TensorRef& in, const Transpose& transpose) {
  IOS_CHECK(transpose.axes.size() + 1 == in.rank);
  TensorRef out = in;
  for (std::size_t axis = 1; axis < in.rank; ++axis) {
    out.dims[axis] = in.dims[transpose.axes[axis - 1] + 1];
    out.strides[axis] = in.strides[transpose.axes[axis - 1] + 1];
  }
  return out;
}

TensorRef sliced(const TensorRef& in, const Slice& slice) {
  IOS_CHECK(slice.shape.rank() + 1 == in.rank && slice.begins.size() + 1 == in.rank);
  TensorRef out = in;
  std::int64_t offset = 0;
  for (std::size_t axis = 1; axis < in.rank; ++axis) {
    offset += slice.begins[axis - 1] * in.strides[axis];
    out.dims[axis] = slice.shape[axis - 1];
    out.strides[axis] *= slice.steps[axis - 1];
  }
  advance(out, offset);
  return out;
}

TensorRef narrowed(const TensorRef& in, std::size_t axis, std::int64_t begin, std::int64_t size) {
  IOS_CHECK(axis < in.rank && begin >= 0 && begin + size <= in.dims[axis]);
  TensorRef out = in;
  out.dims[axis] = size;
  advance(out, begin * in.strides[axis]);
  return out;
}

TensorRef broadcast(const TensorRef& in, std::span<const std::int64_t> dims) {
  IOS_CHECK(in.rank >= 1 && in.rank <= dims.size() && dims.size() <= TensorRef::kMaxRank);
  TensorRef out{.data = in.data, .type = in.type, .rank = dims.size(), .dims = {}, .strides = {}};
  const std::size_t missing = dims.size() - in.rank;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    out.dims[axis] = dims[axis];
    if (axis != 0 && axis <= missing) continue;
    const std::size_t from = axis == 0 ? 0 : axis - missing;
    IOS_CHECK(in.dims[from] == dims[axis] || in.dims[from] == 1);
    if (in.dims[from] != 1) out.strides[axis] = in.strides[from];
  }
  return out;
}

GatherViews gather_views(const Gather& gather, const TensorRef& data, const TensorRef& indices, const TensorRef& out) {
  const std::size_t axis = gather.axis + 1;
  IOS_CHECK(axis < data.rank && data.dims[0] == out.dims[0] && indices.dims[0] == out.dims[0]);
  GatherViews views{data, indices, data.dims[axis], data.strides[axis]};
  if (gather.kind == GatherKind::kElements) {
    IOS_CHECK(data.rank == out.rank && indices.rank == out.rank);
    views.data.dims = out.dims;
    views.data.strides[axis] = 0;
    return views;
  }
  IOS_CHECK(out.rank == data.rank + indices.rank - 2);
  for (TensorRef* view : {&views.data, &views.indices}) {
    view->rank = out.rank;
    view->dims = out.dims;
    view->strides = {};
  }
  views.data.strides[0] = data.strides[0];
  views.indices.strides[0] = indices.strides[0];
  const std::size_t width = indices.rank - 1;  // the indices' axes take the place of the data's one
  for (std::size_t i = 1; i < axis; ++i) views.data.strides[i] = data.strides[i];
  for (std::size_t i = 0; i < width; ++i) views.indices.strides[axis + i] = indices.strides[i + 1];
  for (std::size_t i = axis + 1; i < data.rank; ++i) views.data.strides[i + width - 1] = data.strides[i];
  return views;
}

}  // namespace iosx
