#include "views/graph/graph_view.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>
#include <limits>

#include "views/graph/graph_figure.h"
#include "views/graph/graphviz_layout.h"
#include "views/graph/scene_painter.h"
#include "views/graph/tool_tip.h"

namespace iosx {
namespace {

constexpr double kFitMargin = 12;
constexpr double kAspectChange = 1.15;  // from which on the frames are arranged anew
constexpr int kRearrangeAfter = 200;    // ms without a resize

constexpr double kDragDistance = 4;   // pixels
constexpr double kZoomStep = 1.0015;  // a wheel unit, an eighth of a degree
constexpr double kKeyZoom = 1.25;

}  // namespace

GraphView::GraphView(QWidget* parent) : QWidget(parent), style_(canvas::text_style()), rearrange_(new QTimer(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setMinimumSize(160, 100);
  setAttribute(Qt::WA_OpaquePaintEvent);
  setAccessibleName(tr("Network graph"));
  connect(&runner_, &canvas::LayoutRunner::ready, this, &GraphView::showLayout);
  rearrange_->setSingleShot(true);
  rearrange_->setInterval(kRearrangeAfter);
  connect(rearrange_, &QTimer::timeout, this, &GraphView::rearrange);
}

GraphView::~GraphView() = default;

void GraphView::setGraph(std::shared_ptr<const Graph> graph) {
  if (wanted_ && wanted_->graph == graph && !wanted_->schedule) return;
  const bool related = wanted_ && graph && wanted_->graph->name() == graph->name() &&
                       wanted_->graph->units().size() == graph->units().size();
  if (!related) {
    fitted_ = true;
    expanded_.reset();
  }
  hovered_.reset();
  if (!graph) {
    wanted_.reset();
    shown_ = {};
    runner_.cancel();
    viewChanged();
    return;
  }
  wanted_ = canvas::make_model(std::move(graph), style_);
  requestLayout();
}

void GraphView::setSchedule(const Schedule* schedule, std::span<const Latency> stage_latencies,
                            canvas::ScheduleLabel label) {
  if (!wanted_) return;
  wanted_ =
      canvas::with_schedule(*wanted_, schedule, {stage_latencies.begin(), stage_latencies.end()}, std::move(label));
  requestLayout();
}

void GraphView::setSelectionModel(SelectionModel* selection) {
  if (selection_) selection_->disconnect(this);
  selection_ = selection;
  if (selection != nullptr) {
    connect(selection, &SelectionModel::changed, this, [this] {
      describeSelection();
      update();
    });
  }
  describeSelection();
  update();
}

void GraphView::setTheme(const Theme& theme) {
  theme_ = theme;
  update();
}

void GraphView::setOverlay(canvas::Overlay overlay) {
  overlay_ = overlay;
  if (shown_.model) scale_ = canvas::OverlayScale(*shown_.model, overlay_);
  fitted_ ? zoomToFit() : update();
}

void GraphView::setExpandedPart(std::optional<PartId> part) {
  if (expanded_ == part) return;
  expanded_ = part;
  fitted_ = true;
  requestLayout();
  emit expandedPartChanged();
}

void GraphView::setLegendVisible(bool visible) {
  legend_visible_ = visible;
  fitted_ ? zoomToFit() : update();
}

void GraphView::requestLayout() {
  if (!wanted_) return;
  canvas::LayoutRequest request;
  request.graph = wanted_->graph;
  request.schedule = wanted_->schedule;
  request.style = style_;
  const double legend = legend_visible_ ? canvas::GraphLegend(*wanted_).height(width(), scale_) : 0;
  aspect_ = (width() - 2 * kFitMargin) / std::max(1.0, height() - legend - 2 * kFitMargin);
  request.aspect = std::max(aspect_, 0.05);
  request.expanded = expanded_;
  runner_.start(std::move(request));
  update();
}

std::optional<UnitId> GraphView::anchor() const {
  if (!shown_.drawing) return std::nullopt;
  const canvas::Layout& layout = shown_.drawing->layout;
  const canvas::Rect view = camera_.visible({static_cast<double>(width()), static_cast<double>(height())});
  std::optional<UnitId> best;
  double least = std::numeric_limits<double>::max();
  for (const canvas::NodeBox& node : layout.nodes) {
    if (!node.unit.valid()) continue;
    const double dx = node.box.center().x - view.center().x;
    const double dy = node.box.center().y - view.center().y;
    // A selected unit in view is what the user looks at.
    const double favour = selection().contains(node.unit) && view.contains(node.box.center()) ? 1e-6 : 1;
    const double cost = (dx * dx + dy * dy) * favour;
    if (cost >= least) continue;
    least = cost;
    best = node.unit;
  }
  return best;
}

void GraphView::showLayout(std::shared_ptr<const canvas::Drawing> drawing, bool final) {
  const auto fixed = fitted_ ? std::nullopt : anchor();
  std::optional<canvas::Point> before;
  if (fixed) {
    before =
        camera_.to_view(shown_.drawing->layout.nodes[*shown_.drawing->layout.node_of[fixed->index()]].box.center());
  }
  shown_ = {wanted_, std::move(drawing)};
  scale_ = canvas::OverlayScale(*shown_.model, overlay_);
  legend_ = canvas::GraphLegend(*shown_.model);
  hovered_.reset();
  const canvas::Layout& layout = shown_.drawing->layout;
  if (before && fixed->index() < layout.node_of.size() && layout.node_of[fixed->index()]) {
    const canvas::Point now = camera_.to_view(layout.nodes[*layout.node_of[fixed->index()]].box.center());
    camera_.pan(before->x - now.x, before->y - now.y);
    viewChanged();
  } else {
    zoomToFit();
  }
  emit layoutChanged(final);
}

void GraphView::zoomToFit() {
  fitted_ = true;
  if (!shown_.drawing) return;
  camera_.fit(shown_.drawing->layout.bounds, drawingArea().grown(-kFitMargin));
  viewChanged();
}

canvas::Rect GraphView::selectionBounds() const {
  canvas::Rect bounds;
  if (!upToDate()) return bounds;
  const canvas::Layout& layout = shown_.drawing->layout;
  for (const UnitId unit : selection().units) {
    if (unit.index() >= layout.node_of.size() || !layout.node_of[unit.index()]) continue;
    bounds = bounds.united(layout.nodes[*layout.node_of[unit.index()]].box);
  }
  for (const canvas::BandBox& band : layout.bands) {
    const bool chosen = selection().stage == band.stage && selection().schedule == shown_.model->label.id;
    const bool across = selection().units.size() > 1 && bounds.intersects(band.box);  // then its label helps
    if ((chosen || across) && !bounds.empty()) bounds = bounds.united(band.box);
  }
  return bounds;
}

void GraphView::zoomToSelection() {
  const canvas::Rect bounds = selectionBounds();
  if (bounds.empty()) {
    zoomToFit();
    return;
  }
  camera_.fit(bounds.grown(60), drawingArea());
  fitted_ = false;
  viewChanged();
}

void GraphView::revealSelection() {
  const canvas::Rect bounds = selectionBounds();
  if (bounds.empty()) return;
  const canvas::Rect area = drawingArea();
  const canvas::Size window{area.width, area.height};
  const canvas::Rect view = camera_.visible(window);
  const canvas::Rect wanted = bounds.grown(24 / camera_.zoom);
  if (view.contains(bounds)) return;
  if (wanted.width > view.width || wanted.height > view.height) {
    camera_.center_on(bounds.center(), window);
  } else {
    camera_.origin.x += std::min(0.0, wanted.x - view.x) + std::max(0.0, wanted.right() - view.right());
    camera_.origin.y += std::min(0.0, wanted.y - view.y) + std::max(0.0, wanted.bottom() - view.bottom());
  }
  fitted_ = false;
  viewChanged();
}

void GraphView::zoomBy(double factor) {
  camera_.zoom_at(drawingArea().center(), factor, camera_.zoom);
  fitted_ = false;
  viewChanged();
}

double GraphView::legendHeight() const { return legend_visible_ ? legend_.height(width(), scale_) : 0; }

canvas::Rect GraphView::drawingArea() const {
  return {0, 0, static_cast<double>(width()), std::max(1.0, height() - legendHeight())};
}

void GraphView::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  painter.fillRect(rect(), theme_.canvas);
  if (!shown_.drawing) {
    painter.setFont(canvas::body_font());
    painter.setPen(theme_.mutedText);
    painter.drawText(rect(), Qt::AlignCenter, wanted_ ? tr("Laying out the graph…") : tr("No network is open"));
    return;
  }
  const canvas::Rect view = camera_.visible({static_cast<double>(width()), static_cast<double>(height())});
  canvas::SceneState state;
  state.model = shown_.model.get();
  state.drawing = shown_.drawing.get();
  state.theme = &theme_;
  state.overlay = &scale_;
  state.selection = upToDate() ? &selection() : nullptr;
  state.hovered = hovered_;
  state.zoom = camera_.zoom;
  state.visible = canvas::to_qt(view);
  painter.save();
  painter.scale(camera_.zoom, camera_.zoom);
  painter.translate(-camera_.origin.x, -camera_.origin.y);
  canvas::ScenePainter(painter, state).paint();
  painter.restore();
  if (const double legend = legendHeight(); legend > 0) {
    const QRectF strip(0, height() - legend, width(), legend);
    painter.fillRect(strip, theme_.panel);
    painter.setPen(theme_.outline);
    painter.drawLine(strip.topLeft() + QPointF(0, 0.5), strip.topRight() + QPointF(0, 0.5));
    legend_.paint(painter, strip, scale_, theme_);
  }
  if (focus_ring_) {
    painter.setPen(QPen(theme_.selection, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

void GraphView::resizeEvent(QResizeEvent* /*event*/) {
  if (!fitted_) return;
  zoomToFit();
  rearrange_->start();
}

// Frames arranged for a window of another shape would leave much of this one empty.
void GraphView::rearrange() {
  if (!fitted_ || !upToDate() || shown_.drawing->layout.frames.size() < 2) return;
  const canvas::Rect area = drawingArea().grown(-kFitMargin);
  if (area.empty()) return;
  const double change = area.width / area.height / aspect_;
  if (std::max(change, 1 / change) > kAspectChange) requestLayout();
}

std::unique_ptr<Figure> GraphView::figure(const QString& context) const {
  if (!wanted_) return nullptr;
  if (shown_.model == wanted_ && shown_.drawing)
    return canvas::make_figure(shown_.model, shown_.drawing, overlay_, context);
  canvas::LayoutRequest request;  // not laid out yet: quickly, with our own layout
  request.graph = wanted_->graph;
  request.schedule = wanted_->schedule;
  request.style = style_;
  request.expanded = expanded_;
  request.deadline = std::chrono::milliseconds(0);
  canvas::GraphvizLayout graphviz;
  return canvas::make_figure(wanted_, canvas::make_drawing(canvas::layout_graph(request, graphviz, {})), overlay_,
                             context);
}

const Selection& GraphView::selection() const {
  static const Selection none;
  return selection_ ? selection_->current() : none;
}

void GraphView::viewChanged() { update(); }

canvas::Hit GraphView::hitAt(const QPointF& at) const {
  if (!upToDate() || at.y() >= drawingArea().height) return {};
  return canvas::hit(shown_.drawing->layout, camera_.to_scene({at.x(), at.y()}));
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  press_ = last_ = event->position();
  dragging_ = event->button() == Qt::MiddleButton || space_;
  event->accept();
}

void GraphView::mouseMoveEvent(QMouseEvent* event) {
  const QPointF at = event->position();
  if (event->buttons() == Qt::NoButton) {
    hover(at);
    return;
  }
  if (!dragging_ && (at - press_).manhattanLength() > kDragDistance) dragging_ = true;
  if (!dragging_) return;
  setCursor(Qt::ClosedHandCursor);
  camera_.pan(at.x() - last_.x(), at.y() - last_.y());
  last_ = at;
  fitted_ = false;
  viewChanged();
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  const bool dragged = dragging_;
  dragging_ = false;
  unsetCursor();
  if (dragged || event->button() != Qt::LeftButton) return;
  selectAt(event->position(), event->modifiers().testFlag(Qt::ControlModifier));
}

void GraphView::mouseDoubleClickEvent(QMouseEvent* event) {
  const canvas::Hit found = hitAt(event->position());
  if (found.kind != canvas::Hit::Kind::kHeader) return;
  const PartId part = shown_.drawing->layout.frames[found.index].part;
  setExpandedPart(expanded_ == part ? std::nullopt : std::optional(part));
}

void GraphView::selectAt(const QPointF& at, bool add) {
  const canvas::Hit found = hitAt(at);
  if (!selection_ || !upToDate() || at.y() >= drawingArea().height) return;
  const canvas::Layout& layout = shown_.drawing->layout;
  switch (found.kind) {
    case canvas::Hit::Kind::kNode: {
      const canvas::NodeBox& node = layout.nodes[found.index];
      const UnitId unit = node.unit.valid() ? node.unit : shown_.model->graph->op(node.source).unit;
      if (!unit.valid()) return;  // an input of the network
      std::vector<UnitId> units{unit};
      if (add) {
        units = selection().units;
        const auto place = std::lower_bound(units.begin(), units.end(), unit);
        place != units.end() && *place == unit ? void(units.erase(place)) : void(units.insert(place, unit));
      }
      selectUnits(std::move(units), std::nullopt, false);
      return;
    }
    case canvas::Hit::Kind::kGroup: {
      const canvas::GroupBox& box = layout.groups[found.index];
      std::vector<UnitId> units;
      for (const Step& step : shown_.model->schedule->stages[box.stage].groups[box.group].steps) {
        units.insert(units.end(), step.units.begin(), step.units.end());
      }
      selectUnits(std::move(units), std::nullopt, true);
      return;
    }
    case canvas::Hit::Kind::kBand: {
      const std::size_t stage = layout.bands[found.index].stage;
      selectUnits(shown_.model->schedule->stages[stage].units(), stage, true);
      return;
    }
    case canvas::Hit::Kind::kHeader: return;
    case canvas::Hit::Kind::kNothing: selection_->clear();
  }
}

void GraphView::selectUnits(std::vector<UnitId> units, std::optional<std::size_t> stage, bool named) {
  Selection chosen;
  chosen.units = std::move(units);
  if (named && shown_.model->schedule) chosen.schedule = shown_.model->label.id;
  chosen.stage = stage;
  selection_->select(std::move(chosen));
}

void GraphView::wheelEvent(QWheelEvent* event) {
  const QPoint pixels = event->pixelDelta();
  const QPoint angle = event->angleDelta();
  const bool zoom = event->modifiers().testFlag(Qt::ControlModifier);
  if (!zoom && !pixels.isNull()) {  // a touch pad scrolls
    camera_.pan(pixels.x(), pixels.y());
  } else if (!zoom && event->modifiers().testFlag(Qt::ShiftModifier)) {
    camera_.pan(angle.x() + angle.y(), 0);
  } else {
    const QPointF at = event->position();
    camera_.zoom_at({at.x(), at.y()}, std::pow(kZoomStep, angle.y()), camera_.zoom);
  }
  fitted_ = false;
  event->accept();
  viewChanged();
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  using canvas::Direction;
  bool handled = true;
  switch (event->key()) {
    case Qt::Key_F:
    case Qt::Key_Home: zoomToFit(); break;
    case Qt::Key_Z: zoomToSelection(); break;
    case Qt::Key_L: setLegendVisible(!legend_visible_); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomBy(kKeyZoom); break;
    case Qt::Key_Minus: zoomBy(1 / kKeyZoom); break;
    case Qt::Key_Up: handled = goTo(Direction::kUp); break;
    case Qt::Key_Down: handled = goTo(Direction::kDown); break;
    case Qt::Key_Left: handled = goTo(Direction::kLeft); break;
    case Qt::Key_Right: handled = goTo(Direction::kRight); break;
    case Qt::Key_Space:
      space_ = true;
      setCursor(Qt::OpenHandCursor);
      break;
    case Qt::Key_Escape:
      handled = !selection().empty();
      if (handled) selection_->clear();
      break;
    default: handled = false;
  }
  // Shortcuts such as Ctrl+Z belong to the window.
  if (!handled || event->modifiers().testFlag(Qt::ControlModifier)) QWidget::keyPressEvent(event);
}

void GraphView::keyReleaseEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Space || event->isAutoRepeat()) {
    QWidget::keyReleaseEvent(event);
    return;
  }
  space_ = false;
  unsetCursor();
}

bool GraphView::goTo(canvas::Direction direction) {
  if (!selection_ || !upToDate()) return false;
  const canvas::Layout& layout = shown_.drawing->layout;
  std::optional<UnitId> next;
  if (selection().empty() || selection().units.front().index() >= layout.node_of.size()) {
    for (const canvas::NodeBox& node : layout.nodes) {
      if (node.unit.valid() && !next) next = node.unit;
    }
  } else {
    next = canvas::neighbour(*shown_.model->graph, layout, selection().units.front(), direction);
  }
  if (!next) return true;  // at the border: stay
  selectUnits({*next}, std::nullopt, false);
  revealSelection();
  return true;
}

void GraphView::hover(const QPointF& at) {
  const canvas::Hit found = hitAt(at);
  const auto node = found.kind == canvas::Hit::Kind::kNode ? std::optional(found.index) : std::nullopt;
  const bool clickable = found.kind != canvas::Hit::Kind::kNothing;
  if (!space_) clickable ? setCursor(Qt::PointingHandCursor) : unsetCursor();
  if (node == hovered_) return;
  hovered_ = node;
  update();
}

void GraphView::leaveEvent(QEvent* /*event*/) {
  hovered_.reset();
  update();
}

void GraphView::focusInEvent(QFocusEvent* event) {
  focus_ring_ = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  update();
}

void GraphView::focusOutEvent(QFocusEvent* /*event*/) {
  focus_ring_ = space_ = false;
  update();
}

bool GraphView::event(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text =
        upToDate() ? canvas::tool_tip(*shown_.model, shown_.drawing->layout, hitAt(help->pos())) : QString();
    text.isEmpty() ? QToolTip::hideText() : QToolTip::showText(help->globalPos(), text, this);
    return true;
  }
  return QWidget::event(event);
}

void GraphView::describeSelection() {
  QString text;
  if (wanted_) {
    const auto& units = selection().units;
    if (selection().stage) text = tr("Stage %1, ").arg(*selection().stage + 1);
    for (std::size_t i = 0; i < std::min<std::size_t>(units.size(), 8); ++i) {
      if (units[i].index() >= wanted_->labels.size()) continue;
      const canvas::UnitLabel& label = wanted_->labels[units[i].index()];
      text += label.name + ", " + label.lines.join(", ") + ", " + label.shape + "; ";
    }
  }
  setAccessibleDescription(text);
  QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&changed);
}

}  // namespace iosx
