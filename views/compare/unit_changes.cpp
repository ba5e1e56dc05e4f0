#include "views/compare/unit_changes.h"

#include <algorithm>

#include "core/analysis/difference/difference_report.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

canvas::UnitChange sign_of(UnitChange change, Marked marked) {
  switch (change) {
    case UnitChange::kSame:
      return marked == Marked::kWhatIsTheSame ? canvas::UnitChange::kAlike : canvas::UnitChange::kSame;
    case UnitChange::kMoved: return canvas::UnitChange::kMoved;
    case UnitChange::kJoined: return canvas::UnitChange::kJoined;
    case UnitChange::kSplit: return canvas::UnitChange::kSplit;
    case UnitChange::kMerged: return canvas::UnitChange::kMergedOtherwise;
    case UnitChange::kRegrouped: return canvas::UnitChange::kMoved;  // within its stage, as the note says
    case UnitChange::kAdded: return canvas::UnitChange::kAdded;
    case UnitChange::kMissing: break;
  }
  return canvas::UnitChange::kMissing;
}

}  // namespace

Marked marked_units(std::span<const UnitChange> a, std::span<const UnitChange> b) {
  const auto same = std::ranges::count(a, UnitChange::kSame) + std::ranges::count(b, UnitChange::kSame);
  const auto all = static_cast<std::ptrdiff_t>(a.size() + b.size());
  return 2 * same < all ? Marked::kWhatIsTheSame : Marked::kWhatDiffers;
}

std::vector<canvas::UnitMark> unit_marks(const StagePair& pair, bool of_a) {
  const Marked marked = marked_units(pair.difference.units_a, pair.difference.units_b);
  const std::vector<UnitChange>& changes = of_a ? pair.difference.units_a : pair.difference.units_b;
  std::vector<canvas::UnitMark> marks(changes.size());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    marks[i].change = sign_of(changes[i], marked);
    marks[i].quiet = (changes[i] == UnitChange::kSame) != (marked == Marked::kWhatIsTheSame);
  }
  for (const StageRow& row : pair.difference.rows) {
    if (row.same()) continue;
    const QString note = Text::tr("stages %1 → %2: %3")
                             .arg(qstring(stages_text(row.a)), qstring(stages_text(row.b)),
                                  message_text(change_message(row, pair.a, pair.b)));
    for (const UnitId unit : of_a ? row.units_a : row.units_b) {
      if (changes[unit.index()] != UnitChange::kSame) marks[unit.index()].note = note;
    }
  }
  return marks;
}

}  // namespace iosx
