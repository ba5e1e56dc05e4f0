// What people stumbled over in the window: that things stay where they are, say what is so, and come back.

#include "app/gui/arguments.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/prelude.h"
#include "views/canvas/find_bar.h"
#include "views/canvas/graph_view.h"
#include "views/edit_graph/attribute_form.h"
#include "views/edit_graph/edit_canvas.h"
#include "views/edit_schedule/board_page.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/text/latency_text.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/status_bar.h"
#include "views/window/panels/views.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/schedule_editor.h"
#include "views/window/start/help.h"

namespace iosx {
namespace {

class HabitsTest : public test::WindowTest {
 protected:
  // Until what waits for the layout has been done too.
  void resizeTo(int width, int height) {
    window_->resize(width, height);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
};

TEST_F(HabitsTest, PanelsHaveTheirSizesAgainAfterTheWindowWasSmall) {
  open(QStringLiteral("sample"));
  resizeTo(1600, 1000);
  const auto* timeline = part<QDockWidget>("timeline");
  const auto* inspector = part<QDockWidget>("inspector");
  const int height = timeline->height();
  const int width = inspector->width();
  resizeTo(900, 420);
  EXPECT_LT(timeline->height(), height);
  resizeTo(1600, 1000);
  EXPECT_NEAR(timeline->height(), height, 3);
  EXPECT_NEAR(inspector->width(), width, 3);
}

TEST_F(HabitsTest, PanelsHaveTheirSizesAgainAfterAStartThatFollowsASmallWindow) {
  open(QStringLiteral("sample"));
  resizeTo(1600, 1000);
  const int height = part<QDockWidget>("timeline")->height();
  resizeTo(900, 420);
  window_->rememberPlace();
  MainWindow again(*session_, *jobs_, *controllers_, settings_, false);
  again.show();
  again.resize(1600, 1000);
  for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  EXPECT_NEAR(again.findChild<QDockWidget*>(QStringLiteral("timeline"))->height(), height, 3);
}

TEST_F(HabitsTest, ASizeGivenByHandIsKeptToo) {
  open(QStringLiteral("sample"));
  resizeTo(1600, 1000);
  auto* timeline = part<QDockWidget>("timeline");
  const QPoint separator(800, timeline->y() - 2);
  QTest::mousePress(window_.get(), Qt::LeftButton, {}, separator);
  window_->resizeDocks({timeline}, {250}, Qt::Vertical);
  QCoreApplication::processEvents();
  QTest::mouseRelease(window_.get(), Qt::LeftButton, {}, separator);
  const int height = timeline->height();
  ASSERT_NEAR(height, 250, 40) << "less its tabs";
  resizeTo(1300, 800);
  resizeTo(1600, 1000);
  EXPECT_NEAR(timeline->height(), height, 3);
}

TEST_F(HabitsTest, OptimizeIsInSightInTheNarrowestWindow) {
  open(QStringLiteral("sample"));
  resizeTo(300, 300);  // it is as narrow as it may be
  const auto* go = part<QToolButton>("go");
  EXPECT_TRUE(go->isVisible());
  EXPECT_LE(go->mapTo(window_.get(), QPoint(go->width(), 0)).x(), window_->width());
  resizeTo(1600, 1000);
  EXPECT_TRUE(go->isVisible());
  EXPECT_GT(go->mapTo(window_.get(), QPoint(0, 0)).x(),
            part<QSpinBox>("batch")->mapTo(window_.get(), QPoint(0, 0)).x());
}

TEST_F(HabitsTest, TheBadgeSpeaksOfTheFiguresThatAreShown) {
  open(QStringLiteral("sample"));
  const auto badge = [this] {
    for (const QLabel* label : window_->findChildren<QLabel*>()) {
      if (label->property("badge").isValid()) return label->text();
    }
    return QString();
  };
  ASSERT_EQ(session_->comparison()->device.origin, Origin::kSimulated);
  EXPECT_EQ(badge(), "SIMULATED");
  choose(test::ScriptedDevice::make_info(test::ScriptedKind::kComputer).id.c_str());
  ASSERT_EQ(session_->device()->origin, Origin::kMeasured);
  EXPECT_EQ(badge(), "SIMULATED") << "nothing has been measured yet";
  optimize();
  EXPECT_EQ(badge(), "MEASURED HERE");
  // As a project or a run file brings it back after a restart, from this computer and from another one.
  for (const bool here : {true, false}) {
    iosx::Run run = *session_->shownRun()->run;
    if (!here) run.place.host = "another-host";
    run.comparison.recorded = recorded_text(run.place);
    run.place.when += std::chrono::seconds(60);
    session_->editor().addRecorded(std::make_shared<const iosx::Run>(std::move(run)));
    ASSERT_NE(session_->recorded(), nullptr);
    const bool named = !this_place({}).host.empty() && this_place({}).host != "localhost";
    EXPECT_EQ(badge(), here && named ? "MEASURED HERE" : "MEASURED ELSEWHERE");
    const QString line = part<StateLine>("state-line")->text();
    EXPECT_EQ(line.contains("was measured here"), here && named) << line.toStdString();
    EXPECT_EQ(part<QComboBox>("device")->findText(QStringLiteral("Recorded")) < 0, here && named);
  }
}

TEST_F(HabitsTest, RunSaysAtWhichBatchWhereTheToolBarHasAnother) {
  open(QStringLiteral("sample"));
  window_->actionsOfWindow()["edit-copy"]->trigger();
  const auto* run = part<QToolButton>("board-run");
  EXPECT_EQ(run->text(), "Run");
  part<QSpinBox>("batch")->setValue(32);
  EXPECT_EQ(run->text(), "Run at batch 1");
  part<QSpinBox>("batch")->setValue(1);
  EXPECT_EQ(run->text(), "Run");
}

TEST_F(HabitsTest, FindHasItsCountAgainWhenItIsOpenedAgain) {
  open(QStringLiteral("sample"));
  GraphView* graph = window_->views().graph();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending(); }, 20000));
  graph->find();
  graph->setQuery(QStringLiteral("conv"));
  const auto* bar = graph->findChild<canvas::FindBar*>();
  const auto count = [&] {
    for (const QLabel* label : bar->findChildren<QLabel*>()) return label->text();
    return QString();
  };
  const QString before = count();
  ASSERT_TRUE(before.contains("match")) << before.toStdString();
  graph->closeSearch();
  graph->find();
  EXPECT_EQ(bar->text(), "conv");
  EXPECT_EQ(count(), before);
  int arrows = 0;
  for (const QToolButton* button : bar->findChildren<QToolButton*>(QString(), Qt::FindDirectChildrenOnly))
    arrows += button->isEnabled() ? 1 : 0;
  EXPECT_EQ(arrows, 3);
}

TEST_F(HabitsTest, TheOldGraphDoesNotStandUnderTheNewName) {
  open(QStringLiteral("sample"));
  GraphView* graph = window_->views().graph();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending() && graph->layoutShown() != nullptr; }, 20000));
  const auto nasnet = must(open_graph("nasnet"));
  graph->setGraph(nasnet.graph);
  EXPECT_NE(graph->layoutShown(), nullptr) << "a small one is there before it is missed";
  // Whatever is shown from now on is the new one: of that, as many boxes as it has units.
  ASSERT_TRUE(QTest::qWaitFor(
      [&] {
        return graph->layoutShown() == nullptr || graph->layoutShown()->node_of.size() == nasnet.graph->units().size();
      },
      1000));
}

TEST_F(HabitsTest, ANewGraphIsNotCalledAsTheNetworkBefore) {
  open(QStringLiteral("sample"));
  activate();
  ASSERT_TRUE(window_->windowTitle().contains("sample"));
  window_->actionsOfWindow()["new-graph"]->trigger();
  EXPECT_FALSE(window_->windowTitle().contains("sample")) << window_->windowTitle().toStdString();
  EXPECT_TRUE(window_->windowTitle().contains("graph 1"));
  EXPECT_EQ(part<QComboBox>("network")->currentText(), "graph 1");
  window_->setMode(Mode::kExplore);
  EXPECT_TRUE(window_->windowTitle().contains("sample"));
  EXPECT_FALSE(part<QComboBox>("network")->currentText().contains("graph 1"));
}

TEST_F(HabitsTest, QuittingAsksAboutWhatWasNeverSaved) {
  test::Answers answers;
  open(QStringLiteral("sample"));
  session_->editor().setNotes(QStringLiteral("my work"));
  answers.press(QMessageBox::Cancel);
  EXPECT_FALSE(window_->close());
  EXPECT_TRUE(answers.given());
  answers.press(QMessageBox::Discard);
  EXPECT_TRUE(window_->close());
  EXPECT_TRUE(answers.given());
}

TEST_F(HabitsTest, PlayAndPauseAreDrawnAndNotLeftToAFont) {
  open(QStringLiteral("sample"));
  QToolButton* play = nullptr;
  for (QToolButton* button : window_->findChildren<QToolButton*>()) {
    if (button->accessibleName() == QStringLiteral("Play")) play = button;
  }
  ASSERT_NE(play, nullptr);
  EXPECT_TRUE(play->text().isEmpty());
  const QImage before = play->icon().pixmap(16, 16).toImage();
  play->click();
  EXPECT_EQ(play->accessibleName(), "Pause");
  const QImage pause = play->icon().pixmap(16, 16).toImage();
  EXPECT_NE(pause, before);
  EXPECT_GT(pause.pixelColor(pause.width() * 5 / 16, pause.height() / 2).alpha(), 200) << "a bar";
  EXPECT_EQ(pause.pixelColor(pause.width() / 2, pause.height() / 2).alpha(), 0) << "between two";
  play->click();
}

TEST(Hint, StandsBelowWhatIsInATheBarAtTheTop) {
  const QRect window(0, 0, 1600, 1000);
  const QRect network(360, 30, 160, 24);
  const BubblePlace place = place_bubble(network, QSize(330, 120), window);
  EXPECT_GT(place.bubble.top(), network.bottom());
  EXPECT_LT(place.bubble.left(), network.right());
  // Beside a button at the middle of the window there is room.
  EXPECT_GT(place_bubble(QRect(20, 500, 100, 24), QSize(330, 120), window).bubble.left(), 120);
}

TEST_F(HabitsTest, NotesGoByThemselvesAlsoWithAnOfferAndErrorsStay) {
  Toasts& messages = window_->messages();
  messages.showNote(QStringLiteral("passing"));
  messages.showNote(QStringLiteral("sizes are open"), {QStringLiteral("Choose"), [] {}});
  messages.showError(QStringLiteral("broken"));
  ASSERT_EQ(messages.shown().size(), 3U);
  EXPECT_TRUE(messages.shown()[0]->closesByItself());
  EXPECT_TRUE(messages.shown()[1]->closesByItself());
  EXPECT_FALSE(messages.shown()[2]->closesByItself());
}

TEST_F(HabitsTest, SizesAreOfferedOnlyWhereAFileLeavesSomeOpen) {
  QFile empty(path("empty.onnx"));
  ASSERT_TRUE(empty.open(QIODevice::WriteOnly));
  empty.close();
  openAsked(path("empty.onnx"));
  ASSERT_TRUE(window_->messages().showsError());
  EXPECT_FALSE(window_->messages().shown().back()->hasOffer());
  EXPECT_FALSE(window_->actionsOfWindow()["input-sizes"]->isEnabled());
}

TEST_F(HabitsTest, AFileWithoutABatchSaysWhichItIsOpenedWith) {
  open(QStringLiteral("sample"));
  session_->setActiveSchedule(ScheduleId("ios-both"));  // theirs have stages
  const QString file = path("authors.json");
  ASSERT_TRUE(window_->exports().exportAs(*find_export("ios"), file));
  part<QSpinBox>("batch")->setValue(32);
  openAsked(file);
  EXPECT_TRUE(window_->messages().text().contains("that of the tool bar is used, 32"))
      << window_->messages().text().toStdString();
}

TEST_F(HabitsTest, TheKeysDialogBeginsInItsFilter) {
  activate();
  window_->actionsOfWindow()["keys"]->trigger();
  auto* filter = must(part<QLineEdit>("key-filter"));
  EXPECT_TRUE(QTest::qWaitFor([&] { return filter->hasFocus(); }));
  filter->window()->close();
}

TEST_F(HabitsTest, ReturnOnAnOperatorGoesToItsAttributesAndEscapeComesBack) {
  open(QStringLiteral("sample"));
  activate();
  window_->setMode(Mode::kEditGraph);
  GraphController& controller = window_->graphEditing().controller();
  EditCanvas* canvas = window_->graphEditing().canvas();
  canvas->setFocus();
  QTest::keyClick(canvas, Qt::Key_Return);
  EXPECT_TRUE(canvas->hasFocus()) << "nothing is selected";
  controller.select({*controller.graph().find_operator("sample.conv_a")});
  QTest::keyClick(canvas, Qt::Key_Return);
  QWidget* focus = must(QApplication::focusWidget());
  EXPECT_TRUE(window_->graphEditing().attributes()->isAncestorOf(focus)) << focus->objectName().toStdString();
  QTest::keyClick(focus, Qt::Key_Escape);
  EXPECT_TRUE(canvas->hasFocus());
}

TEST_F(HabitsTest, CancelStaysWhereItIsWhenMessagesAppear) {
  behaviour_->plan_millis = 20;
  choose(test::ScriptedDevice::make_info(test::ScriptedKind::kComputer).id.c_str());
  jobs_->open(QStringLiteral("sample"));
  idle();
  ASSERT_TRUE(window_->messages().history().empty()) << "nothing has been said yet";
  jobs_->optimize();
  const auto* cancel = part<QToolButton>("cancel-job");
  ASSERT_TRUE(QTest::qWaitFor([&] { return cancel->isVisible(); }));
  QCoreApplication::processEvents();
  const int before = cancel->mapTo(window_.get(), QPoint(cancel->width(), 0)).x();
  window_->messages().showNote(QStringLiteral("something"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return part<QToolButton>("messages")->isVisible(); }));
  for (int i = 0; i < 3; ++i) QCoreApplication::processEvents();
  EXPECT_NEAR(cancel->mapTo(window_.get(), QPoint(cancel->width(), 0)).x(), before, 1);
  jobs_->cancel();
  idle();
}

// On a device that measures a search takes a while: what it has found so far is on the canvas, under its own name.
TEST_F(HabitsTest, TheCanvasFollowsASearch) {
  choose(test::ScriptedDevice::make_info(test::ScriptedKind::kComputer).id.c_str());
  behaviour_->plan_millis = 3;
  jobs_->open(QStringLiteral("inception_v3"));
  idle();
  GraphView* graph = window_->views().graph();
  const auto shows = [graph](const char* words) {
    return graph->modelShown() != nullptr && graph->modelShown()->label.title.contains(QString::fromLatin1(words));
  };
  EXPECT_FALSE(shows("so far"));
  jobs_->optimize();
  ASSERT_TRUE(QTest::qWaitFor([&] { return shows("so far") || !jobs_->busy(); }, test::kSanitized ? 200000 : 60000));
  ASSERT_TRUE(jobs_->busy());
  EXPECT_TRUE(graph->modelShown()->label.id.empty()) << "it is in no comparison";
  EXPECT_TRUE(window_->views().saving()->sentence().contains("is searching"))
      << window_->views().saving()->sentence().toStdString();
  QCoreApplication::processEvents();
  EXPECT_GT(window_->views().saving()->height(), 10) << "where nothing was saved yet";
  behaviour_->plan_millis = 0;
  idle();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending(); }));
  ASSERT_TRUE(session_->searched());
  EXPECT_FALSE(shows("so far"));
  EXPECT_EQ(graph->modelShown()->label.id, session_->comparison()->results[session_->activeSchedule()].id);
  EXPECT_FALSE(window_->views().saving()->sentence().contains("is searching"));
  // The next one is not followed: what was searched is looked at.
  session_->setActiveSchedule(0);
  behaviour_->plan_millis = 3;
  jobs_->optimize();
  EXPECT_FALSE(QTest::qWaitFor([&] { return shows("so far"); }, 600));
  behaviour_->plan_millis = 0;
  idle();
}

TEST_F(HabitsTest, PointingAtAnAlternativeShowsItOnTheTimelineToo) {
  open(QStringLiteral("sample"));
  optimize();
  const ScheduleResult& both = *session_->comparison()->find(ScheduleKind::kIosBoth);
  session_->setActiveSchedule(both.id);
  window_->selection().select(stage_selection(both, 0));
  auto* table = part<QDockWidget>("inspector")->findChild<QTableView*>();
  TimelineView& timeline = *window_->views().timeline();
  const auto alternatives = [&] {
    int found = 0;
    for (int row = 0; row < table->model()->rowCount(); ++row) {
      emit table->entered(table->model()->index(row, 0));
      found += timeline.pointed().empty() ? 0 : 1;
    }
    return found;
  };
  ASSERT_TRUE(QTest::qWaitFor([&] { return alternatives() > 0; }));
  EXPECT_LT(alternatives(), table->model()->rowCount());
  timeline.grab();
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(table->viewport(), &leave);
  EXPECT_TRUE(timeline.pointed().empty());
}

// The graph is the answer: what has no room beside it in a small window comes once there is room.
TEST_F(HabitsTest, TheGraphHasTheRoomOfASmallWindow) {
  open(QStringLiteral("sample"));
  const auto* inspector = part<QDockWidget>("inspector");
  const GraphView* graph = window_->views().graph();
  const SavingView* saving = window_->views().saving();
  const int unfolded = saving->height();
  EXPECT_TRUE(inspector->isVisible());
  resizeTo(1280, 800);
  window_->actionsOfWindow()["reset-layout"]->trigger();
  QCoreApplication::processEvents();
  EXPECT_FALSE(inspector->isVisible());
  EXPECT_LT(saving->height(), unfolded);
  EXPECT_GT(graph->width(), 950);
  EXPECT_GT(graph->height(), 240);
  resizeTo(1600, 1000);
  QCoreApplication::processEvents();
  EXPECT_TRUE(inspector->isVisible());
  EXPECT_EQ(saving->height(), unfolded);
  EXPECT_FALSE(settings_.savingFolded()) << "nobody chose";
}

// What everybody asks first is answered by the first screen of a small window, without a click: which schedule is
// faster, by how much, against what, is this measured. Where it was won is a click away.
TEST_F(HabitsTest, TheFirstScreenAnswersFiveQuestions) {
  resizeTo(1280, 800);
  window_->start(QStringLiteral("inception_v3"), false);
  ASSERT_TRUE(
      QTest::qWaitFor([this] { return session_->searched() && !jobs_->busy(); }, test::kSanitized ? 400000 : 60000));
  for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  const auto said = [this](const char* name) {
    const auto* label = part<QLabel>(name);
    const QPoint at = label->mapTo(window_.get(), QPoint(0, 0));
    EXPECT_TRUE(label->isVisible() && window_->rect().contains(QRect(at, label->size()))) << name;
    return label->text();
  };
  const ScheduleResult& best = session_->comparison()->results[session_->comparison()->best()];
  QStringList chips;
  QString outlined;
  for (const auto* chip : window_->findChildren<QToolButton*>(QStringLiteral("schedule-chip"))) {
    if (!chip->isVisible()) continue;
    chips << chip->accessibleName();
    if (chip->isChecked()) outlined = chip->accessibleName();
  }
  EXPECT_TRUE(outlined.startsWith(schedule_title(best))) << "which: " << outlined.toStdString();
  EXPECT_TRUE(said("headline-speed").contains(QString::fromUtf8("×"))) << "by how much";
  const QString sentence = said("headline-sentence");
  EXPECT_TRUE(sentence.startsWith("as fast: ") && sentence.contains(" instead of ")) << sentence.toStdString();
  EXPECT_TRUE(chips.contains("Sequential baseline")) << "against what: " << chips.join(' ').toStdString();
  EXPECT_TRUE(said("headline-detail").contains("kernels in flight")) << "why";
  EXPECT_TRUE(said("headline-question").contains("Where did ")) << "where: a click away";
  auto* saving = window_->views().saving();
  ASSERT_TRUE(saving->isVisible());
  saving->setFolded(false);
  QCoreApplication::processEvents();
  EXPECT_GT(saving->steps(), 5U) << "where: a step a part, with its figure";
  EXPECT_TRUE(saving->sentence().startsWith("Savings of ")) << saving->sentence().toStdString();
  EXPECT_EQ(said("headline-badge"), "SIMULATED") << "is this measured";
}

}  // namespace
}  // namespace iosx
