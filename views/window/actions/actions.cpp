#include "views/window/actions/actions.h"

#include <QActionGroup>
#include <QIcon>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include "core/base/check.h"
#include "views/window/actions/keys.h"

namespace iosx {
namespace {

struct Modes {
  Q_DECLARE_TR_FUNCTIONS(iosx::Modes)
};

constexpr const char* kReason = "reason";  // property: why an action cannot be used now
constexpr const char* kPlace = "place";    // property: the menus of the table that it is in

bool is_line(const ActionRow& row) { return row.id.isEmpty(); }
bool is_action(const ActionRow& row) { return row.run != nullptr; }

}  // namespace

ModeRow row_of(Mode mode) {
  switch (mode) {
    case Mode::kExplore:
      return {QStringLiteral("explore"),
              Modes::tr("&Explore"),
              Modes::tr("Explore"),
              Modes::tr("One schedule: graph, stages, timeline, and the reasons for it"),
              {QStringLiteral("Ctrl+1")}};
    case Mode::kEditGraph:
      return {QStringLiteral("edit-graph"),
              Modes::tr("Edit &graph"),
              Modes::tr("Graph"),
              Modes::tr("Draw the network or change it: operators, connections, units and parts"),
              {QStringLiteral("Ctrl+2")}};
    case Mode::kEditSchedule:
      return {QStringLiteral("edit-schedule"),
              Modes::tr("Edit sc&hedule"),
              Modes::tr("Schedule"),
              Modes::tr("Edit a copy of a schedule by hand: the cost of each change"),
              {QStringLiteral("Ctrl+3")}};
    case Mode::kCompare:
      return {QStringLiteral("compare"),
              Modes::tr("C&ompare"),
              Modes::tr("Compare"),
              Modes::tr("Several schedules and runs: what differs, where, and by how much"),
              {QStringLiteral("Ctrl+4")}};
    case Mode::kRecording:
      return {QStringLiteral("recording"),
              Modes::tr("Recording"),
              Modes::tr("Recording"),
              Modes::tr("A recording of another program by itself"),
              {}};
  }
  return {};
}

Actions::Actions(QMainWindow* window, std::vector<ActionRow> table, std::function<Mode()> mode)
    : window_(window), table_(std::move(table)), mode_(std::move(mode)) {
  make(table_, nullptr, {});
  for (const ActionRow& row : table_) addMenu(row, *window_->menuBar()->addMenu(row.text), false);
}

void Actions::make(const std::vector<ActionRow>& rows, QActionGroup* group, const QString& place) {
  for (const ActionRow& row : rows) {
    if (!is_action(row)) {
      if (!is_line(row)) IOS_CHECK(menu_rows_.emplace(row.id, &row).second);
      QStringList menus{place, plain_text(row.text)};
      menus.removeAll(QString());
      make(row.rows, row.one_of ? new QActionGroup(window_) : nullptr, menus.join(QStringLiteral(" \u25B8 ")));
      continue;
    }
    auto* action = new QAction(row.text, window_);
    action->setObjectName(row.id);
    action->setProperty(kPlace, place);
    action->setStatusTip(row.tip);
    action->setShortcut(row.keys);
    if (row.icon != nullptr) action->setIcon(QIcon(QStringLiteral(":/icons/%1.svg").arg(QLatin1String(row.icon))));
    action->setMenuRole(row.role);
    action->setCheckable(row.checked != nullptr);
    if (group != nullptr) group->addAction(action);
    showTip(action);
    window_->addAction(action);
    IOS_CHECK(actions_.emplace(row.id, action).second);
    rows_.emplace_back(action, &row);
    QObject::connect(action, &QAction::triggered, window_, [this, &row] {
      row.run();
      refresh();
    });
  }
}

void Actions::addMenu(const ActionRow& row, QMenu& menu, bool all) {
  menu.setObjectName(row.id);
  menu.setToolTipsVisible(true);  // they say why something cannot be done
  menus_.try_emplace(row.id, &menu);
  fill(menu, row.rows, all);
}

void Actions::fill(QMenu& menu, const std::vector<ActionRow>& rows, bool all) {
  for (const ActionRow& row : rows) {
    if (!row.listed && !all) continue;
    if (is_line(row)) {
      menu.addSeparator();
    } else if (is_action(row)) {
      menu.addAction(actions_.at(row.id));
    } else if (row.text.isEmpty()) {
      fill(menu, row.rows, all);
    } else {
      addMenu(row, *menu.addMenu(row.text), all);
    }
  }
}

void Actions::fill(QMenu& menu, const QString& id) {
  menu.setToolTipsVisible(true);
  fill(menu, menu_rows_.at(id)->rows, true);
}

QAction* Actions::operator[](const QString& id) const { return actions_.at(id); }

QMenu* Actions::menu(const QString& id) const { return menus_.at(id); }

std::vector<QAction*> Actions::of(const QString& id) const {
  std::vector<QAction*> actions;
  for (const ActionRow& below : menu_rows_.at(id)->rows) {
    if (is_action(below)) actions.push_back(actions_.at(below.id));
  }
  return actions;
}

void Actions::refresh() {
  for (const auto& [action, row] : rows_) {
    if (row->checked) action->setChecked(row->checked());
    if (row->text_now) action->setText(row->text_now());
    QString reason;
    if (row->mode && *row->mode != mode_()) {
      reason = tr("Only in the mode %1").arg(plain_text(row_of(*row->mode).title));
    } else if (row->cannot) {
      reason = row->cannot();
    }
    action->setEnabled(reason.isEmpty());
    action->setProperty(kReason, reason);
    showTip(action);
  }
}

QString Actions::place(const QAction* action) { return action->property(kPlace).toString(); }

QString Actions::reason(const QAction* action) {
  if (action->isEnabled()) return {};
  const QString reason = action->property(kReason).toString();
  return reason.isEmpty() ? tr("Not possible now") : reason;
}

void Actions::showTip(QAction* action) {
  const QString reason = action->isEnabled() ? QString() : action->property(kReason).toString();
  const QString keys = action->shortcut().toString(QKeySequence::NativeText);
  const QString tip = action->statusTip();
  action->setToolTip(!reason.isEmpty() ? reason : keys.isEmpty() ? tip : QStringLiteral("%1 (%2)").arg(tip, keys));
}

}  // namespace iosx
