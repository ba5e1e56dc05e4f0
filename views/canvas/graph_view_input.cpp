#include <QKeyEvent>
#include <algorithm>
#include <utility>

#include "views/canvas/graph_view.h"
#include "views/canvas/paint/tool_tip.h"

// Mouse and keyboard input of the canvas.
namespace iosx {

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
  std::vector<UnitId> units;
  for (std::size_t n = frame.nodes.first; n < frame.nodes.second; ++n) {
    if (shown_.drawing->layout.nodes[n].unit.valid()) units.push_back(shown_.drawing->layout.nodes[n].unit);
  }
  if (frame.collapsed && frame.part.index() < shown_.model->graph->parts().size()) {
    units = shown_.model->graph->part(frame.part).units;
  }
  std::sort(units.begin(), units.end());
  if (!units.empty()) selectUnits(std::move(units), std::nullopt, false);
}

void GraphView::selectAt(const QPointF& at, bool add) {
  const canvas::Hit found = hitAt(at);
  if (!selection_ || !upToDate()) return;
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
    case canvas::Hit::Kind::kHeader: selectFrame(found.index); return;
    case canvas::Hit::Kind::kDisclosure: {
      const PartId part = layout.frames[found.index].part;
      setExpandedPart(expanded_ == part ? std::nullopt : std::optional(part));
      return;
    }
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
  using Kind = canvas::Hit::Kind;
  const canvas::Hit found = hitAt(at);
  const auto node = found.kind == Kind::kNode ? std::optional(found.index) : std::nullopt;
  const bool on_header = found.kind == Kind::kHeader || found.kind == Kind::kDisclosure;
  const auto header = on_header ? std::optional(found.index) : std::nullopt;
  if (!spaceHeld()) found.kind != Kind::kNothing ? setCursor(Qt::PointingHandCursor) : unsetCursor();
  if (node == hovered_ && header == hovered_header_) return;
  hovered_ = node;
  hovered_header_ = header;
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

}  // namespace iosx
