#include "core/analysis/difference/stage_difference.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

#include "core/analysis/compare/compare.h"
#include "core/analysis/difference/difference_report.h"
#include "core/analysis/difference/stage_times.h"
#include "core/devices/registry.h"
#include "core/model/graph/builder.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/subjects.h"

namespace iosx {
namespace {

using test::MadeUpRun;
using test::schedule_of;
using test::subject_of;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<double> ones(std::size_t count) { return std::vector<double>(count, 1.0); }

std::shared_ptr<const Graph> shared(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

// Two schedules of the same six convolutions side by side, a millisecond a stage.
StageDifference of_fork(const Schedule& a, const Schedule& b) {
  const auto graph = shared(test::fork(6));
  return compare_stages(subject_of(graph, a, {.stages = ones(a.stages.size())}),
                        subject_of(graph, b, {.stages = ones(b.stages.size())}));
}

std::string change_of(const StageDifference& difference, const Schedule& a, const Schedule& b, std::size_t row) {
  const auto graph = shared(test::fork(6));
  return change_message(difference.rows[row], subject_of(graph, a, {.stages = ones(a.stages.size())}),
                        subject_of(graph, b, {.stages = ones(b.stages.size())}))
      .text();
}

TEST(StageDifference, OfTheSameScheduleIsSameEverywhere) {
  const Schedule a = schedule_of({{{0}, {1}}, {{2, 3}}, {{4}}, {{5}}});
  const Schedule b = schedule_of({{{1}, {0}}, {{2, 3}}, {{4}}, {{5}}});  // groups have no order
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 4U);
  for (const StageRow& row : difference.rows) EXPECT_TRUE(row.same());
  EXPECT_THAT(difference.units_a, testing::Each(UnitChange::kSame));
}

TEST(StageDifference, SaysWhatWasJoinedSplitMovedAndRegrouped) {
  const Schedule a = schedule_of({{{0}}, {{1}}, {{2}, {3}}, {{4}, {5}}});
  const Schedule b = schedule_of({{{0}, {1}}, {{2}}, {{3}}, {{4, 5}}});
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 3U);
  EXPECT_THAT(difference.rows[0].a, ElementsAre(0, 1));
  EXPECT_THAT(difference.rows[0].b, ElementsAre(0));
  EXPECT_TRUE(difference.rows[0].joined);
  EXPECT_EQ(change_of(difference, a, b, 0), "2 stages joined into 1");
  EXPECT_TRUE(difference.rows[1].split);
  EXPECT_EQ(change_of(difference, a, b, 1), "split from 1 into 2 stages");
  EXPECT_TRUE(difference.rows[2].regrouped);
  EXPECT_EQ(change_of(difference, a, b, 2), "other groups");
  EXPECT_THAT(difference.units_a, ElementsAre(UnitChange::kJoined, UnitChange::kJoined, UnitChange::kSplit,
                                              UnitChange::kSplit, UnitChange::kRegrouped, UnitChange::kRegrouped));
  EXPECT_EQ(difference.units_a, difference.units_b);
}

TEST(StageDifference, NamesWhichUnitsMovedWhere) {
  const Schedule a = schedule_of({{{0}, {1}, {2}}, {{3}, {4}}, {{5}}});
  const Schedule b = schedule_of({{{0}, {1}}, {{2}, {3}, {4}}, {{5}}});
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 2U);
  ASSERT_EQ(difference.rows[0].moves.size(), 1U);
  EXPECT_THAT(difference.rows[0].moves[0].units, ElementsAre(UnitId(2)));
  EXPECT_EQ(difference.rows[0].moves[0].from, 0U);
  EXPECT_EQ(difference.rows[0].moves[0].to, 1U);
  EXPECT_EQ(change_of(difference, a, b, 0), "c moved from stage 1 to 2");
  EXPECT_THAT(difference.units_a, ElementsAre(UnitChange::kSame, UnitChange::kSame, UnitChange::kMoved,
                                              UnitChange::kSame, UnitChange::kSame, UnitChange::kSame));
  EXPECT_TRUE(difference.rows[1].same());
}

TEST(StageDifference, TellsMergedConvolutionsFromGroups) {
  Schedule a = schedule_of({{{0}, {1}, {2}}, {{3}}, {{4}}, {{5}}});
  Schedule b = a;
  b.stages[0].groups = {Group{{Step{{UnitId(0), UnitId(1)}}}}, Group{{Step{{UnitId(2)}}}}};
  b.stages[1] = merge_stage({UnitId(3), UnitId(4)});
  b.stages.erase(b.stages.begin() + 2);
  const StageDifference difference = of_fork(a, b);
  ASSERT_EQ(difference.rows.size(), 3U);
  EXPECT_EQ(change_of(difference, a, b, 0), "a + b merged");
  EXPECT_FALSE(difference.rows[0].regrouped);
  EXPECT_EQ(change_of(difference, a, b, 1), "2 stages joined into 1; d + e merged");
  EXPECT_THAT(difference.units_b, ElementsAre(UnitChange::kMerged, UnitChange::kMerged, UnitChange::kSame,
                                              UnitChange::kMerged, UnitChange::kMerged, UnitChange::kSame));
  const StageDifference back = of_fork(b, a);
  EXPECT_EQ(change_of(back, b, a, 0), "a + b no longer merged");
  EXPECT_EQ(change_of(back, b, a, 1), "split from 1 into 2 stages; d + e no longer merged");
}

TEST(StageDifference, RowsAndRestAddUpToTheWhole) {
  const auto graph = shared(test::fork(3));
  const Subject a =
      subject_of(graph, schedule_of({{{0}}, {{1}}, {{2}}}), {.stages = {1, 2, 3}, .between = 0.25, .rest = 0.125});
  const Subject b =
      subject_of(graph, schedule_of({{{0}, {1}}, {{2}}}), {.stages = {2, 3.5}, .between = 0.5, .rest = 0});
  const StageDifference difference = compare_stages(a, b);
  EXPECT_DOUBLE_EQ(difference.rows[0].delta.value.count(), -1);
  EXPECT_DOUBLE_EQ(*difference.rows[0].relative(), -1.0 / 3);
  EXPECT_DOUBLE_EQ(difference.rows[1].delta.value.count(), 0.5);
  EXPECT_DOUBLE_EQ(difference.between_stages.value.count(), 0.25);
  EXPECT_DOUBLE_EQ(difference.rest.value.count(), -0.125);
  EXPECT_DOUBLE_EQ(difference.whole.delta.value.count(), -0.375);
}

TEST(StageDifference, OfNoisyStagesSaysWhereNothingCanBeSaid) {
  const auto graph = shared(test::fork(2));
  const auto run = [&](std::vector<double> stages) {
    return subject_of(graph, schedule_of({{{0}}, {{1}}}),
                      {.stages = std::move(stages), .spread = 0.1, .samples = 25, .origin = Origin::kMeasured});
  };
  const StageDifference difference = compare_stages(run({1, 2}), run({1.01, 1.5}));
  EXPECT_EQ(difference.rows[0].delta.verdict(), Verdict::kSame);
  EXPECT_EQ(difference.rows[1].delta.verdict(), Verdict::kFaster);
  EXPECT_NEAR(difference.rows[1].delta.noise->count(), 0.1 * 1.2533 / 5 * std::sqrt(2.0), 1e-9);
}

TEST(StageDifference, OfARunWithoutStageLatenciesHasWordsAndTheWhole) {
  const auto graph = shared(test::fork(2));
  Subject a = subject_of(graph, schedule_of({{{0}}, {{1}}}), {.stages = {1, 2}});
  auto without = std::make_shared<Comparison>(*a.comparison);
  without->results[0].stage_latencies.clear();
  const Subject b{without, 0};
  const StageDifference difference = compare_stages(a, b);
  EXPECT_FALSE(difference.has_latencies);
  EXPECT_EQ(difference.rows.size(), 2U);
  EXPECT_EQ(difference.rest.value, difference.whole.delta.value);
}

TEST(StageDifference, WithoutBarriersStagesHaveSharesOfTheTracedRun) {
  const auto run = test::made_up_lanes();
  const Subject a{run, 1, {}};
  const Subject b{run, 3, {}};
  ASSERT_FALSE(b.has_stages());
  const StageDifference difference = compare_stages(a, b);
  EXPECT_TRUE(difference.has_latencies);
  EXPECT_TRUE(difference.traced);
  double sum = difference.between_stages.value.count() + difference.rest.value.count();
  const std::vector<Latency> times = stage_times(b);
  double of_b = 0;
  for (const StageRow& row : difference.rows) {
    sum += row.delta.value.count();
    of_b += row.latency_b.count();
  }
  EXPECT_NEAR(sum, difference.whole.delta.value.count(), 1e-12);
  double all = 0;
  for (const Latency& latency : times) all += latency.value.count();
  EXPECT_NEAR(of_b, all, 1e-12);
  EXPECT_GT(of_b, 0);
  EXPECT_FALSE(compare_stages(a, a).traced);
}

TEST(StageDifference, OfAnotherGraphNamesWhatIsMissingAndAdded) {
  const auto small = [](bool other) {
    GraphBuilder builder("net");
    Conv conv;
    conv.out_channels = 8;
    conv.kernel = {3, 3};
    conv.padding = {1, 1};
    const Value in = builder.input("in", {8, 16, 16});
    const Value first = builder.add("first", conv, {in});
    const Value second = other ? builder.add("fresh", Pool{PoolKind::kMax, {3, 3}, {1, 1}, {1, 1}}, {first})
                               : builder.add("gone", Affine{}, {first});
    builder.add("last", conv, {second});
    return *std::move(builder).build();
  };
  const Schedule schedule = schedule_of({{{0}}, {{1}}, {{2}}});
  const Subject a = subject_of(shared(small(false)), schedule, {.stages = {1, 2, 3}});
  const Subject b = subject_of(shared(small(true)), schedule, {.stages = {1, 5, 3}});
  const StageDifference difference = compare_stages(a, b);
  ASSERT_EQ(difference.rows.size(), 4U);
  EXPECT_TRUE(difference.rows[0].same());
  EXPECT_EQ(change_message(difference.rows[1], a, b), "only in B: fresh");
  EXPECT_DOUBLE_EQ(difference.rows[1].delta.value.count(), 5);
  EXPECT_EQ(change_message(difference.rows[2], a, b), "only in A: gone");
  EXPECT_DOUBLE_EQ(difference.rows[2].delta.value.count(), -2);
  EXPECT_TRUE(difference.rows[3].same());
  EXPECT_THAT(difference.units_a, ElementsAre(UnitChange::kSame, UnitChange::kMissing, UnitChange::kSame));
  EXPECT_THAT(difference.units_b, ElementsAre(UnitChange::kSame, UnitChange::kAdded, UnitChange::kSame));
}

// What must hold of any two schedules of any network.
TEST(StageDifference, OfRealSchedulesCoversEveryStageOnceAndAddsUp) {
  DeviceRegistry devices;
  add_simulated_devices(devices);
  for (const char* network : {"squeezenet", "inception_v3"}) {
    auto comparison = std::make_shared<Comparison>(
        *compare(*zoo_network(network), **devices.open("tesla-v100"), CompareOptions(), {}));
    for (std::size_t i = 0; i < comparison->results.size(); ++i) {
      for (std::size_t j = 0; j < comparison->results.size(); ++j) {
        const Subject a{comparison, i};
        const Subject b{comparison, j};
        const StageDifference difference = compare_stages(a, b);
        std::set<std::size_t> stages_a;
        std::set<std::size_t> stages_b;
        Millis sum = difference.between_stages.value + difference.rest.value;
        for (const StageRow& row : difference.rows) {
          for (const std::size_t s : row.a) EXPECT_TRUE(stages_a.insert(s).second);
          for (const std::size_t s : row.b) EXPECT_TRUE(stages_b.insert(s).second);
          EXPECT_EQ(row.units_a, row.units_b);  // of one graph
          if (row.same() && !difference.traced) {
            EXPECT_EQ(row.delta.verdict(), Verdict::kSame);  // the model is exact
          }
          sum += row.delta.value;
        }
        EXPECT_EQ(stages_a.size(), a.schedule().schedule.stages.size());
        EXPECT_EQ(stages_b.size(), b.schedule().schedule.stages.size());
        EXPECT_NEAR(sum.count(), difference.whole.delta.value.count(), 1e-9);
        EXPECT_EQ(difference.units_a, difference.units_b);
        if (i == j) {
          EXPECT_THAT(difference.units_a, testing::Each(UnitChange::kSame));
        }
      }
    }
  }
}

}  // namespace
}  // namespace iosx
