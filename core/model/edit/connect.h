#pragma once

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/history.h"

// Edges. `check` is always that of the graph. Errors are sentences for the user who draws.
namespace iosx {

// Checks whether the value may be connected to the slot; for a kind with any number of inputs the first missing slot
// counts too. The error says why not: a circle with its path, a shape that the operator does not accept, no such slot.
// Effects on later operators are no reason, because these can be changed afterwards.
Result<void> may_connect(const EditableGraph& graph, const GraphCheck& check, const EditInput& from, OperatorKey to,
                         std::size_t slot);

// Connects the value. The slot's old producer is no longer read. A producer in a later part than its new reader
// moves to that part if its inputs allow it.
Result<Patch> connect(const EditableGraph& graph, const GraphCheck& check, const EditInput& from, OperatorKey to,
                      std::size_t slot);
// Returns the slot for a connection without a named slot: the first open one, else a new one where the kind allows
// more, else the one that already reads `from`, else the last.
std::size_t slot_for(const EditableGraph& graph, OperatorKey from, OperatorKey to);
Result<Patch> disconnect(const EditableGraph& graph, OperatorKey to, std::size_t slot);

// Change the slots of a kind with any number of inputs: add an open one, remove one, move one.
Result<Patch> add_input(const EditableGraph& graph, OperatorKey to);
Result<Patch> remove_input(const EditableGraph& graph, OperatorKey to, std::size_t slot);
Result<Patch> move_input(const EditableGraph& graph, OperatorKey to, std::size_t slot, std::size_t place);

}  // namespace iosx
