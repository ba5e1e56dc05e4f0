#include "views/editor/accessible_edit_canvas.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QCoreApplication>
#include <QHash>
#include <QPointer>
#include <QStringList>
#include <cstddef>

#include "views/editor/edit_canvas.h"
#include "views/editor/edit_words.h"
#include "views/editor/graph_desk.h"
#include "views/text/qstring.h"

namespace iosx::editor {
namespace {

struct AccessibleWords {
  Q_DECLARE_TR_FUNCTIONS(iosx::EditCanvas)
};

// Looks everything up when it is asked, as the drawing may be another one by then.
class AccessibleOperator final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  AccessibleOperator(EditCanvas* canvas, std::size_t index) : canvas_(canvas), index_(index) {}

  bool isValid() const override { return box() != nullptr; }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override { return canvas_ ? canvas_->window()->windowHandle() : nullptr; }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(canvas_.data()); }
  QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  QString text(QAccessible::Text what) const override {
    const EditBox* const own = box();
    return own != nullptr && what == QAccessible::Name ? words(*own) : QString();
  }
  void setText(QAccessible::Text /*what*/, const QString& /*text*/) override {}
  QRect rect() const override {
    const EditBox* const own = box();
    if (own == nullptr) return {};
    const QRect at = canvas_->rectOf(*own);
    return {canvas_->mapToGlobal(at.topLeft()), at.size()};
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    const EditBox* const own = box();
    state.selectable = true;
    state.focusable = true;
    state.invalid = own == nullptr;
    if (own == nullptr) return state;
    state.offscreen = !canvas_->rect().intersects(canvas_->rectOf(*own));
    state.selected = canvas_->desk().isSelected(own->key);
    state.focused = state.selected && canvas_->hasFocus() && canvas_->desk().selected().size() == 1;
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& name) override {
    const EditBox* const own = box();
    if (name == pressAction() && own != nullptr) canvas_->desk().reveal(own->key);
  }
  QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

 private:
  const EditBox* box() const {
    if (!canvas_) return nullptr;
    const auto& boxes = canvas_->desk().scene().boxes();
    return index_ < boxes.size() ? &boxes[index_] : nullptr;
  }

  QString words(const EditBox& own) const {
    const EditableGraph& graph = canvas_->desk().graph();
    const EditOperator& op = graph.op(own.key);
    QStringList all{shown_name(op.name), own.text->line};
    if (!own.text->shape.isEmpty()) all << own.text->shape;
    QStringList reads;
    for (const EditInput& input : op.inputs) {
      if (const EditOperator* const from = graph.find(input.producer)) reads << shown_name(from->name);
    }
    if (!reads.isEmpty()) all << AccessibleWords::tr("reads %1").arg(reads.join(QStringLiteral(", ")));
    for (const std::size_t p : own.problems) all << edit_words(canvas_->desk().check().problems[p].wording);
    return all.join(QStringLiteral(", "));
  }

  QPointer<EditCanvas> canvas_;
  std::size_t index_;
};

class AccessibleEditCanvas final : public QAccessibleWidget {
 public:
  explicit AccessibleEditCanvas(EditCanvas* canvas) : QAccessibleWidget(canvas, QAccessible::List), canvas_(canvas) {}
  ~AccessibleEditCanvas() override {
    for (const QAccessible::Id id : operators_) QAccessible::deleteAccessibleInterface(id);
  }
  AccessibleEditCanvas(const AccessibleEditCanvas&) = delete;
  AccessibleEditCanvas& operator=(const AccessibleEditCanvas&) = delete;

  int childCount() const override { return static_cast<int>(canvas_->desk().scene().boxes().size()); }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    if (const auto known = operators_.find(index); known != operators_.end())
      return QAccessible::accessibleInterface(*known);
    auto* made = new AccessibleOperator(canvas_, static_cast<std::size_t>(index));  // the registry owns it
    operators_.insert(index, QAccessible::registerAccessibleInterface(made));
    return made;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (auto each = operators_.begin(); each != operators_.end(); ++each) {
      if (QAccessible::accessibleInterface(*each) == child) return each.key();
    }
    return -1;
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    const QPoint at = canvas_->mapFromGlobal(QPoint(x, y));
    const auto box = canvas_->desk().scene().boxAt(canvas_->toScene(at));
    return box ? child(static_cast<int>(*box)) : nullptr;
  }
  QAccessibleInterface* focusChild() const override {
    const int at = selected();
    return at < 0 ? nullptr : child(at);
  }
  int selected() const {
    const auto& keys = canvas_->desk().selected();
    const auto at = keys.size() == 1 ? canvas_->desk().scene().position(keys.front()) : std::nullopt;
    return at ? static_cast<int>(*at) : -1;
  }

 private:
  EditCanvas* canvas_;
  mutable QHash<int, QAccessible::Id> operators_;  // those that were asked for
};

QAccessibleInterface* make_accessible_canvas(const QString& /*key*/, QObject* object) {
  auto* canvas = qobject_cast<EditCanvas*>(object);
  return canvas != nullptr ? new AccessibleEditCanvas(canvas) : nullptr;
}

}  // namespace

void install_accessible_canvas() { QAccessible::installFactory(make_accessible_canvas); }

void announce_selected(EditCanvas& canvas) {
  if (!QAccessible::isActive()) return;
  const auto* own = dynamic_cast<AccessibleEditCanvas*>(QAccessible::queryAccessibleInterface(&canvas));
  const int at = own == nullptr ? -1 : own->selected();
  if (at < 0) return;
  QAccessibleEvent focus(&canvas, QAccessible::Focus);
  focus.setChild(at);
  QAccessible::updateAccessibility(&focus);
}

}  // namespace iosx::editor
