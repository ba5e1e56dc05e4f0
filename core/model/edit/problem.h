#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/message.h"
#include "core/model/edit/editable_graph.h"

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

}  // namespace iosx
