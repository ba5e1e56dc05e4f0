#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/analysis/difference/part_matrix.h"
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

// A step of the waterfall: how much longer its units take together.
struct PartDelta {
  std::vector<UnitId> units;
  Delta delta;
};

// The times of the shown schedule's units or stages, less the baseline's for the same.
struct Deltas {
  QString baseline;                          // its title, plain text
  bool of_stages = false;                    // otherwise of units
  std::vector<std::optional<Delta>> values;  // per unit of the graph, or per stage of the shown schedule; none: unknown
  bool per_sample = false;                   // otherwise of the batch
  std::vector<PartDelta> parts = {};         // those that are known; a unit is in one of them at most
};

QColor change_color(UnitChange change, const Theme& theme);
// Paints the sign of a change, with a shape for each kind; nothing for kSame.
void paint_change(QPainter& painter, const QRectF& area, UnitChange change, const Theme& theme);

// Returns how much longer the stages and parts of a schedule take than a baseline of that name.
Deltas saving_deltas(const SavingSteps& steps, const QString& baseline);

// The display of savings against a baseline: a tint and a figure for units together, as the waterfall's steps have it.
class PartGains {
 public:
  PartGains() = default;
  explicit PartGains(Deltas deltas);

  bool active() const { return !deltas_.parts.empty(); }
  bool anyLoses() const { return any_loses_; }
  const QString& baseline() const { return deltas_.baseline; }
  bool perSample() const { return deltas_.per_sample; }
  // Returns the strength of the tint: from -1, as much saved as the largest part saves or loses, to 1. 0 for no change,
  // within the noise, or unknown: where a unit is in no known part, or shares its part with units that are not given.
  double lost(const std::vector<UnitId>& units) const;
  QString figure(const std::vector<UnitId>& units) const;  // "−0.28", in ms; empty where unknown, or rounded to 0
  QString stageFigure(std::size_t stage) const;            // the same of a stage

 private:
  std::optional<Delta> sum(const std::vector<UnitId>& units) const;
  QString figure(const std::optional<Delta>& delta) const;

  Deltas deltas_;
  std::vector<std::optional<std::size_t>> part_of_;  // per unit
  bool any_loses_ = false;
  Millis largest_{0};
  int decimals_ = 2;
};

}  // namespace iosx::canvas
