#pragma once

#include <cstdint>
#include <span>

#include "core/model/graph/attributes.h"
#include "core/model/graph/parameters.h"
#include "core/model/graph/shape.h"

// A kernel's parameters in host memory, those of several operators merged into one layer put together. Devices convert
// them to their own formats.
namespace iosx {

// Out channels × in_channels / groups × kernel. Merged: the output channels of the operators one after another, each
// operator's kernel in the middle of the larger one, zeros around it. Where the operators have fewer input channels
// than in_channels, the others are blank (Buffer::blank): zeros.
Tensor conv_weights(const Parameters& parameters, std::span<const OperatorId> operators, const Conv& conv,
                    std::int64_t in_channels);
// Out features × features: the rows of linear layers one after another.
Tensor linear_weights(const Parameters& parameters, std::span<const OperatorId> operators);
// The operators' biases one after another.
Tensor joined_bias(const Parameters& parameters, std::span<const OperatorId> operators);

// Rows of weights over a sample's elements, with the columns in the order in which the elements lie in a device's
// memory (layout.h).
Tensor columns_in_device_order(const Tensor& weights, const Shape& sample);

}  // namespace iosx
