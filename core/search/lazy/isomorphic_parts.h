#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/graph/graph.h"

// These functions find what is isomorphic in a graph, so that what is learned of one serves for the others. Nobody
// relies on it: a device may tell apart what is isomorphic here (by where tensors lie, say).
namespace iosx {

// A number for every unit, by UnitId: equal for units of the same operators on the same shapes. They count from 0.
std::vector<std::uint32_t> unit_kinds(const Graph& graph);

// The parts in groups, by the first of each: those of a group have units of the same kinds in the same order, with the
// same dependencies, that share what they read from outside in the same way.
std::vector<std::vector<PartId>> isomorphic_parts(const Graph& graph, std::span<const std::uint32_t> kinds);

// Returns the same text of bytes for two graphs whose parts isomorphic_parts() would find isomorphic one by one.
std::string text_of_parts(const Graph& graph, std::span<const std::uint32_t> kinds);

}  // namespace iosx
