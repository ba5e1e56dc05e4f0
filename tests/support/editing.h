#pragma once

#include "core/model/edit/check.h"
#include "core/model/edit/convert.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/history.h"
#include "core/model/graph/graph.h"
#include "tests/support/prelude.h"

namespace iosx::test {

// Fails the test where the two differ in anything: operators, units, parts, weights.
void expect_equal(const Graph& made, const Graph& wanted);

// Returns the texts of all problems, one per line.
std::string problems(const EditableGraph& graph);

// Returns the key of the operator of that name, which must exist.
OperatorKey key_of(const EditableGraph& graph, std::string_view name);
UnitKey unit_of(const EditableGraph& graph, std::string_view operator_name);

// Returns the computable graph, which must not be empty.
Graph built(const EditableGraph& graph);

// Applies an edit that must be possible.
void edit(EditHistory& history, Result<Patch> patch);

}  // namespace iosx::test
