#include <qcustomplot.h>

#include <QSignalSpy>
#include <QTest>

#include "core/analysis/compare/compare.h"
#include "models/networks/zoo.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"
#include "views/compare/comparison_chart.h"
#include "views/compare/stage_latency_chart.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/explore/utilization/utilization_figure.h"
#include "views/figures/exporter.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

QStringList labels(const QCustomPlot& plot) {
  QStringList texts;
  for (int i = 0; i < plot.itemCount(); ++i) {
    if (const auto* text = qobject_cast<QCPItemText*>(plot.item(i))) texts << text->text();
  }
  return texts;
}

TEST(ComparisonChart, OneBarAScheduleWithItsLatencyAndSpeedUp) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  const auto comparison = test::made_up_comparison();
  comparison->results[0].latency.value = Millis(6);
  comparison->results[1].latency.value = Millis(4);
  chart.setComparison(comparison);
  EXPECT_EQ(chart.plotWidget()->plottableCount(), 3);
  EXPECT_EQ(labels(*chart.plotWidget())[0], QString::fromUtf8("6.00 ms  \u00B7  baseline"));
  EXPECT_TRUE(labels(*chart.plotWidget())[1].endsWith(QString::fromUtf8("\u00B7  1.50\u00D7")));
  EXPECT_TRUE(chart.plotWidget()->xAxis->label().contains("(ms), simulated"));
  EXPECT_TRUE(chart.summary().contains("simulated"));
}

TEST(ComparisonChart, SpreadIsAnErrorBarAndNoWinInsideTheNoise) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  const auto comparison = test::made_up_comparison();
  comparison->results[0].latency = {Millis(4.0), Millis(0.3), 20, Origin::kMeasured};
  comparison->results[1].latency = {Millis(3.8), Millis(0.1), 20, Origin::kMeasured};
  chart.setComparison(comparison);
  EXPECT_EQ(chart.plotWidget()->plottableCount(), 5);  // two error bars
  EXPECT_TRUE(labels(*chart.plotWidget())[1].contains("same as sequential within the noise"));
  EXPECT_FALSE(labels(*chart.plotWidget())[1].contains(QString::fromUtf8("\u00D7")));
}

TEST(ComparisonChart, TheAxisEndsJustBeyondTheLongestBar) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  const auto comparison = test::made_up_comparison();
  comparison->results[0].latency.value = Millis(6.49);
  chart.resize(700, 260);
  chart.setComparison(comparison);
  EXPECT_GE(chart.plotWidget()->xAxis->range().upper, 6.49);
  EXPECT_LT(chart.plotWidget()->xAxis->range().upper, 6.49 * 1.1);
}

TEST(ComparisonChart, LabelsEndInsideThePlotAtAnyWidth) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  chart.setComparison(test::made_up_comparison());
  for (const int width : {420, 760, 1600}) {
    chart.resize(width, 320);
    chart.show();
    chart.plotWidget()->replot();
    for (int i = 0; i < chart.plotWidget()->itemCount(); ++i) {
      const auto* text = must(qobject_cast<QCPItemText*>(chart.plotWidget()->item(i)));
      EXPECT_LE(text->right->pixelPosition().x(), chart.plotWidget()->width()) << width;
    }
  }
}

TEST(ComparisonChart, AClickOnABarNamesItsSchedule) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  chart.resize(800, 360);
  chart.setComparison(test::made_up_comparison());
  chart.show();
  chart.plotWidget()->replot();
  QSignalSpy spy(&chart, &ComparisonChart::scheduleActivated);
  const int y = static_cast<int>(chart.plotWidget()->yAxis->coordToPixel(-1));
  QTest::mouseClick(chart.plotWidget(), Qt::LeftButton, {}, QPoint(200, y));
  ASSERT_EQ(spy.size(), 1);
  EXPECT_EQ(spy[0][0].value<ScheduleId>(), ScheduleId("greedy"));
}

TEST(ComparisonChart, TwoRunsOfOneScheduleKindHaveBarsOfTheirOwn) {
  const auto twins = test::made_up_twins();
  SelectionModel selection;
  ComparisonChart chart(&selection);
  chart.resize(800, 360);
  chart.setComparison(twins);
  chart.show();
  ASSERT_EQ(chart.plotWidget()->plottableCount(), 4);
  const auto ticker = chart.plotWidget()->yAxis->ticker().dynamicCast<QCPAxisTickerText>();
  ASSERT_TRUE(ticker);
  EXPECT_EQ(ticker->ticks().value(-2), "IOS-Both");
  EXPECT_EQ(ticker->ticks().value(-3), "IOS-Both 2");
  const auto pen = [&](int bar) { return chart.plotWidget()->plottable(bar)->pen().color(); };
  EXPECT_EQ(pen(2), Theme::light().accent) << "the fastest";
  EXPECT_EQ(pen(3), Theme::light().boxLine) << "grey, whatever its kind";
  selection.select(stage_selection(twins->results[3], 1));
  EXPECT_EQ(pen(2), Theme::light().boxLine) << "another one is in focus";
  EXPECT_EQ(pen(3), Theme::light().selection);
  QSignalSpy spy(&chart, &ComparisonChart::scheduleActivated);
  chart.plotWidget()->replot();
  const int y = static_cast<int>(chart.plotWidget()->yAxis->coordToPixel(-3));
  QTest::mouseClick(chart.plotWidget(), Qt::LeftButton, {}, QPoint(200, y));
  ASSERT_EQ(spy.size(), 1);
  EXPECT_EQ(spy[0][0].value<ScheduleId>(), twins->results[3].id);
  const QString csv = chart.figure()->csv();
  EXPECT_TRUE(csv.contains(",ios-both,"));
  EXPECT_TRUE(csv.contains(",ios-both-2,"));
}

TEST(ComparisonChart, EmptyAndCancelledComparisonsAreShown) {
  SelectionModel selection;
  ComparisonChart chart(&selection);
  chart.setComparison(nullptr);
  chart.setComparison(std::make_shared<Comparison>());
  EXPECT_TRUE(chart.summary().contains("No schedule"));
  auto cancelled = test::made_up_comparison();
  cancelled->results.erase(cancelled->results.begin() + 1, cancelled->results.end());
  chart.setComparison(cancelled);
  EXPECT_EQ(chart.plotWidget()->plottableCount(), 1);
  EXPECT_FALSE(chart.grab().isNull());
}

TEST(RealComparison, TheSampleNetworkOnTheSimulatedV100GivesAllFigures) {
  const auto device = test::simulated("tesla-v100");
  auto graph = must(zoo_network("sample"));
  auto compared = must(compare(graph, *device, {}, {}));
  const auto comparison = std::make_shared<const Comparison>(std::move(compared));
  const std::vector<std::size_t> shown = default_results(*comparison);
  const bool flow = comparison->find(ScheduleKind::kIosFlow)->lanes.has_value();
  ASSERT_EQ(shown.size(), flow ? 4U : 3U);
  EXPECT_EQ(utilization_rows(unaligned(tracks_of(comparison, shown)).tracks).size(), shown.size());
  EXPECT_TRUE(summary_sentence(*comparison).contains("simulated"));
  const std::unique_ptr<Figure> figures[] = {make_comparison_figure(comparison), make_stage_latency_figure(comparison),
                                             make_timeline_figure(comparison, shown, {}),
                                             make_utilization_figure(comparison, shown, {})};
  for (const auto& figure : figures) {
    for (const FigureFormat format : kFigureFormats) {
      EXPECT_GT(must(render_figure(*figure, format)).size(), 200);
    }
  }
}

TEST(StageBars, SegmentsAreAsLongAsTheirStagesAndHitTestingFindsThem) {
  const auto comparison = test::made_up_comparison();
  const StageBars bars(*comparison);
  const TimeAxis axis = bars.axis(900);
  for (std::size_t row = 0; row < comparison->results.size(); ++row) {
    double end = axis.left;
    for (std::size_t i = 0; i < comparison->results[row].stage_latencies.size(); ++i) {
      const QRectF box = bars.segment({row, i}, axis);
      EXPECT_NEAR(box.left(), end, 1e-9);
      EXPECT_NEAR(box.width(), axis.pixels(comparison->results[row].stage_latencies[i].value), 1e-9);
      EXPECT_EQ(bars.hit(box.center(), axis), (StageRef{row, i}));
      end = box.right();
    }
    EXPECT_FALSE(bars.hit({end + 2, bars.segment({row, 0}, axis).center().y()}, axis));
  }
  EXPECT_FALSE(bars.hit({300, -5}, axis));
  EXPECT_FALSE(bars.hit({300, 1e6}, axis));
}

TEST(StageBars, MovingStaysInside) {
  const auto comparison = test::made_up_comparison();
  const StageBars bars(*comparison);
  EXPECT_EQ(bars.along({0, 0}, -1), (StageRef{0, 0}));
  EXPECT_EQ(bars.along({0, 4}, 1), (StageRef{0, 4}));
  EXPECT_EQ(bars.across({0, 0}, -1), (StageRef{0, 0}));
  EXPECT_EQ(bars.across({0, 4}, 1).result, 1U);
  EXPECT_LT(bars.across({0, 4}, 1).stage, 3U);
}

TEST(StageLatencyChart, ClicksAndKeysSelectStages) {
  SelectionModel selection;
  StageLatencyChart chart(&selection);
  chart.resize(900, 380);
  chart.show();
  const auto comparison = test::made_up_comparison();
  chart.setComparison(comparison);
  QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.viewportCenterOf({2, 1}).toPoint());
  EXPECT_EQ(selection.current().schedule, ScheduleId("ios-both"));
  EXPECT_EQ(selection.current().stage, 1U);
  EXPECT_EQ(selection.current().units, (std::vector<UnitId>{UnitId(1), UnitId(2), UnitId(3)}));
  EXPECT_TRUE(chart.accessibleDescription().contains("stage 2"));
  QTest::keyClick(&chart, Qt::Key_Right);
  EXPECT_EQ(selection.current().stage, 2U);
  QTest::keyClick(&chart, Qt::Key_Up);
  EXPECT_EQ(selection.current().schedule, ScheduleId("greedy"));
  QTest::keyClick(&chart, Qt::Key_Escape);
  EXPECT_TRUE(selection.current().empty());
}

TEST(StageLatencyChart, EmptyAndCancelledComparisonsAreShown) {
  SelectionModel selection;
  StageLatencyChart chart(&selection);
  chart.setComparison(nullptr);
  EXPECT_FALSE(chart.grab().isNull());
  auto cancelled = test::made_up_comparison();
  cancelled->results.pop_back();
  cancelled->results.back().stage_latencies.resize(1);
  chart.setComparison(cancelled);
  EXPECT_FALSE(chart.grab().isNull());
  QTest::keyClick(&chart, Qt::Key_Right);
  QTest::keyClick(&chart, Qt::Key_Down);
  EXPECT_FALSE(selection.current().empty());
  chart.setComparison(std::make_shared<Comparison>());
  QTest::keyClick(&chart, Qt::Key_Right);
  EXPECT_FALSE(chart.grab().isNull());
}

TEST(StageLatencyTwins, AStageIsSelectedInTheRunThatWasClicked) {
  const auto twins = test::made_up_twins();
  SelectionModel selection;
  StageLatencyChart chart(&selection);
  chart.resize(900, 500);
  chart.setComparison(twins);
  chart.show();
  QTest::mouseClick(chart.viewport(), Qt::LeftButton, {}, chart.viewportCenterOf({3, 1}).toPoint());
  EXPECT_EQ(selection.current().schedule, twins->results[3].id);
  EXPECT_TRUE(chart.accessibleDescription().startsWith("IOS-Both 2, stage 2"));
  QTest::keyClick(&chart, Qt::Key_Up);
  EXPECT_EQ(selection.current().schedule, twins->results[2].id);
  EXPECT_EQ(chart.figure()->csv().count("\nios-both-2,"), 3);
}

}  // namespace

}  // namespace iosx
