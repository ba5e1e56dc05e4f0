#pragma once

#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <string>
#include <vector>

#include "core/analysis/experiment/experiment.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

// A matrix of trials as coloured cells: the latency, and as a colour and text the loss against the column's own
// schedule. The best of a column is framed, with those equal within the noise; a loss within the noise has no colour.
class HeatMap {
 public:
  explicit HeatMap(const ExperimentResult& result);  // must outlive it

  QSizeF natural_size(const QFont& font) const;
  // Cells scale with the area. `font` gives the family.
  void paint(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const;

 private:
  QColor fill(const Trial& trial, const Theme& theme) const;
  double label_width(const QFont& font) const;
  void paint_cell(QPainter& painter, const QRectF& cell, const Trial* trial, const Theme& theme,
                  const QFont& font) const;
  void paint_labels(QPainter& painter, const QRectF& cells, const Theme& theme, const QFont& font) const;
  void paint_scale(QPainter& painter, const QRectF& area, const Theme& theme, const QFont& font) const;

  const ExperimentResult& result_;
  std::vector<std::string> rows_;
  std::vector<std::string> columns_;
  double worst_ = 0;  // the largest loss, in per cent
};

}  // namespace iosx
