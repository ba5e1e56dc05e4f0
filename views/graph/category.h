#pragma once

#include <QString>
#include <array>

#include "core/graph/graph.h"

namespace iosx::canvas {

// Kinds of operators that the canvas tells apart, by colour and by letter.
enum class Category { kConv, kMergedConv, kGroupedConv, kPool, kLinear, kConcat, kArithmetic, kActivation, kInput };
inline constexpr std::size_t kCategories = 9;

Category category_of(const Attributes& attributes);
QString category_letter(Category category);
QString category_name(Category category);  // translated
// Attributes of that category, for Theme::operatorFill.
Attributes category_example(Category category);

}  // namespace iosx::canvas
