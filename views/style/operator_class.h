#pragma once

#include <cstddef>

#include "core/graph/operator.h"

namespace iosx {

// Kinds of operators that drawings tell apart, by colour and by letter or word.
enum class OperatorClass {
  kConv,
  kMergedConv,
  kGroupedConv,
  kPool,
  kLinear,
  kConcat,  // and what else only moves data
  kArithmetic,
  kActivation,
  kInput,
  kOpaque,  // no device can execute it
};
inline constexpr std::size_t kOperatorClasses = 10;

OperatorClass operator_class(const Attributes& attributes);

}  // namespace iosx
