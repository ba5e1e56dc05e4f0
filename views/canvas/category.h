#pragma once

#include <QString>

#include "views/style/category.h"

namespace iosx::canvas {

// These say how the canvas marks a class of operators besides its colour.
QString category_letter(Category category);  // one letter
QString category_name(Category category);    // translated

}  // namespace iosx::canvas
