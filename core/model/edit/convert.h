#pragma once

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Returns the whole graph in editable form. Keys are in the order of ids: key 7 is operator 7. to_graph() returns an
// equal graph.
EditableGraph editable(const Graph& graph);

// A graph of the valid operators of an editable graph.
struct BuiltGraph {
  Graph graph;
  KeyMap<OperatorKey, OperatorId> operators;
  KeyMap<UnitKey, UnitId> units;      // those built as drawn
  std::vector<OperatorKey> left_out;  // invalid operators
  std::vector<UnitKey> taken_apart;   // units whose operators became units of their own
};

// `check` is that of the graph. Operators and units are in the order of the check's units, sources in the order of
// their keys, before their readers. Whatever the check found wrong is skipped or built as the problem says; an error
// if nothing is left.
Result<BuiltGraph> to_graph(const EditableGraph& graph, const GraphCheck& check);

}  // namespace iosx
