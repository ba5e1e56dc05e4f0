#include <QAbstractScrollArea>
#include <QAccessibleWidget>
#include <QHash>
#include <QPainter>
#include <cmath>
#include <utility>

#include "views/widgets/painted_view.h"

namespace iosx {
namespace {

class AccessibleList;
QAccessibleInterface* new_item(const AccessibleList& list, std::size_t item);

class AccessibleList final : public QAccessibleWidget {
 public:
  AccessibleList(QWidget& view, std::unique_ptr<PaintedItems> items)
      : QAccessibleWidget(&view, QAccessible::List), items_(std::move(items)) {}
  ~AccessibleList() override {
    for (const QAccessible::Id id : made_) QAccessible::deleteAccessibleInterface(id);
  }
  AccessibleList(const AccessibleList&) = delete;
  AccessibleList& operator=(const AccessibleList&) = delete;

  PaintedItems& items() const { return *items_; }
  QWidget& view() const { return *widget(); }
  QWidget& viewport() const {
    const auto* area = qobject_cast<QAbstractScrollArea*>(widget());
    return area != nullptr ? *area->viewport() : view();
  }

  int childCount() const override { return count() + (items_->widgetsFollow() ? QAccessibleWidget::childCount() : 0); }
  QAccessibleInterface* child(int index) const override {
    if (index < 0 || index >= childCount()) return nullptr;
    if (index >= count()) return QAccessibleWidget::child(index - count());
    if (const auto known = made_.find(index); known != made_.end()) return QAccessible::accessibleInterface(*known);
    auto* item = new_item(*this, static_cast<std::size_t>(index));  // the registry owns it
    made_.insert(index, QAccessible::registerAccessibleInterface(item));
    return item;
  }
  int indexOfChild(const QAccessibleInterface* child) const override {
    for (auto item = made_.begin(); item != made_.end(); ++item) {
      if (QAccessible::accessibleInterface(*item) == child) return item.key();
    }
    const int widget = items_->widgetsFollow() ? QAccessibleWidget::indexOfChild(child) : -1;
    return widget < 0 ? -1 : widget + count();
  }
  QAccessibleInterface* childAt(int x, int y) const override {
    const QPoint at = viewport().mapFromGlobal(QPoint(x, y));
    if (QWidget* over = items_->widgetsFollow() ? view().childAt(at) : nullptr) {
      while (over->parentWidget() != &view()) over = over->parentWidget();
      return QAccessible::queryAccessibleInterface(over);
    }
    return item(items_->itemAt(at));
  }
  QAccessibleInterface* focusChild() const override {
    if (!items_->widgetsFollow()) return item(items_->focused());
    QAccessibleInterface* focused = view().hasFocus() ? item(items_->focused()) : nullptr;
    return focused != nullptr ? focused : QAccessibleWidget::focusChild();
  }

 private:
  int count() const { return static_cast<int>(items_->count()); }
  QAccessibleInterface* item(std::optional<std::size_t> number) const {
    return number && *number < items_->count() ? child(static_cast<int>(*number)) : nullptr;
  }

  std::unique_ptr<PaintedItems> items_;
  mutable QHash<int, QAccessible::Id> made_;  // those that were asked for
};

// It holds only its number, because the view may have changed when it is queried.
class AccessibleItem final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  AccessibleItem(const AccessibleList& list, std::size_t item) : list_(list), item_(item) {}

  bool isValid() const override { return list_.isValid() && item_ < list_.items().count(); }
  QObject* object() const override { return nullptr; }
  QWindow* window() const override {
    return list_.object() != nullptr ? list_.view().window()->windowHandle() : nullptr;
  }
  QAccessibleInterface* parent() const override { return QAccessible::queryAccessibleInterface(list_.object()); }
  QAccessibleInterface* child(int /*index*/) const override { return nullptr; }
  QAccessibleInterface* childAt(int /*x*/, int /*y*/) const override { return nullptr; }
  int childCount() const override { return 0; }
  int indexOfChild(const QAccessibleInterface* /*child*/) const override { return -1; }
  QAccessible::Role role() const override { return QAccessible::ListItem; }
  QString text(QAccessible::Text what) const override {
    if (!isValid()) return {};
    if (what == QAccessible::Name) return list_.items().name(item_);
    return what == QAccessible::Description ? list_.items().description(item_) : QString();
  }
  void setText(QAccessible::Text /*what*/, const QString& /*text*/) override {}
  QRect rect() const override {
    const QRect box = isValid() ? list_.items().rect(item_) : QRect();
    return box == QRect() ? QRect() : QRect(list_.viewport().mapToGlobal(box.topLeft()), box.size());
  }
  QAccessible::State state() const override {
    QAccessible::State state;
    state.selectable = true;
    state.focusable = true;
    state.invalid = !isValid();
    if (!isValid()) return state;
    const QRect box = list_.items().rect(item_);
    state.invisible = box.isEmpty();
    state.offscreen = box.isEmpty() || !list_.viewport().rect().intersects(box);
    state.selected = list_.items().selected(item_);
    state.focused = list_.view().hasFocus() && list_.items().focused() == item_;
    return state;
  }
  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }
  QStringList actionNames() const override { return {pressAction()}; }
  void doAction(const QString& name) override {
    if (name == pressAction() && isValid()) list_.items().press(item_);
  }
  QStringList keyBindingsForAction(const QString& /*name*/) const override { return {}; }

 private:
  const AccessibleList& list_;  // ends its items before it ends itself
  std::size_t item_;
};

QAccessibleInterface* new_item(const AccessibleList& list, std::size_t item) { return new AccessibleItem(list, item); }

}  // namespace

QAccessibleInterface* accessible_list(QWidget& view, std::unique_ptr<PaintedItems> items) {
  return new AccessibleList(view, std::move(items));
}

void announce_focused_item(QWidget& view) {
  if (!QAccessible::isActive()) return;
  const auto* list = dynamic_cast<AccessibleList*>(QAccessible::queryAccessibleInterface(&view));
  const auto item = list != nullptr ? list->items().focused() : std::nullopt;
  if (!item) return;
  QAccessibleEvent focus(&view, QAccessible::Focus);
  focus.setChild(static_cast<int>(*item));
  QAccessible::updateAccessibility(&focus);
}

const QPixmap& StillPicture::picture(QSize size, double pixel_ratio, const std::function<void(QPainter&)>& draw) {
  if (valid_ && size_ == size && pixmap_.devicePixelRatio() == pixel_ratio) return pixmap_;
  const auto pixels = [&](int length) { return static_cast<int>(std::ceil(length * pixel_ratio)); };
  const QSize needed(pixels(size.width()), pixels(size.height()));
  if (pixmap_.size() != needed) pixmap_ = QPixmap(needed);
  pixmap_.setDevicePixelRatio(pixel_ratio);
  size_ = size;
  valid_ = true;
  if (needed.isEmpty()) return pixmap_;
  pixmap_.fill(Qt::transparent);  // a last column or row may be drawn in part
  QPainter painter(&pixmap_);
  draw(painter);
  return pixmap_;
}

}  // namespace iosx
