#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <optional>
#include <span>
#include <vector>

#include "core/base/duration.h"
#include "core/formats/external/unit_column.h"
#include "core/model/cost/latency.h"
#include "core/model/schedule/schedule.h"
#include "views/canvas/paint/marks.h"
#include "views/canvas/paint/scene.h"
#include "views/style/theme.h"

// Finds where time could be gained at all: the longest chain of units that must run one after another, and how late
// each of the others could be without making it longer. Independent of Qt.
namespace iosx::canvas {

// Each unit's own time, as far as known, with its source.
struct UnitCosts {
  enum class Source {
    kUnknown,  // not scheduled: no time here
    kAlone,    // the latency of its own stage
    kShare,    // its share of its stage's latency
  };
  std::vector<Millis> values;   // per unit of the graph
  std::vector<Source> sources;  // per unit
  std::size_t count(Source source) const;
};

// Returns each unit's stage latency if the stage has only this unit, otherwise a share of it. A stage takes as long as
// its slowest group. Within a group, the latency is divided among the steps by their work, FLOPs / 16 + bytes, a step's
// time on devices that compute 16 FLOPs in the time of moving a byte; the other groups take proportionally less. Each
// unit of a merged step takes as long as the step. `stages` has one latency per stage.
UnitCosts unit_costs(const Graph& graph, const Schedule& schedule, std::span<const Latency> stages);

struct CriticalPath {
  Millis length{0};
  std::vector<UnitId> units;  // the longest chain, in order; on a tie the one with the lower ids
  std::vector<Millis> slack;  // per unit: how much later it could end without making the longest chain longer
};

// Returns the path with each unit starting as soon as its inputs exist, with any number at once: its length is a lower
// bound of every schedule, as far as the costs hold.
CriticalPath critical_path(const Graph& graph, std::span<const Millis> costs);

QColor mixed(const QColor& a, const QColor& b, double share);  // from a to b

// The meaning of the boxes' fill.
enum class Overlay {
  kNone,          // the class of operators
  kFlops,         // of the unit, per sample
  kLatency,       // of the unit's stage
  kBytes,         // read and written, per sample
  kIntensity,     // FLOPs per byte
  kSlack,         // how much later the unit could end; overlay.h
  kCriticalPath,  // the time of units on the longest chain
  kDelta,         // against a baseline
  kColumn,        // a column of the user's table
};
inline constexpr std::size_t kOverlays = static_cast<std::size_t>(Overlay::kColumn) + 1;

// The name is short, for a button: "FLOPs". Both are translated; the meaning is a sentence.
QString overlay_name(Overlay overlay);
QString overlay_meaning(Overlay overlay);

// The overlay's value of each unit, and its place on the colour scale.
class OverlayScale {
 public:
  OverlayScale() = default;
  // `deltas` are for kDelta, `column` for kColumn (null: none).
  OverlayScale(const Model& model, Overlay overlay, const Deltas& deltas = {}, const UnitColumn* column = nullptr);

  // False without values to show: no overlay, or all unknown.
  bool active() const { return active_; }
  QColor color(UnitId unit, const Theme& theme) const;
  // Returns whether the unit has no value in the user's column: it is hatched, because pale fills are values too.
  bool lacks(UnitId unit) const { return active_ && overlay_ == Overlay::kColumn && !values_[unit.index()]; }
  QString text(UnitId unit) const;  // "1.24 GFLOP", "0.162 ms"; empty where unknown
  QString title() const { return title_; }
  QStringList notes() const { return notes_; }  // remarks about the values, or why there are none
  QString low() const;
  QString high() const;
  QColor at(double t, const Theme& theme) const;  // from the scale, t from 0 at low() to 1 at high()
  // Returns whether the edge between the units is on the critical path.
  bool follows(UnitId from, UnitId to) const;

  static QColor ramp(double t, const Theme& theme);       // t from 0, pale, to 1
  static QColor diverging(double t, const Theme& theme);  // t from -1, faster, over 0 to 1, slower

 private:
  void showWork(const Model& model);
  void showMagnitudes();  // for all-positive values
  void showLatency(const Model& model);
  void showPath(const Model& model);
  void showDeltas(const Model& model, const Deltas& deltas);
  void showColumn(const UnitColumn& column);
  void measureRange(bool all_count);  // otherwise values up to 0 are ignored
  // The spacing of colours: even, by orders of magnitude, or both ways from 0 in the middle.
  enum class Spacing { kEven, kLogarithmic, kAroundZero };
  double place(double value) const;  // on the scale
  QString format(double value) const;

  bool active_ = false;
  Overlay overlay_ = Overlay::kNone;
  Spacing spacing_ = Spacing::kEven;
  bool low_counts_ = false;  // colours get stronger towards low()
  QString title_;
  QStringList notes_;
  std::vector<std::optional<double>> values_;  // per unit; FLOPs, bytes, FLOPs per byte, ms or the user's
  std::vector<bool> in_noise_;                 // per unit; only with kDelta
  std::vector<std::optional<UnitId>> next_;    // per unit: the next one on the critical path
  double low_ = 0;
  double high_ = 0;
};

}  // namespace iosx::canvas
