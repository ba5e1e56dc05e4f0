#pragma once

#include "core/model/graph/tensor.h"
#include "core/model/layout/tensor_ref.h"
#include "core/model/plan/execution_plan.h"

// The layout of tensors in the memory of computing devices: feature maps with the channels last (batch, height, width,
// channels), all others in the order of their axes. Three axes are a feature map unless a buffer says otherwise.
namespace iosx {

// batch × shape without gaps.
TensorRef tensor_ref(const Shape& shape, std::int64_t batch, DataType type, void* data);
// Does the same in row-major order, as host tensors are.
TensorRef host_ref(const Shape& shape, std::int64_t batch, void* data);
// A buffer at `data`; a constant has one sample for all.
TensorRef buffer_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data);
// The tensor in it, without blank channels, and the blank channels alone.
TensorRef filled_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data);
TensorRef blank_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data);
// Channels of it, in the axes in which the view is seen.
TensorRef view_ref(const Buffer& buffer, const TensorView& view, std::int64_t batch, DataType type, void* data);

// Without gaps, in the device's order.
bool is_dense(const TensorRef& tensor);
// The same tensor as dense memory at `data`.
TensorRef dense_like(const TensorRef& tensor, void* data);
// Returns a tensor in a linear layer's form (Linear::axis): a row for every place of the axes before the layer's, the
// batch's first; a column for every feature, in memory order. Returns none where rows are not equally spaced, or
// features of a row not contiguous.
std::optional<TensorRef> feature_rows(const TensorRef& tensor, std::size_t axis);
// The same in dense memory at `data`.
TensorRef dense_feature_rows(const TensorRef& tensor, std::size_t axis, void* data);
bool same_place(const TensorRef& a, const TensorRef& b);

}  // namespace iosx
