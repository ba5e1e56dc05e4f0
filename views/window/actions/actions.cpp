#include "views/window/actions/actions.h"

#include <QAction>
#include <QIcon>
#include <QKeySequence>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <algorithm>
#include <string>
#include <utility>

#include "core/search/options.h"
#include "views/app_model/jobs.h"
#include "views/canvas/overlay.h"
#include "views/style/style.h"
#include "views/text/messages.h"
#include "views/window/actions/modes.h"
#include "views/window/base/language.h"

namespace iosx {
namespace {

constexpr const char* kReason = "reason";  // property: why an action cannot be used now

// The id stays the same in every language and version: the user's own keys are kept by it.
QAction* make(QWidget* window, const char* id, const QString& text, const QString& tip, const QKeySequence& keys = {}) {
  auto* action = new QAction(text, window);
  action->setObjectName(QString::fromLatin1(id));
  action->setStatusTip(tip);
  if (!keys.isEmpty()) action->setShortcut(keys);
  Actions::showTip(action);
  window->addAction(action);
  return action;
}

void add_choice(QActionGroup* group, QWidget* window, const char* id, const QString& text, const QString& tip,
                int value) {
  QAction* action = make(window, id, text, tip);
  action->setCheckable(true);
  action->setData(value);
  group->addAction(action);
}

QString text_of(ScheduleFormat format) {
  switch (format) {
    case ScheduleFormat::kOurJson: return Actions::tr("As &IOS Explorer JSON…");
    case ScheduleFormat::kIosJson: return Actions::tr("As &original IOS JSON…");
    case ScheduleFormat::kCsv: return Actions::tr("As stage table, &CSV…");
  }
  return {};
}

const char* id_of(ScheduleFormat format) {
  switch (format) {
    case ScheduleFormat::kOurJson: return "export-schedule";
    case ScheduleFormat::kIosJson: return "export-schedule-original";
    case ScheduleFormat::kCsv: return "export-schedule-csv";
  }
  return "";
}

const char* id_of(FigureKind kind) {
  switch (kind) {
    case FigureKind::kCard: return "export-card";
    case FigureKind::kGraph: return "export-graph";
    case FigureKind::kSaving: return "export-saving";
    case FigureKind::kTimeline: return "export-timeline";
    case FigureKind::kUtilization: return "export-utilization";
    case FigureKind::kComparison: return "export-comparison";
    case FigureKind::kStageLatencies: return "export-stage-latencies";
    case FigureKind::kSearches: return "export-searches";
    case FigureKind::kSweep: return "export-sweep";
    case FigureKind::kComparedRuns: return "export-compared-runs";
    case FigureKind::kPartMatrix: return "export-part-matrix";
    case FigureKind::kStageDifferences: return "export-stage-differences";
    case FigureKind::kStatistics: return "export-statistics";
    case FigureKind::kDistribution: return "export-distribution";
    case FigureKind::kDrawing: return "export-drawing";
  }
  return "";
}

QString text_of(FigureKind kind) {
  switch (kind) {
    case FigureKind::kCard: return Actions::tr("Ca&rd…");
    case FigureKind::kGraph: return Actions::tr("&Graph…");
    case FigureKind::kSaving: return Actions::tr("What each part sa&ves…");
    case FigureKind::kTimeline: return Actions::tr("&Timeline…");
    case FigureKind::kUtilization: return Actions::tr("&Utilization…");
    case FigureKind::kComparison: return Actions::tr("&Comparison…");
    case FigureKind::kStageLatencies: return Actions::tr("&Stage latencies…");
    case FigureKind::kSearches: return Actions::tr("S&earches…");
    case FigureKind::kSweep: return Actions::tr("&What if…");
    case FigureKind::kComparedRuns: return Actions::tr("Compared &runs…");
    case FigureKind::kPartMatrix: return Actions::tr("&Parts and schedules…");
    case FigureKind::kStageDifferences: return Actions::tr("Stage &differences…");
    case FigureKind::kStatistics: return Actions::tr("St&atistics…");
    case FigureKind::kDistribution: return Actions::tr("D&istribution…");
    case FigureKind::kDrawing: return Actions::tr("Dra&wing…");
  }
  return {};
}

}  // namespace

Actions::Actions(QWidget* window) {
  open = make(window, "open", tr("&Open…"), tr("Open a network (ONNX or JSON), a saved run or a schedule file"),
              QKeySequence::Open);
  open->setIcon(QIcon(QStringLiteral(":/icons/open.svg")));
  new_graph = make(window, "new-graph", tr("&New graph"), tr("Draw a network from nothing, beside what is open"),
                   QKeySequence::New);
  save_project = make(window, "save-project", tr("&Save project"),
                      tr("Write the networks that are open, all their runs and notes to one file"), QKeySequence::Save);
  save_project_as = make(window, "save-project-as", tr("Save project &as…"),
                         tr("Write the project to another file, which is then the one that it has"));
  last_session = make(window, "last-session", tr("Open &last session"),
                      tr("Open again what was open when the program ended last"));
  save_run =
      make(window, "save-run", tr("Sa&ve run…"),
           tr("Write the run that is shown to one file, to open it here or elsewhere"), QKeySequence(tr("Ctrl+Alt+S")));
  for (const ScheduleFormat format : kScheduleFormats) {
    export_schedule[static_cast<std::size_t>(format)] =
        make(window, id_of(format), text_of(format), tr("Write the shown schedule to a file"));
  }
  export_schedule.front()->setShortcut(QKeySequence(tr("Ctrl+E")));
  showTip(export_schedule.front());
  for (const FigureKind kind : kFigureKinds) {
    export_figure[static_cast<std::size_t>(kind)] =
        make(window, id_of(kind), text_of(kind), tr("Write the figure as SVG, PDF or PNG, or its data as CSV"));
  }
  export_animation = make(window, "export-animation", tr("A&nimation…"),
                          tr("Write the race of the shown schedule against sequential as a GIF, MP4 or WebM"));
  copy_card =
      make(window, "copy-card", tr("Copy as &image"),
           tr("Put one picture of the result on the clipboard: how many times as fast, the network, both timelines"),
           QKeySequence(tr("Ctrl+Shift+C")));
  export_trace = make(window, "export-trace", tr("Export Chrome &trace…"),
                      tr("Write all timelines for Perfetto or chrome://tracing"), QKeySequence(tr("Ctrl+T")));
  save_page =
      make(window, "save-page", tr("Save &HTML report…"),
           tr("Write what is compared as one interactive page that any browser opens"), QKeySequence(tr("Ctrl+Alt+H")));
  add_external = make(window, "add-external", tr("&Import profile…"),
                      tr("Put what another program recorded of this network beside it: a CSV table, a Chrome trace, a "
                         "profile of ONNX Runtime or PyTorch, an nsys SQLite export"));
  export_network = make(window, "export-network", tr("Export &network as ONNX…"),
                        tr("Write the network with its weights as an ONNX model"), QKeySequence(tr("Ctrl+Shift+S")));
  export_scheduled = make(window, "export-scheduled", tr("Export as &scheduled ONNX model…"),
                          tr("Write the network as the shown schedule runs it: merged layers as one, nodes in launch "
                             "order, the schedule in its metadata"));
  export_pytorch = make(window, "export-pytorch", tr("Export as &PyTorch package…"),
                        tr("Write the network and the shown schedule as a Python package that runs in PyTorch"));
  quit = make(window, "quit", tr("&Quit"), tr("Close the program"), QKeySequence(tr("Ctrl+Q")));
  quit->setMenuRole(QAction::QuitRole);

  zoom_in = make(window, "zoom-in", tr("Zoom &in"), tr("Enlarge the graph"), QKeySequence::ZoomIn);
  zoom_in->setIcon(QIcon(QStringLiteral(":/icons/zoom-in.svg")));
  zoom_out = make(window, "zoom-out", tr("Zoom &out"), tr("Shrink the graph"), QKeySequence::ZoomOut);
  zoom_out->setIcon(QIcon(QStringLiteral(":/icons/zoom-out.svg")));
  zoom_fit = make(window, "zoom-fit", tr("Zoom to &fit"), tr("Show the whole graph"), QKeySequence(tr("Ctrl+0")));
  zoom_fit->setIcon(QIcon(QStringLiteral(":/icons/fit.svg")));
  zoom_selection =
      make(window, "zoom-selection", tr("Zoom to &selection"), tr("Show what is selected"), QKeySequence(tr("Ctrl+9")));
  legend = make(window, "legend", tr("Legend of the &graph"), tr("Show or hide what the colours and outlines mean"),
                QKeySequence(tr("Ctrl+Shift+L")));
  legend->setCheckable(true);
  legend->setChecked(true);
  overlay = new QActionGroup(window);
  const auto colour = [&](const char* id, canvas::Overlay what) {
    add_choice(overlay, window, id, canvas::overlay_name(what), canvas::overlay_meaning(what), static_cast<int>(what));
  };
  colour("colour-kind", canvas::Overlay::kNone);
  colour("colour-flops", canvas::Overlay::kFlops);
  colour("colour-latency", canvas::Overlay::kLatency);
  colour("colour-bytes", canvas::Overlay::kBytes);
  colour("colour-intensity", canvas::Overlay::kIntensity);
  colour("colour-slack", canvas::Overlay::kSlack);
  colour("colour-critical-path", canvas::Overlay::kCriticalPath);
  colour("colour-delta", canvas::Overlay::kDelta);
  colour("colour-column", canvas::Overlay::kColumn);
  enable(overlay->actions().constLast(), noColumn());
  overlay->actions().constFirst()->setChecked(true);
  colour_by_column =
      make(window, "colour-by-column", tr("Colour by &my column…"),
           tr("Colour the units by any table of values by node name, CSV or JSON: memory, an error after "
              "quantisation, sparsity, energy"));
  theme = new QActionGroup(window);
  add_choice(theme, window, "theme-system", tr("&System"), tr("Colours as the desktop has them"),
             static_cast<int>(ThemeMode::kSystem));
  add_choice(theme, window, "theme-light", tr("&Light"), tr("Dark on light"), static_cast<int>(ThemeMode::kLight));
  add_choice(theme, window, "theme-dark", tr("&Dark"), tr("Light on dark"), static_cast<int>(ThemeMode::kDark));
  // By their own names, so that each is readable for its users.
  language = new QActionGroup(window);
  add_choice(language, window, "language-system", tr("&System"), tr("The language of the desktop"),
             static_cast<int>(LanguageMode::kSystem));
  add_choice(language, window, "language-en", QStringLiteral("&English"), tr("The window in English"),
             static_cast<int>(LanguageMode::kEnglish));
  add_choice(language, window, "language-zh-CN", QString::fromUtf8("简体中文 · Chinese"),
             tr("The window in Simplified Chinese"), static_cast<int>(LanguageMode::kChinese));
  reset_layout = make(window, "reset-layout", tr("&Reset layout"),
                      tr("Put all panels of this mode back where they were at first"));
  mode = new QActionGroup(window);
  for (const Mode one : kModes) {
    const std::string id = "mode-" + mode_name(one).toStdString();
    add_choice(mode, window, id.c_str(), mode_title(one), mode_tip(one), static_cast<int>(one));
    mode->actions().constLast()->setShortcut(mode_keys(one));
    showTip(mode->actions().constLast());
  }

  cut = make(window, "cut", tr("Cu&t"), tr("Take the selected operators to the clipboard"), QKeySequence(tr("Ctrl+X")));
  copy = make(window, "copy", tr("&Copy"), tr("Put the selected operators on the clipboard, as text"),
              QKeySequence(tr("Ctrl+C")));
  paste = make(window, "paste", tr("&Paste"), tr("Insert the operators that are on the clipboard"),
               QKeySequence(tr("Ctrl+V")));
  duplicate = make(window, "duplicate", tr("&Duplicate"), tr("The selected operators once more, reading the same"),
                   QKeySequence(tr("Ctrl+D")));
  remove = make(window, "remove", tr("D&elete"), tr("Remove what is selected; what read it has open inputs"),
                QKeySequence(tr("Del")));
  remove_healing =
      make(window, "remove-healing", tr("Delete and &heal"),
           tr("Remove what is selected; what read it reads what that read"), QKeySequence(tr("Shift+Del")));
  rename = make(window, "rename", tr("Re&name"), tr("Give the selected operator another name"), QKeySequence(tr("F2")));
  select_all = make(window, "select-all", tr("Select &all"), tr("Select all operators"), QKeySequence(tr("Ctrl+A")));
  add_operator = make(window, "add-operator", tr("Add an &operator…"),
                      tr("Find an operator or template by its name and add it after what is selected"),
                      QKeySequence(tr("Ctrl+Space")));
  connect_operator = make(window, "connect-operator", tr("Connect &from here"),
                          tr("Choose with the arrow keys what shall read the selected operator"));
  group_unit = make(window, "group-unit", tr("&Group into a unit"),
                    tr("The scheduler moves the selected operators as one piece"), QKeySequence(tr("Ctrl+G")));
  split_unit = make(window, "split-unit", tr("&Split the unit"), tr("Every operator of it is a unit of its own"),
                    QKeySequence(tr("Ctrl+Shift+G")));
  begin_part = make(window, "begin-part", tr("&Begin a part here"),
                    tr("What follows the selected unit in its part is scheduled by itself"));
  join_part = make(window, "join-part", tr("&Join with the part before"),
                   tr("The part of the selected unit and the one before it are scheduled together"));
  lay_out = make(window, "lay-out", tr("&Lay out"), tr("Arrange all operators but those that were placed by hand"),
                 QKeySequence(tr("Ctrl+Shift+Y")));
  release_place = make(window, "release-place", tr("Let the la&yout place"),
                       tr("Leave to the layout where the selected operators stand"));
  save_template = make(window, "save-template", tr("Save as &template…"),
                       tr("Keep the selected operators by a name, to be inserted again"));
  rename_graph = make(window, "rename-graph", tr("Rename the grap&h…"), tr("Give the network another name"));
  export_original = make(window, "export-original-graph", tr("Export graph as original IOS &JSON…"),
                         tr("Write the network as the original's program reads it"));
  for (const auto& [id, text] : {std::pair("align-left", tr("&Left")), std::pair("align-centre", tr("&Centre")),
                                 std::pair("align-right", tr("&Right")), std::pair("align-top", tr("&Top")),
                                 std::pair("align-middle", tr("&Middle")), std::pair("align-bottom", tr("&Bottom"))}) {
    align.push_back(make(window, id, text, tr("Align the selected operators")));
  }
  add_network = make(window, "add-network", tr("&Add network…"),
                     tr("Choose another network that runs on the device together with this one"));
  input_sizes =
      make(window, "input-sizes", tr("&Input sizes…"),
           tr("Open the network again with other sizes of what its file leaves open"), QKeySequence(tr("Ctrl+I")));
  optimize = make(window, "optimize", tr("&Optimize"), tr("Search schedules and run them on the device"),
                  QKeySequence(tr("Ctrl+Return")));
  optimize->setIcon(QIcon(QStringLiteral(":/icons/optimize.svg")));
  measure_here = make(window, "measure-here", tr("Measure on this &machine"),
                      tr("Search the schedules and run them for real on this machine's best device"));
  cancel = make(window, "cancel", tr("&Cancel"), tr("Stop the running job; the best so far is kept"),
                QKeySequence(tr("Ctrl+.")));
  cancel->setIcon(QIcon(QStringLiteral(":/icons/cancel.svg")));
  enable(cancel, tr("Nothing is running"));
  verify = make(window, "verify", tr("&Verify"),
                tr("Compare what the shown schedule computes with what the sequential one does on the CPU in float32"),
                QKeySequence(tr("Ctrl+Shift+V")));
  profile = make(window, "profile", tr("&Profile"),
                 tr("Look into the runs of all schedules: every launch, and the hardware's counters over time"),
                 QKeySequence(tr("Ctrl+Shift+R")));
  for (const ExperimentRow& row : experiment_table()) {
    experiments.push_back(make(window, ("experiment-" + std::string(row.id)).c_str(),
                               has_choice(row.kind) ? tr("%1…").arg(core_words(row.title)) : core_words(row.title),
                               core_words(row.summary)));
  }
  timing = make(window, "timing", tr("&Measuring…"), tr("How long the device measures every stage and schedule"),
                QKeySequence(tr("Ctrl+Shift+M")));
  store = make(window, "store", tr("&Kept measurements…"),
               tr("Whether and where stage latencies are kept from run to run"));
  devices = make(window, "devices", tr("&Devices…"),
                 tr("Devices of other machines: ask the workers that measure there, add some, remove some"));
  predictors =
      make(window, "predictors", tr("P&redictors…"),
           tr("What was learned from measured operators, how far it is off, and what this network would take"));
  part_size = make(window, "part-size", tr("&Part size…"), tr("How many units the search treats at once"));
  memory_limit = make(window, "memory-limit", tr("Memory &limit…"),
                      tr("How much memory the best schedule's tensors may take by its plan"));
  rule = new QActionGroup(window);
  add_choice(rule, window, "rule-connected", tr("&Connected"),
             tr("Groups are the connected components of a stage, as the paper defines"),
             static_cast<int>(EndingRule::kConnected));
  add_choice(rule, window, "rule-single-root", tr("&Single root"),
             tr("Only groups with one first unit, as the authors' code searches"),
             static_cast<int>(EndingRule::kSingleRoot));
  next_schedule = make(window, "next-schedule", tr("&Next schedule"), tr("Show the next schedule"),
                       QKeySequence(tr("Ctrl+PgDown")));
  previous_schedule = make(window, "previous-schedule", tr("&Previous schedule"), tr("Show the previous schedule"),
                           QKeySequence(tr("Ctrl+PgUp")));
  clear_selection =
      make(window, "clear-selection", tr("C&lear selection"), tr("Select nothing"), QKeySequence(tr("Ctrl+Shift+A")));
  undo = make(window, "undo", tr("&Undo"), tr("Take back the last change"), QKeySequence(tr("Ctrl+Z")));
  redo = make(window, "redo", tr("&Redo"), tr("Make the change again that was taken back"),
              QKeySequence(tr("Ctrl+Shift+Z")));
  edit_copy = make(window, "edit-copy", tr("&Edit a copy"), tr("Change a copy of the shown schedule by hand"),
                   QKeySequence(tr("Ctrl+Shift+E")));
  fill_by_ios = make(window, "fill-by-ios", tr("Fill by &IOS"),
                     tr("Keep the locked stages of the hand-made schedule and search the rest"),
                     QKeySequence(tr("Ctrl+Shift+F")));
  search_from_here = make(window, "search-from-here", tr("Search &from here"),
                          tr("Search with every stage of the hand-made schedule on offer: never worse than it is now"));
  use_warm_start =
      make(window, "use-warm-start", tr("&Start from what beat the search"),
           tr("Optimize begins with the hand-made schedule that was faster than a search, and finds nothing "
              "worse"));
  use_warm_start->setCheckable(true);
  run_mine = make(window, "run-mine", tr("Run the &hand-made schedule"),
                  tr("Run it end to end: it then stands among the schedules of the run"),
                  QKeySequence(tr("Ctrl+Shift+Return")));
  verify_mine = make(window, "verify-mine", tr("Verify the hand-made schedule"),
                     tr("Run it and compare what it computes with what the sequential schedule does"));
  focus_network = make(window, "focus-network", tr("Choose a net&work"), tr("Go to the list of networks"),
                       QKeySequence(tr("Ctrl+L")));

  palette = make(window, "palette", tr("Command &palette"),
                 tr("Find any action, network, file or schedule by its name"), QKeySequence(tr("Ctrl+Shift+P")));
  palette->setIcon(QIcon(QStringLiteral(":/icons/find.svg")));
  start_page = make(window, "start-page", tr("&Start page"), tr("Recent files and the built-in networks"),
                    QKeySequence(tr("Alt+Home")));
  start_page->setIcon(QIcon(QStringLiteral(":/icons/start.svg")));
  guide =
      make(window, "guide", tr("&Guide"),
           tr("Three pages with pictures: draw a network, change a schedule, why stages cost"), QKeySequence(tr("F1")));
  topics = make(window, "help-topics", tr("Help &topics"),
                tr("The command line, measurements, figures, GPU servers and more, one page each"));
  first_minute = make(window, "first-minute", tr("&Hints for a beginner"),
                      tr("Point once more at what there is to see, one hint after another"));
  messages =
      make(window, "messages", tr("&Messages"), tr("Show everything that was said"), QKeySequence(tr("Ctrl+Shift+H")));
  focus_message = make(window, "focus-message", tr("&Go to the newest message"),
                       tr("Move the keyboard to it: Return takes what it offers, Escape closes it"),
                       QKeySequence(tr("Ctrl+Shift+N")));
  close_message = make(window, "close-message", tr("&Close the newest message"), tr("It stays in the list of messages"),
                       QKeySequence(tr("Ctrl+Shift+X")));
  keys = make(window, "keys", tr("&Keys"), tr("Show all keyboard shortcuts, and change them"), QKeySequence(tr("?")));
  about = make(window, "about", tr("&About IOS Explorer"), tr("Version, method and licence"));
  about->setMenuRole(QAction::AboutRole);
}

QString Actions::noColumn() { return tr("No table of values is open: choose Colour by my column…"); }

QAction* Actions::modeAction(Mode which) const {
  const QList<QAction*> actions = mode->actions();
  const auto found =
      std::ranges::find(actions, static_cast<int>(which), [](QAction* one) { return one->data().toInt(); });
  return found == actions.end() ? nullptr : *found;
}

void Actions::enableExports(bool comparison, bool document) {
  const QString no_schedule = comparison ? QString() : tr("There is no schedule yet");
  const QString no_network = document ? QString() : tr("No network is open, or a job is running");
  enable(save_run, no_schedule);
  enable(save_page, no_schedule);
  enable(colour_by_column, document ? QString() : tr("No network is open"));
  enable(add_external, document ? QString() : tr("No network is open"));
  enable(export_network, no_network);
  for (QAction* action : {export_scheduled, export_pytorch}) enable(action, document ? no_schedule : no_network);
  for (QAction* action : export_schedule) enable(action, no_schedule);
  for (const FigureKind kind : kFigureKinds) {
    if (kind != FigureKind::kDrawing) enable(export_figure[static_cast<std::size_t>(kind)], no_schedule);
  }
  for (QAction* action : {export_trace, export_animation, copy_card}) enable(action, no_schedule);
}

void Actions::enable(QAction* action, const QString& reason) {
  action->setEnabled(reason.isEmpty());
  action->setProperty(kReason, reason);
  showTip(action);
}

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

void fill_edit_menu(QMenu& menu, const Actions& actions) {
  menu.setToolTipsVisible(true);  // they say why something cannot be done
  menu.addActions({actions.undo, actions.redo});
  menu.addSeparator();
  menu.addActions({actions.cut, actions.copy, actions.paste, actions.duplicate, actions.remove, actions.remove_healing,
                   actions.rename, actions.select_all});
  menu.addSeparator();
  menu.addActions({actions.add_operator, actions.connect_operator, actions.save_template});
  menu.addSeparator();
  menu.addActions({actions.group_unit, actions.split_unit, actions.begin_part, actions.join_part});
  menu.addSeparator();
  QMenu* align = menu.addMenu(Actions::tr("Al&ign"));
  for (QAction* action : actions.align) align->addAction(action);
  menu.addActions({actions.lay_out, actions.release_place, actions.rename_graph});
}

Menus build_menus(QMainWindow& window, const Actions& actions) {
  Menus menus{};
  QMenu* file = window.menuBar()->addMenu(Actions::tr("&File"));
  file->addAction(actions.new_graph);
  file->addAction(actions.open);
  menus.zoo = file->addMenu(Actions::tr("Open built-in &network"));
  menus.recent = file->addMenu(Actions::tr("Open &recent"));
  file->addAction(actions.last_session);
  file->addAction(actions.start_page);
  file->addSeparator();
  file->addAction(actions.add_external);
  file->addSeparator();
  file->addActions({actions.save_project, actions.save_project_as, actions.save_run, actions.save_page});
  file->addSeparator();
  QMenu* schedule = file->addMenu(Actions::tr("Export &schedule"));
  for (QAction* action : actions.export_schedule) schedule->addAction(action);
  QMenu* figure = file->addMenu(Actions::tr("Export &figure"));
  for (QAction* action : actions.export_figure) figure->addAction(action);
  figure->addAction(actions.export_animation);
  file->addActions({actions.export_trace, actions.export_network, actions.export_original, actions.export_scheduled,
                    actions.export_pytorch});
  file->addSeparator();
  file->addAction(actions.quit);

  menus.edit = window.menuBar()->addMenu(Actions::tr("&Edit"));
  fill_edit_menu(*menus.edit, actions);
  menus.edit->addSeparator();
  menus.edit->addAction(actions.copy_card);

  QMenu* view = window.menuBar()->addMenu(Actions::tr("&View"));
  view->addActions(actions.mode->actions());
  view->addSeparator();
  menus.docks = view->addMenu(Actions::tr("&Panels"));
  view->addAction(actions.reset_layout);
  view->addSeparator();
  view->addActions({actions.zoom_in, actions.zoom_out, actions.zoom_fit, actions.zoom_selection});
  QMenu* overlay = view->addMenu(Actions::tr("Colour &units by"));
  overlay->addActions(actions.overlay->actions());
  overlay->addSeparator();
  overlay->addAction(actions.colour_by_column);
  view->addAction(actions.legend);
  view->addSeparator();
  QMenu* theme = view->addMenu(Actions::tr("&Theme"));
  theme->addActions(actions.theme->actions());
  QMenu* language = view->addMenu(Actions::tr("&Language / 语言"));
  language->addActions(actions.language->actions());

  QMenu* graph = window.menuBar()->addMenu(Actions::tr("&Graph"));
  graph->setToolTipsVisible(true);
  graph->addActions({actions.add_network, actions.input_sizes, actions.focus_network});
  menus.unfinished = graph->addMenu(Actions::tr("&Unfinished graphs"));
  menus.unfinished->setObjectName(QStringLiteral("unfinished"));

  QMenu* run = window.menuBar()->addMenu(Actions::tr("&Schedule"));
  run->setToolTipsVisible(true);  // they say why something cannot be done
  run->addActions({actions.optimize, actions.measure_here, actions.verify, actions.profile, actions.cancel});
  run->addSeparator();
  run->addAction(actions.timing);
  run->addAction(actions.store);
  run->addAction(actions.devices);
  run->addAction(actions.predictors);
  run->addAction(actions.part_size);
  run->addAction(actions.memory_limit);
  QMenu* rule = run->addMenu(Actions::tr("Ending &rule"));
  rule->addActions(actions.rule->actions());
  run->addSeparator();
  run->addActions({actions.edit_copy, actions.fill_by_ios, actions.search_from_here, actions.use_warm_start,
                   actions.run_mine, actions.verify_mine});
  run->addSeparator();
  run->addActions({actions.next_schedule, actions.previous_schedule, actions.clear_selection});

  QMenu* experiments = window.menuBar()->addMenu(Actions::tr("&Experiments"));
  experiments->setToolTipsVisible(true);
  for (QAction* action : actions.experiments) experiments->addAction(action);

  QMenu* help = window.menuBar()->addMenu(Actions::tr("&Help"));
  help->addActions({actions.guide, actions.topics, actions.palette, actions.keys, actions.first_minute});
  help->addSeparator();
  help->addActions({actions.messages, actions.focus_message, actions.close_message});
  help->addSeparator();
  help->addAction(actions.about);
  return menus;
}

}  // namespace iosx
