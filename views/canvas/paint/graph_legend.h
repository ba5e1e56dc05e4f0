#pragma once

#include <QRectF>
#include <QStringList>
#include <vector>

#include "views/canvas/paint/marks.h"
#include "views/canvas/paint/overlay.h"
#include "views/canvas/paint/scene.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx::canvas {

// The key to a drawing: the overlay's scale, the present classes of operators, and the signs of the weave and of
// changes. Entries are in a row from the left, wrapped to the width. Lengths are device-independent pixels; it is not
// zoomed.
class GraphLegend {
 public:
  GraphLegend() = default;
  explicit GraphLegend(const Model& model, const std::vector<UnitMark>& marks = {}, const PartGains& gains = {},
                       bool ties = false);

  // Adds missing entries of another drawing, for a common legend.
  void add(const GraphLegend& other);
  QStringList texts() const;  // of all entries, without those of an overlay

  // Paints the signs of the weave with brief texts into one row, as many as fit, those of all schedules first.
  void paintSigns(QPainter& painter, const QRectF& row, const Theme& theme) const;

  // Returns the width of the widest entry in one column.
  double columnWidth(const OverlayScale& overlay) const;

  double height(double width, const OverlayScale& overlay) const;  // 0 without entries
  // `area` has the height() for its width. Paints no background.
  void paint(QPainter& painter, const QRectF& area, const OverlayScale& overlay, const Theme& theme) const;

 private:
  struct Entry {
    QString text;
    QString brief;  // where the full texts do not fit into one row
    // In display order.
    enum class Sign {
      kChange,
      kKind,
      kBeside,
      kTie,
      kFlight,
      kWaits,
      kEarly,
      kPill,
      kMerged,
      kBarrier,
      kSaves,
      kLoses,
      kScale,
      kNote
    } sign = Sign::kKind;
    OperatorClass what = OperatorClass::kConv1x1;
    UnitChange change = UnitChange::kSame;
  };
  struct Placed {
    const Entry* entry = nullptr;
    QString text;
    QRectF box;  // from the top left corner of the legend
  };
  static double ownWidth(const Entry& entry, const QString& text, const OverlayScale& overlay);
  std::vector<Placed> place(const std::vector<Entry>& entries, double width, const OverlayScale& overlay) const;
  std::vector<Entry> entries(const OverlayScale& overlay) const;
  static bool paintWeaveSign(QPainter& painter, const QRectF& sign, Entry::Sign which, const Theme& theme);
  void paintSign(QPainter& painter, const QRectF& sign, const Entry& entry, const Theme& theme) const;
  void paintScale(QPainter& painter, const QRectF& box, const QString& title, const OverlayScale& overlay,
                  const Theme& theme) const;

  std::vector<Entry> entries_;  // without the overlay's
};

}  // namespace iosx::canvas
