#include "views/graph/category.h"

#include "views/text/translate.h"

namespace iosx::canvas {

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
    case Category::kConv: return Text::tr("convolution");
    case Category::kMergedConv: return Text::tr("merged convolution");
    case Category::kGroupedConv: return Text::tr("depthwise or grouped convolution");
    case Category::kPool: return Text::tr("pooling");
    case Category::kLinear: return Text::tr("linear");
    case Category::kConcat: return Text::tr("concat, copy");
    case Category::kArithmetic: return Text::tr("arithmetic");
    case Category::kActivation: return Text::tr("activation");
    case Category::kInput: return Text::tr("input of the part");
    case Category::kOpaque: return Text::tr("not executable");
  }
  return {};
}

}  // namespace iosx::canvas
