#include <QSignalSpy>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/time/step_series.h"
#include "views/time/time_axis.h"
#include "views/time/timeline_track.h"

namespace iosx {
namespace {

// Ranges from nanoseconds to seconds, at several offsets and widths.
std::vector<TimeAxis> many_axes() {
  std::vector<TimeAxis> axes;
  for (const double begin : {-5.0, 0.0, 3.25, 4000.0, 2.5e6}) {
    for (const double length : {0.02, 1.0, 37.0, 980.0, 8500.0, 1e6}) {
      for (const double width : {40.0, 333.0, 1400.0, 3800.0}) {
        axes.push_back({{Micros(begin), Micros(begin + length)}, 220, width});
      }
    }
  }
  return axes;
}

TEST(TimeAxis, PixelsAndTimesAreInverse) {
  for (const TimeAxis& axis : many_axes()) {
    for (const double x : {220.0, 221.5, 300.0, 1000.0}) EXPECT_NEAR(axis.x(axis.time(x)), x, 1e-3);
    EXPECT_NEAR(axis.x(axis.range.begin), axis.left, 1e-9);
    EXPECT_NEAR(axis.x(axis.range.end), axis.right(), 1e-6);
    EXPECT_NEAR(axis.pixels(axis.duration(17)), 17, 1e-9);
  }
}

TEST(TimeAxis, ZoomKeepsTheAnchorInPlaceAndUndoesItself) {
  for (TimeAxis axis : many_axes()) {
    const double x = axis.left + axis.width / 3;
    const Micros anchor = axis.time(x);
    const TimeRange before = axis.range;
    axis.range = zoomed(axis.range, anchor, 0.8);
    EXPECT_NEAR(axis.x(anchor), x, 1e-3);
    EXPECT_NEAR(axis.range.length() / before.length(), 0.8, 1e-6);
    axis.range = zoomed(axis.range, anchor, 1 / 0.8);
    EXPECT_NEAR((axis.range.begin - before.begin) / before.length(), 0, 1e-6);
  }
}

TEST(TimeAxis, ClampedRangesLieInsideAndKeepTheirLengthWherePossible) {
  const TimeRange extent{Micros(0), Micros(100)};
  for (double begin = -250; begin < 250; begin += 7.5) {
    for (const double length : {0.0, 0.1, 5.0, 60.0, 100.0, 400.0}) {
      const TimeRange range = clamped({Micros(begin), Micros(begin + length)}, extent, Micros(1));
      EXPECT_GE(range.begin, extent.begin);
      EXPECT_LE(range.end, extent.end);
      EXPECT_NEAR(range.length().count(), std::clamp(length, 1.0, 100.0), 1e-9);
      EXPECT_EQ(clamped(range, extent, Micros(1)), range);
    }
  }
}

TEST(TimeAxis, TicksAreNiceInsideApartAndLabelledWithoutRepeats) {
  for (const TimeAxis& axis : many_axes()) {
    const Micros step = axis.step(80);
    const double mantissa = step.count() / std::pow(10, std::floor(std::log10(step.count()) + 1e-9));
    EXPECT_TRUE(std::abs(mantissa - 1) < 1e-6 || std::abs(mantissa - 2) < 1e-6 || std::abs(mantissa - 5) < 1e-6);
    EXPECT_GE(axis.pixels(step), 80 * (1 - 1e-6));
    EXPECT_LE(axis.pixels(step), 80 * 2.5 * (1 + 1e-6));
    const auto ticks = axis.ticks(80);
    EXPECT_LE(ticks.size(), static_cast<std::size_t>(axis.width / 80) + 2);
    for (std::size_t i = 0; i < ticks.size(); ++i) {
      EXPECT_GE(axis.x(ticks[i].time), axis.left - 0.01);
      EXPECT_LE(axis.x(ticks[i].time), axis.right() + 0.01);
      if (i > 0) {
        EXPECT_NE(ticks[i].label, ticks[i - 1].label);
      }
    }
  }
}

TEST(TimeAxis, UnitsFollowTheZoom) {
  const TimeAxis wide{{Micros(0), Micros(4000)}, 0, 800};
  EXPECT_EQ(wide.unit(80), AxisUnit::kMillis);
  EXPECT_EQ(wide.ticks(80)[1].label, "0.5");
  const TimeAxis close{{Micros(1000), Micros(1100)}, 0, 800};
  EXPECT_EQ(close.unit(80), AxisUnit::kMicros);
  EXPECT_EQ(close.ticks(80)[1].label, "1010");
  const TimeAxis closer{{Micros(0), Micros(1)}, 0, 800};
  EXPECT_EQ(closer.ticks(80)[1].label, "0.1");
}

TEST(TimeAxis, DegenerateAxesHaveNoTicks) {
  EXPECT_TRUE((TimeAxis{{Micros(5), Micros(5)}, 0, 800}.ticks(80).empty()));
  EXPECT_TRUE((TimeAxis{{Micros(0), Micros(5)}, 0, 0}.ticks(80).empty()));
}

TEST(TimeAxisModel, ShowsEverythingAtFirstAndKeepsTheZoomForTheSameDuration) {
  TimeAxisModel model;
  model.setDuration(Micros(4000));
  EXPECT_EQ(model.visible(), model.extent());
  EXPECT_GT(model.extent().end, Micros(4000));
  model.setVisible({Micros(10), Micros(20)});
  model.setDuration(Micros(4000));
  EXPECT_EQ(model.visible(), (TimeRange{Micros(10), Micros(20)}));
  model.setDuration(Micros(5000));
  EXPECT_EQ(model.visible(), model.extent());
}

TEST(TimeAxisModel, ZoomingInForeverEndsAndZoomingOutEndsAtTheExtent) {
  TimeAxisModel model;
  model.setDuration(Micros(4000));
  for (int i = 0; i < 200; ++i) model.zoomAt(Micros(1234), 0.8);
  EXPECT_GT(model.visible().length(), Micros(0.01));
  EXPECT_TRUE(model.visible().contains(Micros(1234)));
  for (int i = 0; i < 200; ++i) model.zoomAt(Micros(1234), 1.25);
  EXPECT_EQ(model.visible(), model.extent());
}

TEST(TimeAxisModel, PanningStopsAtTheEnds) {
  TimeAxisModel model;
  model.setDuration(Micros(1000));
  model.setVisible({Micros(100), Micros(200)});
  model.pan(Micros(-5000));
  EXPECT_EQ(model.visible(), (TimeRange{Micros(0), Micros(100)}));
  model.pan(Micros(1e9));
  EXPECT_EQ(model.visible().end, model.extent().end);
  EXPECT_NEAR(model.visible().length().count(), 100, 1e-6);
}

TEST(TimeAxisModel, KeysZoomAtTheCursor) {
  TimeAxisModel model;
  model.setDuration(Micros(1000));
  model.setCursor(Micros(250));
  EXPECT_TRUE(model.handleKey(Qt::Key_W));
  EXPECT_LT(model.visible().length(), model.extent().length());
  EXPECT_NEAR((Micros(250) - model.visible().begin) / model.visible().length(), 250.0 / 1080.0, 1e-9);
  EXPECT_TRUE(model.handleKey(Qt::Key_D));
  EXPECT_TRUE(model.handleKey(Qt::Key_F));
  EXPECT_EQ(model.visible(), model.extent());
  EXPECT_FALSE(model.handleKey(Qt::Key_Q));
}

TEST(TimeAxisModel, TellsOnlyOfChanges) {
  TimeAxisModel model;
  model.setDuration(Micros(1000));
  QSignalSpy visible(&model, &TimeAxisModel::visibleChanged);
  QSignalSpy margins(&model, &TimeAxisModel::marginsChanged);
  model.fitAll();
  model.setVisible({Micros(std::nan("")), Micros(5)});
  EXPECT_EQ(visible.size(), 0);
  model.fit({Micros(100), Micros(200)});
  EXPECT_EQ(visible.size(), 1);
  model.setMargins(220, 12);
  model.setMargins(220, 12);
  EXPECT_EQ(margins.size(), 1);
}

TEST(TimeWarp, MovesPiecesAndSaysWhatLiesBetween) {
  const TimeWarp warp{
      {{Micros(0), Micros(0)}, {Micros(10), Micros(5)}, {Micros(20), Micros(5)}, {Micros(30), Micros(9)}}};
  EXPECT_EQ(warp.shown(Micros(9)), Micros(9));
  EXPECT_EQ(warp.shown(Micros(10)), Micros(15));
  EXPECT_EQ(warp.shown(Micros(35)), Micros(44));
  for (const double own : {0.0, 3.0, 10.0, 19.0, 25.0, 30.0, 70.0}) {
    EXPECT_EQ(warp.own(warp.shown(Micros(own))), Micros(own));
  }
  EXPECT_EQ(warp.own(Micros(12)), Micros(10));  // waits for the next piece
  EXPECT_EQ(warp.gaps(), (std::vector<TimeRange>{{Micros(10), Micros(15)}, {Micros(35), Micros(39)}}));
  EXPECT_EQ(TimeWarp{}.shown(Micros(7)), Micros(7));
  EXPECT_EQ(TimeWarp{}.own(Micros(7)), Micros(7));
  EXPECT_TRUE(TimeWarp{}.gaps().empty());
}

class AlignmentTest : public testing::Test {
 protected:
  // Stem alone, what it feeds, and the join: three parts.
  static Graph cut(const Graph& graph) {
    return graph.with_parts(
        {{"stem", {UnitId(0)}}, {"fork", {UnitId(1), UnitId(2), UnitId(3)}}, {"join", {UnitId(4)}}});
  }
  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  Graph graph_ = cut(*comparison_->graph);
  std::vector<TimelineTrack> tracks_ = tracks_of(comparison_);
};

TEST_F(AlignmentTest, PartsBeginWithTheirFirstStage) {
  const std::vector<StageSpan>& stages = comparison_->results[0].trace.stages;
  EXPECT_EQ(part_begins(tracks_[0], graph_),
            (std::vector<Micros>{Micros(0), stages[1].begin, stages[4].begin, comparison_->results[0].trace.duration}));
  EXPECT_EQ(part_begins(tracks_[1], graph_)[2], comparison_->results[1].trace.stages[2].begin);
}

TEST_F(AlignmentTest, EveryPartBeginsAtOnePlaceWhenTheSlowestIsThere) {
  const std::vector<TimeWarp> warps = align_by_part(tracks_, graph_);
  ASSERT_EQ(warps.size(), 3U);
  for (std::size_t part = 0; part < 3; ++part) {
    const auto begin = [&](std::size_t track) { return warps[track].shown(part_begins(tracks_[track], graph_)[part]); };
    EXPECT_NEAR(begin(1).count(), begin(0).count(), 1e-9) << part;
    EXPECT_NEAR(begin(2).count(), begin(0).count(), 1e-9) << part;
  }
  // Sequential is the slowest in every part: it never waits. The others wait once, after the fork.
  EXPECT_TRUE(warps[0].gaps().empty());
  EXPECT_EQ(warps[1].gaps().size(), 1U);
  const auto fork = [&](std::size_t track) {
    const auto begins = part_begins(tracks_[track], graph_);
    return begins[2] - begins[1];
  };
  EXPECT_NEAR(warps[1].gaps()[0].length().count(), (fork(0) - fork(1)).count(), 1e-9);
}

TEST_F(AlignmentTest, ARunOfAnotherGraphIsLeftAsItIs) {
  const auto chain = test::made_up_chain(4);
  const auto warps = align_by_part({{comparison_, 0}, {chain, 0}}, graph_);
  EXPECT_TRUE(warps[1].pieces.empty());
  EXPECT_EQ(warps[0].shown(Micros(50)), Micros(50));
}

// Arbitrary, but the same in every run.
StepSeries some_series(std::size_t count) {
  std::vector<Micros> times;
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    times.emplace_back(5 + static_cast<double>(i));
    values.push_back(static_cast<double>((i * 0x9E3779B97F4A7C15ULL) >> 54));
  }
  return {std::move(times), std::move(values), Micros(5 + static_cast<double>(count))};
}

TEST(StepSeries, MeansAndExtremesAreThoseOfTheValues) {
  const StepSeries series = some_series(500);
  for (const auto& [begin, end] :
       {std::pair(5.0, 505.0), {100.0, 101.0}, {100.25, 100.75}, {77.5, 390.5}, {5.0, 70.0}}) {
    double area = 0;
    double least = 1e9;
    double most = 0;
    for (std::size_t i = 0; i < series.size(); ++i) {
      const double from = std::max(begin, series.times()[i].count());
      const double to = std::min(end, series.times()[i].count() + 1);
      if (to <= from) continue;
      area += series.values()[i] * (to - from);
      least = std::min(least, series.values()[i]);
      most = std::max(most, series.values()[i]);
    }
    EXPECT_NEAR(series.area(Micros(begin), Micros(end)), area, 1e-6);
    EXPECT_NEAR(series.mean(Micros(begin), Micros(end)), area / (end - begin), 1e-6);
    EXPECT_EQ(series.least_and_most(Micros(begin), Micros(end)), std::pair(least, most));
  }
}

TEST(StepSeries, MeansOfAllColumnsAreThoseOfEach) {
  const StepSeries series = some_series(3000);
  for (const double column : {0.3, 7.1, 100.0}) {
    std::vector<Micros> edges;
    for (double at = -20; at < 3100; at += column) edges.emplace_back(at);
    edges.push_back(edges.back());  // an empty one
    const std::vector<double> means = series.means(edges);
    ASSERT_EQ(means.size(), edges.size() - 1);
    for (std::size_t i = 0; i < means.size(); ++i) {
      EXPECT_NEAR(means[i], series.mean(edges[i], edges[i + 1]), 1e-6) << i;
    }
  }
  EXPECT_TRUE(series.means({}).empty());
}

TEST(StepSeries, ColumnsAreSeenWithTheirExtremes) {
  const StepSeries series = some_series(3000);
  const TimeRange range{Micros(7.5), Micros(2900)};
  constexpr std::size_t kColumns = 37;
  const Micros column = range.length() / static_cast<double>(kColumns);
  const auto seen = series.seen(range, kColumns);
  ASSERT_EQ(seen.size(), 2 * kColumns + 1);
  for (std::size_t i = 0; i < kColumns; ++i) {
    const Micros begin = range.begin + column * static_cast<double>(i);
    const auto [least, most] = series.least_and_most(begin, begin + column);
    EXPECT_EQ(seen[2 * i].value, most) << i;
    EXPECT_EQ(seen[2 * i + 1].value, least) << i;
  }
}

TEST(StepSeries, IsNothingOutsideItsTime) {
  const StepSeries series = some_series(10);
  EXPECT_EQ(series.at(Micros(4)), 0);
  EXPECT_EQ(series.at(Micros(5)), series.values()[0]);
  EXPECT_EQ(series.at(Micros(15)), 0);
  EXPECT_EQ(series.mean(Micros(0), Micros(4)), 0);
  EXPECT_NEAR(series.mean(Micros(0), Micros(6)), series.values()[0], 1e-9);  // of what is there
  EXPECT_TRUE(series.seen({Micros(20), Micros(30)}, 10).empty());
  const StepSeries nothing;
  EXPECT_EQ(nothing.mean(Micros(0), Micros(1)), 0);
  EXPECT_TRUE(nothing.seen({Micros(0), Micros(1)}, 10).empty());
}

TEST(StepSeries, IsSeenStepByStepOrByColumns) {
  const StepSeries series = some_series(1000);
  const auto close = series.seen({Micros(10), Micros(20)}, 100);
  ASSERT_EQ(close.size(), 11U);  // ten steps, and where the picture ends
  for (std::size_t i = 0; i < 10; ++i) EXPECT_EQ(close[i].value, series.at(Micros(10 + static_cast<double>(i))));
  const auto far = series.seen({Micros(0), Micros(1100)}, 50);
  EXPECT_LE(far.size(), 101U);
  double most = 0;
  for (std::size_t i = 0; i < far.size(); ++i) {
    most = std::max(most, far[i].value);
    if (i > 0) {
      EXPECT_LT(far[i - 1].time, far[i].time);
    }
  }
  EXPECT_EQ(most, series.most());
  EXPECT_EQ(far.back().value, 0);
  EXPECT_EQ(far.back().time, series.end());
}

}  // namespace

}  // namespace iosx
