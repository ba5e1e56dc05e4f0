#pragma once

#include <QString>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/duration.h"
#include "core/model/graph/operator.h"

namespace iosx::canvas {

// Says what became of a unit, seen from what the canvas is compared with. It is drawn as a sign and a word on its box.
enum class UnitChange {
  kSame,             // no sign
  kMoved,            // in another stage
  kJoined,           // in a stage with units that it was apart from
  kSplit,            // in a stage without units that it was together with
  kMergedOtherwise,  // merged with other convolutions, or no longer
  kAdded,            // the other graph lacks it
  kMissing,          // the other graph has it, or its schedule; the canvas shows it for comparison
  kAlike,            // as in the other one, and marked because most units are not
};
inline constexpr std::size_t kUnitChanges = static_cast<std::size_t>(UnitChange::kAlike) + 1;

struct UnitMark {
  UnitChange change = UnitChange::kSame;
  QString note;        // for the tool tip, translated plain text: "stage 12 → 14"; may be empty
  bool quiet = false;  // the tool tip alone says it
  friend bool operator==(const UnitMark&, const UnitMark&) = default;
};

QString change_word(UnitChange change);  // "moved", translated

// Says how much longer something takes than with the baseline, in ms.
struct Delta {
  Millis value{0};  // negative: the baseline is slower
  Millis noise{0};  // a smaller change says nothing
  friend bool operator==(const Delta&, const Delta&) = default;
};

// Holds what the shown schedule's units or stages take, less what the baseline takes for the same.
struct Deltas {
  QString baseline;                          // its title, plain text
  bool of_stages = false;                    // else of units
  std::vector<std::optional<Delta>> values;  // a unit of the graph, or a stage of the shown schedule; none: not known
  bool per_sample = false;                   // else of the batch
};

}  // namespace iosx::canvas
