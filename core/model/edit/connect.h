#pragma once

#include <cstddef>

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/patch.h"

// Edges. `check` is always that of the graph. Errors are sentences for the person who draws.
namespace iosx {

// Whether the value may be connected to the slot; for a kind that takes any number of inputs the first slot that is not
// there counts too. The error says why not: a circle and its way, what the operator takes and what it would get, no
// such slot. What a connection makes of operators further on is no reason: they can be changed after it.
Result<void> may_connect(const EditableGraph& graph, const GraphCheck& check, const EditInput& from, OperatorKey to,
                         std::size_t slot);

// The same, done. What stood there before is no longer read. A producer of a later part than its new reader moves to
// that part if what it reads lets it.
Result<Patch> connect(const EditableGraph& graph, const GraphCheck& check, const EditInput& from, OperatorKey to,
                      std::size_t slot);
// The slot that somebody means who names none: the first open one, else a new one where the kind takes more, else the
// one that reads `from` already, else the last.
std::size_t slot_for(const EditableGraph& graph, OperatorKey from, OperatorKey to);
Result<Patch> disconnect(const EditableGraph& graph, OperatorKey to, std::size_t slot);

// The slots of a kind that takes any number of inputs: one more, which is open; one less; one at another place.
Result<Patch> add_input(const EditableGraph& graph, OperatorKey to);
Result<Patch> remove_input(const EditableGraph& graph, OperatorKey to, std::size_t slot);
Result<Patch> move_input(const EditableGraph& graph, OperatorKey to, std::size_t slot, std::size_t place);

}  // namespace iosx
