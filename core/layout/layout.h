#pragma once

#include <cstdint>

#include "core/graph/shape.h"
#include "core/layout/tensor_ref.h"
#include "core/plan/execution_plan.h"

// How tensors lie in the memory of devices that compute: feature maps with the channels last (batch, height, width,
// channels), all others in the order of their axes.
namespace iosx {

// batch × shape without gaps.
TensorRef tensor_ref(const Shape& shape, std::int64_t batch, DataType type, void* data);
// The same row-major, as host tensors are.
TensorRef host_ref(const Shape& shape, std::int64_t batch, void* data);
// Channels of a buffer that lies at `data`.
TensorRef view_ref(const Buffer& buffer, const TensorView& view, std::int64_t batch, DataType type, void* data);

// Without gaps, in the device's order.
bool is_dense(const TensorRef& tensor);
// As dense memory at `data` would be.
TensorRef dense_like(const TensorRef& tensor, void* data);
bool same_place(const TensorRef& a, const TensorRef& b);

}  // namespace iosx
