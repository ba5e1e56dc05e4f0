#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Constants of at most so many numbers are part of a graph as it is written; larger ones, as all weights, are not.
inline constexpr std::int64_t kMostConstantElements = 1024;

// Returns true if graph_to_wire() leaves numbers out that cannot be made up from names: the file's weights, large
// constants.
bool has_numbers_of_its_own(const Graph& graph);

// Writes a graph's structure as one line of JSON (core/formats/wire/fields.h says how): operators, units, parts, and
// small constants by value. Weights and larger constants stay where they came from.
std::string graph_to_wire(const Graph& graph);

// Returns the graph again, with made-up weights, and made-up numbers in larger constants. Any bytes are safe to read:
// they give an error with the place, which `origin` leads, or a valid graph.
Result<Graph> graph_from_wire(std::string_view text, const std::string& origin);

}  // namespace iosx
