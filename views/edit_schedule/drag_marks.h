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

// These are what boards share on which something is dragged.
namespace iosx::board {

// Returns "▲ +12.3 µs" of what takes longer, "▼ −12.3 µs"; nothing where no difference can be shown.
QString change_text(Millis change);
QColor change_color(const Theme& theme, Millis change);  // of that text; muted where there is none

// Scrolls where what is dragged is near a border of the viewport. False where nothing moved.
bool scroll_at_edge(QAbstractScrollArea& area, const QPoint& at);

// Hatches a place where what is dragged cannot be put.
void paint_forbidden(QPainter& painter, const QRectF& box, const Theme& theme);

// Paints words beside the cursor, inside of the view: what is dragged, or with `refused` why it cannot be put there. A
// line that is too long is wrapped.
struct DragLine {
  QString text;
  QColor color = {};  // not valid: that of text
};
void paint_drag_label(QPainter& painter, const QRectF& view, const QPointF& cursor, const QList<DragLine>& lines,
                      bool refused, const Theme& theme, const QFont& font);

}  // namespace iosx::board
