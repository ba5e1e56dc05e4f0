#pragma once

#include <QFont>
#include <QRectF>
#include <QString>
#include <vector>

#include "views/explore/timeline/timeline_scene.h"
#include "views/style/theme.h"

class QPainter;

namespace iosx {

// A colour or line of kernel spans with its meaning; entries are in the order of OperatorClass.
struct LegendEntry {
  QString text;  // "pooling"
  QColor fill;
  Hatch hatch = Hatch::kNone;
};
std::vector<LegendEntry> legend(const std::vector<TimelineBand>& bands, const Theme& theme);
// Returns the entries in as many rows as the width requires.
std::vector<std::vector<LegendEntry>> legend_rows(const std::vector<LegendEntry>& entries, double width,
                                                  const QFont& font);
// Draws the entries in one row from the left, up to the right edge. Returns the row's right end.
double paint_legend(QPainter& painter, const QRectF& area, const std::vector<LegendEntry>& entries, const Theme& theme,
                    const QFont& font);

}  // namespace iosx
