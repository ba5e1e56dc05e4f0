#include "views/canvas/minimap.h"

#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/style/style.h"

namespace iosx::canvas {
namespace {

constexpr double kMapMargin = 5;
constexpr double kMapShare = 0.24;  // of the canvas's width and height
constexpr double kMapLargest = 220;

}  // namespace

Minimap::Minimap(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Overview of the graph"));
  setAccessibleDescription(tr("Drag the frame to move the view"));
  setToolTip(tr("Overview: drag to move the view"));
  setCursor(Qt::PointingHandCursor);
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
}

void Minimap::setScene(const Model* model, std::shared_ptr<const Drawing> drawing, const OverlayScale* overlay) {
  model_ = model;
  drawing_ = std::move(drawing);
  overlay_ = overlay;
  cached_ = {};
  update();
}

void Minimap::setTheme(const Theme& theme) {
  theme_ = theme;
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
    if (!node.unit.valid()) continue;
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
    if (unit.index() >= drawing_->layout.node_of.size() || !drawing_->layout.node_of[unit.index()]) continue;
    const QPointF at = place(drawing_->layout.nodes[*drawing_->layout.node_of[unit.index()]].box).center();
    painter.fillRect(QRectF(at - QPointF(1.5, 1.5), QSizeF(3, 3)), theme_.found);
  }
  QColor fill = theme_.selection;
  fill.setAlphaF(0.16F);
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

#include "moc_minimap.cpp"
