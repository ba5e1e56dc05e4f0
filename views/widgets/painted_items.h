#pragma once

#include <QAccessible>
#include <QPoint>
#include <QRect>
#include <QString>
#include <cstddef>
#include <memory>
#include <optional>

class QWidget;

namespace iosx {

// Tells what a view paints as things of their own, in reading order, for those who do not see it: assistive technology
// finds the view as a list, and these as its items, which can be pressed. Everything is asked for anew each time, as
// the view may show something else by then, but only of items below count(). Places are in the view, of an area that
// scrolls in its viewport.
class PaintedItems {
 public:
  PaintedItems() = default;
  virtual ~PaintedItems() = default;
  PaintedItems(const PaintedItems&) = delete;
  PaintedItems& operator=(const PaintedItems&) = delete;

  virtual std::size_t count() const = 0;
  virtual QString name(std::size_t item) const = 0;
  virtual QString description(std::size_t /*item*/) const { return {}; }
  virtual QRect rect(std::size_t item) const = 0;  // QRect(): not painted
  virtual bool selected(std::size_t item) const = 0;
  virtual std::optional<std::size_t> focused() const = 0;  // has the focus whenever the view has it
  virtual std::optional<std::size_t> itemAt(const QPoint& at) const = 0;
  virtual void press(std::size_t item) = 0;
  virtual bool widgetsFollow() const { return false; }  // the widgets over the view are found too, after the items
};

QAccessibleInterface* accessible_list(QWidget& view, std::unique_ptr<PaintedItems> items);  // Qt owns it

// Makes accessible_list() the interface of all views of a class: Items are made of a View&. Once a process is enough,
// more does no harm. It is done before a view's accessible name is set: Qt asks for the interface then, and keeps it.
// It runs on the GUI thread.
template <typename View, typename Items>
void install_painted_items() {
  QAccessible::installFactory([](const QString& /*key*/, QObject* object) -> QAccessibleInterface* {
    auto* view = qobject_cast<View*>(object);
    return view != nullptr ? accessible_list(*view, std::make_unique<Items>(*view)) : nullptr;
  });
}

// Tells assistive technology, where there is any, which item has the focus now.
void announce_focused_item(QWidget& view);

}  // namespace iosx
