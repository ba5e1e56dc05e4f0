#include "views/explore/utilization/why_panel.h"
#include "core/analysis/compare/why.h"

#include <QTest>
#include <cmath>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/why_painter.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

StepSeries steps(std::vector<double> values) {
  std::vector<Micros> times;
  for (std::size_t i = 0; i < values.size(); ++i) times.emplace_back(static_cast<double>(i));
  const Micros end(static_cast<double>(values.size()));
  return {std::move(times), std::move(values), end};
}

TEST(UsefulTop, LeavesShortPeaksOut) {
  std::vector<double> values(100, 0.03);
  const StepSeries level = steps(values);
  EXPECT_DOUBLE_EQ(useful_top({&level}), 0.05);
  for (std::size_t i = 0; i < 4; ++i) values[20 * i] = 0.9;  // a twenty-fifth of the time
  const StepSeries peaks = steps(values);
  EXPECT_DOUBLE_EQ(useful_top({&peaks}), 0.1) << "above the mean, which they raise";
  for (std::size_t i = 0; i < 20; ++i) values[5 * i] = 0.9;  // a fifth of it
  const StepSeries often = steps(values);
  EXPECT_DOUBLE_EQ(useful_top({&often}), 1);
  EXPECT_DOUBLE_EQ(useful_top({&level, &often}), 1) << "of both";
  const StepSeries idle = steps(std::vector<double>(10, 0));
  EXPECT_DOUBLE_EQ(useful_top({&idle}), 0.01);
}

// With counters as a profiler has them, of which the first is not active warps.
std::shared_ptr<Comparison> with_counters() {
  auto comparison = test::made_up_comparison();
  for (ScheduleResult& result : comparison->results) {
    std::vector<Counter>& counters = result.trace.counters;
    counters.insert(
        counters.begin(),
        {"DRAM throughput", "%", 100, {Micros(0)}, {result.id.text() == "sequential" ? 40.0 : 20.0}, "CUPTI"});
    counters.push_back({"kernels in flight", "kernels", 0, {Micros(0)}, {1}});
  }
  return comparison;
}

std::shared_ptr<const WhyPanel> panel_of(const std::shared_ptr<const Comparison>& comparison,
                                         std::optional<std::size_t> baseline, std::size_t schedule) {
  const std::vector<TimelineTrack> tracks = tracks_of(comparison);
  return why_panel(baseline ? std::optional(WarpedTrack{tracks[*baseline]}) : std::nullopt, {tracks[schedule]});
}

TEST(WhyPanel, SaysWhatTheCoreComputes) {
  const auto comparison = test::made_up_comparison();
  const auto panel = panel_of(comparison, 0, 2);
  ASSERT_TRUE(panel);
  const Trace& before = comparison->results[0].trace;
  const Trace& after = comparison->results[2].trace;
  const Why because = must(why(before, after));
  EXPECT_EQ(panel->title, "Why it is faster");
  EXPECT_EQ(panel->ratios.toStdString(),
            ratio_text(because.speedup()).toStdString() + " in the traced run: " + why_text(because).text());
  ASSERT_EQ(panel->runs.size(), 2U);
  EXPECT_EQ(panel->runs[0].track.result, 0U) << "the baseline is first";
  EXPECT_EQ(panel->runs[1].in_flight.times, must(kernels_in_flight(after)).times);
  const QString before_text = QStringLiteral("Sequential %1 \u00F7 %2 = %3")
                                  .arg(duration_text(panel->runs[0].in_flight.kernel_time()))
                                  .arg(panel->runs[0].in_flight.mean(), 0, 'f', 2)
                                  .arg(duration_text(before.duration));
  EXPECT_TRUE(panel->identity.startsWith(before_text)) << panel->identity.toStdString();
  EXPECT_TRUE(panel->identity.contains("traced run"));
  EXPECT_EQ(panel->end, before.duration);
}

TEST(WhyPanel, NeverCallsAFasterScheduleWorse) {
  const auto comparison = test::made_up_comparison();
  EXPECT_EQ(panel_of(comparison, 2, 0)->title, "Why it is slower");
  const auto alone = panel_of(comparison, 0, 0);
  EXPECT_EQ(alone->title, "Kernels in flight");
  EXPECT_EQ(alone->runs.size(), 1U);
  EXPECT_TRUE(alone->ratios.isEmpty());
  EXPECT_EQ(panel_of(comparison, std::nullopt, 1)->runs.size(), 1U);
  comparison->results[1].trace = comparison->results[0].trace;
  comparison->results[1].plan = comparison->results[0].plan;
  EXPECT_EQ(panel_of(comparison, 0, 1)->title, "Why it is as fast");
}

TEST(WhyPanel, JudgesNoRunByOneOfAnotherBatch) {
  const auto one = test::made_up_comparison();
  const auto many = test::made_up_comparison();
  many->batch = one->batch * 32;
  const auto panel = why_panel(WarpedTrack{tracks_of(one)[2]}, {tracks_of(many)[0]});
  EXPECT_EQ(panel->title, "Kernels in flight");
  EXPECT_TRUE(panel->ratios.isEmpty());
  EXPECT_EQ(panel->runs.size(), 2U);
}

TEST(WhyPanel, HasAllCountersAndActiveWarpsFirst) {
  const auto comparison = with_counters();
  const auto panel = panel_of(comparison, 0, 2);
  ASSERT_EQ(panel->plots.size(), 4U) << "kernels in flight are no counter here";
  EXPECT_EQ(panel->plots[0].kind, WhyPlot::Kind::kInFlight);
  EXPECT_EQ(panel->plots[1].kind, WhyPlot::Kind::kWorkDone);
  EXPECT_EQ(panel->plots[2].title, "Active warps");
  EXPECT_EQ(panel->plots[2].note, "% of 5,120");
  EXPECT_EQ(panel->plots[3].title, "DRAM throughput");
  EXPECT_EQ(panel->plots[3].source, "CUPTI");
  // One that falls is there like one that rises.
  EXPECT_EQ(must(panel->plots[3].curves[0]).mean_text, "40 %");
  EXPECT_EQ(must(panel->plots[3].curves[1]).mean_text, "20 %");
  const Trace& trace = comparison->results[2].trace;
  EXPECT_NEAR(must(panel->plots[2].curves[1]).mean, trace.counters[1].mean(Micros(0), trace.duration) / 5120, 1e-9);
  EXPECT_DOUBLE_EQ(panel->plots[0].top, 2) << "the most kernels of both runs";
}

TEST(WhyPanel, SaysThatARunWasNotCounted) {
  const auto comparison = with_counters();
  comparison->results[0].trace.counters.clear();
  const auto panel = panel_of(comparison, 0, 2);
  ASSERT_EQ(panel->plots.size(), 4U);
  EXPECT_FALSE(panel->plots[2].curves[0]);
  EXPECT_TRUE(panel->plots[2].curves[1]);
  for (ScheduleResult& result : comparison->results) result.trace.counters.clear();
  EXPECT_EQ(panel_of(comparison, 0, 2)->plots.size(), 2U) << "no counter is needed for the others";
  comparison->results[2].trace.kernels.clear();
  EXPECT_FALSE(panel_of(comparison, 0, 2));
}

TEST(WhyPanel, IsOfCoresOnAProcessorAndSaysSo) {
  const auto comparison = test::made_up_comparison();
  for (ScheduleResult& result : comparison->results) {
    Counter& counter = result.trace.counters.front();
    counter.name = "busy cores";
    counter.unit = "cores";
    counter.peak = 2;
    for (double& value : counter.values) value /= 1600;
    result.latency.origin = Origin::kMeasured;
  }
  const auto panel = panel_of(comparison, 0, 2);
  EXPECT_EQ(panel->plots[2].title, "Busy cores");
  EXPECT_EQ(panel->plots[2].note, "no warps here; % of 2");
  EXPECT_EQ(panel->origin, Origin::kMeasured);
}

TEST(WhySegments, AreAsLongAsTheRunAndMarkEightAndMoreAsOne) {
  WhyRun run;
  run.in_flight.times = std::vector<Micros>(11, Micros(1));
  run.in_flight.times[3] = Micros(0);
  const std::vector<WhySegment> segments = why_segments(run);
  ASSERT_EQ(segments.size(), 8U) << "0, 1, 2, 4, 5, 6, 7, 8 and more";
  EXPECT_EQ(segments[3].in_flight, 4U);
  EXPECT_EQ(segments.back().in_flight, 8U);
  EXPECT_EQ(segments.back().length, Micros(3));
  Micros at{0};
  for (const WhySegment& segment : segments) {
    EXPECT_EQ(segment.begin, at);
    at += segment.length;
  }
  EXPECT_EQ(at, run.in_flight.run());
}

TEST(WhySegments, AreTheDarkerTheMoreAreInFlight) {
  for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
    for (std::size_t n = 2; n <= 8; ++n) {
      EXPECT_GT(Theme::contrast(in_flight_color(n, theme), theme.canvas),
                Theme::contrast(in_flight_color(n - 1, theme), theme.canvas))
          << n;
      EXPECT_LT(std::abs(in_flight_color(n, theme).red() - in_flight_color(n, theme).blue()), 24) << "grey";
    }
    EXPECT_EQ(in_flight_color(12, theme), in_flight_color(8, theme));
  }
}

TEST(WhyColumns, HaveTheAreaOfTheKernelTime) {
  const auto comparison = test::made_up_comparison();
  const auto panel = panel_of(comparison, 0, 2);
  const TimeAxis axis{{Micros(0), panel->end * 1.06}, 236, 900};
  std::vector<double> areas(2, 0);
  for (const WhyColumn& column : why_columns(*panel, panel->plots.front(), axis)) {
    EXPECT_GE(column.right, column.left);
    for (std::size_t run = 0; run < 2; ++run) {
      // A column in which the run ends is averaged over what is left of it.
      const double end = axis.x(panel->runs[run].in_flight.run());
      areas[run] +=
          column.values[run] * axis.duration(std::max(std::min(column.right, end) - column.left, 0.0)).count();
    }
  }
  for (std::size_t run = 0; run < 2; ++run) {
    EXPECT_NEAR(areas[run], panel->runs[run].in_flight.kernel_time().count(), 1e-6) << run;
  }
}

// A low panel leaves out plots, the least important first; nothing is outside of it.
TEST(WhyLayout, DropsTheLeastImportantFirst) {
  const auto panel = panel_of(with_counters(), 0, 2);
  const Theme theme = Theme::light();
  const WhyPicture picture{.axis = {{Micros(0), panel->end}, 236, 900}, .extent = {Micros(0), panel->end}};
  const WhyPainter painter(*panel, picture, theme, QFont());
  std::size_t plots = panel->plots.size();
  for (double height = 600; height >= WhyPainter::kLeastWhole; height -= 20) {
    const QRectF area(0, 10, 1200, height);
    const WhyLayout places = painter.layout(area);
    EXPECT_EQ(places.bars.size(), 2U) << height;
    EXPECT_LE(places.plots.size(), plots);
    EXPECT_GE(places.plots.size(), 1U) << height;
    plots = places.plots.size();
    EXPECT_LE(places.scale.bottom(), area.bottom() + 1e-9) << height;
    double last = places.bars.back().bottom();
    for (const QRectF& plot : places.plots) {
      EXPECT_GE(plot.top(), last);
      EXPECT_GE(plot.height(), WhyPainter::kLeastPlot);
      last = plot.bottom();
    }
    EXPECT_GE(places.scale.top(), last);
  }
  EXPECT_EQ(plots, 1U);
  const WhyPicture low{.axis = picture.axis, .extent = picture.extent, .whole = false};
  const WhyPainter brief(*panel, low, theme, QFont());
  EXPECT_TRUE(brief.layout(QRectF(0, 0, 1200, brief.least())).plots.empty());
  EXPECT_LE(brief.layout(QRectF(0, 0, 1200, brief.least())).bars.back().bottom(), brief.least());
  EXPECT_EQ(brief.layout(QRectF(0, 0, 1200, brief.least() + WhyPainter::kLeastFirst)).plots.size(), 1U);
}

class WhyInTimeline : public testing::Test {
 protected:
  WhyInTimeline() {
    view_.resize(1200, 700);
    view_.show();
    view_.setTracks(tracks_of(comparison_), 2);
  }

  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  SelectionModel selection_;
  TimeAxisModel axis_;
  TimelineView view_{&selection_, &axis_};
};

TEST_F(WhyInTimeline, FollowsTheActiveTrackAndTheBaseline) {
  ASSERT_TRUE(view_.why());
  EXPECT_EQ(view_.why()->runs[0].track.result, 0U);
  EXPECT_EQ(view_.why()->runs[1].track.result, 2U);
  EXPECT_TRUE(view_.accessibleName().contains(view_.why()->ratios));
  view_.setActiveTrack(0);
  EXPECT_EQ(view_.why()->runs.size(), 1U);
  view_.setBaseline(1);
  EXPECT_EQ(view_.why()->title, "Why it is slower");
  for (ScheduleResult& result : comparison_->results) result.trace.kernels.clear();
  view_.setTracks({}, std::nullopt);
  EXPECT_FALSE(view_.why());
  EXPECT_TRUE(view_.whyArea().isEmpty());
  EXPECT_FALSE(view_.grab().isNull());
}

TEST_F(WhyInTimeline, OpensAtAReadableHeightAndFoldsToALine) {
  const double open = view_.whyArea().height();
  EXPECT_GE(open, 90);
  QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, QPoint(20, static_cast<int>(view_.whyArea().top()) + 8));
  EXPECT_FALSE(view_.whyOpen());
  EXPECT_LT(view_.whyArea().height(), 30);
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_I);
  EXPECT_EQ(view_.whyArea().height(), open);
  // The tracks end above it: a click on it is none on them.
  const QPoint inside(600, static_cast<int>(view_.whyArea().bottom()) - 12);
  EXPECT_EQ(view_.hitAt(inside).kind, TimelineHit::Kind::kNothing);
  const QPoint early(static_cast<int>(view_.axis().x(Micros(10))), inside.y());
  QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, early);
  EXPECT_EQ(selection_.current().schedule, comparison_->results[2].id);
  EXPECT_EQ(selection_.current().stage, 0U);
  EXPECT_TRUE(view_.toolTipAt(early).contains("IOS-Both: 1 at")) << view_.toolTipAt(early).toStdString();
  // A low panel leaves its room to the tracks.
  view_.resize(1200, 160);
  EXPECT_LT(view_.whyArea().height(), 30);
}

TEST_F(WhyInTimeline, IsPartOfTheFigure) {
  const double height = view_.figure()->size().height();
  view_.setWhyOpen(false);
  EXPECT_LT(view_.figure()->size().height(), height) << "what is on screen";
}

}  // namespace
}  // namespace iosx
