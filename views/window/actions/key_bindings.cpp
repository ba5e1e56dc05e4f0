#include "views/window/actions/key_bindings.h"

#include <QAction>
#include <QRegularExpression>
#include <QWidget>
#include <algorithm>

#include "views/window/actions/actions.h"
#include "views/window/base/settings.h"

namespace iosx {

KeyBindings::KeyBindings(QWidget* window, Settings& settings) : QObject(window), settings_(settings) {
  for (QAction* action : window->actions()) {
    if (action->objectName().isEmpty()) continue;
    actions_.push_back(action);
    standard_[action] = action->shortcut();
  }
  for (QAction* action : actions_) {
    if (const auto own = settings_.keys(action->objectName())) give(action, *own);
  }
}

QKeySequence KeyBindings::standard(const QAction* action) const {
  const auto found = standard_.find(action);
  return found == standard_.end() ? QKeySequence() : found->second;
}

bool KeyBindings::changed(const QAction* action) const { return action->shortcut() != standard(action); }

QAction* KeyBindings::owner(const QKeySequence& keys, const QAction* besides) const {
  if (keys.isEmpty()) return nullptr;
  const auto found = std::ranges::find_if(actions_, [&](const QAction* action) {
    const QKeySequence own = action->shortcut();
    return action != besides && !own.isEmpty() &&
           (own.matches(keys) != QKeySequence::NoMatch || keys.matches(own) != QKeySequence::NoMatch);
  });
  return found == actions_.end() ? nullptr : *found;
}

void KeyBindings::give(QAction* action, const QKeySequence& keys) {
  action->setShortcut(keys);
  Actions::showTip(action);
}

void KeyBindings::bind(QAction* action, const QKeySequence& keys) {
  while (QAction* other = owner(keys, action)) {
    give(other, {});
    settings_.setKeys(other->objectName(), QKeySequence());
  }
  give(action, keys);
  if (changed(action)) {
    settings_.setKeys(action->objectName(), keys);
  } else {
    settings_.setKeys(action->objectName(), std::nullopt);
  }
  emit keysChanged();
}

void KeyBindings::reset(QAction* action) { bind(action, standard(action)); }

void KeyBindings::resetAll() {
  for (QAction* action : actions_) {
    give(action, standard(action));
    settings_.setKeys(action->objectName(), std::nullopt);
  }
  emit keysChanged();
}

QString plain_text(const QString& marked) {
  // Languages without letters put the marked one behind in brackets: "打开(&O)…".
  static const QRegularExpression kBehind(QStringLiteral("\\s*\\(&\\w\\)"));
  const QString text = QString(marked).remove(kBehind);
  // "&&" is a letter, "&" in front of another one a mark.
  QString plain;
  for (qsizetype i = 0; i < text.size(); ++i) {
    if (text[i] == QLatin1Char('&') && i + 1 < text.size()) ++i;
    plain += text[i];
  }
  return plain;
}

}  // namespace iosx

#include "moc_key_bindings.cpp"
