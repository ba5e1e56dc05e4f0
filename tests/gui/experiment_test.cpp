// The window's menu of experiments.

#include <qcustomplot.h>

#include "core/analysis/compare/report.h"
#include "core/model/graph/networks.h"
#include "tests/gui/window_fixture.h"
#include "tests/support/prelude.h"
#include "views/explore/sweep/sweep_view.h"
#include "views/text/latency_text.h"
#include "views/window/dialogs/experiment_dialogs.h"
#include "views/window/panels/views.h"
#include "views/window/shell/graph_editing.h"

namespace iosx {
namespace {

using test::WindowTest;

class ExperimentTest : public test::WindowTest {
 protected:
  void SetUp() override {
    choose("tesla-v100");
    open(QStringLiteral("sample"));
  }

  QAction* action(ExperimentKind kind) {
    return window_->actionsOfWindow().of("experiments").at(static_cast<std::size_t>(kind));
  }
  ExperimentDialog* ask(ExperimentKind kind) {
    action(kind)->trigger();
    return window_->findChild<ExperimentDialog*>();
  }
  QPushButton* run_button(ExperimentDialog* dialog) {
    for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
      if (button->isDefault()) return button;
    }
    return nullptr;
  }
  ExperimentWindow* shown() {
    idle();
    return window_->findChild<ExperimentWindow*>();
  }
};

TEST_F(ExperimentTest, OfEveryKindRunsAndShowsFigureAndTable) {
  for (const ExperimentRow& row : experiment_table()) {
    if (row.kind == ExperimentKind::kFrameworks) continue;  // runs on a device that computes: see below
    if (has_choice(row.kind)) {
      run_button(ask(row.kind))->click();
    } else {
      action(row.kind)->trigger();
    }
    ExperimentWindow* const result = shown();
    ASSERT_NE(result, nullptr) << row.id << window_->messages().text().toStdString();
    EXPECT_TRUE(result->windowTitle().contains("sample, simulated Tesla V100")) << row.id;
    EXPECT_GE(result->findChild<QTableView*>()->model()->rowCount(), 2) << row.id;
    const QString figure = path("figure.svg");
    EXPECT_TRUE(result->exportFigure(figure)) << row.id;
    EXPECT_GT(QFile(figure).size(), 1000) << row.id;
    EXPECT_TRUE(result->exportTable(path("table.csv"))) << row.id;
    EXPECT_FALSE(result->exportTable(path("no such folder/table.csv"))) << row.id;
    delete result;
    delete window_->findChild<ExperimentDialog*>();
  }
}

TEST_F(ExperimentTest, AsksOnlyForWhatCanBeRun) {
  ExperimentDialog* const dialog = must(ask(ExperimentKind::kBatches));
  auto* const line = dialog->findChild<QLineEdit*>(QStringLiteral("batches"));
  EXPECT_EQ(line->text(), "1, 32, 128");
  for (const char* wrong : {"", "4", "4, 4", "0, 2", "two, 4", "1,,2", "1, 70000"}) {
    line->setText(QString::fromLatin1(wrong));
    EXPECT_FALSE(run_button(dialog)->isEnabled()) << wrong;
  }
  line->setText(QStringLiteral(" 2 ,8"));
  EXPECT_TRUE(run_button(dialog)->isEnabled());
  EXPECT_EQ(dialog->request().options.batches, (std::vector<std::int64_t>{2, 8}));
}

TEST_F(ExperimentTest, ChecksTheChosenDeviceAndTheNext) {
  ExperimentDialog* const dialog = must(ask(ExperimentKind::kDevices));
  EXPECT_EQ(dialog->request().devices, (std::vector<std::string>{"tesla-v100", "tesla-k80"}));
  auto* const list = dialog->findChild<QListWidget*>(QStringLiteral("devices"));
  EXPECT_TRUE(list->findItems(QStringLiteral("Absent"), Qt::MatchContains).empty());
  list->item(0)->setCheckState(Qt::Unchecked);
  EXPECT_FALSE(run_button(dialog)->isEnabled());
}

TEST_F(ExperimentTest, OfPruningTakesLimits) {
  ExperimentDialog* const dialog = must(ask(ExperimentKind::kPruning));
  dialog->findChild<QLineEdit*>(QStringLiteral("r"))->setText(QStringLiteral("0, 2"));
  EXPECT_EQ(dialog->request().options.r, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(dialog->request().options.s, (std::vector<std::size_t>{3, 8}));
  dialog->findChild<QLineEdit*>(QStringLiteral("s"))->clear();
  EXPECT_FALSE(run_button(dialog)->isEnabled());
}

TEST_F(ExperimentTest, WaitsForTheRunningJob) {
  jobs_->optimize();
  QSignalSpy ended(jobs_.get(), &Jobs::experimentEnded);
  jobs_->experiment({.kind = ExperimentKind::kSchedules});
  EXPECT_EQ(jobs_->runner().waiting().size(), 1U);
  EXPECT_TRUE(action(ExperimentKind::kSearch)->isEnabled());
  idle();
  EXPECT_EQ(ended.count(), 1);
}

TEST_F(ExperimentTest, ThatIsCancelledShowsWhatWasFinished) {
  open(QStringLiteral("nasnet"));
  action(ExperimentKind::kPruning)->trigger();
  run_button(window_->findChild<ExperimentDialog*>())->click();
  // The second search has begun, so the first one has ended.
  bool second = false;
  QObject::connect(jobs_.get(), &Jobs::progressed, window_.get(), [&](const Progress& progress) {
    second = second || progress.phase.text().find("(2 of 6)") != std::string::npos;
    if (second) jobs_->cancel();
  });
  ExperimentWindow* const result = shown();
  ASSERT_TRUE(second);
  ASSERT_NE(result, nullptr) << window_->messages().text().toStdString();
  EXPECT_LT(result->findChild<QTableView*>()->model()->rowCount(), 6);
}

// A simulated device is chosen, and engines compute: so it runs on the best one that does, too.
TEST_F(ExperimentTest, WithEnginesRunsOnADeviceThatComputes) {
  ExperimentDialog* const dialog = ask(ExperimentKind::kFrameworks);
  auto* const python = must(dialog->findChild<QLineEdit*>(QStringLiteral("python")));
  EXPECT_EQ(python->text(), "python3");
  python->clear();
  EXPECT_FALSE(run_button(dialog)->isEnabled());
  python->setText(QStringLiteral(" python3 "));
  auto* const engines = dialog->findChild<QLineEdit*>(QStringLiteral("engines"));
  engines->setText(QStringLiteral(" ncnn, ,openvino"));
  EXPECT_EQ(dialog->request().options.rivals.engines.python, "python3");
  EXPECT_THAT(dialog->request().options.rivals.engines.chosen, ElementsAre("ncnn", "openvino"));
  engines->clear();  // those two alone would be refused: they run on no such device
  run_button(dialog)->click();
  ExperimentWindow* const result = shown();
  ASSERT_NE(result, nullptr) << window_->messages().text().toStdString();
  EXPECT_TRUE(result->windowTitle().contains("measured Fake computer")) << result->windowTitle().toStdString();
  EXPECT_GE(result->findChild<QTableView*>()->model()->rowCount(), 4);
  EXPECT_TRUE(result->exportFigure(path("figure.svg")));
}

// The device's own measurements, under the origin that it has.
TEST_F(ExperimentTest, OnADeviceThatMeasuresSaysSo) {
  choose("fake-computer");
  action(ExperimentKind::kSchedules)->trigger();
  ExperimentWindow* const result = shown();
  ASSERT_NE(result, nullptr) << window_->messages().text().toStdString();
  EXPECT_TRUE(result->windowTitle().contains("measured"));
  EXPECT_FALSE(result->windowTitle().contains("simulated"));
}

// What if one thing were different: the tab of the drawer, with mouse and keys.

class SweepTest : public WindowTest {
 protected:
  void look() {
    QDockWidget* dock = part<QDockWidget>("sweep");
    dock->show();
    dock->raise();
  }
  // Until every value is there: then the state says nothing.
  bool done(int values) {
    return QTest::qWaitFor(
        [&] { return slider()->isEnabled() && slider()->maximum() == values - 1 && state().isEmpty(); },
        test::kSanitized ? 200000 : 30000);
  }
  void vary(SweepParameter parameter) {
    auto* box = part<QComboBox>("sweep-parameter");
    box->setFocus();
    while (box->currentIndex() != static_cast<int>(parameter)) {
      QTest::keyClick(box, box->currentIndex() < static_cast<int>(parameter) ? Qt::Key_Down : Qt::Key_Up);
    }
  }
  QSlider* slider() { return part<QSlider>("sweep-slider"); }
  QString state() { return part<QLabel>("sweep-state")->text(); }
  QString reading() { return part<QLabel>("sweep-reading")->text(); }
};

TEST_F(SweepTest, ReadsTheCurveValueByValueAndTakesOneOver) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  EXPECT_EQ(slider()->value(), 0);  // batch 1, as it is
  EXPECT_TRUE(reading().startsWith("Batch size: 1 – Sequential 0.498 ms, Greedy 0.355 ms (1.40×)"))
      << reading().toStdString();
  EXPECT_TRUE(part<QLabel>("sweep-finding")->text().startsWith("Concurrency "))
      << part<QLabel>("sweep-finding")->text().toStdString();
  auto* use = part<QPushButton>("sweep-use");
  EXPECT_FALSE(use->isEnabled());
  slider()->setFocus();
  QTest::keyClick(slider(), Qt::Key_Right);
  QTest::keyClick(slider(), Qt::Key_Right);
  EXPECT_TRUE(reading().startsWith("Batch size: 4 – ")) << reading().toStdString();
  ASSERT_TRUE(use->isEnabled());
  QTest::mouseClick(use, Qt::LeftButton);
  EXPECT_EQ(session_->settings().options.batch, 4);
  const RunSettings before = session_->settings();
  const auto take_last = [&](SweepParameter parameter) {
    vary(parameter);
    ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->isEnabled() && state().isEmpty(); }, 30000));
    slider()->setFocus();
    QTest::keyClick(slider(), slider()->value() == slider()->maximum() ? Qt::Key_Home : Qt::Key_End);
    ASSERT_TRUE(use->isEnabled());
    QTest::mouseClick(use, Qt::LeftButton);
  };
  take_last(SweepParameter::kR);
  EXPECT_FALSE(part<QLabel>("sweep-finding")->isVisible()) << "batch sizes alone have an end";
  EXPECT_NE(session_->settings().options.search.pruning.r, before.options.search.pruning.r);
  take_last(SweepParameter::kS);
  EXPECT_NE(session_->settings().options.search.pruning.s, before.options.search.pruning.s);
  take_last(SweepParameter::kDevice);
  EXPECT_NE(session_->settings().device, before.device);
  EXPECT_NE(window_->views().figure(FigureKind::kSweep), nullptr);
}

TEST_F(SweepTest, StaysWhileItsTabIsLeft) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  const QString before = reading();
  auto* stages = part<QDockWidget>("stages");
  stages->show();
  stages->raise();
  QTest::qWait(50);
  look();
  // Nothing begins anew, also not a little later.
  EXPECT_FALSE(QTest::qWaitFor([&] { return !state().isEmpty() || reading() != before; }, 400))
      << state().toStdString();
  // What has changed meanwhile is computed, with a busy sign.
  stages->raise();
  part<QSpinBox>("batch")->setValue(2);
  look();
  EXPECT_TRUE(QTest::qWaitFor([&] { return state().startsWith("Searching: "); }, 10000)) << state().toStdString();
  ASSERT_TRUE(done(8));
}

TEST_F(SweepTest, TheShownScheduleIsInFocus) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  auto* plot = must(slider()->parentWidget()->parentWidget()->findChild<QCustomPlot*>());
  const auto focused = [&] {  // the line that is drawn boldest
    const QCPGraph* boldest = plot->graph(0);
    for (int i = 1; i < plot->graphCount(); ++i) {
      if (plot->graph(i)->pen().widthF() > boldest->pen().widthF()) boldest = plot->graph(i);
    }
    return boldest->name();
  };
  for (const char* id : {"greedy", "ios-both", "sequential"}) {
    session_->setActiveSchedule(ScheduleId(id));
    EXPECT_EQ(focused(), schedule_title(session_->comparison()->results[session_->activeSchedule()]));
  }
}

TEST_F(SweepTest, NoParameterMakesTheWindowWider) {
  open(QStringLiteral("sample"));
  const QSize before = window_->size();
  look();
  ASSERT_TRUE(done(8));
  vary(SweepParameter::kInputSize);
  ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->isEnabled() && state().isEmpty(); }, 30000));
  QTest::qWait(100);  // for the plot and what follows it
  EXPECT_EQ(window_->size(), before);
  EXPECT_LE(window_->minimumSizeHint().width(), before.width());
  auto* view = part<SweepView>("sweep-view");
  for (QWidget* each = slider(); each != nullptr && view == nullptr; each = each->parentWidget()) {
    view = qobject_cast<SweepView*>(each);
  }
  ASSERT_NE(view, nullptr);
  EXPECT_TRUE(view->rect().contains(QRect(slider()->mapTo(view, QPoint(0, 0)), slider()->size())));
}

TEST_F(SweepTest, OfTheSelectedOperatorsKernel) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  vary(SweepParameter::kKernel);
  EXPECT_EQ(state(), "Select an operator on the canvas.");
  const ScheduleResult* sequential = session_->comparison()->find(ScheduleKind::kSequential);
  session_->setActiveSchedule(sequential->id);
  auto* stages = part<QDockWidget>("stages");
  stages->show();
  stages->raise();
  QTableView* rows = table("stages-table");
  QTest::mouseClick(rows->viewport(), Qt::LeftButton, {}, rows->visualRect(rows->model()->index(0, 0)).center());
  look();
  ASSERT_TRUE(done(4));
  EXPECT_EQ(part<QLabel>("sweep-operator")->text(), "sample.conv_a");
  auto* values = part<QLineEdit>("sweep-values");
  values->setFocus();
  QTest::keyClicks(values, QStringLiteral("1, 3, 99999999999, -5, x"));
  QTest::keyClick(values, Qt::Key_Return);
  ASSERT_TRUE(done(3));  // 1, 3 and 5: a sign is nothing between numbers
}

TEST_F(SweepTest, AKernelIsTakenIntoTheDrawingInOneStep) {
  open(QStringLiteral("sample"));
  look();
  ASSERT_TRUE(done(8));
  const auto before = session_->document().graph;
  const OperatorId conv = *before->find_operator("sample.conv_b");
  vary(SweepParameter::kKernel);
  UnitId unit;
  for (std::size_t i = 0; i < before->units().size(); ++i) {
    if (before->units()[i].name == "sample.conv_b") unit = UnitId(i);
  }
  window_->selection().select({{unit}, {}, {}, {}});
  ASSERT_TRUE(done(4));
  auto* use = part<QPushButton>("sweep-use");
  slider()->setFocus();
  QTest::keyClick(slider(), Qt::Key_End);
  ASSERT_TRUE(use->isEnabled());
  const std::int64_t wanted = 7;
  ASSERT_TRUE(reading().contains("Kernel size: 7")) << reading().toStdString();
  QTest::mouseClick(use, Qt::LeftButton);
  EXPECT_EQ(window_->mode(), Mode::kEditGraph);
  GraphController& controller = window_->graphEditing().controller();
  EXPECT_EQ(controller.undoText(), "Change sample.conv_b");
  ASSERT_EQ(controller.selected().size(), 1U);
  EXPECT_EQ(controller.graph().op(controller.selected().front()).name, "sample.conv_b");
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->document().graph != before; }));
  const Graph& now = *session_->document().graph;
  EXPECT_EQ(kernel_of(now, *now.find_operator("sample.conv_b")), wanted);
  EXPECT_NE(kernel_of(*before, conv), wanted);
  // As the sweep had it.
  EXPECT_TRUE(same_structure(now, must(with_kernel(*before, conv, wanted))));
  QTest::keyClick(window_.get(), Qt::Key_Z, Qt::ControlModifier);
  EXPECT_TRUE(controller.undoText().isEmpty()) << "one step";
  ASSERT_TRUE(QTest::qWaitFor([&] { return same_structure(*session_->document().graph, *before); }));
}

TEST_F(SweepTest, AnInputSizeAndChannelsAreTakenToo) {
  open(QStringLiteral("squeezenet"));
  look();
  vary(SweepParameter::kInputSize);
  ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->isEnabled(); }, 20000));
  auto* values = part<QLineEdit>("sweep-values");
  const std::int64_t present = input_size(*session_->document().graph);
  values->setFocus();
  QTest::keyClicks(values, QStringLiteral("%1 %2").arg(present).arg(present + 32));
  QTest::keyClick(values, Qt::Key_Return);
  ASSERT_TRUE(done(2));
  slider()->setFocus();
  QTest::keyClick(slider(), Qt::Key_End);
  QTest::mouseClick(part<QPushButton>("sweep-use"), Qt::LeftButton);
  GraphController& controller = window_->graphEditing().controller();
  EXPECT_FALSE(controller.undoText().isEmpty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return input_size(*session_->document().graph) == present + 32; }));
  controller.undo();
  EXPECT_TRUE(controller.undoText().isEmpty());
}

TEST_F(SweepTest, ADeviceThatMeasuresIsAskedByAButtonOnly) {
  choose("fake-computer");
  open(QStringLiteral("sample"));
  const int before = behaviour_->requests;
  look();
  ASSERT_TRUE(QTest::qWaitFor([&] { return state() == QStringLiteral("Some values were never measured."); }, 10000))
      << state().toStdString();
  EXPECT_EQ(behaviour_->requests, before);
  EXPECT_TRUE(reading().contains("not measured yet")) << reading().toStdString();
  auto* values = part<QLineEdit>("sweep-values");
  values->setFocus();
  QTest::keyClicks(values, QStringLiteral("1 2"));
  QTest::keyClick(values, Qt::Key_Return);
  auto* measure = part<QPushButton>("sweep-measure-now");
  ASSERT_TRUE(QTest::qWaitFor([&] { return slider()->maximum() == 1 && measure->isVisible(); }, 10000));
  QTest::mouseClick(measure, Qt::LeftButton);
  idle();
  EXPECT_GT(behaviour_->requests, before);
  EXPECT_FALSE(measure->isVisible());
  EXPECT_TRUE(reading().contains("Sequential")) << reading().toStdString();
}

TEST_F(SweepTest, NothingIsComputedWhileNobodyLooks) {
  open(QStringLiteral("sample"));
  QTest::qWait(400);
  EXPECT_EQ(window_->views().figure(FigureKind::kSweep), nullptr);
}

// Several networks on one device, in the window.

class SeveralNetworksWindowTest : public test::WindowTest {
 protected:
  void add(const char* letters) {
    window_->actionsOfWindow()["add-network"]->trigger();
    auto* typed = must(part<QLineEdit>("palette-typed"));
    QTest::keyClicks(typed, QString::fromLatin1(letters));
    QTest::keyClick(typed, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session_->source().contains(QLatin1Char('+')); }, 30000));
    idle();
  }
  std::vector<std::string> networks() const {
    const auto names = session_->document().graph->networks();
    return {names.begin(), names.end()};
  }
};

TEST_F(SeveralNetworksWindowTest, OneIsAddedToTheOneThatIsOpen) {
  EXPECT_FALSE(window_->actionsOfWindow()["add-network"]->isEnabled());
  open(QStringLiteral("sample"));
  EXPECT_TRUE(window_->actionsOfWindow()["add-network"]->isEnabled());
  add("add iossamp");
  EXPECT_EQ(session_->source(), "sample+sample");
  EXPECT_EQ(networks(), (std::vector<std::string>{"sample", "sample 2"}));
  ASSERT_TRUE(session_->comparison());
  EXPECT_NE(session_->comparison()->find(ScheduleKind::kSideBySide), nullptr);
  // Each one's own latency stands in the list of schedules and below the result.
  const auto* model = table("schedules-table")->model();
  QStringList heads;
  for (int column = 0; column < model->columnCount(); ++column) {
    heads << model->headerData(column, Qt::Horizontal).toString();
  }
  EXPECT_TRUE(heads.contains("sample 2\n[ms]")) << heads.join(QLatin1Char('|')).toStdString();
  EXPECT_TRUE(part<QLabel>("headline-detail")->text().contains("sample 2 "));
}

TEST_F(SeveralNetworksWindowTest, AreKeptByProjectsAndRuns) {
  open(QStringLiteral("sample"));
  add("add iossamp");
  const auto compared = comparison_json(*session_->comparison());
  jobs_->saveProject(path("both.iosproj"));
  jobs_->saveRun(path("both.iosrun"));
  idle();
  for (const char* const file : {"both.iosproj", "both.iosrun"}) {
    open(QStringLiteral("squeezenet"));
    open(path(file));
    if (file == std::string("both.iosproj")) {
      session_->showNetwork(session_->workspace().networks().back().id);
      EXPECT_EQ(session_->source(), "sample+sample");
    }
    EXPECT_EQ(networks(), (std::vector<std::string>{"sample", "sample 2"})) << file;
    ASSERT_TRUE(session_->comparison()) << file;
    EXPECT_EQ(comparison_json(*session_->comparison()), compared) << file;
  }
}

TEST_F(SeveralNetworksWindowTest, AreEditedAsOne) {
  open(QStringLiteral("sample"));
  add("add iossamp");
  window_->activateWindow();  // the palette had the keys
  ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
  QTest::keyClick(window_.get(), Qt::Key_2, Qt::ControlModifier);
  ASSERT_EQ(window_->mode(), Mode::kEditGraph);
  GraphController& controller = window_->graphEditing().controller();
  const std::string name = session_->document().graph->networks()[1] + "/sample.conv_b";
  const auto key = controller.graph().find_operator(name);
  ASSERT_TRUE(key) << name;
  EXPECT_EQ(controller.graph().op(*key).network, "sample 2");
  ASSERT_TRUE(controller.resize(SweepParameter::kKernel, QString::fromStdString(name), 5));
  const Graph* const edited = controller.built().get();
  EXPECT_TRUE(has_independent_networks(*edited));
  controller.undo();
  EXPECT_TRUE(has_independent_networks(*controller.built()));
}

TEST_F(SeveralNetworksWindowTest, AFailureNamesWhatWasToBeAdded) {
  open(QStringLiteral("sample"));
  jobs_->addNetwork(path("missing.onnx"));
  idle();
  EXPECT_EQ(session_->source(), "sample");
  EXPECT_TRUE(window_->messages().text().contains("missing.onnx"));
}

}  // namespace

}  // namespace iosx
