#include "views/canvas/paint/unit_marks.h"

#include "views/text/translate.h"

namespace iosx::canvas {

QString change_word(UnitChange change) {
  switch (change) {
    case UnitChange::kSame: return Text::tr("same");
    case UnitChange::kMoved: return Text::tr("moved");
    case UnitChange::kJoined: return Text::tr("joined");
    case UnitChange::kSplit: return Text::tr("split");
    case UnitChange::kMergedOtherwise: return Text::tr("other merging");
    case UnitChange::kAdded: return Text::tr("added");
    case UnitChange::kMissing: return Text::tr("missing");
    case UnitChange::kAlike: return Text::tr("same");
  }
  return {};
}

}  // namespace iosx::canvas
