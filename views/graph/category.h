#pragma once

#include <QString>

#include "core/graph/operator_table.h"

namespace iosx::canvas {

// How the canvas marks a kind of operators besides its colour.
using Category = OperatorClass;

QString category_letter(Category category);
QString category_name(Category category);  // translated

}  // namespace iosx::canvas
