#include "views/explore/timeline/timeline_scene.h"

#include <gtest/gtest.h>

#include "tests/support/made_up_comparison.h"

namespace iosx {
namespace {

class TimelineSceneTest : public testing::Test {
 protected:
  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  TimelineScene scene_{tracks_of(comparison_), {0, 1, 2}};
  TimeAxis axis_{{Micros(0), scene_.duration()}, TimelineScene::kHeaderWidth, 1000};

  QPointF center(SpanRef ref) const {
    const KernelSpan& span = scene_.span(ref);
    const TimelineBand& band = scene_.bands()[ref.track];
    return {axis_.x((span.begin + span.end) / 2),
            band.lane_top(span.lane, scene_.lane_height()) + scene_.lane_height() / 2};
  }
};

TEST_F(TimelineSceneTest, BandsLieBelowOneAnotherWithALaneAStream) {
  ASSERT_EQ(scene_.bands().size(), 3U);
  EXPECT_EQ(scene_.bands()[0].lanes.size(), 1U);
  EXPECT_EQ(scene_.bands()[1].lanes.size(), 3U);
  EXPECT_EQ(scene_.bands()[2].lanes.size(), 2U);
  for (std::size_t i = 1; i < 3; ++i) EXPECT_EQ(scene_.bands()[i].top, scene_.bands()[i - 1].bottom());
  EXPECT_EQ(scene_.height(), scene_.bands()[2].bottom());
  EXPECT_EQ(scene_.duration(), comparison_->results[0].trace.duration);
}

TEST_F(TimelineSceneTest, LanesGrowWithTheRoomWithinLimits) {
  scene_.fill_height(50);
  EXPECT_EQ(scene_.lane_height(), TimelineScene::kMinLaneHeight);
  EXPECT_GE(scene_.lane_height(), 13);
  scene_.fill_height(2000);
  EXPECT_EQ(scene_.lane_height(), TimelineScene::kMaxLaneHeight);
}

TEST_F(TimelineSceneTest, ThreeSchedulesFitIntoALowPanel) {
  scene_.fill_height(0);
  EXPECT_LE(scene_.bands()[0].height, 48);  // one lane
  EXPECT_GE(scene_.bands()[0].height, 38);  // two lines of text
  // 1, 4 and 4 lanes
  const double lane = TimelineScene::kMinLaneHeight + TimelineScene::kLaneGap;
  EXPECT_LE(scene_.height() + 3 * lane, 230);
}

TEST_F(TimelineSceneTest, BandsFillTheRoomWithoutGoingBeyondIt) {
  for (const double room : {200.0, 230.0, 260.0}) {
    scene_.fill_height(room);
    EXPECT_LE(scene_.height(), room);
    EXPECT_GT(scene_.height(), room - 10);  // another pixel a lane would be too much
  }
}

TEST_F(TimelineSceneTest, EverySpanIsHitAtItsCentre) {
  for (const TimelineBand& band : scene_.bands()) {
    for (std::size_t i = 0; i < scene_.result(band).trace.kernels.size(); ++i) {
      const SpanRef ref{band.track, i};
      const TimelineHit hit = scene_.hit(center(ref), axis_);
      ASSERT_EQ(hit.kind, TimelineHit::Kind::kSpan);
      EXPECT_EQ(hit.span, ref);
    }
  }
}

TEST_F(TimelineSceneTest, StripsHitStagesHeadersAndNothing) {
  const TimelineBand& band = scene_.bands()[1];
  const StageSpan stage = scene_.result(band).trace.stages[1];
  const TimelineHit hit = scene_.hit({axis_.x((stage.begin + stage.end) / 2), band.strip_top() + 3}, axis_);
  EXPECT_EQ(hit.kind, TimelineHit::Kind::kStage);
  EXPECT_EQ(hit.band, 1U);
  EXPECT_EQ(hit.stage, 1U);
  EXPECT_EQ(scene_.hit({20, band.top + 10}, axis_).kind, TimelineHit::Kind::kHeader);
  EXPECT_EQ(scene_.hit({axis_.right() - 2, band.strip_top() + 3}, axis_).kind, TimelineHit::Kind::kNothing);
  EXPECT_EQ(scene_.hit({500, scene_.height() + 20}, axis_).kind, TimelineHit::Kind::kNothing);
  EXPECT_EQ(scene_.hit({500, -20}, axis_).kind, TimelineHit::Kind::kNothing);
}

TEST_F(TimelineSceneTest, SnapsToTheNearestEdgeWithinTheTolerance) {
  for (const KernelSpan& span : comparison_->results[1].trace.kernels) {
    EXPECT_EQ(scene_.snap(span.begin + Micros(0.4), Micros(1)), span.begin);
    EXPECT_EQ(scene_.snap(span.end - Micros(0.4), Micros(1)), span.end);
  }
  EXPECT_FALSE(scene_.snap(Micros(14), Micros(1)));  // inside the stem of every schedule
  EXPECT_FALSE(TimelineScene().snap(Micros(14), Micros(1)));
}

TEST_F(TimelineSceneTest, StepsThroughASchedulesSpansAndAcrossLanes) {
  SpanRef ref{1, 0};
  EXPECT_EQ(scene_.previous(ref), ref);
  for (std::size_t i = 1; i < 5; ++i) ref = scene_.next(ref);
  EXPECT_EQ(ref, (SpanRef{1, 4}));
  EXPECT_EQ(scene_.next(ref), ref);
  const SpanRef top{0, 0};
  EXPECT_EQ(scene_.beside(top, -1), top);
  EXPECT_EQ(scene_.beside(top, 1).track, 1U);
  const SpanRef below = scene_.beside(SpanRef{1, 1}, 1);
  EXPECT_EQ(scene_.span(below).lane, scene_.span({1, 1}).lane + 1);
}

TEST_F(TimelineSceneTest, ASelectionIsFoundInEveryBandAlsoInsideMergedKernels) {
  const Selection a{{UnitId(1)}, {}, {}};
  for (const TimelineBand& band : scene_.bands()) EXPECT_EQ(scene_.selected_spans(band, a).size(), 1U);
  const auto range = scene_.selected_range(a, std::nullopt);
  ASSERT_TRUE(range);
  EXPECT_LT(range->begin, range->end);
  EXPECT_FALSE(scene_.selected_range({}, std::nullopt));
}

TEST_F(TimelineSceneTest, CollapsedBandsAreLowAndHitOnlyTheirStages) {
  const TimelineScene collapsed(tracks_of(comparison_), {0, 1, 2}, {1});
  EXPECT_LT(collapsed.bands()[1].height, scene_.bands()[1].height);
  const TimelineBand& band = collapsed.bands()[1];
  EXPECT_EQ(collapsed.hit({axis_.x(Micros(10)), band.strip_top() + 3}, axis_).kind, TimelineHit::Kind::kStage);
}

TEST(TimelineDetail, DrawsNoMoreThanThePixelsHoldAndMissesNothing) {
  const auto chain = test::made_up_chain(3000);
  const TimelineScene scene(tracks_of(chain), std::vector<std::size_t>{0});
  const TimelineBand& band = scene.bands()[0];
  for (const double zoom : {1.0, 0.3, 0.01, 0.001}) {
    const TimeAxis axis{{scene.duration() * 0.4, scene.duration() * (0.4 + 0.6 * zoom)}, 220, 700};
    const auto drawn = scene.visible_spans(band, band.lanes[0], axis);
    EXPECT_LE(drawn.size(), 1402U);
    std::size_t covered = 0;
    for (std::size_t i = 0; i < drawn.size(); ++i) {
      covered += drawn[i].count;
      EXPECT_GE(drawn[i].left, axis.left);
      EXPECT_LE(drawn[i].right, axis.right());
      if (i > 0) {
        EXPECT_EQ(drawn[i].first, drawn[i - 1].first + drawn[i - 1].count);
      }
    }
    std::size_t visible = 0;
    for (const KernelSpan& span : chain->results[0].trace.kernels) {
      if (span.end > axis.range.begin && span.begin <= axis.range.end) ++visible;
    }
    EXPECT_EQ(covered, visible);
  }
}

// The stage where it was selected, not its units in every schedule.
TEST_F(TimelineSceneTest, ASelectedStageIsFoundInItsOwnSchedule) {
  const ScheduleResult& greedy = comparison_->results[1];
  const Selection selection = stage_selection(greedy, 1);
  for (const std::optional<std::size_t> made_in : {std::optional<std::size_t>(), std::optional<std::size_t>(1)}) {
    const auto range = scene_.selected_range(selection, made_in);
    ASSERT_TRUE(range);
    EXPECT_EQ(range->begin, greedy.trace.stages[1].begin);
    EXPECT_EQ(range->end, greedy.trace.stages[1].end);
  }
  // Units that belong to no stage: where they were selected, or else in the first schedule.
  const Selection units{{UnitId(1), UnitId(3)}, {}, {}};
  const auto of = [&](std::size_t track) { return *scene_.selected_range(units, track); };
  EXPECT_EQ(of(0).begin, comparison_->results[0].trace.kernels[1].begin);
  EXPECT_EQ(of(0).end, comparison_->results[0].trace.kernels[3].end);
  EXPECT_LT(of(1).length(), of(0).length());
}

TEST(TimelineDetail, WideSpansStayApart) {
  const auto comparison = test::made_up_comparison();
  const TimelineScene scene(tracks_of(comparison), std::vector<std::size_t>{0});
  const TimeAxis axis{{Micros(0), scene.duration()}, 220, 1000};
  EXPECT_EQ(scene.visible_spans(scene.bands()[0], scene.bands()[0].lanes[0], axis).size(), 5U);
}

// Greedy, and its kernels without barriers.
class LaneSceneTest : public testing::Test {
 protected:
  std::shared_ptr<Comparison> comparison_ = test::made_up_lanes();
  TimelineScene scene_{tracks_of(comparison_), {1, 3}};
  const TimelineBand& lanes_ = scene_.bands()[1];
  TimeAxis axis_{{Micros(0), scene_.duration()}, TimelineScene::kHeaderWidth, 1000};
};

TEST_F(LaneSceneTest, ShowsAllWaitsWhereTheyAreFewAndElseThoseOfTheSelection) {
  const auto all = scene_.shown_waits(lanes_, {}, axis_);
  EXPECT_EQ(all.waits.size(), 4U);
  EXPECT_FALSE(all.emphasised);
  const auto of_join = scene_.shown_waits(lanes_, {{UnitId(4)}, {}, {}}, axis_);
  EXPECT_EQ(of_join.waits.size(), 2U);
  EXPECT_TRUE(of_join.emphasised);
  const auto of_two = scene_.shown_waits(lanes_, {{UnitId(0), UnitId(2)}, {}, {}}, axis_);
  EXPECT_EQ(of_two.waits.size(), 3U) << "the one between them once";
  const TimeAxis begin{{Micros(0), Micros(20)}, TimelineScene::kHeaderWidth, 1000};
  EXPECT_TRUE(scene_.shown_waits(lanes_, {}, begin).waits.empty()) << "nothing in view waits";
  EXPECT_TRUE(scene_.shown_waits(scene_.bands()[0], {}, axis_).waits.empty()) << "stages do not wait so";
}

TEST_F(LaneSceneTest, KnowsTheStagesOfItsKernels) {
  EXPECT_EQ(scene_.staged_band(lanes_), &scene_.bands()[0]);
  EXPECT_EQ(scene_.staged_band(scene_.bands()[0]), nullptr);
  const TimelineScene alone{tracks_of(comparison_), {0, 3}};
  EXPECT_EQ(alone.staged_band(alone.bands()[1]), nullptr) << "they are not shown";
}

}  // namespace
}  // namespace iosx
