#include "core/model/graph/operator_class.h"

#include <algorithm>
#include <array>

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

struct Row {
  std::string_view letter;
  std::string_view name;
};

// By OperatorClass.
constexpr std::array<Row, kOperatorClasses> kRows{{
    {"1", said("convolution 1×1")},
    {"3", said("convolution 3×3")},
    {"n", said("convolution n×1 or 1×n")},
    {"K", said("convolution, other kernel")},
    {"D", said("depthwise convolution")},
    {"G", said("grouped convolution")},
    {"T", said("transposed convolution")},
    {"P", said("pooling")},
    {"L", said("linear")},
    {"&", said("concat, copy")},
    {"+", said("arithmetic")},
    {"f", said("activation")},
    {"I", said("input")},
    {"!", said("not executable")},
}};

OperatorClass conv_class(const Conv& conv) {
  using enum OperatorClass;
  if (conv.groups > 1) return conv.groups < conv.out_channels ? kGroupedConv : kDepthwiseConv;
  const auto [least, most] = std::minmax(conv.kernel.height, conv.kernel.width);
  if (most == 1) return kConv1x1;
  if (least == 1) return kConvLine;
  return least == 3 && most == 3 ? kConv3x3 : kConvOther;
}

}  // namespace

OperatorClass operator_class(const Attributes& attributes) {
  const auto* const conv = std::get_if<Conv>(&attributes);
  return conv != nullptr ? conv_class(*conv) : operator_row(attributes).drawn;
}

std::string_view class_letter(OperatorClass what) { return kRows[static_cast<std::size_t>(what)].letter; }
std::string_view class_name(OperatorClass what) { return kRows[static_cast<std::size_t>(what)].name; }

}  // namespace iosx
