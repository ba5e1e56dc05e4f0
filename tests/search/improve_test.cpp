#include "core/search/search.h"

#include "core/devices/measure/latency_sources.h"
#include "core/model/schedule/baselines.h"
#include "core/search/ending_enumerator.h"
#include "core/search/prepare.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"

namespace iosx {
namespace {

using ::testing::Contains;

// Arbitrary, but always the same of a stage.
double arbitrary(const Stage& stage) {
  std::uint64_t hash = 17;
  for (const Group& group : stage.groups) {
    for (const Step& step : group.steps) {
      for (const UnitId unit : step.units) hash = hash * 1099511628211ULL + unit.index() + 1;
      hash = hash * 31 + 7;
    }
    hash = hash * 131 + 3;
  }
  return 1 + static_cast<double>((hash >> 20) % 1000) / 400;
}

Millis cost(const Schedule& schedule, LatencySource& source) {
  Millis sum = source.overhead().sum(schedule);
  const auto latencies = source.stage_latencies(schedule.stages, {}).value();
  for (const Latency& latency : latencies) sum += latency.value;
  return sum;
}

Improvement improved(const Graph& graph, const Schedule& start, std::vector<std::size_t> kept, LatencySource& source,
                     SearchOptions options = {}, bool cut = true) {
  options = improving(options, start, kept);
  const auto prepared = must(cut ? prepare(graph, options) : graph);
  auto result = must(improve(prepared, start, source, options, {}));
  EXPECT_TRUE(check_legal(graph, result.found.schedule).has_value());
  EXPECT_NEAR(result.found.stage_sum.count(), cost(result.found.schedule, source).count(), 1e-9);
  EXPECT_LE(result.found.stage_sum, result.start);
  double parts = 0;
  for (const PartSummary& part : result.found.parts) parts += part.cost.count();
  EXPECT_NEAR(parts, result.found.stage_sum.count(), 1e-9);
  return result;
}

// The cheapest schedule with the kept stage, by the definition: all endings, of which those are left out that have
// some of its units only.
class ByDefinition {
 public:
  ByDefinition(const PartGraph& part, UnitSet kept) : part_(part), kept_(kept) {}

  double cheapest(UnitSet state) {
    if (state == 0) return 0;
    if (const auto known = known_.find(state); known != known_.end()) return known->second;
    double best = std::numeric_limits<double>::infinity();
    std::vector<UnitSet> endings;
    EndingEnumerator(part_, EndingRule::kConnected, {0, 0}).for_each(state, [&](UnitSet ending) {
      endings.push_back(ending);
      return true;
    });
    for (const UnitSet ending : endings) {
      if ((ending & kept_) != 0 && ending != kept_) continue;
      best = std::min(best, arbitrary(concurrent_stage(part_, ending)) + cheapest(state & ~ending));
    }
    return known_[state] = best;
  }

 private:
  const PartGraph& part_;
  UnitSet kept_;
  std::map<UnitSet, double> known_;
};

TEST(Improve, IsTheOptimumOfAllSchedulesWithTheKeptStages) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = test::random_dag(seed, 9);
    const Schedule start = greedy_schedule(graph);
    const PartGraph part(graph, graph.parts().front().units);
    for (std::size_t kept = 0; kept < start.stages.size(); ++kept) {
      test::FakeLatencies source(arbitrary);
      SearchOptions options{.pruning = {0, 0}, .strategies = StrategySet::kParallel};
      const Improvement found = improved(graph, start, {kept}, source, options, false);
      EXPECT_THAT(found.found.schedule.stages, Contains(start.stages[kept]));
      ByDefinition definition(part, part.set(start.stages[kept].units()));
      EXPECT_NEAR(found.found.stage_sum.count(), definition.cheapest(part.all()), 1e-9) << seed << " " << kept;
    }
  }
}

// All four convolutions in one lane, which neither r nor the groups of a search allow.
Schedule one_lane(const Graph& graph) {
  Group lane;
  for (std::size_t u = 0; u < graph.units().size(); ++u) lane.steps.push_back(Step{{UnitId(u)}});
  return Schedule{"mine", {Stage{{lane}}}};
}

TEST(Improve, AStageThatTheSearchCannotExpressIsTried) {
  const Graph graph = test::diamond();
  const Schedule mine = one_lane(graph);
  test::FakeLatencies source([&](const Stage& stage) { return stage == mine.stages.front() ? 0.5 : 1.0; });
  const Improvement found = improved(graph, mine, {}, source);
  EXPECT_FALSE(found.better);
  EXPECT_EQ(found.found.schedule.stages, mine.stages);

  // Of a slow one only what is good is taken.
  test::FakeLatencies slow([&](const Stage& stage) { return stage == mine.stages.front() ? 9.0 : 1.0; });
  const Improvement other = improved(graph, mine, {}, slow);
  EXPECT_TRUE(other.better);
  EXPECT_EQ(other.found.stage_sum, Millis(2));  // a b c; d or a; b c d
  // Unless it is kept.
  EXPECT_EQ(improved(graph, mine, {0}, slow).found.schedule.stages, mine.stages);
}

TEST(Improve, AStageOverTwoPartsMakesThemOne) {
  const Graph graph = test::two_parts();
  Schedule start = one_by_one_schedule(graph);
  start.stages[1].groups.front().steps.push_back(start.stages[2].groups.front().steps.front());
  start.stages.erase(start.stages.begin() + 2);
  test::FakeLatencies source(arbitrary);
  const Improvement found = improved(graph, start, {1}, source);
  EXPECT_THAT(found.found.schedule.stages, Contains(start.stages[1]));
  EXPECT_EQ(found.found.parts.size(), 1U);
  EXPECT_EQ(prepare(graph, SearchOptions{})->parts().size(), 2U);
}

std::unique_ptr<Device> simulated_v100() { return test::simulated("tesla-v100"); }

// The lazy search too, on a real network: with nothing kept it is as good as without a start, and with stages kept it
// has them.
TEST(Improve, LazilyNoWorseThanTheStartNorThanTheSearch) {
  const auto device = simulated_v100();
  const Graph graph = build_squeezenet();
  for (const SearchMethod method : {SearchMethod::kLazy, SearchMethod::kExhaustive}) {
    DeviceLatencySource source(graph, *device, 1);
    SearchOptions options{.method = method};
    const auto prepared = prepare(graph, options);
    const auto alone = must(search(*prepared, source, options, {}));
    const Schedule greedy = greedy_schedule(graph);
    EXPECT_LE(improved(graph, greedy, {}, source, options).found.stage_sum.count(), alone.stage_sum.count() + 1e-9);
    const Improvement kept = improved(graph, greedy, {2, 3}, source, options);
    EXPECT_TRUE(kept.better);
    EXPECT_THAT(kept.found.schedule.stages, Contains(greedy.stages[2]));
    EXPECT_THAT(kept.found.schedule.stages, Contains(greedy.stages[3]));
    EXPECT_GE(kept.found.stage_sum.count(), alone.stage_sum.count() - 1e-9);
    // The best one again: there is nothing better, and nothing of it is lost.
    const Improvement again = improved(graph, alone.schedule, {0, 1, 2}, source, options);
    EXPECT_NEAR(again.found.stage_sum.count(), alone.stage_sum.count(), 1e-9);
  }
}

TEST(Improve, AStopLeavesTheStart) {
  const Graph graph = test::fork_join(6);
  const Schedule start = greedy_schedule(graph);
  test::FakeLatencies source(arbitrary);
  SearchOptions options = improving({}, start, std::vector<std::size_t>{1});
  const auto prepared = prepare(graph, options);
  const auto result = must(improve(*prepared, start, source, options, JobContext{stopped_token(), {}}));
  EXPECT_FALSE(result.better);
  EXPECT_FALSE(result.found.complete);
  EXPECT_EQ(result.found.schedule.stages, start.stages);
}

}  // namespace
}  // namespace iosx
