#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/model/graph/tensor.h"

namespace iosx {

std::string shape_text(const Shape& shape, std::string_view times) {
  return shape.rank() == 0 ? "scalar" : fmt::format("{}", fmt::join(shape.dims(), times));
}

}  // namespace iosx
