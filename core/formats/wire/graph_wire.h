#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/fragment.h"
#include "core/model/graph/graph.h"

namespace iosx {

// The most numbers of a constant that is written with its graph; larger ones, like all weights, are not.
inline constexpr std::int64_t kMostConstantElements = 1024;

// Returns true if graph_to_wire() leaves out numbers that names cannot reproduce: the file's weights, large
// constants.
bool has_numbers_of_its_own(const Graph& graph);

// Writes a graph's structure as one line of JSON (by core/formats/wire/fields.h): operators, units, parts, and small
// constants by value. Weights and larger constants stay in their source.
std::string graph_to_wire(const Graph& graph);

// Returns the graph with made-up weights, and made-up numbers in larger constants. Any bytes are safe to read: the
// result is an error with its place, which begins with `origin`, or a valid graph.
Result<Graph> graph_from_wire(std::string_view text, const std::string& origin);

// Write editable graphs and pieces of them as one line of JSON (by core/formats/wire/fields.h): the file of an
// unfinished graph, and the clipboard's content. Operators, units and parts are identified by place, not by key: a
// graph with everything undone has the same text as before. Given weights are included.
std::string edit_to_text(const EditableGraph& graph);
std::string fragment_to_text(const Fragment& fragment);

// Any bytes are safe to read: the result is a one-line error, whose place begins with `origin`, or a graph, which may
// have problems. Each reads the output of either: slots that were connected outside of a fragment are open in a graph.
Result<EditableGraph> edit_from_text(std::string_view text, const std::string& origin);
Result<Fragment> fragment_from_text(std::string_view text, const std::string& origin);

}  // namespace iosx
