#include "app/gui/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "app/gui/command_palette.h"
#include "app/gui/compare_controller.h"
#include "app/gui/compared_runs.h"
#include "app/gui/docks.h"
#include "app/gui/experiment_window.h"
#include "app/gui/export_menu.h"
#include "app/gui/external_menu.h"
#include "app/gui/first_hints.h"
#include "app/gui/first_minute.h"
#include "app/gui/graph_editing.h"
#include "app/gui/guide.h"
#include "app/gui/html_menu.h"
#include "app/gui/job_status.h"
#include "app/gui/jobs_panel.h"
#include "app/gui/key_bindings.h"
#include "app/gui/key_sheet.h"
#include "app/gui/message_history.h"
#include "app/gui/opening.h"
#include "app/gui/panels.h"
#include "app/gui/project_keeper.h"
#include "app/gui/project_panel.h"
#include "app/gui/run_bar.h"
#include "app/gui/run_dialogs.h"
#include "app/gui/schedule_editor.h"
#include "app/gui/selection_menu.h"
#include "app/gui/settings.h"
#include "app/gui/start_page.h"
#include "app/gui/start_plan.h"
#include "app/gui/state_line.h"
#include "app/gui/table_view.h"
#include "app/gui/toasts.h"
#include "app/gui/views.h"
#include "models/networks/zoo.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/compare_page.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/edit_graph/latency_line.h"
#include "views/edit_graph/operator_palette.h"
#include "views/edit_graph/problem_list.h"
#include "views/edit_schedule/board_page.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/explore/search/convergence_chart.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/style/style.h"
#include "views/tables/describe.h"
#include "views/text/core_words.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

constexpr QSize kDefaultSize(1600, 1000);
constexpr int kRowsInSight = 1;  // of utilization
constexpr double kZoomStep = 1.25;

// Before there is any widget: what is as wide as its text is measured in the font in which it will stand.
bool dressed(const Settings& settings, bool system_is_dark) {
  apply_theme(*qApp, theme_of(settings.themeMode(), system_is_dark));
  return system_is_dark;
}

}  // namespace

MainWindow::MainWindow(Session& session, Jobs& jobs, Settings& settings, bool system_is_dark)
    : session_(session),
      jobs_(jobs),
      settings_(settings),
      system_is_dark_(dressed(settings, system_is_dark)),
      actions_(this),
      menus_(build_menus(*this, actions_)),
      views_(new Views(session, jobs, selection_, this)),
      editor_(new ScheduleEditor(session, jobs, selection_, actions_, settings, this)),
      run_bar_(new RunBar(session, jobs, actions_)),
      editing_(new GraphEditing(session, jobs, selection_, settings, actions_, this)),
      messages_(new Toasts(this, this)),
      docks_(new Docks(this, settings)),
      opening_(new Opening(session, jobs, settings, actions_, menus_.recent, *messages_, this)),
      keeper_(new ProjectKeeper(session, jobs, settings, actions_, *messages_, this)),
      job_status_(new JobStatus(jobs)),
      project_(new ProjectPanel(session, jobs)),
      schedules_(new SchedulePanel(session)),
      exports_(new ExportMenu(session, jobs, *views_, settings, actions_, *messages_, this)),
      external_(new ExternalMenu(session, jobs, settings, actions_, *messages_, this)),
      start_page_(new StartPage(session, settings, this)),
      first_minute_(make_first_minute(this, session, selection_, *views_, settings)) {
  setAcceptDrops(true);
  new RunDialogs(session, jobs, settings, actions_, system_is_dark, this);
  addToolBar(run_bar_);
  buildCentre();
  buildDocks();
  buildMenus();
  statusBar()->addWidget(new StateLine(session, editing_->controller()), 1);
  statusBar()->addPermanentWidget(job_status_);
  auto* said = new MessageButton(*messages_);
  connect(said, &QToolButton::clicked, actions_.messages, &QAction::trigger);
  statusBar()->addPermanentWidget(said);
  connectActions();
  connectSession();
  connectController();
  connect(editing_, &GraphEditing::refused, this, [this](const QString& reason) { messages_->showNote(reason); });
  const auto edit_graph = [this] {
    setMode(Mode::kEditGraph);
    start_page_->hide();
  };
  connect(actions_.new_graph, &QAction::triggered, this, [this, edit_graph] {
    edit_graph();
    editing_->newGraph();
  });
  connect(editing_, &GraphEditing::unfinishedAsked, this, edit_graph);
  editing_->listUnfinished(menus_.unfinished);
  views_->setDrawing([this] { return editing_->canvas()->figure(); });
  new HtmlMenu(session, jobs, settings, *views_->compared(), actions_, *messages_, this);
  new CompareController(session, selection_, *views_->compared(), actions_, *exports_, settings, this);
  jobs.askBeforeReplacing([keeper = QPointer(keeper_)] { return keeper.isNull() || keeper->mayReplace(); });
  bindings_ = new KeyBindings(this, settings_);
  setThemeMode(static_cast<int>(settings_.themeMode()));
  setMode(docks_->mode());
  // Room for the frame that the desktop draws around the window.
  resize(kDefaultSize.boundedTo(screen()->availableSize() - QSize(0, 40)));
  restoreGeometry(settings_.geometry());
  docks_->reset();
  docks_->restore();
  showDocument();
  showState();
  job_status_->stop();  // of a job that was running before there was this window, shows it
}

// Children are hidden once more when this is only a QWidget.
MainWindow::~MainWindow() { start_page_->disconnect(this); }

void MainWindow::buildCentre() {
  auto* centre = new QWidget;
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  centre_ = new QStackedWidget;
  for (const Mode mode : kModes) {
    switch (mode) {
      case Mode::kExplore: centre_->addWidget(views_->graph()); break;
      case Mode::kEditGraph: centre_->addWidget(editing_->page()); break;
      case Mode::kEditSchedule: centre_->addWidget(editor_->page()); break;
      case Mode::kCompare: centre_->addWidget(views_->compared()->page()); break;
    }
  }
  column->addWidget(centre_, 1);
  messages_->setAnchor(centre_);
  messages_->keepClear(editor_->page()->foot());
  messages_->keepClear(editing_->latencyLine());
  setCentralWidget(centre);
}

QWidget* MainWindow::buildSchedules() {
  auto* row = new QSplitter(Qt::Horizontal);
  row->addWidget(schedules_);
  row->addWidget(views_->comparison());
  row->addWidget(views_->stageLatencies());
  for (const int column : {0, 1, 2}) row->setStretchFactor(column, 1);
  row->setChildrenCollapsible(false);
  return row;
}

QWidget* MainWindow::buildTimes() {
  auto* times = new QSplitter(Qt::Vertical);
  times->addWidget(views_->timeline());
  times->addWidget(views_->utilization());
  views_->utilization()->setMinimumHeight(UtilizationPlot::kAxisHeight + UtilizationPlot::kTopMargin +
                                          kRowsInSight * UtilizationPlot::kMinRowHeight);
  times->setSizes({300, 200});
  times->setStretchFactor(0, 3);
  times->setStretchFactor(1, 2);
  times->setChildrenCollapsible(false);
  return times;
}

QWidget* MainWindow::buildSearches() {
  auto* searches = new QSplitter(Qt::Horizontal);
  searches->addWidget(views_->searches());
  searches->addWidget(new TaskPanel(session_, jobs_, selection_));
  searches->setSizes({900, 1100});  // the table's columns need more than the curves
  searches->setStretchFactor(0, 9);
  searches->setStretchFactor(1, 11);
  searches->setChildrenCollapsible(false);
  return searches;
}

void MainWindow::buildDocks() {
  const auto add = [this](Qt::DockWidgetArea area, const char* name, const QString& title, QWidget* content,
                          std::vector<Mode> modes = {Mode::kExplore}) {
    QDockWidget* dock = docks_->add(area, QString::fromLatin1(name), title, content, std::move(modes));
    menus_.docks->addAction(dock->toggleViewAction());
    return dock;
  };
  add(Qt::LeftDockWidgetArea, "project", tr("Project"), project_,
      {Mode::kExplore, Mode::kEditSchedule, Mode::kCompare});
  add(Qt::LeftDockWidgetArea, "palette", tr("Operators"), editing_->palette(), {Mode::kEditGraph});
  add(Qt::RightDockWidgetArea, "inspector", tr("Inspector"), new InspectorPanel(session_, jobs_, selection_),
      {Mode::kExplore, Mode::kEditSchedule});
  add(Qt::RightDockWidgetArea, "attributes", tr("Attributes"), editing_->attributes(), {Mode::kEditGraph});
  problems_dock_ = add(Qt::BottomDockWidgetArea, "problems", tr("Problems"), editing_->problems(), {Mode::kEditGraph});
  timeline_dock_ = add(Qt::BottomDockWidgetArea, "timeline", tr("Timeline and utilization"), buildTimes());
  stages_dock_ = add(Qt::BottomDockWidgetArea, "stages", tr("Stages"), new StagePanel(session_, selection_));
  add(Qt::BottomDockWidgetArea, "schedules", tr("Schedules"), buildSchedules(), {Mode::kExplore, Mode::kEditGraph});
  add(Qt::BottomDockWidgetArea, "search", tr("Search"), buildSearches());
  QDockWidget* sweep = add(Qt::BottomDockWidgetArea, "sweep", tr("What if"), views_->sweep());
  connect(sweep, &QDockWidget::visibilityChanged, views_->sweep(), &SweepView::setLookedAt);
  connect(views_->sweep(), &SweepView::graphValueWanted, this, &MainWindow::takeSize);
  add(Qt::BottomDockWidgetArea, "jobs", tr("Jobs"), new JobsPanel(jobs_), {Mode::kExplore, Mode::kEditGraph});
  connect(editing_->problems(), &ProblemList::counted, this, [this](int count) {
    problems_dock_->setWindowTitle(count == 0 ? tr("Problems") : tr("Problems (%1)").arg(count));
  });
}

void MainWindow::setMode(Mode mode) {
  for (QAction* action : actions_.mode->actions()) action->setChecked(action->data().toInt() == static_cast<int>(mode));
  if (mode == docks_->mode()) return;
  const bool drew = docks_->mode() == Mode::kEditGraph;
  centre_->setCurrentIndex(static_cast<int>(mode));
  project_->setPicking(mode == Mode::kCompare);
  views_->compared()->setActive(mode == Mode::kCompare);
  editor_->setActive(mode == Mode::kEditSchedule);
  editing_->setActive(mode == Mode::kEditGraph);
  if (mode != Mode::kEditGraph && mode != Mode::kEditSchedule) {
    for (QAction* action : {actions_.undo, actions_.redo}) Actions::enable(action, tr("Nothing is edited here"));
  }
  docks_->setMode(mode);
  first_minute_->setPaused(mode != Mode::kExplore);  // all that it points at is there
  const QString lacks = drew ? editing_->controller().shownLacks() : QString();
  if (!lacks.isEmpty()) messages_->showNote(lacks, {tr("Edit graph"), [this] { setMode(Mode::kEditGraph); }});
}

void MainWindow::takeSize(SweepParameter parameter, const QString& operator_name, qint64 value) {
  setMode(Mode::kEditGraph);
  GraphController& controller = editing_->controller();
  if (!controller.resize(parameter, operator_name, value)) return;
  if (const auto key = controller.graph().find_operator(operator_name.toStdString())) controller.reveal(*key);
}

void MainWindow::buildMenus() {
  std::optional<ZooGroup> group;
  for (const ZooNetwork& network : zoo()) {
    if (group != network.group) menus_.zoo->addSection(core_words(zoo_group_title(network.group)));
    group = network.group;
    QAction* action = menus_.zoo->addAction(core_words(network.title));
    action->setStatusTip(core_words(network.summary));
    action->setData(qstring(network.name));
    connect(action, &QAction::triggered, this, [this, action] { open(action->data().toString()); });
  }
}

Mode MainWindow::mode() const { return docks_->mode(); }

void MainWindow::resetLayout() { docks_->reset(); }

void MainWindow::open(const QString& source, const std::optional<InputSizes>& sizes) { opening_->open(source, sizes); }

void MainWindow::keepSessions(Autosave& autosave, bool asks) { keeper_->keepSessions(autosave, asks); }

void MainWindow::connectActions() {
  connect(actions_.quit, &QAction::triggered, this, &QWidget::close);
  GraphView* graph = views_->graph();
  connect(actions_.zoom_in, &QAction::triggered, graph, [graph] { graph->zoomBy(kZoomStep); });
  connect(actions_.zoom_out, &QAction::triggered, graph, [graph] { graph->zoomBy(1 / kZoomStep); });
  connect(actions_.zoom_fit, &QAction::triggered, graph, &GraphView::zoomToFit);
  connect(actions_.zoom_selection, &QAction::triggered, graph, &GraphView::zoomToSelection);
  connect(actions_.legend, &QAction::toggled, graph, &GraphView::setLegendVisible);
  connect(actions_.overlay, &QActionGroup::triggered, graph,
          [graph](const QAction* action) { graph->setOverlay(static_cast<canvas::Overlay>(action->data().toInt())); });
  connect(graph, &GraphView::legendVisibleChanged, actions_.legend, &QAction::setChecked);
  connect(graph, &GraphView::overlayChanged, this, [this](canvas::Overlay overlay) {
    for (QAction* action : actions_.overlay->actions()) {
      if (action->data().toInt() == static_cast<int>(overlay)) action->setChecked(true);
    }
  });
  connect(actions_.theme, &QActionGroup::triggered, this,
          [this](const QAction* action) { setThemeMode(action->data().toInt()); });
  for (QAction* action : actions_.language->actions()) {
    action->setChecked(action->data().toInt() == static_cast<int>(settings_.language()));
  }
  connect(actions_.language, &QActionGroup::triggered, this,
          [this](const QAction* action) { setLanguage(static_cast<LanguageMode>(action->data().toInt())); });
  connect(actions_.reset_layout, &QAction::triggered, docks_, &Docks::reset);
  connect(actions_.mode, &QActionGroup::triggered, this,
          [this](const QAction* action) { setMode(static_cast<Mode>(action->data().toInt())); });
  connect(project_, &ProjectPanel::compareAsked, this, [this] {
    views_->compared()->showPicked();
    setMode(Mode::kCompare);
  });
  editor_->connectTo(*exports_, *messages_);
  connect(actions_.edit_copy, &QAction::triggered, this, [this] {
    editor_->controller().copyShown();
    setMode(Mode::kEditSchedule);
  });
  connect(project_, &ProjectPanel::copyAsked, this, [this](const Choice& choice) {
    editor_->controller().copy(choice);
    setMode(Mode::kEditSchedule);
  });
  connect(project_, &ProjectPanel::answerAsked, this, [this](const Choice& baseline, const Choice& other) {
    views_->compared()->showPair(baseline, other);
    setMode(Mode::kCompare);
  });
  connect(actions_.optimize, &QAction::triggered, &jobs_, &Jobs::optimize);
  connect(actions_.measure_here, &QAction::triggered, &jobs_, &Jobs::measureHere);
  connect(actions_.verify, &QAction::triggered, &jobs_, &Jobs::verify);
  connect(actions_.profile, &QAction::triggered, &jobs_, &Jobs::profile);
  connect(actions_.cancel, &QAction::triggered, &jobs_, &Jobs::cancel);
  connect(actions_.next_schedule, &QAction::triggered, this, [this] { stepSchedule(1); });
  connect(actions_.previous_schedule, &QAction::triggered, this, [this] { stepSchedule(-1); });
  connect(actions_.clear_selection, &QAction::triggered, &selection_, &SelectionModel::clear);
  connect(actions_.focus_network, &QAction::triggered, run_bar_, &RunBar::focusNetwork);
  connect(actions_.guide, &QAction::triggered, this, &MainWindow::showGuide);
  connect(actions_.topics, &QAction::triggered, this, [this] { showGuide()->showTopics(); });
  connect(actions_.keys, &QAction::triggered, this, [this] { (new KeySheet(*bindings_, this))->show(); });
  connect(actions_.about, &QAction::triggered, this, &MainWindow::showAbout);
  connect(actions_.palette, &QAction::triggered, this, &MainWindow::showPalette);
  connect(actions_.messages, &QAction::triggered, this, [this] { (new MessageHistory(*messages_, this))->show(); });
  connect(actions_.close_message, &QAction::triggered, messages_, &Toasts::closeNewest);
  connect(actions_.focus_message, &QAction::triggered, messages_, &Toasts::focusNewest);
}

void MainWindow::connectController() {
  auto* menu = new SelectionMenu(session_, selection_, *views_, actions_, this);
  menu->attach(views_->graph(), FigureKind::kGraph);
  menu->attach(views_->timeline(), FigureKind::kTimeline, views_->timeline()->tracksMenu());
  for (const char* name : {"stages-table", "tasks-table"})
    menu->attach(findChild<TableView*>(QString::fromLatin1(name)));
  connect(menu, &SelectionMenu::explainAsked, this, [this] { docks_->show(QStringLiteral("inspector")); });
  connect(actions_.start_page, &QAction::triggered, start_page_, &QWidget::show);
  connect(actions_.first_minute, &QAction::triggered, this, [this] {
    setMode(Mode::kExplore);
    first_minute_->start(true);
  });
  connect(start_page_, &StartPage::openAsked, opening_, &Opening::ask);
  connect(start_page_, &StartPage::chosen, this, [this](const QString& source) {
    start_page_->hide();
    open(source);
  });
  connect(start_page_, &StartPage::shownChanged, this, [this](bool shown) {
    messages_->setAnchor(shown ? static_cast<QWidget*>(start_page_) : centre_);
    if (shown) first_minute_->stop();
  });
}

void MainWindow::start(const StartPlan& plan, const std::optional<InputSizes>& sizes) {
  if (plan.searches) {
    auto once = std::make_shared<QMetaObject::Connection>();
    *once = connect(&session_, &Session::comparisonChanged, this, [this, once] {
      if (!session_.comparison()) return;
      disconnect(*once);
      // After the job that brought it has ended.
      if (!session_.searched()) QMetaObject::invokeMethod(&jobs_, &Jobs::searchUnasked, Qt::QueuedConnection);
    });
  }
  open(plan.source, sizes);
  if (plan.hints) first_minute_->start(false);
}

void MainWindow::connectSession() {
  connect(&session_, &Session::documentChanged, this, &MainWindow::showDocument);
  connect(opening_, &Opening::opened, this, [this] {
    showState();
    start_page_->hide();
  });
  connect(opening_, &Opening::externalNamed, external_, &ExternalMenu::add);
  connect(opening_, &Opening::failedWithNothingOpen, start_page_, &QWidget::show);
  connect(&session_, &Session::comparisonChanged, this, &MainWindow::showState);
  connect(&session_, &Session::workspaceChanged, this, &MainWindow::showTitle);
  connect(&session_, &Session::notesChanged, this, &MainWindow::showTitle);
  connect(&session_, &Session::draftsChanged, this, &MainWindow::showTitle);
  connect(&session_, &Session::drawingsChanged, this, &MainWindow::showTitle);
  connect(&session_, &Session::activeScheduleChanged, this, &MainWindow::showState);
  connect(&session_, &Session::settingsChanged, this, &MainWindow::showState);
  connect(&jobs_, &Jobs::started, this, &MainWindow::showJobStarted);
  connect(&jobs_, &Jobs::progressed, job_status_, &JobStatus::setProgress);
  connect(&jobs_, &Jobs::noticed, this, [this](const QStringList& sentences) {
    QStringList lines;  // one message: several would cover the canvas
    for (const QString& sentence : sentences) lines << sentence.left(1).toUpper() + sentence.mid(1);
    messages_->showNote(lines.join(QStringLiteral("\n\n")));
  });
  connect(&session_, &Session::verified, this, &MainWindow::showVerified);
  connect(&jobs_, &Jobs::failed, this, [this] { job_failed_ = true; });
  connect(&jobs_, &Jobs::finished, this, [this](bool stopped) {
    if (!stopped && !job_failed_) messages_->dismissErrors(said_before_job_);
    job_status_->stop();
    showState();
  });
  connect(&jobs_, &Jobs::waitingChanged, job_status_, &JobStatus::showWaiting);
}

void MainWindow::stepSchedule(int by) {
  const auto comparison = session_.comparison();
  if (!comparison) return;
  const std::size_t count = comparison->results.size();
  session_.setActiveSchedule((session_.activeSchedule() + count + static_cast<std::size_t>(by)) % count);
}

void MainWindow::setThemeMode(int mode) {
  for (QAction* action : actions_.theme->actions()) action->setChecked(action->data().toInt() == mode);
  settings_.setThemeMode(static_cast<ThemeMode>(mode));
  const Theme theme = theme_of(static_cast<ThemeMode>(mode), system_is_dark_);
  apply_theme(*qApp, theme);
  views_->setTheme(theme);
  editing_->setTheme(theme);
  editor_->page()->setTheme(theme);
  project_->setTheme(theme);
  schedules_->setTheme(theme);
  for (ExperimentWindow* window : findChildren<ExperimentWindow*>()) window->setTheme(theme);
}

void MainWindow::showPalette() {
  std::vector<PaletteEntry> entries = entries_of_menus(*this, {menus_.zoo, menus_.recent});
  for (PaletteEntry& entry : entries_of_content(session_, settings_, [this](const QString& source) { open(source); })) {
    entries.push_back(std::move(entry));
  }
  (new CommandPalette(std::move(entries), settings_, this))->show();
}

Guide* MainWindow::showGuide() {
  if (guide_ != nullptr) {
    guide_->raise();
  } else {
    guide_ = new Guide(this);
    guide_->show();
  }
  return guide_;
}

void MainWindow::showAbout() {
  auto* box = new QMessageBox(
      QMessageBox::NoIcon, tr("About IOS Explorer"),
      tr("<h3>IOS Explorer %1</h3><p>Search, compare and export inter-operator schedules of convolutional networks.</p>"
         "<p>The method is IOS (Ding, Zhu, Jia, Pekhimenko and Han, MLSys 2021, arXiv 2011.01302).</p>"
         "<p>Licence: GPL 3.0 or later, with permission to link NVIDIA's libraries.</p>")
          .arg(QString::fromLatin1(IOSX_VERSION)),
      QMessageBox::Close, this);
  box->setIconPixmap(windowIcon().pixmap(64));
  box->setAttribute(Qt::WA_DeleteOnClose);
  box->open();
}

void MainWindow::closeEvent(QCloseEvent* event) {
  if (!keeper_->mayClose()) return event->ignore();
  if (session_.hasDocument()) {
    const RunSettings& run = session_.settings();
    settings_.setLastStart({.source = session_.source(),
                            .device = run.device,
                            .batch = run.batch,
                            .strategies = strategies_of(run.schedule_kinds).value_or(StrategySet::kBoth),
                            .pruning = run.search.pruning});
  }
  jobs_.abandon();  // so that the program ends soon; the session waits for the job
  rememberPlace();
  event->accept();
}

void MainWindow::rememberPlace() {
  settings_.setGeometry(saveGeometry());
  docks_->remember();
}

void MainWindow::setLanguage(LanguageMode mode) {
  settings_.setLanguage(mode);
  emit languageChosen();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (Opening::canDrop(event->mimeData())) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  if (!Opening::canDrop(event->mimeData())) return;
  event->acceptProposedAction();
  opening_->drop(event->mimeData());
}

void MainWindow::showDocument() {
  selection_.clear();
  showState();
}

void MainWindow::showState() {
  const bool busy = jobs_.canCancel();
  const auto comparison = session_.comparison();
  const QString no_network = session_.hasDocument() ? QString() : tr("No network is open");
  Actions::enable(actions_.optimize, no_network);
  Actions::enable(actions_.cancel, busy ? QString() : tr("Nothing is running"));
  for (QAction* action : {actions_.save_project, actions_.save_project_as}) Actions::enable(action, no_network);
  actions_.enableExports(comparison != nullptr, session_.hasDocument());
  if (session_.hasDocument()) {
    const QString missing = session_.weightsLeftBehind()
                                ? tr("A run file does not hold the network's weights; open the network itself")
                                : QString();
    Actions::enable(actions_.export_network, missing);
    if (comparison != nullptr) Actions::enable(actions_.export_pytorch, missing);
  }
  Actions::enable(actions_.profile, jobs_.profileDisabledReason());
  Actions::enable(actions_.measure_here, jobs_.measureHereDisabledReason());
  Actions::enable(actions_.verify, jobs_.verifyDisabledReason());
  for (std::size_t i = 0; i < actions_.experiments.size(); ++i) {
    Actions::enable(actions_.experiments[i], jobs_.experimentDisabledReason(experiment_table()[i].kind));
  }
  const bool sizes_open = session_.hasDocument() && !session_.document().file.deciding().empty();
  Actions::enable(actions_.input_sizes,
                  sizes_open || opening_->asksForSizes() ? QString() : tr("All sizes of this network are known"));
  const DeviceInfo* device = session_.device();
  const bool measures = device != nullptr && device->origin == Origin::kMeasured;
  Actions::enable(actions_.timing, measures ? QString() : tr("The chosen device is simulated: it measures nothing"));
  for (QAction* action : actions_.rule->actions()) {
    action->setChecked(action->data().toInt() == static_cast<int>(session_.settings().search.rule));
  }

  showTitle();
  const ScheduleResult* active = comparison ? &comparison->results[session_.activeSchedule()] : nullptr;
  stages_dock_->setWindowTitle(
      active != nullptr ? tr("Stages of %1 (%2)").arg(schedule_title(*active), origin_text(active->latency.origin))
                        : tr("Stages"));
  const Counter* counter = comparison ? main_counter(*comparison) : nullptr;
  timeline_dock_->setWindowTitle(counter != nullptr ? tr("Timeline and %1").arg(core_words(counter->name))
                                                    : tr("Timeline and utilization"));
}

// The project with the mark of one that is not saved, and what is shown.
void MainWindow::showTitle() {
  QStringList names;
  if (const QString file = session_.projectPath(); !file.isEmpty())
    names << shown_name(QFileInfo(file).fileName().toStdString());
  if (session_.hasDocument()) {
    const QString network = shown_name(session_.document().graph->name());
    const auto comparison = session_.comparison();
    const DeviceInfo* device = session_.device();
    names << (comparison          ? context_text(*comparison)
              : device != nullptr ? network + QStringLiteral(", ") + QString::fromStdString(device->name)
                                  : network);
  }
  names << tr("IOS Explorer");
  const QString mark = QStringLiteral("[*]");  // Qt's; twice for one that is part of a name
  for (QString& name : names) name.replace(mark, mark + mark);
  names.front() += mark;
  setWindowTitle(names.join(QStringLiteral(" – ")));
  setWindowModified(session_.modified());
}

void MainWindow::showJobStarted(const QString& title) {
  // What was said of a document just opened outlives the start of the comparison that follows.
  if (!jobs_.runsUnasked()) messages_->dismissNotes();
  job_failed_ = false;
  said_before_job_ = messages_->newest();
  job_status_->start(title);
  showState();
}

void MainWindow::showVerified(std::size_t result) {
  const Verification* found = session_.verification(result);
  if (found == nullptr) return;
  const QString text = verification_sentence(schedule_title(session_.comparison()->results[result]), *found);
  found->passed() ? messages_->showNote(text) : messages_->showError(text);
}

}  // namespace iosx

#include "moc_main_window.cpp"
