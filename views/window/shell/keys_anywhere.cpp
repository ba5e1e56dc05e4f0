#include "views/window/shell/keys_anywhere.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QKeyEvent>
#include <algorithm>
#include <utility>

#include "views/canvas/canvas_widget.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/window/actions/keys.h"
#include "views/window/base/table_view.h"
#include "views/window/start/start_page.h"

namespace iosx {
namespace {

template <typename Widget>
Widget* first_visible(const QWidget& window) {
  for (Widget* widget : window.findChildren<Widget*>()) {
    if (widget->isVisible()) return widget;
  }
  return nullptr;
}

// The timeline's are letters and Space, which lists would take for the beginning of an entry.
bool of_timeline(const QKeyEvent& event) {
  const bool plain = (event.modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
  return plain && std::ranges::find(keys_anywhere(), QKeySequence(event.key())) != keys_anywhere().end();
}

// Returns whether Space checks a box or presses something there.
bool keeps_space(const QAbstractItemView& view) {
  return view.property(kKeepsSpace).toBool() || (view.currentIndex().flags() & Qt::ItemIsUserCheckable) != 0;
}

}  // namespace

KeysAnywhere::KeysAnywhere(QWidget* window) : QObject(window), window_(window) { qApp->installEventFilter(this); }

bool KeysAnywhere::eventFilter(QObject* watched, QEvent* event) {
  followSpace(watched, *event);
  if (event->type() != QEvent::KeyPress || sending_) return false;
  const auto* widget = qobject_cast<QWidget*>(watched);
  if (widget == nullptr) return false;
  const auto& key = static_cast<const QKeyEvent&>(*event);
  const auto* view = qobject_cast<const QAbstractItemView*>(widget);
  const bool list = view != nullptr && of_timeline(key) && (key.key() != Qt::Key_Space || !keeps_space(*view)) &&
                    (widget->window() == window_ || widget->window()->parentWidget() == window_) &&
                    widget->window()->windowType() != Qt::Popup && widget->window()->windowType() != Qt::Dialog;
  // Keys that reach a window were ignored by everything inside of it; docks may be windows, too.
  const bool left =
      widget == window_ || (widget->isWindow() && widget->inherits("QDockWidget") && widget->parentWidget() == window_);
  return (list || left) && take(key);
}

bool KeysAnywhere::take(const QKeyEvent& event) {
  const auto* start = window_->findChild<StartPage*>();
  if (start != nullptr && start->isVisible()) return false;
  if (of_timeline(event)) {
    auto* timeline = first_visible<TimelineView>(*window_);
    if (timeline == nullptr) return false;
    QKeyEvent again(QEvent::KeyPress, event.key(), event.modifiers(), event.text(), event.isAutoRepeat());
    sending_ = true;
    QCoreApplication::sendEvent(timeline, &again);
    sending_ = false;
    return true;
  }
  if (event.matches(QKeySequence::Find)) {
    auto* canvas = first_visible<CanvasWidget>(*window_);
    if (canvas == nullptr) return false;
    canvas->find();
    return true;
  }
  return false;
}

void KeysAnywhere::followSpace(QObject* watched, const QEvent& event) {
  switch (event.type()) {
    case QEvent::KeyPress:
    case QEvent::KeyRelease: break;
    case QEvent::MouseButtonPress:
    case QEvent::Wheel:
    case QEvent::FocusOut: space_on_ = nullptr; return;
    default: return;
  }
  const auto& key = static_cast<const QKeyEvent&>(event);
  auto* canvas = qobject_cast<CanvasWidget*>(watched);
  if (key.key() != Qt::Key_Space || key.isAutoRepeat() || canvas == nullptr || canvas->window() != window_) return;
  if (event.type() == QEvent::KeyPress) {
    space_on_ = canvas;
  } else if (std::exchange(space_on_, nullptr) == canvas) {
    take(QKeyEvent(QEvent::KeyPress, Qt::Key_Space, Qt::NoModifier));
  }
}

}  // namespace iosx

#include "moc_keys_anywhere.cpp"
