#pragma once

#include <cstddef>

#include "core/model/graph/operator.h"

namespace iosx {

// These are the classes of operators that drawings of graphs tell apart, by colour and by letter. They are finer than
// OperatorClass where nine tenths of a network are convolutions: what a convolution costs, and which ones can be
// merged, goes by its kernel.
enum class Category {
  kConv1x1,
  kConv3x3,
  kConvLine,  // n × 1 or 1 × n
  kConvOther,
  kDepthwiseConv,  // a channel group for each channel of the output
  kGroupedConv,
  kTransposedConv,
  kMergedConv,  // merged in the graph's file
  kPool,
  kLinear,
  kConcat,  // and what else only moves data
  kArithmetic,
  kActivation,
  kInput,
  kOpaque,  // no device can execute it; the last
};
inline constexpr std::size_t kCategories = static_cast<std::size_t>(Category::kOpaque) + 1;

Category category_of(const Attributes& attributes);

}  // namespace iosx
