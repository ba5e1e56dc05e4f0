// The tool bar: devices by where their latencies come from, what a search may do, all of it in sight in every window.
#include <gtest/gtest.h>

#include <QAbstractItemView>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QToolBar>
#include <QToolButton>
#include <QTreeView>
#include <string>

#include "tests/gui/window_fixture.h"
#include "views/canvas/find_bar.h"
#include "views/canvas/graph_view.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/timeline/playhead_player.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/window/actions/actions.h"
#include "views/window/devices/device_box.h"
#include "views/window/panels/headline.h"
#include "views/window/panels/project_panel.h"
#include "views/window/panels/search_limits.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

class RunBarTest : public test::WindowTest {
 protected:
  template <typename Widget>
  Widget* part(const char* name) {
    return window_->findChild<Widget*>(QString::fromLatin1(name));
  }
  DeviceBox& devices() { return *window_->findChild<DeviceBox*>(); }
  // Every row of the list, headings in brackets.
  QStringList rows() {
    QStringList rows;
    for (int row = 0; row < devices().count(); ++row) {
      const bool heading = devices().model()->flags(devices().model()->index(row, 0)) == Qt::NoItemFlags;
      rows << (heading ? QStringLiteral("[%1]").arg(devices().itemText(row)) : devices().itemText(row));
    }
    return rows;
  }
  void resizeTo(int width, int height) {
    window_->resize(width, height);
    for (int i = 0; i < 5; ++i) QCoreApplication::processEvents();
  }
  // Whether the bar hides something behind its "»".
  bool hidesSomething() {
    const auto* more = part<QToolButton>("qt_toolbar_ext_button");
    return more != nullptr && more->isVisible();
  }
};

TEST_F(RunBarTest, DevicesStandUnderWhereTheirLatenciesComeFrom) {
  const QStringList all = rows();
  const auto at = [&all](const char* text) { return all.indexOf(QString::fromUtf8(text)); };
  EXPECT_EQ(at("[Measured here]"), 0);
  EXPECT_EQ(all.at(1), QString::fromStdString(test::ScriptedDevice::make_info(test::ScriptedKind::kComputer).name));
  EXPECT_EQ(at("[Recorded]"), -1) << "nothing was recorded";
  EXPECT_GT(at("[Simulated]"), 1);
  EXPECT_GT(at("Tesla V100-SXM2"), at("[Simulated]"));
  choose("tesla-v100");
  EXPECT_EQ(devices().shownText(), QString::fromUtf8("Simulated · Tesla V100-SXM2"));
  choose("fake-computer");
  EXPECT_TRUE(devices().shownText().startsWith(QString::fromUtf8("Measured · ")));
  EXPECT_EQ(session_->settings().device, "fake-computer");
  // By the keys, headings are passed over.
  QTest::keyClick(&devices(), Qt::Key_Up);
  EXPECT_EQ(session_->settings().device, "fake-computer");
  QTest::keyClick(&devices(), Qt::Key_Down);
  EXPECT_EQ(session_->settings().device, "tesla-v100");
}

TEST_F(RunBarTest, WhatWorkersMeasureIsNotMeasuredHere) {
  EXPECT_FALSE(rows().contains(QStringLiteral("[Measured by workers]")));
  DeviceRegistry::Entry entry;
  entry.info = test::ScriptedDevice::make_info(test::ScriptedKind::kComputer);
  entry.info.id = "gpu@node1";
  entry.info.name = "NVIDIA <b>H100</b> (node1)";
  entry.by_workers = true;
  devices_.add(entry);
  entry.info.id = "v100@node1";
  entry.info.name = "Tesla V100 (node1)";
  entry.info.origin = Origin::kSimulated;
  devices_.add(entry);
  session_->tellDevices();
  const QStringList all = rows();
  const auto heading = all.indexOf(QStringLiteral("[Measured by workers]"));
  ASSERT_GT(heading, all.indexOf(QStringLiteral("[Measured here]")));
  EXPECT_EQ(all.mid(heading + 1, 2),
            (QStringList{QStringLiteral("NVIDIA <b>H100</b> (node1)"), QStringLiteral("[Simulated]")}));
  EXPECT_GT(all.indexOf(QStringLiteral("Tesla V100 (node1)")), all.indexOf(QStringLiteral("[Simulated]")));
  choose("gpu@node1");
  EXPECT_EQ(session_->settings().device, "gpu@node1");
  EXPECT_TRUE(devices().shownText().startsWith(QStringLiteral("Measured · NVIDIA")));
  devices_.remove("gpu@node1");
  session_->tellDevices();
  EXPECT_FALSE(rows().contains(QStringLiteral("[Measured by workers]")));
}

TEST_F(RunBarTest, TheLastRowAsksForOtherDevices) {
  const std::string before = session_->settings().device;
  EXPECT_EQ(window_->findChild<QDialog*>(QStringLiteral("devices-dialog")), nullptr);
  devices().setCurrentIndex(devices().count() - 1);
  EXPECT_NE(window_->findChild<QDialog*>(QStringLiteral("devices-dialog")), nullptr);
  EXPECT_EQ(session_->settings().device, before);
  EXPECT_EQ(devices().currentData().toString().toStdString(), before);
  // By the keys it is passed over.
  devices().setCurrentIndex(devices().count() - 3);
  const std::string last = session_->settings().device;
  QTest::keyClick(&devices(), Qt::Key_Down);
  EXPECT_EQ(session_->settings().device, last);
}

TEST_F(RunBarTest, WhatWasRecordedElsewhereIsShownByItsDevice) {
  open(QStringLiteral("sample"));
  const RunId here = session_->runId();
  const auto record = [this](const char* device) {
    iosx::Run run = *session_->workspace().runs().front().run;
    run.comparison.device.name = device;
    run.comparison.device.origin = Origin::kMeasured;
    run.comparison.recorded = verbatim("recorded on another host");
    session_->addRecorded(std::make_shared<const iosx::Run>(std::move(run)));
    return session_->runId();
  };
  record("NVIDIA H200");
  const RunId newest = record("NVIDIA H200");
  const RunId other = record("NVIDIA L4");
  const QStringList all = rows();
  const auto heading = all.indexOf(QStringLiteral("[Recorded]"));
  ASSERT_GE(heading, 0);
  EXPECT_EQ(all.mid(heading + 1, 3),
            (QStringList{QStringLiteral("NVIDIA H200"), QStringLiteral("NVIDIA L4"), QStringLiteral("[Simulated]")}));
  session_->showRun(here);
  const std::string before = session_->settings().device;
  devices().setCurrentIndex(static_cast<int>(heading) + 1);
  EXPECT_EQ(session_->runId(), newest);
  EXPECT_EQ(session_->settings().device, before) << "Optimize runs where it did";
  EXPECT_TRUE(devices().shownText().startsWith(QStringLiteral("Simulated")));
  const auto badge = [this] {
    for (const QLabel* label : window_->findChild<Headline*>()->findChildren<QLabel*>()) {
      if (label->property("badge").isValid()) return label->text();
    }
    return QString();
  };
  EXPECT_EQ(badge(), QStringLiteral("MEASURED ELSEWHERE"));
  // The arrows pass what was recorded.
  choose("tesla-v100");
  QTest::keyClick(&devices(), Qt::Key_Up);
  EXPECT_EQ(session_->settings().device, "fake-computer");
  EXPECT_EQ(session_->runId(), newest);
  session_->removeRun(other);
  EXPECT_FALSE(rows().contains(QStringLiteral("NVIDIA L4")));
}

TEST_F(RunBarTest, WhatASearchMayDoIsSetWhereItIsExplained) {
  auto* limits = window_->findChild<SearchLimits*>();
  EXPECT_EQ(limits->text(), QString::fromUtf8("Both · r 3 · s 8 ▾"));
  auto* popup = part<QWidget>("search-limits-popup");
  EXPECT_FALSE(popup->isVisible());
  QTest::mouseClick(limits, Qt::LeftButton);
  ASSERT_TRUE(popup->isVisible());
  part<QSpinBox>("r")->setValue(0);
  part<QComboBox>("strategy")->setCurrentIndex(part<QComboBox>("strategy")->findData(QStringLiteral("parallel")));
  EXPECT_EQ(session_->settings().options.search.pruning, (Pruning{0, 8}));
  EXPECT_EQ(session_->settings().options.schedule_kinds, schedule_kinds_within(StrategySet::kParallel));
  EXPECT_EQ(limits->text(), QString::fromUtf8("Parallel · r ∞ · s 8 ▾"));
  QTest::mouseClick(part<QPushButton>("search-limits-usual"), Qt::LeftButton);
  EXPECT_EQ(session_->settings().options.search.pruning, SearchOptions().pruning);
  EXPECT_EQ(session_->settings().options.schedule_kinds, schedule_kinds_within(StrategySet::kBoth));
  QTest::keyClick(part<QSpinBox>("r"), Qt::Key_Escape);
  EXPECT_FALSE(popup->isVisible());
  // What the session is given from elsewhere is shown.
  RunSettings settings = session_->settings();
  settings.options.search.pruning = {2, 4};
  session_->setSettings(settings);
  EXPECT_EQ(limits->text(), QString::fromUtf8("Both · r 2 · s 4 ▾"));
}

TEST_F(RunBarTest, NothingVanishesInTheNarrowestWindow) {
  open(QStringLiteral("sample"));
  for (const QSize size : {QSize(300, 300), QSize(1280, 800), QSize(1600, 1000), QSize(2560, 1440)}) {
    resizeTo(size.width(), size.height());
    EXPECT_FALSE(hidesSomething()) << window_->width();
    for (const char* name : {"network", "device", "batch", "search-limits", "go"}) {
      const auto* control = part<QWidget>(name);
      EXPECT_TRUE(control->isVisible()) << name << " at " << window_->width();
      EXPECT_LE(control->mapTo(window_.get(), QPoint(control->width(), 0)).x(), window_->width()) << name;
    }
  }
}

TEST_F(RunBarTest, TheGalleryIsOneClickAway) {
  open(QStringLiteral("sample"));
  auto* bar = part<QToolBar>("run-bar");
  QTest::mouseClick(bar->widgetForAction(window_->actionsOfWindow()["start-page"]), Qt::LeftButton);
  EXPECT_TRUE(part<QWidget>("start-page")->isVisible());
}

// U, I, Space and Ctrl+F, from a tree, a table, the canvas, a line of text.
TEST_F(RunBarTest, KeysOfTheTimelineWorkWhereverTheFocusIs) {
  open(QStringLiteral("sample"));
  window_->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
  TimelineView& timeline = *window_->views().timeline();
  auto* tree = part<QTreeView>("project-tree");
  auto* canvas = window_->views().graph();
  const auto press = [](QWidget* at, Qt::Key key) {
    at->setFocus();
    QTest::keyClick(at, key);
  };
  for (QWidget* at : {static_cast<QWidget*>(tree), static_cast<QWidget*>(canvas), part<QWidget>("inspector")}) {
    const bool open = timeline.idleOpen();
    press(at, Qt::Key_I);
    EXPECT_NE(timeline.idleOpen(), open) << at->objectName().toStdString();
    press(at, Qt::Key_Space);
    EXPECT_TRUE(timeline.player()->playing()) << at->objectName().toStdString();
    press(at, Qt::Key_Space);
    EXPECT_FALSE(timeline.player()->playing()) << at->objectName().toStdString();
  }
  // Held down on the canvas Space drags the drawing, and nothing is played.
  QTest::keyPress(canvas, Qt::Key_Space);
  QTest::mousePress(canvas, Qt::LeftButton, {}, QPoint(200, 200));
  QTest::mouseRelease(canvas, Qt::LeftButton, {}, QPoint(220, 220));
  QTest::keyRelease(canvas, Qt::Key_Space);
  EXPECT_FALSE(timeline.player()->playing());
  // Find, from the tree; what is typed there is text.
  tree->setFocus();
  QTest::keyClick(tree, Qt::Key_F, Qt::ControlModifier);
  auto* find = canvas->findChild<canvas::FindBar*>();
  ASSERT_TRUE(find->isVisible());
  const bool open = timeline.idleOpen();
  QTest::keyClicks(find->findChild<QLineEdit*>(), QStringLiteral("i u"));
  EXPECT_EQ(find->text(), QStringLiteral("i u"));
  EXPECT_EQ(timeline.idleOpen(), open);
  EXPECT_FALSE(timeline.player()->playing());
  // A button keeps Space.
  auto* go = part<QToolButton>("go");
  go->setFocus();
  QTest::keyClick(go, Qt::Key_Space);
  EXPECT_FALSE(timeline.player()->playing());
  EXPECT_TRUE(jobs_->busy());
  idle();
}

// A timeline without tracks has no use for the keys, and they come back to the window.
TEST_F(RunBarTest, KeysOfAnEmptyTimelineDoNothing) {
  choose("fake-computer");
  jobs_->open(QStringLiteral("sample"));
  idle();
  ASSERT_TRUE(window_->views().timeline()->isVisible());
  ASSERT_TRUE(window_->views().timeline()->tracks().tracks().empty());
  for (QWidget* at : {part<QWidget>("project-tree"), static_cast<QWidget*>(window_->views().graph()),
                      part<QWidget>("inspector-table")}) {
    at->setFocus();
    for (const Qt::Key key : {Qt::Key_U, Qt::Key_I, Qt::Key_Space}) QTest::keyClick(at, key);
  }
  EXPECT_FALSE(window_->views().timeline()->player()->playing());
}

TEST_F(RunBarTest, NothingIsFoundOrPlayedBelowTheStartPage) {
  open(QStringLiteral("sample"));
  window_->actionsOfWindow()["start-page"]->trigger();
  auto* page = part<QWidget>("start-page");
  ASSERT_TRUE(page->isVisible());
  QTest::keyClick(page, Qt::Key_F, Qt::ControlModifier);
  QTest::keyClick(page, Qt::Key_Space);
  EXPECT_FALSE(window_->views().graph()->findChild<canvas::FindBar*>()->isVisible());
  EXPECT_FALSE(window_->views().timeline()->player()->playing());
}

TEST_F(RunBarTest, SpaceTicksABoxAndFindWorksFromATableWithoutAFilter) {
  open(QStringLiteral("sample"));
  QTest::keyClick(part<QWidget>("inspector-table"), Qt::Key_F, Qt::ControlModifier);
  EXPECT_TRUE(window_->views().graph()->findChild<canvas::FindBar*>()->isVisible());
  window_->setMode(Mode::kCompare);
  auto* tree = part<QTreeView>("project-tree");
  const QModelIndex run = tree->model()->index(0, 0, tree->model()->index(0, 0));
  const QModelIndex schedule = tree->model()->index(1, 0, run);
  tree->setCurrentIndex(schedule);
  const QVariant before = schedule.data(Qt::CheckStateRole);
  ASSERT_TRUE(before.isValid());
  QTest::keyClick(tree, Qt::Key_Space);
  EXPECT_NE(schedule.data(Qt::CheckStateRole), before);
}

TEST_F(RunBarTest, ASearchThatIsCancelledLeavesNothingBehind) {
  choose("fake-computer");
  behaviour_->plan_millis = 3;
  jobs_->open(QStringLiteral("inception_v3"));
  idle();
  GraphView* graph = window_->views().graph();
  const auto so_far = [graph] {
    return graph->modelShown() != nullptr && graph->modelShown()->label.title.contains(QStringLiteral("so far"));
  };
  jobs_->optimize();
  ASSERT_TRUE(QTest::qWaitFor([&] { return so_far() || !jobs_->busy(); }, test::kSanitized ? 200000 : 60000));
  ASSERT_TRUE(so_far());
  jobs_->abandon();
  behaviour_->plan_millis = 0;
  idle();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending(); }));
  EXPECT_FALSE(so_far());
  EXPECT_FALSE(window_->views().saving()->sentence().contains(QStringLiteral("searching")));
}

}  // namespace
}  // namespace iosx
