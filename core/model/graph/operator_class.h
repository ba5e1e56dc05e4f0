#pragma once

#include <cstddef>
#include <string_view>

#include "core/model/graph/operator.h"

namespace iosx {

// The kinds of operators that drawings distinguish, by colour and by letter. They are finer than Attributes, because
// nine tenths of a network are convolutions, whose kernel determines cost and possible merges. A merged one has the
// class of its own kernel, and an additional sign.
enum class OperatorClass {
  kConv1x1,  // convolutions first, to kTransposedConv
  kConv3x3,
  kConvLine,  // n × 1 or 1 × n
  kConvOther,
  kDepthwiseConv,  // a channel group for each channel of the output
  kGroupedConv,
  kTransposedConv,
  kPool,
  kLinear,
  kConcat,  // and other operators that only move data
  kArithmetic,
  kActivation,
  kInput,
  kOpaque,  // no device can execute it; the last
};
inline constexpr std::size_t kOperatorClasses = static_cast<std::size_t>(OperatorClass::kOpaque) + 1;

OperatorClass operator_class(const Attributes& attributes);
std::string_view class_letter(OperatorClass what);  // of one letter
std::string_view class_name(OperatorClass what);    // "convolution 3×3"

}  // namespace iosx
