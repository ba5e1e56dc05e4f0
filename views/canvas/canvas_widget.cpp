#include "views/canvas/canvas_widget.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <utility>

#include "views/canvas/find_bar.h"

namespace iosx {
namespace {

constexpr double kDragDistance = 4;   // pixels
constexpr double kZoomStep = 1.0015;  // a wheel unit, an eighth of a degree
constexpr double kKeyZoom = 1.25;
constexpr int kFindWidth = 460;
constexpr int kFindMargin = 8;

}  // namespace

namespace canvas {

Pointer ToolHand::pressed(const QMouseEvent& event) {
  const QPointF at = event.position();
  return {at, at, at, event.button(), event.modifiers(), false};
}

void ToolHand::take(const Pointer& pressed, std::shared_ptr<CanvasTool> tool) {
  pointer_ = pressed;
  tool_ = std::move(tool);
}

bool ToolHand::move(const QMouseEvent& event) {
  const std::shared_ptr<CanvasTool> tool = tool_;
  if (tool == nullptr) return false;
  pointer_.at = event.position();
  pointer_.held = event.modifiers();
  pointer_.dragged = pointer_.dragged || (pointer_.at - pointer_.press).manhattanLength() > trembles_;
  if (!pointer_.dragged && !tool->atOnce()) return true;
  tool->drag(pointer_);
  pointer_.last = pointer_.at;
  return true;
}

bool ToolHand::release(const QMouseEvent& event) {
  const auto tool = std::exchange(tool_, nullptr);
  if (tool == nullptr) return false;
  pointer_.at = event.position();
  pointer_.held = event.modifiers();
  tool->release(pointer_);
  return true;
}

bool ToolHand::cancel() {
  const auto tool = std::exchange(tool_, nullptr);
  if (tool != nullptr) tool->cancel();
  return tool != nullptr;
}

}  // namespace canvas

class CanvasWidget::PanTool final : public canvas::CanvasTool {
 public:
  explicit PanTool(CanvasWidget& canvas) : canvas_(canvas) {}
  bool atOnce() const override { return true; }
  void drag(const canvas::Pointer& pointer) override { canvas_.pan(pointer); }

 private:
  CanvasWidget& canvas_;
};

CanvasWidget::CanvasWidget(FocusRing ring, QWidget* parent) : QWidget(parent), ring_(ring), hand_(kDragDistance) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(160, 100);
  setAttribute(Qt::WA_OpaquePaintEvent);
}

void CanvasWidget::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

// ---- The camera ----

QPointF CanvasWidget::toView(const canvas::Point& at) const {
  const canvas::Point point = camera_.to_view(at);
  return {point.x, point.y};
}

QRectF CanvasWidget::rectInView(const canvas::Rect& rect) const {
  return {toView({rect.x, rect.y}), toView({rect.right(), rect.bottom()})};
}

canvas::Point CanvasWidget::toScene(const QPointF& at) const { return camera_.to_scene({at.x(), at.y()}); }

canvas::Rect CanvasWidget::viewArea() const { return whole(); }

void CanvasWidget::moved(bool fitted) {
  fitted_ = fitted;
  update();
  viewMoved();
}

void CanvasWidget::fit(const canvas::Rect& scene) {
  if (scene.empty()) {
    camera_.zoom = 1;
    camera_.put({scene.x, scene.y}, whole().center());
  } else {
    camera_.fit(scene, fitArea(scene));
  }
}

void CanvasWidget::zoomToFit() {
  fitted_ = true;
  const auto scene = sceneBounds();
  if (!scene) return;
  fit(*scene);
  if (const double most = mostFitZoom(); camera_.zoom > most) {
    camera_.zoom = most;
    camera_.put(scene->center(), fitArea(*scene).center());
  }
  moved(true);
}

double CanvasWidget::mostFitZoom() const { return canvas::Camera::kMaxFitZoom; }

void CanvasWidget::zoomToSelection() {
  const canvas::Rect bounds = selectionBounds();
  if (bounds.empty()) return zoomToFit();
  fit(bounds);
  moved();
}

void CanvasWidget::zoomBy(double factor) { zoomAt(viewArea().center(), factor); }

// Everything can be brought into sight, however large it is.
void CanvasWidget::zoomAt(const canvas::Point& at, double factor) {
  const auto scene = sceneBounds();
  const double all = scene ? canvas::Camera::fitting_zoom(*scene, fitArea(*scene)) : camera_.zoom;
  camera_.zoom_at(at, factor, std::min(all, camera_.zoom));
  moved();
}

void CanvasWidget::revealRect(const canvas::Rect& scene, const canvas::Rect& area, double margin) {
  if (!fitted_ && camera_.reveal(scene, area, margin)) moved();
}

void CanvasWidget::applyCamera(QPainter& painter) const {
  painter.scale(camera_.zoom, camera_.zoom);
  painter.translate(-camera_.origin.x, -camera_.origin.y);
}

void CanvasWidget::resizeEvent(QResizeEvent* /*event*/) {
  placeOverlays();
  if (fitted_) zoomToFit();
}

void CanvasWidget::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.save();
  paintCanvas(painter);
  painter.restore();
  if (ring_ == FocusRing::kAlways ? !hasFocus() : !focus_ring_) return;
  painter.setPen(QPen(theme_.selection, 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

// ---- The pointer ----

void CanvasWidget::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  event->accept();
  cancelTool();
  pressed();
  const canvas::Pointer pointer = canvas::ToolHand::pressed(*event);
  if (event->button() != Qt::MiddleButton && !space_) return hand_.take(pointer, toolAt(pointer));
  hand_.take(pointer, std::make_shared<PanTool>(*this));
  setCursor(Qt::ClosedHandCursor);
}

void CanvasWidget::mouseDoubleClickEvent(QMouseEvent* event) {
  if (event->button() == Qt::MiddleButton || space_) return mousePressEvent(event);
  cancelTool();
  const canvas::Pointer pointer = canvas::ToolHand::pressed(*event);
  hand_.take(pointer, doubleClicked(pointer));
}

void CanvasWidget::mouseMoveEvent(QMouseEvent* event) {
  if (event->buttons() == Qt::NoButton) return hover(event->position());
  if (hand_.move(*event)) update();
}

void CanvasWidget::mouseReleaseEvent(QMouseEvent* event) {
  unsetCursor();
  hand_.release(*event);
  hover(event->position());
}

void CanvasWidget::pan(const canvas::Pointer& pointer) {
  setCursor(Qt::ClosedHandCursor);
  camera_.pan(pointer.at.x() - pointer.last.x(), pointer.at.y() - pointer.last.y());
  moved();
}

void CanvasWidget::cancelTool() {
  if (!hand_.cancel()) return;
  unsetCursor();
  update();
}

void CanvasWidget::sceneReplaced() {
  if (tool() != nullptr && tool()->holdsScene()) cancelTool();
}

void CanvasWidget::wheelEvent(QWheelEvent* event) {
  const QPoint pixels = event->pixelDelta();
  const QPoint angle = event->angleDelta();
  const bool zoom = event->modifiers().testFlag(Qt::ControlModifier);
  event->accept();
  if (!zoom && !pixels.isNull()) {  // a touch pad scrolls
    camera_.pan(pixels.x(), pixels.y());
  } else if (!zoom && (event->modifiers().testFlag(Qt::ShiftModifier) || angle.y() == 0)) {
    camera_.pan(angle.x() + angle.y(), 0);
  } else {
    return zoomAt({event->position().x(), event->position().y()}, std::pow(kZoomStep, angle.y()));
  }
  moved();
}

void CanvasWidget::leaveEvent(QEvent* /*event*/) {
  unhover();
  update();
}

bool CanvasWidget::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString text = tipAt(help->pos());
  text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(mapToGlobal(tipPlace(help->pos())), text, this);
  return true;
}

// ---- Keys ----

void CanvasWidget::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && tool() != nullptr && tool()->holdsScene()) return cancelTool();
  if (keyPressed(*event)) return;
  const bool control = event->modifiers().testFlag(Qt::ControlModifier);
  if (control && event->key() == Qt::Key_F) return find();
  if (control) return QWidget::keyPressEvent(event);  // shortcuts such as Ctrl+Z belong to the window
  switch (event->key()) {
    case Qt::Key_F:
    case Qt::Key_Home: return zoomToFit();
    case Qt::Key_Z: return zoomToSelection();
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoomBy(kKeyZoom);
    case Qt::Key_Minus: return zoomBy(1 / kKeyZoom);
    case Qt::Key_Slash: return find();
    case Qt::Key_F3: return event->modifiers().testFlag(Qt::ShiftModifier) ? findPrevious() : findNext();
    case Qt::Key_Space:
      if (event->isAutoRepeat() || tool() != nullptr) return;
      space_ = true;
      return setCursor(Qt::OpenHandCursor);
    default: QWidget::keyPressEvent(event);
  }
}

void CanvasWidget::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) return QWidget::keyReleaseEvent(event);
  space_ = false;
  if (tool() == nullptr) unsetCursor();  // a pan that Space began keeps its own to its end
}

void CanvasWidget::focusInEvent(QFocusEvent* event) {
  focus_ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  update();
}

void CanvasWidget::focusOutEvent(QFocusEvent* /*event*/) {
  if (space_ && tool() == nullptr) unsetCursor();
  focus_ring_ = space_ = false;
  update();
}

// ---- Finding ----

canvas::FindBar& CanvasWidget::makeFindBar() {
  find_ = new canvas::FindBar(this);
  find_->hide();
  connect(find_, &canvas::FindBar::queryChanged, this, &CanvasWidget::runSearch);
  connect(find_, &canvas::FindBar::next, this, &CanvasWidget::findNext);
  connect(find_, &canvas::FindBar::previous, this, &CanvasWidget::findPrevious);
  connect(find_, &canvas::FindBar::closed, this, &CanvasWidget::closeSearch);
  return *find_;
}

void CanvasWidget::placeOverlays() {
  const int wide = std::min(kFindWidth, width() - 2 * kFindMargin);
  find_->setGeometry(width() - wide - kFindMargin, static_cast<int>(viewArea().y) + kFindMargin, wide,
                     find_->sizeHint().height());
}

// With the same words, F3 continues from the last visited unit.
void CanvasWidget::find() {
  placeOverlays();
  find_->open();
  const auto before = find_->text() == query_ ? at_found_ : std::nullopt;
  runSearch(find_->text());
  if (!before || *before >= foundCount()) return;
  at_found_ = before;
  find_->showCount(static_cast<int>(*before), static_cast<int>(foundCount()));
}

void CanvasWidget::setQuery(const QString& query) { find_->setText(query); }

void CanvasWidget::runSearch(const QString& text) {
  query_ = text;
  at_found_.reset();
  search(text);
}

void CanvasWidget::searchAgain() {
  if (!query_.isEmpty()) runSearch(query_);
}

void CanvasWidget::goOn(int step) {
  const auto count = static_cast<int>(foundCount());
  if (count == 0) return;
  const int before = at_found_ ? static_cast<int>(*at_found_) : step > 0 ? -1 : 0;
  at_found_ = static_cast<std::size_t>(((before + step) % count + count) % count);
  find_->showCount(static_cast<int>(*at_found_), count);
  goToFound(*at_found_);
}

void CanvasWidget::findNext() { goOn(1); }
void CanvasWidget::findPrevious() { goOn(-1); }

void CanvasWidget::closeSearch() {
  find_->hide();
  runSearch({});
  setFocus(Qt::OtherFocusReason);
}

}  // namespace iosx

#include "moc_canvas_widget.cpp"
