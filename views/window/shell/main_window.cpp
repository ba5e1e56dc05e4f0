#include "views/window/shell/main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <algorithm>
#include <utility>

#include "models/networks/zoo.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_page.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_graph/graph_controller.h"
#include "views/edit_graph/latency_line.h"
#include "views/edit_schedule/board_page.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/recording/recording_page.h"
#include "views/tables/describe.h"
#include "views/text/latency_text.h"
#include "views/text/messages.h"
#include "views/text/qstring.h"
#include "views/widgets/dialog_parts.h"
#include "views/window/actions/command_palette.h"
#include "views/window/actions/keys.h"
#include "views/window/base/settings.h"
#include "views/window/menus/column_menu.h"
#include "views/window/menus/export_menu.h"
#include "views/window/menus/external_menu.h"
#include "views/window/menus/selection_menu.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/headline.h"
#include "views/window/panels/panels.h"
#include "views/window/panels/project_panel.h"
#include "views/window/panels/run_bar.h"
#include "views/window/panels/status_bar.h"
#include "views/window/panels/views.h"
#include "views/window/shell/compare_controller.h"
#include "views/window/shell/controllers.h"
#include "views/window/shell/experiment_panel.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/keys_anywhere.h"
#include "views/window/shell/opening.h"
#include "views/window/shell/project_keeper.h"
#include "views/window/shell/run_dialogs.h"
#include "views/window/shell/schedule_editor.h"
#include "views/window/shell/window_title.h"
#include "views/window/start/help.h"
#include "views/window/start/start_page.h"

namespace iosx {
namespace {

constexpr QSize kDefaultSize(1600, 1000);

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
      actions_(this, action_table(*this), [this] { return docks_->mode(); }),
      messages_(new Toasts(this, this)),
      context_{session, jobs, settings, actions_, *messages_, this},
      views_(new Views(session, jobs, selection_, this)),
      editor_(new ScheduleEditor(context_, controllers.schedule, selection_)),
      run_bar_(new RunBar(context_)),
      headline_(new Headline(session, jobs, views_->shownSaving())),
      headline_bar_(new QToolBar(tr("Result"))),
      editing_(new GraphEditing(context_, controllers.graph, selection_)),
      docks_(new Docks(this, settings)),
      opening_(new Opening(context_)),
      keeper_(new ProjectKeeper(context_)),
      job_status_(new JobStatus(session, jobs, new JobsPanel(jobs, controllers.workers.board()))),
      project_(new ProjectPanel(session, jobs)),
      experiments_(new ExperimentPanel(context_, views_->sweep())),
      panels_(new WindowPanels(session, jobs, selection_, *views_, *editing_, project_, experiments_, this)),
      exports_(new ExportMenu(context_, *views_)),
      run_dialogs_(new RunDialogs(context_, controllers)),
      external_(new ExternalMenu(context_, selection_, *views_->graph())),
      columns_(new ColumnMenu(context_, *views_->graph(), *views_->compared()->page()->canvases())),
      html_(new HtmlMenu(context_, *views_->compared())),
      compare_(new CompareController(context_, selection_, *views_->compared(), *exports_)),
      recording_page_(new RecordingPage),
      start_page_(new StartPage(context_, *run_bar_)),
      first_minute_(make_first_minute(this, session, selection_,
                                      {views_->graph(), project_->tree(), headline_->measureButton(), run_bar_},
                                      settings)) {
  setAcceptDrops(true);
  addToolBar(run_bar_);
  buildHeadline();
  pages_ = makePages();
  exports_->setFigures([this](FigureKind kind) { return figure(kind); });
  buildCentre();
  panels_->addTo(*docks_, pages_, *actions_.menu("panels"));
  buildMenus();
  statusBar()->addWidget(new StateLine(session, jobs, editing_->controller()), 1);
  auto* said = new MessageButton(*messages_);
  connect(said, &QToolButton::clicked, actions_["messages"], &QAction::trigger);
  statusBar()->addPermanentWidget(said);
  statusBar()->addPermanentWidget(job_status_);  // last: its Cancel stays where it is, whatever comes beside it
  connectParts();
  connectSession();
  connectRecording();
  connectController();
  connect(editing_, &GraphEditing::refused, this, [this](const QString& reason) { messages_->showNote(reason); });
  connect(editing_, &GraphEditing::unfinishedAsked, this, &MainWindow::editGraph);
  connect(editing_, &GraphEditing::attributesAsked, this, [this] { docks_->show(QStringLiteral("attributes")); });
  connect(editing_, &GraphEditing::drawingNamed, run_bar_, &RunBar::setDrawing);
  connect(editing_, &GraphEditing::leftWithMistakes, this, &MainWindow::showLacks);
  connect(views_->sweep(), &SweepView::graphValueWanted, this, &MainWindow::takeSize);
  editing_->listUnfinished(actions_.menu("unfinished"));
  jobs.askBeforeReplacing([keeper = QPointer(keeper_)] { return keeper.isNull() || keeper->mayLeave(); });
  bindings_ = new KeyBindings(this, settings_);
  new KeysAnywhere(this);
  // Room for the frame that the desktop draws around the window.
  resize(kDefaultSize.boundedTo(screen()->availableSize() - QSize(0, 40)));
  restoreGeometry(settings_.geometry());
  docks_->reset();
  docks_->restore();
  foldSaving();
  connect(docks_, &Docks::roomyChanged, this, &MainWindow::foldSaving);
  placeHeadline();
  auto* title = new WindowTitle(session, this);
  connect(editing_, &GraphEditing::drawingNamed, title, &WindowTitle::setDrawing);
  refreshActions();
  selection_.clear();
  job_status_->stop();  // of a job that was running before there was this window, shows it
}

// Children are hidden once more when this is only a QWidget.
MainWindow::~MainWindow() { start_page_->disconnect(this); }

// Until somebody chooses, the graph of a narrow window has the room.
void MainWindow::foldSaving() {
  const QSignalBlocker not_chosen(views_->saving());
  views_->saving()->setFolded(settings_.savingFolded().value_or(!docks_->roomy()));
}

// The saving of the shown schedule is above its graph.
QWidget* MainWindow::makeExplorePage() {
  auto* page = new QWidget;
  put_into(flush(new QVBoxLayout(page), 0), {views_->saving(), {views_->graph(), 1}});
  connect(views_->saving(), &SavingView::foldedChanged, this,
          [this](bool folded) { settings_.setSavingFolded(folded); });
  return page;
}

std::vector<ModePage> MainWindow::makePages() {
  ComparedRuns* compared = views_->compared();
  return {{.mode = Mode::kExplore,
           .widget = makeExplorePage(),
           .keys = views_->graph(),
           .panels = {"project", "inspector", "timeline", "why", "stages", "schedules", "search", "sweep"},
           .figures = {FigureKind::kCard, FigureKind::kGraph, FigureKind::kSaving, FigureKind::kTimeline,
                       FigureKind::kUtilization, FigureKind::kComparison, FigureKind::kStageLatencies,
                       FigureKind::kSearches, FigureKind::kSweep},
           .figure = [this](FigureKind kind) { return views_->figure(kind); },
           // All targets of the hints are present.
           .activate = [this](bool active) { first_minute_->setPaused(!active); }},
          {.mode = Mode::kEditGraph,
           .widget = editing_->page(),
           .keys = editing_->canvas(),
           .panels = {"palette", "attributes", "problems", "schedules"},
           .figures = {FigureKind::kDrawing},
           .figure = [this](FigureKind) { return editing_->canvas()->figure(); },
           .activate = [this](bool active) { editing_->setActive(active); },
           .edits = true},
          {.mode = Mode::kEditSchedule,
           .widget = editor_->page(),
           .keys = editor_->page(),
           .panels = {"project", "inspector"},
           .activate = [this](bool active) { editor_->setActive(active); },
           .edits = true},
          {.mode = Mode::kCompare,
           .widget = compared->page(),
           .keys = compared->page()->canvases()->canvasA(),
           .panels = {"project"},
           .figures = {FigureKind::kComparedRuns, FigureKind::kPartMatrix, FigureKind::kStageDifferences,
                       FigureKind::kStatistics, FigureKind::kDistribution},
           .figure = [this](FigureKind kind) { return views_->figure(kind); },
           .activate =
               [this, compared](bool active) {
                 project_->setPicking(active);
                 compared->setActive(active);
               }},
          {.mode = Mode::kRecording,
           .widget = recording_page_,
           .keys = recording_page_,
           .panels = {"project"},
           .figures = {FigureKind::kRecording, FigureKind::kPredictedLanes},
           .figure =
               [this](FigureKind kind) {
                 return kind == FigureKind::kRecording ? recording_page_->timelineFigure()
                                                       : recording_page_->predictedFigure();
               },
           .activate = [](bool) {}}};
}

std::unique_ptr<Figure> MainWindow::figure(FigureKind kind) const {
  for (const ModePage& page : pages_) {
    if (std::ranges::find(page.figures, kind) != page.figures.end()) return page.figure(kind);
  }
  return nullptr;
}

void MainWindow::buildHeadline() {
  headline_bar_->setObjectName(QStringLiteral("headline-bar"));
  headline_bar_->setMovable(false);
  headline_bar_->toggleViewAction()->setVisible(false);
  headline_bar_->addWidget(headline_);
  addToolBarBreak();
  addToolBar(headline_bar_);
  connect(headline_, &Headline::answerAsked, this, [this](const Choice& baseline, const Choice& shown) {
    views_->compared()->showPair(baseline, shown);
    setMode(Mode::kCompare);
  });
  connect(&session_, &Session::documentChanged, this, &MainWindow::placeHeadline);
}

void MainWindow::placeHeadline() {
  if (!toolBarBreak(headline_bar_)) insertToolBarBreak(headline_bar_);
  headline_bar_->setVisible(mode() == Mode::kExplore && session_.hasDocument());
}

void MainWindow::buildCentre() {
  auto* centre = new QWidget;
  centre_ = new QStackedWidget;
  for (const ModePage& page : pages_) centre_->addWidget(page.widget);
  flush(new QVBoxLayout(centre), 0)->addWidget(centre_, 1);
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
  messages_->setAside(project_->tree());
  messages_->keepClear(editor_->page()->foot());
  messages_->keepClear(editing_->latencyLine());
  setCentralWidget(centre);
}

void MainWindow::setMode(Mode mode) {
  if (mode != Mode::kRecording) session_.showRecording({});
  const Mode before = docks_->mode();
  if (mode == before) return;
  for (const ModePage& page : pages_) {
    if (page.mode == before) page.activate(false);
  }
  for (const ModePage& page : pages_) {
    if (page.mode != mode) continue;
    centre_->setCurrentWidget(page.widget);
    page.activate(true);
  }
  docks_->setMode(mode);
  placeHeadline();
  actions_.refresh();
  giveKeys();
}

// Else the first button of the window would have the keyboard, and Space would press it.
void MainWindow::giveKeys() {
  for (const ModePage& page : pages_) {
    if (page.mode == mode()) page.keys->setFocus();
  }
}

void MainWindow::editGraph() {
  setMode(Mode::kEditGraph);
  start_page_->hide();
}

void MainWindow::showExperiments() {
  setMode(Mode::kExplore);
  start_page_->hide();
  docks_->show(QStringLiteral("sweep"));
}

void MainWindow::resetLayout() {
  docks_->reset();
  foldSaving();
  if (mode() == Mode::kEditSchedule) editor_->resetArrangement();
  compare_->resetArrangement();
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
  QMenu* const menu = actions_.menu("zoo");
  std::optional<ZooGroup> group;
  for (const ZooNetwork& network : zoo()) {
    if (group != network.group) menu->addSection(core_words(zoo_group_title(network.group)));
    group = network.group;
    QAction* action = menu->addAction(core_words(network.title));
    action->setStatusTip(core_words(network.summary));
    action->setData(qstring(network.name));
    connect(action, &QAction::triggered, this, [this, action] { open(action->data().toString()); });
  }
}

Mode MainWindow::mode() const { return docks_->mode(); }

void MainWindow::open(const QString& source, const std::optional<InputSizes>& sizes) { opening_->open(source, sizes); }

void MainWindow::keepSessions(Autosave& autosave, bool asks) {
  keeper_->keepSessions(autosave, asks);
  actions_.refresh();
}

void MainWindow::refreshActions() {
  const auto refresh = [this] { actions_.refresh(); };
  for (const auto changed : {&Session::documentChanged, &Session::comparisonChanged, &Session::activeScheduleChanged,
                             &Session::settingsChanged, &Session::workspaceChanged})
    connect(&session_, changed, &refreshing_, refresh);
  connect(&session_, &Session::recordingChanged, &refreshing_, refresh);
  connect(&session_.editor(), &WorkspaceEditor::draftsChanged, &refreshing_, refresh);
  connect(opening_, &Opening::opened, &refreshing_, refresh);
  connect(&jobs_, &Jobs::started, &refreshing_, refresh);
  connect(&jobs_, &Jobs::finished, &refreshing_, refresh);
  connect(&jobs_.runner(), &JobRunner::pausedChanged, &refreshing_, refresh);
  for (const auto changed : {&GraphController::changed, &GraphController::selectionChanged})
    connect(&editing_->controller(), changed, &refreshing_, refresh);
  for (const auto changed :
       {&ScheduleController::changed, &ScheduleController::costsChanged, &ScheduleController::workChanged})
    connect(&editor_->controller(), changed, &refreshing_, refresh);
  connect(views_->graph(), &GraphView::legendVisibleChanged, &refreshing_, refresh);
  connect(views_->graph(), &GraphView::overlayChanged, &refreshing_, refresh);
  connect(views_->graph(), &GraphView::columnChanged, &refreshing_, refresh);
  refresh();
}

void MainWindow::connectParts() {
  const CanvasPair* const compared = views_->compared()->page()->canvases();
  for (GraphView* const each : {views_->graph(), compared->canvasA(), compared->canvasB()}) {
    each->addOverlayAction(actions_["colour-by-column"]);
  }
  connect(project_, &ProjectPanel::picked, views_->compared(), &ComparedRuns::pick);
  connect(views_->compared(), &ComparedRuns::shownChanged, project_, &ProjectPanel::setCompared);
  connect(project_, &ProjectPanel::matchesAsked, external_, &ExternalMenu::showMatches);
  connect(project_, &ProjectPanel::compareAsked, this, [this] {
    views_->compared()->showPicked();
    setMode(Mode::kCompare);
  });
  editor_->connectTo(*exports_);
  connect(&editor_->controller(), &ScheduleController::lanesOpened, this, [this] { setMode(Mode::kEditSchedule); });
  connect(project_, &ProjectPanel::copyAsked, this, [this](const Choice& choice) {
    editor_->controller().copy(choice);
    setMode(Mode::kEditSchedule);
  });
}

void MainWindow::connectController() {
  auto* menu = new SelectionMenu(context_, selection_, *views_);
  menu->attach(views_->graph(), actions_["export-graph"]);
  menu->attach(views_->timeline(), actions_["export-timeline"], views_->timeline()->tracksMenu());
  for (TableView* table : panels_->stageTables()) menu->attach(table);
  connect(menu, &SelectionMenu::explainAsked, this, [this] { docks_->show(QStringLiteral("inspector")); });
  connect(start_page_, &StartPage::openAsked, opening_, &Opening::ask);
  connect(start_page_, &StartPage::chosen, this, [this](const QString& source) {
    start_page_->hide();
    open(source);
  });
  connect(start_page_, &StartPage::shownChanged, this, [this](bool shown) {
    messages_->setAnchor(shown ? static_cast<QWidget*>(start_page_) : centre_);
    if (shown) return first_minute_->stop();
    giveKeys();
  });
}

void MainWindow::start(const QString& source, bool hints, const std::optional<InputSizes>& sizes) {
  if (source.isEmpty()) return start_page_->show();
  giveKeys();
  open(source, sizes);
  if (hints) first_minute_->start(false);
}

void MainWindow::tellOfWorkers(const std::vector<iosx::Message>& notices) {
  for (const iosx::Message& notice : notices) {
    messages_->showError(message_text(notice), {tr("Devices…"), [this] { actions_["devices"]->trigger(); }});
  }
}

void MainWindow::connectSession() {
  connect(&session_, &Session::documentChanged, &selection_, &SelectionModel::clear);
  connect(opening_, &Opening::opened, start_page_, &QWidget::hide);
  connect(&session_.editor(), &WorkspaceEditor::projectOpened, start_page_, &QWidget::hide);
  connect(opening_, &Opening::importAsked, external_, &ExternalMenu::add);
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

void MainWindow::connectRecording() {
  connect(&session_, &Session::recordingChanged, this, &MainWindow::showRecording);
  connect(recording_page_, &RecordingPage::choicesChanged, this,
          [this](RecordingId id, const RecordingChoices& choices) {
            if (const WorkspaceRecording* const of = session_.workspace().find(id))
              jobs_.openRecording(QString::fromStdString(of->file), choices, id);
          });
  connect(recording_page_, &RecordingPage::filesAsked, opening_, &Opening::askWith);
  connect(recording_page_, &RecordingPage::sourceAsked, opening_, &Opening::askSource);
  connect(recording_page_, &RecordingPage::openAsked, opening_, &Opening::ask);
  connect(recording_page_, &RecordingPage::refused, this, [this](const QString& why) { messages_->showNote(why); });
}

void MainWindow::showRecording() {
  const WorkspaceRecording* const shown = session_.shownRecording();
  recording_page_->setRecording(shown);
  if (shown == nullptr) {
    if (mode() == Mode::kRecording) setMode(Mode::kExplore);
    return;
  }
  setMode(Mode::kRecording);
  start_page_->hide();
}

void MainWindow::stepSchedule(int by) {
  const auto comparison = session_.comparison();
  if (!comparison) return;
  const std::size_t count = comparison->results.size();
  session_.setActiveSchedule((session_.activeSchedule() + count + static_cast<std::size_t>(by)) % count);
}

void MainWindow::setThemeMode(ThemeMode mode) {
  settings_.setThemeMode(mode);
  apply_theme(*qApp, theme_of(mode, system_is_dark_));
  actions_.refresh();
}

void MainWindow::showPalette() {
  std::vector<PaletteEntry> entries = entries_of_menus(*this, {actions_.menu("zoo"), actions_.menu("recent")});
  std::ranges::move(entries_of_content(session_, settings_, [this](const QString& source) { open(source); }),
                    std::back_inserter(entries));
  std::ranges::move(entries_of_devices(session_, [this](const auto& ids) { chooseDevice(ids); }),
                    std::back_inserter(entries));
  (new CommandPalette(std::move(entries), settings_, this))->show();
}

void MainWindow::chooseDevice(const std::vector<std::string>& ids) {
  const auto use = [this](const std::string& id) {
    RunSettings settings = session_.settings();
    settings.device = id;
    session_.setSettings(std::move(settings));
  };
  if (ids.size() == 1) return use(ids.front());
  (new CommandPalette(entries_of_variants(session_, ids, use), settings_, this))->show();
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
  if (!keeper_->mayLeave()) return event->ignore();
  if (session_.hasDocument()) {
    const RunSettings& run = session_.settings();
    settings_.setLastStart({.source = session_.source(),
                            .device = run.device,
                            .batch = run.options.batch,
                            .strategies = strategies_of(run.options.schedule_kinds).value_or(StrategySet::kBoth),
                            .pruning = run.options.search.pruning});
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
  if (!jobs_.automatic().runs()) messages_->dismissNotes();
  job_failed_ = false;
  if (!jobs_.automatic().searches()) said_before_job_ = messages_->newest();  // nobody wanted that one to go well
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
