#include "views/graph/accessible_graph.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QHash>
#include <algorithm>
#include <cmath>

#include "views/graph/graph_view.h"
#include "views/graph/names.h"
#include "views/text/qstring.h"

namespace iosx::canvas {
namespace {

// One unit on the canvas. Looks everything up when it is asked, as the graph may be another one by then.
class AccessibleUnit final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  AccessibleUnit(GraphView* view, std::size_t unit) : view_(view), unit_(unit) {}

  bool isValid() const override { return view_ && view_->modelShown() && unit_ < view_->modelShown()->labels.size(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return view_ ? view_->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(view_.data()); }
  QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }

  QString text(QAccessible::Text what) const override {
    if (!isValid()) return {};
    const Model& model = *view_->modelShown();
    const UnitLabel& label = model.labels[unit_];
    if (what == QAccessible::Name) return qstring(short_name(model.graph->units()[unit_].name));
    if (what != QAccessible::Description) return {};
    QStringList parts = label.lines;
    parts.append(label.shape);
    if (const UnitPlace& place = model.places[unit_]; place.stage) {
      parts.append(GraphView::tr("stage %1, group %2").arg(*place.stage + 1).arg(place.group + 1));
    }
    return parts.join(QStringLiteral(", "));
  }
  void setText(QAccessible::Text /*what*/, const QString& /*text*/) override {}

  QRect rect() const override {
    const Layout* layout = isValid() ? view_->layoutShown() : nullptr;
    if (layout == nullptr || unit_ >= layout->node_of.size() || !layout->node_of[unit_]) return {};
    const Rect& box = layout->nodes[*layout->node_of[unit_]].box;
    const Point at = view_->camera().to_view({box.x, box.y});
    const QPoint corner(static_cast<int>(std::lround(at.x)), static_cast<int>(std::lround(at.y)));
    const QSize size(static_cast<int>(std::lround(box.width * view_->camera().zoom)),
                     static_cast<int>(std::lround(box.height * view_->camera().zoom)));
    return {view_->mapToGlobal(corner), size};
  }

  QAccessible::State state() const override {
    QAccessible::State state;
    state.selectable = true;
    state.focusable = true;
    state.invalid = !isValid();
    if (!isValid()) return state;
    const QRect place = rect();
    const QRect window(view_->mapToGlobal(QPoint()), view_->size());
    state.offscreen = place.isEmpty() || !window.intersects(place);
    state.invisible = place.isEmpty();
    if (const SelectionModel* selection = view_->selectionModel()) {
      state.selected = selection->current().contains(UnitId(unit_));
      state.focused = state.selected && view_->hasFocus() && selection->current().units.front() == UnitId(unit_);
    }
    return state;
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& name) override {
    if (name != pressAction() || !isValid() || view_->selectionModel() == nullptr) return;
    view_->selectionModel()->select({{UnitId(unit_)}, {}, {}});
    view_->revealSelection();
  }
  QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

 private:
  QPointer<GraphView> view_;
  std::size_t unit_;
};

class AccessibleGraph final : public QAccessibleWidget {
 public:
  explicit AccessibleGraph(GraphView* view) : QAccessibleWidget(view, QAccessible::List), view_(view) {}
  ~AccessibleGraph() override {
    for (const QAccessible::Id id : units_) QAccessible::deleteAccessibleInterface(id);
  }
  AccessibleGraph(const AccessibleGraph&) = delete;
  AccessibleGraph& operator=(const AccessibleGraph&) = delete;

  int childCount() const override { return unitCount() + QAccessibleWidget::childCount(); }

  QAccessibleInterface* child(int index) const override {
    if (index < 0) return nullptr;
    if (index >= unitCount()) return QAccessibleWidget::child(index - unitCount());
    if (const auto known = units_.find(index); known != units_.end()) return QAccessible::accessibleInterface(*known);
    auto* unit = new AccessibleUnit(view_, static_cast<std::size_t>(index));  // the registry owns it
    units_.insert(index, QAccessible::registerAccessibleInterface(unit));
    return unit;
  }

  int indexOfChild(const QAccessibleInterface* child) const override {
    for (auto unit = units_.begin(); unit != units_.end(); ++unit) {
      if (QAccessible::accessibleInterface(*unit) == child) return unit.key();
    }
    const int widget = QAccessibleWidget::indexOfChild(child);
    return widget < 0 ? -1 : widget + unitCount();
  }

  QAccessibleInterface* childAt(int x, int y) const override {
    const QPoint at = view_->mapFromGlobal(QPoint(x, y));
    if (QWidget* over = view_->childAt(at)) {
      while (over->parentWidget() != view_) over = over->parentWidget();
      return QAccessible::queryAccessibleInterface(over);
    }
    const Layout* layout = view_->layoutShown();
    if (layout == nullptr || unitCount() == 0 || !view_->rect().contains(at)) return nullptr;
    const Hit found = hit(*layout, view_->camera().to_scene({static_cast<double>(at.x()), static_cast<double>(at.y())}),
                          view_->camera().zoom);
    if (found.kind != Hit::Kind::kNode || !layout->nodes[found.index].unit.valid()) return nullptr;
    return child(static_cast<int>(layout->nodes[found.index].unit.index()));
  }

  QAccessibleInterface* focusChild() const override {
    if (!view_->hasFocus()) return QAccessibleWidget::focusChild();
    const auto unit = selectedUnit();
    return unit ? child(*unit) : QAccessibleWidget::focusChild();
  }

  std::optional<int> selectedUnit() const {
    const SelectionModel* selection = view_->selectionModel();
    if (selection == nullptr || selection->current().empty()) return std::nullopt;
    const auto unit = static_cast<int>(selection->current().units.front().index());
    return unit < unitCount() ? std::optional(unit) : std::nullopt;
  }

 private:
  int unitCount() const {
    return view_->modelShown() != nullptr ? static_cast<int>(view_->modelShown()->labels.size()) : 0;
  }

  GraphView* view_;
  mutable QHash<int, QAccessible::Id> units_;  // those that were asked for
};

QAccessibleInterface* make_accessible(const QString& /*key*/, QObject* object) {
  auto* view = qobject_cast<GraphView*>(object);
  return view != nullptr ? new AccessibleGraph(view) : nullptr;
}

}  // namespace

void install_accessible_graph() { QAccessible::installFactory(make_accessible); }

void announce_selection(GraphView& view) {
  if (!QAccessible::isActive()) return;
  const auto* graph = dynamic_cast<AccessibleGraph*>(QAccessible::queryAccessibleInterface(&view));
  const auto unit = graph != nullptr ? graph->selectedUnit() : std::nullopt;
  if (!unit) return;
  QAccessibleEvent focus(&view, QAccessible::Focus);
  focus.setChild(*unit);
  QAccessible::updateAccessibility(&focus);
}

}  // namespace iosx::canvas
