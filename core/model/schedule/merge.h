#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "core/base/message.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Why layers cannot become one; see the rule at merge().
enum class MergeRefusal {
  kTooFew,          // fewer than two units
  kNoLayer,         // a unit has no layer that merges
  kDifferentKind,   // a convolution and a linear layer
  kDifferentInput,  // not all read the same channels of the same tensor
  kGrouped,         // groups > 1
  kDifferentStride,
  kDifferentDilation,
  kDifferentAxis,  // of linear layers
  kDifferentActivation,
  kDifferentOutputSize,  // output height or width
  kNotCentred,           // a kernel cannot be centred in the largest one with the padding that it has
};
Message text(MergeRefusal refusal);

// Where one of the original layers lies inside the merged one.
struct MergedSource {
  UnitId unit;
  OperatorId op;                   // the layer; operators that follow it in its unit run after the merged one
  std::int64_t channel_begin = 0;  // its places along MergedLayer::axis
  std::int64_t channel_end = 0;
  Extent kernel_offset{0, 0};  // top left of its kernel inside the merged kernel; the rest is zero
};

struct MergedLayer {
  Attributes attributes;  // a Conv, whose merged_from names the originals, or a Linear
  Value input;
  Shape output;
  std::size_t axis = 0;  // of the output, along which the originals lie: channels, or a linear layer's features
  std::vector<MergedSource> sources;  // in the order given
};

// Returns the operator of a unit that merges with others: the convolution that is all of it, or the linear layer that
// it begins with, where all that follows in the unit reads only the unit's own operators and constants (a query's
// normalisation, its split into heads). Null for any other unit.
const Operator* merging_layer(const Graph& graph, UnitId unit);

// Layers merge into one with the sum of their output channels or features when all are of one kind, read the same value
// and have the same activation.
// - Convolutions must have groups = 1, the same stride and dilation, the same output height and width, and for each
//   axis, K and PAD being the largest kernel and padding, K - k is even and pad = PAD - (K - k) / 2 · dilation.
// - Linear layers must look at the same axes of their input.
tl::expected<MergedLayer, MergeRefusal> merge(const Graph& graph, std::span<const UnitId> units);

// Every set of two or more units that can be merged with one another, each as large as can be: to be mergeable is an
// equivalence. Units by id, sets by their first unit.
std::vector<std::vector<UnitId>> mergeable_sets(const Graph& graph);

}  // namespace iosx
