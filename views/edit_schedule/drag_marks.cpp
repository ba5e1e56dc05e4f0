#include "views/edit_schedule/drag_board.h"

#include <QAbstractScrollArea>
#include <QFont>
#include <QFontMetricsF>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/style/theme.h"
#include "views/text/latency_text.h"

namespace iosx::board {
namespace {

constexpr int kEdge = 28;  // pixels from a border
constexpr int kScrollStep = 18;
constexpr int kLabelSize = 12;
constexpr double kLeastChange = 5e-7;  // ms

}  // namespace

QString change_text(Millis change) {
  if (std::abs(change.count()) < kLeastChange) return {};
  return (change.count() > 0 ? QStringLiteral("▲ +") : QStringLiteral("▼ −")) +
         duration_text(Millis(std::abs(change.count())));
}

QColor change_color(const Theme& theme, Millis change) {
  if (std::abs(change.count()) < kLeastChange) return theme.mutedText;
  if (change.count() > 0) return theme.dark ? QColor(0xFF, 0x9A, 0x5C) : QColor(0xB8, 0x42, 0x00);
  return theme.dark ? QColor(0x6C, 0xB8, 0xFF) : QColor(0x12, 0x5A, 0xA8);
}

bool scroll_at_edge(QAbstractScrollArea& area, const QPoint& at) {
  const auto step = [](QScrollBar* bar, int place, int length) {
    const int by = place < kEdge ? -kScrollStep : place > length - kEdge ? kScrollStep : 0;
    const int before = bar->value();
    bar->setValue(before + by);
    return bar->value() != before;
  };
  const bool across = step(area.horizontalScrollBar(), at.x(), area.viewport()->width());
  const bool down = step(area.verticalScrollBar(), at.y(), area.viewport()->height());
  return across || down;
}

void paint_forbidden(QPainter& painter, const QRectF& box, const Theme& theme) {
  const QColor veil = with_alpha(theme.canvas, 0.6F);
  fill_translucent(painter, box, veil);
  paint_hatch(painter, box, Hatch::kRising, theme.panel);
}

void paint_drag_label(QPainter& painter, const QRectF& view, const QPointF& cursor, const QList<DragLine>& lines,
                      bool refused, const Theme& theme, const QFont& font) {
  painter.setFont(sized(font, kLabelSize));
  const QFontMetricsF metrics(painter.font());
  const double most = std::min(360.0, view.width() - 24);
  QList<QSizeF> sizes;
  QSizeF whole(0, 0);
  for (const DragLine& line : lines) {
    sizes << metrics.boundingRect(QRectF(0, 0, most, 1000), Qt::TextWordWrap, line.text).size();
    whole = {std::max(whole.width(), sizes.back().width()), whole.height() + sizes.back().height()};
  }
  QRectF box(cursor.x() + 14, cursor.y() + 12, whole.width() + 16, whole.height() + 8);
  if (box.right() > view.right() - 4) box.moveRight(view.right() - 4);
  if (box.bottom() > view.bottom() - 4) box.moveBottom(cursor.y() - 10);
  paint_box(painter, QPen(refused ? theme.error : theme.selection, 1.5),
            refused ? theme.errorFill : theme.selectionFill, box, 4);
  double y = box.top() + 4;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    paint_text(painter, lines[i].color.isValid() ? lines[i].color : theme.text,
               QRectF(box.left() + 8, y, whole.width() + 1, sizes[i].height() + 1), Qt::TextWordWrap, lines[i].text);
    y += sizes[i].height();
  }
}

}  // namespace iosx::board
