#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>
#include <algorithm>
#include <cmath>
#include <vector>

#include "views/figures/paint.h"
#include "views/recording/recording_metrics.h"
#include "views/recording/recording_paint.h"
#include "views/recording/recording_text.h"
#include "views/recording/recording_timeline.h"
#include "views/style/fills.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"

// The picture of the timeline: the part that stays while the mouse moves is kept, and the rest is drawn over it.
namespace iosx {
namespace {

constexpr double kTickRoom = 80;       // pixels between ticks of the ruler
constexpr double kLeastName = 28;      // pixels of a kernel for its name
constexpr double kLeastWords = 64;     // pixels of idle time for its reason
constexpr double kPathLine = 3;        // pixels, below kernels of the critical path
constexpr double kLeastCovered = 0.4;  // of a lane's height, of kernels that fill less of their pixel
constexpr double kLeastGap = 3;        // pixels of a kernel so that it has a border

}  // namespace

class RecordingTimeline::Painter {
 public:
  Painter(const RecordingTimeline& view, QPainter& painter)
      : view_(view),
        theme_(view.theme_),
        axis_(view.axis()),
        painter_(painter),
        small_(sized(view.font(), 11)),
        bold_(sized(view.font(), 12, true)),
        bottom_(view.viewport()->height() - recorded::kFooter) {}

  void still() {
    painter_.fillRect(view_.viewport()->rect(), theme_.canvas);
    if (view_.opened_ == nullptr) return;
    idle_blocks_ = recorded::blocks_of(view_.rows_.rows.front().spans, axis_);
    painter_.save();
    painter_.setClipRect(QRectF(0, recorded::kRuler, view_.viewport()->width(), bottom_ - recorded::kRuler));
    grid();
    tint();
    for (const recorded::Row& row : view_.rows_.rows) {
      const double top = view_.rowTop(row);
      if (top + row.height >= recorded::kRuler && top <= bottom_) this->row(row, top);
    }
    edges();
    painter_.restore();
    ruler();
    footer();
  }

  void moving() {
    if (view_.opened_ == nullptr) return;
    painter_.setRenderHint(QPainter::Antialiasing);
    if (const auto measure = view_.time_.measure()) this->measure(*measure);
    const auto cursor = view_.time_.cursor();
    if (!cursor || !axis_.range.contains(*cursor)) return;
    painter_.setPen(QPen(theme_.mutedText, 1, Qt::DotLine));
    painter_.drawLine(QPointF(axis_.x(*cursor), recorded::kRuler), QPointF(axis_.x(*cursor), bottom_));
  }

 private:
  const Recording& recording() const { return view_.opened_->recording; }

  void grid() {
    painter_.setPen(theme_.gridLine);
    for (const TimeTick& tick : axis_.ticks(kTickRoom)) {
      const double x = axis_.x(tick.time);
      painter_.drawLine(QPointF(x, recorded::kRuler), QPointF(x, bottom_));
    }
  }

  // Idle time is pale behind all lanes.
  void tint() {
    const recorded::Row& idle = view_.rows_.rows.front();
    double end = view_.rowTop(idle) + idle.height;
    for (const recorded::Row& row : view_.rows_.rows) {
      if (row.kind == recorded::Row::Kind::kLane) end = view_.rowTop(row) + row.height;
    }
    for (const recorded::Block& block : idle_blocks_) {
      const IdleReason reason = view_.opened_->idle[idle.spans.items[block.longest]].reason;
      const auto alpha = static_cast<float>(0.10 * block.covered);
      fill_translucent(painter_,
                       QRectF(block.left, view_.rowTop(idle) + idle.height, block.right - block.left,
                              end - view_.rowTop(idle) - idle.height),
                       with_alpha(idle_fill(theme_, reason), alpha));
    }
  }

  void row(const recorded::Row& row, double top) {
    painter_.fillRect(QRectF(0, top, axis_.left - 1, row.height), theme_.panel);
    painter_.setPen(theme_.gridLine);
    painter_.drawLine(QPointF(0, top + row.height - 0.5), QPointF(view_.viewport()->width(), top + row.height - 0.5));
    header(row, top);
    switch (row.kind) {
      case recorded::Row::Kind::kIdle: return idle(row, top);
      case recorded::Row::Kind::kLane: return lane(row, top);
      case recorded::Row::Kind::kThread: return launches(row, top);
    }
  }

  void header(const recorded::Row& row, double top) {
    const double height = row.height;
    const QRectF room(12, top, axis_.left - 24, height);
    const QString time = duration_text(Micros(row.time));
    QString title;
    QString more;
    if (row.kind == recorded::Row::Kind::kIdle) {
      title = RecordingTimeline::tr("Idle");
      more = time;
    } else if (row.kind == recorded::Row::Kind::kLane) {
      title = lane_text(recording(), row.number);
      more = kernels_text(row.spans.size());
    } else {
      title = RecordingTimeline::tr("Launches, thread %1").arg(row.number + 1);
      more = format::count(static_cast<std::int64_t>(row.spans.size()));
    }
    const QFont& font = row.kind == recorded::Row::Kind::kThread ? small_ : bold_;
    const double right = QFontMetricsF(small_).horizontalAdvance(more) + 8;
    painter_.setFont(font);
    const QString shown = QFontMetricsF(font).elidedText(title, Qt::ElideMiddle, room.width() - right);
    paint_text(painter_, theme_.text, room, kAtLeft, shown);
    paint_text(painter_, small_, theme_.mutedText, room, kAtRight, more);
  }

  void idle(const recorded::Row& row, double top) {
    const double height = row.height - 6;
    for (const recorded::Block& block : idle_blocks_) {
      const IdlePart& part = view_.opened_->idle[row.spans.items[block.longest]];
      // Of many short ones in a pixel the height says how much of it they are.
      const double own = std::max(1.0, height * block.covered);
      const QRectF box(block.left, top + 3 + height - own, block.right - block.left, own);
      paint_idle(painter_, box, theme_, part.reason);
      if (box.width() < kLeastWords) continue;
      const QString time = duration_text(Micros(part.end - part.begin));
      QString words = QStringLiteral("%1 %2").arg(idle_reason_text(part.reason, recording().of_processor), time);
      const QFontMetricsF metrics(small_);
      if (metrics.horizontalAdvance(words) > box.width() - 8) words = time;
      if (metrics.horizontalAdvance(words) > box.width() - 8) continue;
      const QRectF behind(box.center().x() - metrics.horizontalAdvance(words) / 2 - 3, box.top() + 1,
                          metrics.horizontalAdvance(words) + 6, box.height() - 2);
      painter_.fillRect(behind, theme_.canvas);
      paint_text(painter_, small_, theme_.text, box, Qt::AlignCenter, words);
    }
  }

  bool any(const std::vector<bool>& flags, const recorded::Row& row, const recorded::Block& block) const {
    if (flags.empty()) return false;
    for (std::size_t i = block.first; i < block.first + block.count; ++i) {
      if (flags[row.spans.items[i]]) return true;
    }
    return false;
  }

  void lane(const recorded::Row& row, double top) {
    const double height = row.height - 2 * recorded::kLaneMargin;
    painter_.setFont(small_);
    const QFontMetricsF metrics(small_);
    for (const recorded::Block& block : recorded::blocks_of(row.spans, axis_)) {
      const std::uint32_t kernel = row.spans.items[block.longest];
      const QColor fill = kernel_fill(theme_, recording().kernels[kernel].kind);
      const double own = height * std::max(block.covered, kLeastCovered);
      const QRectF box(block.left, top + recorded::kLaneMargin + height - own, block.right - block.left, own);
      const bool wide = box.width() >= kLeastGap;
      painter_.fillRect(wide ? box.adjusted(0, 0, -0.75, 0) : box, fill);
      if (block.count > 1 ? row.any_on_path(block.first, block.first + block.count)
                          : !view_.opened_->on_path.empty() && view_.opened_->on_path[kernel])
        painter_.fillRect(QRectF(box.left(), box.bottom() + 1, box.width(), kPathLine), theme_.text);
      if (any(view_.marked_, row, block)) {
        painter_.fillRect(QRectF(box.left(), box.top() - 4, std::max(box.width(), 2.0), 3), theme_.selection);
      }
      if (box.width() < kLeastName) continue;
      const QString name = metrics.elidedText(kernel_name(recording(), kernel), Qt::ElideRight, box.width() - 6);
      if (name.size() > 2) paint_text(painter_, Theme::readableOn(fill), box.adjusted(3, 0, -3, 0), kAtLeft, name);
    }
    if (!view_.chosen_ || recording().kernels[*view_.chosen_].lane != row.number) return;
    painter_.setPen(QPen(theme_.selection, 2));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(view_.rectOf(*view_.chosen_).adjusted(-1, -1, 1, 1));
  }

  void launches(const recorded::Row& row, double top) {
    for (const recorded::Block& block : recorded::blocks_of(row.spans, axis_)) {
      const double height = (row.height - 8) * std::max(block.covered, 0.2);
      painter_.fillRect(
          QRectF(block.left, top + row.height - 4 - height, std::max(block.right - block.left - 0.5, 1.0), height),
          theme_.boxLine);
    }
  }

  void arrow(const QPointF& from, const QPointF& to, const QPen& pen) {
    const double bend = std::clamp(std::abs(to.x() - from.x()) / 2, 14.0, 120.0);
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    painter_.setPen(pen);
    painter_.setBrush(Qt::NoBrush);
    painter_.drawPath(path);
    QPen solid(pen);
    solid.setStyle(Qt::SolidLine);
    painter_.setPen(solid);
    painter_.drawLine(to, to + QPointF(-5, -3));
    painter_.drawLine(to, to + QPointF(-5, 3));
  }

  void edges() {
    if (!view_.chosen_) return;
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing);
    const QRectF axis_area(axis_.left, recorded::kRuler, axis_.width, bottom_ - recorded::kRuler);
    painter_.setClipRect(axis_area, Qt::IntersectClip);
    for (const RecordedEdge& edge : view_.edges_) {
      const QRectF before = view_.rectOf(edge.before);
      const QRectF after = view_.rectOf(edge.after);
      const bool known = edge.certainty == EdgeCertainty::kKnown;
      arrow({before.right(), before.center().y()}, {after.left(), after.center().y()},
            QPen(theme_.selection, known ? 1.6 : 1.3, known ? Qt::SolidLine : Qt::DotLine));
    }
    const RecordedKernel& own = recording().kernels[*view_.chosen_];
    if (own.launch != kNoIndex) {
      const HostLaunch& launch = recording().launches[own.launch];
      if (const recorded::Row* row = view_.rows_.row_of_thread(launch.thread)) {
        const QRectF kernel = view_.rectOf(*view_.chosen_);
        arrow({axis_.x(Micros(launch.end - view_.rows_.zero)), view_.rowTop(*row) + row->height / 2},
              {kernel.left(), kernel.bottom()}, QPen(theme_.text, 1.2, Qt::DashLine));
      }
    }
    painter_.restore();
  }

  void ruler() {
    const QRectF area(0, 0, view_.viewport()->width(), recorded::kRuler);
    painter_.fillRect(area, theme_.panel);
    painter_.setFont(small_);
    paint_text(painter_, theme_.mutedText, QRectF(0, 0, axis_.left - 12, area.height()), kAtRight,
               RecordingTimeline::tr("time (%1)").arg(unit_text(axis_.unit(kTickRoom))));
    for (const TimeTick& tick : axis_.ticks(kTickRoom)) {
      const double x = axis_.x(tick.time);
      painter_.setPen(theme_.outline);
      painter_.drawLine(QPointF(x, area.bottom() - 6), QPointF(x, area.bottom()));
      const double width = QFontMetricsF(small_).horizontalAdvance(tick.label) + 2;
      const double left = std::clamp(x - width / 2, axis_.left - 4, std::max(axis_.left, area.right() - width));
      paint_text(painter_, theme_.text, QRectF(left, 0, width, area.height() - 6), Qt::AlignCenter, tick.label);
    }
    painter_.setPen(theme_.outline);
    painter_.drawLine(QPointF(0, area.bottom() - 0.5), QPointF(area.right(), area.bottom() - 0.5));
  }

  // The kinds of kernels, the most time first.
  void footer() {
    const QRectF area(0, bottom_, view_.viewport()->width(), recorded::kFooter);
    painter_.fillRect(area, theme_.panel);
    painter_.setPen(theme_.outline);
    painter_.drawLine(area.topLeft(), area.topRight());
    painter_.setFont(small_);
    double x = 12;
    const QFontMetricsF metrics(small_);
    const auto entry = [&](const QString& words, const auto& swatch) {
      const double width = metrics.horizontalAdvance(words);
      if (x + width + 40 > area.width()) return;
      swatch(QRectF(x, area.top() + 5, 12, 10));
      paint_text(painter_, theme_.text, QRectF(x + 17, area.top(), width + 2, area.height()), kAtLeft, words);
      x += width + 34;
    };
    if (!view_.opened_->on_path.empty()) {
      entry(RecordingTimeline::tr("critical path"), [&](const QRectF& box) {
        painter_.fillRect(QRectF(box.left(), box.center().y() - 1, box.width(), kPathLine), theme_.text);
      });
    }
    for (const KernelKind kind : view_.rows_.kinds) {
      entry(kernel_kind_text(kind), [&](const QRectF& box) { painter_.fillRect(box, kernel_fill(theme_, kind)); });
    }
    const QString hint = RecordingTimeline::tr("Wheel zooms · drag measures · Ctrl+drag pans · F shows all");
    if (x + metrics.horizontalAdvance(hint) + 24 < area.width())
      paint_text(painter_, theme_.mutedText, area.adjusted(0, 0, -12, 0), kAtRight, hint);
  }

  void measure(const TimeMeasure& measure) {
    const auto [from, to] = measure.range();
    const double left = std::clamp(axis_.x(from), axis_.left, axis_.right());
    const double right = std::clamp(axis_.x(to), axis_.left, axis_.right());
    const QRectF area(left, recorded::kRuler, right - left, bottom_ - recorded::kRuler);
    painter_.fillRect(area, with_alpha(theme_.selection, 0.12F));
    painter_.setPen(QPen(theme_.selection, 1.5));
    painter_.drawLine(area.topLeft(), area.bottomLeft());
    painter_.drawLine(area.topRight(), area.bottomRight());
    const recorded::RangeUse use = recorded::use_of(*view_.opened_, view_.rows_, {from, to});
    const double length = (to - from).count();
    const QString label =
        length > 0 ? RecordingTimeline::tr("Δt = %1 · %2 · busy %3")
                         .arg(duration_text(to - from), kernels_text(use.kernels), percent_text(use.busy / length))
                   : QString();
    if (label.isEmpty()) return;
    const double width = QFontMetricsF(bold_).horizontalAdvance(label) + 16;
    QRectF box(area.center().x() - width / 2, area.top() + 4, width, 22);
    box.moveLeft(std::clamp(box.left(), axis_.left, std::max(axis_.left, axis_.right() - width)));
    paint_box(painter_, QPen(theme_.selection, 1), theme_.panel, box, 4);
    paint_text(painter_, bold_, theme_.text, box, Qt::AlignCenter, label);
  }

  const RecordingTimeline& view_;
  const Theme& theme_;
  TimeAxis axis_;
  QPainter& painter_;
  QFont small_;
  QFont bold_;
  double bottom_;
  std::vector<recorded::Block> idle_blocks_;
};

void RecordingTimeline::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(viewport());
  painter.drawPixmap(0, 0, still_.picture(viewport()->size(), viewport()->devicePixelRatioF(), [this](QPainter& still) {
    Painter(*this, still).still();
  }));
  Painter(*this, painter).moving();
}

}  // namespace iosx
