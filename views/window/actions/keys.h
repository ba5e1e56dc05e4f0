#pragma once

#include <QKeySequence>
#include <QObject>
#include <QString>
#include <map>
#include <vector>

class QAction;
class QWidget;

namespace iosx {

class Settings;

// Keeps the keys of a window's actions: their standard ones, and the user's own, which the settings store by the
// action's id (its object name).
class KeyBindings final : public QObject {
  Q_OBJECT

 public:
  // Takes all of the window's present actions with ids, and applies the user's keys. Both outlive this.
  KeyBindings(QWidget* window, Settings& settings);

  const std::vector<QAction*>& actions() const { return actions_; }
  QKeySequence standard(const QAction* action) const;
  bool changed(const QAction* action) const;

  // Returns the other action with these keys, or with a common beginning; null where they are free.
  QAction* owner(const QKeySequence& keys, const QAction* besides) const;
  // Gives the action these keys, empty for none; another action with them loses them.
  void bind(QAction* action, const QKeySequence& keys);
  void reset(QAction* action);  // another action with its standard keys loses them
  void resetAll();

 signals:
  void keysChanged();

 private:
  void give(QAction* action, const QKeySequence& keys);

  Settings& settings_;
  std::vector<QAction*> actions_;
  std::map<const QAction*, QKeySequence> standard_;
};

// Returns a menu's or an action's text without its marks: "Open…" from "&Open…".
QString plain_text(const QString& marked);

// Keys and gestures that a view handles itself while it has the focus. They are common in programs of this kind and
// cannot be changed; tests compare them with the views.
struct ViewKey {
  std::vector<QKeySequence> keys;  // alternatives; empty for a gesture with the pointer
  QString gesture;                 // "Shift + drag"; empty for keys
  QString what;
  std::vector<QKeySequence> anywhere = {};  // of the keys, those that work wherever the focus is: see KeysAnywhere
};

struct ViewKeys {
  QString view;  // "Timeline and utilization"
  std::vector<ViewKey> keys;
};

std::vector<ViewKeys> view_keys();

// Returns the keys of all views that work wherever the focus is.
const std::vector<QKeySequence>& keys_anywhere();

// Returns "W, +", or the gesture.
QString keys_text(const ViewKey& key);

}  // namespace iosx
