// The window with devices that measure and compute, and with imported models.
#include <QAbstractItemView>
#include <QAction>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardItemModel>
#include <QToolButton>

#include "tests/gui/window_fixture.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

using test::WindowTest;

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
  jobs_->optimize();
  idle();
  const auto labels = window_->findChildren<QLabel*>();
  EXPECT_TRUE(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
    return label->text() == QStringLiteral("MEASURED") && label->isVisible();
  }));
}

TEST_F(WindowTest, TimingThatAUserWroteIntoTheFileIsKeptInBounds) {
  TimingOptions timing;
  timing.warmup = -3;
  timing.repeats = 0;
  timing.max_repeats = -1;
  timing.precision = 1e9;
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
  EXPECT_TRUE(actions["verify"]->toolTip().contains(QStringLiteral("simulates")))
      << actions["verify"]->toolTip().toStdString();
  choose("fake-computer");
  open(QStringLiteral("sample"));
  session_->setActiveSchedule(ScheduleId("greedy"));
  ASSERT_TRUE(actions["verify"]->isEnabled());
  actions["verify"]->trigger();
  idle();
  EXPECT_FALSE(window_->messages().showsError());
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("Greedy computes the same")))
      << window_->messages().text().toStdString();
  EXPECT_TRUE(inspector_text(*table("inspector-table")).contains(QStringLiteral("Verdict=passed")));
  session_->setActiveSchedule(ScheduleId("sequential"));
  EXPECT_FALSE(inspector_text(*table("inspector-table")).contains(QStringLiteral("Verdict")));

  session_->setActiveSchedule(ScheduleId("greedy"));
  behaviour_->wrong = true;
  actions["verify"]->trigger();
  idle();
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_TRUE(inspector_text(*table("inspector-table")).contains(QStringLiteral("Verdict=FAILED")));
}

TEST_F(WindowTest, DocksAndTablesSpeakOfBusyCores) {
  choose("fake-computer");
  open(QStringLiteral("sample"));
  EXPECT_EQ(window_->findChild<QDockWidget*>(QStringLiteral("timeline"))->windowTitle(),
            QStringLiteral("Timeline and busy cores"));
  EXPECT_TRUE(
      window_->findChild<QDockWidget*>(QStringLiteral("stages"))->windowTitle().endsWith(QStringLiteral("(measured)")));
  EXPECT_EQ(window_->views().utilization()->plot().rows().front().unit, QStringLiteral("cores"));
}

TEST_F(WindowTest, DevicesThatAreNotThereSayWhy) {
  auto* box = window_->findChild<QComboBox*>(QStringLiteral("device"));
  const int row = box->findData(QStringLiteral("absent"));
  ASSERT_GE(row, 0);
  EXPECT_FALSE(qobject_cast<QStandardItemModel*>(box->model())->item(row)->isEnabled());
  EXPECT_EQ(box->itemText(row), QStringLiteral("Absent (not available)"));
  // Rich text, because plain text is not broken into lines.
  EXPECT_EQ(box->itemData(row, Qt::ToolTipRole).toString(), QStringLiteral("<p>buy one &lt;here&gt;</p>"));
  EXPECT_EQ(box->itemData(row, Qt::AccessibleDescriptionRole).toString(), QStringLiteral("buy one <here>"));
}

TEST_F(WindowTest, WarningsOfAnImportOutliveTheComparisonThatFollows) {
  open(QStringLiteral("warned"));
  ASSERT_TRUE(session_->comparison());
  EXPECT_FALSE(window_->messages().showsError());
  EXPECT_EQ(window_->messages().text(), QStringLiteral("first\nsecond\nthird\nfourth\nand 1 more"));
  jobs_->optimize();
  idle();
  EXPECT_TRUE(window_->messages().text().isEmpty()) << window_->messages().text().toStdString();
}

TEST_F(WindowTest, TheNetworkIsWrittenAsOnnx) {
  open(QStringLiteral("sample"));
  const QString file = path("sample.onnx");
  window_->exports().exportAs(*find_export("onnx"), file);
  EXPECT_TRUE(jobs_->busy());
  idle();
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("Wrote"))) << window_->messages().text().toStdString();
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
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("Wrote"))) << window_->messages().text().toStdString();
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
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("Wrote"))) << window_->messages().text().toStdString();
  QFile network(folder + QStringLiteral("/network.py"));
  ASSERT_TRUE(network.open(QIODevice::ReadOnly));
  const Comparison& comparison = *session_->comparison();
  const std::string& shown = comparison.results[session_->activeSchedule()].schedule.name;
  EXPECT_TRUE(network.readAll().contains(("with the schedule " + shown + ":").c_str()));
  QFile(path("file")).open(QIODevice::WriteOnly);
  window_->exports().exportAs(*find_export("pytorch"), path("file"));
  idle();
  EXPECT_TRUE(window_->messages().showsError());
}

}  // namespace
}  // namespace iosx
