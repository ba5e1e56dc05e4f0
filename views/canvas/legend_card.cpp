#include "views/canvas/legend_card.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/style/style.h"

namespace iosx::canvas {
namespace {

constexpr int kLeastCanvasWidth = 420;
constexpr int kLeastCanvasHeight = 240;
constexpr double kCardWidth = 0.3;    // of the canvas's
constexpr double kCardHeight = 0.55;  // of the canvas's
constexpr double kCardPadding = 4;    // above and below

}  // namespace

LegendCard::LegendCard(QWidget* parent) : QWidget(parent) { setAccessibleName(tr("Legend of the graph")); }

void LegendCard::setLegend(GraphLegend legend, OverlayScale overlay) {
  legend_ = std::move(legend);
  overlay_ = std::move(overlay);
  scrolled_ = 0;
  redraw();
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void LegendCard::setTheme(const Theme& theme) {
  theme_ = theme;
  redraw();
}

void LegendCard::redraw() {
  still_.invalidate();
  update();
}

QSize LegendCard::sizeFor(const QSize& canvas) const { return sizeFor(canvas, legend_, overlay_); }

QSize LegendCard::sizeFor(const QSize& canvas, const GraphLegend& legend, const OverlayScale& overlay) {
  if (canvas.width() < kLeastCanvasWidth || canvas.height() < kLeastCanvasHeight) return {};
  const double most = kCardWidth * canvas.width();
  const double width = std::min(most, std::max(legend.columnWidth(overlay), overlay.title().isEmpty() ? 0.0 : 250.0));
  const double height = legend.height(width, overlay) + 2 * kCardPadding;
  if (height <= 2 * kCardPadding) return {};
  return {static_cast<int>(std::ceil(width)),
          static_cast<int>(std::ceil(std::min(height, kCardHeight * canvas.height())))};
}

void LegendCard::popUp(const QPoint& top_right) {
  setWindowFlag(Qt::Popup);
  const QRect room = screen()->availableGeometry();
  const QSize size = sizeFor(room.size());
  if (size.isEmpty()) return deleteLater();
  const auto within = [](int at, int length, int from, int to) { return std::max(from, std::min(at, to - length)); };
  setGeometry(within(top_right.x() - size.width(), size.width(), room.left(), room.right()),
              within(top_right.y(), size.height(), room.top(), room.bottom()), size.width(), size.height());
  show();
}

double LegendCard::hidden() const {
  return std::max(0.0, legend_.height(width(), overlay_) + 2 * kCardPadding - height());
}

void LegendCard::paintEvent(QPaintEvent* /*event*/) {
  QPainter(this).drawPixmap(0, 0,
                            still_.picture(size(), devicePixelRatioF(), [this](QPainter& painter) { draw(painter); }));
}

void LegendCard::changeEvent(QEvent* event) {
  redraw();  // of its font, perhaps
  QWidget::changeEvent(event);
}

void LegendCard::draw(QPainter& painter) const {
  painter.fillRect(rect(), theme_.panel);
  const double height_of_all = legend_.height(width(), overlay_);
  legend_.paint(painter, QRectF(0, kCardPadding - scrolled_, width(), height_of_all), overlay_, theme_);
  if (hidden() - scrolled_ > 1) {  // more below
    QLinearGradient fade(0, height() - 16, 0, height());
    QColor clear = theme_.panel;
    clear.setAlpha(0);
    fade.setColorAt(0, clear);
    fade.setColorAt(1, theme_.outline);
    painter.fillRect(QRectF(0, height() - 16, width(), 16), fade);
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
  painter.setPen(theme_.outline);
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void LegendCard::resizeEvent(QResizeEvent* /*event*/) {
  scrolled_ = std::min(scrolled_, hidden());
  redraw();
}

void LegendCard::keyPressEvent(QKeyEvent* event) {
  event->ignore();
  const bool modifier = event->text().isEmpty() && event->key() >= Qt::Key_Shift && event->key() <= Qt::Key_ScrollLock;
  if (isWindow() && !modifier) close();
}

// A click on the legend is none on the graph behind it.
void LegendCard::mousePressEvent(QMouseEvent* event) {
  event->accept();
  if (isWindow()) close();
}
void LegendCard::mouseReleaseEvent(QMouseEvent* event) { event->accept(); }
void LegendCard::mouseDoubleClickEvent(QMouseEvent* event) { event->accept(); }

void LegendCard::wheelEvent(QWheelEvent* event) {
  scrolled_ = std::clamp(scrolled_ - event->angleDelta().y() / 4.0, 0.0, hidden());
  event->accept();
  redraw();
}

}  // namespace iosx::canvas

#include "moc_legend_card.cpp"
