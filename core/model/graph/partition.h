#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "core/model/graph/graph.h"

namespace iosx {

// Largest part a search can take: its states are 64-bit sets of units.
inline constexpr std::size_t kMaxPartUnits = 64;

struct PartitionOptions {
  std::size_t max_part_size = kMaxPartUnits;  // units, 1 to that
  // True for a run of units that must be cut further although it is not larger than max_part_size (its state space
  // would exceed a budget, say). May be empty. Not asked about single units.
  std::function<bool(std::span<const UnitId>)> too_complex;
};

// The parts a search works on. Declared parts are kept; a graph without declared parts (one part) is cut wherever
// exactly one tensor is live (after a unit through which every path passes), neighbouring single units being joined
// into one chain. A part that is too large is cut further, in its middle half, where the fewest tensors are live; on
// ties after the unit that joins most inputs, then nearest to the middle. Its pieces but the last are `continued`.
std::vector<Part> partition(const Graph& graph, const PartitionOptions& options = {});

// The parts that people are shown: the declared ones; of a large graph without any those of partition(). Of several
// networks a part holds units of one: all of a small network, of a larger one what parts like these have of it.
std::vector<Part> shown_parts(const Graph& graph);

}  // namespace iosx
