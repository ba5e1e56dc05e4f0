#pragma once

#include <QAction>
#include <QCoreApplication>
#include <QKeySequence>
#include <QString>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

class QActionGroup;
class QMainWindow;
class QMenu;

namespace iosx {

// The window is in one mode at a time. Each mode has its own arrangement of panels; all modes share the selection, the
// runs and the networks.
enum class Mode { kExplore, kEditGraph, kEditSchedule, kCompare, kRecording };
// Those that the user turns to; a recording has its own, which begins and ends with it.
inline constexpr std::array kModes{Mode::kExplore, Mode::kEditGraph, Mode::kEditSchedule, Mode::kCompare};

struct ModeRow {
  QString name;   // in settings and object names
  QString title;  // for people, with the mark of a menu
  QString word;   // the same where there is little room
  QString tip;
  QKeySequence keys;
};
ModeRow row_of(Mode mode);  // in the window's language

// Lists the figures that can be exported, in the order of the menu.
enum class FigureKind {
  kCard,  // of the shown schedule and its reference
  kGraph,
  kSaving,
  kTimeline,
  kUtilization,
  kComparison,
  kStageLatencies,
  kSearches,
  kSweep,
  kComparedRuns,  // of the comparison page, like the next
  kPartMatrix,
  kStageDifferences,
  kStatistics,
  kDistribution,
  kDrawing,    // of the graph edit mode
  kRecording,  // of the recording page, like the next
  kPredictedLanes
};
inline constexpr std::array kFigureKinds{
    FigureKind::kCard,          FigureKind::kGraph,        FigureKind::kSaving,         FigureKind::kTimeline,
    FigureKind::kUtilization,   FigureKind::kComparison,   FigureKind::kStageLatencies, FigureKind::kSearches,
    FigureKind::kSweep,         FigureKind::kComparedRuns, FigureKind::kPartMatrix,     FigureKind::kStageDifferences,
    FigureKind::kStatistics,    FigureKind::kDistribution, FigureKind::kDrawing,        FigureKind::kRecording,
    FigureKind::kPredictedLanes};

// A row of the table of actions. A row that runs something is an action. Another one with an id is a menu: of its rows,
// or for others to fill; without a text its rows stand among those around it. A row without an id is a line between
// two groups. What is not listed stands in no menu of the menu bar, because the window has a control for it, or
// because few need it; the palette, the key sheet and context menus have it.
struct ActionRow {
  QString id = {};  // the same in every language and version: the user's own keys are kept by it
  QString text = {};
  QString tip = {};
  QKeySequence keys = {};
  const char* icon = nullptr;              // "open" is :/icons/open.svg
  std::optional<Mode> mode = {};           // it can be done in this mode only; none: in all
  std::function<void()> run = {};          // after it, everything is refreshed
  std::function<QString()> cannot = {};    // returns why it cannot be done now; empty: it can be
  std::function<bool()> checked = {};      // it has a check mark, while this is true
  std::function<QString()> text_now = {};  // replaces `text`
  QAction::MenuRole role = QAction::TextHeuristicRole;
  bool one_of = false;  // of a menu: one of its rows is checked
  bool listed = true;   // in the menu bar
  std::vector<ActionRow> rows = {};
};

// Makes the window's actions and menus of the table; menus, tool bar, key sheet and command palette show these.
class Actions final {
  Q_DECLARE_TR_FUNCTIONS(iosx::Actions)
  Q_DISABLE_COPY_MOVE(Actions)

 public:
  // The window owns the actions; the rows at the top are the menus of its menu bar. `mode` returns its mode. What rows
  // do is not called before the first refresh().
  Actions(QMainWindow* window, std::vector<ActionRow> table, std::function<Mode()> mode);

  // These throw where the table has no such id.
  QAction* operator[](const QString& id) const;
  QMenu* menu(const QString& id) const;
  std::vector<QAction*> of(const QString& menu) const;  // without those of menus in it

  void fill(QMenu& menu, const QString& id);  // with the rows of a menu of the table

  // Shows texts, check marks, what can be done now, and elsewhere the reason. It is needed after every change that rows
  // ask about.
  void refresh();

  static QString reason(const QAction* action);  // why it is disabled; empty of one that is not
  static QString place(const QAction* action);   // the menus that it belongs to: "File ▸ Export"; empty of others
  static void showTip(QAction* action);          // what it does with its key, or why it cannot; after a change of keys

 private:
  void make(const std::vector<ActionRow>& rows, QActionGroup* group, const QString& place);
  void addMenu(const ActionRow& row, QMenu& menu, bool all);
  void fill(QMenu& menu, const std::vector<ActionRow>& rows, bool all);

  QMainWindow* window_;
  std::vector<ActionRow> table_;
  std::function<Mode()> mode_;
  std::map<QString, QAction*> actions_;
  std::map<QString, QMenu*> menus_;                          // in the menu bar and below it
  std::map<QString, const ActionRow*> menu_rows_;            // of the table, those that have rows
  std::vector<std::pair<QAction*, const ActionRow*>> rows_;  // of the table, those that are actions
};

}  // namespace iosx
