#pragma once

#include <span>
#include <string>

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

// Operators as units, units as parts. `check` is always that of the graph, keys are of the graph. Errors are sentences
// for the person who draws.
namespace iosx {

// One unit of these operators; with an empty name it gets one. The error says why they cannot be one: a source, no
// connection, read from inside, a circle.
Result<Patch> group_operators(const EditableGraph& graph, const GraphCheck& check, std::span<const OperatorKey> keys,
                              std::string name = {}, std::string hint = {});
// Each of its operators as a unit of its own.
Result<Patch> split_unit(const EditableGraph& graph, UnitKey unit);
Result<Patch> rename_unit(const EditableGraph& graph, UnitKey unit, std::string name);

// A new part that begins with this unit: it and what follows it in its part.
Result<Patch> declare_part(const EditableGraph& graph, const GraphCheck& check, UnitKey first, std::string name);
// One part of a part and the one before it, which lends its name.
Result<Patch> join_part(const EditableGraph& graph, PartKey part);
Result<Patch> rename_part(const EditableGraph& graph, PartKey part, std::string name);
// A single part that is called as the graph is renamed with it.
Result<Patch> rename_graph(const EditableGraph& graph, std::string name);

}  // namespace iosx
