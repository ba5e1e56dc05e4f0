#include "views/explore/timeline/timeline_scene.h"
#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/comparison.h"
#include "core/model/graph/networks.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/explore/timeline/range_statistics.h"

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
  const auto range = must(scene_.selected_range(a, std::nullopt));
  EXPECT_LT(range.begin, range.end);
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
    const auto range = must(scene_.selected_range(selection, made_in));
    EXPECT_EQ(range.begin, greedy.trace.stages[1].begin);
    EXPECT_EQ(range.end, greedy.trace.stages[1].end);
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

// Arbitrary, but the same in every run.
double some_number(std::size_t i, double below) {
  return static_cast<double>((i * 0x9E3779B97F4A7C15ULL) >> 40) / 16777216.0 * below;
}

// Spans of a lane that overlap now and then, as those of a measured run may.
std::shared_ptr<Comparison> overlapping() {
  auto comparison = test::made_up_chain(700);
  Micros at{0};
  std::size_t i = 0;
  for (KernelSpan& span : comparison->results[0].trace.kernels) {
    span.begin = at;
    span.end = at + Micros(0.5 + some_number(i, 6));
    at = span.begin +
         (i % 7 == 0 ? (span.end - span.begin) * 0.4 : span.end - span.begin + Micros(some_number(i + 9, 2)));
    ++i;
  }
  return comparison;
}

TEST(LaneIndex, SumsOfAnyWindowAreThoseOfTheSpans) {
  const auto comparison = overlapping();
  const TrackIndex index({comparison, 0}, nullptr, {});
  const LaneIndex& lane = index.lanes()[0];
  const std::vector<KernelSpan>& spans = comparison->results[0].trace.kernels;
  for (std::size_t i = 0; i < 200; ++i) {
    const Micros begin(some_number(i, 2600) - 50);
    const Micros end = begin + Micros(some_number(i + 1000, i % 2 == 0 ? 20 : 1500));
    std::size_t count = 0;
    Micros busy{0};
    Micros covered = begin;
    ClassTimes times{};
    for (const KernelSpan& span : spans) {  // by begin
      if (span.end <= begin || span.begin >= end) continue;
      ++count;
      const Micros from = std::max(span.begin, begin);
      const Micros to = std::min(span.end, end);
      times[static_cast<std::size_t>(OperatorClass::kConv1x1)] += to - from;
      busy += std::max(Micros(0), to - std::max(from, covered));
      covered = std::max(covered, to);
    }
    EXPECT_EQ(lane.count_between(begin, end), count) << i;
    EXPECT_NEAR(lane.busy_between(begin, end).count(), busy.count(), 1e-6) << i;
    const ClassTimes told = lane.class_times_between(begin, end);
    for (std::size_t k = 0; k < kOperatorClasses; ++k) EXPECT_NEAR(told[k].count(), times[k].count(), 1e-6) << i;
  }
}

TEST(LaneIndex, TheMainClassOfARunIsTheOneWithMostOfItsTime) {
  auto comparison = test::made_up_chain(300);
  ScheduleResult& result = comparison->results[0];
  for (std::size_t i = 0; i < 300; ++i) {
    if (i % 10 != 0) result.plan.kernels[i].attributes = Pool{};
  }
  const TrackIndex few({comparison, 0}, nullptr, {});
  EXPECT_EQ(few.lanes()[0].main_class(0, 300), OperatorClass::kPool);
  EXPECT_EQ(few.lanes()[0].main_class(10, 1), OperatorClass::kConv1x1);
  Micros at{0};
  for (KernelSpan& span : result.trace.kernels) {
    const bool conv = span.kernel.index() % 10 == 0;
    span.begin = at;
    span.end = at = at + Micros(conv ? 100 : 1);
  }
  const TrackIndex long_ones({comparison, 0}, nullptr, {});
  EXPECT_EQ(long_ones.lanes()[0].main_class(0, 300), OperatorClass::kConv1x1);
  EXPECT_TRUE(long_ones.classes()[static_cast<std::size_t>(OperatorClass::kPool)]);
}

// made_up_comparison() merges two convolutions in its third schedule.
TEST(TrackIndex, KnowsMergedKernels) {
  const auto comparison = test::made_up_comparison();
  EXPECT_FALSE(TrackIndex({comparison, 1}, nullptr, {}).any_merged());
  const TrackIndex merged({comparison, 2}, nullptr, {});
  EXPECT_TRUE(merged.any_merged());
  const ScheduleResult& result = comparison->results[2];
  std::size_t count = 0;
  for (std::size_t i = 0; i < result.trace.kernels.size(); ++i) {
    EXPECT_EQ(merged.merged(i), result.plan.kernel(result.trace.kernels[i].kernel).units.size() > 1) << i;
    count += merged.merged(i) ? 1 : 0;
  }
  EXPECT_GT(count, 0U);
}

TEST(TrackIndex, KnowsWhenEachOfSeveralNetworksEnds) {
  const Graph one = test::chain(3);
  const Graph other = test::fork_join(3);
  const Graph both = *unite(std::array{&one, &other});
  DeviceRegistry devices;
  add_simulated_devices(devices);
  const auto comparison = std::make_shared<const Comparison>(*compare(both, **devices.open("tesla-v100"), {}, {}));
  for (std::size_t i = 0; i < comparison->results.size(); ++i) {
    const ScheduleResult& result = comparison->results[i];
    const TrackIndex index({comparison, i}, nullptr, {});
    const auto times = network_times(both, result);
    ASSERT_EQ(index.network_ends().size(), 2U);
    const Micros whole = index.network_ends().back().end;
    EXPECT_LE(index.network_ends().front().end, whole);
    for (const TrackIndex::NetworkEnd& end : index.network_ends()) {
      const auto same = std::ranges::find(times, end.name, &NetworkTime::name);
      ASSERT_NE(same, times.end());
      EXPECT_NEAR(end.end / whole, same->ends / result.latency.value, 1e-9);
    }
  }
  EXPECT_TRUE(TrackIndex({test::made_up_chain(3), 0}, nullptr, {}).network_ends().empty());
}

TEST(TrackIndex, FindsWhatRunsAtATimeAndTheEdgesAround) {
  const auto comparison = test::made_up_comparison();
  const TrackIndex index({comparison, 1}, nullptr, {});
  const std::vector<KernelSpan>& spans = comparison->results[1].trace.kernels;
  std::size_t most = 0;
  for (const KernelSpan& at : spans) {
    const Micros time = at.begin + Micros(0.1);
    std::size_t count = 0;
    for (const KernelSpan& span : spans) count += span.begin <= time && time < span.end ? 1 : 0;
    EXPECT_EQ(index.running(time).size(), count);
    most = std::max(most, count);
    EXPECT_EQ(index.edge_before(time), at.begin);
    EXPECT_EQ(index.edge_after(at.begin - Micros(0.1)), at.begin);
  }
  EXPECT_EQ(most, 3U);
  EXPECT_TRUE(index.running(Micros(1)).empty());  // before the first stage
  EXPECT_FALSE(index.edge_before(Micros(0)));
  EXPECT_FALSE(index.edge_after(comparison->results[1].trace.duration));
}

// A run of a graph in which one operator came in before the others: ids have moved, names have not.
TEST(TrackIndex, UnitsOfAnotherGraphAreFoundByName) {
  const auto comparison = test::made_up_comparison();
  const auto chain = test::made_up_chain(3);
  EXPECT_EQ(matching_units(*comparison->graph, *comparison->graph)[3], UnitId(3));
  for (const auto& unit : matching_units(*chain->graph, *comparison->graph)) EXPECT_FALSE(unit);
  const TrackIndex other({chain, 0}, comparison->graph.get(), {});
  EXPECT_TRUE(other.units_of(0).empty());
  const TrackIndex own({comparison, 2}, comparison->graph.get(), {});
  EXPECT_EQ(own.spans_of(UnitId(1)).size(), 1U);  // inside a merged kernel
  EXPECT_EQ(own.spans_of(UnitId(1))[0], own.spans_of(UnitId(2))[0]);
  EXPECT_TRUE(own.spans_of(UnitId(99)).empty());
}

class RangeStatisticsTest : public testing::Test {
 protected:
  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  TimelineScene scene_{tracks_of(comparison_), {0, 1, 2}};
};

TEST_F(RangeStatisticsTest, OfAWholeRunAreThoseOfItsTrace) {
  const Trace& trace = comparison_->results[1].trace;
  const RangeStatistics all = range_statistics(scene_, scene_.bands()[1], {Micros(0), trace.duration});
  EXPECT_EQ(all.kernels, trace.kernels.size());
  Micros busy{0};
  for (const KernelSpan& span : trace.kernels) busy += span.end - span.begin;
  EXPECT_NEAR(all.busy_share(), busy / (trace.duration * 3.0), 1e-9);
  ASSERT_EQ(all.counters.size(), 1U);
  EXPECT_NEAR(all.counters[0].mean, trace.counters[0].mean(Micros(0), trace.duration), 1e-9);
  Micros by_class{0};
  for (const Micros time : all.by_class) by_class += time;
  EXPECT_NEAR(by_class.count(), busy.count(), 1e-9);
}

TEST_F(RangeStatisticsTest, OfAPartCountWhatIsCutByItsEdges) {
  // Half of sequential's second kernel, which alone runs then.
  const KernelSpan& span = comparison_->results[0].trace.kernels[1];
  const Micros middle = (span.begin + span.end) / 2;
  const RangeStatistics half = range_statistics(scene_, scene_.bands()[0], {middle, span.end});
  EXPECT_EQ(half.kernels, 1U);
  EXPECT_NEAR(half.busy_share(), 1, 1e-9);
  EXPECT_NEAR(half.by_class[static_cast<std::size_t>(OperatorClass::kConv3x3)].count(), (span.end - middle).count(),
              1e-9);
  const RangeStatistics after = range_statistics(scene_, scene_.bands()[0], {Micros(5000), Micros(6000)});
  EXPECT_EQ(after.kernels, 0U);
  EXPECT_EQ(after.busy_share(), 0);
}

TEST_F(RangeStatisticsTest, TheTableHasAColumnARunAndItsCsvTheSameNumbers) {
  const StatisticsTable table(scene_, {Micros(0), Micros(80)});
  const QStringList header = table.header();
  ASSERT_EQ(header.size(), 4);
  EXPECT_EQ(header[3], "IOS-Both");
  QStringList quantities;
  for (const QStringList& row : table.rows()) {
    EXPECT_EQ(row.size(), 4);
    quantities << row[0];
  }
  EXPECT_TRUE(quantities.contains("busy lanes"));
  EXPECT_TRUE(quantities.contains("kernels"));
  EXPECT_TRUE(quantities.contains("mean active warps"));
  EXPECT_TRUE(quantities.contains("convolution 3×3"));
  EXPECT_EQ(table.tab_separated().count('\n'), static_cast<qsizetype>(table.rows().size()) + 1);
  const QString csv = table.csv();
  EXPECT_TRUE(csv.startsWith("schedule,run,origin,begin_us,end_us,quantity,value,unit,source\n"));
  EXPECT_TRUE(csv.contains("greedy,,simulated,0,80,kernels,4,,")) << csv.toStdString();
}

// Lane 1 has the stem, a and join, lanes 2 and 3 have b and c: these wait for the stem, and join for both.
TEST(TrackIndexOfLanes, KnowsWhatWaitsForWhat) {
  const auto comparison = test::made_up_lanes();
  const TrackIndex index({comparison, 3}, nullptr, {});
  const std::vector<KernelSpan>& spans = comparison->results[3].trace.kernels;
  ASSERT_EQ(spans.size(), 5U);
  ASSERT_EQ(spans[0].name, "stem");
  ASSERT_EQ(spans[4].name, "join");
  EXPECT_EQ(index.waits().size(), 4U);
  const auto of = [&](std::size_t span) {
    const auto waits = index.waits_of(span);
    return std::vector<SpanWait>(waits.begin(), waits.end());
  };
  EXPECT_EQ(of(0).size(), 2U);
  for (const SpanWait& wait : of(0)) EXPECT_EQ(wait.on, 0U);
  EXPECT_EQ(of(4).size(), 2U);
  for (const SpanWait& wait : of(4)) EXPECT_EQ(wait.waiting, 4U);
  EXPECT_TRUE(of(1).empty()) << "it stands behind the stem on its lane";
  EXPECT_EQ(of(2).size(), 2U) << "one in, one out";
  EXPECT_TRUE(TrackIndex({comparison, 1}, nullptr, {}).waits().empty()) << "stages wait otherwise";
}

TEST(TrackIndexOfLanes, KnowsWhatHasNotBegun) {
  const auto comparison = test::made_up_lanes();
  const TrackIndex index({comparison, 3}, nullptr, {});
  EXPECT_EQ(index.ahead(Micros(0)).size(), 5U);
  EXPECT_EQ(index.ahead(Micros(10)).size(), 4U) << "the stem runs";
  EXPECT_EQ(index.ahead(Micros(30)), std::vector<UnitId>{UnitId(4)}) << "join waits for a, b and c";
  EXPECT_TRUE(index.ahead(Micros(100)).empty());
}

}  // namespace

}  // namespace iosx
