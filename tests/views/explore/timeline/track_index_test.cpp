#include "views/explore/timeline/track_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/network_times.h"
#include "core/devices/registry.h"
#include "core/model/graph/networks.h"
#include "models/devices/simulated_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "views/explore/timeline/range_statistics.h"
#include "views/explore/timeline/timeline_scene.h"

namespace iosx {
namespace {

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
  const auto match = matching_units(*comparison->graph, *comparison->graph);
  EXPECT_EQ(match[3], UnitId(3));
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
