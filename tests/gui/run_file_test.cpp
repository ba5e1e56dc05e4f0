#include <QAction>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QUrl>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "app/gui/report.h"
#include "core/analysis/compare/report.h"
#include "core/documents/run_file/run_file.h"
#include "core/formats/schedule_file.h"
#include "core/model/schedule/baselines.h"
#include "tests/gui/window_fixture.h"
#include "views/canvas/graph_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/text/latency_text.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/status_bar.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

using test::WindowTest;

class RunFileWindowTest : public WindowTest {
 protected:
  // Compares the sample network with batch 4 and saves that; then something else is open.
  void SetUp() override {
    RunSettings settings = session_->settings();
    settings.options.batch = 4;
    settings.options.search.pruning = {2, 5};
    session_->setSettings(settings);
    open(QStringLiteral("sample"));
    ASSERT_TRUE(session_->comparison());
    saved_ = comparison_json(*session_->comparison());
    title_ = window_->windowTitle();
    rows_ = stage_rows();
    window_->exports().saveRun(file_);
    idle();
    EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("sample.iosrun")))
        << window_->messages().text().toStdString();
    settings.options.batch = 1;
    settings.options.search.pruning = {3, 8};
    session_->setSettings(settings);
    open(QStringLiteral("squeezenet"));
  }

  QStringList stage_rows() {
    const auto* model = table("stages-table")->model();
    QStringList rows;
    for (int row = 0; row < model->rowCount(); ++row) {
      for (int column = 0; column < model->columnCount(); ++column) {
        rows << model->index(row, column).data().toString();
      }
    }
    return rows;
  }

  QString file_ = path("sample.iosrun");
  nlohmann::ordered_json saved_;
  QString title_;
  QStringList rows_;
};

TEST_F(RunFileWindowTest, ShowsEverythingItShowedAndSaysWhereItWasRecorded) {
  open(file_);
  EXPECT_EQ(comparison_json(*session_->comparison()), saved_);
  ASSERT_NE(session_->recorded(), nullptr);
  EXPECT_EQ(session_->recorded()->network.source, "sample");
  EXPECT_EQ(table("schedules-table")->model()->rowCount(), 7);
  EXPECT_EQ(stage_rows(), rows_);
  std::set<std::size_t> shown{session_->activeSchedule()};
  for (const std::size_t result : default_results(*session_->comparison())) shown.insert(result);
  EXPECT_EQ(window_->views().timeline()->shownSchedules().size(), shown.size());
  EXPECT_FALSE(window_->views().utilization()->plot().rows().empty());
  EXPECT_EQ(session_->settings().options.batch, 4);
  EXPECT_EQ(session_->settings().options.search.pruning.r, 2U);
  ASSERT_TRUE(QTest::qWaitFor([this] { return window_->views().graph()->layoutShown() != nullptr; }, 20000));

  const QString mark = QString::fromStdString(recorded_text(*session_->recorded()).text());
  EXPECT_TRUE(mark.startsWith(QStringLiteral("recorded on ")));
  EXPECT_TRUE(window_->windowTitle().contains(QString::fromStdString(session_->comparison()->recorded.text())))
      << window_->windowTitle().toStdString();
  const auto* state = window_->findChild<StateLine*>(QStringLiteral("state-line"));
  EXPECT_TRUE(state->text().contains(mark)) << state->text().toStdString();
  EXPECT_FALSE(window_->actionsOfWindow()["verify"]->isEnabled());
  EXPECT_TRUE(settings_.recentFiles().contains(file_));
}

TEST_F(RunFileWindowTest, IsRunHereByOptimize) {
  open(file_);
  window_->actionsOfWindow()["optimize"]->trigger();
  idle();
  EXPECT_EQ(session_->recorded(), nullptr);
  EXPECT_TRUE(session_->upToDate());
  EXPECT_EQ(window_->windowTitle(), title_);
  EXPECT_EQ(session_->comparison()->batch, 4);
}

TEST_F(RunFileWindowTest, IsOpenedByDrop) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file_)});
  QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  // Not through QApplication, which delivers a drop only after a drag that it has seen.
  static_cast<QObject&>(*window_).event(&drop);
  idle();
  EXPECT_NE(session_->recorded(), nullptr);
}

TEST_F(RunFileWindowTest, CanBeSavedAgainAsItIs) {
  open(file_);
  window_->exports().saveRun(path("again.iosrun"));
  idle();
  const auto first = open_run(file_.toStdString());
  const auto second = open_run(path("again.iosrun").toStdString());
  ASSERT_TRUE(first && second);
  EXPECT_EQ(run_to_bytes(*first), run_to_bytes(*second));
}

TEST_F(RunFileWindowTest, KeepsSchedulesFromFiles) {
  open(QStringLiteral("sample"));
  const Graph& graph = *session_->document().graph;
  const QString mine = path("mine.json");
  std::ofstream(mine.toStdString()) << schedule_to_json(graph, greedy_schedule(graph));
  open(mine);
  ASSERT_NE(session_->comparison()->find(ScheduleKind::kFile), nullptr);
  window_->exports().saveRun(file_);
  idle();
  open(QStringLiteral("squeezenet"));
  open(file_);
  EXPECT_NE(session_->comparison()->find(ScheduleKind::kFile), nullptr);
  jobs_->optimize();
  idle();
  EXPECT_NE(session_->comparison()->find(ScheduleKind::kFile), nullptr);
}

TEST_F(RunFileWindowTest, WithoutItsWeightsIsNotExportedAsANetwork) {
  auto run = open_run(file_.toStdString());
  ASSERT_TRUE(run);
  run->own_weights = true;
  run->network.source = "elsewhere.onnx";
  ASSERT_TRUE(save_run(*run, file_.toStdString()));
  open(file_);
  QAction* action = window_->actionsOfWindow()["export-onnx"];
  EXPECT_FALSE(action->isEnabled());
  EXPECT_TRUE(action->toolTip().contains(QStringLiteral("weights")));
  jobs_->optimize();
  idle();
  EXPECT_FALSE(action->isEnabled());  // the network is still the run's
  open(QStringLiteral("sample"));
  EXPECT_TRUE(action->isEnabled());
  EXPECT_FALSE(action->toolTip().contains(QStringLiteral("made-up")));
}

TEST_F(RunFileWindowTest, ThatIsDamagedLeavesEverythingAsItWas) {
  QFile file(file_);
  ASSERT_TRUE(file.resize(file.size() / 2));
  const auto comparison = session_->comparison();
  open(file_);
  EXPECT_EQ(session_->comparison(), comparison);
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("damaged")))
      << window_->messages().text().toStdString();
}

TEST_F(RunFileWindowTest, ReportsSayWhereItWasRecorded) {
  auto run = open_run(file_.toStdString());
  ASSERT_TRUE(run);
  const std::string mark = run->comparison.recorded.text();
  ASSERT_EQ(recorded_text(*run), mark + ", " + run->comparison.device.name);
  std::ostringstream notes;
  const std::filesystem::path folder = path("report").toStdString();
  ASSERT_TRUE(make_report_folder(folder));
  const auto written = write_report(std::make_shared<const Comparison>(std::move(run->comparison)), folder, notes);
  ASSERT_TRUE(written) << written.error().text();
  std::ifstream table(folder / "comparison.txt");
  const std::string text{std::istreambuf_iterator<char>(table), {}};
  EXPECT_NE(text.find(mark), std::string::npos) << text;
  std::ifstream json(folder / "comparison.json");
  EXPECT_EQ(nlohmann::json::parse(json)["recorded"], mark);
  int figures = 0;
  for (const std::string& file : *written) {
    if (!file.ends_with(".svg")) continue;
    ++figures;
    std::ifstream figure(file);
    const std::string words{std::istreambuf_iterator<char>(figure), {}};
    EXPECT_NE(words.find(mark), std::string::npos) << file;
  }
  EXPECT_EQ(figures, 11);
}

}  // namespace
}  // namespace iosx
