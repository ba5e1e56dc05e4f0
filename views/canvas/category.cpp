#include "views/canvas/category.h"

#include "views/text/translate.h"

namespace iosx::canvas {

QString category_letter(Category category) {
  switch (category) {
    case Category::kConv1x1: return QStringLiteral("1");
    case Category::kConv3x3: return QStringLiteral("3");
    case Category::kConvLine: return QStringLiteral("n");
    case Category::kConvOther: return QStringLiteral("K");
    case Category::kDepthwiseConv: return QStringLiteral("D");
    case Category::kGroupedConv: return QStringLiteral("G");
    case Category::kTransposedConv: return QStringLiteral("T");
    case Category::kMergedConv: return QStringLiteral("M");
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
    case Category::kConv1x1: return Text::tr("convolution 1×1");
    case Category::kConv3x3: return Text::tr("convolution 3×3");
    case Category::kConvLine: return Text::tr("convolution n×1 or 1×n");
    case Category::kConvOther: return Text::tr("convolution, other kernel");
    case Category::kDepthwiseConv: return Text::tr("depthwise convolution");
    case Category::kGroupedConv: return Text::tr("grouped convolution");
    case Category::kTransposedConv: return Text::tr("transposed convolution");
    case Category::kMergedConv: return Text::tr("merged convolution");
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
