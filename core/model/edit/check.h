#pragma once

#include "core/base/message.h"
#include "core/model/edit/editable_graph.h"
#include "core/model/graph/parameters.h"

namespace iosx {

enum class ProblemKind {
  kOpenInput,   // nothing is connected to a slot
  kArity,       // too few or too many slots
  kSlice,       // reads channels that its producer does not have
  kShape,       // does not accept its inputs
  kWeights,     // weights or bias do not fit; made-up ones replace them
  kCircle,      // operators that read one another
  kName,        // empty, or a duplicate; the built graph has another
  kUnitRead,    // read at another operator than its last; taken apart
  kUnitApart,   // its operators are not connected
  kUnitCircle,  // units that read one another although their operators do not; taken apart
  kPartOrder,   // reads a later part; runs in that
};

// A problem of an editable graph that prevents computing it, or a piece of it, as drawn.
struct Problem {
  ProblemKind kind;
  Message wording;  // one sentence: who, what is wrong, what would fit
  // Where to show it: first the affected operator, then others involved.
  std::vector<OperatorKey> operators = {};
  std::vector<UnitKey> units = {};
  std::optional<std::size_t> slot = {};  // of the first operator
};

// A unit in buildable form: its operators, of which the last is read outside (of EditUnit::whole all may be), or one
// operator of a unit that had to be taken apart.
struct OrderedUnit {
  UnitKey unit;
  bool whole = true;  // false: taken apart
  PartKey part;       // where it can run: the unit's own part, or a later one
  std::vector<OperatorKey> operators;
};

// The result of checking an editable graph. It is deterministic, and a mistake affects only what depends on it.
struct GraphCheck {
  // Operators, each after those that it reads, otherwise by key; without those on a circle and after one.
  std::vector<OperatorKey> order;
  // Outputs of the valid operators: those that accept their inputs, which are all valid.
  KeyMap<OperatorKey, Shape> shapes;
  std::vector<OrderedUnit> units;
  std::vector<Problem> problems;

  bool valid(OperatorKey key) const { return shapes.contains(key); }
  // Returns the shape of a whole output or of the channels read from it; none for an open slot, an invalid operator or
  // missing channels.
  std::optional<Shape> shape_of(const EditInput& input) const;
};

GraphCheck check(const EditableGraph& graph);

// Returns whether the operator's own weights and bias have these dims, or are made up.
bool fits(const EditOperator& op, const ParameterDims& dims);

}  // namespace iosx
