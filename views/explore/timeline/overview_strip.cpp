#include "views/explore/timeline/overview_strip.h"

#include "views/figures/paint.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace iosx {
namespace {

constexpr double kGripPixels = 5;
constexpr double kLeastWindow = 3;  // pixels: it is drawn at least as wide
constexpr double kMargin = 4;       // above and below the rows
constexpr double kMostRow = 9;
constexpr int kShades = 32;
constexpr double kStripWheelZoom = 0.8;  // a notch
constexpr double kKeyStep = 0.25;        // of what is visible

}  // namespace

OverviewWindow::Grip OverviewWindow::grip_at(double x) const {
  const double to_begin = std::abs(x - left());
  const double to_end = std::abs(x - right());
  // Inside, the grips of an edge take at most a third of the window.
  const double reach = std::min(kGripPixels, std::max((right() - left()) / 3, 1.0));
  const auto near = [&](double distance, bool outside) { return distance <= (outside ? kGripPixels : reach); };
  if (near(to_begin, x < left()) && to_begin <= to_end) return Grip::kBegin;
  if (near(to_end, x > right())) return Grip::kEnd;
  return x > left() && x < right() ? Grip::kInside : Grip::kNone;
}

TimeRange OverviewWindow::dragged(Grip grip, Micros by) const {
  switch (grip) {
    case Grip::kBegin: return {std::min(visible.begin + by, visible.end), visible.end};
    case Grip::kEnd: return {visible.begin, std::max(visible.end + by, visible.begin)};
    case Grip::kInside: return panned(visible, by);
    case Grip::kNone: break;
  }
  return visible;
}

OverviewStrip::OverviewStrip(TimeAxisModel* axis, QWidget* parent) : QWidget(parent), time_(axis) {
  setAccessibleName(tr("Overview of the whole run"));
  setFocusPolicy(Qt::TabFocus);
  setMouseTracking(true);
  for (const auto changed :
       {&TimeAxisModel::visibleChanged, &TimeAxisModel::measureChanged, &TimeAxisModel::playheadChanged}) {
    connect(time_, changed, this, qOverload<>(&QWidget::update));
  }
  follow_theme(this, theme_, [this] {
    still_.invalidate();
    update();
  });
}

void OverviewStrip::setScene(const TimelineScene* scene) {
  scene_ = scene;
  still_.invalidate();
  update();
}

OverviewWindow OverviewStrip::window() const {
  const double left = TimelineScene::kHeaderWidth;
  const double right_margin = std::max(0.0, time_->rightMargin());
  return {{time_->extent(), left, std::max(16.0, width() - left - right_margin)}, time_->visible()};
}

void OverviewStrip::drawRuns(QPainter& painter) const {
  painter.fillRect(rect(), theme_.panel);
  if (scene_ == nullptr || scene_->bands().empty()) return;
  const TimeAxis axis = window().axis;
  const double each = std::min(kMostRow, (height() - 2 * kMargin) / static_cast<double>(scene_->bands().size()));
  double y = (height() - each * static_cast<double>(scene_->bands().size())) / 2;
  for (const TimelineBand& band : scene_->bands()) {
    // Rows without a name need no greys of their own.
    const QColor color = scene_->in_focus(band) ? theme_.accent : theme_.schedule(ScheduleKind::kSequential);
    const double end = std::min(axis.right(), axis.x(band.index->end()));
    // Shades say how many of the lanes are busy; columns of one shade are one rectangle.
    const auto shade = [&](double x) {
      Micros busy{0};
      for (const LaneIndex& lane : band.lanes) busy += lane.busy_between(axis.time(x), axis.time(x + 1));
      const double share = busy / (axis.duration(1) * static_cast<double>(band.lanes.size()));
      return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * kShades));
    };
    double begin = axis.left;
    int last = end > begin ? shade(begin) : 0;
    for (double x = begin; x < end; ++x) {
      const double next = std::min(end, x + 1);
      const int own = next < end ? shade(next) : -1;
      if (own == last) continue;
      const QColor fill = with_alpha(color, static_cast<float>(0.12 + 0.88 * last / kShades));
      painter.fillRect(QRectF(begin, y, next - begin, std::max(1.0, each - 1)), fill);
      begin = next;
      last = own;
    }
    y += each;
  }
  painter.setPen(theme_.outline);
  painter.drawLine(QPointF(0, height() - 0.5), QPointF(width(), height() - 0.5));
}

void OverviewStrip::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.drawPixmap(0, 0, still_.picture(size(), devicePixelRatioF(), [this](QPainter& still) { drawRuns(still); }));
  if (scene_ == nullptr || scene_->bands().empty()) return;
  const OverviewWindow window = this->window();
  const double left = window.left();
  const double right = std::max(window.right(), left + kLeastWindow);
  const QColor veil = with_alpha(theme_.canvas, 0.62F);
  painter.fillRect(QRectF(window.axis.left, 0, left - window.axis.left, height() - 1), veil);
  painter.fillRect(QRectF(right, 0, window.axis.right() - right, height() - 1), veil);
  const auto line = [&](Micros time, const QPen& pen) {
    painter.setPen(pen);
    painter.drawLine(QPointF(window.axis.x(time), 1), QPointF(window.axis.x(time), height() - 2));
  };
  if (const auto measure = time_->measure()) {
    const QColor band = with_alpha(theme_.selection, 0.25F);
    const TimeRange range = measure->range();
    painter.fillRect(QRectF(QPointF(window.axis.x(range.begin), 1), QPointF(window.axis.x(range.end), height() - 2)),
                     band);
  }
  if (time_->playhead()) line(*time_->playhead(), QPen(theme_.text, 1.5));
  paint_box(painter, QPen(hasFocus() ? theme_.selection : theme_.mutedText, hasFocus() ? 2 : 1), Qt::NoBrush,
            QRectF(QPointF(left, 1.5), QPointF(right, height() - 2.5)));
  for (const double x : {left, right}) {  // what the edges are taken hold of by
    painter.fillRect(QRectF(x - 1.5, height() / 2.0 - 6, 3, 12), painter.pen().color());
  }
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  press_ = event->position().x();
  pressed_ = window();
  grip_ = pressed_.grip_at(press_);
  if (grip_ != OverviewWindow::Grip::kNone) return;
  // Beside the window: it comes here, and can be dragged on.
  const Micros half = pressed_.visible.length() / 2;
  const Micros middle = pressed_.axis.time(press_);
  time_->setVisible({middle - half, middle + half});
  pressed_ = window();
  grip_ = OverviewWindow::Grip::kInside;
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (grip_ != OverviewWindow::Grip::kNone) {
    time_->setVisible(pressed_.dragged(grip_, pressed_.axis.duration(x - press_)));
    return;
  }
  switch (window().grip_at(x)) {
    case OverviewWindow::Grip::kBegin:
    case OverviewWindow::Grip::kEnd: return setCursor(Qt::SizeHorCursor);
    case OverviewWindow::Grip::kInside: return setCursor(Qt::OpenHandCursor);
    case OverviewWindow::Grip::kNone: unsetCursor();
  }
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent* /*event*/) { grip_ = OverviewWindow::Grip::kNone; }

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent* /*event*/) { time_->fitAll(); }

void OverviewStrip::wheelEvent(QWheelEvent* event) {
  time_->zoomAt(window().axis.time(event->position().x()), std::pow(kStripWheelZoom, event->angleDelta().y() / 120.0));
  event->accept();
}

void OverviewStrip::keyPressEvent(QKeyEvent* event) {
  const TimeRange visible = time_->visible();
  const Micros middle = (visible.begin + visible.end) / 2;
  switch (event->key()) {
    case Qt::Key_Left: return time_->pan(-visible.length() * kKeyStep);
    case Qt::Key_Right: return time_->pan(visible.length() * kKeyStep);
    case Qt::Key_Up: return time_->zoomAt(middle, kStripWheelZoom);
    case Qt::Key_Down: return time_->zoomAt(middle, 1 / kStripWheelZoom);
    case Qt::Key_Home: return time_->fitAll();
    default: QWidget::keyPressEvent(event);
  }
}

}  // namespace iosx

#include "moc_overview_strip.cpp"
