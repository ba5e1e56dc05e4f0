
#include "core/model/schedule/baselines.h"
#include "core/search/prepare.h"
#include "core/search/search.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

Stage groups_of(std::vector<std::vector<std::size_t>> groups) {
  Stage stage;
  for (const auto& units : groups) {
    Group& group = stage.groups.emplace_back();
    for (const std::size_t unit : units) group.steps.push_back(Step{{UnitId(unit)}});
  }
  return stage;
}

std::vector<std::string> why(const Graph& graph, const Stage& stage, const SearchOptions& options = {}) {
  return mapped<std::string>(exclusions(graph, stage, options), [&](const Exclusion& each) {
    return std::string(limit_name(each.limit)) + ": " + each.text;
  });
}

TEST(Limits, NameThePruning) {
  EXPECT_THAT(why(chain(4), groups_of({{0, 1, 2}})), IsEmpty());
  EXPECT_THAT(why(chain(4), groups_of({{0, 1, 2, 3}})), ElementsAre("r: r = 3: a group of 4 units"));
  EXPECT_THAT(why(chain(4), groups_of({{0, 1, 2, 3}}), {.pruning = {.r = 0}}), IsEmpty());
  EXPECT_THAT(why(fork(3), groups_of({{0}, {1}, {2}}), {.pruning = {.s = 2}}), ElementsAre("s: s = 2: 3 groups"));
  // Of a merged convolution, too, its units count.
  EXPECT_THAT(why(fork(3), merge_stage({UnitId(0), UnitId(1), UnitId(2)}), {.pruning = {.s = 2}}),
              ElementsAre("s: s = 2: 3 groups"));
}

TEST(Limits, NameTheEndingRule) {
  const Stage two_roots = groups_of({{1, 2, 3}});
  EXPECT_THAT(why(diamond(), two_roots), IsEmpty());
  EXPECT_THAT(why(diamond(), two_roots, {.rule = EndingRule::kSingleRoot}),
              ElementsAre("ending-rule: single-root: a group with 2 roots"));
}

TEST(Limits, NameTheStrategy) {
  const Stage merged = merge_stage({UnitId(0), UnitId(1)});
  EXPECT_THAT(why(fork(2), merged, {.strategies = StrategySet::kParallel}),
              ElementsAre("strategy: strategy parallel: a merged layer"));
  EXPECT_THAT(why(fork(2), groups_of({{0}, {1}}), {.strategies = StrategySet::kMerge}),
              ElementsAre("strategy: strategy merge: 2 units that are not merged"));
  EXPECT_THAT(why(fork(2), merged, {.strategies = StrategySet::kMerge}), IsEmpty());
  EXPECT_THAT(why(fork(2), groups_of({{0}}), {.strategies = StrategySet::kMerge}), IsEmpty());
}

TEST(Limits, NamePartsAndForm) {
  EXPECT_THAT(why(two_parts(), groups_of({{1, 2}})), ElementsAre("parts: parts: it would hold units of parts 1 and 2"));
  EXPECT_THAT(why(fork(2), groups_of({{0, 1}})),
              ElementsAre("form: a search puts no units into one group that do not read one another"));
  Stage inside = merge_stage({UnitId(0), UnitId(1), UnitId(2)});
  inside.groups.front().steps.push_back(Step{{UnitId(3)}});
  EXPECT_THAT(why(sample(), inside, {.pruning = {.r = 4}}), ElementsAre("form: a search merges whole stages only"));
}

TEST(Limits, ALazySearchLooksAcrossTheCutsOfOnePart) {
  const auto cut = must(prepare(chain(6), {.pruning = {.r = 0, .s = 0}}, kDefaultMaxPartSize, {.states = 5}));
  ASSERT_GT(cut.parts().size(), 1U);
  ASSERT_TRUE(cut.parts().front().continued);
  const UnitId last = cut.parts().front().units.back();
  const Stage across = groups_of({{last.index(), last.index() + 1}});
  EXPECT_THAT(why(cut, across), IsEmpty());
  EXPECT_THAT(why(cut, across, {.method = SearchMethod::kExhaustive}),
              ElementsAre("parts: parts: it would hold units of parts 1 and 2"));
}

TEST(Limits, NameTheStagesOfAScheduleThatNoSearchTakes) {
  const Graph graph = fork_join(3);
  const Schedule greedy = greedy_schedule(graph);
  EXPECT_THAT(beyond_search(graph, greedy, {}), IsEmpty());
  const auto beyond = beyond_search(graph, greedy, {.pruning = {.s = 2}});
  ASSERT_EQ(beyond.size(), 1U);
  EXPECT_EQ(beyond[0].stage, 1U);
  ASSERT_EQ(beyond[0].why.size(), 1U);
  EXPECT_EQ(beyond[0].why[0].limit, Limit::kS);
}

// A stage that a search considers is excluded by none of its limits.
TEST(Limits, LetPassWhatASearchAsksFor) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Graph graph = random_dag(seed, 10);
    for (const EndingRule rule : {EndingRule::kConnected, EndingRule::kSingleRoot}) {
      for (const StrategySet strategies : kStrategySets) {
        const SearchOptions options{
            .rule = rule, .pruning = {.r = 2, .s = 3}, .strategies = strategies, .method = SearchMethod::kExhaustive};
        FakeLatencies latencies(arbitrary_latency);
        ASSERT_TRUE(search(graph, latencies, options, {}));
        for (const Stage& stage : latencies.asked()) EXPECT_THAT(exclusions(graph, stage, options), IsEmpty());
      }
    }
  }
}

}  // namespace
}  // namespace iosx::test
