#include "views/window/shell/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPointer>
#include <QStackedWidget>
#include <QStatusBar>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>
#include <utility>

#include "models/networks/zoo.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_page.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/latency_line.h"
#include "views/edit_schedule/board_page.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/style/style.h"
#include "views/tables/describe.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/window/actions/command_palette.h"
#include "views/window/actions/key_bindings.h"
#include "views/window/actions/key_sheet.h"
#include "views/window/base/settings.h"
#include "views/window/base/toasts.h"
#include "views/window/menus/column_menu.h"
#include "views/window/menus/export_menu.h"
#include "views/window/menus/external_menu.h"
#include "views/window/menus/html_menu.h"
#include "views/window/menus/selection_menu.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/job_status.h"
#include "views/window/panels/message_history.h"
#include "views/window/panels/project_panel.h"
#include "views/window/panels/run_bar.h"
#include "views/window/panels/state_line.h"
#include "views/window/panels/views.h"
#include "views/window/shell/compare_controller.h"
#include "views/window/shell/controllers.h"
#include "views/window/shell/docks.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/keys_anywhere.h"
#include "views/window/shell/opening.h"
#include "views/window/shell/project_keeper.h"
#include "views/window/shell/run_dialogs.h"
#include "views/window/shell/schedule_editor.h"
#include "views/window/shell/window_panels.h"
#include "views/window/shell/window_state.h"
#include "views/window/start/first_hints.h"
#include "views/window/start/first_minute.h"
#include "views/window/start/guide.h"
#include "views/window/start/start_page.h"

namespace iosx {
namespace {

constexpr QSize kDefaultSize(1600, 1000);
constexpr double kGraphZoomStep = 1.25;

// Before there is any widget: what is as wide as its text is measured in the font in which it will stand.
bool dressed(const Settings& settings, bool system_is_dark) {
  apply_theme(*qApp, theme_of(settings.themeMode(), system_is_dark));
  return system_is_dark;
}

}  // namespace

MainWindow::MainWindow(Session& session, Jobs& jobs, Controllers& controllers, Settings& settings, bool system_is_dark)
    : session_(session),
      jobs_(jobs),
      settings_(settings),
      system_is_dark_(dressed(settings, system_is_dark)),
      actions_(this),
      menus_(build_menus(*this, actions_)),
      views_(new Views(session, jobs, selection_, this)),
      editor_(new ScheduleEditor(controllers.schedule, session, selection_, actions_, settings, this)),
      run_bar_(new RunBar(session, jobs, actions_)),
      editing_(new GraphEditing(controllers.graph, session, jobs, selection_, settings, actions_, this)),
      messages_(new Toasts(this, this)),
      docks_(new Docks(this, settings)),
      opening_(new Opening(session, jobs, settings, actions_, menus_.recent, *messages_, this)),
      keeper_(new ProjectKeeper(session, jobs, settings, actions_, *messages_, this)),
      job_status_(new JobStatus(jobs)),
      project_(new ProjectPanel(session, jobs)),
      panels_(
          new WindowPanels(session, jobs, controllers.workers.board(), selection_, *views_, *editing_, project_, this)),
      exports_(new ExportMenu(session, jobs, *views_, settings, actions_, *messages_, this)),
      run_dialogs_(new RunDialogs(session, jobs, settings, controllers, actions_, system_is_dark, this)),
      external_(new ExternalMenu(session, jobs, settings, actions_, *messages_, this)),
      columns_(new ColumnMenu(session, jobs, settings, *views_->graph(), *views_->compared()->page()->canvases(),
                              actions_, *messages_, this)),
      start_page_(new StartPage(session, settings, actions_, *run_bar_, this)),
      first_minute_(make_first_minute(this, session, selection_,
                                      {views_->graph(), project_->tree(), project_->measureButton(), run_bar_},
                                      settings)) {
  setAcceptDrops(true);
  addToolBar(run_bar_);
  pages_ = makePages();
  exports_->setFigures([this](FigureKind kind) { return figure(kind); });
  buildCentre();
  panels_->addTo(*docks_, pages_, *menus_.docks);
  buildMenus();
  statusBar()->addWidget(new StateLine(session, jobs, editing_->controller()), 1);
  auto* said = new MessageButton(*messages_);
  connect(said, &QToolButton::clicked, actions_.messages, &QAction::trigger);
  statusBar()->addPermanentWidget(said);
  statusBar()->addPermanentWidget(job_status_);  // last: its Cancel stays where it is, whatever comes beside it
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
  connect(editing_, &GraphEditing::attributesAsked, this, [this] { docks_->show(QStringLiteral("attributes")); });
  connect(editing_, &GraphEditing::drawingNamed, run_bar_, &RunBar::setDrawing);
  connect(editing_, &GraphEditing::leftWithMistakes, this, &MainWindow::showLacks);
  connect(views_->sweep(), &SweepView::graphValueWanted, this, &MainWindow::takeSize);
  editing_->listUnfinished(menus_.unfinished);
  new HtmlMenu(session, jobs, settings, *views_->compared(), actions_, *messages_, this);
  new CompareController(session, selection_, *views_->compared(), actions_, *exports_, settings, this);
  jobs.askBeforeReplacing([keeper = QPointer(keeper_)] { return keeper.isNull() || keeper->mayReplace(); });
  bindings_ = new KeyBindings(this, settings_);
  new KeysAnywhere(this);
  setThemeMode(static_cast<int>(settings_.themeMode()));
  setMode(docks_->mode());
  // Room for the frame that the desktop draws around the window.
  resize(kDefaultSize.boundedTo(screen()->availableSize() - QSize(0, 40)));
  restoreGeometry(settings_.geometry());
  docks_->reset();
  docks_->restore();
  auto* state = new WindowState(session, jobs, *opening_, actions_, this);
  connect(editing_, &GraphEditing::drawingNamed, state, &WindowState::setDrawing);
  selection_.clear();
  job_status_->stop();  // of a job that was running before there was this window, shows it
}

// Children are hidden once more when this is only a QWidget.
MainWindow::~MainWindow() { start_page_->disconnect(this); }

// The saving of the shown schedule is above its graph.
QWidget* MainWindow::makeExplorePage() {
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(views_->saving());
  column->addWidget(views_->graph(), 1);
  views_->saving()->setFolded(settings_.savingFolded());
  connect(views_->saving(), &SavingView::foldedChanged, this,
          [this](bool folded) { settings_.setSavingFolded(folded); });
  return page;
}

std::vector<ModePage> MainWindow::makePages() {
  ComparedRuns* compared = views_->compared();
  return {{.mode = Mode::kExplore,
           .widget = makeExplorePage(),
           .panels = {QStringLiteral("project"), QStringLiteral("inspector"), QStringLiteral("timeline"),
                      QStringLiteral("stages"), QStringLiteral("schedules"), QStringLiteral("search"),
                      QStringLiteral("sweep"), QStringLiteral("jobs")},
           .figures = {FigureKind::kCard, FigureKind::kGraph, FigureKind::kSaving, FigureKind::kTimeline,
                       FigureKind::kUtilization, FigureKind::kComparison, FigureKind::kStageLatencies,
                       FigureKind::kSearches, FigureKind::kSweep},
           .figure = [this](FigureKind kind) { return views_->figure(kind); },
           // All targets of the hints are present.
           .activate = [this](bool active) { first_minute_->setPaused(!active); }},
          {.mode = Mode::kEditGraph,
           .widget = editing_->page(),
           .panels = {QStringLiteral("palette"), QStringLiteral("attributes"), QStringLiteral("problems"),
                      QStringLiteral("schedules"), QStringLiteral("jobs")},
           .figures = {FigureKind::kDrawing},
           .figure = [this](FigureKind) { return editing_->canvas()->figure(); },
           .activate = [this](bool active) { editing_->setActive(active); },
           .edits = true},
          {.mode = Mode::kEditSchedule,
           .widget = editor_->page(),
           .panels = {QStringLiteral("project"), QStringLiteral("inspector")},
           .activate = [this](bool active) { editor_->setActive(active); },
           .edits = true},
          {.mode = Mode::kCompare,
           .widget = compared->page(),
           .panels = {QStringLiteral("project")},
           .figures = {FigureKind::kComparedRuns, FigureKind::kPartMatrix, FigureKind::kStageDifferences,
                       FigureKind::kStatistics, FigureKind::kDistribution},
           .figure = [this](FigureKind kind) { return views_->figure(kind); },
           .activate =
               [this, compared](bool active) {
                 project_->setPicking(active);
                 compared->setActive(active);
               }}};
}

std::unique_ptr<Figure> MainWindow::figure(FigureKind kind) const {
  for (const ModePage& page : pages_) {
    if (std::ranges::find(page.figures, kind) != page.figures.end()) return page.figure(kind);
  }
  return nullptr;
}

void MainWindow::buildCentre() {
  auto* centre = new QWidget;
  auto* column = new QVBoxLayout(centre);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  centre_ = new QStackedWidget;
  for (const ModePage& page : pages_) centre_->addWidget(page.widget);
  column->addWidget(centre_, 1);
  // A hidden page needs no height: the shown one alone limits the window.
  const auto share_room = [this] {
    for (int i = 0; i < centre_->count(); ++i) {
      const auto policy = i == centre_->currentIndex() ? QSizePolicy::Preferred : QSizePolicy::Ignored;
      centre_->widget(i)->setSizePolicy(QSizePolicy::Preferred, policy);
    }
  };
  connect(centre_, &QStackedWidget::currentChanged, this, share_room);
  share_room();
  messages_->setAnchor(centre_);
  messages_->keepClear(editor_->page()->foot());
  messages_->keepClear(editing_->latencyLine());
  setCentralWidget(centre);
}

void MainWindow::setMode(Mode mode) {
  for (QAction* action : actions_.mode->actions()) action->setChecked(action->data().toInt() == static_cast<int>(mode));
  const Mode before = docks_->mode();
  if (mode == before) return;
  for (const ModePage& page : pages_) {
    if (page.mode == before) page.activate(false);
  }
  for (const ModePage& page : pages_) {
    if (page.mode != mode) continue;
    centre_->setCurrentWidget(page.widget);
    page.activate(true);
    if (page.edits) continue;
    for (QAction* action : {actions_.undo, actions_.redo}) Actions::enable(action, tr("Nothing is edited here"));
  }
  docks_->setMode(mode);
}

// The drawing was left with what cannot be computed.
void MainWindow::showLacks(const QString& lacks) {
  messages_->showNote(lacks, {tr("Edit graph"), [this] { setMode(Mode::kEditGraph); }});
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

void MainWindow::open(const QString& source, const std::optional<InputSizes>& sizes) { opening_->open(source, sizes); }

void MainWindow::keepSessions(Autosave& autosave, bool asks) { keeper_->keepSessions(autosave, asks); }

void MainWindow::connectActions() {
  connect(actions_.quit, &QAction::triggered, this, &QWidget::close);
  GraphView* graph = views_->graph();
  connect(actions_.zoom_in, &QAction::triggered, graph, [graph] { graph->zoomBy(kGraphZoomStep); });
  connect(actions_.zoom_out, &QAction::triggered, graph, [graph] { graph->zoomBy(1 / kGraphZoomStep); });
  connect(actions_.zoom_fit, &QAction::triggered, graph, &GraphView::zoomToFit);
  connect(actions_.zoom_selection, &QAction::triggered, graph, &GraphView::zoomToSelection);
  connect(actions_.legend, &QAction::triggered, graph, [this, graph] {
    graph->toggleLegend();
    actions_.legend->setChecked(graph->legendVisible());
  });
  connect(actions_.overlay, &QActionGroup::triggered, graph,
          [graph](const QAction* action) { graph->setOverlay(static_cast<canvas::Overlay>(action->data().toInt())); });
  connect(graph, &GraphView::legendVisibleChanged, actions_.legend, &QAction::setChecked);
  connect(graph, &GraphView::overlayChanged, this, [this](canvas::Overlay overlay) {
    for (QAction* action : actions_.overlay->actions()) {
      if (action->data().toInt() == static_cast<int>(overlay)) action->setChecked(true);
    }
  });
  const CanvasPair* const compared = views_->compared()->page()->canvases();
  for (GraphView* const each : {graph, compared->canvasA(), compared->canvasB()}) {
    each->addOverlayAction(actions_.colour_by_column);
  }
  const auto offer_column = [this, graph] {
    QAction* const choice = actions_.overlay->actions().at(static_cast<int>(canvas::Overlay::kColumn));
    Actions::enable(choice, graph->columnTitle().isEmpty() ? Actions::noColumn() : QString());
  };
  connect(graph, &GraphView::columnChanged, this, offer_column);
  offer_column();
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
  connect(project_, &ProjectPanel::picked, views_->compared(), &ComparedRuns::pick);
  connect(views_->compared(), &ComparedRuns::shownChanged, project_, &ProjectPanel::setCompared);
  connect(project_, &ProjectPanel::compareAsked, this, [this] {
    views_->compared()->showPicked();
    setMode(Mode::kCompare);
  });
  editor_->connectTo(*exports_, *messages_);
  connect(actions_.edit_copy, &QAction::triggered, this, [this] {
    editor_->controller().copyShown();
    setMode(Mode::kEditSchedule);
  });
  connect(&editor_->controller(), &ScheduleController::lanesOpened, this, [this] { setMode(Mode::kEditSchedule); });
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
  connect(actions_.add_network, &QAction::triggered, this, &MainWindow::chooseNetworkToAdd);
  connect(actions_.palette, &QAction::triggered, this, &MainWindow::showPalette);
  connect(actions_.messages, &QAction::triggered, this, [this] { (new MessageHistory(*messages_, this))->show(); });
  connect(actions_.close_message, &QAction::triggered, messages_, &Toasts::closeNewest);
  connect(actions_.focus_message, &QAction::triggered, messages_, &Toasts::focusNewest);
}

void MainWindow::connectController() {
  auto* menu = new SelectionMenu(session_, selection_, *views_, actions_, this);
  menu->attach(views_->graph(), FigureKind::kGraph);
  menu->attach(views_->timeline(), FigureKind::kTimeline, views_->timeline()->tracksMenu());
  for (TableView* table : panels_->stageTables()) menu->attach(table);
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

void MainWindow::start(const QString& source, bool hints, const std::optional<InputSizes>& sizes) {
  if (source.isEmpty()) return start_page_->show();
  open(source, sizes);
  if (hints) first_minute_->start(false);
}

void MainWindow::tellOfWorkers(const std::vector<iosx::Message>& notices) {
  for (const iosx::Message& notice : notices) {
    messages_->showError(message_text(notice), {tr("Devices…"), [this] { actions_.devices->trigger(); }});
  }
}

void MainWindow::connectSession() {
  connect(&session_, &Session::documentChanged, &selection_, &SelectionModel::clear);
  connect(opening_, &Opening::opened, start_page_, &QWidget::hide);
  connect(&session_, &Session::projectOpened, start_page_, &QWidget::hide);
  connect(opening_, &Opening::externalNamed, external_, &ExternalMenu::add);
  connect(opening_, &Opening::failedWithNothingOpen, start_page_, &QWidget::show);
  connect(&jobs_, &Jobs::started, this, &MainWindow::showJobStarted);
  connect(&jobs_, &Jobs::progressed, job_status_, &JobStatus::setProgress);
  connect(&jobs_, &Jobs::noticed, this, [this](const QStringList& sentences) {
    messages_->showNote(sentences.join(QStringLiteral("\n\n")));  // one: several would cover the canvas
  });
  connect(&session_, &Session::verified, this, &MainWindow::showVerified);
  connect(&jobs_, &Jobs::failed, this, [this] { job_failed_ = true; });
  connect(&jobs_, &Jobs::finished, this, [this](bool stopped) {
    if (!stopped && !job_failed_) messages_->dismissErrors(said_before_job_);
    job_status_->stop();
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
  panels_->setTheme(theme);
  run_dialogs_->setTheme(theme);
}

void MainWindow::showPalette() {
  std::vector<PaletteEntry> entries = entries_of_menus(*this, {menus_.zoo, menus_.recent});
  for (PaletteEntry& entry : entries_of_content(session_, settings_, [this](const QString& source) { open(source); })) {
    entries.push_back(std::move(entry));
  }
  (new CommandPalette(std::move(entries), settings_, this))->show();
}

void MainWindow::chooseNetworkToAdd() {
  const auto add = [this](const QString& source) { jobs_.addNetwork(source); };
  const auto choose = [this, add] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Add a network"), settings_.folder(),
                                                      tr("Networks (*.onnx *.json);;All files (*)"));
    if (!path.isEmpty()) add(path);
  };
  (new CommandPalette(entries_of_networks(settings_, add, choose), settings_, this))->show();
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

void MainWindow::showJobStarted(const QString& title) {
  // Messages about a document just opened outlive the start of the automatic comparison.
  if (!jobs_.runsUnasked()) messages_->dismissNotes();
  job_failed_ = false;
  if (!jobs_.searchesUnasked()) said_before_job_ = messages_->newest();  // nobody wanted that one to go well
  job_status_->start(title);
}

void MainWindow::showVerified(std::size_t result) {
  const Verification* found = session_.verification(result);
  if (found == nullptr) return;
  const QString text = verification_sentence(schedule_title(session_.comparison()->results[result]), *found);
  found->passed() ? messages_->showNote(text) : messages_->showError(text);
}

}  // namespace iosx

#include "moc_main_window.cpp"
