#pragma once

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/history.h"

// Group operators into units, and units into parts. `check` is always that of the graph, keys are of the graph. Errors
// are sentences for the user who draws.
namespace iosx {

// Makes one unit of these operators; an empty name is replaced. The error says why that is impossible: a source,
// no connection, a reader inside, a circle.
Result<Patch> group_operators(const EditableGraph& graph, const GraphCheck& check, std::span<const OperatorKey> keys,
                              std::string name = {}, std::string hint = {});
// Makes each of its operators a unit of its own.
Result<Patch> split_unit(const EditableGraph& graph, UnitKey unit);
Result<Patch> rename_unit(const EditableGraph& graph, UnitKey unit, std::string name);

// Starts a new part with this unit and those after it in its part.
Result<Patch> declare_part(const EditableGraph& graph, const GraphCheck& check, UnitKey first, std::string name);
// Joins a part with the one before it, which keeps its name.
Result<Patch> join_part(const EditableGraph& graph, PartKey part);
Result<Patch> rename_part(const EditableGraph& graph, PartKey part, std::string name);
// Renames the graph, and a single part with the graph's name.
Result<Patch> rename_graph(const EditableGraph& graph, std::string name);

}  // namespace iosx
