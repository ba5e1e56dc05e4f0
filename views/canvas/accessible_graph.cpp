#include "views/canvas/accessible_graph.h"

#include <cmath>

#include "views/canvas/graph_view.h"
#include "views/canvas/layout/names.h"
#include "views/text/qstring.h"
#include "views/widgets/painted_items.h"

namespace iosx::canvas {
namespace {

class UnitItems final : public PaintedItems {
 public:
  explicit UnitItems(GraphView& view) : view_(view) {}

  std::size_t count() const override { return view_.modelShown() != nullptr ? view_.modelShown()->labels.size() : 0; }
  QString name(std::size_t unit) const override {
    return qstring(short_name(view_.modelShown()->graph->units()[unit].name));
  }
  QString description(std::size_t unit) const override {
    const Model& model = *view_.modelShown();
    QStringList parts = model.labels[unit].lines;
    parts.append(model.labels[unit].shape);
    if (const UnitPlace& place = model.places[unit]; place.stage) {
      parts.append(GraphView::tr("stage %1, group %2").arg(*place.stage + 1).arg(place.group + 1));
    }
    return parts.join(QStringLiteral(", "));
  }
  QRect rect(std::size_t unit) const override {
    const Layout* layout = view_.layoutShown();
    if (layout == nullptr || unit >= layout->node_of.size() || !layout->node_of[unit]) return {};
    const Rect& box = layout->nodes[*layout->node_of[unit]].box;
    const Point at = view_.camera().to_view({box.x, box.y});
    return {static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y)),
            static_cast<int>(std::lround(box.width * view_.camera().zoom)),
            static_cast<int>(std::lround(box.height * view_.camera().zoom))};
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
    const Layout* layout = view_.layoutShown();
    if (layout == nullptr || !view_.rect().contains(at)) return {};
    const Camera& camera = view_.camera();
    const Hit found =
        hit(*layout, camera.to_scene({static_cast<double>(at.x()), static_cast<double>(at.y())}), camera.zoom);
    if (found.kind != Hit::Kind::kNode || !layout->nodes[found.index].unit.valid()) return {};
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

void install_accessible_graph() { install_painted_items<GraphView, UnitItems>(); }

}  // namespace iosx::canvas
