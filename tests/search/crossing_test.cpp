#include "core/search/crossing.h"

#include "core/model/schedule/baselines.h"
#include "core/search/prepare.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

const InterStageOverhead kOverhead{.first = {Millis(0.3), Millis(0.5)},
                                   .between = {{{Millis(0.1), Millis(0.4)}, {Millis(0.2), Millis(0.6)}}}};

Millis cost(const Schedule& schedule, const test::FakeLatencies& source) {
  Millis sum = source.overhead().sum(schedule);
  for (const Stage& stage : schedule.stages) sum += Millis(source.latency_ms(stage));
  return sum;
}

SearchResult result_of(const Graph& graph, const Schedule& schedule, const test::FakeLatencies& source) {
  SearchResult result{.schedule = schedule, .stage_sum = cost(schedule, source)};
  for (std::size_t i = 0; i < graph.parts().size(); ++i) result.parts.push_back({.part = PartId(i)});
  return result;
}

TEST(Crossing, IsNeverSlowerThanAnyOfThem) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = must(prepare(test::random_dag(seed, 20), {}, 8));
    test::FakeLatencies source(test::arbitrary_latency);
    source.set_overhead(kOverhead);
    const std::vector<Schedule> others{sequential_schedule(graph), greedy_schedule(graph), one_by_one_schedule(graph)};
    SearchResult found = must(search(graph, source, {}, {}));
    const Millis before = found.stage_sum;
    EXPECT_THAT(must(cross(graph, others, source, {}, found, {})), IsEmpty());
    EXPECT_TRUE(check_legal(graph, found.schedule));
    EXPECT_NEAR(found.stage_sum.count(), cost(found.schedule, source).count(), 1e-9);
    EXPECT_LE(found.stage_sum, before * (1 + kSumRounding));
    for (const Schedule& other : others) EXPECT_LE(found.stage_sum, cost(other, source) * (1 + kSumRounding));
    Millis parts{0};
    for (const PartSummary& part : found.parts) parts += part.cost;
    EXPECT_NEAR(parts.count(), found.stage_sum.count(), 1e-9);
  }
}

Stage on_one_stream(std::size_t first, std::size_t last) {
  Group group;
  for (std::size_t i = first; i <= last; ++i) group.steps.push_back(Step{{UnitId(i)}});
  return Stage{{std::move(group)}};
}

// Where all have run the same units each may go on.
TEST(Crossing, TakesStagesOfSeveral) {
  const Graph graph = test::chain(6);
  const test::FakeLatencies ones([](const Stage&) { return 1.0; });
  const auto single = [](std::size_t i) { return on_one_stream(i, i); };
  const std::vector<Schedule> others{{"first", {on_one_stream(0, 2), single(3), single(4), single(5)}},
                                     {"last", {single(0), single(1), single(2), on_one_stream(3, 5)}},
                                     {"across", {on_one_stream(0, 1), on_one_stream(2, 3), on_one_stream(4, 5)}}};
  test::FakeLatencies source([](const Stage&) { return 1.0; });
  SearchResult found = result_of(graph, one_by_one_schedule(graph), ones);
  EXPECT_THAT(must(cross(graph, others, source, {.pruning = {.r = 1, .s = 1}}, found, {})), IsEmpty());
  EXPECT_EQ(found.schedule.stages, (std::vector{on_one_stream(0, 2), on_one_stream(3, 5)}));
  EXPECT_EQ(found.stage_sum, Millis(2));
}

TEST(Crossing, NamesWhatTheLimitOfGroupsForbids) {
  const Graph graph = test::fork(3);
  test::FakeLatencies source([](const Stage& stage) { return stage.groups.size() == 3 ? 1.0 : 2.0; });
  const std::vector<Schedule> greedy{greedy_schedule(graph)};
  ASSERT_EQ(greedy.front().stages.size(), 1U);
  SearchResult found = result_of(graph, one_by_one_schedule(graph), source);
  EXPECT_THAT(must(cross(graph, greedy, source, {.pruning = {.s = 2}}, found, {})), ElementsAre("greedy"));
  EXPECT_EQ(found.schedule, one_by_one_schedule(graph));
  EXPECT_THAT(must(cross(graph, greedy, source, {.pruning = {.s = 0}}, found, {})), IsEmpty());
  EXPECT_EQ(found.schedule.stages, greedy.front().stages);
}

// A stop leaves latencies out.
TEST(Crossing, KeepsWhatWasFoundAfterAStop) {
  const Graph graph = test::chain(3);
  test::FakeLatencies source([](const Stage&) { return 1.0; });
  std::stop_source stop;
  source.stop_after(1, stop);
  SearchResult found = result_of(graph, one_by_one_schedule(graph), source);
  const SearchResult before = found;
  EXPECT_THAT(must(cross(graph, std::array{sequential_schedule(graph)}, source, {}, found, {stop.get_token(), {}})),
              IsEmpty());
  EXPECT_EQ(found, before);
}

// The gaps shrink with the result, and the curve of a lazy search ends at it.
TEST(Crossing, TellsTheGapAnew) {
  const Graph graph = test::chain(2);
  test::FakeLatencies source([](const Stage&) { return 1.0; });
  SearchResult found = result_of(graph, one_by_one_schedule(graph), source);
  found.lazy =
      LazyReport{.bound = Millis(1), .certified_gap = 1, .estimated_gap = 0.5, .history = {{.best = Millis(2)}}};
  must(cross(graph, std::array{sequential_schedule(graph)}, source, {}, found, {}));
  EXPECT_EQ(found.stage_sum, Millis(1));
  EXPECT_EQ(found.lazy->certified_gap, 0);
  EXPECT_EQ(found.lazy->estimated_gap, 0);
  EXPECT_EQ(found.lazy->history.back().best, Millis(1));
}

}  // namespace
}  // namespace iosx
