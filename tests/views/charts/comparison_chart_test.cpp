#include "views/compare/comparison_chart.h"

#include <gtest/gtest.h>
#include <qcustomplot.h>

#include <QSignalSpy>
#include <QTest>

#include "tests/support/made_up_comparison.h"

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
      const auto* text = qobject_cast<QCPItemText*>(chart.plotWidget()->item(i));
      ASSERT_NE(text, nullptr);
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

}  // namespace
}  // namespace iosx
