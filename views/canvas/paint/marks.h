#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/difference/subject.h"
#include "core/base/duration.h"
#include "views/style/theme.h"

class QPainter;

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

// Two units that run at the same time here, but not in the other schedule.
using Tie = std::pair<UnitId, UnitId>;

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

QColor change_color(UnitChange change, const Theme& theme);
// Paints the sign of a change, with a shape for each kind; nothing for kSame.
void paint_change(QPainter& painter, const QRectF& area, UnitChange change, const Theme& theme);

// Returns by stage how much longer the stages of a schedule take than a baseline of that name, from stage_savings().
Deltas stage_deltas(const std::vector<std::optional<iosx::Delta>>& stages, const QString& baseline);

// The display of stage savings against a baseline: a tint and a figure for some of the stages together.
class StageGains {
 public:
  StageGains() = default;
  explicit StageGains(const Deltas& deltas);  // for stages; those of units are ignored here

  bool active() const { return active_; }  // a stage is known
  bool anyLoses() const { return any_loses_; }
  const QString& baseline() const { return deltas_.baseline; }
  bool perSample() const { return deltas_.per_sample; }
  // Returns the strength of the tint: from -1, as much saved as all stages save or lose, to 1. 0 for no change,
  // unknown, or within the noise.
  double lost(const std::vector<std::size_t>& stages) const;
  QString figure(const std::vector<std::size_t>& stages) const;  // "−0.28", in ms; empty where unknown, or rounded to 0

 private:
  std::optional<Delta> sum(const std::vector<std::size_t>& stages) const;

  Deltas deltas_;
  bool active_ = false;
  bool any_loses_ = false;
  Millis largest_{0};
  int decimals_ = 2;
};

}  // namespace iosx::canvas
