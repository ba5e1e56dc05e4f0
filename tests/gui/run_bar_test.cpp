// The tool bar: devices by where their latencies come from, what a search may do, all of it in sight in every window.

#include "views/window/panels/run_bar.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/prelude.h"
#include "views/canvas/find_bar.h"
#include "views/canvas/graph_view.h"
#include "views/explore/saving/saving_view.h"
#include "views/explore/timeline/playhead_player.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/why_view.h"
#include "views/text/qstring.h"
#include "views/window/actions/command_palette.h"
#include "views/window/devices/device_box.h"
#include "views/window/dialogs/run_settings_dialog.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/headline.h"
#include "views/window/panels/project_panel.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

using test::WindowTest;

class RunBarTest : public test::WindowTest {
 protected:
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
  EXPECT_FALSE(rows().contains("[Measured by workers]"));
  DeviceRegistry::Entry entry{.info = test::ScriptedDevice::make_info(test::ScriptedKind::kComputer)};
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
  EXPECT_TRUE(devices().shownText().startsWith("Measured · NVIDIA"));
  devices_.remove("gpu@node1");
  session_->tellDevices();
  EXPECT_FALSE(rows().contains("[Measured by workers]"));
}

TEST_F(RunBarTest, TheLastRowAsksForOtherDevices) {
  const std::string before = session_->settings().device;
  EXPECT_EQ(part<QDialog>("devices-dialog"), nullptr);
  devices().setCurrentIndex(devices().count() - 1);
  EXPECT_NE(part<QDialog>("devices-dialog"), nullptr);
  EXPECT_EQ(session_->settings().device, before);
  EXPECT_EQ(devices().currentData().toString().toStdString(), before);
  // By the keys it is passed over.
  devices().setCurrentIndex(devices().count() - 3);
  const std::string last = session_->settings().device;
  QTest::keyClick(&devices(), Qt::Key_Down);
  EXPECT_EQ(session_->settings().device, last);
}

TEST_F(RunBarTest, ADeviceIsChosenInAMenuOfCards) {
  const auto menu = [this] {
    devices().showPopup();
    return must(window_->findChild<QMenu*>(QStringLiteral("device-menu")));
  };
  QMenu* cards = menu();
  QMenu* h200 = nullptr;
  int entries = 0;
  for (QAction* action : cards->actions()) {
    entries += action->isSeparator() ? 0 : 1;
    if (action->menu() != nullptr && action->text() == QStringLiteral("H200-SXM")) h200 = action->menu();
  }
  EXPECT_LE(entries, 25) << "one for a card, not one for each of " << devices().count();
  ASSERT_NE(h200, nullptr);
  QStringList ways;
  for (QAction* action : h200->actions()) {
    ways << action->text().section(QLatin1Char('\t'), 0, 0);
    if (ways.back() == QStringLiteral("float16")) action->trigger();
  }
  EXPECT_EQ(ways.front(), "float32 (TF32)");
  EXPECT_EQ(session_->settings().device, "h200-f16");
  EXPECT_EQ(devices().currentData().toString(), "h200-f16");
  cards->close();
}

TEST_F(RunBarTest, AnOpenMenuOfDevicesMeansDevicesNotRows) {
  devices().showPopup();
  auto* menu = must(window_->findChild<QMenu*>(QStringLiteral("device-menu")));
  QAction* v100 = nullptr;
  for (QAction* action : menu->actions()) {
    if (action->text().startsWith(QStringLiteral("Tesla V100-SXM2"))) v100 = action;
  }
  ASSERT_NE(v100, nullptr);
  const int before = devices().findData(QStringLiteral("tesla-v100"));
  DeviceRegistry::Entry entry{.info = test::ScriptedDevice::make_info(test::ScriptedKind::kComputer)};
  entry.info.id = "gpu@node1";
  entry.by_workers = true;
  devices_.add(entry);
  session_->tellDevices();  // a worker answers while the menu is open
  ASSERT_NE(devices().findData(QStringLiteral("tesla-v100")), before);
  QAction* const chosen = v100->menu() != nullptr ? v100->menu()->actions().front() : v100;
  chosen->trigger();
  EXPECT_EQ(session_->settings().device, "tesla-v100");
  menu->close();
}

TEST_F(RunBarTest, DevicesAreFoundByTheirTitles) {
  std::vector<PaletteItem> items;
  for (const PaletteEntry& entry : entries_of_devices(*session_, {})) items.push_back(entry.item);
  EXPECT_TRUE(rank(items, QStringLiteral("matches of"), {}).empty());
  EXPECT_FALSE(rank(items, QStringLiteral("h200"), {}).empty());
}

TEST_F(RunBarTest, WhatWasRecordedElsewhereIsShownByItsDevice) {
  open(QStringLiteral("sample"));
  const RunId here = session_->runId();
  int recorded = 0;
  const auto record = [this, &recorded](const char* device) {
    iosx::Run run = *session_->workspace().runs().front().run;
    run.comparison.device.name = device;
    run.comparison.device.origin = Origin::kMeasured;
    run.comparison.recorded = verbatim("recorded on another host");
    run.place.host = "another-host";
    run.place.when += std::chrono::seconds(++recorded);
    session_->editor().addRecorded(std::make_shared<const iosx::Run>(std::move(run)));
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
  EXPECT_TRUE(devices().shownText().startsWith("Simulated"));
  const auto badge = [this] {
    for (const QLabel* label : window_->findChild<Headline*>()->findChildren<QLabel*>()) {
      if (label->property("badge").isValid()) return label->text();
    }
    return QString();
  };
  EXPECT_EQ(badge(), "MEASURED ELSEWHERE");
  // The arrows pass what was recorded.
  choose("tesla-v100");
  QTest::keyClick(&devices(), Qt::Key_Up);
  EXPECT_EQ(session_->settings().device, "fake-computer");
  EXPECT_EQ(session_->runId(), newest);
  session_->editor().remove(other);
  EXPECT_FALSE(rows().contains("NVIDIA L4"));
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
  test::set(*session_, [](RunSettings& settings) { settings.options.search.pruning = {2, 4}; });
  EXPECT_EQ(limits->text(), QString::fromUtf8("Both · r 2 · s 4 ▾"));
}

TEST_F(RunBarTest, NothingVanishesInTheNarrowestWindow) {
  open(QStringLiteral("sample"));
  // The screen of these tests is narrower than the bar, which is as wide as its screen at most.
  for (const QSize size : {QSize(970, 300), QSize(1280, 800), QSize(1600, 1000), QSize(2560, 1440)}) {
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
    const bool open = timeline.whyOpen();
    press(at, Qt::Key_I);
    EXPECT_NE(timeline.whyOpen(), open) << at->objectName().toStdString();
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
  const bool open = timeline.whyOpen();
  QTest::keyClicks(find->findChild<QLineEdit*>(), QStringLiteral("i u"));
  EXPECT_EQ(find->text(), "i u");
  EXPECT_EQ(timeline.whyOpen(), open);
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
    return graph->modelShown() != nullptr && graph->modelShown()->label.title.contains("so far");
  };
  jobs_->optimize();
  ASSERT_TRUE(QTest::qWaitFor([&] { return so_far() || !jobs_->busy(); }, test::kSanitized ? 200000 : 60000));
  ASSERT_TRUE(so_far());
  jobs_->abandon();
  behaviour_->plan_millis = 0;
  idle();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !graph->layoutPending(); }));
  EXPECT_FALSE(so_far());
  EXPECT_FALSE(window_->views().saving()->sentence().contains("searching"));
}

// Schedule ▸ Run settings…: a control for every option of a comparison, made from its row.

class RunSettingsTest : public test::WindowTest {
 protected:
  RunSettingsDialog* ask() {
    delete window_->findChild<RunSettingsDialog*>();
    window_->actionsOfWindow()["run-settings"]->trigger();
    return window_->findChild<RunSettingsDialog*>();
  }
};

TEST_F(RunSettingsTest, EveryOptionHasAControlWithItsBounds) {
  auto* dialog = must(ask());
  CompareOptions options = session_->settings().options;
  for (const BoundOption& option : options_of(options, use::kCompare)) {
    SCOPED_TRACE(option.info->id);
    auto* control = must(dialog->findChild<QWidget*>(qstring(option.info->id)));
    EXPECT_FALSE(control->accessibleName().isEmpty());
    EXPECT_FALSE(control->toolTip().isEmpty());
    if (option.kind == OptionKind::kWhole) {
      auto* box = must(dynamic_cast<QSpinBox*>(control));
      EXPECT_EQ(box->minimum(), option.info->whole_bounds().least);
      EXPECT_EQ(box->maximum(), option.info->whole_bounds().most);
      EXPECT_EQ(OptionValue(std::int64_t{box->value()}), option.get());
    } else if (option.kind == OptionKind::kNumber) {
      auto* box = must(dynamic_cast<QDoubleSpinBox*>(control));
      EXPECT_LE(box->minimum(), option.info->bounds.least);
      EXPECT_EQ(box->maximum(), option.info->bounds.most);
    }
  }
  dialog->accept();
  EXPECT_EQ(session_->settings().options, options) << "nothing was edited";
}

// A limit of 2 TB: the core takes it, so the window does.
TEST_F(RunSettingsTest, WhatIsSetIsRunWith) {
  auto* dialog = ask();
  auto* limit = dialog->findChild<QDoubleSpinBox*>(QStringLiteral("memory_limit"));
  EXPECT_EQ(limit->text(), "no limit");
  limit->setValue(2e6);
  dialog->findChild<QSpinBox*>(QStringLiteral("max_part_size"))->setValue(3);
  dialog->findChild<QComboBox*>(QStringLiteral("ending_rule"))->setCurrentIndex(1);
  dialog->findChild<QDoubleSpinBox*>(QStringLiteral("epsilon"))->setValue(0);
  EXPECT_EQ(dialog->findChild<QComboBox*>(QStringLiteral("search"))->currentData(), "lazy")
      << "which alone certifies a gap";
  dialog->accept();
  const CompareOptions& options = session_->settings().options;
  EXPECT_EQ(options.memory_limit, 2'000'000'000'000);
  EXPECT_EQ(options.max_part_size, 3U);
  EXPECT_EQ(options.search.rule, EndingRule::kSingleRoot);
  EXPECT_EQ(options.search.effort.epsilon, 0.0);
  EXPECT_EQ(options.search.method, SearchMethod::kLazy);

  dialog = ask();
  auto* buttons = dialog->findChild<QDialogButtonBox*>();
  buttons->button(QDialogButtonBox::RestoreDefaults)->click();
  EXPECT_EQ(dialog->findChild<QDoubleSpinBox*>(QStringLiteral("memory_limit"))->text(), "no limit");
  buttons->button(QDialogButtonBox::Ok)->click();
  EXPECT_EQ(session_->settings().options.memory_limit, 0);
  EXPECT_EQ(session_->settings().options.search, SearchOptions());
}

TEST_F(RunSettingsTest, OptionsThatContradictOneAnotherAreNotTaken) {
  auto* dialog = ask();
  dialog->findChild<QCheckBox*>(QStringLiteral("longer"))->setChecked(true);
  auto* method = dialog->findChild<QComboBox*>(QStringLiteral("search"));
  method->setCurrentIndex(method->findData(QStringLiteral("exhaustive")));
  auto* ok = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);
  EXPECT_FALSE(ok->isEnabled());
  EXPECT_TRUE(dialog->findChild<QLabel*>(QStringLiteral("option-problem"))->text().contains("--longer"));
  dialog->findChild<QCheckBox*>(QStringLiteral("longer"))->setChecked(false);
  EXPECT_TRUE(ok->isEnabled());
}

TEST_F(RunSettingsTest, TimingIsOfDevicesThatMeasure) {
  open(QStringLiteral("sample"));
  EXPECT_FALSE(ask()->findChild<QWidget*>(QStringLiteral("warmup"))->isEnabled());
  EXPECT_FALSE(ask()->findChild<QWidget*>(QStringLiteral("verify"))->isEnabled());
  choose("fake-computer");
  auto* dialog = ask();
  EXPECT_TRUE(dialog->findChild<QWidget*>(QStringLiteral("warmup"))->isEnabled());
  EXPECT_TRUE(dialog->findChild<QWidget*>(QStringLiteral("verify"))->isEnabled());
  dialog->findChild<QSpinBox*>(QStringLiteral("repeat"))->setValue(300);  // more than the most runs
  EXPECT_GE(dialog->options().timing.max_repeats, 300);
  dialog->accept();
  EXPECT_EQ(session_->settings().options.timing.repeats, 300);
  EXPECT_EQ(settings_.timing().repeats, 300) << "kept for the next start";
  EXPECT_GE(settings_.timing().max_repeats, 300);
}

TEST_F(RunSettingsTest, TheToolBarLeadsThere) {
  QTest::mouseClick(part<QToolButton>("search-limits"), Qt::LeftButton);
  QTest::mouseClick(part<QPushButton>("all-settings"), Qt::LeftButton);
  EXPECT_NE(window_->findChild<RunSettingsDialog*>(), nullptr);
}

// The window with devices that measure and compute, and with imported models.

QString inspector_text(const QTableView& table) {
  QStringList lines;
  for (int row = 0; row < table.model()->rowCount(); ++row) {
    lines << table.model()->index(row, 0).data().toString() + QStringLiteral("=") +
                 table.model()->index(row, 1).data().toString();
  }
  return lines.join(QLatin1Char('\n'));
}

TEST_F(WindowTest, AMeasuringDeviceIsMarked) {
  open(QStringLiteral("sample"));
  choose("fake-computer");
  QCoreApplication::processEvents();
  optimize();
  const auto labels = window_->findChildren<QLabel*>();
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->text() == QStringLiteral("MEASURED HERE") && label->isVisible();
  }));
}

TEST_F(WindowTest, TimingThatAUserWroteIntoTheFileIsKeptInBounds) {
  TimingOptions timing{.warmup = -3, .repeats = 0, .max_repeats = -1, .precision = 1e9};
  settings_.setTiming(timing);
  const TimingOptions read = settings_.timing();
  EXPECT_EQ(read.warmup, 0);
  EXPECT_EQ(read.repeats, 1);
  EXPECT_GE(read.max_repeats, 1);
  EXPECT_LE(read.precision, 0.5);
}

TEST_F(WindowTest, VerifySaysWhetherAScheduleComputesTheSame) {
  const Actions& actions = window_->actionsOfWindow();
  open(QStringLiteral("sample"));
  EXPECT_FALSE(actions["verify"]->isEnabled());
  EXPECT_TRUE(actions["verify"]->toolTip().contains("simulates")) << actions["verify"]->toolTip().toStdString();
  choose("fake-computer");
  open(QStringLiteral("sample"));
  session_->setActiveSchedule(ScheduleId("greedy"));
  ASSERT_TRUE(actions["verify"]->isEnabled());
  actions["verify"]->trigger();
  idle();
  EXPECT_FALSE(window_->messages().showsError());
  EXPECT_TRUE(window_->messages().text().contains("Greedy computes the same"))
      << window_->messages().text().toStdString();
  EXPECT_TRUE(inspector_text(*table("inspector-table")).contains("Verdict=passed"));
  session_->setActiveSchedule(ScheduleId("sequential"));
  EXPECT_FALSE(inspector_text(*table("inspector-table")).contains("Verdict"));

  session_->setActiveSchedule(ScheduleId("greedy"));
  behaviour_->wrong = true;
  actions["verify"]->trigger();
  idle();
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_TRUE(inspector_text(*table("inspector-table")).contains("Verdict=FAILED"));
}

TEST_F(WindowTest, DocksAndTablesSpeakOfBusyCores) {
  choose("fake-computer");
  open(QStringLiteral("sample"));

  EXPECT_TRUE(part<QDockWidget>("stages")->windowTitle().endsWith("(measured)"));
  EXPECT_EQ(must(window_->views().why()->panel())->plots[2].title, "Busy cores");
}

TEST_F(WindowTest, DevicesThatAreNotThereSayWhy) {
  auto* box = part<QComboBox>("device");
  const int row = box->findData(QStringLiteral("absent"));
  ASSERT_GE(row, 0);
  EXPECT_FALSE(qobject_cast<QStandardItemModel*>(box->model())->item(row)->isEnabled());
  EXPECT_EQ(box->itemText(row), "Absent (not available)");
  // Rich text, because plain text is not broken into lines.
  EXPECT_EQ(box->itemData(row, Qt::ToolTipRole).toString(), "<p>buy one &lt;here&gt;</p>");
  EXPECT_EQ(box->itemData(row, Qt::AccessibleDescriptionRole).toString(), "buy one <here>");
}

TEST_F(WindowTest, WarningsOfAnImportOutliveTheComparisonThatFollows) {
  open(QStringLiteral("warned"));
  ASSERT_TRUE(session_->comparison());
  EXPECT_FALSE(window_->messages().showsError());
  EXPECT_EQ(window_->messages().text(), "first\nsecond\nthird\nfourth\nand 1 more");
  optimize();
  EXPECT_TRUE(window_->messages().text().isEmpty()) << window_->messages().text().toStdString();
}

TEST_F(WindowTest, TheNetworkIsWrittenAsOnnx) {
  open(QStringLiteral("sample"));
  const QString file = path("sample.onnx");
  window_->exports().exportAs(*find_export("onnx"), file);
  EXPECT_TRUE(jobs_->busy());
  idle();
  EXPECT_TRUE(window_->messages().text().contains("Wrote")) << window_->messages().text().toStdString();
  EXPECT_GT(QFile(file).size(), 1000);
  window_->exports().exportAs(*find_export("onnx"), path("no/such/folder/x.onnx"));
  idle();
  EXPECT_TRUE(window_->messages().showsError());
}

TEST_F(WindowTest, TheNetworkIsWrittenAsTheShownScheduleRunsIt) {
  open(QStringLiteral("sample"));
  ASSERT_TRUE(session_->comparison());
  EXPECT_TRUE(window_->actionsOfWindow()["export-scheduled-onnx"]->isEnabled());
  const QString file = path("scheduled.onnx");
  window_->exports().exportAs(*find_export("scheduled-onnx"), file);
  EXPECT_TRUE(jobs_->busy());
  idle();
  EXPECT_TRUE(window_->messages().text().contains("Wrote")) << window_->messages().text().toStdString();
  QFile model(file);
  ASSERT_TRUE(model.open(QIODevice::ReadOnly));
  EXPECT_TRUE(model.readAll().contains("iosx-onnx-schedule"));
  window_->exports().exportAs(*find_export("scheduled-onnx"), path("no/such/folder/x.onnx"));
  idle();
  EXPECT_TRUE(window_->messages().showsError());
}

TEST_F(WindowTest, TheShownScheduleIsWrittenAsAPytorchPackage) {
  open(QStringLiteral("sample"));
  ASSERT_TRUE(session_->comparison());
  EXPECT_TRUE(window_->actionsOfWindow()["export-pytorch"]->isEnabled());
  const QString folder = path("package");
  window_->exports().exportAs(*find_export("pytorch"), folder);
  EXPECT_TRUE(jobs_->busy());
  idle();
  EXPECT_TRUE(window_->messages().text().contains("Wrote")) << window_->messages().text().toStdString();
  QFile network(folder + QStringLiteral("/network.py"));
  ASSERT_TRUE(network.open(QIODevice::ReadOnly));
  const Comparison& comparison = *session_->comparison();
  const std::string shown = comparison.results[session_->activeSchedule()].name();
  EXPECT_TRUE(network.readAll().contains(("with the schedule " + shown + ":").c_str()));
  QFile(path("file")).open(QIODevice::WriteOnly);
  window_->exports().exportAs(*find_export("pytorch"), path("file"));
  idle();
  EXPECT_TRUE(window_->messages().showsError());
}

}  // namespace

}  // namespace iosx
