#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/model/graph/shape.h"
#include "core/model/layout/tensor_ref.h"
#include "core/model/plan/execution_plan.h"

// How tensors lie in the memory of devices that compute: feature maps with the channels last (batch, height, width,
// channels), all others in the order of their axes. Three axes are a feature map unless a buffer says otherwise.
namespace iosx {

// batch × shape without gaps.
TensorRef tensor_ref(const Shape& shape, std::int64_t batch, DataType type, void* data);
// The same row-major, as host tensors are.
TensorRef host_ref(const Shape& shape, std::int64_t batch, void* data);
// A buffer that lies at `data`; a constant has one sample for all.
TensorRef buffer_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data);
// The tensor in it, without blank channels; and those alone.
TensorRef filled_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data);
TensorRef blank_ref(const Buffer& buffer, std::int64_t batch, DataType type, void* data);
// Channels of it.
TensorRef view_ref(const Buffer& buffer, const TensorView& view, std::int64_t batch, DataType type, void* data);

// Without gaps, in the device's order.
bool is_dense(const TensorRef& tensor);
// As dense memory at `data` would be.
TensorRef dense_like(const TensorRef& tensor, void* data);
// A tensor as a linear layer sees it (Linear::axis): a row for every place of the axes before the layer's, the batch's
// first; a column for every feature, in the order of memory. Nothing where rows do not lie at one distance from each
// other, or the features of one not side by side.
std::optional<TensorRef> feature_rows(const TensorRef& tensor, std::size_t axis);
// As dense memory at `data` would be that can be seen so.
TensorRef dense_feature_rows(const TensorRef& tensor, std::size_t axis, void* data);
bool same_place(const TensorRef& a, const TensorRef& b);

}  // namespace iosx
