#include <QAccessible>
#include <QKeyEvent>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "core/model/graph/work.h"
#include "views/canvas/canvas_bar.h"
#include "views/canvas/corner_cards.h"
#include "views/canvas/find_bar.h"
#include "views/canvas/graph_view.h"
#include "views/canvas/layout/node_text.h"
#include "views/canvas/paint/hit.h"
#include "views/canvas/paint/unit_query.h"
#include "views/text/qstring.h"
#include "views/widgets/painted_view.h"

// Mouse and keyboard input of the canvas.
namespace iosx {

namespace {

constexpr int kToolMargin = 8;
constexpr int kLeastForBar = 300;     // pixels of width
constexpr int kLeastForMap = 360;     // pixels of width
constexpr int kLeastMapHeight = 200;  // pixels of the canvas

}  // namespace

// A click selects the thing under the pointer, a drag pans.
class GraphView::SelectTool final : public canvas::CanvasTool {
 public:
  SelectTool(GraphView& view, bool clicks) : view_(view), clicks_(clicks) {}

  void drag(const canvas::Pointer& pointer) override { view_.pan(pointer); }
  void release(const canvas::Pointer& pointer) override {
    if (pointer.dragged || !clicks_ || pointer.button != Qt::LeftButton) return;
    view_.selectAt(pointer.at, pointer.held.testFlag(Qt::ControlModifier));
  }

 private:
  GraphView& view_;
  bool clicks_;  // false: the second click of a double click may have moved what is under the pointer
};

canvas::Hit GraphView::hitAt(const QPointF& at) const {
  if (!upToDate() || !viewArea().contains(canvas::Point{at.x(), at.y()})) return {};
  return canvas::hit(shown_.drawing->layout, camera_.to_scene({at.x(), at.y()}), camera_.zoom);
}

std::shared_ptr<canvas::CanvasTool> GraphView::toolAt(const canvas::Pointer& /*pointer*/) {
  return std::make_shared<SelectTool>(*this, true);
}

std::shared_ptr<canvas::CanvasTool> GraphView::doubleClicked(const canvas::Pointer& pointer) {
  const canvas::Hit found = hitAt(pointer.at);
  if (found.kind == canvas::Hit::Kind::kHeader) showFrame(found.index);
  return std::make_shared<SelectTool>(*this, false);
}

void GraphView::selectFrame(std::size_t index) {
  const canvas::FrameBox& frame = shown_.drawing->layout.frames[index];
  if (!frame.units.empty()) selectUnits(frame.units, std::nullopt, false);
}

void GraphView::selectAt(const QPointF& at, bool add) {
  const canvas::Hit found = hitAt(at);
  if (!selection_ || !upToDate()) return;
  const canvas::Layout& layout = shown_.drawing->layout;
  switch (found.kind) {
    case canvas::Hit::Kind::kNode: {
      const UnitId unit = layout.nodes[found.index].unit;
      std::vector<UnitId> units{unit};
      if (add) {
        units = selection().units;
        const auto place = std::lower_bound(units.begin(), units.end(), unit);
        place != units.end() && *place == unit ? void(units.erase(place)) : void(units.insert(place, unit));
      }
      return selectUnits(std::move(units), std::nullopt, false);
    }
    case canvas::Hit::Kind::kRow: {
      std::vector<UnitId> units = layout.rows[found.index].units();
      if (!shown_.model->schedule || units.empty()) return selection_->clear();
      return selectUnits(std::move(units), std::nullopt, false);
    }
    case canvas::Hit::Kind::kBand: {
      const std::size_t stage = layout.bands[found.index].stage;
      return selectUnits(shown_.model->schedule->stages[stage].units(), stage, true);
    }
    case canvas::Hit::Kind::kHeader: return selectFrame(found.index);
    case canvas::Hit::Kind::kDisclosure: {
      const PartId part = layout.frames[found.index].part;
      return setExpandedPart(expanded_ == part ? std::nullopt : std::optional(part));
    }
    case canvas::Hit::Kind::kNothing: selection_->clear();
  }
}

void GraphView::selectUnits(std::vector<UnitId> units, std::optional<std::size_t> stage, bool named) {
  const bool of_schedule = named && shown_.model->schedule;
  selection_->select({std::move(units), of_schedule ? shown_.model->label.id : ScheduleId(), stage});
}

bool GraphView::keyPressed(QKeyEvent& event) {
  using canvas::Direction;
  if (event.modifiers().testFlag(Qt::ControlModifier)) return false;
  switch (event.key()) {
    case Qt::Key_L: toggleLegend(); return true;
    case Qt::Key_M: setMapVisible(!map_visible_); return true;
    case Qt::Key_G: listParts(); return true;
    case Qt::Key_PageDown: goToPart(1); return true;
    case Qt::Key_PageUp: goToPart(-1); return true;
    case Qt::Key_Up: return goTo(Direction::kUp);
    case Qt::Key_Down: return goTo(Direction::kDown);
    case Qt::Key_Left: return goTo(Direction::kLeft);
    case Qt::Key_Right: return goTo(Direction::kRight);
    case Qt::Key_Escape:
      if (selection().empty()) return false;
      selection_->clear();
      return true;
    default: return false;
  }
}

bool GraphView::goTo(canvas::Direction direction) {
  if (!selection_ || !upToDate()) return false;
  const canvas::Layout& layout = shown_.drawing->layout;
  std::optional<UnitId> next;
  if (selection().empty() || selection().units.front().index() >= layout.node_of.size()) {
    if (!layout.nodes.empty()) next = layout.nodes.front().unit;
  } else {
    next = canvas::neighbour(*shown_.model->graph, layout, selection().units.front(), direction);
  }
  if (!next) return true;  // at the border: stay
  selectUnits({*next}, std::nullopt, false);
  revealSelection();
  return true;
}

void GraphView::hover(const QPointF& at) {
  using Kind = canvas::Hit::Kind;
  const canvas::Hit found = hitAt(at);
  const auto node = found.kind == Kind::kNode ? std::optional(found.index) : std::nullopt;
  const bool on_header = found.kind == Kind::kHeader || found.kind == Kind::kDisclosure;
  const auto header = on_header ? std::optional(found.index) : std::nullopt;
  if (!spaceHeld()) found.kind != Kind::kNothing ? setCursor(Qt::PointingHandCursor) : unsetCursor();
  if (node == hovered_ && header == hovered_header_) return;
  hovered_ = node;
  hovered_header_ = header;
  partners_.clear();
  const UnitSpans* spans = node && running_.empty() && ahead_.empty() ? shown_.model->label.spans.get() : nullptr;
  const UnitId unit = node ? shown_.drawing->layout.nodes[*node].unit : UnitId();
  if (spans != nullptr && !spans->of_unit[unit.index()].empty()) {
    partners_ = merged_with(*spans, unit);
    for (const Partner& partner : partners(*spans, unit)) {
      partners_.insert(partners_.end(), partner.units.begin(), partner.units.end());
    }
    partners_.push_back(unit);
    std::ranges::sort(partners_);
  }
  update();
}

void GraphView::unhover() {
  hovered_.reset();
  hovered_header_.reset();
}

QString GraphView::tipAt(const QPointF& at) const {
  if (!upToDate()) return {};
  return canvas::tool_tip(*shown_.model, shown_.drawing->layout, hitAt(at), {&scale_, &marks_, &gains_});
}

// The tip of a unit stands below it, and so leaves those clear that run beside it.
QPoint GraphView::tipPlace(const QPoint& at) const {
  constexpr int kAboveTip = 12;  // pixels from the place of a tip to its top
  const canvas::Hit over = hitAt(at);
  if (over.kind != canvas::Hit::Kind::kNode) return at;
  const int bottom = static_cast<int>(rectInView(shown_.drawing->layout.nodes[over.index].box).bottom());
  return bottom > height() ? at : QPoint(at.x(), std::max(at.y(), bottom) - kAboveTip);
}

// ---- The things over the canvas: the bar with its breadcrumb, search, legend, overview, list of parts ----

void GraphView::makeOverlays() {
  bar_ = new canvas::CanvasBar(this);
  makeFindBar();
  legend_ = new canvas::LegendCard(this);
  map_ = new canvas::Minimap(this);
  parts_ = new canvas::PartList(this);
  legend_->hide();
  map_->hide();
  parts_->hide();
  bar_->setLegend(true, legend_visible_);
  bar_->setMapShown(map_visible_);
  bar_->setGainsShown(gains_shown_);
  bar_->setGainsKnown(false);
  connect(bar_, &canvas::CanvasBar::networkClicked, this, &GraphView::zoomToFit);
  connect(bar_, &canvas::CanvasBar::partsClicked, this, &GraphView::listParts);
  connect(bar_, &canvas::CanvasBar::unitClicked, this, &GraphView::zoomToSelection);
  connect(bar_, &canvas::CanvasBar::overlayChosen, this, &GraphView::setOverlay);
  connect(bar_, &canvas::CanvasBar::findClicked, this, &GraphView::find);
  connect(bar_, &canvas::CanvasBar::legendClicked, this, &GraphView::toggleLegend);
  connect(bar_, &canvas::CanvasBar::mapToggled, this, &GraphView::setMapVisible);
  connect(bar_, &canvas::CanvasBar::gainsToggled, this, &GraphView::setGainsShown);
  connect(parts_, &canvas::PartList::chosen, this, [this](int frame) { showFrame(static_cast<std::size_t>(frame)); });
  connect(map_, &canvas::Minimap::movedTo, this, [this](const canvas::Point& center) {
    camera_.put(center, viewArea().center());
    moved();
  });
}

void GraphView::addOverlayAction(QAction* action) { bar_->addOverlayAction(action); }

void GraphView::placeOverlays() {
  bar_->setVisible(width() >= kLeastForBar);
  bar_->setGeometry(0, 0, width(), canvas::CanvasBar::kHeight);
  CanvasWidget::placeOverlays();
  const QSize room(width(), height() - static_cast<int>(viewArea().y));
  const QSize legend = legend_elsewhere_ || !shown_.drawing ? QSize() : legend_->sizeFor(room);
  legend_fits_ = legend_elsewhere_ || !shown_.drawing || !legend.isEmpty();
  bar_->setLegend(legend_fits_, legend_visible_);
  legend_->setVisible(legend_visible_ && !legend.isEmpty());
  bar_->signs()->setNeeded(!legend_visible_ || (!legend_elsewhere_ && legend.isEmpty()));
  if (!legend.isEmpty()) {
    legend_->setGeometry(kToolMargin, height() - legend.height() - kToolMargin, legend.width(), legend.height());
  }
  bool part_only = false;  // of the drawing is in view
  if (shown_.drawing) {
    const canvas::Rect view = visible();
    map_->setView(view);
    part_only = !view.grown(1).contains(shown_.drawing->layout.bounds);
  }
  const bool map = map_visible_ && part_only && width() >= kLeastForMap && room.height() >= kLeastMapHeight;
  const QSize size = map ? map_->sizeFor(room) : QSize();
  map_->setVisible(!size.isEmpty());
  if (!size.isEmpty()) {
    map_->setGeometry(width() - size.width() - kToolMargin, height() - size.height() - kToolMargin, size.width(),
                      size.height());
  }
}

void GraphView::setLegendVisible(bool visible) {
  const bool changed = legend_visible_ != visible;
  legend_visible_ = visible;
  placeOverlays();
  fitted_ ? zoomToFit() : update();
  if (changed) rearrange_->start();
  if (changed) emit legendVisibleChanged(visible);
}

void GraphView::toggleLegend() {
  if (legend_fits_) return setLegendVisible(!legend_visible_);
  auto* card = new canvas::LegendCard(this);
  card->setAttribute(Qt::WA_DeleteOnClose);
  card->setLegend(legend(), scale_);
  const QToolButton* button = bar_->legendButton();
  card->popUp(button->mapToGlobal(QPoint(button->width(), button->height())));
}

void GraphView::setLegendElsewhere(bool elsewhere) {
  legend_elsewhere_ = elsewhere;
  placeOverlays();
}

void GraphView::setMapVisible(bool visible) {
  map_visible_ = visible;
  bar_->setMapShown(visible);
  placeOverlays();
}

void GraphView::search(const QString& text) {
  found_.clear();
  const bool was_dim = !matches_.empty();
  matches_.clear();
  const auto query = canvas::UnitQuery::parse(text);
  if (!query) {
    findBar().showError(query.error());
  } else if (query->empty()) {
    findBar().showNothing();
  } else if (shown_.model) {
    found_ = query->matches(*shown_.model);
    matches_.assign(shown_.model->labels.size(), false);
    for (const UnitId unit : found_) matches_[unit.index()] = true;
    findBar().showCount(-1, static_cast<int>(found_.size()));
  }
  map_->setFound(found_);
  was_dim || !matches_.empty() ? sceneChanged() : update();
}

void GraphView::goToFound(std::size_t index) {
  const UnitId unit = found_[index];
  if (selection_) selectUnits({unit}, std::nullopt, false);
  const canvas::Rect* found = shown_.drawing->layout.box_of(unit);
  if (found == nullptr) return setExpandedPart(std::nullopt);  // in a part that is closed
  constexpr double kReadable = 0.5;                            // zoom
  const canvas::Rect& box = *found;
  if (camera_.zoom >= kReadable) {
    revealRect(box, viewArea(), kRevealMargin);
    return update();
  }
  camera_.zoom = kReadable;
  camera_.put(box.center(), viewArea().center());
  moved();
}

// Returns the frame of the first selected unit, else the one in the middle of the canvas, where it is zoomed in.
std::optional<std::size_t> GraphView::frameInView() const {
  if (!upToDate()) return std::nullopt;
  const canvas::Layout& layout = shown_.drawing->layout;
  const auto of_node = [&](std::size_t node) -> std::optional<std::size_t> {
    for (std::size_t f = 0; f < layout.frames.size(); ++f) {
      if (node >= layout.frames[f].nodes.first && node < layout.frames[f].nodes.second) return f;
    }
    return std::nullopt;
  };
  const auto& units = selection().units;
  if (!units.empty() && units.front().index() < layout.node_of.size() && layout.node_of[units.front().index()]) {
    return of_node(*layout.node_of[units.front().index()]);
  }
  if (fitted_) return std::nullopt;
  const canvas::Point middle = camera_.to_scene(viewArea().center());
  for (std::size_t f = 0; f < layout.frames.size(); ++f) {
    if (layout.frames[f].box.contains(middle)) return f;
  }
  return std::nullopt;
}

void GraphView::showFrame(std::size_t index) {
  if (!upToDate() || index >= shown_.drawing->layout.frames.size()) return;
  const canvas::FrameBox& frame = shown_.drawing->layout.frames[index];
  if (frame.collapsed) return setExpandedPart(frame.part);
  const canvas::Rect box = frame.box;
  if (selection_) selectFrame(index);
  fit(box.grown(16));
  moved();
}

void GraphView::goToPart(int step) {
  if (!upToDate()) return;
  const auto count = static_cast<int>(shown_.drawing->layout.frames.size());
  if (count == 0) return;
  const auto now = frameInView();
  const int next = now ? static_cast<int>(*now) + step : step > 0 ? 0 : count - 1;
  if (next >= 0 && next < count) showFrame(static_cast<std::size_t>(next));
}

void GraphView::listParts() {
  if (!upToDate()) return;
  QStringList titles;
  QStringList details;
  for (const canvas::FrameBox& frame : shown_.drawing->layout.frames) {
    titles.append(qstring(canvas::short_name(frame.title)));
    details.append(frame.units.size() == 1 ? tr("1 unit") : tr("%1 units").arg(frame.units.size()));
  }
  const auto now = frameInView();
  const QToolButton* button = bar_->partButton();
  const QPoint at = button->isVisible() ? button->mapToGlobal(QPoint(0, button->height())) : mapToGlobal(QPoint(4, 4));
  parts_->open(titles, details, now ? static_cast<int>(*now) : -1, at);
}

void GraphView::showCrumbs() {
  if (!upToDate()) return bar_->setCrumbs({}, {}, {});
  const Graph& graph = *shown_.model->graph;
  const auto& units = selection().units;
  canvas::Crumb part;
  if (const auto frame = frameInView()) {
    std::vector<std::string> names;
    for (const canvas::FrameBox& each : shown_.drawing->layout.frames) names.push_back(each.title);
    part.name = qstring(canvas::short_name(names[*frame]));
    part.brief = qstring(canvas::short_name(without_family(names[*frame], family_prefix(names))));
  }
  canvas::Crumb chosen;
  if (selection().stage) {
    chosen.name = tr("stage %1").arg(*selection().stage + 1);
  } else if (units.size() == 1 && units.front().index() < graph.units().size()) {
    const Unit& unit = graph.unit(units.front());
    const Operator& op = graph.op(dominant_operator(graph, units.front()));
    chosen.name = qstring(canvas::short_name(unit.name));
    chosen.brief = shown_.model->labels[units.front().index()].name;
    if (unit.operators.size() > 1 && op.name != unit.name && !op.name.empty()) {
      chosen.name += QStringLiteral(" / ") + qstring(canvas::short_name(op.name));
    }
  } else if (units.size() > 1) {
    chosen.name = tr("%1 units").arg(units.size());
  }
  bar_->setCrumbs({qstring(canvas::short_name(graph.name())), {}}, part, chosen);
}

void GraphView::describeSelection() {
  showCrumbs();
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
  announce_focused_item(*this);  // the first selected unit
}

}  // namespace iosx
