#include "views/explore/utilization/utilization_figure.h"

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/text/counter_text.h"

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

TEST(UtilizationRows, MeansAndAreasAreThoseOfTheTrace) {
  const auto comparison = test::made_up_comparison();
  const auto rows = rows_of(comparison, {0, 1, 2});
  ASSERT_EQ(rows.size(), 3U);
  for (const UtilizationRow& row : rows) {
    const Trace& trace = row.track.schedule().trace;
    double busy = 0;
    for (const KernelSpan& span : trace.kernels) busy += (span.end - span.begin).count() * 800;
    EXPECT_NEAR(row.area, busy, 1e-6);
    EXPECT_NEAR(row.mean, busy / trace.duration.count(), 1e-6);
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

// As a profile has them: the first counter is shown, the others can be chosen.
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
// Thousands of steps on a thousand pixels: the picture has neither more points than pixels can show, nor less height.
// A schedule's or a counter's name that looks like markup is no markup in a tool tip.

TEST(UtilizationFigure, IsOfTheChosenCounter) {
  auto profiled = test::made_up_comparison();
  for (ScheduleResult& result : profiled->results) {
    result.trace.counters.push_back(
        {"DRAM throughput", "%", 100, {Micros(0)}, {40}, "CUPTI PM sampling every 5 us, of 200 runs"});
  }
  const auto figure = make_utilization_figure(profiled, {0, 1, 2}, {}, "DRAM throughput");
  EXPECT_TRUE(figure->title().startsWith("DRAM throughput over time")) << figure->title().toStdString();
  EXPECT_TRUE(figure->csv().startsWith("schedule,origin,begin_us,end_us,DRAM_throughput,peak_%,source"))
      << figure->csv().left(100).toStdString();
  const auto usual = make_utilization_figure(profiled, {0, 1, 2}, {}, "no such counter");
  EXPECT_TRUE(usual->title().startsWith("Active warps over time")) << usual->title().toStdString();
  EXPECT_TRUE(make_utilization_figure(on_two_cores(), {0}, {})->csv().contains("busy_cores,peak_cores"));
}

// The axis of time has room for its numbers and its title.
TEST(UtilizationFigure, TheTitleOfTheAxisIsInsideThePicture) {
  QCustomPlot plot;
  plot.resize(1400, 3 * 120 + UtilizationPlot::kAxisHeight);
  UtilizationPlot drawing(plot);
  const auto rows = rows_of(test::made_up_comparison(), {0, 1, 2});
  drawing.build(rows, common_top(rows), Theme::light(), QFont());
  drawing.set_margins({}, plot.height());
  const auto* axis = plot.axisRect(2)->axis(QCPAxis::atBottom);
  const double below = axis->tickLengthOut() + axis->tickLabelPadding() +
                       QFontMetricsF(axis->tickLabelFont()).height() + axis->labelPadding() +
                       QFontMetricsF(axis->labelFont()).height();
  EXPECT_LE(below, UtilizationPlot::kAxisHeight);
}

// A slower schedule is never called the busier one by a share of idle time.
TEST(UtilizationFigure, SaysNothingOfIdleTime) {
  QCustomPlot plot;
  UtilizationPlot drawing(plot);
  const auto rows = rows_of(test::made_up_comparison(), {0, 1, 2});
  drawing.build(rows, common_top(rows), Theme::light(), QFont());
  ASSERT_GT(plot.itemCount(), 0);
  for (int i = 0; i < plot.itemCount(); ++i) {
    const auto* text = qobject_cast<QCPItemText*>(plot.item(i));
    EXPECT_FALSE(text != nullptr && text->text().contains("idle")) << i;
  }
}

TEST(UtilizationFigure, ShowsTheRunThatWasChosenOfTwoOfOneScheduleKind) {
  EXPECT_TRUE(make_utilization_figure(test::made_up_twins(), {3}, {})->csv().contains("\nios-both-2,"));
}

}  // namespace
}  // namespace iosx
