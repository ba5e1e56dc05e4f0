#include "views/compare/stage_latency_chart.h"

#include <gtest/gtest.h>

#include <QTest>

#include "tests/support/made_up_comparison.h"

namespace iosx {
namespace {

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
