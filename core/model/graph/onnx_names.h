#pragma once

#include <string_view>

#include "core/model/graph/tensor_attributes.h"

// What the ONNX standard calls values of attributes, for who writes its form or speaks its language.
namespace iosx {

std::string_view onnx_name(ResizeCoordinates coordinates);  // coordinate_transformation_mode
std::string_view onnx_name(ResizeRounding rounding);        // nearest_mode

}  // namespace iosx
