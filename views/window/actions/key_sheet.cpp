#include "views/window/actions/key_sheet.h"

#include <QAction>
#include <QEvent>
#include <QHeaderView>
#include <QKeySequenceEdit>
#include <QLineEdit>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTimer>
#include <QTreeWidget>
#include <algorithm>
#include <functional>

#include "views/widgets/dialog_parts.h"
#include "views/window/actions/keys.h"

namespace iosx {
namespace {

enum KeyColumn { kWhatColumn, kKeysColumn, kTipColumn, kKeyColumns };
constexpr int kActionRole = Qt::UserRole;

QString key_text(const QKeySequence& keys) { return keys.toString(QKeySequence::NativeText); }

// Returns one press: more would be a sequence, which is hard to remember.
QKeySequence first_press(const QKeySequence& keys) { return keys.isEmpty() ? QKeySequence() : QKeySequence(keys[0]); }

// Returns the view that has this very key for itself; empty where none does.
QString view_with(const QKeySequence& keys) {
  for (const ViewKeys& view : view_keys()) {
    for (const ViewKey& key : view.keys) {
      if (std::ranges::find(key.keys, keys) != key.keys.end()) return view.view;
    }
  }
  return {};
}

// `below` is the submenu that holds it, empty in the menu itself.
void for_each_action(const QMenu* menu, const QString& below,
                     const std::function<void(QAction*, const QString& below)>& tell) {
  for (QAction* action : menu->actions()) {
    if (action->menu() != nullptr) {
      for_each_action(action->menu(), plain_text(action->text()), tell);
    } else if (!action->objectName().isEmpty()) {
      tell(action, below);
    }
  }
}

}  // namespace

KeySheet::KeySheet(KeyBindings& bindings, QMainWindow* window)
    : QDialog(window),
      bindings_(bindings),
      filter_(named("key-filter", new QLineEdit)),
      tree_(named("key-tree", new QTreeWidget, tr("Keyboard shortcuts"))),
      keys_(named("key-edit", new QKeySequenceEdit, tr("New keys of the chosen action"))),
      said_(named("key-said", wrapping({}, Qt::PlainText))),
      set_(named("key-set", new QPushButton(tr("&Set")))),
      none_(named("key-none", new QPushButton(tr("&No keys")))),
      reset_(named("key-reset", new QPushButton(tr("&Reset")))) {
  setWindowTitle(tr("Keys"));
  setAttribute(Qt::WA_DeleteOnClose);
  resize(760, 680);
  filter_->setPlaceholderText(tr("Find an action or a key"));
  filter_->setAccessibleName(filter_->placeholderText());
  filter_->setClearButtonEnabled(true);
  tree_->setColumnCount(kKeyColumns);
  tree_->setHeaderLabels({tr("Action"), tr("Keys"), tr("What it does")});
  tree_->setUniformRowHeights(true);
  tree_->setAllColumnsShowFocus(true);
  tree_->setRootIsDecorated(false);
  addActions(*window);
  addViews();
  tree_->expandAll();
  showKeys();
  tree_->setColumnWidth(kWhatColumn, 300);
  tree_->setColumnWidth(kKeysColumn, 150);

  said_->setMinimumHeight(2 * fontMetrics().lineSpacing());
  auto* row = new QHBoxLayout;
  auto* label = new QLabel(tr("&Press new keys:"));
  label->setBuddy(keys_);
  put_into(row, {label, {keys_, 1}, set_, none_, reset_});
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  QPushButton* all = buttons->addButton(tr("Reset &all"), QDialogButtonBox::ResetRole);
  all->setObjectName(QStringLiteral("key-reset-all"));
  for (QPushButton* button : {set_, none_, reset_, all, buttons->button(QDialogButtonBox::Close)}) {
    button->setAutoDefault(false);
  }
  put_into(new QVBoxLayout(this), {filter_, {tree_, 1}, row, said_, buttons});

  connect(filter_, &QLineEdit::textChanged, this, &KeySheet::filter);
  connect(tree_, &QTreeWidget::currentItemChanged, this, &KeySheet::showCurrent);
  connect(tree_, &QTreeWidget::itemActivated, this, [this] {
    if (keys_->isEnabled()) keys_->setFocus();
  });
  keys_->installEventFilter(this);
  connect(set_, &QPushButton::clicked, this, &KeySheet::set);
  connect(none_, &QPushButton::clicked, this, [this] {
    if (QAction* action = current()) bindings_.bind(action, {});
  });
  connect(reset_, &QPushButton::clicked, this, [this] {
    if (QAction* action = current()) bindings_.reset(action);
  });
  connect(all, &QPushButton::clicked, &bindings_, &KeyBindings::resetAll);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(&bindings_, &KeyBindings::keysChanged, this, [this] {
    showKeys();
    showCurrent();
  });
  showCurrent();
  filter_->setFocus();
}

QTreeWidgetItem* KeySheet::addGroup(const QString& title) {
  auto* group = new QTreeWidgetItem(tree_, {title});
  QFont bold = font();
  bold.setBold(true);
  group->setFont(kWhatColumn, bold);
  group->setFirstColumnSpanned(true);
  group->setFlags(Qt::ItemIsEnabled);
  return group;
}

void KeySheet::addAction(QTreeWidgetItem* group, QAction* action, const QString& menu) {
  const QString text = plain_text(action->text());
  const QString title = menu.isEmpty() ? text : QStringLiteral("%1 ▸ %2").arg(menu, text);
  auto* item = new QTreeWidgetItem(group, {title, {}, action->statusTip()});
  item->setData(kWhatColumn, kActionRole, QVariant::fromValue(action));
  item->setToolTip(kTipColumn, action->statusTip());
}

void KeySheet::addActions(const QMainWindow& window) {
  std::vector<QAction*> left = bindings_.actions();
  for (const QAction* top : window.menuBar()->actions()) {
    if (top->menu() == nullptr) continue;
    QTreeWidgetItem* group = addGroup(plain_text(top->text()));
    for_each_action(top->menu(), {}, [&](QAction* action, const QString& below) {
      if (std::erase(left, action) > 0) addAction(group, action, below);
    });
  }
  if (left.empty()) return;
  QTreeWidgetItem* group = addGroup(tr("Elsewhere"));
  for (QAction* action : left) addAction(group, action);
}

void KeySheet::addViews() {
  for (const ViewKeys& view : view_keys()) {
    QTreeWidgetItem* group = addGroup(tr("%1 (fixed keys)").arg(view.view));
    for (const ViewKey& key : view.keys) new QTreeWidgetItem(group, {key.what, keys_text(key), {}});
  }
}

void KeySheet::filter(const QString& words) {
  for (int g = 0; g < tree_->topLevelItemCount(); ++g) {
    QTreeWidgetItem* group = tree_->topLevelItem(g);
    bool any = false;
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* item = group->child(i);
      bool fits = false;
      for (int column = 0; column < kKeyColumns; ++column) {
        fits = fits || item->text(column).contains(words, Qt::CaseInsensitive);
      }
      item->setHidden(!fits);
      any = any || fits;
    }
    group->setHidden(!any);
  }
}

QAction* KeySheet::current() const {
  const QTreeWidgetItem* item = tree_->currentItem();
  return item == nullptr ? nullptr : item->data(kWhatColumn, kActionRole).value<QAction*>();
}

void KeySheet::showKeys() {
  for (int g = 0; g < tree_->topLevelItemCount(); ++g) {
    const QTreeWidgetItem* group = tree_->topLevelItem(g);
    for (int i = 0; i < group->childCount(); ++i) {
      QTreeWidgetItem* item = group->child(i);
      const auto* action = item->data(kWhatColumn, kActionRole).value<QAction*>();
      if (action == nullptr) continue;
      item->setText(kKeysColumn, key_text(action->shortcut()));
      QFont own = font();
      own.setItalic(bindings_.changed(action));
      item->setFont(kKeysColumn, own);
      item->setToolTip(kKeysColumn, bindings_.changed(action) ? tr("Changed; default: %1")
                                                                    .arg(bindings_.standard(action).isEmpty()
                                                                             ? tr("no keys")
                                                                             : key_text(bindings_.standard(action)))
                                                              : QString());
    }
  }
}

// One press is all: not the second that the edit waits for another one.
bool KeySheet::eventFilter(QObject* watched, QEvent* event) {
  if (watched == keys_ && event->type() == QEvent::KeyPress) QTimer::singleShot(0, this, &KeySheet::showTyped);
  return QDialog::eventFilter(watched, event);
}

void KeySheet::showCurrent() {
  const QAction* action = current();
  keys_->setEnabled(action != nullptr);
  {
    const QSignalBlocker blocker(keys_);
    keys_->setKeySequence(action != nullptr ? action->shortcut() : QKeySequence());
  }
  none_->setEnabled(action != nullptr && !action->shortcut().isEmpty());
  reset_->setEnabled(action != nullptr && bindings_.changed(action));
  showTyped();
}

void KeySheet::showTyped() {
  const QAction* action = current();
  const QKeySequence typed = first_press(keys_->keySequence());
  const QSignalBlocker blocker(keys_);
  keys_->setKeySequence(typed);  // and no further press is waited for
  set_->setText(tr("&Set"));
  set_->setEnabled(action != nullptr && !typed.isEmpty() && typed != action->shortcut());
  if (action == nullptr) {
    const bool any = tree_->currentItem() != nullptr && tree_->currentItem()->parent() != nullptr;
    return said_->setText(any ? tr("The views' own keys are fixed.") : tr("Choose an action to change its keys."));
  }
  if (const QAction* other = bindings_.owner(typed, action)) {
    set_->setText(tr("&Take them"));
    return said_->setText(
        tr("%1 belongs to '%2', which then has no keys.").arg(key_text(typed), plain_text(other->text())));
  }
  if (const QString view = view_with(typed); !view.isEmpty() && typed != action->shortcut()) {
    return said_->setText(tr("'%2' itself uses %1: one of the two will not work there.").arg(key_text(typed), view));
  }
  said_->setText(set_->isEnabled() ? tr("%1 is free.").arg(key_text(typed)) : QString());
}

void KeySheet::set() {
  QAction* action = current();
  const QKeySequence typed = first_press(keys_->keySequence());
  if (action != nullptr && !typed.isEmpty()) bindings_.bind(action, typed);
}

}  // namespace iosx

#include "moc_key_sheet.cpp"
