#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScreen>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/canvas/corner_cards.h"

namespace iosx::canvas {
namespace {

constexpr int kLeastCanvasWidth = 420;
constexpr int kLeastCanvasHeight = 240;
constexpr double kCardWidth = 0.3;    // of the canvas's
constexpr double kCardHeight = 0.55;  // of the canvas's
constexpr double kCardPadding = 4;    // above and below
constexpr double kMapMargin = 5;
constexpr double kMapShare = 0.24;  // of the canvas's width and height
constexpr double kMapLargest = 220;

}  // namespace

LegendCard::LegendCard(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Legend of the graph"));
  follow_theme(this, theme_, [this] { redraw(); });
}

void LegendCard::setLegend(GraphLegend legend, OverlayScale overlay) {
  legend_ = std::move(legend);
  overlay_ = std::move(overlay);
  scrolled_ = 0;
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

Minimap::Minimap(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Overview of the graph"));
  setAccessibleDescription(tr("Drag the frame to move the view"));
  setToolTip(tr("Overview: drag to move the view"));
  setCursor(Qt::PointingHandCursor);
  follow_theme(this, theme_, [this] {
    cached_ = {};
    update();
  });
}

void Minimap::setScene(const Model* model, std::shared_ptr<const Drawing> drawing, const OverlayScale* overlay) {
  model_ = model;
  drawing_ = std::move(drawing);
  overlay_ = overlay;
  cached_ = {};
  update();
}

void Minimap::setView(const Rect& visible) {
  view_ = visible;
  update();
}

void Minimap::setFound(std::vector<UnitId> found) {
  found_ = std::move(found);
  update();
}

QSize Minimap::sizeFor(const QSize& canvas) const {
  if (!drawing_ || drawing_->layout.bounds.empty()) return {};
  const Rect& bounds = drawing_->layout.bounds;
  const double width = std::min(kMapLargest, kMapShare * canvas.width()) - 2 * kMapMargin;
  const double height = std::min(kMapLargest, kMapShare * canvas.height()) - 2 * kMapMargin;
  const double scale = std::min(width / bounds.width, height / bounds.height);
  return {static_cast<int>(bounds.width * scale + 2 * kMapMargin),
          static_cast<int>(bounds.height * scale + 2 * kMapMargin)};
}

double Minimap::scale() const {
  const Rect& bounds = drawing_->layout.bounds;
  return std::min((width() - 2 * kMapMargin) / bounds.width, (height() - 2 * kMapMargin) / bounds.height);
}

QRectF Minimap::place(const Rect& rect) const {
  const Rect& bounds = drawing_->layout.bounds;
  const double s = scale();
  return {kMapMargin + (rect.x - bounds.x) * s, kMapMargin + (rect.y - bounds.y) * s, rect.width * s, rect.height * s};
}

void Minimap::paintDrawing(QPainter& painter) const {
  for (const FrameBox& frame : drawing_->layout.frames) painter.fillRect(place(frame.box), theme_.gridLine);
  for (const NodeBox& node : drawing_->layout.nodes) {
    const bool overlaid = overlay_ != nullptr && overlay_->active();
    const QColor fill =
        overlaid ? overlay_->color(node.unit, theme_) : theme_.operatorFill(model_->labels[node.unit.index()].what);
    QRectF box = place(node.box);
    box.setSize(box.size().expandedTo(QSizeF(1, 1)));
    painter.fillRect(box, fill);
  }
}

void Minimap::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  if (model_ == nullptr || !drawing_ || drawing_->layout.bounds.empty()) return;
  const double ratio = devicePixelRatioF();
  if (cached_.isNull() || cached_.devicePixelRatioF() != ratio) {
    cached_ = QPixmap(static_cast<int>(std::ceil(width() * ratio)), static_cast<int>(std::ceil(height() * ratio)));
    cached_.setDevicePixelRatio(ratio);
    cached_.fill(theme_.panel);
    QPainter drawing(&cached_);
    paintDrawing(drawing);
  }
  painter.drawPixmap(0, 0, cached_);
  for (const UnitId unit : found_) {
    const Rect* box = drawing_->layout.box_of(unit);
    if (box != nullptr) painter.fillRect(QRectF(place(*box).center() - QPointF(1.5, 1.5), QSizeF(3, 3)), theme_.found);
  }
  const QColor fill = with_alpha(theme_.selection, 0.16F);
  const QRectF frame = place(view_).intersected(QRectF(rect()).adjusted(1, 1, -1, -1));
  painter.fillRect(frame, fill);
  painter.setPen(QPen(theme_.selection, 1.5));
  painter.drawRect(frame);
  painter.setPen(theme_.outline);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void Minimap::resizeEvent(QResizeEvent* /*event*/) { cached_ = {}; }

void Minimap::goTo(const QPointF& at) {
  if (!drawing_ || drawing_->layout.bounds.empty()) return;
  const Rect& bounds = drawing_->layout.bounds;
  emit movedTo({bounds.x + (at.x() - kMapMargin) / scale(), bounds.y + (at.y() - kMapMargin) / scale()});
}

void Minimap::mousePressEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) goTo(event->position());
  event->accept();
}

void Minimap::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons().testFlag(Qt::LeftButton)) goTo(event->position());
  event->accept();
}

void Minimap::wheelEvent(QWheelEvent* event) { event->accept(); }

}  // namespace iosx::canvas

#include "moc_corner_cards.cpp"
