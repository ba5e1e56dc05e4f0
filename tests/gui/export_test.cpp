#include "app/gui/report.h"
#include "core/analysis/compare/report.h"
#include "core/model/schedule/baselines.h"
#include "tests/gui/window_fixture.h"
#include "views/canvas/graph_view.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/why_view.h"
#include "views/text/latency_text.h"
#include "views/window/dialogs/export_dialog.h"
#include "views/window/menus/export_menu.h"
#include "views/window/panels/status_bar.h"
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
  EXPECT_TRUE(window_->messages().text().contains("s.csv"));

  // The original's JSON cannot say what runs without stages.
  ASSERT_TRUE(comparison.find(ScheduleKind::kList)->lanes);
  session_->setActiveSchedule(comparison.find(ScheduleKind::kList)->id);
  ASSERT_TRUE(exports.exportAs(*find_export("iosx"), path("l.json")));
  EXPECT_EQ(json::parse(content(path("l.json")).toStdString())["version"], 2);
  ASSERT_TRUE(exports.exportAs(*find_export("csv"), path("l.csv")));
  EXPECT_TRUE(content(path("l.csv")).startsWith("launch,lane,"));
  EXPECT_FALSE(exports.exportAs(*find_export("ios"), path("l.ios.json")));
  EXPECT_TRUE(window_->messages().text().contains("this schedule has none"));
}

TEST_F(ExportTest, FiguresInEveryFormat) {
  window_->setMode(Mode::kEditGraph);  // for the drawing
  window_->setMode(Mode::kExplore);
  lookAtSweep();
  for (const FigureKind kind : kFigureKinds) {
    if (kind >= FigureKind::kRecording) break;  // without a recording
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
  const auto written = must(write_report(session_->comparison(), folder, notes));
  EXPECT_EQ(notes.str(), "");
  // comparison.json and .txt, schedules.csv, stages.csv, trace.json, report.html; 5 schedules × 2 formats; 12 figures ×
  // 4 formats.
  EXPECT_EQ(written.size(), 6U + 12U + 48U);
  for (const std::string& file : written) EXPECT_GT(std::filesystem::file_size(file), 40U) << file;
  const json comparison = json::parse(content(path("report/comparison.json")).toStdString());
  EXPECT_EQ(comparison["origin"], "simulated");
  EXPECT_EQ(comparison["schedules"].size(), 7U);
}

TEST_F(ExportTest, ReportIntoAFileFails) {
  QFile file(path("taken"));
  ASSERT_TRUE(file.open(QIODevice::WriteOnly));
  const Error error = refused(make_report_folder(path("taken").toStdString()));
  EXPECT_NE(error.text().find("taken"), std::string::npos);
  std::ostringstream notes;
  const Error written = refused(write_report(session_->comparison(), path("taken/below").toStdString(), notes));
  EXPECT_NE(written.text().find("taken"), std::string::npos);
}

using test::WindowTest;

class Sheet final : public Figure {
 public:
  QString title() const override { return QStringLiteral("sheet"); }
  QString fileStem() const override { return QStringLiteral("sheet"); }
  QSizeF size() const override { return {900, 300}; }
  void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
    painter.fillRect(area, theme.schedule(ColorRole::kBoth));
  }
  QString csv() const override { return QStringLiteral("a\n"); }
};

class ExportDialogTest : public testing::Test {
 protected:
  template <typename T>
  T* part(ExportDialog& dialog, const char* name) {
    return dialog.findChild<T*>(QString::fromLatin1(name));
  }

  Sheet sheet_;
};

TEST_F(ExportDialogTest, BeginsWithWhatWasChosenLast) {
  ExportDialog screen(sheet_, FigureExport{}, nullptr);
  EXPECT_EQ(screen.how(), FigureExport{});
  EXPECT_FALSE(part<QDoubleSpinBox>(screen, "figure-width")->isEnabled());
  const PaperFormat wide{.width_mm = 120, .font_points = 9, .png_dpi = 600};
  const FigureExport kept{FigureFormat::kPng, wide, true};
  EXPECT_EQ(ExportDialog(sheet_, kept, nullptr).how(), kept);
  const PaperFormat column{.width_mm = kDoubleColumnMm, .font_points = 7};
  ExportDialog preset(sheet_, {.paper = column}, nullptr);
  EXPECT_EQ(part<QComboBox>(preset, "figure-size")->currentIndex(), 2);
  EXPECT_EQ(preset.how().paper, column);
}

TEST_F(ExportDialogTest, KeysChooseAColumnAndASizeOfText) {
  ExportDialog dialog(sheet_, FigureExport{}, nullptr);
  dialog.show();
  auto* size = part<QComboBox>(dialog, "figure-size");
  size->setFocus();
  QTest::keyClick(size, Qt::Key_Down);
  ASSERT_TRUE(dialog.how().paper);
  EXPECT_EQ(dialog.how().paper->width_mm, kSingleColumnMm);
  auto* font = part<QDoubleSpinBox>(dialog, "figure-font");
  QTest::keyClick(font, Qt::Key_Up);
  EXPECT_EQ(dialog.how().paper->font_points, PaperFormat{}.font_points + 0.5);
  EXPECT_TRUE(part<QLabel>(dialog, "figure-note")->text().startsWith("84 mm wide"));
  EXPECT_FALSE(part<QLabel>(dialog, "figure-preview")->pixmap().isNull());
}

TEST_F(ExportDialogTest, OneDialogHasAllExports) {
  class Wide final : public Figure {
   public:
    QString title() const override { return QStringLiteral("Wide"); }
    QString fileStem() const override { return QStringLiteral("wide"); }
    QSizeF size() const override { return {400, 40}; }
    void paint(QPainter& painter, const QRectF& area, const Theme&) const override {
      painter.fillRect(area, Qt::black);
    }
    QString csv() const override { return {}; }
  } wide;
  ExportDialog alone(sheet_, FigureExport{}, nullptr);
  alone.show();
  EXPECT_FALSE(part<QTreeWidget>(alone, "export-what")->isVisible());
  const QString figures = QStringLiteral("Figures");
  const QString models = QStringLiteral("Models");
  ExportDialog dialog({{figures, QStringLiteral("Sheet"), &sheet_},
                       {figures, QStringLiteral("Wide"), &wide},
                       {models, QStringLiteral("ONNX"), nullptr, QStringLiteral("Writes a model.")},
                       {models, QStringLiteral("Film"), nullptr, QStringLiteral("Writes a film."),
                        QStringLiteral("ffmpeg is missing")}},
                      0, FigureExport{}, nullptr);
  dialog.show();
  auto* what = part<QTreeWidget>(dialog, "export-what");
  ASSERT_TRUE(what->isVisible());
  const QImage before = part<QLabel>(dialog, "figure-preview")->pixmap().toImage();
  what->setFocus();
  QTest::keyClick(what, Qt::Key_Down);
  EXPECT_EQ(dialog.chosen(), 1U);
  EXPECT_NE(part<QLabel>(dialog, "figure-preview")->pixmap().toImage(), before);
  const auto go = [&]() -> QPushButton* {
    for (QPushButton* button : dialog.findChildren<QPushButton*>()) {
      if (button->isDefault()) return button;
    }
    return nullptr;
  };
  // Down over the heading.
  QTest::keyClick(what, Qt::Key_Down);
  EXPECT_EQ(dialog.chosen(), 2U);
  EXPECT_EQ(part<QLabel>(dialog, "export-summary")->text(), "Writes a model.");
  EXPECT_FALSE(part<QLabel>(dialog, "figure-preview")->isVisible());
  EXPECT_TRUE(must(go())->isEnabled());
  QTest::keyClick(what, Qt::Key_Down);
  EXPECT_FALSE(go()->isEnabled());
  EXPECT_TRUE(part<QLabel>(dialog, "export-reason")->text().contains("ffmpeg is missing"));
}

TEST_F(ExportDialogTest, ATableNeedsNoSizeAndADrawingTakesItsDataAlong) {
  ExportDialog dialog(sheet_, {.paper = PaperFormat{}}, nullptr);
  auto* format = part<QComboBox>(dialog, "figure-format");
  EXPECT_FALSE(part<QSpinBox>(dialog, "figure-dpi")->isEnabled()) << "a drawing has no pixels";
  format->setCurrentIndex(2);
  EXPECT_EQ(dialog.how().format, FigureFormat::kPng);
  EXPECT_TRUE(part<QSpinBox>(dialog, "figure-dpi")->isEnabled());
  format->setCurrentIndex(3);
  EXPECT_FALSE(part<QComboBox>(dialog, "figure-size")->isEnabled());
  EXPECT_FALSE(part<QCheckBox>(dialog, "figure-data")->isEnabled());

  QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("sheet.v2.svg"));
  const auto written = write_figure_export(sheet_, path, {.with_data = true});
  ASSERT_TRUE(written);
  EXPECT_EQ(*written, (QStringList{path, folder.filePath(QStringLiteral("sheet.v2.csv"))}));
  QFile data(written->back());
  ASSERT_TRUE(data.open(QIODevice::ReadOnly));
  EXPECT_TRUE(data.readAll().startsWith("a"));
  EXPECT_EQ(write_figure_export(sheet_, path, {})->size(), 1);
}

TEST_F(ExportDialogTest, ADataFileIsNotReplacedWithoutAQuestion) {
  QTemporaryDir folder;
  Settings settings(folder.filePath(QStringLiteral("settings.ini")));
  const QString path = folder.filePath(QStringLiteral("sheet.svg"));
  QWidget window;
  const auto asked = [&](std::optional<QMessageBox::StandardButton> answer) {
    test::Answers answers;
    answers.typeFile(path);
    if (answer) answers.press(*answer);
    const QString where = ask_where_to_export(&window, settings, sheet_, {.with_data = true});
    EXPECT_TRUE(answers.given());
    return where;
  };
  EXPECT_EQ(asked({}), path) << "there is no file to replace";
  QFile data(folder.filePath(QStringLiteral("sheet.csv")));
  ASSERT_TRUE(data.open(QIODevice::WriteOnly));
  EXPECT_EQ(asked(QMessageBox::No), QString());
  EXPECT_EQ(asked(QMessageBox::Yes), path);
}

TEST_F(ExportDialogTest, AWidthInInchesIsTheSameWidth) {
  ExportDialog dialog(sheet_, {.paper = PaperFormat{.width_mm = 127}}, nullptr);
  auto* unit = part<QComboBox>(dialog, "figure-unit");
  unit->setCurrentIndex(1);
  EXPECT_EQ(part<QDoubleSpinBox>(dialog, "figure-width")->value(), 5.0);
  EXPECT_DOUBLE_EQ(dialog.how().paper->width_mm, 127);
  unit->setCurrentIndex(0);
  EXPECT_EQ(part<QDoubleSpinBox>(dialog, "figure-width")->value(), 127);
}

// Text that a figure shrinks with its width can never be large enough.
TEST_F(ExportDialogTest, WhatCannotBeDrawnIsSaidAndNotExported) {
  class Shrinking final : public Figure {
   public:
    QString title() const override { return QStringLiteral("shrinking"); }
    QString fileStem() const override { return QStringLiteral("shrinking"); }
    QSizeF size() const override { return {3000, 300}; }
    void paint(QPainter& painter, const QRectF& area, const Theme&) const override {
      painter.scale(area.width() / 3000, area.width() / 3000);
      QFont font = painter.font();
      font.setPixelSize(12);
      painter.setFont(font);
      painter.drawText(QPointF(0, 20), QStringLiteral("small"));
    }
    QString csv() const override { return {}; }
  };
  const Shrinking shrinking;
  ExportDialog dialog(shrinking, {.paper = PaperFormat{}}, nullptr);
  EXPECT_TRUE(part<QLabel>(dialog, "figure-note")->text().contains("smaller than 6 pt"));
  const auto buttons = dialog.findChildren<QPushButton*>();
  EXPECT_TRUE(
      std::any_of(buttons.begin(), buttons.end(), [](const QPushButton* button) { return !button->isEnabled(); }));
}

TEST_F(WindowTest, FiguresForAPaperHaveItsWidth) {
  open(QStringLiteral("sample"));
  ASSERT_TRUE(QTest::qWaitFor([this] { return window_->views().graph()->layoutShown() != nullptr; }, 20000));
  window_->setMode(Mode::kEditGraph);  // for the drawing
  window_->setMode(Mode::kExplore);
  lookAtSweep();
  const PaperFormat paper{.width_mm = 84, .font_points = 8, .png_dpi = 300};
  for (const FigureKind kind : kFigureKinds) {
    if (kind >= FigureKind::kRecording) break;  // without a recording
    const QString png = path("figure.png");
    ASSERT_TRUE(window_->exports().exportFigure(kind, png, {.paper = paper}))
        << window_->messages().text().toStdString();
    EXPECT_NEAR(QImage(png).width(), 84 / 25.4 * 300, 1) << static_cast<int>(kind);
    EXPECT_NEAR(QImage(png).dotsPerMeterX(), 300 / 0.0254, 40);
  }
}

TEST(PaperSettings, AreRemembered) {
  QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("settings.ini"));
  Settings settings(file);
  EXPECT_FALSE(settings.figurePaper());
  const PaperFormat paper{.width_mm = 100, .font_points = 7.5, .png_dpi = 450};
  settings.setFigurePaper(paper);
  EXPECT_EQ(Settings(file).figurePaper(), paper);
  settings.setFigurePaper(std::nullopt);
  EXPECT_FALSE(Settings(file).figurePaper());
}

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
    EXPECT_TRUE(window_->messages().text().contains("sample.iosrun")) << window_->messages().text().toStdString();
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

TEST_F(RunFileWindowTest, OpenedAgainItIsTheRunThatIsThere) {
  open(file_);
  const RunId opened = session_->runId();
  ASSERT_TRUE(session_->workspace().find(opened)->recorded);
  const std::size_t runs = session_->workspace().runs().size();
  open(QStringLiteral("squeezenet"));
  open(file_);
  EXPECT_EQ(session_->runId(), opened);
  EXPECT_EQ(session_->workspace().runs().size(), runs);
  // A run that somebody asked for in this session, too.
  optimize();
  const RunId own = session_->runId();
  EXPECT_NE(own, opened);
  window_->exports().saveRun(path("own.iosrun"));
  idle();
  open(QStringLiteral("squeezenet"));
  open(path("own.iosrun"));
  EXPECT_EQ(session_->runId(), own);
  // Another run of the same network is another run.
  EXPECT_EQ(session_->workspace().runs().size(), runs + 1);
}

TEST_F(RunFileWindowTest, ShowsEverythingItShowedAndSaysWhereItWasRecorded) {
  const RunSettings before = session_->settings();
  open(file_);
  EXPECT_EQ(comparison_json(*session_->comparison()), saved_);
  ASSERT_NE(session_->recorded(), nullptr);
  EXPECT_EQ(session_->recorded()->network.source, "sample");
  EXPECT_EQ(table("schedules-table")->model()->rowCount(), 7);
  EXPECT_EQ(stage_rows(), rows_);
  std::set<std::size_t> shown{session_->activeSchedule()};
  for (const std::size_t result : default_results(*session_->comparison())) shown.insert(result);
  EXPECT_EQ(window_->views().timeline()->shownSchedules().size(), shown.size());
  EXPECT_NE(window_->views().why()->panel(), nullptr);
  EXPECT_EQ(session_->settings(), before) << "only a person changes what is searched";
  ASSERT_TRUE(QTest::qWaitFor([this] { return window_->views().graph()->layoutShown() != nullptr; }, 20000));

  const QString mark = QString::fromStdString(recorded_text(*session_->recorded()).text());
  EXPECT_TRUE(mark.startsWith("recorded on "));
  EXPECT_TRUE(window_->windowTitle().contains(QString::fromStdString(session_->comparison()->recorded.text())))
      << window_->windowTitle().toStdString();
  const auto* state = part<StateLine>("state-line");
  // On this computer, if it has a name; else as on another one.
  const bool here = made_here(session_->recorded()->place);
  EXPECT_TRUE(state->text().contains(here ? QStringLiteral("was simulated here") : mark))
      << state->text().toStdString();
  EXPECT_FALSE(window_->actionsOfWindow()["verify"]->isEnabled());
  EXPECT_TRUE(settings_.recentFiles().contains(file_));
}

TEST_F(RunFileWindowTest, IsRunHereByOptimize) {
  open(file_);
  session_->useSettingsOf(session_->runId());
  EXPECT_EQ(session_->settings().options.batch, 4);
  EXPECT_EQ(session_->settings().options.search.pruning.r, 2U);
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
  optimize();
  EXPECT_NE(session_->comparison()->find(ScheduleKind::kFile), nullptr);
}

TEST_F(RunFileWindowTest, WithoutItsWeightsIsNotExportedAsANetwork) {
  auto run = must(open_run(file_.toStdString()));
  run.own_weights = true;
  run.network.source = "elsewhere.onnx";
  ASSERT_TRUE(save_run(run, file_.toStdString()));
  open(file_);
  QAction* action = window_->actionsOfWindow()["export-onnx"];
  EXPECT_FALSE(action->isEnabled());
  EXPECT_TRUE(action->toolTip().contains("weights"));
  optimize();
  EXPECT_FALSE(action->isEnabled());  // the network is still the run's
  open(QStringLiteral("sample"));
  EXPECT_TRUE(action->isEnabled());
  EXPECT_FALSE(action->toolTip().contains("made-up"));
}

TEST_F(RunFileWindowTest, ThatIsDamagedLeavesEverythingAsItWas) {
  QFile file(file_);
  ASSERT_TRUE(file.resize(file.size() / 2));
  const auto comparison = session_->comparison();
  open(file_);
  EXPECT_EQ(session_->comparison(), comparison);
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_TRUE(window_->messages().text().contains("damaged")) << window_->messages().text().toStdString();
}

TEST_F(RunFileWindowTest, ReportsSayWhereItWasRecorded) {
  auto run = must(open_run(file_.toStdString()));
  const std::string mark = run.comparison.recorded.text();
  ASSERT_EQ(recorded_text(run), mark + ", " + run.comparison.device.name);
  std::ostringstream notes;
  const std::filesystem::path folder = path("report").toStdString();
  ASSERT_TRUE(make_report_folder(folder));
  const auto written = must(write_report(std::make_shared<const Comparison>(std::move(run.comparison)), folder, notes));
  std::ifstream table(folder / "comparison.txt");
  const std::string text{std::istreambuf_iterator<char>(table), {}};
  EXPECT_NE(text.find(mark), std::string::npos) << text;
  std::ifstream json(folder / "comparison.json");
  EXPECT_EQ(nlohmann::json::parse(json)["recorded"], mark);
  int figures = 0;
  for (const std::string& file : written) {
    if (!file.ends_with(".svg")) continue;
    ++figures;
    std::ifstream figure(file);
    const std::string words{std::istreambuf_iterator<char>(figure), {}};
    EXPECT_NE(words.find(mark), std::string::npos) << file;
  }
  EXPECT_EQ(figures, 12);
}

}  // namespace

}  // namespace iosx
