#pragma once

#include <string_view>

#include "core/model/graph/attributes.h"

// These are the ONNX standard's names for values of attributes, for code that writes its form or speaks its language.
namespace iosx {

std::string_view onnx_name(ResizeCoordinates coordinates);  // coordinate_transformation_mode
std::string_view onnx_name(ResizeRounding rounding);        // nearest_mode

}  // namespace iosx
