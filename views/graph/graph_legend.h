#pragma once

#include <QSizeF>
#include <vector>

#include "views/graph/overlay.h"
#include "views/graph/scene.h"
#include "views/style/theme.h"

class QPainter;
class QPointF;

namespace iosx::canvas {

// The key to a drawing: the kinds of operators that occur in it, how groups and merges are marked, the overlay's
// scale. In device-independent pixels; not zoomed.
class GraphLegend {
 public:
  GraphLegend() = default;
  explicit GraphLegend(const Model& model);

  QSizeF size(const OverlayScale& overlay) const;
  void paint(QPainter& painter, const QPointF& top_left, const OverlayScale& overlay, const Theme& theme) const;

 private:
  struct Row {
    QString text;
    enum class Sign { kKind, kGroup, kMerged } sign = Sign::kKind;
    Category category = Category::kConv;
  };
  void paintSign(QPainter& painter, const QRectF& area, const Row& row, const Theme& theme) const;

  std::vector<Row> rows_;
  double width_ = 0;
};

}  // namespace iosx::canvas
