#include <qcustomplot.h>

#include <QComboBox>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/explore/utilization/utilization_view.h"
#include "views/text/latency_text.h"
#include "views/text/qstring.h"

namespace iosx {
namespace {

// The same comparison as a computer with two cores would report it: one core a running kernel.
std::shared_ptr<Comparison> on_two_cores() {
  auto comparison = test::made_up_comparison();
  for (ScheduleResult& result : comparison->results) {
    Counter& counter = result.trace.counters.front();
    counter.name = "busy cores";
    counter.unit = "cores";
    counter.peak = 2;
    for (double& value : counter.values) value /= 1600;
    result.latency.origin = Origin::kMeasured;
  }
  comparison->device.origin = Origin::kMeasured;
  return comparison;
}

std::vector<UtilizationRow> rows_of(const std::shared_ptr<const Comparison>& comparison,
                                    const std::vector<std::size_t>& shown) {
  return utilization_rows(unaligned(tracks_of(comparison, shown)).tracks);
}

TracksOnAxis placed(const std::shared_ptr<const Comparison>& comparison, const std::vector<std::size_t>& shown) {
  return unaligned(tracks_of(comparison, shown));
}

class UtilizationViewTest : public testing::Test {
 protected:
  UtilizationViewTest() {
    view_.resize(1000, 500);
    view_.show();
    axis_.setMargins(220, 26);
    axis_.setDuration(comparison_->results[0].trace.duration);
    show(comparison_);
    QCoreApplication::processEvents();
  }

  // The default schedules of a comparison.
  void show(const std::shared_ptr<const Comparison>& comparison) {
    view_.setTracks(comparison ? placed(comparison, default_results(*comparison)) : TracksOnAxis{});
  }

  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  SelectionModel selection_;
  TimeAxisModel axis_;
  UtilizationView view_{&selection_, &axis_};
};

TEST(UtilizationRows, MeansAreasAndIdleTimeAreThoseOfTheTrace) {
  const auto comparison = test::made_up_comparison();
  const auto rows = rows_of(comparison, {0, 1, 2});
  ASSERT_EQ(rows.size(), 3U);
  for (const UtilizationRow& row : rows) {
    const Trace& trace = row.track.schedule().trace;
    double busy = 0;
    for (const KernelSpan& span : trace.kernels) busy += (span.end - span.begin).count() * 800;
    EXPECT_NEAR(row.area, busy, 1e-6);
    EXPECT_NEAR(row.mean, busy / trace.duration.count(), 1e-6);
    // Only the 4 µs before each stage are idle: in a stage some kernel always runs.
    EXPECT_NEAR(row.idle_share, 4.0 * static_cast<double>(trace.stages.size()) / trace.duration.count(), 1e-9);
    EXPECT_EQ(row.idle.size(), trace.stages.size());
  }
  EXPECT_FALSE(rows[0].area_ratio.has_value());
  EXPECT_NEAR(*rows[1].area_ratio, rows[1].area / rows[0].area, 1e-12);
  EXPECT_GT(*rows[1].mean_ratio, 1.0);
}

TEST(UtilizationRows, AllRowsShowOneQuantity) {
  auto mixed = test::made_up_comparison();
  mixed->results[1].trace.counters.front().unit = "cores";
  const auto rows = rows_of(mixed, {0, 1, 2});
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].unit, "warps");
  EXPECT_EQ(rows[1].unit, "warps");
}

TEST(UtilizationRows, FewCoresAreShownAllOfThem) {
  const auto rows = rows_of(on_two_cores(), {0});
  EXPECT_GT(common_top(rows), 2);
  EXPECT_LT(common_top(rows), 2.5);
}

TEST_F(UtilizationViewTest, SpeaksOfTheCountersOwnNameAndUnit) {
  show(on_two_cores());
  QCoreApplication::processEvents();
  EXPECT_EQ(view_.accessibleName(), "busy cores over time");
  const QRect row = view_.plotWidget()->axisRect(0)->rect();
  const double x = view_.plot().axis().x(Micros(12));
  const QString tip = view_.toolTipAt(QPointF(x, row.center().y()));
  EXPECT_TRUE(tip.contains("(measured)")) << tip.toStdString();
  EXPECT_TRUE(tip.contains("0.50 busy cores (25 % of 2)")) << tip.toStdString();
  EXPECT_TRUE(tip.contains("stage 1: mean 0.50 cores = 25 %, area 0.01 cores")) << tip.toStdString();
  const auto figure = view_.figure();
  EXPECT_TRUE(figure->title().startsWith("Busy cores over time:")) << figure->title().toStdString();
  EXPECT_TRUE(figure->csv().startsWith("schedule,origin,begin_us,end_us,busy_cores,peak_cores"));
  EXPECT_FALSE(view_.grab().isNull());
}

// As a profile has them: the first counter is shown, the others can be chosen.
TEST_F(UtilizationViewTest, EveryCounterCanBeShown) {
  auto profiled = test::made_up_comparison();
  for (ScheduleResult& result : profiled->results) {
    Counter& warps = result.trace.counters.front();
    warps.source = "CUPTI PM sampling every 5 us, 200 runs laid over one another";
    warps.errors.assign(warps.values.size(), 80);
    warps.stage_errors.assign(result.trace.stages.size(), 40);
    warps.error = 20;
    Counter memory{"DRAM throughput", "%", 100, {Micros(0)}, {40}, warps.source};
    result.trace.counters.push_back(std::move(memory));
  }
  show(profiled);
  QCoreApplication::processEvents();
  auto* list = must(view_.findChild<QComboBox*>());
  ASSERT_TRUE(list->isVisible());
  ASSERT_EQ(list->count(), 2);
  EXPECT_TRUE(list->currentText().contains("active warps")) << list->currentText().toStdString();
  EXPECT_TRUE(list->toolTip().contains("200 runs")) << list->toolTip().toStdString();
  EXPECT_EQ(view_.plot().rows()[0].mean_error, 20);
  const auto tip = [&] {
    const QRect row = view_.plotWidget()->axisRect(0)->rect();
    return view_.toolTipAt(QPointF(view_.plot().axis().x(Micros(12)), row.center().y()));
  };
  EXPECT_TRUE(tip().contains(QString::fromUtf8("\u00B1"))) << tip().toStdString();
  EXPECT_TRUE(tip().contains("from CUPTI PM sampling")) << tip().toStdString();
  const auto caption = [&] { return view_.plotWidget()->axisRect(2)->axis(QCPAxis::atBottom)->label(); };
  EXPECT_TRUE(caption().endsWith("active warps: CUPTI PM sampling every 5 us")) << caption().toStdString();

  list->setFocus();
  QTest::keyClick(list, Qt::Key_Down);
  QCoreApplication::processEvents();
  EXPECT_EQ(view_.counter(), "DRAM throughput");
  EXPECT_EQ(view_.plot().rows()[0].quantity, "DRAM throughput");
  EXPECT_EQ(view_.accessibleName(), "DRAM throughput over time");
  EXPECT_TRUE(tip().contains("40 %, DRAM throughput")) << tip().toStdString();
  EXPECT_TRUE(view_.figure()->title().startsWith("DRAM throughput over time"));
  EXPECT_TRUE(view_.figure()->csv().startsWith("schedule,origin,begin_us,end_us,DRAM_throughput,peak_%,source"))
      << view_.figure()->csv().left(100).toStdString();

  // A comparison without it: back to the main one, and there is nothing to choose.
  show(test::made_up_comparison());
  QCoreApplication::processEvents();
  EXPECT_EQ(view_.plot().rows()[0].quantity, "active warps");
  EXPECT_FALSE(list->isVisible());
}

TEST(UtilizationRows, CroppingKeepsTheCurveInsideTheRange) {
  const auto comparison = test::made_up_comparison();
  const UtilizationRow whole = rows_of(comparison, {1}).front();
  const UtilizationRow part = cropped(whole, {Micros(10), Micros(50)});
  ASSERT_FALSE(part.times.empty());
  EXPECT_GE(part.times.front(), 10.0);
  EXPECT_LE(part.times.back(), 50.0);
  EXPECT_EQ(part.mean, whole.mean);
}

TEST(UtilizationRows, TheScaleHoldsBriefPeaksToo) {
  UtilizationRow row{.times = {0, 500, 501, 1000}, .values = {300, 5000, 250, 0}, .peak = 5120};
  EXPECT_GT(common_top({row}), 5000);
  EXPECT_LT(common_top({row}), 6000);
  EXPECT_GE(common_top({}), 1);
}

// A kernel of a few microseconds that fills the device: no picture of it ends at what the others use.
TEST_F(UtilizationViewTest, AShortPeakIsInsideThePlotAtEveryZoom) {
  auto peaked = test::made_up_comparison();
  Trace& trace = peaked->results[0].trace;
  const Micros end = trace.duration;
  const Micros peak = end * 0.5;
  trace.counters.front().times = {Micros(0), peak, peak + end * 0.001, end};
  trace.counters.front().values = {300, 5000, 250, 0};
  view_.setTracks(placed(peaked, {0}));
  const auto largest = [&] {
    double most = 0;
    const QCustomPlot& plot = *view_.plotWidget();
    for (int i = 0; i < plot.graphCount(); ++i) {
      if (plot.graph(i)->lineStyle() != QCPGraph::lsStepLeft) continue;
      for (const QCPGraphData& data : *plot.graph(i)->data()) most = std::max(most, data.value);
    }
    return most;
  };
  for (const double around : {0.6, 0.1, 0.01}) {
    axis_.setVisible({peak - end * around, peak + end * around});
    EXPECT_EQ(largest(), 5000) << around;
    const QCPAxis* amount = view_.plotWidget()->axisRect(0)->axis(QCPAxis::atLeft);
    EXPECT_GT(amount->range().upper, 5000);
  }
}

// Thousands of steps on a thousand pixels: the picture has neither more points than pixels can show, nor less height.
TEST_F(UtilizationViewTest, ManyStepsAreReducedToWhatPixelsShow) {
  auto busy = test::made_up_comparison();
  Counter& counter = busy->results[0].trace.counters.front();
  const Micros end = busy->results[0].trace.duration;
  counter.times.clear();
  counter.values.clear();
  constexpr int kSteps = 50000;
  for (int i = 0; i < kSteps; ++i) {
    counter.times.push_back(end * (static_cast<double>(i) / kSteps));
    counter.values.push_back(i == 31234 ? 4000 : i % 2 == 0 ? 100 : 900);
  }
  view_.setTracks(placed(busy, {0}));
  double most = 0;
  const QCustomPlot& plot = *view_.plotWidget();
  for (int i = 0; i < plot.graphCount(); ++i) {
    EXPECT_LT(plot.graph(i)->dataCount(), 4 * plot.width());
    for (const QCPGraphData& data : *plot.graph(i)->data()) most = std::max(most, data.value);
  }
  EXPECT_GE(most, 4000);
}

TEST_F(UtilizationViewTest, WhatIsMeasuredAndPlayedIsDrawnThroughAllRows) {
  const QImage before = view_.plotWidget()->toPixmap().toImage();
  axis_.setMeasure(TimeMeasure{Micros(20), Micros(60)});
  const QImage measured = view_.plotWidget()->toPixmap().toImage();
  EXPECT_NE(measured, before);
  for (int row = 0; row < 3; ++row) {
    const QRect rect = view_.plotWidget()->axisRect(row)->rect();
    const QPoint inside(static_cast<int>(view_.plot().axis().x(Micros(40))), rect.top() + 3);
    EXPECT_NE(measured.pixel(inside), before.pixel(inside)) << row;
  }
  axis_.setMeasure(std::nullopt);
  EXPECT_EQ(view_.plotWidget()->toPixmap().toImage(), before);
  axis_.setPlayhead(Micros(30));
  EXPECT_NE(view_.plotWidget()->toPixmap().toImage(), before);
}

TEST_F(UtilizationViewTest, ThemesDoNotChangeTheSizeOfTexts) {
  const QImage light = view_.plotWidget()->toPixmap().toImage();
  view_.setTheme(Theme::darkTheme());
  EXPECT_NE(view_.plotWidget()->toPixmap().toImage(), light);
  view_.setTheme(Theme::light());
  EXPECT_EQ(view_.plotWidget()->toPixmap().toImage(), light);
}

// A schedule's or a counter's name that looks like markup is no markup in a tool tip.
TEST_F(UtilizationViewTest, NamesInToolTipsArePlain) {
  auto named = test::made_up_comparison();
  for (ScheduleResult& result : named->results) result.trace.counters.front().source = "<img src=x> & more";
  show(named);
  EXPECT_EQ(plain_tip("<b>\n&"), "<span>&lt;b&gt;<br>&amp;</span>");
  EXPECT_EQ(plain_tip("a sum\nof two"), "a sum\nof two");
  auto* list = view_.findChild<QComboBox*>();
  EXPECT_TRUE(list->toolTip().contains("&lt;img")) << list->toolTip().toStdString();
}

TEST_F(UtilizationViewTest, ADragMeasuresAndWithControlPans) {
  axis_.setVisible({Micros(20), Micros(80)});
  const QPoint from(400, 100);
  const auto drag = [&](Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(view_.plotWidget(), Qt::LeftButton, modifiers, from);
    for (const QPoint at : {from + QPoint(50, 0), from + QPoint(120, 0)}) {
      QMouseEvent move(QEvent::MouseMove, at, view_.plotWidget()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                       modifiers);
      QCoreApplication::sendEvent(view_.plotWidget(), &move);
    }
    QTest::mouseRelease(view_.plotWidget(), Qt::LeftButton, modifiers, from + QPoint(120, 0));
  };
  const TimeRange before = axis_.visible();
  drag({});
  ASSERT_TRUE(axis_.measure());
  EXPECT_NEAR(axis_.measure()->range().length().count(), view_.plot().axis().duration(120).count(),
              view_.plot().axis().duration(16).count());
  EXPECT_EQ(axis_.visible(), before);
  drag(Qt::ControlModifier);
  EXPECT_LT(axis_.visible().begin, before.begin);
}

TEST_F(UtilizationViewTest, PlotsTheSamePixelsAsTheTimeAxisSays) {
  const TimeAxis axis = view_.plot().axis();
  EXPECT_EQ(axis.left, 220);
  EXPECT_NEAR(axis.right(), 974, 1);
  const QCPAxis* time = view_.plotWidget()->axisRect(0)->axis(QCPAxis::atBottom);
  EXPECT_NEAR(time->coordToPixel(100), axis.x(Micros(100)), 1.0);
}

TEST_F(UtilizationViewTest, ZoomsWithTheSharedAxisAndZoomsIt) {
  axis_.setVisible({Micros(20), Micros(60)});
  const QCPAxis* time = view_.plotWidget()->axisRect(2)->axis(QCPAxis::atBottom);
  EXPECT_NEAR(time->range().lower, 20, 1e-9);
  EXPECT_NEAR(time->range().upper, 60, 1e-9);
  const QPointF at(500, 100);
  const Micros before = view_.plot().axis().time(at.x());
  QWheelEvent wheel(at, view_.plotWidget()->mapToGlobal(at), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(view_.plotWidget(), &wheel);
  EXPECT_LT(axis_.visible().length(), Micros(40));
  EXPECT_NEAR(view_.plot().axis().time(at.x()).count(), before.count(), 1e-6);
}

TEST_F(UtilizationViewTest, AClickSelectsTheStageUnderIt) {
  const StageSpan stage = comparison_->results[1].trace.stages[1];
  const QRect row = view_.plotWidget()->axisRect(1)->rect();
  const double x = view_.plot().axis().x((stage.begin + stage.end) / 2);
  QTest::mouseClick(view_.plotWidget(), Qt::LeftButton, {}, QPoint(static_cast<int>(x), row.center().y()));
  EXPECT_EQ(selection_.current().schedule, ScheduleId("greedy"));
  EXPECT_EQ(selection_.current().stage, 1U);
  EXPECT_EQ(selection_.current().units.size(), 3U);
  EXPECT_TRUE(view_.toolTipAt(QPointF(x, row.center().y())).contains("warps"));
}

TEST_F(UtilizationViewTest, ThreeRowsFitIntoALowPanelAndFewerScrollByRows) {
  const auto settle = [&](int height) {
    view_.resize(1000, height);
    QCoreApplication::processEvents();
  };
  auto* bar = view_.findChild<QScrollBar*>();
  settle(186);
  EXPECT_EQ(view_.plot().rows().size(), 3U);
  EXPECT_FALSE(bar->isVisible());
  settle(140);
  ASSERT_EQ(view_.plot().rows().size(), 2U);
  EXPECT_TRUE(bar->isVisible());
  EXPECT_EQ(view_.plot().rows()[0].track.result, 0U);
  EXPECT_NEAR(view_.plot().axis().right(), 974, 1);  // still lines up
  bar->setValue(1);
  EXPECT_EQ(view_.plot().rows()[0].track.result, 1U);
  const QCPAxis* time = view_.plotWidget()->axisRect(1)->axis(QCPAxis::atBottom);
  EXPECT_TRUE(time->tickLabels());
  EXPECT_TRUE(time->label().contains("time from the start"));
  settle(500);
  EXPECT_EQ(view_.plot().rows().size(), 3U);
}

TEST_F(UtilizationViewTest, ShowsTheGivenSchedulesAndSurvivesMissingData) {
  view_.setTracks(placed(comparison_, {1}));
  EXPECT_EQ(view_.plot().rows().size(), 1U);
  auto bare = test::made_up_comparison();
  for (ScheduleResult& result : bare->results) result.trace.counters.clear();
  show(bare);
  EXPECT_TRUE(view_.plot().rows().empty());
  show(std::make_shared<Comparison>());
  show(nullptr);
  selection_.select({{UnitId(1)}, {}, {}});
  axis_.zoomAt(Micros(10), 0.5);
  EXPECT_FALSE(view_.grab().isNull());
}

TEST_F(UtilizationViewTest, ShowsTheRunThatWasChosenOfTwoOfOneScheduleKind) {
  const auto twins = test::made_up_twins();
  view_.setTracks(placed(twins, {3}));
  ASSERT_EQ(view_.plot().rows().size(), 1U);
  EXPECT_EQ(view_.plot().rows()[0].track.result, 3U);
  EXPECT_TRUE(view_.figure()->csv().contains("\nios-both-2,"));
}

}  // namespace
}  // namespace iosx
