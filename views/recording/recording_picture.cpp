#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <vector>

#include "views/figures/paint.h"
#include "views/recording/recording_metrics.h"
#include "views/recording/recording_paint.h"
#include "views/recording/recording_picture.h"
#include "views/recording/recording_text.h"
#include "views/recording/recording_timeline.h"
#include "views/style/fills.h"
#include "views/text/format.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

constexpr double kTickRoom = 80;       // pixels between ticks of the ruler
constexpr double kLeastName = 28;      // pixels of a kernel for its name
constexpr double kLeastWords = 64;     // pixels of idle time for its reason
constexpr double kPathLine = 3;        // pixels, below kernels of the critical path
constexpr double kLeastCovered = 0.4;  // of a lane's height, of kernels that fill less of their pixel
constexpr double kLeastGap = 3;        // pixels of a kernel so that it has a border

class PicturePainter {
 public:
  PicturePainter(const RecordingPicture& picture, QPainter& painter)
      : picture_(picture),
        theme_(picture.theme),
        axis_(picture.axis),
        painter_(painter),
        small_(sized(picture.font, 11)),
        bold_(sized(picture.font, 12, true)),
        bottom_(picture.bottom()) {}

  void still() {
    painter_.fillRect(QRectF({}, picture_.size), theme_.canvas);
    idle_blocks_ = recorded::blocks_of(picture_.rows.rows.front().spans, axis_);
    painter_.save();
    painter_.setClipRect(QRectF(0, recorded::kRuler, picture_.size.width(), bottom_ - recorded::kRuler));
    grid();
    tint();
    for (const recorded::Row& row : picture_.rows.rows) {
      const double top = picture_.rowTop(row);
      if (top + row.height >= recorded::kRuler && top <= bottom_) this->row(row, top);
    }
    edges();
    painter_.restore();
    ruler();
    footer();
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
    const recorded::RangeUse use = recorded::use_of(picture_.opened, picture_.rows, {from, to});
    const double length = (to - from).count();
    const QString label = length > 0 ? RecordingTimeline::tr("Δt = %1 · %2 · busy %3")
                                           .arg(duration_text(to - from), kernels_text(recording(), use.kernels),
                                                percent_text(use.busy / length))
                                     : QString();
    if (label.isEmpty()) return;
    const double width = QFontMetricsF(bold_).horizontalAdvance(label) + 16;
    QRectF box(area.center().x() - width / 2, area.top() + 4, width, 22);
    box.moveLeft(std::clamp(box.left(), axis_.left, std::max(axis_.left, axis_.right() - width)));
    paint_box(painter_, QPen(theme_.selection, 1), theme_.panel, box, 4);
    paint_text(painter_, bold_, theme_.text, box, Qt::AlignCenter, label);
  }

 private:
  const Recording& recording() const { return picture_.opened.recording; }

  void grid() {
    painter_.setPen(theme_.gridLine);
    for (const TimeTick& tick : axis_.ticks(kTickRoom)) {
      const double x = axis_.x(tick.time);
      painter_.drawLine(QPointF(x, recorded::kRuler), QPointF(x, bottom_));
    }
  }

  // Idle time is pale behind all lanes.
  void tint() {
    const recorded::Row& idle = picture_.rows.rows.front();
    double end = picture_.rowTop(idle) + idle.height;
    for (const recorded::Row& row : picture_.rows.rows) {
      if (row.kind == recorded::Row::Kind::kLane) end = picture_.rowTop(row) + row.height;
    }
    for (const recorded::Block& block : idle_blocks_) {
      const IdleReason reason = picture_.opened.idle[idle.spans.items[block.longest]].reason;
      const auto alpha = static_cast<float>(0.10 * block.covered);
      fill_translucent(painter_,
                       QRectF(block.left, picture_.rowTop(idle) + idle.height, block.right - block.left,
                              end - picture_.rowTop(idle) - idle.height),
                       with_alpha(idle_fill(theme_, reason), alpha));
    }
  }

  void row(const recorded::Row& row, double top) {
    painter_.fillRect(QRectF(0, top, axis_.left - 1, row.height), theme_.panel);
    painter_.setPen(theme_.gridLine);
    painter_.drawLine(QPointF(0, top + row.height - 0.5), QPointF(picture_.size.width(), top + row.height - 0.5));
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
      more = kernels_text(recording(), row.spans.size());
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
      const IdlePart& part = picture_.opened.idle[row.spans.items[block.longest]];
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
                          : !picture_.opened.on_path.empty() && picture_.opened.on_path[kernel])
        painter_.fillRect(QRectF(box.left(), box.bottom() + 1, box.width(), kPathLine), theme_.text);
      if (any(picture_.marked, row, block)) {
        painter_.fillRect(QRectF(box.left(), box.top() - 4, std::max(box.width(), 2.0), 3), theme_.selection);
      }
      if (box.width() < kLeastName) continue;
      const QString name = metrics.elidedText(kernel_name(recording(), kernel), Qt::ElideRight, box.width() - 6);
      if (name.size() > 2) paint_text(painter_, Theme::readableOn(fill), box.adjusted(3, 0, -3, 0), kAtLeft, name);
    }
    if (!picture_.chosen || recording().kernels[*picture_.chosen].lane != row.number) return;
    painter_.setPen(QPen(theme_.selection, 2));
    painter_.setBrush(Qt::NoBrush);
    painter_.drawRect(picture_.rectOf(*picture_.chosen).adjusted(-1, -1, 1, 1));
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
    if (!picture_.chosen) return;
    painter_.save();
    painter_.setRenderHint(QPainter::Antialiasing);
    const QRectF axis_area(axis_.left, recorded::kRuler, axis_.width, bottom_ - recorded::kRuler);
    painter_.setClipRect(axis_area, Qt::IntersectClip);
    for (const RecordedEdge& edge : picture_.edges) {
      const QRectF before = picture_.rectOf(edge.before);
      const QRectF after = picture_.rectOf(edge.after);
      const bool known = edge.certainty == EdgeCertainty::kKnown;
      arrow({before.right(), before.center().y()}, {after.left(), after.center().y()},
            QPen(theme_.selection, known ? 1.6 : 1.3, known ? Qt::SolidLine : Qt::DotLine));
    }
    const RecordedKernel& own = recording().kernels[*picture_.chosen];
    if (own.launch != kNoIndex) {
      const HostLaunch& launch = recording().launches[own.launch];
      if (const recorded::Row* row = picture_.rows.row_of_thread(launch.thread)) {
        const QRectF kernel = picture_.rectOf(*picture_.chosen);
        arrow({axis_.x(Micros(launch.end - picture_.rows.zero)), picture_.rowTop(*row) + row->height / 2},
              {kernel.left(), kernel.bottom()}, QPen(theme_.text, 1.2, Qt::DashLine));
      }
    }
    painter_.restore();
  }

  void ruler() {
    const QRectF area(0, 0, picture_.size.width(), recorded::kRuler);
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
    const QRectF area(0, bottom_, picture_.size.width(), recorded::kFooter);
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
    if (!picture_.opened.on_path.empty()) {
      entry(RecordingTimeline::tr("critical path"), [&](const QRectF& box) {
        painter_.fillRect(QRectF(box.left(), box.center().y() - 1, box.width(), kPathLine), theme_.text);
      });
    }
    for (const KernelKind kind : picture_.rows.kinds) {
      entry(kernel_kind_text(kind), [&](const QRectF& box) { painter_.fillRect(box, kernel_fill(theme_, kind)); });
    }
    if (x + metrics.horizontalAdvance(picture_.hint) + 24 < area.width())
      paint_text(painter_, theme_.mutedText, area.adjusted(0, 0, -12, 0), kAtRight, picture_.hint);
  }

  const RecordingPicture& picture_;
  const Theme& theme_;
  TimeAxis axis_;
  QPainter& painter_;
  QFont small_;
  QFont bold_;
  double bottom_;
  std::vector<recorded::Block> idle_blocks_;
};

}  // namespace

double RecordingPicture::rowTop(const recorded::Row& row) const { return row.top + recorded::kRuler - scrolled; }

QRectF RecordingPicture::rectOf(std::uint32_t kernel) const {
  const RecordedKernel& own = opened.recording.kernels[kernel];
  const double left = axis.x(Micros(own.begin - rows.zero));
  const double right = axis.x(Micros(own.end - rows.zero));
  const recorded::Row& row = *rows.row_of_lane(own.lane);
  return {left, rowTop(row) + recorded::kLaneMargin, std::max(right - left, 1.0),
          row.height - 2 * recorded::kLaneMargin};
}

double RecordingPicture::bottom() const { return size.height() - recorded::kFooter; }

void RecordingPicture::paint(QPainter& painter) const { PicturePainter(*this, painter).still(); }

void RecordingPicture::paintMeasure(QPainter& painter, const TimeMeasure& measure) const {
  PicturePainter(*this, painter).measure(measure);
}

TimeAxis recording_axis(TimeRange range, double width) {
  return {range, recorded::kHeaderWidth, std::max(width - recorded::kHeaderWidth - recorded::kRightRoom, 16.0)};
}

std::unique_ptr<Figure> recording_figure(std::shared_ptr<const OpenedRecording> opened, TimeRange range,
                                         std::vector<bool> marked, const QString& title) {
  struct Shown {
    std::shared_ptr<const OpenedRecording> opened;
    recorded::Rows rows;
    TimeRange range;
    std::vector<bool> marked;
    std::vector<RecordedEdge> edges = {};  // none: nothing is chosen in a figure
  };
  const auto shown = std::make_shared<const Shown>(Shown{opened, recorded::rows_of(*opened), range, std::move(marked)});
  const auto paint = [shown](QPainter& painter, const QRectF& area, const Theme& theme) {
    painter.save();
    painter.translate(area.topLeft());
    RecordingPicture{.opened = *shown->opened,
                     .rows = shown->rows,
                     .theme = theme,
                     .axis = recording_axis(shown->range, area.width()),
                     .size = area.size(),
                     .marked = shown->marked,
                     .edges = shown->edges,
                     .font = painter.font()}
        .paint(painter);
    painter.restore();
  };
  const auto csv = [shown] {
    const Recording& recording = shown->opened->recording;
    QString lines = csv_record({"kernel", "stream", "kind", "begin_ms", "duration_ms"});
    for (const RecordedKernel& kernel : recording.kernels) {
      const TimeRange own{Micros(kernel.begin - shown->rows.zero), Micros(kernel.end - shown->rows.zero)};
      if (own.end <= shown->range.begin || own.begin >= shown->range.end) continue;
      const auto ms = [](Micros time) { return csv_number(time.count() / 1000); };
      lines += csv_record({kernel_name(recording, static_cast<std::uint32_t>(&kernel - recording.kernels.data())),
                           lane_text(recording, kernel.lane), kernel_kind_text(kernel.kind), ms(own.begin),
                           ms(own.end - own.begin)});
    }
    return lines;
  };
  return figure_of({.title = title,
                    .file_stem = QStringLiteral("recording"),
                    .size = {1200, shown->rows.height + recorded::kRuler + recorded::kFooter + 2},
                    .paint = paint,
                    .csv = csv});
}

}  // namespace iosx
