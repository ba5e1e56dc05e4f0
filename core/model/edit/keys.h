#pragma once

#include "core/base/id.h"

// Keys are what edits, views and undo steps call things by: a key stays with its operator, unit or part whatever comes
// and goes, and is never given out twice in a document. Ids (OperatorId, …) are places in a Graph and last as long as
// that.
namespace iosx {

using OperatorKey = Id<struct OperatorKeyTag>;
using UnitKey = Id<struct UnitKeyTag>;
using PartKey = Id<struct PartKeyTag>;

}  // namespace iosx
