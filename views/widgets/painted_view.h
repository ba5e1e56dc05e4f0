#pragma once

#include <QAccessible>
#include <QPixmap>
#include <QPoint>
#include <QRect>
#include <QSize>
#include <QString>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>

class QWidget;
class QPainter;

namespace iosx {

// The things that a view paints, in reading order, for assistive technology: it sees the view as a list with these
// items, which can be pressed. Everything is queried anew each time, because the view may have changed, but only for
// items below count(). Places are in the view, for a scrolling area in its viewport.
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
  virtual bool widgetsFollow() const { return false; }  // widgets over the view come after the items
};

QAccessibleInterface* accessible_list(QWidget& view, std::unique_ptr<PaintedItems> items);  // Qt owns it

// Makes accessible_list() the interface of all views of a class: Items are made from a View&. One call per process is
// enough, more are harmless. Call it before a view's accessible name is set, when Qt requests and stores the
// interface. GUI thread.
template <typename View, typename Items>
void install_painted_items() {
  QAccessible::installFactory([](const QString& /*key*/, QObject* object) -> QAccessibleInterface* {
    auto* view = qobject_cast<View*>(object);
    return view != nullptr ? accessible_list(*view, std::make_unique<Items>(*view)) : nullptr;
  });
}

// Tells assistive technology, if any, which item has the focus now.
void announce_focused_item(QWidget& view);

// Keeps the part of a view that stays while the mouse moves: it is drawn once, in the pixels of the screen.
class StillPicture {
 public:
  void invalidate() { valid_ = false; }
  // Draws the picture again after an invalidation, or a change of the size (in device-independent pixels) or of the
  // pixel ratio.
  const QPixmap& picture(QSize size, double pixel_ratio, const std::function<void(QPainter&)>& draw);

 private:
  QPixmap pixmap_;
  QSize size_;
  bool valid_ = false;
};

}  // namespace iosx
