#include "views/style/category.h"

#include <algorithm>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

Category conv_category(const Conv& conv) {
  const auto [least, most] = std::minmax(conv.kernel.height, conv.kernel.width);
  if (most == 1) return Category::kConv1x1;
  if (least == 1) return Category::kConvLine;
  return least == 3 && most == 3 ? Category::kConv3x3 : Category::kConvOther;
}

}  // namespace

Category category_of(const Attributes& attributes) {
  const auto* const conv = std::get_if<Conv>(&attributes);
  switch (operator_class(attributes)) {
    case OperatorClass::kConv: return conv != nullptr ? conv_category(*conv) : Category::kTransposedConv;
    case OperatorClass::kMergedConv: return Category::kMergedConv;
    case OperatorClass::kGroupedConv:
      return conv != nullptr && conv->groups < conv->out_channels ? Category::kGroupedConv : Category::kDepthwiseConv;
    case OperatorClass::kPool: return Category::kPool;
    case OperatorClass::kLinear: return Category::kLinear;
    case OperatorClass::kConcat: return Category::kConcat;
    case OperatorClass::kArithmetic: return Category::kArithmetic;
    case OperatorClass::kActivation: return Category::kActivation;
    case OperatorClass::kInput: return Category::kInput;
    case OperatorClass::kOpaque: break;
  }
  return Category::kOpaque;
}

}  // namespace iosx
