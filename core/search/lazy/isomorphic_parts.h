#pragma once

#include "core/model/graph/graph.h"

// Finds isomorphic units and parts of a graph, so that knowledge about one serves the others. Results stay correct
// without it: a device may distinguish parts that are isomorphic here (by where tensors lie, for example).
namespace iosx {

// Returns a number for every unit, by UnitId, equal for units of the same operators on the same shapes. Numbers
// start at 0.
std::vector<std::uint32_t> unit_kinds(const Graph& graph);

// Returns the parts in groups, ordered by the first of each. Parts of a group have units of the same kinds in the same
// order, with the same dependencies, and share outside inputs in the same way.
std::vector<std::vector<PartId>> isomorphic_parts(const Graph& graph, std::span<const std::uint32_t> kinds);

// Returns equal bytes for two graphs whose parts are isomorphic one by one by isomorphic_parts().
std::string text_of_parts(const Graph& graph, std::span<const std::uint32_t> kinds);

}  // namespace iosx
