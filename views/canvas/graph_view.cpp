#include "views/canvas/graph_view.h"

#include <QPainter>
#include <QSignalBlocker>
#include <QStyle>
#include <QTimer>
#include <QVariantAnimation>
#include <algorithm>
#include <cmath>
#include <limits>

#include "views/canvas/canvas_bar.h"
#include "views/canvas/corner_cards.h"
#include "views/canvas/layout/node_text.h"
#include "views/canvas/paint/graph_figure.h"
#include "views/canvas/paint/scene_painter.h"
#include "views/canvas/weave/weave.h"
#include "views/figures/paint.h"
#include "views/style/fills.h"
#include "views/style/theme.h"
#include "views/text/qstring.h"
#include "views/widgets/painted_view.h"

namespace iosx {
namespace {

constexpr double kFitMargin = 12;
constexpr double kRoomAroundSelection = 60;  // of the scene
constexpr double kMuchOfCanvas = 0.3;        // of its height: a legend that nothing is arranged beneath
constexpr double kRoomChange = 1.12;         // of a side, from which on the frames are arranged anew
constexpr int kRearrangeAfter = 200;         // ms without a resize
constexpr int kMorph = 350;                  // ms
constexpr int kOldGraphStays = 200;          // ms; most graphs are laid out sooner, and nothing flickers

// Lets assistive technology walk through the canvas: its children are the units of the graph, by
// their names, with what they compute as description, their place on the screen and whether they
// are selected; pressing one selects it. Widgets over the canvas come after them.
class UnitItems final : public PaintedItems {
 public:
  explicit UnitItems(GraphView& view) : view_(view) {}

  std::size_t count() const override { return view_.modelShown() != nullptr ? view_.modelShown()->labels.size() : 0; }
  QString name(std::size_t unit) const override {
    return qstring(canvas::short_name(view_.modelShown()->graph->units()[unit].name));
  }
  QString description(std::size_t unit) const override {
    const canvas::Model& model = *view_.modelShown();
    QStringList parts = model.labels[unit].lines;
    parts.append(model.labels[unit].shape);
    if (const canvas::UnitPlace& place = model.places[unit]; place.stage) {
      parts.append(GraphView::tr("stage %1, group %2").arg(*place.stage + 1).arg(place.group + 1));
    }
    return parts.join(QStringLiteral(", "));
  }
  QRect rect(std::size_t unit) const override {
    const canvas::Layout* layout = view_.layoutShown();
    const canvas::Rect* box = layout != nullptr ? layout->box_of(UnitId(unit)) : nullptr;
    if (box == nullptr) return {};
    const canvas::Point at = view_.camera().to_view({box->x, box->y});
    const auto whole = [](double length) { return static_cast<int>(std::lround(length)); };
    const double zoom = view_.camera().zoom;
    return {whole(at.x), whole(at.y), whole(box->width * zoom), whole(box->height * zoom)};
  }
  bool selected(std::size_t unit) const override {
    const SelectionModel* selection = view_.selectionModel();
    return selection != nullptr && selection->current().contains(UnitId(unit));
  }
  std::optional<std::size_t> focused() const override {
    const SelectionModel* selection = view_.selectionModel();
    if (selection == nullptr || selection->current().empty()) return {};
    const std::size_t unit = selection->current().units.front().index();
    return unit < count() ? std::optional(unit) : std::nullopt;
  }
  std::optional<std::size_t> itemAt(const QPoint& at) const override {
    const canvas::Layout* layout = view_.layoutShown();
    if (layout == nullptr || !view_.rect().contains(at)) return {};
    const canvas::Camera& camera = view_.camera();
    const canvas::Hit found =
        canvas::hit(*layout, camera.to_scene({static_cast<double>(at.x()), static_cast<double>(at.y())}), camera.zoom);
    if (found.kind != canvas::Hit::Kind::kNode) return {};
    return layout->nodes[found.index].unit.index();
  }
  void press(std::size_t unit) override {
    if (view_.selectionModel() == nullptr) return;
    view_.selectionModel()->select({{UnitId(unit)}, {}, {}});
    view_.revealSelection();
  }
  bool widgetsFollow() const override { return true; }

 private:
  GraphView& view_;
};

}  // namespace

GraphView::GraphView(QWidget* parent)
    : CanvasWidget(FocusRing::kByKeyboard, parent),
      style_(canvas::text_style()),
      texts_(std::make_unique<canvas::SceneTexts>()),
      rearrange_(new QTimer(this)),
      morph_(new QVariantAnimation(this)) {
  // Before the name is set: Qt asks for the interface then, and keeps it.
  install_painted_items<GraphView, UnitItems>();
  setAccessibleName(tr("Network graph"));
  makeOverlays();
  connect(&runner_, &canvas::LayoutRunner::ready, this, &GraphView::moveTo);
  morph_->setStartValue(0.0);
  morph_->setEndValue(1.0);
  morph_->setDuration(kMorph);
  morph_->setEasingCurve(QEasingCurve::InOutCubic);
  connect(morph_, &QVariantAnimation::valueChanged, this, [this](const QVariant& share) {
    shown_.drawing = canvas::make_drawing(canvas::morph(morph_from_->layout, morph_to_->layout, share.toDouble()));
    sceneChanged();
    if (fitted_) zoomToFit();
  });
  connect(morph_, &QVariantAnimation::finished, this, [this] {
    showLayout(shown_.model, std::move(morph_to_));  // another schedule may be wanted by now
  });
  rearrange_->setSingleShot(true);
  rearrange_->setInterval(kRearrangeAfter);
  connect(rearrange_, &QTimer::timeout, this, &GraphView::rearrange);
  follow_theme(this, [this](const Theme& theme) { setTheme(theme); });
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
  morph_->stop();
  hovered_.reset();
  hovered_header_.reset();
  place_unit_.reset();
  marks_.clear();
  ties_.clear();
  dropDeltas();
  if (column_) keepColumn(nullptr);
  running_.clear();
  ahead_.clear();
  pointed_.clear();
  found_.clear();
  matches_.clear();
  if (!graph) {
    wanted_.reset();
    runner_.cancel();
    return showNothing();
  }
  wanted_ = canvas::make_model(std::move(graph), style_);
  requestLayout();
  if (!related) QTimer::singleShot(kOldGraphStays, this, &GraphView::dropOldGraph);
}

// A large graph takes a while to be laid out: what is shown is not left standing under another one's name.
void GraphView::dropOldGraph() {
  if (wanted_ && shown_.model && shown_.model->graph != wanted_->graph && runner_.busy()) showNothing();
}

void GraphView::showNothing() {
  map_->setScene(nullptr, nullptr, nullptr);
  shown_ = {};
  found_.clear();
  matches_.clear();
  describeScale();
  sceneChanged();
  describeSelection();
}

void GraphView::setSchedule(const Schedule* schedule, std::span<const Latency> stage_latencies,
                            canvas::ScheduleLabel label) {
  if (!wanted_) return;
  running_.clear();
  ahead_.clear();
  brushed_.clear();
  if (deltas_.of_stages) dropDeltas();
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
      emit selectionShown();
    });
  }
  describeSelection();
  update();
}

void GraphView::setTheme(const Theme& theme) {
  CanvasWidget::setTheme(theme);
  sceneChanged();
}

void GraphView::setOverlay(canvas::Overlay overlay) {
  const bool changed = overlay_ != overlay;
  overlay_ = overlay;
  bar_->setOverlay(overlay);
  describeScale();
  fitted_ ? zoomToFit() : update();
  if (changed) emit overlayChanged(overlay);
}

canvas::GraphLegend GraphView::legend() const {
  return shown_.model ? canvas::GraphLegend(*shown_.model, marks_, gains_, !ties_.empty()) : canvas::GraphLegend();
}

// Makes the overlay's scale and what follows from it.
void GraphView::describeScale() {
  scale_ =
      shown_.model ? canvas::OverlayScale(*shown_.model, overlay_, deltas_, column_.get()) : canvas::OverlayScale();
  const canvas::GraphLegend key = legend();
  legend_->setLegend(key, scale_);
  bar_->signs()->setLegend(key);
  emit legendChanged();
  if (shown_.model) map_->setScene(shown_.model.get(), shown_.drawing, &scale_);
  placeOverlays();
  sceneChanged();
}

void GraphView::setExpandedPart(std::optional<PartId> part) {
  if (expanded_ == part) return;
  expanded_ = part;
  fitted_ = true;
  requestLayout();
}

void GraphView::setUnitMarks(std::vector<canvas::UnitMark> marks) {
  if (!wanted_ || marks.size() != wanted_->labels.size()) marks.clear();
  marks_ = std::move(marks);
  describeScale();
  if (fitted_) zoomToFit();
}

void GraphView::setTies(std::vector<canvas::Tie> ties) {
  ties_ = std::move(ties);
  describeScale();
}

void GraphView::setDeltas(canvas::Deltas deltas) {
  deltas_ = std::move(deltas);
  gains_ = canvas::PartGains(deltas_);
  bar_->setGainsKnown(gains_.active());
  if (!gains_shown_) gains_ = {};
  describeScale();
}

QString GraphView::columnTitle() const { return column_ ? shown_name(column_->title) : QString(); }

void GraphView::keepColumn(std::shared_ptr<const UnitColumn> column) {
  column_ = std::move(column);
  bar_->setColumn(columnTitle());
  emit columnChanged();
}

void GraphView::setColumn(std::shared_ptr<const UnitColumn> column) {
  const bool shown = overlay_ == canvas::Overlay::kColumn;
  if (column == column_ && (column || !shown)) return;
  keepColumn(std::move(column));
  if (!shown) return;
  if (!column_) return setOverlay(canvas::Overlay::kNone);
  describeScale();
  fitted_ ? zoomToFit() : update();
}

void GraphView::dropDeltas() {
  deltas_ = {};
  gains_ = {};
  bar_->setGainsKnown(false);
}

void GraphView::setGainsShown(bool shown) {
  if (gains_shown_ == shown) return;
  gains_shown_ = shown;
  bar_->setGainsShown(shown);
  setDeltas(std::move(deltas_));
}

void GraphView::setRunning(std::vector<UnitId> units, std::vector<UnitId> ahead) {
  if (units == running_ && ahead == ahead_) return;
  running_ = std::move(units);
  ahead_ = std::move(ahead);
  update();
}

void GraphView::setBrushed(std::vector<UnitId> units) {
  if (units == brushed_) return;
  brushed_ = std::move(units);
  update();
}

void GraphView::setPointed(const std::vector<UnitId>& units) {
  if (units == pointed_) return;
  pointed_ = units;
  update();
}

// Returns the area that gives frames their shape: beside or above a legend that takes much of the canvas.
canvas::Rect GraphView::arrangementArea() const {
  const canvas::Rect all = viewArea().grown(-kFitMargin);
  if (!legend_visible_ || legend_elsewhere_ || !wanted_) return all;
  const QSize room(width(), static_cast<int>(viewArea().height));
  const QSize taken = canvas::LegendCard::sizeFor(room, canvas::GraphLegend(*wanted_, marks_, gains_), scale_);
  if (taken.height() < kMuchOfCanvas * room.height()) return all;
  const canvas::Rect beside{taken.width() + 2 * kFitMargin, all.y, all.width - taken.width() - kFitMargin, all.height};
  const canvas::Rect above{all.x, all.y, all.width, all.height - taken.height() - kFitMargin};
  const auto size = [](const canvas::Rect& area) { return std::max(0.0, area.width) * std::max(0.0, area.height); };
  return size(beside) >= size(above) ? beside : above;
}

// Returns what is wanted now, for the usual room.
canvas::LayoutRequest GraphView::layoutRequest() const {
  return {.graph = wanted_->graph,
          .schedule = wanted_->schedule,
          .expanded = expanded_,
          .weave = canvas::weave_of(wanted_->label)};
}

canvas::Size GraphView::wantedRoom() const {
  if (leader_ != nullptr) return leader_->room_;
  constexpr double kThin = 0.05;  // of the other side: no window is thinner
  const canvas::Rect area = arrangementArea();
  return {std::max({1.0, area.width, kThin * area.height}), std::max({1.0, area.height, kThin * area.width})};
}

void GraphView::arrangeAs(const GraphView& other) {
  leader_ = &other;
  connect(leader_, &GraphView::roomChanged, this, &GraphView::rearrange);
}

void GraphView::fitLike(const GraphView* other) {
  twin_ = other;
  if (fitted_) zoomToFit();
}

void GraphView::requestLayout() {
  if (!wanted_) return;
  const canvas::Size before = std::exchange(room_, wantedRoom());
  canvas::LayoutRequest request = layoutRequest();
  request.room = room_;
  runner_.start(std::move(request));
  update();
  if (before.width != room_.width || before.height != room_.height) emit roomChanged();
}

std::optional<UnitId> GraphView::anchor() const {
  if (!shown_.drawing) return std::nullopt;
  const canvas::Layout& layout = shown_.drawing->layout;
  const canvas::Rect view = visible();
  std::optional<UnitId> best;
  double least = std::numeric_limits<double>::max();
  for (const canvas::NodeBox& node : layout.nodes) {
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

bool GraphView::onTheWay() const { return morph_->state() == QAbstractAnimation::Running; }

void GraphView::moveTo(std::shared_ptr<const canvas::Drawing> drawing) {
  morph_->stop();
  const bool wanted = style()->styleHint(QStyle::SH_Widget_Animation_Duration, nullptr, this) > 0;
  const bool same = shown_.drawing && shown_.model->graph == wanted_->graph;
  // Where it is not all in sight, the unit that is looked at stays in its place.
  if (!morphing_ || !wanted || !same || !fitted_ || !isVisible()) return showLayout(wanted_, std::move(drawing));
  hovered_.reset();
  hovered_header_.reset();
  morph_from_ = shown_.drawing;
  morph_to_ = std::move(drawing);
  shown_.model = wanted_;
  shown_.drawing = canvas::make_drawing(canvas::morph(morph_from_->layout, morph_to_->layout, 0));
  describeScale();
  morph_->start();
}

void GraphView::showLayout(std::shared_ptr<const canvas::Model> model, std::shared_ptr<const canvas::Drawing> drawing) {
  const auto fixed = fitted_ ? std::nullopt : anchor();
  const auto before = fixed ? camera_.to_view(shown_.drawing->layout.box_of(*fixed)->center()) : canvas::Point();
  shown_ = {std::move(model), std::move(drawing)};
  hovered_.reset();
  hovered_header_.reset();
  describeScale();
  searchAgain();
  if (const canvas::Rect* box = fixed ? shown_.drawing->layout.box_of(*fixed) : nullptr) {
    const canvas::Point now = camera_.to_view(box->center());
    camera_.pan(before.x - now.x, before.y - now.y);
    moved();
  } else {
    zoomToFit();
  }
  describeSelection();
  emit layoutChanged();
}

std::optional<canvas::Rect> GraphView::sceneBounds() const {
  return shown_.drawing ? std::optional(shown_.drawing->layout.bounds) : std::nullopt;
}

canvas::Rect GraphView::viewArea() const {
  const double top = bar_->isHidden() ? 0 : canvas::CanvasBar::kHeight;
  return {0, top, static_cast<double>(width()), std::max(1.0, height() - top)};
}

// Returns what the scene is to fill: all of the canvas, or as much as lets nothing of it lie under the legend.
canvas::Rect GraphView::fitArea(const canvas::Rect& scene) const {
  const canvas::Rect all = viewArea().grown(-kFitMargin);
  if (legend_->isHidden() || !shown_.drawing) return all;
  const QRect taken = legend_->geometry();
  canvas::Camera camera;
  camera.fit(scene, all);
  const canvas::Point corner = camera.to_scene({static_cast<double>(taken.right()), static_cast<double>(taken.top())});
  const bool covered = std::ranges::any_of(shown_.drawing->layout.frames, [&](const canvas::FrameBox& frame) {
    return frame.box.intersects(scene) && frame.box.x < corner.x && frame.box.bottom() > corner.y;
  });
  if (!covered) return all;
  const double right = taken.right() + kFitMargin;
  const canvas::Rect beside{right, all.y, std::max(1.0, all.right() - right), all.height};
  const canvas::Rect above{all.x, all.y, all.width, std::max(1.0, taken.top() - kFitMargin - all.y)};
  const auto zoom = [&](const canvas::Rect& area) {
    return std::min(area.width / scene.width, area.height / scene.height);
  };
  return zoom(beside) >= zoom(above) ? beside : above;
}

double GraphView::mostFitZoom() const {
  const bool seen = twin_ != nullptr && twin_->isVisibleTo(twin_->window());
  const auto scene = seen ? twin_->sceneBounds() : std::nullopt;
  return scene ? canvas::Camera::fitting_zoom(*scene, twin_->fitArea(*scene)) : CanvasWidget::mostFitZoom();
}

canvas::Rect GraphView::boundsOfSelection() const {
  canvas::Rect bounds;
  if (!upToDate()) return bounds;
  const canvas::Layout& layout = shown_.drawing->layout;
  for (const UnitId unit : selection().units) {
    if (const canvas::Rect* box = layout.box_of(unit)) bounds = bounds.united(*box);
  }
  for (const canvas::BandBox& band : layout.bands) {
    const bool chosen = selection().stage == band.stage && selection().schedule == shown_.model->label.id;
    const bool across = selection().units.size() > 1 && bounds.intersects(band.box);  // then its label helps
    if ((chosen || across) && !bounds.empty()) bounds = bounds.united(band.box);
  }
  return bounds;
}

canvas::Rect GraphView::selectionBounds() const {
  const canvas::Rect bounds = boundsOfSelection();
  return bounds.empty() ? bounds : bounds.grown(kRoomAroundSelection);
}

void GraphView::revealSelection() { revealRect(boundsOfSelection(), viewArea(), kRevealMargin); }

void GraphView::centreSelection() {
  const canvas::Rect bounds = boundsOfSelection();
  if (fitted_ || bounds.empty()) return;
  camera_.put(bounds.center(), viewArea().center());
  moved();
}

void GraphView::viewMoved() {
  placeOverlays();
  showCrumbs();
  emit placeChanged(place());
}

void GraphView::sceneChanged() {
  base_.valid = false;
  texts_->nodes.clear();
  texts_->headers.clear();
  update();
}

void GraphView::keepAnchor() const {
  if (!upToDate()) {
    place_unit_.reset();
    return;
  }
  const canvas::Layout& layout = shown_.drawing->layout;
  const canvas::Rect view = visible();
  const auto in_view = [&](UnitId unit) {
    const canvas::Rect* box = layout.box_of(unit);
    return box != nullptr && view.contains(box->center());
  };
  const auto& selected = selection().units;  // what the user looks at
  if (!selected.empty() && in_view(selected.front())) {
    place_unit_ = selected.front();
  } else if (!place_unit_ || !in_view(*place_unit_)) {
    place_unit_ = anchor();
  }
}

canvas::ViewPlace GraphView::place() const {
  canvas::ViewPlace place;
  place.zoom = camera_.zoom;
  place.fitted = fitted_;
  if (!shown_.drawing) return place;
  const canvas::Layout& layout = shown_.drawing->layout;
  const canvas::Point middle = viewArea().center();
  const canvas::Point at = camera_.to_scene(middle);
  if (!layout.bounds.empty()) {
    place.share = {(at.x - layout.bounds.x) / layout.bounds.width, (at.y - layout.bounds.y) / layout.bounds.height};
  }
  keepAnchor();
  place.unit = place_unit_;
  if (place.unit) {
    const canvas::Point unit = camera_.to_view(layout.box_of(*place.unit)->center());
    place.offset = {unit.x - middle.x, unit.y - middle.y};
  }
  return place;
}

void GraphView::setPlace(const canvas::ViewPlace& place) {
  if (!shown_.drawing) return;
  const QSignalBlocker no_echo(this);
  if (place.fitted) return zoomToFit();
  const canvas::Layout& layout = shown_.drawing->layout;
  const canvas::Point middle = viewArea().center();
  camera_.zoom = std::clamp(place.zoom, std::min(camera_.zoom, canvas::Camera::kMinZoom), canvas::Camera::kMaxZoom);
  const canvas::Rect* known = place.unit ? layout.box_of(*place.unit) : nullptr;
  const canvas::Point center = known != nullptr ? known->center()
                                                : canvas::Point{layout.bounds.x + place.share.x * layout.bounds.width,
                                                                layout.bounds.y + place.share.y * layout.bounds.height};
  const canvas::Point at =
      known != nullptr ? canvas::Point{middle.x + place.offset.x, middle.y + place.offset.y} : middle;
  camera_.put(center, at);
  moved();
}

canvas::SceneState GraphView::sceneState() const {
  canvas::SceneState state;
  state.model = shown_.model.get();
  state.drawing = shown_.drawing.get();
  state.theme = &theme_;
  state.overlay = &scale_;
  state.gains = upToDate() ? &gains_ : nullptr;
  state.marks = marks_.size() == shown_.model->labels.size() ? &marks_ : nullptr;
  if (upToDate()) {
    state.ties = &ties_;
    state.selection = &selection();
    state.running = &running_;
    state.ahead = &ahead_;
    state.pointed = &pointed_;
    state.found = &found_;
    if (matches_.size() == shown_.model->labels.size()) state.matches = &matches_;
    if (const auto at = currentFound(); at && *at < found_.size()) state.current = found_[*at];
  }
  state.hovered = hovered_;
  state.lit = hovered_ && !partners_.empty() ? &partners_ : upToDate() ? &brushed_ : nullptr;
  state.hovered_header = hovered_header_;
  state.zoom = camera_.zoom;
  state.texts = texts_.get();
  return state;
}

// Draws what stays while the pointer moves, inside a rectangle of the window.
void GraphView::drawBase(QPainter& painter, const QRectF& window) const {
  canvas::SceneState state = sceneState();
  state.visible = canvas::to_qt(camera_.scene_rect({window.x(), window.y(), window.width(), window.height()}));
  painter.save();
  painter.setClipRect(window);
  painter.fillRect(window, theme_.canvas);
  applyCamera(painter);
  canvas::ScenePainter(painter, state).paintBase();
  painter.restore();
}

// Brings the picture up to date: where the view was only moved, by drawing what came into it.
void GraphView::paintBase() {
  const double ratio = devicePixelRatioF();
  const QSize pixels(static_cast<int>(std::ceil(width() * ratio)), static_cast<int>(std::ceil(height() * ratio)));
  const bool same_size = base_.picture.size() == pixels && base_.picture.devicePixelRatioF() == ratio;
  const double dx = (base_.camera.origin.x - camera_.origin.x) * camera_.zoom * ratio;
  const double dy = (base_.camera.origin.y - camera_.origin.y) * camera_.zoom * ratio;
  const QPoint shift(static_cast<int>(std::lround(dx)), static_cast<int>(std::lround(dy)));
  constexpr double kNoShift = 0.02;  // pixels
  const bool whole = std::abs(dx - shift.x()) < kNoShift && std::abs(dy - shift.y()) < kNoShift;
  const bool overlaps = std::abs(shift.x()) < pixels.width() && std::abs(shift.y()) < pixels.height();
  if (base_.valid && same_size && base_.camera.zoom == camera_.zoom && whole && overlaps) {
    if (shift.isNull()) return;
    QRegion exposed;
    base_.picture.scroll(shift.x(), shift.y(), QRect(QPoint(), pixels), &exposed);
    QPainter painter(&base_.picture);
    for (const QRect& rect : exposed) {
      drawBase(painter, QRectF(rect.x() / ratio, rect.y() / ratio, rect.width() / ratio, rect.height() / ratio));
    }
    // The picture is where whole pixels put it, so that small errors do not add up.
    base_.camera.origin.x -= shift.x() / (camera_.zoom * ratio);
    base_.camera.origin.y -= shift.y() / (camera_.zoom * ratio);
    return;
  }
  if (!same_size) {
    base_.picture = QPixmap(pixels);
    base_.picture.setDevicePixelRatio(ratio);
  }
  QPainter painter(&base_.picture);
  drawBase(painter, QRectF(rect()));
  base_.camera = camera_;
  base_.valid = true;
}

void GraphView::setGhosted(bool ghosted) {
  ghosted_ = ghosted;
  update();
}

void GraphView::paintVeil(QPainter& painter) const {
  constexpr float kVeil = 0.62F;
  if (!upToDate() || selection().empty()) return;
  const canvas::Layout& layout = shown_.drawing->layout;
  QRegion faint(rect());
  for (const UnitId unit : selection().units) {
    if (const canvas::Rect* box = layout.box_of(unit)) {
      faint -= rectInView(*box).toAlignedRect();
      const canvas::NodeShape& shape = layout.nodes[*layout.node_of[unit.index()]].shape;
      for (const canvas::Rect& piece : shape.pieces) faint -= rectInView(piece).toAlignedRect();
    }
  }
  const QColor veil = with_alpha(theme_.canvas, kVeil);
  for (const QRect& piece : faint) fill_translucent(painter, piece, veil);
}

void GraphView::paintCanvas(QPainter& painter) {
  if (!shown_.drawing) {
    painter.fillRect(rect(), theme_.canvas);
    paint_text(painter, canvas::body_font(), theme_.mutedText, rect(), Qt::AlignCenter,
               wanted_ ? tr("Laying out the graph…") : tr("No network is open"));
    return;
  }
  paintBase();
  painter.drawPixmap(0, 0, base_.picture);
  if (ghosted_) paintVeil(painter);
  canvas::SceneState state = sceneState();
  state.visible = canvas::to_qt(visible());
  applyCamera(painter);
  canvas::ScenePainter(painter, state).paintTop();
}

void GraphView::resizeEvent(QResizeEvent* event) {
  CanvasWidget::resizeEvent(event);
  if (fitted_) rearrange_->start();
}

// Frames arranged for a window of another shape would leave much of this one empty, and names have room for one size.
void GraphView::rearrange() {
  const canvas::Rect area = arrangementArea();
  if (!wanted_ || area.empty()) return;
  const canvas::Size wanted = wantedRoom();
  if (leader_ != nullptr) {
    if (wanted.width != room_.width || wanted.height != room_.height) requestLayout();
    return;
  }
  if (!fitted_ || !upToDate()) return;
  const auto changed = [](double now, double then) { return std::max(now / then, then / now) > kRoomChange; };
  if (changed(wanted.width, room_.width) || changed(wanted.height, room_.height)) requestLayout();
}

std::unique_ptr<Figure> GraphView::figure(const QString& context) const {
  if (!wanted_) return nullptr;
  canvas::FigureExtras extras{overlay_, deltas_, marks_, gains_shown_};
  extras.column = column_;
  if (shown_.model == wanted_ && shown_.drawing) {
    return canvas::make_figure(shown_.model, shown_.drawing, extras, context);
  }
  // Not laid out yet: quickly, with our own layout.
  return canvas::make_figure(wanted_, canvas::make_drawing(canvas::weave_graph(layoutRequest())), extras, context);
}

const Selection& GraphView::selection() const {
  static const Selection none;
  return selection_ ? selection_->current() : none;
}

}  // namespace iosx

#include "moc_graph_view.cpp"
