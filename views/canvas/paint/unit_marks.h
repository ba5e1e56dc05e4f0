#pragma once

#include <QString>
#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/duration.h"
#include "core/model/graph/operator.h"

namespace iosx::canvas {

// How a unit differs from the comparison's reference. Its box shows it as a sign and a word.
enum class UnitChange {
  kSame,             // no sign
  kMoved,            // in another stage
  kJoined,           // in a stage with units from which it was apart
  kSplit,            // in a stage without units with which it was together
  kMergedOtherwise,  // merged with other convolutions, or no longer
  kAdded,            // the other graph lacks it
  kMissing,          // the other graph or schedule has it; the canvas shows it for comparison
  kAlike,            // as in the other one, marked because most units are not
};
inline constexpr std::size_t kUnitChanges = static_cast<std::size_t>(UnitChange::kAlike) + 1;

struct UnitMark {
  UnitChange change = UnitChange::kSame;
  QString note;        // for the tool tip, translated plain text: "stage 12 → 14"; may be empty
  bool quiet = false;  // only the tool tip shows it
  friend bool operator==(const UnitMark&, const UnitMark&) = default;
};

QString change_word(UnitChange change);  // "moved", translated

// How much longer something takes than with the baseline, in ms.
struct Delta {
  Millis value{0};  // negative: the baseline is slower
  Millis noise{0};  // a smaller change is not significant
  friend bool operator==(const Delta&, const Delta&) = default;
};

// The times of the shown schedule's units or stages, less the baseline's for the same.
struct Deltas {
  QString baseline;                          // its title, plain text
  bool of_stages = false;                    // otherwise of units
  std::vector<std::optional<Delta>> values;  // per unit of the graph, or per stage of the shown schedule; none: unknown
  bool per_sample = false;                   // otherwise of the batch
};

}  // namespace iosx::canvas
