#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <nlohmann/json.hpp>
#include <sstream>

#include "app/gui/report.h"
#include "core/formats/document.h"
#include "tests/gui/window_fixture.h"
#include "views/canvas/graph_view.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/views.h"

namespace iosx {
namespace {

using nlohmann::json;
using test::WindowTest;

QByteArray content(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

class ExportTest : public WindowTest {
 protected:
  void SetUp() override {
    open(QStringLiteral("sample"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->views().graph()->layoutShown() != nullptr; }, 20000));
  }
};

TEST_F(ExportTest, SchedulesInEveryFormat) {
  ExportMenu& exports = window_->exports();
  const Comparison& comparison = *session_->comparison();
  session_->setActiveSchedule(comparison.find(ScheduleKind::kIosBoth)->id);
  ASSERT_TRUE(exports.exportAs(*find_export("iosx"), path("s.json")));
  EXPECT_EQ(json::parse(content(path("s.json")).toStdString())["format"], "iosx-schedule");
  ASSERT_TRUE(exports.exportAs(*find_export("ios"), path("s.ios.json")));
  EXPECT_TRUE(load_document(path("s.ios.json").toStdString()));
  ASSERT_TRUE(exports.exportAs(*find_export("csv"), path("s.csv")));
  EXPECT_TRUE(content(path("s.csv")).startsWith("stage,"));
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("s.csv")));

  // The original's JSON cannot say what runs without stages.
  ASSERT_TRUE(comparison.find(ScheduleKind::kList)->lanes);
  session_->setActiveSchedule(comparison.find(ScheduleKind::kList)->id);
  ASSERT_TRUE(exports.exportAs(*find_export("iosx"), path("l.json")));
  EXPECT_EQ(json::parse(content(path("l.json")).toStdString())["version"], 2);
  ASSERT_TRUE(exports.exportAs(*find_export("csv"), path("l.csv")));
  EXPECT_TRUE(content(path("l.csv")).startsWith("launch,lane,"));
  EXPECT_FALSE(exports.exportAs(*find_export("ios"), path("l.ios.json")));
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("this schedule has none")));
}

TEST_F(ExportTest, FiguresInEveryFormat) {
  window_->setMode(Mode::kEditGraph);  // for the drawing
  window_->setMode(Mode::kExplore);
  lookAtSweep();
  for (const FigureKind kind : kFigureKinds) {
    for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
      const QString file =
          path("figure") + QString::number(static_cast<int>(kind)) + QLatin1Char('.') + QString::fromLatin1(suffix);
      ASSERT_TRUE(window_->exports().exportFigure(kind, file)) << window_->messages().text().toStdString();
      EXPECT_GT(QFileInfo(file).size(), 40) << file.toStdString();
    }
  }
  EXPECT_TRUE(content(path("figure0.pdf")).startsWith("%PDF"));
  EXPECT_FALSE(QImage(path("figure1.png")).isNull());
}

TEST_F(ExportTest, ChromeTrace) {
  ASSERT_TRUE(window_->exports().exportAs(*find_export("trace"), path("trace.json")));
  EXPECT_FALSE(json::parse(content(path("trace.json")).toStdString())["traceEvents"].empty());
}

TEST_F(ExportTest, FailuresAreSaidAndWriteNothing) {
  EXPECT_FALSE(window_->exports().exportFigure(FigureKind::kTimeline, path("figure.docx")));
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_FALSE(QFileInfo::exists(path("figure.docx")));
  EXPECT_FALSE(window_->exports().exportAs(*find_export("trace"), path("no/such/folder/trace.json")));
  EXPECT_TRUE(window_->messages().showsError());
}

TEST_F(ExportTest, ReportWritesEverything) {
  std::ostringstream notes;
  const std::filesystem::path folder = path("report").toStdString();
  ASSERT_TRUE(make_report_folder(folder));
  const auto written = write_report(session_->comparison(), folder, notes);
  ASSERT_TRUE(written) << written.error().text();
  EXPECT_EQ(notes.str(), "");
  // comparison.json and .txt, schedules.csv, stages.csv, trace.json, report.html; 5 schedules × 2 formats; 11 figures ×
  // 4 formats.
  EXPECT_EQ(written->size(), 6U + 12U + 44U);
  for (const std::string& file : *written) EXPECT_GT(std::filesystem::file_size(file), 40U) << file;
  const json comparison = json::parse(content(path("report/comparison.json")).toStdString());
  EXPECT_EQ(comparison["origin"], "simulated");
  EXPECT_EQ(comparison["schedules"].size(), 7U);
}

TEST_F(ExportTest, ReportIntoAFileFails) {
  QFile file(path("taken"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  const auto made = make_report_folder(path("taken").toStdString());
  ASSERT_FALSE(made);
  EXPECT_NE(made.error().text().find("taken"), std::string::npos);
  std::ostringstream notes;
  const auto written = write_report(session_->comparison(), path("taken/below").toStdString(), notes);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().text().find("taken"), std::string::npos);
}

}  // namespace
}  // namespace iosx
