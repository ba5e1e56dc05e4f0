#include "core/model/graph/onnx_names.h"

namespace iosx {

std::string_view onnx_name(ResizeCoordinates coordinates) {
  switch (coordinates) {
    case ResizeCoordinates::kHalfPixel: break;
    case ResizeCoordinates::kPytorchHalfPixel: return "pytorch_half_pixel";
    case ResizeCoordinates::kAlignCorners: return "align_corners";
    case ResizeCoordinates::kAsymmetric: return "asymmetric";
  }
  return "half_pixel";
}

std::string_view onnx_name(ResizeRounding rounding) {
  switch (rounding) {
    case ResizeRounding::kPreferFloor: break;
    case ResizeRounding::kPreferCeil: return "round_prefer_ceil";
    case ResizeRounding::kFloor: return "floor";
    case ResizeRounding::kCeil: return "ceil";
  }
  return "round_prefer_floor";
}

}  // namespace iosx
