#include "views/compare/compare_page.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <algorithm>
#include <utility>

#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/subjects.h"
#include "tests/views/compare/runs.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_table.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_difference_model.h"
#include "views/style/style.h"

namespace iosx {
namespace {

class ComparePageTest : public testing::Test {
 protected:
  ComparePageTest() {
    page_.resize(1280, 800);
    page_.show();
  }

  void set(std::vector<Subject> subjects, std::size_t baseline = 0) {
    page_.setSubjects(std::move(subjects), baseline);
    settle();
  }
  void settle() {
    QApplication::processEvents();
    EXPECT_TRUE(QTest::qWaitFor([this] {
      return !page_.canvases()->canvasA()->layoutPending() && !page_.canvases()->canvasB()->layoutPending();
    }));
  }
  // What a user does: the cell is scrolled to and clicked.
  void click(CompareTable& table, int row, int column) {
    page_.scrollArea()->ensureWidgetVisible(&table);
    const QModelIndex index = table.model()->index(row, column);
    table.scrollTo(index);
    QApplication::processEvents();
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
  }
  // Pictures for looking at, where a folder is named.
  void picture(const QString& name) {
    const QString folder = qEnvironmentVariable("IOSX_PICTURES");
    if (!folder.isEmpty()) page_.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png"));
  }

  SelectionModel selection_;
  ComparePage page_{&selection_};
};

TEST_F(ComparePageTest, OfNothingSaysSo) {
  EXPECT_TRUE(page_.sentence().startsWith("Nothing to compare yet"));
  EXPECT_EQ(page_.runs(), nullptr);
  EXPECT_EQ(page_.matrixFigure(), nullptr);
  EXPECT_FALSE(page_.grab().isNull());
}

TEST_F(ComparePageTest, ShowsOneTwoAndManySubjectsAndScrollsWhereItIsSmall) {
  const auto v100 = test::simulated_run("squeezenet");
  const auto h200 = test::simulated_run("squeezenet", "h200");
  set({{v100, 0}});
  EXPECT_TRUE(page_.sentence().contains("Add another"));
  EXPECT_EQ(page_.pair(), nullptr);
  picture("one");
  set({{v100, 0}, {v100, 4}});
  ASSERT_NE(page_.pair(), nullptr);
  EXPECT_EQ(page_.subjectB(), 1U);
  picture("two");
  auto eight = test::all_of({v100, h200});
  eight.resize(8);
  set(eight);
  EXPECT_EQ(page_.matrixTable()->model()->columnCount(), 9);
  EXPECT_EQ(page_.chart()->bars().size(), 8U);
  picture("eight");
  // Nothing is narrower or lower than it can be read, and what does not fit is scrolled to.
  EXPECT_GT(page_.scrollArea()->verticalScrollBar()->maximum(), 0);
  EXPECT_EQ(page_.scrollArea()->horizontalScrollBar()->maximum(), 0);
  EXPECT_GE(page_.canvases()->canvasA()->height(), 200);
  EXPECT_GE(page_.stagesTable()->height(), 100);
  EXPECT_GE(page_.canvases()->canvasB()->width(), 400);
}

TEST_F(ComparePageTest, AClickOnStagesSelectsTheirUnitsEverywhere) {
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  const auto& model = *page_.stagesTable()->model();
  const int row = model.rowCount() / 2;
  click(*page_.stagesTable(), row, StageDifferenceModel::kChange);
  const auto& filter = dynamic_cast<const StageDifferenceFilter&>(model);
  const int source = filter.mapToSource(filter.index(row, 0)).row();
  const std::vector<UnitId> units = page_.pair()->difference.rows[static_cast<std::size_t>(source)].units_a;
  EXPECT_EQ(selection_.current().units, units);
  EXPECT_EQ(page_.canvases()->selectionA()->current().units, units);
  EXPECT_EQ(page_.canvases()->selectionB()->current().units, units);  // of the same network
  // By the keyboard too.
  QTest::keyClick(page_.stagesTable(), Qt::Key_Down);
  EXPECT_NE(selection_.current().units, units);
  EXPECT_FALSE(selection_.current().empty());
}

TEST_F(ComparePageTest, AClickOnAPartSelectsIt) {
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  click(*page_.matrixTable(), 2, 2);
  EXPECT_EQ(selection_.current().units, page_.runs()->matrix.rows[2].cells[0].units);
  // Its stages are shown as selected.
  EXPECT_FALSE(page_.stagesTable()->selectionModel()->selectedRows().empty());
}

TEST_F(ComparePageTest, WhatTheWindowSelectsIsSelectedHere) {
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  const UnitId unit = page_.pair()->difference.rows[3].units_a.front();
  selection_.select({{unit}, ScheduleId("greedy"), 3});
  EXPECT_EQ(page_.canvases()->selectionB()->current().units, std::vector{unit});
  ASSERT_EQ(page_.stagesTable()->selectionModel()->selectedRows().size(), 1);
  // Nothing came back: the window's stage is still selected.
  EXPECT_EQ(selection_.current().stage, 3U);
  selection_.clear();
  EXPECT_TRUE(page_.stagesTable()->selectionModel()->selectedRows().empty());
}

TEST_F(ComparePageTest, BarsTitlesAndBoxesChooseWhatIsCompared) {
  const auto run = test::simulated_run("squeezenet");
  set(test::all_of({run}));
  ASSERT_EQ(page_.runs()->subjects.size(), 7U);
  page_.chooseSubject(3);
  QSignalSpy chosen(&page_, &ComparePage::subjectChosen);
  QSignalSpy baseline(&page_, &ComparePage::baselineChosen);
  page_.chart()->plotWidget()->replot();
  QTest::mouseClick(page_.chart()->plotWidget(), Qt::LeftButton, {}, page_.chart()->centerOfBar(2));
  EXPECT_EQ(page_.subjectB(), 2U);
  QHeaderView* head = page_.matrixTable()->horizontalHeader();
  page_.matrixTable()->scrollTo(page_.matrixTable()->model()->index(0, 3));  // beside B's
  QApplication::processEvents();
  QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                    QPoint(head->sectionViewportPosition(3) + head->sectionSize(3) / 2, head->height() / 2));
  EXPECT_EQ(page_.subjectB(), 1U);
  EXPECT_EQ(chosen.size(), 2);
  // The baseline by the keyboard: from Sequential to Greedy, which was B, so that they change places.
  auto* box = page_.findChildren<QComboBox*>().front();
  box->setFocus();
  QTest::keyClick(box, Qt::Key_Down);
  EXPECT_EQ(page_.runs()->matrix.baseline, 1U);
  EXPECT_EQ(page_.subjectB(), 0U);
  ASSERT_EQ(baseline.size(), 1);
  EXPECT_EQ(baseline[0][0].toInt(), 1);
  EXPECT_EQ(page_.chart()->bars()[1].remark, "baseline");
}

TEST_F(ComparePageTest, FiltersStagesByWhatIsTyped) {
  const auto run = test::simulated_run("inception_v3");
  set({{run, 0}, {run, 4}});
  const int all = page_.stagesTable()->model()->rowCount();
  auto* filter = page_.findChild<QLineEdit*>(QStringLiteral("compare-filter"));
  page_.scrollArea()->ensureWidgetVisible(filter);
  filter->setFocus();
  QTest::keyClicks(filter, "merged");
  const int merged = page_.stagesTable()->model()->rowCount();
  EXPECT_LT(merged, all);
  filter->clear();
  EXPECT_EQ(page_.stagesTable()->model()->rowCount(), all);
  picture("inception");
  page_.scrollArea()->verticalScrollBar()->setValue(page_.scrollArea()->verticalScrollBar()->maximum());
  picture("stages");
}

TEST_F(ComparePageTest, OfDifferentNetworksMarksWhatIsMissingAndAdded) {
  const auto a = test::simulated_run("resnet18");
  const auto b = test::simulated_run("resnet34");
  set({{a, 0}, {b, 0}});
  EXPECT_TRUE(page_.sentence().contains("the networks are not the same"));
  EXPECT_FALSE(page_.pair()->match.added().empty());
  bool told = false;
  for (const QLabel* label : page_.findChildren<QLabel*>()) told = told || label->text().contains("in B alone");
  EXPECT_TRUE(told);
  picture("networks");
  // Of a unit that both have, the counterpart is selected.
  for (std::size_t i = 0; i < page_.pair()->match.units_in_b.size(); ++i) {
    const UnitId other = page_.pair()->match.units_in_b[i];
    if (!other.valid()) continue;
    selection_.select({{UnitId(i)}, {}, {}});
    EXPECT_EQ(page_.canvases()->selectionB()->current().units, std::vector{other});
    break;
  }
}

TEST_F(ComparePageTest, OfOtherDevicesBatchesAndRecordedRunsSaysWhatTheyAre) {
  const auto here = test::simulated_run("squeezenet");
  const auto batch = test::simulated_run("squeezenet", "h200", 8);
  auto recorded = std::make_shared<Comparison>(*here);
  recorded->recorded = verbatim("recorded on a server, 2026-01-01 10:00 UTC");
  for (ScheduleResult& result : recorded->results) {
    result.trace = {};
    result.rounds.clear();
  }
  recorded->results[4].stage_latencies.clear();
  set({{here, 0}, {batch, 4}, {recorded, 4}, {recorded, 1}});
  EXPECT_TRUE(page_.sentence().contains("batch")) << page_.sentence().toStdString();
  for (std::size_t i = 1; i < 4; ++i) {
    page_.chooseSubject(i);
    settle();
    EXPECT_FALSE(page_.grab().isNull());
    for (const auto& figure : {page_.barsFigure(), page_.matrixFigure(), page_.stagesFigure()}) {
      ASSERT_NE(figure, nullptr);
      EXPECT_FALSE(figure->csv().isEmpty());
    }
  }
  page_.chooseSubject(2);  // without stage latencies
  EXPECT_FALSE(page_.pair()->difference.has_latencies);
  picture("recorded");
}

TEST_F(ComparePageTest, ExternalNumbersAreBarsBesideOurs) {
  const auto run = test::simulated_run("squeezenet");
  LatencyBar external;
  external.label = QStringLiteral("TensorRT");
  external.source = QStringLiteral("profile.json");
  external.latency = {Millis(0.5), Millis(0.02), 30, Origin::kRecorded};
  page_.setExternal({external});
  set({{run, 0}, {run, 4}});
  ASSERT_EQ(page_.chart()->bars().size(), 3U);
  EXPECT_TRUE(page_.chart()->bars()[2].external);
  EXPECT_FALSE(page_.chart()->bars()[2].remark.isEmpty());
  EXPECT_TRUE(page_.barsFigure()->csv().contains("TensorRT,profile.json,yes,recorded,"));
  page_.chart()->plotWidget()->replot();
  QTest::mouseClick(page_.chart()->plotWidget(), Qt::LeftButton, {}, page_.chart()->centerOfBar(2));
  EXPECT_EQ(page_.subjectB(), 1U);  // nobody's schedule
  picture("external");
}

TEST_F(ComparePageTest, APieceOfTheNetworkIsComparedWithNothing) {
  const auto run = test::simulated_run("squeezenet");
  LatencyBar piece;
  piece.label = QStringLiteral("a trace");
  piece.latency = {Millis(0.001), Millis(0), 1, Origin::kRecorded};
  piece.remark = QStringLiteral("3 of 66 operators");
  piece.piece = true;
  page_.setExternal({piece});
  set({{run, 0}, {run, 4}});
  const std::vector<LatencyBar>& bars = page_.chart()->bars();
  ASSERT_EQ(bars.size(), 3U);
  EXPECT_EQ(bars[2].remark, piece.remark);
  EXPECT_FALSE(bars[2].ratio);
  EXPECT_FALSE(bars[2].fastest);
  EXPECT_TRUE(bars[1].fastest) << "of those that ran all of it";
}

TEST_F(ComparePageTest, BarsOfOtherBatchesAreComparedByTheSample) {
  const auto one = test::simulated_run("squeezenet");
  const auto eight = test::simulated_run("squeezenet", "tesla-v100", 8);
  set({{one, 0}, {eight, 0}});
  const std::vector<LatencyBar>& bars = page_.chart()->bars();
  ASSERT_EQ(bars.size(), 2U);
  EXPECT_NEAR(*bars[1].ratio, 8 * (bars[0].latency.value / bars[1].latency.value), 1e-9);
  EXPECT_GT(*bars[1].ratio, 1);
  EXPECT_TRUE(bars[1].remark.endsWith(QStringLiteral("a sample"))) << bars[1].remark.toStdString();
  EXPECT_TRUE(bars[1].fastest);
  EXPECT_FALSE(bars[0].fastest) << "its latency is shorter, but it is of one sample";
}

TEST_F(ComparePageTest, KeepsBWhenTheSubjectsChange) {
  const auto run = test::simulated_run("squeezenet");
  set(test::all_of({run}));
  page_.chooseSubject(1);
  auto more = test::all_of({run});
  std::ranges::reverse(more);  // Greedy is the sixth now
  set(more, 6);
  EXPECT_EQ(page_.subjectB(), 5U);
}

TEST_F(ComparePageTest, SelectionOfAnotherNetworkIsTranslated) {
  const auto a = test::simulated_run("resnet18");
  const auto window = test::simulated_run("resnet34");
  set({{a, 0}, {a, 4}});
  page_.setSelectionGraph(window->graph);
  const GraphMatch match = match_graphs(*window->graph, *a->graph);
  selection_.select({{UnitId(0)}, {}, {}});
  EXPECT_EQ(page_.canvases()->selectionA()->current().units, std::vector{match.units_in_b[0]});
}

TEST_F(ComparePageTest, LeavesTheWheelOverTheBarsToThePageAndShowsItsTopWhenReset) {
  page_.resize(1012, 708);
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 1}});
  const QScrollBar* bar = page_.scrollArea()->verticalScrollBar();
  ASSERT_EQ(bar->value(), 0);
  auto* plot = page_.chart()->findChild<QCustomPlot*>();
  ASSERT_NE(plot, nullptr);
  const QPointF at = plot->rect().center();
  QWheelEvent wheel(at, plot->mapToGlobal(at), {}, {0, -240}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
  QApplication::sendEvent(plot, &wheel);
  EXPECT_FALSE(wheel.isAccepted() || plot->testAttribute(Qt::WA_NoMousePropagation)) << "it is the page's";
  page_.scrollArea()->verticalScrollBar()->setValue(50);
  page_.resetArrangement();
  EXPECT_EQ(bar->value(), 0);
}

// The page has this size in a window of 1280 x 800.
TEST_F(ComparePageTest, BothCanvasesStandInASmallWindowWithoutScrolling) {
  page_.resize(1012, 708);
  const auto one = test::simulated_run("inception_v3");
  set({{one, 0}, {one, 1}});
  set({{one, 0}, {one, 1}, {test::simulated_run("inception_v3", "h200", 32), 1}});  // a longer sentence
  const QWidget* viewport = page_.scrollArea()->viewport();
  const QWidget* canvases = page_.canvases();
  EXPECT_EQ(page_.scrollArea()->verticalScrollBar()->value(), 0);
  EXPECT_LE(canvases->mapTo(viewport, QPoint(0, canvases->height())).y(), viewport->height());
}

TEST(ComparisonChart, TakesAnyScheduleAsBaseline) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  chart.setComparison(test::simulated_run("squeezenet"));
  EXPECT_EQ(chart.bars()[0].remark, "baseline");
  chart.setBaseline(ScheduleId("greedy"));
  EXPECT_EQ(chart.bars()[1].remark, "baseline");
  EXPECT_TRUE(chart.bars()[0].remark.endsWith(QString::fromUtf8("×")));
  EXPECT_TRUE(chart.figure()->csv().contains(",greedy,1,"));
  chart.setBaseline(ScheduleId("no such schedule"));
  EXPECT_EQ(chart.bars()[0].remark, "baseline");
}

TEST_F(ComparePageTest, HasAPlaceForTheTimeline) {
  auto* timeline = new QLabel(QStringLiteral("a timeline"));
  page_.setTimeline(timeline);
  const auto run = test::simulated_run("squeezenet");
  set({{run, 0}, {run, 4}});
  EXPECT_TRUE(timeline->isVisible());
  EXPECT_GE(timeline->height(), 200);
  page_.setTimeline(nullptr);
}

TEST_F(ComparePageTest, LooksRightInTheDark) {
  apply_theme(*qApp, Theme::darkTheme());
  page_.setTheme(Theme::darkTheme());
  const auto run = test::simulated_run("inception_v3");
  set({{run, 0}, {run, 1}, {run, 4}});
  picture("dark");
  page_.resize(1600, 1000);
  settle();
  picture("dark-large");
  EXPECT_GT(page_.canvases()->canvasA()->height(), 250);
  apply_theme(*qApp, Theme::light());
}

// Where the time went stands below the sentence, of every schedule with lanes.
TEST_F(ComparePageTest, SaysWhereTheTimeOfLanesWent) {
  const auto* gains = page_.findChild<QLabel*>(QStringLiteral("compare-gains"));
  ASSERT_NE(gains, nullptr);
  const auto lanes = test::made_up_lanes();
  set({{lanes, 1}, {lanes, 3}});
  EXPECT_TRUE(gains->isVisible());
  EXPECT_EQ(gains->text(),
            QString::fromUtf8("IOS-Flow takes 6.00 \u00B5s less than Greedy: no barriers 5.00 \u00B5s, other lanes "
                              "and order 1.00 \u00B5s."));
  set({{lanes, 0}, {lanes, 1}});
  EXPECT_FALSE(gains->isVisible());
}

}  // namespace
}  // namespace iosx
