#include "app/gui/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QLabel>
#include <QLocale>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "app/gui/autosave.h"
#include "app/gui/command_palette.h"
#include "app/gui/compare_desk.h"
#include "app/gui/compared_runs.h"
#include "app/gui/experiment_dialog.h"
#include "app/gui/experiment_window.h"
#include "app/gui/export_menu.h"
#include "app/gui/first_hints.h"
#include "app/gui/first_minute.h"
#include "app/gui/foreign_menu.h"
#include "app/gui/html_menu.h"
#include "app/gui/job_status.h"
#include "app/gui/jobs_panel.h"
#include "app/gui/key_bindings.h"
#include "app/gui/key_sheet.h"
#include "app/gui/message_history.h"
#include "app/gui/panels.h"
#include "app/gui/project_panel.h"
#include "app/gui/run_bar.h"
#include "app/gui/selection_menu.h"
#include "app/gui/settings.h"
#include "app/gui/size_dialog.h"
#include "app/gui/start_page.h"
#include "app/gui/start_plan.h"
#include "app/gui/state_line.h"
#include "app/gui/store_dialog.h"
#include "app/gui/table_view.h"
#include "app/gui/timing_dialog.h"
#include "app/gui/toasts.h"
#include "app/gui/views.h"
#include "core/foreign/read_foreign.h"
#include "core/graph/partition.h"
#include "core/import/onnx/load_onnx.h"
#include "core/runfile/run.h"
#include "core/workspace/project_file.h"
#include "models/networks/zoo.h"
#include "views/bridge/jobs.h"
#include "views/bridge/session.h"
#include "views/compare/compare_page.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/graph/graph_view.h"
#include "views/models/describe.h"
#include "views/search/convergence_chart.h"
#include "views/style/style.h"
#include "views/text/core_words.h"
#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"
#include "views/timeline/timeline_view.h"
#include "views/utilization/utilization_view.h"

namespace iosx {
namespace {

constexpr QSize kDefaultSize(1600, 1000);
// Shares of the window at first, in percent, so that the canvas has at least 40 % of 1600 x 1000 and 30 % of 1280 x
// 800.
constexpr int kProjectShare = 16;
constexpr int kInspectorShare = 18;
constexpr int kDrawerShare = 28;
constexpr int kLeastDrawer = 210;
constexpr int kRowsInSight = 1;  // of utilization
constexpr double kZoomStep = 1.25;

QStringList local_files(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls()) {
    if (url.isLocalFile()) files << url.toLocalFile();
  }
  return files;
}

QString warnings_text(const std::vector<std::string>& warnings) {
  constexpr std::size_t kMost = 4;
  QStringList lines;
  for (std::size_t i = 0; i < std::min(warnings.size(), kMost); ++i) lines << QString::fromStdString(warnings[i]);
  if (warnings.size() > kMost) lines << MainWindow::tr("and %1 more").arg(warnings.size() - kMost);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

MainWindow::MainWindow(Session& session, Jobs& jobs, Settings& settings, bool system_is_dark)
    : session_(session),
      jobs_(jobs),
      settings_(settings),
      system_is_dark_(system_is_dark),
      actions_(this),
      menus_(build_menus(*this, actions_)),
      views_(new Views(session, jobs, selection_, this)),
      run_bar_(new RunBar(session, jobs, actions_)),
      messages_(new Toasts(this, this)),
      job_status_(new JobStatus(jobs)),
      project_(new ProjectPanel(session, jobs)),
      schedules_(new SchedulePanel(session)),
      exports_(new ExportMenu(session, jobs, *views_, settings, actions_, *messages_, this)),
      foreign_(new ForeignMenu(session, jobs, settings, actions_, *messages_, this)),
      start_page_(new StartPage(session, settings, this)),
      first_minute_(make_first_minute(this, session, selection_, *views_, settings)) {
  setAcceptDrops(true);
  setDockNestingEnabled(true);
  addToolBar(run_bar_);
  buildCentre();
  buildDocks();
  buildMenus();
  statusBar()->addWidget(new StateLine(session), 1);
  statusBar()->addPermanentWidget(job_status_);
  auto* said = new MessageButton(*messages_);
  connect(said, &QToolButton::clicked, actions_.messages, &QAction::trigger);
  statusBar()->addPermanentWidget(said);
  connectActions();
  connectSession();
  connectDesk();
  new HtmlMenu(session, jobs, settings, *views_->compared(), actions_, *messages_, this);
  new CompareDesk(session, jobs, selection_, *views_->compared(), actions_, *exports_, settings, this);
  bindings_ = new KeyBindings(this, settings_);
  setThemeMode(static_cast<int>(settings_.themeMode()));
  setMode(mode_);
  // Room for the frame that the desktop draws around the window.
  resize(kDefaultSize.boundedTo(screen()->availableSize() - QSize(0, 40)));
  restoreGeometry(settings_.geometry());
  resetLayout();
  restoreState(settings_.layout(mode_name(mode_)));
  showDocument();
  showState();
  job_status_->stop();  // of a job that was running before there was this window, shows it
}

MainWindow::~MainWindow() = default;

void MainWindow::buildCentre() {
  auto* centre = new QWidget;
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  centre_ = new QStackedWidget;
  for (const Mode mode : kModes) {
    switch (mode) {
      case Mode::kExplore: centre_->addWidget(views_->graph()); break;
      case Mode::kCompare: centre_->addWidget(views_->compared()->page()); break;
    }
  }
  column->addWidget(centre_, 1);
  messages_->setAnchor(centre_);
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

QDockWidget* MainWindow::addPanel(Qt::DockWidgetArea area, const QString& name, const QString& title,
                                  QWidget* content) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setWidget(content);
  addDockWidget(area, dock);
  menus_.docks->addAction(dock->toggleViewAction());
  return dock;
}

void MainWindow::buildDocks() {
  // The inspector is as high as the window; the drawer lies below the project panel and the canvas.
  setCorner(Qt::BottomLeftCorner, Qt::BottomDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  addPanel(Qt::LeftDockWidgetArea, QStringLiteral("project"), tr("Project"), project_);
  addPanel(Qt::RightDockWidgetArea, QStringLiteral("inspector"), tr("Inspector"),
           new InspectorPanel(session_, jobs_, selection_));
  timeline_dock_ =
      addPanel(Qt::BottomDockWidgetArea, QStringLiteral("timeline"), tr("Timeline and utilization"), buildTimes());
  stages_dock_ =
      addPanel(Qt::BottomDockWidgetArea, QStringLiteral("stages"), tr("Stages"), new StagePanel(session_, selection_));
  QDockWidget* schedules =
      addPanel(Qt::BottomDockWidgetArea, QStringLiteral("schedules"), tr("Schedules"), buildSchedules());
  QDockWidget* search = addPanel(Qt::BottomDockWidgetArea, QStringLiteral("search"), tr("Search"), buildSearches());
  QDockWidget* jobs = addPanel(Qt::BottomDockWidgetArea, QStringLiteral("jobs"), tr("Jobs"), new JobsPanel(jobs_));
  for (QDockWidget* tab : {timeline_dock_, stages_dock_, schedules, search, jobs}) hideTitleBar(tab);
  setTabPosition(Qt::BottomDockWidgetArea, QTabWidget::North);
  setDockOptions(dockOptions() | QMainWindow::GroupedDragging);  // tabs can be dragged out
}

// The tab already says what the dock is; a title bar would only take room from the drawing. A floating dock needs one.
void MainWindow::hideTitleBar(QDockWidget* dock) {
  dock->setTitleBarWidget(new QWidget(dock));
  connect(dock, &QDockWidget::topLevelChanged, dock, [dock](bool floating) {
    QWidget* old = dock->titleBarWidget();
    dock->setTitleBarWidget(floating ? nullptr : new QWidget(dock));
    if (old != nullptr) old->deleteLater();
  });
}

void MainWindow::resetLayout() {
  const auto dock = [this](const char* name) { return findChild<QDockWidget*>(QString::fromLatin1(name)); };
  const std::array<std::pair<const char*, Qt::DockWidgetArea>, 7> places{{{"project", Qt::LeftDockWidgetArea},
                                                                          {"inspector", Qt::RightDockWidgetArea},
                                                                          {"timeline", Qt::BottomDockWidgetArea},
                                                                          {"stages", Qt::BottomDockWidgetArea},
                                                                          {"schedules", Qt::BottomDockWidgetArea},
                                                                          {"search", Qt::BottomDockWidgetArea},
                                                                          {"jobs", Qt::BottomDockWidgetArea}}};
  for (const auto& [name, area] : places) {
    QDockWidget* panel = dock(name);
    panel->setFloating(false);
    removeDockWidget(panel);
    // As tabs at once: side by side they are wider than a small window.
    if (area == Qt::BottomDockWidgetArea && panel != timeline_dock_) {
      tabifyDockWidget(timeline_dock_, panel);
    } else {
      addDockWidget(area, panel);
    }
    // What is compared has timelines of its own, and room for itself.
    const bool shown = mode_ == Mode::kExplore || area == Qt::LeftDockWidgetArea;
    panel->setVisible(shown);
  }
  if (mode_ == Mode::kExplore) timeline_dock_->raise();
  resizeDocks({dock("project"), dock("inspector")}, {width() * kProjectShare / 100, width() * kInspectorShare / 100},
              Qt::Horizontal);
  resizeDocks({timeline_dock_}, {std::max(kLeastDrawer, height() * kDrawerShare / 100)}, Qt::Vertical);
}

void MainWindow::setMode(Mode mode) {
  for (QAction* action : actions_.mode->actions()) action->setChecked(action->data().toInt() == static_cast<int>(mode));
  if (mode == mode_) return;
  settings_.setLayout(mode_name(mode_), saveState());
  mode_ = mode;
  centre_->setCurrentIndex(static_cast<int>(mode));
  project_->setPicking(mode == Mode::kCompare);
  views_->compared()->setActive(mode == Mode::kCompare);
  if (!restoreState(settings_.layout(mode_name(mode)))) resetLayout();
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
  connect(menus_.recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
}

void MainWindow::connectActions() {
  connect(actions_.open, &QAction::triggered, this, &MainWindow::askOpen);
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
  connect(actions_.reset_layout, &QAction::triggered, this, &MainWindow::resetLayout);
  connect(actions_.mode, &QActionGroup::triggered, this,
          [this](const QAction* action) { setMode(static_cast<Mode>(action->data().toInt())); });
  connect(actions_.compare, &QAction::triggered, this, [this] { setMode(Mode::kCompare); });
  connect(project_, &ProjectPanel::compareAsked, actions_.compare, &QAction::trigger);
  connect(actions_.save_project, &QAction::triggered, this, &MainWindow::askSaveProject);
  connect(actions_.optimize, &QAction::triggered, &jobs_, &Jobs::optimize);
  connect(actions_.verify, &QAction::triggered, &jobs_, &Jobs::verify);
  connect(actions_.profile, &QAction::triggered, &jobs_, &Jobs::profile);
  connect(actions_.timing, &QAction::triggered, this, &MainWindow::askTiming);
  connect(actions_.store, &QAction::triggered, this, &MainWindow::askStore);
  connect(actions_.part_size, &QAction::triggered, this, &MainWindow::askPartSize);
  connect(actions_.cancel, &QAction::triggered, &jobs_, &Jobs::cancel);
  for (std::size_t i = 0; i < actions_.experiments.size(); ++i) {
    connect(actions_.experiments[i], &QAction::triggered, this,
            [this, kind = experiment_table()[i].kind] { askExperiment(kind); });
  }
  connect(actions_.rule, &QActionGroup::triggered, this,
          [this](const QAction* action) { setRule(action->data().toInt()); });
  connect(actions_.next_schedule, &QAction::triggered, this, [this] { stepSchedule(1); });
  connect(actions_.previous_schedule, &QAction::triggered, this, [this] { stepSchedule(-1); });
  connect(actions_.clear_selection, &QAction::triggered, &selection_, &SelectionModel::clear);
  connect(actions_.focus_network, &QAction::triggered, run_bar_, &RunBar::focusNetwork);
  connect(actions_.keys, &QAction::triggered, this, [this] { (new KeySheet(*bindings_, this))->show(); });
  connect(actions_.about, &QAction::triggered, this, &MainWindow::showAbout);
  connect(actions_.palette, &QAction::triggered, this, &MainWindow::showPalette);
  connect(actions_.messages, &QAction::triggered, this, [this] { (new MessageHistory(*messages_, this))->show(); });
  connect(actions_.close_message, &QAction::triggered, messages_, &Toasts::closeNewest);
  connect(actions_.focus_message, &QAction::triggered, messages_, &Toasts::focusNewest);
  connect(actions_.input_sizes, &QAction::triggered, this, &MainWindow::askSizes);
}

void MainWindow::connectDesk() {
  auto* menu = new SelectionMenu(session_, selection_, *views_, actions_, this);
  menu->attach(views_->graph(), FigureKind::kGraph);
  menu->attach(views_->timeline(), FigureKind::kTimeline, views_->timeline()->tracksMenu());
  for (const char* name : {"stages-table", "tasks-table"})
    menu->attach(findChild<TableView*>(QString::fromLatin1(name)));
  connect(menu, &SelectionMenu::explainAsked, this, [this] {
    auto* inspector = findChild<QDockWidget*>(QStringLiteral("inspector"));
    inspector->show();
    inspector->raise();
  });
  connect(actions_.start_page, &QAction::triggered, start_page_, &QWidget::show);
  connect(actions_.first_minute, &QAction::triggered, this, [this] { first_minute_->start(true); });
  connect(start_page_, &StartPage::openAsked, this, &MainWindow::askOpen);
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
      if (!session_.searched()) QMetaObject::invokeMethod(&jobs_, &Jobs::optimize, Qt::QueuedConnection);
    });
  }
  open(plan.source, sizes);
  if (plan.hints) first_minute_->start(false);
}

void MainWindow::connectSession() {
  connect(&session_, &Session::documentChanged, this, &MainWindow::showDocument);
  connect(&jobs_, &Jobs::opened, this, &MainWindow::showOpened);
  connect(&session_, &Session::comparisonChanged, this, &MainWindow::showState);
  connect(&session_, &Session::activeScheduleChanged, this, &MainWindow::showState);
  connect(&session_, &Session::settingsChanged, this, &MainWindow::showState);
  connect(&jobs_, &Jobs::started, this, &MainWindow::showJobStarted);
  connect(&jobs_, &Jobs::progressed, job_status_, &JobStatus::setProgress);
  connect(&jobs_, &Jobs::failed, this, &MainWindow::showFailure);
  connect(&jobs_, &Jobs::noticed, this, [this](const QStringList& sentences) {
    for (const QString& sentence : sentences) messages_->showNote(sentence.left(1).toUpper() + sentence.mid(1));
  });
  connect(&session_, &Session::verified, this, &MainWindow::showVerified);
  connect(&jobs_, &Jobs::experimentEnded, this, &MainWindow::showExperiment);
  connect(&jobs_, &Jobs::finished, this, [this] {
    job_status_->stop();
    showState();
  });
  connect(&jobs_, &Jobs::waitingChanged, job_status_, &JobStatus::showWaiting);
  connect(&jobs_, &Jobs::projectSaved, this,
          [this](const QString& path) { messages_->showNote(tr("Saved %1").arg(path)); });
}

void MainWindow::askOpen() {
  const QString path = QFileDialog::getOpenFileName(
      this, tr("Open a network, project, run or schedule"), settings_.folder(),
      tr("Everything that can be opened (*.onnx *.json *.iosproj *.iosrun);;Projects (*.iosproj);;Runs (*.iosrun);;"
         "All files (*)"));
  if (!path.isEmpty()) open(path);
}

void MainWindow::askSaveProject() {
  QString path = session_.projectPath();
  if (path.isEmpty()) {
    const QString start = QDir(settings_.folder()).filePath(tr("project.iosproj"));
    path = QFileDialog::getSaveFileName(this, tr("Save the project"), start, tr("Projects (*.iosproj)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += QStringLiteral(".iosproj");
    settings_.setFolderOf(path);
  }
  jobs_.saveProject(path);
}

void MainWindow::keepSessions(Autosave& autosave, bool asks) {
  autosave_ = &autosave;
  Actions::enable(actions_.last_session, autosave.lastSession().isEmpty() ? tr("No session was kept yet") : QString());
  connect(actions_.last_session, &QAction::triggered, this, [this] {
    if (mayClose()) jobs_.restore(autosave_->lastSession());
  });
  connect(&autosave, &Autosave::failed, this, [this](const Error& error) {
    messages_->showNote(tr("What is open cannot be kept for the case of a crash: %1").arg(shown_name(error.text())));
  });
  if (!asks) return;
  if (const auto left = autosave.leftBehind()) askRecover(*left);
}

void MainWindow::askRecover(const QString& left) {
  const QString when = QLocale().toString(QFileInfo(left).lastModified(), QLocale::ShortFormat);
  auto* box = new QMessageBox(QMessageBox::Question, tr("IOS Explorer"),
                              tr("IOS Explorer ended unexpectedly. What was open until %1 was kept.").arg(when),
                              QMessageBox::NoButton, this);
  box->setObjectName(QStringLiteral("recover"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  const QPushButton* open = box->addButton(tr("Open it"), QMessageBox::AcceptRole);
  const QPushButton* discard = box->addButton(tr("Discard it"), QMessageBox::DestructiveRole);
  box->addButton(tr("Later"), QMessageBox::RejectRole);
  connect(open, &QPushButton::clicked, this, [this, left] {
    autosave_->replace(left);
    jobs_.restore(left);
  });
  connect(discard, &QPushButton::clicked, this, [this, left] { autosave_->discard(left); });
  box->open();
}

bool MainWindow::mayClose() {
  // Without a project file everything is kept as the last session.
  if (session_.projectPath().isEmpty() || !session_.modified()) return true;
  const auto answer = QMessageBox::question(
      this, tr("IOS Explorer"), tr("%1 was changed.").arg(QFileInfo(session_.projectPath()).fileName()),
      QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
  if (answer != QMessageBox::Save) return answer == QMessageBox::Discard;
  const auto saved = save_project(session_.workspace(), session_.projectPath().toStdString());
  if (!saved) messages_->showError(shown_name(saved.error().text()));
  return saved.has_value();
}

void MainWindow::open(const QString& source, const std::optional<InputSizes>& sizes) {
  if (looks_foreign(source.toStdString())) return foreign_->add(source);
  if (QFileInfo(source).isFile()) settings_.setFolderOf(source);
  const InputSizes given = sizes.value_or(settings_.inputSizes(source));
  opening_ = source;
  remembered_sizes_ = !sizes && !given.empty();
  jobs_.open(source, given);
}

void MainWindow::showFailure(const Error& error) {
  const QString source = std::exchange(opening_, {});
  if (remembered_sizes_ && error.where.starts_with("--")) {
    // The file is another one now.
    remembered_sizes_ = false;
    settings_.setInputSizes(source, {});
    QMetaObject::invokeMethod(
        this, [this, source] { open(source); }, Qt::QueuedConnection);
    return;
  }
  const bool model = !source.isEmpty() && onnx_import::looks_like_onnx(source.toStdString());
  if (model) failed_ = source;
  messages_->showError(QString::fromStdString(error.text()), model ? offerSizes() : Offer());
  if (!session_.hasDocument()) start_page_->show();
}

Offer MainWindow::offerSizes() {
  return {tr("Input sizes…"), [this] { actions_.input_sizes->trigger(); }};
}

void MainWindow::askSizes() {
  const bool failed = !failed_.isEmpty();
  const QString path = failed ? failed_ : session_.source();
  auto* dialog = new SizeDialog(path, failed ? FileInterface() : session_.document().file, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, path] {
    const InputSizes sizes = dialog->sizes();
    settings_.setInputSizes(path, sizes);
    open(path, sizes);
  });
  dialog->open();
}

void MainWindow::fillRecent() {
  menus_.recent->clear();
  for (const QString& path : settings_.recentFiles()) {
    connect(menus_.recent->addAction(path), &QAction::triggered, this, [this, path] { open(path); });
  }
  if (menus_.recent->isEmpty()) {
    menus_.recent->addAction(tr("No files yet"))->setEnabled(false);
    return;
  }
  menus_.recent->addSeparator();
  connect(menus_.recent->addAction(tr("Forget these files")), &QAction::triggered, this,
          [this] { settings_.clearRecentFiles(); });
}

void MainWindow::stepSchedule(int by) {
  const auto comparison = session_.comparison();
  if (!comparison) return;
  const std::size_t count = comparison->results.size();
  session_.setActiveSchedule((session_.activeSchedule() + count + static_cast<std::size_t>(by)) % count);
}

void MainWindow::setRule(int rule) {
  RunSettings settings = session_.settings();
  settings.search.rule = static_cast<EndingRule>(rule);
  session_.setSettings(std::move(settings));
}

void MainWindow::setThemeMode(int mode) {
  for (QAction* action : actions_.theme->actions()) action->setChecked(action->data().toInt() == mode);
  settings_.setThemeMode(static_cast<ThemeMode>(mode));
  const Theme theme = theme_of(static_cast<ThemeMode>(mode), system_is_dark_);
  apply_theme(*qApp, theme);
  views_->setTheme(theme);
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
  if (!mayClose()) return event->ignore();
  if (session_.hasDocument()) {
    settings_.setLastStart({session_.source(), session_.settings().device, session_.settings().batch});
  }
  jobs_.abandon();  // so that the program ends soon; the session waits for the job
  rememberPlace();
  event->accept();
}

void MainWindow::rememberPlace() {
  settings_.setGeometry(saveGeometry());
  settings_.setLayout(mode_name(mode_), saveState());
}

void MainWindow::setLanguage(LanguageMode mode) {
  settings_.setLanguage(mode);
  emit languageChosen();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!local_files(event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList files = local_files(event->mimeData());
  if (files.isEmpty()) return;
  event->acceptProposedAction();
  // One network takes the window's place; measurements stand beside one another.
  if (!looks_foreign(files.front().toStdString())) return open(files.front());
  for (const QString& file : files) {
    if (looks_foreign(file.toStdString())) foreign_->add(file);
  }
}

void MainWindow::showDocument() {
  selection_.clear();
  showState();
}

void MainWindow::showOpened(const QString& source) {
  opening_.clear();
  failed_.clear();
  if (QFileInfo(source).isFile()) settings_.addRecentFile(source);
  showState();
  messages_->dismiss();  // what was wrong with another file
  start_page_->hide();
  const QString warnings = warnings_text(session_.document().warnings);
  if (!warnings.isEmpty()) messages_->showNote(warnings);
  const std::string chosen = open_text(session_.document().file, SizeOrigin::kChosen);
  if (chosen.empty()) return;
  messages_->showNote(tr("The file leaves sizes open; chosen here: %1.").arg(QString::fromStdString(chosen)),
                      offerSizes());
}

void MainWindow::showState() {
  const bool busy = jobs_.busy();
  const auto comparison = session_.comparison();
  const QString no_network = session_.hasDocument() ? QString() : tr("No network is open");
  Actions::enable(actions_.optimize, no_network);
  Actions::enable(actions_.cancel, busy ? QString() : tr("Nothing is running"));
  Actions::enable(actions_.save_project, no_network);
  actions_.enableExports(comparison != nullptr, session_.hasDocument());
  if (session_.hasDocument()) {
    const QString missing = session_.weightsLeftBehind()
                                ? tr("A run file does not hold the network's weights; open the network itself")
                                : QString();
    Actions::enable(actions_.export_network, missing);
    if (comparison != nullptr) Actions::enable(actions_.export_pytorch, missing);
  }
  Actions::enable(actions_.profile, jobs_.whyNotProfile());
  Actions::enable(actions_.verify, jobs_.whyNotVerify());
  for (std::size_t i = 0; i < actions_.experiments.size(); ++i) {
    Actions::enable(actions_.experiments[i], jobs_.whyNotExperiment(experiment_table()[i].kind));
  }
  const bool sizes_open = session_.hasDocument() && !session_.document().file.deciding().empty();
  Actions::enable(actions_.input_sizes,
                  sizes_open || !failed_.isEmpty() ? QString() : tr("All sizes of this network are known"));
  const DeviceInfo* device = session_.device();
  const bool measures = device != nullptr && device->origin == Origin::kMeasured;
  Actions::enable(actions_.timing, measures ? QString() : tr("The chosen device is simulated: it measures nothing"));
  for (QAction* action : actions_.rule->actions()) {
    action->setChecked(action->data().toInt() == static_cast<int>(session_.settings().search.rule));
  }

  QString title = tr("IOS Explorer");
  if (session_.hasDocument()) {
    const QString network = shown_name(session_.document().graph->name());
    const QString place = comparison          ? context_text(*comparison)
                          : device != nullptr ? network + QStringLiteral(", ") + QString::fromStdString(device->name)
                                              : network;
    title = tr("%1 – IOS Explorer").arg(place);
  }
  setWindowTitle(title);
  const ScheduleResult* active = comparison ? &comparison->results[session_.activeSchedule()] : nullptr;
  stages_dock_->setWindowTitle(
      active != nullptr ? tr("Stages of %1 (%2)").arg(schedule_title(*active), origin_text(active->latency.origin))
                        : tr("Stages"));
  const Counter* counter = comparison ? main_counter(*comparison) : nullptr;
  timeline_dock_->setWindowTitle(counter != nullptr ? tr("Timeline and %1").arg(core_words(counter->name))
                                                    : tr("Timeline and utilization"));
}

void MainWindow::showJobStarted(const QString& title) {
  // What was said of a document just opened outlives the start of the comparison that follows.
  if (!jobs_.runsUnasked()) messages_->dismissNotes();
  job_status_->start(title);
  showState();
}

void MainWindow::askTiming() {
  auto* dialog = new TimingDialog(session_.settings().timing, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] {
    RunSettings settings = session_.settings();
    settings.timing = dialog->timing();
    settings_.setTiming(settings.timing);
    session_.setSettings(std::move(settings));
  });
  dialog->open();
}

void MainWindow::askStore() {
  auto* dialog = new StoreDialog(jobs_.store(), session_.device(), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog, before = dialog->place()] {
    const StorePlace place = dialog->place();
    if (place == before) return;  // what the command line said for this start is not made the setting
    settings_.setStore(place);
    jobs_.setStore(place);
  });
  dialog->open();
}

void MainWindow::askPartSize() {
  auto* dialog = new QInputDialog(this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setInputMode(QInputDialog::IntInput);
  dialog->setWindowTitle(tr("Part size"));
  dialog->setLabelText(
      tr("The search treats the network part by part; larger parts are cut.\n"
         "Larger parts may find faster schedules and take longer.\n\n"
         "Units in a part, at most:"));
  dialog->setIntRange(1, static_cast<int>(kMaxPartUnits));
  dialog->setIntValue(static_cast<int>(session_.settings().max_part_size));
  connect(dialog, &QInputDialog::intValueSelected, this, [this](int units) {
    RunSettings settings = session_.settings();
    settings.max_part_size = static_cast<std::size_t>(units);
    session_.setSettings(std::move(settings));
  });
  dialog->open();
}

void MainWindow::askExperiment(ExperimentKind kind) {
  if (!ExperimentDialog::asks(kind)) return jobs_.experiment({.kind = kind});
  auto* dialog = new ExperimentDialog(kind, session_, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QDialog::accepted, this, [this, dialog] { jobs_.experiment(dialog->request()); });
  dialog->open();
}

void MainWindow::showExperiment(std::shared_ptr<const ExperimentResult> result) {
  const Theme theme = theme_of(settings_.themeMode(), system_is_dark_);
  auto* window = new ExperimentWindow(std::move(result), theme, settings_, this);
  window->setAttribute(Qt::WA_DeleteOnClose);
  window->show();
}

void MainWindow::showVerified(std::size_t result) {
  const Verification* found = session_.verification(result);
  if (found == nullptr) return;
  const QString text = verification_sentence(schedule_title(session_.comparison()->results[result]), *found);
  found->passed() ? messages_->showNote(text) : messages_->showError(text);
}

}  // namespace iosx
