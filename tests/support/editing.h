#pragma once

#include <gmock/gmock.h>

#include <string>

#include "core/model/edit/check.h"
#include "core/model/edit/convert.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/edit/history.h"
#include "core/model/graph/graph.h"

namespace iosx::test {

// Fails the test where the two differ in anything: operators, units, parts, weights.
void expect_equal(const Graph& made, const Graph& wanted);

// The texts of all problems, one a line.
std::string problems(const EditableGraph& graph);

// The key of the operator of that name, which is there.
OperatorKey key_of(const EditableGraph& graph, std::string_view name);
UnitKey unit_of(const EditableGraph& graph, std::string_view operator_name);

// What can be computed, which must be something.
Graph built(const EditableGraph& graph);

// Does an edit that must be possible.
void edit(EditHistory& history, Result<Patch> patch);

}  // namespace iosx::test
