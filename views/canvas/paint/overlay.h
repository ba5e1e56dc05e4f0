#pragma once

#include <QColor>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "core/formats/external/unit_column.h"
#include "views/canvas/paint/scene.h"
#include "views/canvas/paint/unit_marks.h"
#include "views/style/theme.h"

namespace iosx::canvas {

// Names what the boxes' fill says.
enum class Overlay {
  kNone,          // the class of operators
  kFlops,         // of the unit, for one sample
  kLatency,       // of the unit's stage
  kBytes,         // read and written, for one sample
  kIntensity,     // FLOPs a byte
  kSlack,         // how much later the unit could end; critical_path.h
  kCriticalPath,  // what the unit takes, for those on the longest chain
  kDelta,         // against a baseline
  kColumn,        // a column of somebody's table
};
inline constexpr std::size_t kOverlays = static_cast<std::size_t>(Overlay::kColumn) + 1;

// The name is short, for a button: "FLOPs". Both are translated; the meaning is a sentence.
QString overlay_name(Overlay overlay);
QString overlay_meaning(Overlay overlay);

// Knows the overlay's value of each unit, and its place on the colour scale.
class OverlayScale {
 public:
  OverlayScale() = default;
  // `deltas` are what kDelta shows, `column` what kColumn does (null: there is none).
  OverlayScale(const Model& model, Overlay overlay, const Deltas& deltas = {}, const UnitColumn* column = nullptr);

  // It is false where there is nothing to show: no overlay, or nothing known.
  bool active() const { return active_; }
  QColor color(UnitId unit, const Theme& theme) const;
  // Says whether the unit has none of the values of somebody's column: it is hatched, for pale fills are values too.
  bool lacks(UnitId unit) const { return active_ && overlay_ == Overlay::kColumn && !values_[unit.index()]; }
  QString text(UnitId unit) const;  // "1.24 GFLOP", "0.162 ms"; empty where not known
  QString title() const { return title_; }
  QStringList notes() const { return notes_; }  // what else is to be said of the values, or why there are none
  QString low() const;
  QString high() const;
  QColor at(double t, const Theme& theme) const;  // of the scale, t from 0 at low() to 1 at high()
  // Says whether the edge from one unit to the other is on the critical path.
  bool follows(UnitId from, UnitId to) const;

  static QColor ramp(double t, const Theme& theme);       // t from 0, pale, to 1
  static QColor diverging(double t, const Theme& theme);  // t from -1, faster, over 0 to 1, slower

 private:
  void showWork(const Model& model);
  void showMagnitudes();  // of values that are all positive
  void showLatency(const Model& model);
  void showPath(const Model& model);
  void showDeltas(const Model& model, const Deltas& deltas);
  void showColumn(const UnitColumn& column);
  void measureRange(bool all_count);  // else what is not above 0 does not
  // Says where the colours change: evenly, by orders of magnitude, or both ways from 0, which is in the middle.
  enum class Spacing { kEven, kLogarithmic, kAroundZero };
  double place(double value) const;  // on the scale
  QString format(double value) const;

  bool active_ = false;
  Overlay overlay_ = Overlay::kNone;
  Spacing spacing_ = Spacing::kEven;
  bool low_counts_ = false;  // the colours get stronger towards low()
  QString title_;
  QStringList notes_;
  std::vector<std::optional<double>> values_;  // a unit; FLOPs, bytes, FLOPs a byte, ms or anybody's
  std::vector<bool> in_noise_;                 // a unit; only with kDelta
  std::vector<std::optional<UnitId>> next_;    // a unit: the one after it on the critical path
  double low_ = 0;
  double high_ = 0;
};

}  // namespace iosx::canvas
