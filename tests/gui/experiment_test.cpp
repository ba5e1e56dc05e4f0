// The window's menu of experiments.
#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalSpy>

#include <gmock/gmock.h>

#include "tests/gui/window_fixture.h"
#include "views/window/dialogs/experiment_dialog.h"
#include "views/window/dialogs/experiment_results.h"

namespace iosx {
namespace {

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
    EXPECT_TRUE(result->windowTitle().contains(QStringLiteral("sample, simulated Tesla V100"))) << row.id;
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
  ExperimentDialog* const dialog = ask(ExperimentKind::kBatches);
  ASSERT_NE(dialog, nullptr);
  auto* const line = dialog->findChild<QLineEdit*>(QStringLiteral("batches"));
  EXPECT_EQ(line->text(), QStringLiteral("1, 32, 128"));
  for (const char* wrong : {"", "4", "4, 4", "0, 2", "two, 4", "1,,2", "1, 70000"}) {
    line->setText(QString::fromLatin1(wrong));
    EXPECT_FALSE(run_button(dialog)->isEnabled()) << wrong;
  }
  line->setText(QStringLiteral(" 2 ,8"));
  EXPECT_TRUE(run_button(dialog)->isEnabled());
  EXPECT_EQ(dialog->request().batches, (std::vector<std::int64_t>{2, 8}));
}

TEST_F(ExperimentTest, ChecksTheChosenDeviceAndTheNext) {
  ExperimentDialog* const dialog = ask(ExperimentKind::kDevices);
  ASSERT_NE(dialog, nullptr);
  EXPECT_EQ(dialog->request().devices, (std::vector<std::string>{"tesla-v100", "tesla-k80"}));
  auto* const list = dialog->findChild<QListWidget*>(QStringLiteral("devices"));
  EXPECT_TRUE(list->findItems(QStringLiteral("Absent"), Qt::MatchContains).empty());
  list->item(0)->setCheckState(Qt::Unchecked);
  EXPECT_FALSE(run_button(dialog)->isEnabled());
}

TEST_F(ExperimentTest, OfPruningTakesLimits) {
  ExperimentDialog* const dialog = ask(ExperimentKind::kPruning);
  ASSERT_NE(dialog, nullptr);
  dialog->findChild<QLineEdit*>(QStringLiteral("r"))->setText(QStringLiteral("0, 2"));
  EXPECT_EQ(dialog->request().r, (std::vector<std::size_t>{0, 2}));
  EXPECT_EQ(dialog->request().s, (std::vector<std::size_t>{3, 8}));
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
  auto* const python = dialog->findChild<QLineEdit*>(QStringLiteral("python"));
  ASSERT_NE(python, nullptr);
  EXPECT_EQ(python->text(), QStringLiteral("python3"));
  python->clear();
  EXPECT_FALSE(run_button(dialog)->isEnabled());
  python->setText(QStringLiteral(" python3 "));
  auto* const engines = dialog->findChild<QLineEdit*>(QStringLiteral("engines"));
  engines->setText(QStringLiteral(" ncnn, ,openvino"));
  EXPECT_EQ(dialog->request().engines.python, "python3");
  EXPECT_THAT(dialog->request().engines.chosen, testing::ElementsAre("ncnn", "openvino"));
  engines->clear();  // those two alone would be refused: they run on no such device
  run_button(dialog)->click();
  ExperimentWindow* const result = shown();
  ASSERT_NE(result, nullptr) << window_->messages().text().toStdString();
  EXPECT_TRUE(result->windowTitle().contains(QStringLiteral("measured Fake computer")))
      << result->windowTitle().toStdString();
  EXPECT_GE(result->findChild<QTableView*>()->model()->rowCount(), 4);
  EXPECT_TRUE(result->exportFigure(path("figure.svg")));
}

// The device's own measurements, under the origin that it has.
TEST_F(ExperimentTest, OnADeviceThatMeasuresSaysSo) {
  choose("fake-computer");
  action(ExperimentKind::kSchedules)->trigger();
  ExperimentWindow* const result = shown();
  ASSERT_NE(result, nullptr) << window_->messages().text().toStdString();
  EXPECT_TRUE(result->windowTitle().contains(QStringLiteral("measured")));
  EXPECT_FALSE(result->windowTitle().contains(QStringLiteral("simulated")));
}

}  // namespace
}  // namespace iosx
