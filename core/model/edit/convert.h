#pragma once

#include <vector>

#include "core/base/result.h"
#include "core/model/edit/check.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Everything of the graph, to be changed. Keys are in the order of ids: key 7 is operator 7. to_graph() gives an equal
// graph again.
EditableGraph editable(const Graph& graph);

// The valid operators of an editable graph as a graph.
struct BuiltGraph {
  Graph graph;
  KeyMap<OperatorKey, OperatorId> operators;
  KeyMap<UnitKey, UnitId> units;      // those that are built as they are drawn
  std::vector<OperatorKey> left_out;  // operators that are not valid
  std::vector<UnitKey> taken_apart;   // units whose operators are units of their own
};

// `check` is that of the graph. Operators and units come in the order of the check's units, sources in the order of
// their keys, before what reads them. Whatever the check found wrong is passed over or built as the problem says; an
// error if nothing is left.
Result<BuiltGraph> to_graph(const EditableGraph& graph, const GraphCheck& check);

}  // namespace iosx
