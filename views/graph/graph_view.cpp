#include "views/graph/graph_view.h"

#include <QPainter>
#include <QTimer>
#include <limits>

#include "views/graph/graph_figure.h"
#include "views/graph/graphviz_layout.h"
#include "views/graph/scene_painter.h"

namespace iosx {
namespace {

constexpr double kFitMargin = 12;
constexpr double kAspectChange = 1.15;  // from which on the frames are arranged anew
constexpr int kRearrangeAfter = 200;    // ms without a resize

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

void GraphView::setSchedule(const Schedule* schedule, std::span<const Latency> stage_latencies) {
  if (!wanted_) return;
  wanted_ = canvas::with_schedule(*wanted_, schedule, {stage_latencies.begin(), stage_latencies.end()});
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
    const bool chosen = selection().stage == band.stage && selection().schedule == shown_.model->schedule->name;
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

}  // namespace iosx
