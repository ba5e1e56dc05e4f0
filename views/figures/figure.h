#pragma once

#include <QSizeF>
#include <QString>
#include <QStringList>
#include <functional>
#include <memory>

#include "views/style/theme.h"

class QPainter;
class QRectF;

namespace iosx {

// Something that can be exported: a drawing with a title, and its data. It is painted with vector calls only, so
// SVG and PDF stay sharp. Every view offers one; exports use the light theme, those for papers the paper theme.
class Figure {
 public:
  virtual ~Figure() = default;

  virtual QString title() const = 0;     // for display: "Timeline of inception_v3 on Tesla V100 (simulated)"
  virtual QString fileStem() const = 0;  // "timeline"
  virtual QSizeF size() const = 0;       // natural size in device-independent pixels
  // Returns the size for at most `width`: a figure that adapts to the width keeps its height.
  virtual QSizeF sizeWithin(double width) const { return {width, size().height()}; }
  // Paints everything but the title, which the exporter writes above the area. It must not draw outside the area, nor
  // rely on clipping, which SVG lacks.
  virtual void paint(QPainter& painter, const QRectF& area, const Theme& theme) const = 0;
  virtual QString csv() const = 0;  // header line first; RFC 4180
  // Returns where and when its data was recorded, empty if here and now; it becomes one more column of the exported
  // CSV.
  virtual QString recorded() const { return {}; }
};

// The parts of a figure as values and functions, of which figure_of() makes it.
struct FigureParts {
  QString title;
  QString file_stem;
  QSizeF size = {};
  std::function<void(QPainter& painter, const QRectF& area, const Theme& theme)> paint = {};
  std::function<QString()> csv = {};
  QString recorded = {};
  std::function<double(double width)> height_within = {};  // none: it keeps its height
};
std::unique_ptr<Figure> figure_of(FigureParts parts);

// The sentence at the top of some figures, wrapped in the width; its height, with the gap below it.
double sentence_height(const QString& sentence, double width);
void paint_sentence(QPainter& painter, const QRectF& area, const QString& sentence, const Theme& theme);

// Returns one line of CSV: csv_line().
QString csv_record(const QStringList& fields);
// Returns the records with one more field, which is `name` in the first of them and `value` in the others; unchanged
// where they have a field of that name.
QString csv_with_column(const QString& records, const QString& name, const QString& value);
// Returns the shortest text that reads back as the same double, with a decimal point.
QString csv_number(double value);

}  // namespace iosx
