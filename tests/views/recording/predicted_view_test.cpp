#include "views/recording/predicted_view.h"

#include <QClipboard>
#include <QDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

#include "tests/analysis/recording/made_recordings.h"
#include "tests/support/prelude.h"
#include "views/recording/opportunity_panel.h"
#include "views/recording/recording_lines.h"

namespace iosx {
namespace {

// x, then two that read it, then one that reads both: on two lanes 31 µs in the model.
std::shared_ptr<const OpenedRecording> recorded_diamond() {
  Recording recording = of_lanes("aaaa");
  give_operators(recording, {">x", "x>y", "x>z", "yz>w"});
  return look_into(std::move(recording), std::nullopt);
}

TEST(PredictedView, ShowsTheLanesThatTheUserChooses) {
  PredictedView view;
  const auto opened = recorded_diamond();
  view.setRecording(opened);
  view.resize(view.sizeHint().expandedTo({1000, 300}));
  ASSERT_EQ(opened->predictions.lanes.size(), 4U);
  EXPECT_EQ(opened->predictions.lanes[view.chosen()].lanes, 2U) << "the fewest that are as fast";
  const int height = view.sizeHint().height();
  QTest::mouseClick(&view, Qt::LeftButton, {}, view.rectOfBar(0).center().toPoint());
  EXPECT_EQ(view.chosen(), 0U);
  EXPECT_LT(view.sizeHint().height(), height) << "one lane less";
  QTest::keyClick(&view, Qt::Key_Down);
  EXPECT_EQ(view.chosen(), 1U);
  QTest::keyClick(&view, Qt::Key_Up);
  QTest::keyClick(&view, Qt::Key_Up);
  EXPECT_EQ(view.chosen(), 0U);
}

TEST(PredictedView, NamesTheKernelUnderThePointer) {
  PredictedView view;
  view.setRecording(recorded_diamond());
  view.choose(1);
  view.resize(1000, view.sizeHint().height());
  const double first_lane = view.sizeHint().height() - 8 - 1.5 * 24;  // of two lanes of 24 pixels
  QSignalSpy spy(&view, &PredictedView::kernelChosen);
  const QPoint begin(200, static_cast<int>(first_lane));  // the first kernel, left in the first lane
  EXPECT_EQ(view.kernelAt(begin), 0U);
  EXPECT_TRUE(view.toolTipAt(begin).contains(QStringLiteral("recorded: 10.0 µs")))
      << view.toolTipAt(begin).toStdString();
  EXPECT_EQ(view.kernelAt(begin + QPoint(0, 24)), std::nullopt) << "the other lane begins later";
  QTest::mouseClick(&view, Qt::LeftButton, {}, begin);
  ASSERT_EQ(spy.size(), 1);
  EXPECT_EQ(spy.front().front().toUInt(), 0U);
}

TEST(PredictedView, PaintsRecordingsWithAndWithoutPredictions) {
  PredictedView view;
  view.resize(1000, 300);
  const auto picture = [&view](std::shared_ptr<const OpenedRecording> opened) {
    view.setRecording(std::move(opened));
    return view.grab().toImage();
  };
  const QImage none = picture(nullptr);
  EXPECT_EQ(picture(look_into(of_lanes("aab"), std::nullopt)), none) << "nothing is predicted";
  const QImage diamond = picture(recorded_diamond());
  EXPECT_NE(diamond, none);
  view.mark({1});
  EXPECT_NE(view.grab().toImage(), diamond);
}

TEST(OpportunityPanel, SaysWhetherKernelsAreIndependent) {
  OpportunityPanel panel;
  QSignalSpy spy(&panel, &OpportunityPanel::chosen);
  panel.setRecording(recorded_diamond());
  EXPECT_TRUE(panel.sentence().startsWith(QStringLiteral("No dependency orders the kernels of a row.")));
  EXPECT_TRUE(panel.sentence().contains(QStringLiteral("predicted, not recorded")));
  ASSERT_EQ(panel.table()->model()->rowCount(), 1);
  panel.table()->selectRow(0);
  ASSERT_EQ(spy.size(), 1);
  // Without dependencies nobody knows.
  panel.setRecording(look_into(of_lanes("aab"), std::nullopt));
  EXPECT_TRUE(panel.sentence().contains(QStringLiteral("no file says what depends on what")))
      << panel.sentence().toStdString();
  EXPECT_EQ(panel.table()->model()->rowCount(), 0);
  EXPECT_EQ(spy.size(), 1);
}

TEST(OpportunityPanel, NamesTheKindInPlainWords) {
  OpportunityPanel panel;
  panel.setRecording(recorded_diamond());
  const QAbstractItemModel& model = *panel.table()->model();
  QStringList titles;
  QString kind;
  for (int column = 0; column < model.columnCount(); ++column) {
    titles << model.headerData(column, Qt::Horizontal).toString();
    if (titles.back() == QStringLiteral("Kind")) kind = model.index(0, column).data().toString();
  }
  EXPECT_EQ(kind, QStringLiteral("same inputs")) << titles.join(QLatin1Char('|')).toStdString();
}

TEST(OpportunityPanel, ShowsHowToRecordWhereNothingIsKnown) {
  OpportunityPanel panel;
  auto* code = panel.findChild<QPlainTextEdit*>(QStringLiteral("recording-lines"));
  ASSERT_NE(code, nullptr);
  panel.setRecording(look_into(of_lanes("aab"), std::nullopt));
  EXPECT_TRUE(code->isVisibleTo(&panel));
  EXPECT_FALSE(panel.table()->isVisibleTo(&panel));
  EXPECT_EQ(code->blockCount(), 10);
  panel.findChild<QToolButton*>(QStringLiteral("recording-copy-lines"))->click();
  EXPECT_TRUE(QGuiApplication::clipboard()->text().contains(QStringLiteral("ExecutionTraceObserver")));
  panel.setRecording(recorded_diamond());
  EXPECT_FALSE(code->isVisibleTo(&panel));
  EXPECT_TRUE(panel.table()->isVisibleTo(&panel));
}

TEST(NoPredictions, SaysWhyAndHowToRecord) {
  NoPredictions page;
  page.setRecording(*look_into(of_lanes("aab"), std::nullopt));
  const auto* why = page.findChild<QLabel*>(QStringLiteral("recording-why-none"));
  EXPECT_TRUE(why->text().contains(QStringLiteral("no file says what depends on what"))) << why->text().toStdString();
  const auto* code = page.findChild<QPlainTextEdit*>(QStringLiteral("recording-lines"));
  EXPECT_TRUE(code->isVisibleTo(&page));
  Recording untimed = of_lanes("aaaa");
  give_operators(untimed, {">x", "x>y", "x>z", "yz>w"});
  untimed.timed = false;
  page.setRecording(*look_into(std::move(untimed), std::nullopt));
  EXPECT_TRUE(why->text().contains(QStringLiteral("it has no times"))) << why->text().toStdString();
  EXPECT_FALSE(code->isVisibleTo(&page)) << "dependencies are known";
}

// The window of the lines is wide enough for them.
TEST(RecordingLines, NeedNoHorizontalScrollBar) {
  QDialog dialog;
  auto* lines = new RecordingLines;
  lines->showWhole();
  (new QVBoxLayout(&dialog))->addWidget(lines);
  dialog.show();
  const auto* code = dialog.findChild<QPlainTextEdit*>(QStringLiteral("recording-lines"));
  EXPECT_EQ(code->horizontalScrollBar()->maximum(), 0);
  EXPECT_EQ(code->verticalScrollBar()->maximum(), 0);
}

}  // namespace
}  // namespace iosx
