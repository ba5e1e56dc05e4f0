#include "core/search/solver.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/search/fake_latencies.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

constexpr Millis kNever{std::numeric_limits<double>::infinity()};

struct Problem {
  StateSpace space;
  std::vector<Millis> latencies;

  explicit Problem(const Graph& graph, Millis all = Millis(1)) {
    space = *enumerate(PartGraph(graph, graph.parts().front().units), EndingRule::kConnected, {0, 0});
    latencies.assign(space.stages.size(), all);
  }
  void set(UnitSet ending, Millis latency) {
    for (std::size_t i = 0; i < space.stages.size(); ++i) {
      if (space.stages[i] == ending) latencies[i] = latency;
    }
  }
  std::vector<UnitSet> stages() const {
    std::vector<UnitSet> sets;
    const auto solution = test::solve_alike(space, latencies);
    EXPECT_TRUE(solution.has_value());
    for (const SolvedStage& solved : solution->stages) sets.push_back(space.stages[solved.stage]);
    return sets;
  }
};

TEST(Solver, ReadsTheScheduleBackFirstStageFirst) {
  Problem chain(test::chain(3), Millis(10));
  chain.set(0b001, Millis(1));
  chain.set(0b110, Millis(2));
  EXPECT_EQ(chain.stages(), (std::vector<UnitSet>{0b001, 0b110}));
  EXPECT_EQ(test::solve_alike(chain.space, chain.latencies)->cost, Millis(3));
}

TEST(Solver, PrefersFewerStagesOnTies) {
  Problem chain(test::chain(3), Millis(10));
  for (const UnitSet unit : {0b001, 0b010, 0b100}) chain.set(unit, Millis(1));
  chain.set(0b111, Millis(3));
  EXPECT_EQ(chain.stages(), (std::vector<UnitSet>{0b111}));
}

TEST(Solver, PrefersTheSmallerEndingOnFurtherTies) {
  const Problem fork(test::fork(3));  // every stage costs the same: one stage is best
  EXPECT_EQ(fork.stages(), (std::vector<UnitSet>{0b111}));
  Problem pairs(test::fork(3));
  pairs.set(0b111, Millis(9));  // two stages: {1, 2} and then {0} has the smallest last ending
  EXPECT_EQ(pairs.stages(), (std::vector<UnitSet>{0b110, 0b001}));
}

TEST(Solver, NeverTakesAForbiddenStage) {
  Problem chain(test::chain(3), kNever);
  chain.set(0b011, Millis(5));
  chain.set(0b100, Millis(7));
  chain.set(0b110, Millis(1));  // leaves a, which nothing runs
  EXPECT_EQ(chain.stages(), (std::vector<UnitSet>{0b011, 0b100}));
  chain.set(0b100, kNever);
  EXPECT_FALSE(test::solve_alike(chain.space, chain.latencies).has_value());
}

TEST(StateSpace, ListsStatesFromTheLargest) {
  const Problem diamond(test::diamond());
  const StateSpace& space = diamond.space;
  EXPECT_EQ(space.states[space.order.front()], 0b1111U);
  for (std::size_t i = 0; i + 1 < space.order.size(); ++i) {
    EXPECT_GE(size_of(space.states[space.order[i]]), size_of(space.states[space.order[i + 1]]));
  }
  EXPECT_EQ(space.states[0], 0U);
}

TEST(StateSpace, KeepsToItsBudget) {
  const Graph graph = test::fork(12);  // 4,095 states, 527,345 transitions
  const PartGraph part(graph, graph.parts().front().units);
  constexpr Pruning kFree{0, 0};
  const auto refusal = [&](SpaceBudget budget) {
    EXPECT_FALSE(fits(part, EndingRule::kConnected, kFree, budget));
    EXPECT_FALSE(count(part, EndingRule::kConnected, kFree, budget).has_value());
    return enumerate(part, EndingRule::kConnected, kFree, budget).error();
  };
  EXPECT_EQ(refusal({4094, 1'000'000}), SpaceRefusal::kTooManyStates);
  EXPECT_EQ(refusal({5000, 527'344}), SpaceRefusal::kTooManyTransitions);
  EXPECT_TRUE(fits(part, EndingRule::kConnected, kFree, {4095, 527'345}));
  EXPECT_TRUE(enumerate(part, EndingRule::kConnected, kFree, {4095, 527'345}).has_value());
}

TEST(StateSpace, StopsAtOnce) {
  const Graph graph = test::fork(40);
  const PartGraph part(graph, graph.parts().front().units);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(enumerate(part, EndingRule::kConnected, {0, 0}, {}, stop.get_token()).error(), SpaceRefusal::kStopped);
  EXPECT_EQ(count(part, EndingRule::kConnected, {0, 0}, {}, stop.get_token()).error(), SpaceRefusal::kStopped);
}

}  // namespace
}  // namespace iosx
