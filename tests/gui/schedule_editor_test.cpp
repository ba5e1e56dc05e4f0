// The mode in which schedules are changed by hand, in the window.

#include "views/window/shell/schedule_editor.h"
#include "app/devices/all_devices.h"
#include "core/model/schedule/baselines.h"
#include "models/networks/zoo.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/graphs.h"
#include "views/canvas/graph_view.h"
#include "views/compare/compare_page.h"
#include "views/edit_schedule/board_page.h"
#include "views/edit_schedule/lane_board.h"
#include "views/edit_schedule/stage_board.h"
#include "views/text/latency_text.h"
#include "views/window/dialogs/save_dialogs.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/views.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/project_keeper.h"

namespace iosx {
namespace {

using test::WindowTest;

class ScheduleEditorTest : public WindowTest {
 protected:
  ScheduleController& controller() { return window_->editor().controller(); }
  StageBoard& board() { return *window_->editor().page()->board(); }
  const ScheduleDraft& draft() { return *controller().draft(); }
  QToolButton* button(const char* name) { return window_->findChild<QToolButton*>(QString::fromLatin1(name)); }
  void press(const char* name) { QTest::mouseClick(button(name), Qt::LeftButton); }
  void show(ScheduleKind schedule_kind) {
    session_->setActiveSchedule(session_->comparison()->find(schedule_kind)->id);
  }
  void edit(const char* network, ScheduleKind schedule_kind) {
    RunSettings settings = session_->settings();
    settings.options.schedule_kinds = made_schedule_kinds();
    settings.options.schedule_kinds.push_back(ScheduleKind::kOneByOne);
    session_->setSettings(std::move(settings));
    open(QString::fromLatin1(network));
    show(schedule_kind);
    QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
    QCoreApplication::processEvents();
  }
  UnitId unit(const std::string& name) {
    const auto units = draft().graph().units();
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i].name.ends_with(name)) return UnitId(i);
    }
    ADD_FAILURE() << name;
    return UnitId(0);
  }
  void drag(const QPoint& from, const QPoint& to) {
    QWidget* view = board().viewport();
    QTest::mousePress(view, Qt::LeftButton, {}, from);
    for (int i = 1; i <= 4; ++i) {
      const QPoint at = from + (to - from) * i / 4;
      QMouseEvent event(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(view, &event);
    }
    QTest::mouseRelease(view, Qt::LeftButton, {}, to);
  }
  ~ScheduleEditorTest() override {  // before the devices
    window_.reset();
    controllers_.reset();
    jobs_.reset();
    session_.reset();
  }
  DeviceRegistry devices_of_program_;
  QPoint below(std::size_t stage) {
    const QRect lane = board().rectOf(board::Piece{stage, board().layoutShown().columns[stage].lanes.size() - 1});
    return {lane.center().x(), lane.bottom() + 12};
  }
};

TEST_F(ScheduleEditorTest, TheModeBeginsWithACopyOfWhatIsShown) {
  edit("sample", ScheduleKind::kGreedy);
  EXPECT_EQ(window_->mode(), Mode::kEditSchedule);
  ASSERT_NE(controller().draft(), nullptr);
  EXPECT_EQ(draft().schedule().stages, session_->comparison()->find(ScheduleKind::kGreedy)->schedule.stages);
  EXPECT_TRUE(board().isVisible());
  EXPECT_TRUE(window_->editor().page()->canvas()->isVisible());
  EXPECT_FALSE(window_->views().graph()->isVisible());
  EXPECT_TRUE(part<QWidget>("inspector")->isVisible());
  QString sum = part<QLabel>("board-sum")->text();
  sum.replace(QChar(QChar::Nbsp), QLatin1Char(' '));
  for (const char* said :
       {"Manual", "against IOS-Both", "against Greedy", "the same", "against Sequential", "simulated"})
    EXPECT_TRUE(sum.contains(QString::fromLatin1(said))) << said << " in " << sum.toStdString();
}

TEST_F(ScheduleEditorTest, AScheduleOfTheProjectPanelIsCopied) {
  open(QStringLiteral("sample"));
  auto* tree = part<QTreeView>("project-tree");
  const QModelIndex run = tree->model()->index(0, 0, tree->model()->index(0, 0));
  const QModelIndex sequential = tree->model()->index(0, 0, run);
  tree->scrollTo(sequential);
  QTimer::singleShot(0, qApp, [] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    ASSERT_NE(menu, nullptr);
    menu->actions().constFirst()->trigger();
    menu->close();
  });
  emit tree->customContextMenuRequested(tree->visualRect(sequential).center());
  EXPECT_EQ(window_->mode(), Mode::kEditSchedule);
  ASSERT_NE(controller().draft(), nullptr);
  EXPECT_EQ(draft().schedule().stages, session_->comparison()->find(ScheduleKind::kSequential)->schedule.stages);
  EXPECT_EQ(controller().startTitle(), "Sequential");
}

TEST_F(ScheduleEditorTest, ADropIsTakenBackAndMadeAgainByTheUsualKeys) {
  edit("sample", ScheduleKind::kOneByOne);
  const ScheduleDraft before = draft();
  drag(board().rectOf(unit("conv_b")).center(), below(0));
  const ScheduleDraft after = draft();
  ASSERT_EQ(after.stage_of(unit("conv_b")), 0U);
  EXPECT_EQ(window_->actionsOfWindow()["undo"]->text(), "&Undo: Move conv_b");
  QTest::keyClick(&board(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(draft(), before);
  QTest::keyClick(&board(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  EXPECT_EQ(draft(), after);
  press("board-undo");
  EXPECT_EQ(draft(), before);
  EXPECT_FALSE(window_->actionsOfWindow()["undo"]->isEnabled());
  // In another mode they leave the draft alone.
  window_->setMode(Mode::kExplore);
  window_->actionsOfWindow()["redo"]->trigger();
  EXPECT_EQ(draft(), before);
}

TEST_F(ScheduleEditorTest, TheSelectionIsTheProgramsOne) {
  edit("sample", ScheduleKind::kOneByOne);
  QTest::mouseClick(board().viewport(), Qt::LeftButton, {}, board().rectOf(unit("conv_c")).center());
  EXPECT_EQ(window_->selection().current().units, std::vector<UnitId>{unit("conv_c")});
  window_->selection().select({{unit("conv_a")}, {}, {}, {}});
  ASSERT_TRUE(board().cursor().has_value());
  EXPECT_EQ(*board().cursor(), *board().pieceOf(unit("conv_a")));
  const Choice shown{session_->runId(), session_->comparison()->results[session_->activeSchedule()].id};
  QTest::mouseClick(board().viewport(), Qt::LeftButton, {}, board().rectOf(board::Piece{1}).center());
  EXPECT_EQ(window_->selection().current().schedule, ScheduleController::draftId());
  EXPECT_EQ(session_->comparison()->results[session_->activeSchedule()].id, shown.schedule)
      << "a stage of the draft is none of the run";
}

TEST_F(ScheduleEditorTest, WhatWasSelectedIsInSight) {
  open(QStringLiteral("inception_v3"));
  const auto units = session_->document().graph->units();
  const UnitId last(units.size() - 1);
  session_->setActiveSchedule(ScheduleId("greedy"));
  window_->selection().select({{last}, {}, {}, {}});
  QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
  ASSERT_TRUE(QTest::qWaitFor([&] { return board().viewport()->rect().contains(board().rectOf(last).center()); }));
  EXPECT_GT(board().horizontalScrollBar()->value(), 0);
}

TEST_F(ScheduleEditorTest, RunMakesItOneOfTheRun) {
  edit("sample", ScheduleKind::kOneByOne);
  drag(board().rectOf(unit("conv_b")).center(), below(0));
  press("board-run");
  idle();
  const auto mine = controller().result();
  ASSERT_TRUE(mine.has_value());
  auto* tree = part<QTreeView>("project-tree");
  const QModelIndex run = tree->model()->index(0, 0, tree->model()->index(0, 0));
  QStringList titles;
  for (int row = 0; row < tree->model()->rowCount(run); ++row)
    titles << tree->model()->index(row, 0, run).data().toString();
  EXPECT_TRUE(titles.contains("Manual 1")) << titles.join(QLatin1Char(',')).toStdString();
  // In the comparison it is B.
  window_->setMode(Mode::kCompare);
  const ComparedRuns& compared = *window_->views().compared();
  ASSERT_TRUE(compared.page()->subjectB());
  EXPECT_EQ(compared.choice(*compared.page()->subjectB()), (Choice{session_->runId(), *mine}));
  EXPECT_TRUE(session_->editor().modified() || session_->workspace().asked_for());
}

TEST_F(ScheduleEditorTest, FillSaysWhatItGained) {
  edit("sample", ScheduleKind::kOneByOne);
  const Millis before = *controller().costs().sum;
  QTest::mouseClick(board().viewport(), Qt::LeftButton, {}, board().rectOf(board::Piece{1}).center());
  press("board-lock");
  ASSERT_TRUE(draft().locked(1));
  press("board-fill");
  idle();
  EXPECT_LT(*controller().costs().sum, before);
  EXPECT_TRUE(window_->messages().text().contains("1 locked stage kept")) << window_->messages().text().toStdString();
  EXPECT_EQ(draft().locked_stages().size(), 1U);
}

TEST_F(ScheduleEditorTest, WhatIsChangedByHandIsThereAgainAtTheNextStart) {
  const QString sessions = path("sessions");
  Schedule edited;
  {
    Autosave autosave(*session_, sessions);
    edit("sample", ScheduleKind::kOneByOne);
    drag(board().rectOf(unit("conv_b")).center(), below(0));
    QTest::mouseClick(board().viewport(), Qt::LeftButton, {}, board().rectOf(board::Piece{1}).center());
    press("board-lock");
    edited = draft().schedule();
  }
  session_->editor().takeProject({}, {}, false);
  EXPECT_EQ(controller().draft(), nullptr);
  Autosave autosave(*session_, sessions);
  window_->keepSessions(autosave);
  window_->actionsOfWindow()["last-session"]->trigger();
  idle();
  QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
  ASSERT_NE(controller().draft(), nullptr);
  EXPECT_EQ(draft().schedule(), edited);
  EXPECT_EQ(draft().locked_stages(), std::vector<std::size_t>{1});
  EXPECT_EQ(controller().startTitle(), "One by one");
  window_.reset();  // before the autosave
}

TEST_F(ScheduleEditorTest, WhatBeatsTheSearchIsReportedByTheNextOne) {
  test::set(*session_, [](RunSettings& settings) { settings.options.search.pruning = {1, 1}; });
  edit("sample", ScheduleKind::kOneByOne);
  QAction* use = window_->actionsOfWindow()["use-warm-start"];
  EXPECT_FALSE(use->isEnabled());
  drag(board().rectOf(unit("conv_b")).center(), below(0));
  auto* insight = part<QLabel>("board-insight");
  EXPECT_TRUE(insight->isVisible());
  EXPECT_TRUE(insight->text().contains("s = 1")) << insight->text().toStdString();
  EXPECT_TRUE(insight->text().contains("Later searches start from it.")) << insight->text().toStdString();
  EXPECT_TRUE(use->isEnabled());
  EXPECT_TRUE(use->isChecked());
  QTest::keyClick(window_.get(), Qt::Key_Return, Qt::ControlModifier);
  idle();
  const auto comparison = session_->comparison();
  EXPECT_TRUE(summary_sentence(*comparison)
                  .contains("it started from Manual and found a faster schedule, with 1 stage that it "
                            "could not have made by itself"))
      << summary_sentence(*comparison).toStdString();
  EXPECT_FALSE(insight->isVisible());
  use->trigger();
  EXPECT_FALSE(session_->shownNetwork()->warm_start->used);
}

TEST_F(ScheduleEditorTest, MessagesLeaveTheCostsReadable) {
  edit("sample", ScheduleKind::kGreedy);
  Toasts& messages = window_->messages();
  messages.showNote(QStringLiteral("read me"));
  const auto place = [this](const QWidget* of) { return QRect(of->mapTo(window_.get(), QPoint(0, 0)), of->size()); };
  const auto* foot = part<QWidget>("board-foot");
  ASSERT_TRUE(foot->isVisible());
  EXPECT_FALSE(messages.shown().back()->geometry().intersects(place(foot)));
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
  QCoreApplication::processEvents();
  const QWidget* line = window_->graphEditing().page()->layout()->itemAt(1)->widget();
  ASSERT_TRUE(line->isVisible());
  ASSERT_FALSE(messages.shown().empty());
  EXPECT_FALSE(messages.shown().back()->geometry().intersects(place(line)));
}

TEST_F(ScheduleEditorTest, FillIsPressedOnce) {
  edit("inception_v3", ScheduleKind::kGreedy);
  QToolButton* fill = button("board-fill");
  const int width = fill->width();
  press("board-fill");
  EXPECT_FALSE(fill->isEnabled());
  EXPECT_EQ(fill->text(), "Filling…");
  EXPECT_FALSE(button("board-search")->isEnabled());
  EXPECT_FALSE(window_->actionsOfWindow()["fill-by-ios"]->isEnabled());
  EXPECT_EQ(fill->width(), width);
  press("board-fill");
  EXPECT_TRUE(jobs_->runner().waiting().empty());
  idle();
  EXPECT_TRUE(fill->isEnabled());
  EXPECT_EQ(fill->text(), "Fill by IOS");
}

// On the processor, where it really computes.
TEST_F(ScheduleEditorTest, RunsAndVerifiesOnTheProcessor) {
  add_all_devices(devices_of_program_);
  const DeviceRegistry::Entry* cpu = devices_of_program_.find("cpu");
  if (cpu == nullptr || !cpu->unavailable.empty()) GTEST_SKIP() << "built without the CPU device";
  window_.reset();
  controllers_.reset();
  jobs_.reset();
  session_ = std::make_unique<Session>(devices_of_program_);
  jobs_ = std::make_unique<Jobs>(*session_, [](const std::string&, const InputSizes&) -> Result<Document> {
    return Document{std::make_shared<const Graph>(test::diamond()), {}};
  });
  controllers_ = std::make_unique<Controllers>(devices_, *session_, *jobs_);
  window_ = std::make_unique<MainWindow>(*session_, *jobs_, *controllers_, settings_, false);
  window_->resize(1600, 1000);
  window_->show();
  RunSettings settings = session_->settings();
  settings.device = "cpu";
  settings.options.schedule_kinds.push_back(ScheduleKind::kOneByOne);
  settings.options.timing.repeats = 2;
  settings.options.timing.max_repeats = 2;
  settings.options.timing.min_time = Millis(0);
  session_->setSettings(settings);
  open(QStringLiteral("diamond"));
  ASSERT_TRUE(session_->comparison());
  ASSERT_EQ(session_->comparison()->device.id, "cpu");
  show(ScheduleKind::kOneByOne);
  QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
  ASSERT_NE(controller().draft(), nullptr);
  ASSERT_TRUE(controller().take(QStringLiteral("join"), draft().joined(1)));
  ASSERT_EQ(draft().schedule().stages[1].groups.size(), 2U);
  press("board-run");
  idle();
  ASSERT_TRUE(controller().result().has_value());
  const ScheduleResult* mine = session_->comparison()->find(*controller().result());
  EXPECT_EQ(mine->latency.origin, Origin::kMeasured);
  window_->setMode(Mode::kCompare);  // a run of its own was made of it and the others
  const ComparedRuns& compared = *window_->views().compared();
  ASSERT_TRUE(compared.page()->subjectB());
  EXPECT_EQ(compared.choice(*compared.page()->subjectB()), (Choice{session_->runId(), mine->id}));
  QTest::keyClick(window_.get(), Qt::Key_3, Qt::ControlModifier);
  EXPECT_GT(mine->latency.value.count(), 0);
  EXPECT_FALSE(mine->verification.has_value());
  EXPECT_TRUE(session_->comparison()->find(ScheduleKind::kIosBoth)->search.has_value())
      << "how it was found stays known";
  press("board-verify");
  idle();
  mine = session_->comparison()->find(*controller().result());
  ASSERT_TRUE(mine->verification.has_value());
  EXPECT_TRUE(mine->verification->passed());
  ASSERT_FALSE(mine->verification->outputs.empty());
}

TEST_F(ScheduleEditorTest, WhatIsNotRunIsWrittenAllTheSame) {
  edit("sample", ScheduleKind::kOneByOne);
  drag(board().rectOf(unit("conv_b")).center(), below(0));
  ASSERT_TRUE(window_->exports().exportDraft(controller(), *find_export("iosx"), path("mine.json")));
  const auto read = must(load_schedule(path("mine.json").toStdString(), draft().graph()));
  EXPECT_EQ(read.schedule, draft().schedule());
  EXPECT_EQ(read.notes.stage_ms.size(), draft().schedule().stages.size());
}

// ---- Lanes without barriers ----

class LaneEditorTest : public ScheduleEditorTest {
 protected:
  LaneBoard& laneBoard() { return *window_->editor().page()->laneBoard(); }
  const LaneDraft& lanes() { return *controller().lanes(); }
  // Writes the sample's kernels, in their order on two lanes by turns, as they are on a device.
  QString write(const char* file, const char* device, std::int64_t batch = 1) {
    const auto graph = std::make_shared<const Graph>(zoo_network("sample").value());
    Schedule schedule = one_by_one_schedule(*graph);
    schedule.name = "by turns";
    const DeviceInfo& on = session_->devices().find(device)->info;
    const auto kernels = lane_kernels(graph, schedule, batch, on.lowering);
    LaneSchedule lanes;
    for (std::size_t k = 0; k < kernels->needs.size(); ++k) lanes.launches.push_back({KernelId(k), k % 2, {}});
    ScheduleNotes notes{.device = on.name, .batch = batch};
    const std::string text = schedule_to_json(*graph, kernels->schedule, notes, named(lanes, kernels->staged));
    EXPECT_TRUE(write_file(path(file), QByteArray::fromStdString(text)));
    return path(file);
  }
  void settle() {
    idle();
    ASSERT_TRUE(QTest::qWaitFor([this] { return controller().laneCosts().latency().has_value(); }, 60000));
  }
};

TEST_F(LaneEditorTest, AFileOfLanesOpensInTheEditor) {
  open(QStringLiteral("sample"));
  ASSERT_EQ(window_->mode(), Mode::kExplore);
  const std::size_t runs = session_->workspace().runs().size();
  window_->open(write("lanes.json", "tesla-v100"));
  settle();
  EXPECT_EQ(window_->mode(), Mode::kEditSchedule);
  ASSERT_NE(controller().lanes(), nullptr) << window_->messages().text().toStdString();
  EXPECT_EQ(lanes().rows().size(), 2U);
  EXPECT_TRUE(laneBoard().isVisible());
  EXPECT_FALSE(board().isVisible());
  EXPECT_FALSE(button("board-split")->isVisible());
  EXPECT_TRUE(button("lanes-own")->isVisible());
  EXPECT_FALSE(window_->actionsOfWindow()["fill-by-ios"]->isEnabled());
  EXPECT_EQ(session_->workspace().runs().size(), runs) << "it is changed, not compared";
  QString sum = part<QLabel>("board-sum")->text();
  sum.replace(QChar(QChar::Nbsp), QLatin1Char(' '));
  for (const char* said : {"Manual", "simulated", "against Sequential", "against IOS"})
    EXPECT_TRUE(sum.contains(QString::fromLatin1(said))) << said << " in " << sum.toStdString();
  // A change, its undo by the usual key, and Run.
  const LaneDraft start = lanes();
  laneBoard().selectKernel(start.rows()[1].front());
  QTest::keyClick(&laneBoard(), Qt::Key_N);
  ASSERT_EQ(lanes().rows().size(), 3U);
  QTest::keyClick(&laneBoard(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_EQ(lanes(), start);
  QTest::keyClick(&laneBoard(), Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_EQ(lanes().rows().size(), 3U);
  press("board-run");
  idle();
  ASSERT_TRUE(controller().result().has_value());
  EXPECT_TRUE(session_->comparison()->find(*controller().result())->lanes.has_value());
  // A stage editor again, and back.
  press("lanes-stages");
  EXPECT_TRUE(board().isVisible());
  EXPECT_FALSE(laneBoard().isVisible());
  press("board-undo");
  EXPECT_TRUE(laneBoard().isVisible());
}

TEST_F(LaneEditorTest, WhatIsChangedIsWrittenAsVersion2) {
  open(QStringLiteral("sample"));
  window_->open(write("lanes.json", "tesla-v100"));
  settle();
  laneBoard().selectKernel(lanes().rows()[1].front());
  QTest::keyClick(&laneBoard(), Qt::Key_N);
  settle();
  ASSERT_TRUE(window_->exports().exportDraft(controller(), *find_export("iosx"), path("mine.json")));
  const auto read = must(load_schedule(path("mine.json").toStdString(), *controller().graph()));
  ASSERT_TRUE(read.lanes.has_value());
  EXPECT_EQ(*read.lanes, lanes().lanes());
  EXPECT_EQ(read.notes.device, session_->device()->name);
  EXPECT_EQ(read.notes.origin, "simulated");
  EXPECT_EQ(read.notes.latency_ms, controller().laneCosts().latency()->value.count());
  EXPECT_FALSE(window_->exports().exportDraft(controller(), *find_export("ios"), path("mine.ios.json")));
  EXPECT_TRUE(window_->messages().text().contains("has stages"));
  // And again from there.
  const LaneDraft written = lanes();
  window_->open(path("mine.json"));
  settle();
  EXPECT_EQ(lanes().lanes(), written.lanes());
}

TEST_F(LaneEditorTest, WithNothingOpenItsNetworkAndDeviceCome) {
  window_->open(write("lanes.json", "h200", 4));
  settle();
  EXPECT_EQ(window_->mode(), Mode::kEditSchedule);
  ASSERT_NE(controller().lanes(), nullptr) << window_->messages().text().toStdString();
  EXPECT_EQ(session_->source(), "sample");
  EXPECT_EQ(session_->settings().device, "h200");
  EXPECT_EQ(session_->settings().options.batch, 4);
  ASSERT_TRUE(session_->comparison());
  EXPECT_EQ(session_->comparison()->device.id, "h200");
  EXPECT_TRUE(session_->shownNetwork()->given.empty()) << "its stages only chose the kernels";
}

TEST_F(LaneEditorTest, AFileOfLanesIsDropped) {
  open(QStringLiteral("sample"));
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(write("lanes.json", "tesla-v100"))});
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  static_cast<QObject&>(*window_).event(&drop);
  settle();
  EXPECT_EQ(window_->mode(), Mode::kEditSchedule);
  EXPECT_NE(controller().lanes(), nullptr);
}

TEST_F(LaneEditorTest, WhatDoesNotFitIsSaid) {
  open(QStringLiteral("squeezenet"));
  const auto said = [this] { return window_->messages().text(); };
  // Of kernels that this device does not make.
  const QString wrong = write("wrong.json", "tesla-v100");
  QFile file(wrong);
  ASSERT_TRUE(file.open(QIODevice::ReadOnly));
  QByteArray text = file.readAll();
  file.close();
  text.replace(",\"sample.conv_a\"]", ",\"sample.conv_z\"]");
  ASSERT_TRUE(write_file(wrong, text));
  openAsked(wrong);
  EXPECT_TRUE(said().contains("wrong.json")) << said().toStdString();
  EXPECT_TRUE(said().contains("these lanes are for the kernels of another device or batch size"))
      << said().toStdString();
  EXPECT_EQ(window_->mode(), Mode::kExplore);
  // Of a network that is neither open nor built in.
  text.replace("\"graph\":\"sample\"", "\"graph\":\"nobodys\"");
  ASSERT_TRUE(write_file(path("nobodys.json"), text));
  openAsked(path("nobodys.json"));
  EXPECT_TRUE(said().contains("nobodys")) << said().toStdString();
  EXPECT_EQ(controller().lanes(), nullptr);
  // Not JSON, and lanes that are none.
  ASSERT_TRUE(write_file(path("broken.json"), text.left(text.size() / 2)));
  openAsked(path("broken.json"));
  EXPECT_TRUE(said().contains("broken.json")) << said().toStdString();
  // On a device that runs stages only.
  open(QStringLiteral("sample"));
  choose("fake-computer");
  open(QStringLiteral("sample"));
  ASSERT_FALSE(session_->comparison()->device.barrier_free);
  openAsked(write("lanes.json", "tesla-v100"));
  EXPECT_TRUE(said().contains("runs only stages")) << said().toStdString();
  EXPECT_EQ(controller().lanes(), nullptr);
}

TEST_F(LaneEditorTest, AnotherShownRunIsWhereTheyAreRun) {
  open(QStringLiteral("sample"));
  window_->open(write("lanes.json", "tesla-v100"));
  settle();
  const Millis v100 = controller().laneCosts().latency()->value;
  choose("tesla-k80");
  jobs_->optimize();
  settle();
  ASSERT_EQ(session_->comparison()->device.id, "tesla-k80");
  ASSERT_NE(controller().laneCosts().draft(), nullptr) << controller().laneCosts().problem().toStdString();
  EXPECT_GT(controller().laneCosts().latency()->value, v100) << "the same kernels on a slower card";
}

// The graph's editor hears of another network first, and tells what it selects there while the board still has the old
// stages.
TEST_F(ScheduleEditorTest, TheBoardKeepsToItsOwnStagesWhileAnotherNetworkIsShown) {
  edit("squeezenet", ScheduleKind::kGreedy);
  const NetworkId small = session_->networkId();
  edit("resnet50", ScheduleKind::kGreedy);
  const NetworkId large = session_->networkId();
  session_->showNetwork(small);
  window_->setMode(Mode::kEditSchedule);
  QCoreApplication::processEvents();
  const UnitId last(draft().graph().units().size() - 1);
  const std::size_t columns = board().layoutShown().columns.size();
  ASSERT_GT(last.index(), columns);
  window_->setMode(Mode::kEditGraph);
  QCoreApplication::processEvents();
  window_->selection().select({{last}, ScheduleController::draftId(), columns - 1, {}});
  session_->showNetwork(large);
  QCoreApplication::processEvents();
  window_->setMode(Mode::kEditSchedule);
  EXPECT_EQ(board().layoutShown().columns.size(), draft().schedule().stages.size());
  EXPECT_GT(draft().schedule().stages.size(), columns);
}

}  // namespace
}  // namespace iosx
