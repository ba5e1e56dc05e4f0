#include "app/gui/actions.h"

#include <QAction>
#include <QCoreApplication>
#include <QIcon>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>

#include "app/gui/experiment_dialog.h"
#include "app/gui/modes.h"
#include "core/search/options.h"
#include "views/graph/overlay.h"
#include "views/style/style.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

QString tr(const char* text) { return QCoreApplication::translate("iosx::Actions", text); }

QAction* make(QWidget* window, const QString& text, const QString& tip, const QKeySequence& keys = {}) {
  auto* action = new QAction(text, window);
  action->setStatusTip(tip);
  QString title = text;
  title.remove(QLatin1Char('&'));
  const QString shown_keys =
      keys.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(keys.toString(QKeySequence::NativeText));
  action->setToolTip(tip + shown_keys);
  if (!keys.isEmpty()) action->setShortcut(keys);
  window->addAction(action);
  return action;
}

void add_choice(QActionGroup* group, QWidget* window, const QString& text, const QString& tip, int value) {
  QAction* action = make(window, text, tip);
  action->setCheckable(true);
  action->setData(value);
  group->addAction(action);
}

QString text_of(ScheduleFormat format) {
  switch (format) {
    case ScheduleFormat::kOurJson: return tr("As &IOS Explorer JSON…");
    case ScheduleFormat::kIosJson: return tr("As &original IOS JSON…");
    case ScheduleFormat::kCsv: return tr("As stage table, &CSV…");
  }
  return {};
}

QString text_of(FigureKind kind) {
  switch (kind) {
    case FigureKind::kGraph: return tr("&Graph…");
    case FigureKind::kTimeline: return tr("&Timeline…");
    case FigureKind::kUtilization: return tr("&Utilization…");
    case FigureKind::kComparison: return tr("&Comparison…");
    case FigureKind::kStageLatencies: return tr("&Stage latencies…");
    case FigureKind::kSearches: return tr("S&earches…");
  }
  return {};
}

}  // namespace

Actions::Actions(QWidget* window) {
  open = make(window, tr("&Open…"), tr("Open a network (ONNX or JSON), a saved run or a schedule file"),
              QKeySequence::Open);
  open->setIcon(QIcon(QStringLiteral(":/icons/open.svg")));
  save_project = make(window, tr("&Save project…"),
                      tr("Write the networks that are open, all their runs and notes to one file"), QKeySequence::Save);
  last_session = make(window, tr("Open &last session"), tr("Open again what was open when the program ended last"));
  save_run = make(window, tr("Sa&ve run…"), tr("Write the run that is shown to one file, to open it here or elsewhere"),
                  QKeySequence(tr("Ctrl+Alt+S")));
  for (const ScheduleFormat format : kScheduleFormats) {
    export_schedule[static_cast<std::size_t>(format)] =
        make(window, text_of(format), tr("Write the shown schedule to a file"));
  }
  export_schedule.front()->setShortcut(QKeySequence(tr("Ctrl+E")));
  for (const FigureKind kind : kFigureKinds) {
    export_figure[static_cast<std::size_t>(kind)] =
        make(window, text_of(kind), tr("Write the figure as SVG, PDF or PNG, or its data as CSV"));
  }
  export_trace = make(window, tr("Export Chrome &trace…"), tr("Write all timelines for Perfetto or chrome://tracing"),
                      QKeySequence(tr("Ctrl+T")));
  export_network = make(window, tr("Export &network as ONNX…"),
                        tr("Write the network with its weights as an ONNX model"), QKeySequence(tr("Ctrl+Shift+S")));
  export_pytorch = make(window, tr("Export as &PyTorch package…"),
                        tr("Write the network and the shown schedule as a Python package that runs in PyTorch"));
  quit = make(window, tr("&Quit"), tr("Close the program"), QKeySequence(tr("Ctrl+Q")));
  quit->setMenuRole(QAction::QuitRole);

  zoom_in = make(window, tr("Zoom &in"), tr("Enlarge the graph"), QKeySequence::ZoomIn);
  zoom_in->setIcon(QIcon(QStringLiteral(":/icons/zoom-in.svg")));
  zoom_out = make(window, tr("Zoom &out"), tr("Shrink the graph"), QKeySequence::ZoomOut);
  zoom_out->setIcon(QIcon(QStringLiteral(":/icons/zoom-out.svg")));
  zoom_fit = make(window, tr("Zoom to &fit"), tr("Show the whole graph"), QKeySequence(tr("Ctrl+0")));
  zoom_fit->setIcon(QIcon(QStringLiteral(":/icons/fit.svg")));
  zoom_selection = make(window, tr("Zoom to &selection"), tr("Show what is selected"), QKeySequence(tr("Ctrl+9")));
  legend = make(window, tr("Legend of the &graph"), tr("Show or hide what the colours and outlines mean"),
                QKeySequence(tr("Ctrl+Shift+L")));
  legend->setCheckable(true);
  legend->setChecked(true);
  overlay = new QActionGroup(window);
  add_choice(overlay, window, tr("Operator &kind"), tr("Colour the units by what they compute"),
             static_cast<int>(canvas::Overlay::kNone));
  add_choice(overlay, window, tr("&FLOPs"), tr("Colour the units by their amount of computation"),
             static_cast<int>(canvas::Overlay::kFlops));
  add_choice(overlay, window, tr("Stage &latency"), tr("Colour the units by the latency of their stage"),
             static_cast<int>(canvas::Overlay::kLatency));
  overlay->actions().constFirst()->setChecked(true);
  theme = new QActionGroup(window);
  add_choice(theme, window, tr("&System"), tr("Colours as the desktop has them"), static_cast<int>(ThemeMode::kSystem));
  add_choice(theme, window, tr("&Light"), tr("Dark on light"), static_cast<int>(ThemeMode::kLight));
  add_choice(theme, window, tr("&Dark"), tr("Light on dark"), static_cast<int>(ThemeMode::kDark));
  reset_layout = make(window, tr("&Reset layout"), tr("Put all panels of this mode back where they were at first"));
  mode = new QActionGroup(window);
  for (const Mode one : kModes) {
    add_choice(mode, window, mode_title(one), mode_tip(one), static_cast<int>(one));
    mode->actions().constLast()->setShortcut(mode_keys(one));
    mode->actions().constLast()->setObjectName(QStringLiteral("mode-") + mode_name(one));
  }
  compare = make(window, tr("&Compare runs"), tr("Compare what is picked in the project panel, or else the shown run"));

  input_sizes =
      make(window, tr("&Input sizes…"), tr("Open the network again with other sizes of what its file leaves open"),
           QKeySequence(tr("Ctrl+I")));
  optimize =
      make(window, tr("&Optimize"), tr("Search schedules and run them on the device"), QKeySequence(tr("Ctrl+Return")));
  optimize->setIcon(QIcon(QStringLiteral(":/icons/optimize.svg")));
  cancel = make(window, tr("&Cancel"), tr("Stop the running job; the best so far is kept"), QKeySequence(tr("Ctrl+.")));
  cancel->setIcon(QIcon(QStringLiteral(":/icons/cancel.svg")));
  cancel->setEnabled(false);
  verify = make(window, tr("&Verify"),
                tr("Compare what the shown schedule computes with what the sequential one does on the CPU in float32"),
                QKeySequence(tr("Ctrl+Shift+V")));
  profile = make(window, tr("&Profile"),
                 tr("Look into the runs of all schedules: every launch, and the hardware's counters over time"),
                 QKeySequence(tr("Ctrl+Shift+P")));
  for (const ExperimentRow& row : experiment_table()) {
    experiments.push_back(
        make(window, ExperimentDialog::asks(row.kind) ? tr("%1…").arg(qstring(row.title)) : qstring(row.title),
             qstring(row.summary)));
  }
  timing = make(window, tr("&Measuring…"), tr("How long the device measures every stage and schedule"),
                QKeySequence(tr("Ctrl+Shift+M")));
  store = make(window, tr("&Kept measurements…"), tr("Whether and where stage latencies are kept from run to run"));
  part_size = make(window, tr("&Part size…"), tr("How many units the search treats at once"));
  rule = new QActionGroup(window);
  add_choice(rule, window, tr("&Connected"), tr("Groups are the connected components of a stage, as the paper defines"),
             static_cast<int>(EndingRule::kConnected));
  add_choice(rule, window, tr("&Single root"), tr("Only groups with one first unit, as the authors' code searches"),
             static_cast<int>(EndingRule::kSingleRoot));
  next_schedule = make(window, tr("&Next schedule"), tr("Show the next schedule"), QKeySequence(tr("Ctrl+PgDown")));
  previous_schedule =
      make(window, tr("&Previous schedule"), tr("Show the previous schedule"), QKeySequence(tr("Ctrl+PgUp")));
  clear_selection = make(window, tr("C&lear selection"), tr("Select nothing"), QKeySequence(tr("Ctrl+Shift+A")));
  focus_network = make(window, tr("Choose a net&work"), tr("Go to the list of networks"), QKeySequence(tr("Ctrl+L")));

  keys = make(window, tr("&Keys"), tr("Show all keyboard shortcuts"), QKeySequence(tr("?")));
  about = make(window, tr("&About IOS Explorer"), tr("Version, method and licence"));
  about->setMenuRole(QAction::AboutRole);
}

void Actions::enableExports(bool comparison, bool document) {
  save_run->setEnabled(comparison);
  export_network->setEnabled(document);
  export_pytorch->setEnabled(comparison && document);
  for (QAction* action : export_schedule) action->setEnabled(comparison);
  for (QAction* action : export_figure) action->setEnabled(comparison);
  export_trace->setEnabled(comparison);
}

void Actions::enable(QAction* action, const QString& reason) {
  const QString usual = action->statusTip();
  const QString keys = action->shortcut().toString(QKeySequence::NativeText);
  action->setEnabled(reason.isEmpty());
  action->setToolTip(!reason.isEmpty() ? reason : keys.isEmpty() ? usual : QStringLiteral("%1 (%2)").arg(usual, keys));
}

Menus build_menus(QMainWindow& window, const Actions& actions) {
  Menus menus{};
  QMenu* file = window.menuBar()->addMenu(tr("&File"));
  file->addAction(actions.open);
  menus.zoo = file->addMenu(tr("Open built-in &network"));
  menus.recent = file->addMenu(tr("Open &recent"));
  file->addAction(actions.last_session);
  file->addSeparator();
  file->addActions({actions.save_project, actions.save_run});
  file->addSeparator();
  QMenu* schedule = file->addMenu(tr("Export &schedule"));
  for (QAction* action : actions.export_schedule) schedule->addAction(action);
  QMenu* figure = file->addMenu(tr("Export &figure"));
  for (QAction* action : actions.export_figure) figure->addAction(action);
  file->addActions({actions.export_trace, actions.export_network, actions.export_pytorch});
  file->addSeparator();
  file->addAction(actions.quit);

  QMenu* view = window.menuBar()->addMenu(tr("&View"));
  view->addActions(actions.mode->actions());
  view->addSeparator();
  menus.docks = view->addMenu(tr("&Panels"));
  view->addAction(actions.reset_layout);
  view->addSeparator();
  view->addActions({actions.zoom_in, actions.zoom_out, actions.zoom_fit, actions.zoom_selection});
  QMenu* overlay = view->addMenu(tr("Colour &units by"));
  overlay->addActions(actions.overlay->actions());
  view->addAction(actions.legend);
  view->addSeparator();
  QMenu* theme = view->addMenu(tr("&Theme"));
  theme->addActions(actions.theme->actions());

  QMenu* graph = window.menuBar()->addMenu(tr("&Graph"));
  graph->setToolTipsVisible(true);
  graph->addActions({actions.input_sizes, actions.focus_network});

  QMenu* run = window.menuBar()->addMenu(tr("&Schedule"));
  run->setToolTipsVisible(true);  // they say why something cannot be done
  run->addActions({actions.optimize, actions.verify, actions.profile, actions.cancel});
  run->addSeparator();
  run->addAction(actions.timing);
  run->addAction(actions.store);
  run->addAction(actions.part_size);
  QMenu* rule = run->addMenu(tr("Ending &rule"));
  rule->addActions(actions.rule->actions());
  run->addSeparator();
  run->addActions({actions.next_schedule, actions.previous_schedule, actions.clear_selection});

  QMenu* experiments = window.menuBar()->addMenu(tr("&Experiments"));
  experiments->setToolTipsVisible(true);
  for (QAction* action : actions.experiments) experiments->addAction(action);

  QMenu* help = window.menuBar()->addMenu(tr("&Help"));
  help->addActions({actions.keys, actions.about});
  return menus;
}

}  // namespace iosx
