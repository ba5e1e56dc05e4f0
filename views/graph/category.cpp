#include "views/graph/category.h"

#include <QCoreApplication>
#include <array>

namespace iosx::canvas {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("GraphView", text); }

}  // namespace

QString category_letter(Category category) {
  static constexpr std::array<char, kOperatorClasses> letters{'C', 'M', 'D', 'P', 'L', '&', '+', 'f', 'I', '!'};
  return QString(QLatin1Char(letters[static_cast<std::size_t>(category)]));
}

QString category_name(Category category) {
  switch (category) {
    case Category::kConv: return translated("convolution");
    case Category::kMergedConv: return translated("merged convolution");
    case Category::kGroupedConv: return translated("depthwise or grouped convolution");
    case Category::kPool: return translated("pooling");
    case Category::kLinear: return translated("linear");
    case Category::kConcat: return translated("concat, copy");
    case Category::kArithmetic: return translated("arithmetic");
    case Category::kActivation: return translated("activation");
    case Category::kInput: return translated("input of the part");
    case Category::kOpaque: return translated("not executable");
  }
  return {};
}

}  // namespace iosx::canvas
