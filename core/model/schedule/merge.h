#pragma once

#include <tl/expected.hpp>

#include "core/base/message.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Why layers cannot be merged; merge() has the rule.
enum class MergeRefusal {
  kTooFew,          // fewer than two units
  kNoLayer,         // a unit has no layer that can be merged
  kDifferentKind,   // a convolution and a linear layer
  kDifferentInput,  // they do not read the same channels of the same tensor
  kGrouped,         // groups > 1
  kDifferentStride,
  kDifferentDilation,
  kDifferentAxis,  // of linear layers
  kDifferentActivation,
  kDifferentOutputSize,  // output height or width
  kNotCentred,           // a kernel cannot be centred in the largest one with its padding
};
Message text(MergeRefusal refusal);

// The place of one of the original layers in the merged one.
struct MergedSource {
  UnitId unit;
  OperatorId op;                   // the layer; later operators of its unit run after the merged one
  std::int64_t channel_begin = 0;  // its place along MergedLayer::axis
  std::int64_t channel_end = 0;
  Extent kernel_offset{0, 0};  // top left of its kernel inside the merged kernel; the rest is zero
};

struct MergedLayer {
  Attributes attributes;  // a Conv, whose merged_from names the originals, or a Linear
  Value input;
  Shape output;
  std::size_t axis = 0;  // of the output, along which the originals lie: channels, or a linear layer's features
  std::vector<MergedSource> sources;  // in the given order
};

// Returns the operator of a unit that can be merged: the convolution at its start, if the rest of
// the unit only copies it (an output of the model that others read too), or the linear layer at its
// start, if the rest reads only the unit's own operators and constants (a query's normalisation, its
// split into heads). Null for any other unit.
const Operator* merging_layer(const Graph& graph, UnitId unit);

// Merges layers into one with the sum of their output channels or features. All must be of one kind, read the same
// value and have the same activation.
// - Convolutions need groups = 1, the same stride and dilation, the same output height and width, and for each
//   axis, with K and PAD the largest kernel and padding, an even K - k and pad = PAD - (K - k) / 2 · dilation.
// - Linear layers need the same axes of their input.
tl::expected<MergedLayer, MergeRefusal> merge(const Graph& graph, std::span<const UnitId> units);

// Returns every maximal set of two or more units that can be merged with one another; mergeability is an
// equivalence. Units are sorted by id, sets by their first unit.
std::vector<std::vector<UnitId>> mergeable_sets(const Graph& graph);

}  // namespace iosx
