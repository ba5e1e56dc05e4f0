#pragma once

#include <QColor>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>

#include "core/base/duration.h"
#include "views/style/theme.h"

class QAbstractScrollArea;
class QFont;
class QPainter;

// Shared by boards with dragging.
namespace iosx::board {

// Returns "▲ +12.3 µs" for a longer time, "▼ −12.3 µs"; empty where no difference can be shown.
QString change_text(Millis change);
QColor change_color(const Theme& theme, Millis change);  // of that text; muted without one

// Scrolls where the pointer is near a border of the viewport. Returns false without movement.
bool scroll_at_edge(QAbstractScrollArea& area, const QPoint& at);

// Hatches a forbidden drop place.
void paint_forbidden(QPainter& painter, const QRectF& box, const Theme& theme);

// Paints a text beside the cursor, inside the view: the dragged thing, or with `refused` why it cannot be dropped
// there. A long line is wrapped.
struct DragLine {
  QString text;
  QColor color = {};  // invalid: the text colour
};
void paint_drag_label(QPainter& painter, const QRectF& view, const QPointF& cursor, const QList<DragLine>& lines,
                      bool refused, const Theme& theme, const QFont& font);

}  // namespace iosx::board
