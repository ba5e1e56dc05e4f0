#include "views/graph/category.h"

#include <QCoreApplication>

namespace iosx::canvas {
namespace {

QString translated(const char* text) { return QCoreApplication::translate("GraphView", text); }

}  // namespace

QString category_letter(Category category) {
  switch (category) {
    case Category::kConv: return QStringLiteral("C");
    case Category::kMergedConv: return QStringLiteral("M");
    case Category::kGroupedConv: return QStringLiteral("D");
    case Category::kPool: return QStringLiteral("P");
    case Category::kLinear: return QStringLiteral("L");
    case Category::kConcat: return QStringLiteral("&");
    case Category::kArithmetic: return QStringLiteral("+");
    case Category::kActivation: return QStringLiteral("f");
    case Category::kInput: return QStringLiteral("I");
    case Category::kOpaque: return QStringLiteral("!");
  }
  return {};
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
