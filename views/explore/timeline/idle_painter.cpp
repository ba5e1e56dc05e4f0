#include "views/explore/timeline/idle_painter.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "views/explore/timeline/legend.h"
#include "views/style/translucent.h"
#include "views/text/latency_text.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kSentenceRow = 19;
constexpr double kTextRow = 16;
constexpr double kIdleSwatch = 10;
constexpr double kScaleRoom = 54;  // of the scale's numbers, left of the axis
constexpr double kMark = 5;        // pixels, of what is cut off

QColor faded(QColor color, float alpha) {
  color.setAlphaF(alpha);
  return color;
}

class IdlePanel {
 public:
  IdlePanel(QPainter& painter, const QRectF& area, const IdleMachine& machine, const TimelineScene& scene,
            const TimeAxis& axis, const Theme& theme, const QFont& font)
      : painter_(painter),
        area_(area),
        machine_(machine),
        scene_(scene),
        axis_(axis),
        theme_(theme),
        small_(font),
        bold_(font),
        plot_(axis.left, area.top() + kSentenceRow, axis.width, area.height() - kSentenceRow - 3) {
    small_.setPixelSize(11);
    bold_.setPixelSize(13);
    bold_.setBold(true);
    color_ = theme.accent;
  }

  void head(bool open, bool controls) {
    painter_.fillRect(QRectF(0, area_.top(), axis_.left - 1, area_.height()), theme_.panel);
    painter_.setPen(QPen(theme_.outline, 1));
    painter_.drawLine(QPointF(0, area_.top() + 0.5), QPointF(axis_.right(), area_.top() + 0.5));
    const QRectF row(0, area_.top() + 1, axis_.left - 9, kSentenceRow);
    if (controls) paint_fold_arrow(painter_, {12, row.center().y()}, open, theme_.mutedText);
    const double x = controls ? 26 : 12;
    painter_.setFont(bold_);
    painter_.setPen(theme_.text);
    const QString title = Text::tr("Idle machine");
    painter_.drawText(row.adjusted(x, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, title);
    // Narrow figures have it only beside the schedule.
    const double badge = row.right() - badge_width(machine_.origin, small_);
    if (x + QFontMetricsF(bold_).horizontalAdvance(title) < badge) {
      paint_badge(painter_, {badge, row.top() + 1}, machine_.origin, theme_, small_);
    }
    sentence();
  }

  // The cut value is at the right, where there is room for it.
  void sentence() {
    const QRectF row(axis_.left + 6, area_.top() + 1, axis_.width - 6, kSentenceRow);
    painter_.setFont(small_);
    const QFontMetricsF metrics(small_);
    double room = row.width();
    const QString cut =
        machine_.most > machine_.top
            ? Text::tr("\u25B2 above %1, at most %2").arg(percent_text(machine_.top), percent_text(machine_.most))
            : QString();
    const double own = metrics.horizontalAdvance(machine_.sentence);
    if (!cut.isEmpty() && own + 24 + metrics.horizontalAdvance(cut) < room) {
      painter_.setPen(theme_.mutedText);
      painter_.drawText(row, Qt::AlignRight | Qt::AlignVCenter, cut);
    }
    painter_.setPen(theme_.text);
    painter_.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(machine_.sentence, Qt::ElideRight, room));
  }

  void legend(double left) {
    painter_.setFont(small_);
    const QFontMetricsF metrics(small_);
    const double width = axis_.left - kScaleRoom - left;
    double y = plot_.top() + 2;
    const auto fits = [&] { return y + kTextRow <= area_.bottom(); };
    const auto next_row = [&](double from) {
      const QRectF row(left + from, y, width - from, kTextRow);
      y += kTextRow;
      return row;
    };
    const auto run = [&](const IdleArea& area, const QColor& color) {
      if (!fits()) return;
      painter_.fillRect(QRectF(left, y + 3, kIdleSwatch, kIdleSwatch), color);
      painter_.setPen(theme_.text);
      constexpr double kIndent = kIdleSwatch + 6;
      QRectF row = next_row(kIndent);
      const QString name = scene_.tracks()[area.track].name();
      painter_.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                        metrics.elidedText(name, Qt::ElideRight, std::max(row.width(), 0.0)));
      const QString mean = Text::tr("mean %1").arg(percent_text(area.mean));
      const double both = metrics.horizontalAdvance(name) + 6 + metrics.horizontalAdvance(mean);
      if (both <= row.width()) {
        painter_.drawText(row, Qt::AlignRight | Qt::AlignVCenter, mean);
      } else if (fits()) {
        painter_.drawText(next_row(kIndent), Qt::AlignLeft | Qt::AlignVCenter, mean);  // narrow figures
      }
    };
    run(machine_.schedule, color_);
    if (machine_.baseline) run(*machine_.baseline, faded(theme_.mutedText, 0.45F));
    if (!fits()) return;
    painter_.setPen(theme_.mutedText);
    constexpr int kWrapped = Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap;
    const QRectF rest(left, y, width, area_.bottom() - y);
    if (metrics.boundingRect(rest, kWrapped, machine_.caption).height() <= rest.height()) {
      painter_.drawText(rest, kWrapped, machine_.caption);
    } else {
      painter_.drawText(next_row(0), Qt::AlignLeft | Qt::AlignVCenter,
                        metrics.elidedText(machine_.caption, Qt::ElideRight, std::max(width, 0.0)));
    }
  }

  void plot() {
    painter_.setFont(small_);
    painter_.setPen(theme_.mutedText);
    const QRectF scale(axis_.left - kScaleRoom, plot_.top(), kScaleRoom - 9, kTextRow);
    painter_.drawText(scale, Qt::AlignRight | Qt::AlignTop, percent_text(machine_.top));
    painter_.drawText(scale.translated(0, plot_.height() - kTextRow), Qt::AlignRight | Qt::AlignBottom,
                      QStringLiteral("0"));
    const bool smooth = painter_.renderHints().testFlag(QPainter::Antialiasing);
    painter_.setRenderHint(QPainter::Antialiasing, false);  // all of these are level or upright
    painter_.setPen(theme_.gridLine);
    painter_.drawLine(plot_.topLeft(), plot_.topRight());
    const std::vector<IdleColumn> columns = idle_columns(machine_, scene_, axis_);
    for (const IdleColumn& column : columns) this->column(column);
    mean_line(machine_.schedule, color_);
    if (machine_.baseline) mean_line(*machine_.baseline, theme_.text);
    painter_.setPen(theme_.outline);
    painter_.drawLine(plot_.bottomLeft(), plot_.bottomRight());
    painter_.setRenderHint(QPainter::Antialiasing, smooth);
    marks(columns);
  }

 private:
  double y(double share) const { return plot_.bottom() - plot_.height() * std::clamp(share / machine_.top, 0.0, 1.0); }

  void column(const IdleColumn& column) {
    const auto fill = [&](double from, double to, const QColor& color) {
      if (to > from) {
        fill_translucent(painter_, QRectF(QPointF(column.left, y(to)), QPointF(column.right, y(from))), color);
      }
    };
    // The use of both is dark grey, the baseline's alone pale, the schedule's gain in its colour.
    fill(0, column.baseline, faded(theme_.mutedText, 0.45F));
    fill(0, std::min(column.schedule, column.baseline), faded(theme_.mutedText, 0.35F));
    fill(column.baseline, column.schedule, faded(color_, 0.75F));
  }

  void mean_line(const IdleArea& area, const QColor& color) {
    const Micros end = scene_.band_of(area.track)->index->end();
    const double right = std::min(axis_.right(), axis_.x(end));
    const double left = std::max(axis_.left, axis_.x(Micros(0)));
    if (right <= left) return;
    painter_.setPen(QPen(color, 1, Qt::DashLine));
    painter_.drawLine(QPointF(left, y(area.mean)), QPointF(right, y(area.mean)));
  }

  // Marks what is beyond the scale: one mark for neighbours.
  void marks(const std::vector<IdleColumn>& columns) {
    double last = axis_.left - 2 * kMark;
    for (const IdleColumn& column : columns) {
      if (std::max(column.schedule, column.baseline) <= machine_.top || column.left < last + 2 * kMark) continue;
      last = column.left;
      QPainterPath mark;
      mark.addPolygon(
          QPolygonF({{last - kMark / 2, plot_.top()}, {last, plot_.top() - kMark}, {last + kMark / 2, plot_.top()}}));
      mark.closeSubpath();
      painter_.fillPath(mark, theme_.text);
    }
  }

  QPainter& painter_;
  QRectF area_;
  const IdleMachine& machine_;
  const TimelineScene& scene_;
  const TimeAxis& axis_;
  const Theme& theme_;
  QFont small_;
  QFont bold_;
  QRectF plot_;
  QColor color_;
};

}  // namespace

void paint_idle_machine(QPainter& painter, const QRectF& area, const IdleMachine& machine, const TimelineScene& scene,
                        const TimeAxis& axis, const Theme& theme, const QFont& font, bool open, bool controls) {
  painter.fillRect(area, theme.canvas);
  IdlePanel panel(painter, area, machine, scene, axis, theme, font);
  panel.head(open, controls);
  if (!open) return;
  panel.legend(controls ? 26 : 12);
  panel.plot();
}

}  // namespace iosx
