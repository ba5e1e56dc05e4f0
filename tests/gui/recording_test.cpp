#include "core/analysis/recording/opened_recording.h"
#include "core/documents/project/project_file.h"
#include "tests/gui/window_fixture.h"
#include "views/figures/figure.h"
#include "views/figures/paper.h"
#include "views/recording/fold_canvas.h"
#include "views/recording/predicted_view.h"
#include "views/recording/recording_header.h"
#include "views/recording/recording_page.h"
#include "views/recording/recording_timeline.h"
#include "views/window/menus/export_menu.h"

namespace iosx {
namespace {

const std::filesystem::path kWindowRecordings =
    std::filesystem::path(IOS_SOURCE_FOLDER) / "../shared/reference/recordings";

// Three kernels on two streams of a GPU, launched one after another, in two steps of the profiler.
constexpr const char* kTrace =
    R"({"deviceProperties": [{"id": 0, "name": "Tesla <V100>", "numSms": 80}], "traceEvents": [
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#0", "pid": 1, "tid": 1, "ts": 0, "dur": 50, "args": {}},
  {"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 1, "tid": 1, "ts": 50, "dur": 50, "args": {}},
  {"ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 1, "tid": 1, "ts": 1, "dur": 9, "args": {"External id": 1}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 2, "dur": 2, "args": {"correlation": 1}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 12, "dur": 2, "args": {"correlation": 2}},
  {"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 1, "tid": 1, "ts": 60, "dur": 2, "args": {"correlation": 3}},
  {"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 6, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 1, "grid": [40, 1, 1], "block": [256, 1, 1]}},
  {"ph": "X", "cat": "kernel", "name": "relu", "pid": 0, "tid": 13, "ts": 16, "dur": 4, "args": {"device": 0, "stream": 13, "correlation": 2, "grid": [40, 1, 1], "block": [256, 1, 1]}},
  {"ph": "X", "cat": "kernel", "name": "sgemm", "pid": 0, "tid": 7, "ts": 70, "dur": 10, "args": {"device": 0, "stream": 7, "correlation": 3, "grid": [40, 1, 1], "block": [256, 1, 1]}}]})";

class RecordingTest : public test::WindowTest {
 protected:
  QString made(const char* name = "run.trace.json") {
    const QString file = path(name);
    std::ofstream(file.toStdString()) << kTrace;
    return file;
  }
  void drop(const QStringList& files) {
    QMimeData data;
    QList<QUrl> urls;
    for (const QString& file : files) urls << QUrl::fromLocalFile(file);
    data.setUrls(urls);
    QDropEvent event(QPointF(10, 10), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    // Not through QApplication, which delivers a drop only after a drag that it has seen.
    static_cast<QObject&>(*window_).event(&event);
    idle();
  }
  RecordingPage& page() { return *window_->recordingPage(); }
  const OpenedRecording& opened() { return *session_->shownRecording()->opened; }
};

TEST_F(RecordingTest, FiguresInEveryFormatAndForAPaper) {
  if (!std::filesystem::exists(kWindowRecordings)) GTEST_SKIP() << "there are no shared recordings here";
  const auto figure = [&](FigureKind kind) {
    return kind == FigureKind::kRecording ? page().timelineFigure() : page().predictedFigure();
  };
  EXPECT_EQ(figure(FigureKind::kRecording), nullptr);
  const auto pair = [](const char* name) {
    return QString::fromStdString((kWindowRecordings / "pairs" / name).string());
  };
  openAsked(pair("fork.trace.json"));
  EXPECT_NE(figure(FigureKind::kRecording), nullptr);
  EXPECT_EQ(figure(FigureKind::kPredictedLanes), nullptr) << "no dependencies";
  drop({pair("fork.trace.json"), pair("fork.dot")});
  for (const FigureKind kind : {FigureKind::kRecording, FigureKind::kPredictedLanes}) {
    for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
      const QString file = path("figure.") + QString::fromLatin1(suffix);
      ASSERT_TRUE(window_->exports().exportFigure(kind, file)) << window_->messages().text().toStdString();
      EXPECT_GT(QFileInfo(file).size(), 40) << file.toStdString();
    }
    const QString png = path("paper.png");
    const PaperFormat paper{.width_mm = 84, .font_points = 8, .png_dpi = 300};
    ASSERT_TRUE(window_->exports().exportFigure(kind, png, {.paper = paper}))
        << window_->messages().text().toStdString();
    EXPECT_NEAR(QImage(png).width(), 84 / 25.4 * 300, 1);
  }
  const QString csv = figure(FigureKind::kRecording)->csv();
  EXPECT_EQ(csv.count(QLatin1Char('\n')), static_cast<int>(opened().recording.kernels.size()) + 1);
  page().timeline()->time().fit({Micros(0), Micros(1)});
  EXPECT_LT(figure(FigureKind::kRecording)->csv().size(), csv.size()) << "only what is shown";
}

TEST_F(RecordingTest, OpensWithoutANetwork) {
  openAsked(made());
  ASSERT_NE(session_->shownRecording(), nullptr) << window_->messages().text().toStdString();
  EXPECT_FALSE(session_->hasDocument());
  EXPECT_EQ(window_->mode(), Mode::kRecording);
  EXPECT_TRUE(page().isVisible());
  const QString said = page().header()->text();
  EXPECT_TRUE(said.contains(QStringLiteral("3 kernels on 2 streams of Tesla <V100> (80 multiprocessors)")))
      << said.toStdString();
  EXPECT_TRUE(said.contains(QStringLiteral("span: 74.0 µs"))) << said.toStdString();
  EXPECT_TRUE(said.contains(QStringLiteral("Launch gaps cost"))) << said.toStdString();
  EXPECT_EQ(settings_.recentFiles().size(), 1);
  // There is no network to turn to.
  EXPECT_FALSE(window_->actionsOfWindow()["mode-explore"]->isEnabled());
  EXPECT_TRUE(window_->actionsOfWindow()["save-project"]->isEnabled());
  EXPECT_TRUE(window_->windowTitle().contains(QStringLiteral("run.trace.json")));
}

TEST_F(RecordingTest, StandsBesideANetworkAndOffersTheImport) {
  open(QStringLiteral("sample"));
  openAsked(made());
  EXPECT_EQ(window_->mode(), Mode::kRecording);
  EXPECT_TRUE(session_->hasDocument());
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("recording of its own")));
  auto* tree = part<QTreeView>("project-tree");
  EXPECT_TRUE(tree->currentIndex().data().toString().contains(QStringLiteral("run.trace.json")));
  window_->actionsOfWindow()["mode-explore"]->trigger();
  EXPECT_EQ(window_->mode(), Mode::kExplore);
  EXPECT_FALSE(session_->recordingId().valid());
  tree->setCurrentIndex(tree->model()->index(tree->model()->rowCount() - 1, 0));
  EXPECT_EQ(window_->mode(), Mode::kRecording);
  session_->editor().remove(session_->recordingId());
  EXPECT_EQ(window_->mode(), Mode::kExplore);
}

TEST_F(RecordingTest, AStepIsReadAnew) {
  openAsked(made());
  auto* steps = part<QComboBox>("recording-step");
  ASSERT_GE(steps->count(), 3);
  steps->setCurrentIndex(2);
  emit steps->activated(2);
  idle();
  EXPECT_EQ(opened().recording.kernels.size(), 1U);
  EXPECT_EQ(session_->shownRecording()->choices.step, 1U);
  EXPECT_EQ(session_->workspace().recordings().size(), 1U);
  EXPECT_EQ(part<QComboBox>("recording-step")->currentIndex(), 2);
}

TEST_F(RecordingTest, AClickMarksTheSameInBothViews) {
  openAsked(made());
  RecordingTimeline& timeline = *page().timeline();
  const QRectF kernel = timeline.rectOf(1);
  QTest::mouseClick(timeline.viewport(), Qt::LeftButton, {}, kernel.center().toPoint());
  ASSERT_EQ(timeline.chosen(), 1U);
  const std::uint32_t box = opened().fold.box_of[1];
  EXPECT_EQ(page().canvas()->chosen(), page().canvas()->unfolding()->box_of(1));
  EXPECT_TRUE(part<QTextBrowser>("recording-facts")->toPlainText().contains(QStringLiteral("relu")));
  EXPECT_TRUE(timeline.toolTipAt(kernel.center()).contains(QStringLiteral("40 × 1 × 1")));
  emit page().canvas()->boxChosen(opened().fold.box_of[0]);
  EXPECT_EQ(timeline.chosen(), 0U);
  EXPECT_NE(opened().fold.box_of[0], box);
  QTest::keyClick(&timeline, Qt::Key_Period);
  EXPECT_EQ(timeline.chosen(), 2U);
  QTest::keyClick(&timeline, Qt::Key_Escape);
  EXPECT_FALSE(timeline.chosen());
}

TEST_F(RecordingTest, AProjectBringsItBackAndSaysWhatIsMissing) {
  openAsked(made());
  jobs_->saveProject(path("p.iosproj"));
  idle();
  openAsked(path("p.iosproj"));
  ASSERT_NE(session_->shownRecording(), nullptr);
  EXPECT_EQ(opened().recording.kernels.size(), 3U);
  EXPECT_EQ(window_->mode(), Mode::kRecording);
  ASSERT_TRUE(QFile::rename(path("run.trace.json"), path("moved.trace.json")));
  openAsked(path("p.iosproj"));
  ASSERT_NE(session_->shownRecording(), nullptr);
  EXPECT_EQ(session_->shownRecording()->opened, nullptr);
  EXPECT_TRUE(QTest::qWaitFor([this] { return window_->messages().showsError(); }));
  EXPECT_TRUE(part<QLabel>("recording-missing")->text().contains(QStringLiteral("run.trace.json")));
  // The remedy: its file is elsewhere now.
  test::Answers answers;
  answers.typeFile(path("moved.trace.json"));
  part<QToolButton>("recording-find")->click();
  idle();
  ASSERT_NE(session_->shownRecording(), nullptr);
  EXPECT_NE(session_->shownRecording()->opened, nullptr);
  EXPECT_EQ(session_->workspace().recordings().size(), 1U);
}

// All modes are in one place of the window, which is as wide as the widest of them needs.
TEST_F(RecordingTest, MakesOtherModesNoWider) {
  openAsked(made());
  EXPECT_LE(page().minimumSizeHint().width(), 500);
}

TEST_F(RecordingTest, TheShareOfUnknownKernelsIsAChoice) {
  if (!std::filesystem::exists(kWindowRecordings)) GTEST_SKIP() << "there is no ../shared/reference/recordings";
  jobs_->openRecording(QString::fromStdString((kWindowRecordings / "pairs/train.trace.json.gz").string()),
                       {.with = {(kWindowRecordings / "pairs/train.et.json.gz").string()}});
  idle();
  ASSERT_NE(session_->shownRecording(), nullptr) << window_->messages().text().toStdString();
  EXPECT_TRUE(page().header()->text().contains(QStringLiteral("what streams can win is not known")));
  auto* share = part<QDoubleSpinBox>("recording-share");
  ASSERT_TRUE(share->isVisible());
  share->setValue(0.2);
  idle();
  EXPECT_EQ(session_->shownRecording()->choices.share, 0.2);
  EXPECT_EQ(share->value(), 0.2);
  EXPECT_TRUE(page().header()->text().contains(QStringLiteral("Streams can win at most")))
      << page().header()->text().toStdString();
}

TEST_F(RecordingTest, DlrmOpensWithItsExecutionTrace) {
  if (!std::filesystem::exists(kWindowRecordings)) GTEST_SKIP() << "there is no ../shared/reference/recordings";
  const auto file = [](const char* name) { return QString::fromStdString((kWindowRecordings / name).string()); };
  drop({file("public/dlrm_rank0.et.json.gz"), file("public/dlrm_rank0.trace.json.gz")});
  ASSERT_NE(session_->shownRecording(), nullptr) << window_->messages().text().toStdString();
  EXPECT_EQ(opened().recording.kernels.size(), 261U);
  ASSERT_TRUE(opened().report.critical_path);
  EXPECT_NEAR(opened().report.critical_path->length / 1e3, 6.082, 0.007);
  const QString said = page().header()->text();
  EXPECT_TRUE(said.contains(QStringLiteral("Launch gaps cost 5.921 ms"))) << said.toStdString();
  EXPECT_TRUE(said.contains(QStringLiteral("idle: 49 %"))) << said.toStdString();
  EXPECT_TRUE(part<QToolButton>("recording-with")->isVisible());
  // The wrong execution trace is refused, and what is shown stays.
  drop({file("pairs/forward.et.json")});
  EXPECT_TRUE(window_->messages().showsError());
  EXPECT_EQ(session_->shownRecording()->choices.with.size(), 1U);
  EXPECT_EQ(opened().recording.kernels.size(), 261U);
  // What could run at once is marked in all views, and the words beside say why.
  auto* table = part<QTableView>("recording-opportunities");
  ASSERT_GT(table->model()->rowCount(), 3);
  table->selectRow(0);
  EXPECT_TRUE(page().canvas()->chosen());
  const QString why = part<QTextBrowser>("recording-facts")->toPlainText();
  EXPECT_TRUE(why.contains(QStringLiteral("2 x mm < AddmmBackward0 | sum"))) << why.toStdString();
  EXPECT_TRUE(why.contains(QStringLiteral("they wait for the same kernels"))) << why.toStdString();
  EXPECT_EQ(opened().predictions.lanes[page().predicted()->chosen()].lanes, 2U);
}

TEST_F(RecordingTest, WithoutTimesThereIsOnlyTheGraph) {
  if (!std::filesystem::exists(kWindowRecordings)) GTEST_SKIP() << "there is no ../shared/reference/recordings";
  const auto file = [](const char* name) { return QString::fromStdString((kWindowRecordings / name).string()); };
  openAsked(file("public/dlrm_rank0.et.json.gz"));
  ASSERT_NE(session_->shownRecording(), nullptr) << window_->messages().text().toStdString();
  EXPECT_FALSE(page().timeline()->isVisible());
  EXPECT_TRUE(page().canvas()->isVisible());
  EXPECT_FALSE(part<QWidget>("recording-figures")->isVisible());
  EXPECT_FALSE(part<QWidget>("recording-idle")->isVisible());
  EXPECT_FALSE(part<QWidget>("recording-notices")->isVisible());
  EXPECT_FALSE(part<QTabWidget>("recording-tabs")->isTabVisible(1));
  EXPECT_FALSE(part<QDoubleSpinBox>("recording-share")->isVisible());
  EXPECT_EQ(page().timelineFigure(), nullptr);
  EXPECT_EQ(page().predictedFigure(), nullptr);
  EXPECT_TRUE(page().header()->text().contains(QStringLiteral("491 operators without times")))
      << page().header()->text().toStdString();
  // A click on a box.
  emit page().canvas()->boxChosen(page().canvas()->layout().boxes.front().node);
  const QRegularExpression duration(QStringLiteral("\\d (ns|µs|ms|s)\\b"));
  EXPECT_FALSE(part<QTextBrowser>("recording-facts")->toPlainText().contains(duration));
  // The remedy: the trace of the same run.
  test::Answers answers;
  answers.typeFile(file("public/dlrm_rank0.trace.json.gz"));
  part<QToolButton>("recording-add")->click();
  idle();
  EXPECT_EQ(session_->workspace().recordings().size(), 1U);
  EXPECT_TRUE(opened().recording.timed);
  EXPECT_TRUE(opened().report.critical_path);
  EXPECT_TRUE(page().timeline()->isVisible());
  EXPECT_TRUE(part<QTabWidget>("recording-tabs")->isTabVisible(1));
}

TEST_F(RecordingTest, ADrawingAloneIsRefusedWithTheRemedy) {
  const QString file = path("graph.dot");
  std::ofstream(file.toStdString()) << "digraph dot {\nsubgraph cluster_1 {\n}\n}\n";
  openAsked(file);
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("is a drawing of a CUDA graph, without times")))
      << window_->messages().text().toStdString();
  EXPECT_TRUE(window_->messages().text().contains(QStringLiteral("together with the recording of its run")));
}

TEST_F(RecordingTest, LayersOfTensorRtOpen) {
  const QString file = path("layers.json");
  std::ofstream(file.toStdString()) << R"({"Layers": [
    {"Name": "conv", "LayerType": "Convolution", "Inputs": [{"Name": "x"}], "Outputs": [{"Name": "y"}], "StreamId": 0},
    {"Name": "relu", "LayerType": "Activation", "Inputs": [{"Name": "y"}], "Outputs": [{"Name": "z"}], "StreamId": 0}],
    "Bindings": ["x", "z"]})";
  openAsked(file);
  ASSERT_NE(session_->shownRecording(), nullptr) << window_->messages().text().toStdString();
  EXPECT_EQ(opened().recording.kernels.size(), 2U);
  EXPECT_TRUE(page().header()->text().contains(QStringLiteral("2 operators without times")));
  EXPECT_FALSE(part<QToolButton>("recording-add")->isVisible()) << "no other file has its times";
}

TEST_F(RecordingTest, TheToolBarHasNoNetworkWhereNoneIsOpen) {
  const auto of_network = [this] {
    std::size_t visible = 0;
    for (const char* name : {"network", "device", "batch", "search-limits", "go"})
      visible += part<QWidget>(name)->isVisible() ? 1 : 0;
    return visible;
  };
  EXPECT_EQ(of_network(), 5U);
  const int least = part<QToolBar>("run-bar")->minimumWidth();
  openAsked(made());
  EXPECT_EQ(of_network(), 0U);
  EXPECT_EQ(part<QToolBar>("run-bar")->minimumWidth(), least);
  open(QStringLiteral("sample"));
  EXPECT_EQ(of_network(), 5U);
  openAsked(path("run.trace.json"));
  EXPECT_EQ(window_->mode(), Mode::kRecording);
  EXPECT_EQ(of_network(), 5U) << "a network is open too";
}

// All of it where that can be read, or else its beginning.
TEST_F(RecordingTest, TheGraphCanBeReadAlsoInASmallWindow) {
  if (!std::filesystem::exists(kWindowRecordings)) GTEST_SKIP() << "there is no ../shared/reference/recordings";
  window_->resize(1280, 800);
  openAsked(QString::fromStdString((kWindowRecordings / "public/dlrm_rank0.trace.json.gz").string()));
  ASSERT_NE(session_->shownRecording(), nullptr) << window_->messages().text().toStdString();
  QTest::qWait(50);  // until the parts of the page have their heights
  const FoldCanvas& canvas = *page().canvas();
  std::size_t whole = 0;
  for (std::size_t box = 0; box < canvas.layout().boxes.size(); ++box) {
    EXPECT_GT(canvas.rectOf(box).height(), 22) << canvas.nameOf(box).toStdString();
    whole += canvas.rect().contains(canvas.rectOf(box)) ? 1 : 0;
  }
  EXPECT_GE(whole, 8U);
}

TEST_F(RecordingTest, ThePredictedTabSaysWhyItIsEmpty) {
  openAsked(made());
  part<QTabWidget>("recording-tabs")->setCurrentIndex(2);
  EXPECT_TRUE(part<QLabel>("recording-why-none")->isVisible());
  EXPECT_TRUE(part<QLabel>("recording-why-none")->text().contains(QStringLiteral("no file says what depends on what")));
}

}  // namespace
}  // namespace iosx
