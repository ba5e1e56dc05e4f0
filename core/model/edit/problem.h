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
  kShape,       // does not take what it reads
  kWeights,     // given weights or bias do not fit; made-up ones stand in
  kCircle,      // operators that read one another
  kName,        // empty, or another's too; what is built has another
  kUnitRead,    // read elsewhere than at its last operator; taken apart
  kUnitApart,   // its operators do not hang together
  kUnitCircle,  // units that read one another although their operators do not; taken apart
  kPartOrder,   // reads a later part; runs in that
};

// Something about an editable graph that keeps it, or a piece of it, from being computed as it is drawn.
struct Problem {
  ProblemKind kind;
  Message wording;  // one sentence: who, what is there, what would fit
  // Where to show it: first the one that has it, then others that are part of it.
  std::vector<OperatorKey> operators = {};
  std::vector<UnitKey> units = {};
  std::optional<std::size_t> slot = {};  // of the first operator
};

}  // namespace iosx
