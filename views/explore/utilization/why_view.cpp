#include "views/explore/utilization/why_view.h"

#include <QApplication>
#include <QGuiApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStringList>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/figures/paint.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/text/translate.h"

namespace iosx {
namespace {

constexpr double kNotchZoom = 0.8;
constexpr double kLeastRight = 8;
constexpr double kUsualLeft = 236;
constexpr double kFigureWidth = 1400;
constexpr double kFigurePlot = 96;
constexpr double kFigureRight = 26;
constexpr double kLeastTexts = 190;   // left of the axis of a narrow figure
constexpr double kTextsShare = 0.36;  // of its width
constexpr double kBeyondEnd = 1.06;

}  // namespace

WhyView::WhyView(TimeAxisModel* axis, QWidget* parent) : QAbstractScrollArea(parent), time_(axis) {
  setFrameShape(NoFrame);
  setFocusPolicy(Qt::StrongFocus);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setMouseTracking(true);
  setAccessibleName(tr("Why it is faster"));
  for (const auto changed : {&TimeAxisModel::visibleChanged, &TimeAxisModel::marginsChanged}) {
    connect(time_, changed, this, &WhyView::redraw);
  }
  for (const auto changed :
       {&TimeAxisModel::cursorChanged, &TimeAxisModel::playheadChanged, &TimeAxisModel::measureChanged}) {
    connect(time_, changed, viewport(), qOverload<>(&QWidget::update));
  }
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &WhyView::redraw);
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void WhyView::setPanel(const std::shared_ptr<const WhyPanel>& panel) {
  panel_ = panel;
  setAccessibleName(panel ? panel->title : tr("Why it is faster"));
  setAccessibleDescription(panel ? (panel->ratios.isEmpty() ? panel->identity : panel->ratios) : QString());
  layOut();
}

void WhyView::setTheme(const Theme& theme) {
  theme_ = theme;
  redraw();
}

void WhyView::redraw() {
  still_.invalidate();
  viewport()->update();
}

// The scroll bar takes away from the right margin, so that the plots line up with the timeline.
TimeAxis WhyView::axis() const {
  const double left = time_->leftMargin() > 0 ? time_->leftMargin() : kUsualLeft;
  const double right = std::min(width() - time_->rightMargin(), viewport()->width() - kLeastRight);
  return {time_->visible(), left, std::max(right - left, 16.0)};
}

bool WhyView::onAxis(double x) const { return x >= axis().left && x <= axis().right(); }

WhyPicture WhyView::picture() const {
  WhyPicture picture{.axis = axis(), .extent = time_->extent()};
  picture.first = static_cast<std::size_t>(verticalScrollBar()->value());
  return picture;
}

WhyLayout WhyView::places() const {
  if (!panel_) return {};
  return WhyPainter(*panel_, picture(), theme_, font()).layout(viewport()->rect());
}

void WhyView::layOut() {
  std::size_t fit = 0;
  if (panel_) {
    WhyPicture top = picture();
    top.first = 0;
    fit = WhyPainter(*panel_, top, theme_, font()).layout(viewport()->rect()).plots.size();
  }
  const int hidden = panel_ ? static_cast<int>(panel_->plots.size() - fit) : 0;
  verticalScrollBar()->setPageStep(std::max(1, static_cast<int>(fit)));
  verticalScrollBar()->setSingleStep(1);
  verticalScrollBar()->setRange(0, fit > 0 ? hidden : 0);
  redraw();
}

void WhyView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  layOut();
}

void WhyView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  if (!panel_) {
    painter.fillRect(viewport()->rect(), theme_.canvas);
    return paint_text(painter, theme_.mutedText, viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap,
                      tr("No traced run yet: press Optimize to run schedules on the device"));
  }
  painter.drawPixmap(0, 0, still_.picture(viewport()->size(), viewport()->devicePixelRatioF(), [this](QPainter& still) {
    WhyPainter(*panel_, picture(), theme_, font()).paint(still, viewport()->rect());
  }));
  const WhyLayout places = this->places();
  if (places.plots.empty()) return;
  const TimeAxis axis = this->axis();
  const double top = places.plots.front().top() + 2;
  const double bottom = places.plots.back().bottom();
  const auto line = [&](std::optional<Micros> time, const QPen& pen) {
    if (!time || *time < axis.range.begin || *time > axis.range.end) return;
    painter.setPen(pen);
    painter.drawLine(QPointF(axis.x(*time), top), QPointF(axis.x(*time), bottom));
  };
  if (const auto measure = time_->measure()) {
    const double from = std::max(axis.left, axis.x(measure->range().begin));
    const double to = std::min(axis.right(), axis.x(measure->range().end));
    if (to >= from) {
      paint_box(painter, QPen(theme_.selection, 1.5), with_alpha(theme_.selection, 0.12F),
                QRectF(QPointF(from, top), QPointF(to, bottom)));
    }
  }
  line(time_->cursor(), QPen(theme_.mutedText, 1, Qt::DotLine));
  line(time_->playhead(), QPen(theme_.text, 1.5));
}

bool WhyView::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), toolTipAt(help->pos()), viewport());
    return true;
  }
  if (event->type() == QEvent::Leave) time_->setCursor(std::nullopt);
  return QAbstractScrollArea::viewportEvent(event);
}

QString WhyView::toolTipAt(QPointF at) const {
  // Names are not markup.
  return panel_ ? plain_tip(WhyPainter(*panel_, picture(), theme_, font()).tip(viewport()->rect(), at)) : QString();
}

void WhyView::wheelEvent(QWheelEvent* event) {
  const QPoint delta = event->angleDelta();
  const TimeAxis axis = this->axis();
  if (!onAxis(event->position().x()) || event->modifiers().testFlag(Qt::ShiftModifier)) {
    const int notches = delta.y() != 0 ? delta.y() : delta.x();  // Shift makes some systems turn it
    verticalScrollBar()->setValue(verticalScrollBar()->value() - (notches > 0 ? 1 : -1));
  } else if (std::abs(delta.x()) > std::abs(delta.y())) {
    time_->pan(axis.duration(-delta.x() / 2.0));
  } else {
    time_->zoomAt(axis.time(event->position().x()), std::pow(kNotchZoom, delta.y() / 120.0));
  }
  event->accept();
}

void WhyView::mousePressEvent(QMouseEvent* event) {
  press_ = last_ = event->position();
  const bool pan = event->button() == Qt::MiddleButton || event->modifiers().testFlag(Qt::ControlModifier);
  gesture_ = pan ? Gesture::kPan : event->button() == Qt::LeftButton ? Gesture::kPress : Gesture::kNone;
}

void WhyView::mouseMoveEvent(QMouseEvent* event) {
  const TimeAxis axis = this->axis();
  const double x = event->position().x();
  time_->setCursor(onAxis(x) ? std::optional(axis.time(x)) : std::nullopt);
  const bool dragged = (event->position() - press_).manhattanLength() >= QApplication::startDragDistance();
  if (gesture_ == Gesture::kPress && dragged && onAxis(press_.x()) && panel_) {
    gesture_ = Gesture::kMeasure;
    time_->setMeasure(TimeMeasure{axis.time(press_.x()), axis.time(press_.x())});
  }
  if (gesture_ == Gesture::kPan) time_->pan(axis.duration(last_.x() - x));
  if (gesture_ == Gesture::kMeasure && time_->measure()) {
    time_->setMeasure(TimeMeasure{time_->measure()->from, axis.time(std::clamp(x, axis.left, axis.right()))});
  }
  last_ = event->position();
}

void WhyView::mouseReleaseEvent(QMouseEvent* event) {
  const Gesture done = std::exchange(gesture_, Gesture::kNone);
  if (done == Gesture::kPress && panel_ && onAxis(event->position().x())) {
    time_->setPlayhead(axis().time(event->position().x()));
  }
  const auto measure = time_->measure();
  if (done == Gesture::kMeasure && measure && measure->from == measure->to) time_->setMeasure(std::nullopt);
}

void WhyView::keyPressEvent(QKeyEvent* event) {
  if (!time_->handleKey(event->key())) QAbstractScrollArea::keyPressEvent(event);
}

std::unique_ptr<Figure> WhyView::figure() const {
  const TimeRange range = time_->visible() == time_->extent() ? TimeRange{} : time_->visible();
  return panel_ ? make_why_figure(panel_, range) : nullptr;
}

namespace {

// One record a step: of every run the time by kernels in flight, the kernels in flight, the work done, the counters.
QString why_csv(const WhyPanel& panel, TimeRange range) {
  QString text = csv_record({"schedule", "origin", "quantity", "begin_us", "end_us", "value"});
  for (std::size_t i = 0; i < panel.runs.size(); ++i) {
    const WhyRun& run = panel.runs[i];
    const ScheduleResult& result = run.track.schedule();
    const auto record = [&](const QString& what, Micros begin, Micros end, double value) {
      text += csv_record({run.track.name(), origin_id(result.latency.origin), what, csv_number(begin.count()),
                          csv_number(end.count()), csv_number(value)});
    };
    for (std::size_t n = 0; n < run.in_flight.times.size(); ++n) {
      record(QStringLiteral("time_with_%1_in_flight_us").arg(n), Micros(0), run.in_flight.run(),
             run.in_flight.times[n].count());
    }
    const auto seen = [&](Micros begin, Micros end) { return end >= range.begin && begin <= range.end; };
    for (const WhyPlot& plot : panel.plots) {
      if (plot.kind == WhyPlot::Kind::kWorkDone) {
        for (const WorkDone::Point& point : run.work ? run.work->points : std::vector<WorkDone::Point>()) {
          const Micros at = run.warp.shown(point.time);
          if (seen(at, at)) record(plot.column, at, at, point.share);
        }
      } else if (plot.curves[i]) {
        const StepSeries& steps = plot.curves[i]->steps;
        for (std::size_t s = 0; s < steps.size(); ++s) {
          const Micros begin = run.warp.shown(steps.times()[s]);
          const Micros own_end = s + 1 < steps.size() ? steps.times()[s + 1] : steps.end();
          const Micros end = begin + (own_end - steps.times()[s]);
          if (seen(begin, end)) record(plot.column, begin, end, steps.values()[s]);
        }
      }
    }
  }
  return text;
}

}  // namespace

std::unique_ptr<Figure> make_why_figure(std::shared_ptr<const WhyPanel> panel, TimeRange range) {
  Micros end{0};
  QStringList contexts;  // of every comparison shown, each once
  QStringList recorded;
  for (const WhyRun& run : panel->runs) {
    end = std::max(end, run.warp.shown(run.in_flight.run()));
    contexts << context_text(*run.track.comparison);
    recorded << shown_name(run.track.comparison->recorded.text());
  }
  contexts.removeDuplicates();
  recorded.removeAll(QString());
  recorded.removeDuplicates();
  const TimeRange extent{Micros(0), end * kBeyondEnd};
  if (range.length() <= Micros(0)) range = extent;
  const auto picture_in = [range, extent](const QRectF& area) {
    const double left = area.left() + std::clamp(kTextsShare * area.width(), kLeastTexts, kUsualLeft);
    return WhyPicture{.axis = {range, left, std::max(area.right() - kFigureRight - left, 40.0)},
                      .left = area.left(),
                      .extent = extent};
  };
  const auto height = [panel, picture_in](double width) {
    const QFont font = QGuiApplication::font();
    return WhyPainter(*panel, picture_in({0, 0, width, 1}), Theme::light(), font).height(kFigurePlot);
  };
  const auto paint = [panel, picture_in](QPainter& painter, const QRectF& area, const Theme& theme) {
    WhyPainter(*panel, picture_in(area), theme, QGuiApplication::font()).paint(painter, area);
  };
  return figure_of({.title = Text::tr("%1: %2").arg(panel->title, contexts.join(QStringLiteral("; "))),
                    .file_stem = QStringLiteral("why"),
                    .size = {kFigureWidth, height(kFigureWidth)},
                    .paint = paint,
                    .csv = [panel, range] { return why_csv(*panel, range); },
                    .recorded = recorded.join(QStringLiteral("; ")),
                    .height_within = height});
}

std::unique_ptr<Figure> make_why_figure(const std::shared_ptr<const Comparison>& comparison) {
  std::optional<WarpedTrack> baseline;
  std::optional<WarpedTrack> best;
  for (TimelineTrack& track : tracks_of(comparison)) {
    if (&track.schedule() == comparison->find(ScheduleKind::kSequential)) baseline = WarpedTrack{track};
    if (track.result == comparison->best()) best = WarpedTrack{track};
  }
  auto panel = best ? why_panel(baseline, *best) : nullptr;
  return panel ? make_why_figure(std::move(panel), TimeRange{}) : nullptr;
}

}  // namespace iosx

#include "moc_why_view.cpp"
