#pragma once

#include "core/model/graph/attributes.h"
#include "core/model/graph/parameters.h"
#include "core/model/graph/tensor.h"

// A kernel's parameters in host memory, joined for operators merged into one layer. Devices convert them to their own
// formats.
namespace iosx {

// Out channels × in_channels / groups × kernel. Merged: the operators' output channels one after another, each
// kernel in the middle of the larger one with zeros around it. Missing input channels up to in_channels are blank
// (Buffer::blank): zeros.
Tensor conv_weights(const Parameters& parameters, std::span<const OperatorId> operators, const Conv& conv,
                    std::int64_t in_channels);
// Out features × features: the rows of linear layers one after another.
Tensor linear_weights(const Parameters& parameters, std::span<const OperatorId> operators);
// The operators' biases one after another.
Tensor joined_bias(const Parameters& parameters, std::span<const OperatorId> operators);

// Returns rows of weights over a sample's elements, with columns in the order of the elements in device memory
// (layout.h).
Tensor columns_in_device_order(const Tensor& weights, const Shape& sample);

}  // namespace iosx
