#pragma once

#include "core/model/graph/graph.h"

namespace iosx {

// The largest part for a search: its states are 64-bit sets of units.
inline constexpr std::size_t kMaxPartUnits = 64;

struct PartitionOptions {
  std::size_t max_part_size = kMaxPartUnits;  // units, 1 to that
  // Returns true for a run of units that must be cut further although it is not larger than max_part_size (its
  // state space exceeds a budget, for example). May be empty. Never called for single units.
  std::function<bool(std::span<const UnitId>)> too_complex;
};

// Returns the parts for a search. Declared parts are kept. A graph without declared parts (one part) is cut wherever
// exactly one tensor is live (after a unit on every path), and neighbouring single units are joined into one chain.
// A part that is too large is cut further, in its middle half, where the fewest tensors are live; on ties after the
// unit that joins most inputs, then nearest to the middle. Its pieces except the last are `continued`.
std::vector<Part> partition(const Graph& graph, const PartitionOptions& options = {});

// Returns the parts for display: the declared ones; for a large graph without any, those that partition() finds. They
// are the same before and after prepare(): pieces that a search cut are joined. Only a part of more than 512 units is
// shown in pieces. For several networks a part has units of one: all of a small network, and a larger one's share of
// such parts.
std::vector<Part> shown_parts(const Graph& graph);

}  // namespace iosx
