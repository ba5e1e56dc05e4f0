#pragma once

#include <cstdint>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "core/base/message.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Why convolutions cannot become one; see the rule at merge().
enum class MergeRefusal {
  kTooFew,           // fewer than two units
  kNotAConvolution,  // a unit is not exactly one convolution
  kDifferentInput,   // not all read the same channels of the same tensor
  kGrouped,          // groups > 1
  kDifferentStride,
  kDifferentDilation,
  kDifferentActivation,
  kDifferentOutputSize,  // output height or width
  kNotCentred,           // a kernel cannot be centred in the largest one with the padding that it has
};
Message text(MergeRefusal refusal);

// Where one of the original convolutions lies inside the merged one.
struct MergedSource {
  UnitId unit;
  OperatorId op;
  std::int64_t channel_begin = 0;  // its channels of the merged output
  std::int64_t channel_end = 0;
  Extent kernel_offset{0, 0};  // top left of its kernel inside the merged kernel; the rest is zero
};

struct MergedConv {
  Conv attributes;  // merged_from names the originals
  Value input;
  Shape output;
  std::vector<MergedSource> sources;  // in the order given
};

// Convolutions merge into one with the sum of their output channels when all read the same value, have groups = 1,
// the same stride, dilation and activation, the same output height and width, and for each axis, K and PAD being the
// largest kernel and padding, K - k is even and pad = PAD - (K - k) / 2 · dilation.
tl::expected<MergedConv, MergeRefusal> merge(const Graph& graph, std::span<const UnitId> units);

// Every set of two or more units that can be merged with one another, each as large as can be: to be mergeable is an
// equivalence. Units by id, sets by their first unit.
std::vector<std::vector<UnitId>> mergeable_sets(const Graph& graph);

}  // namespace iosx
