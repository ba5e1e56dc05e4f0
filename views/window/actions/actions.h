#pragma once

#include <QActionGroup>
#include <QCoreApplication>
#include <array>
#include <cstddef>
#include <vector>

#include "views/window/actions/modes.h"

class QAction;
class QMainWindow;
class QMenu;
class QWidget;

namespace iosx {

// The exportable figures, in the order of the menu.
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
  kDrawing  // of the graph edit mode
};
inline constexpr std::array kFigureKinds{
    FigureKind::kCard,        FigureKind::kGraph,        FigureKind::kSaving,         FigureKind::kTimeline,
    FigureKind::kUtilization, FigureKind::kComparison,   FigureKind::kStageLatencies, FigureKind::kSearches,
    FigureKind::kSweep,       FigureKind::kComparedRuns, FigureKind::kPartMatrix,     FigureKind::kStageDifferences,
    FigureKind::kStatistics,  FigureKind::kDistribution, FigureKind::kDrawing};

enum class ScheduleFormat { kOurJson, kIosJson, kCsv };
inline constexpr std::array kScheduleFormats{ScheduleFormat::kOurJson, ScheduleFormat::kIosJson, ScheduleFormat::kCsv};

// Every action of the window with its id (its object name), text, shortcut, icon and tip. The window owns and
// connects them.
struct Actions {
  Q_DECLARE_TR_FUNCTIONS(iosx::Actions)

 public:
  explicit Actions(QWidget* window);

  QAction* open;
  QAction* new_graph;
  QAction* save_project;
  QAction* save_project_as;
  QAction* last_session;  // opens the networks of the last session; data: QString, their names
  QAction* save_run;
  std::array<QAction*, kScheduleFormats.size()> export_schedule{};
  std::array<QAction*, kFigureKinds.size()> export_figure{};
  QAction* export_animation;  // of the card's race
  QAction* copy_card;         // as an image
  QAction* export_trace;
  QAction* save_page;     // of HTML
  QAction* add_external;  // external runs
  QAction* export_network;
  QAction* export_scheduled;
  QAction* export_pytorch;
  QAction* quit;
  QAction* zoom_in;
  QAction* zoom_out;
  QAction* zoom_fit;
  QAction* zoom_selection;
  QAction* legend;            // checked: shown
  QActionGroup* overlay;      // data: int of canvas::Overlay
  QAction* colour_by_column;  // from a table, which it asks for
  QActionGroup* theme;        // data: int of ThemeMode
  QActionGroup* language;     // data: int of LanguageMode
  QAction* reset_layout;
  QActionGroup* mode;  // data: int of Mode
  QAction* modeAction(Mode which) const;
  // For the graph edit mode; GraphEditing enables them.
  QAction* cut;
  QAction* copy;
  QAction* paste;
  QAction* duplicate;
  QAction* remove;
  QAction* remove_healing;
  QAction* rename;
  QAction* select_all;
  QAction* add_operator;
  QAction* connect_operator;
  QAction* group_unit;
  QAction* split_unit;
  QAction* begin_part;
  QAction* join_part;
  QAction* lay_out;
  QAction* release_place;
  QAction* save_template;
  QAction* rename_graph;
  QAction* export_original;
  std::vector<QAction*> align;  // in the order of Alignment
  QAction* input_sizes;
  QAction* add_network;
  QAction* optimize;
  QAction* measure_here;
  QAction* verify;
  QAction* profile;
  std::vector<QAction*> experiments;  // in the order of experiment_table()
  QAction* cancel;
  QAction* timing;
  QAction* store;
  QAction* devices;  // of workers
  QAction* predictors;
  QAction* part_size;
  QAction* memory_limit;
  QActionGroup* rule;  // data: int of EndingRule
  QAction* next_schedule;
  QAction* previous_schedule;
  QAction* clear_selection;
  QAction* undo;  // in the current mode
  QAction* redo;
  QAction* edit_copy;  // from the shown schedule
  QAction* fill_by_ios;
  QAction* search_from_here;
  QAction* use_warm_start;  // checked: later searches start from the one that beat a search
  QAction* run_mine;
  QAction* verify_mine;
  QAction* focus_network;
  QAction* palette;
  QAction* start_page;
  QAction* guide;
  QAction* topics;
  QAction* first_minute;
  QAction* messages;
  QAction* focus_message;
  QAction* close_message;
  QAction* keys;
  QAction* about;

  // Exports need a comparison, that of the network only a document.
  void enableExports(bool comparison, bool document);
  // An empty reason enables the action; another reason becomes its tip, also in the command palette.
  static void enable(QAction* action, const QString& reason);
  static QString noColumn();                     // why canvas::Overlay::kColumn has no column
  static QString reason(const QAction* action);  // why it is disabled; empty for an enabled one
  static void showTip(QAction* action);          // its effect and key, or why it is disabled; after a change of keys
};

// Menus that the window fills.
struct Menus {
  QMenu* zoo;
  QMenu* recent;
  QMenu* docks;
  QMenu* edit;
  QMenu* unfinished;  // drawn graphs that cannot be computed
};
void fill_edit_menu(QMenu& menu, const Actions& actions);  // actions on the edited thing
Menus build_menus(QMainWindow& window, const Actions& actions);

}  // namespace iosx
