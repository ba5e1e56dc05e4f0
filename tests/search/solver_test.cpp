#include "core/search/solver.h"

#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

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
    const auto solution = test::solve_isomorphic(space, latencies);
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
  EXPECT_EQ(test::solve_isomorphic(chain.space, chain.latencies)->cost, Millis(3));
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
  EXPECT_FALSE(test::solve_isomorphic(chain.space, chain.latencies).has_value());
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
    EXPECT_FALSE(fits(part, EndingRule::kConnected, kFree, budget).fits);
    EXPECT_FALSE(count(part, EndingRule::kConnected, kFree, budget).has_value());
    return enumerate(part, EndingRule::kConnected, kFree, budget).error();
  };
  EXPECT_EQ(refusal({4094, 1'000'000}), SpaceRefusal::kTooManyStates);
  EXPECT_EQ(refusal({5000, 527'344}), SpaceRefusal::kTooManyTransitions);
  EXPECT_TRUE(fits(part, EndingRule::kConnected, kFree, {4095, 527'345}).fits);
  EXPECT_TRUE(enumerate(part, EndingRule::kConnected, kFree, {4095, 527'345}).has_value());
}

TEST(StateSpace, StopsAtOnce) {
  const Graph graph = test::fork(40);
  const PartGraph part(graph, graph.parts().front().units);
  EXPECT_EQ(enumerate(part, EndingRule::kConnected, {0, 0}, {}, stopped_token()).error(), SpaceRefusal::kStopped);
  EXPECT_EQ(count(part, EndingRule::kConnected, {0, 0}, {}, stopped_token()).error(), SpaceRefusal::kStopped);
}

void expect_same(const StateSpace& a, const StateSpace& b) {
  EXPECT_EQ(a.states, b.states);
  EXPECT_EQ(a.stages, b.stages);
  EXPECT_EQ(a.order, b.order);
  EXPECT_EQ(a.first_transition, b.first_transition);
  ASSERT_EQ(a.transitions.size(), b.transitions.size());
  for (std::size_t i = 0; i < a.transitions.size(); ++i) {
    ASSERT_EQ(a.transitions[i].target, b.transitions[i].target) << i;
    ASSERT_EQ(a.transitions[i].stage, b.transitions[i].stage) << i;
  }
}

// Large enough that threads are started: some with few endings a state, one with more than a batch holds.
std::vector<PartGraph> large_parts() {
  std::vector<PartGraph> parts;
  const Graph fork = test::fork(12);
  parts.emplace_back(fork, fork.parts().front().units);
  for (std::uint64_t seed = 0; seed < 4; seed += test::every(4)) {
    std::mt19937_64 random(seed);
    std::vector<UnitSet> predecessors(20, 0);
    for (std::size_t j = 0; j < predecessors.size(); ++j) {
      for (std::size_t i = 0; i < j; ++i) predecessors[j] |= random() % 10 == 0 ? singleton(i) : 0;
    }
    parts.emplace_back(predecessors);
  }
  const auto nasnet = zoo_network("nasnet");
  parts.emplace_back(*nasnet, nasnet->parts()[1].units);
  return parts;
}

TEST(StateSpace, IsTheSameForAnyNumberOfThreads) {
  constexpr SpaceBudget kBudget{1'000'000, 600'000};  // too little for some
  std::size_t large = 0;
  for (const PartGraph& part : large_parts()) {
    for (const EndingRule rule : {EndingRule::kConnected, EndingRule::kSingleRoot}) {
      const Pruning pruning = part.width() == part.size() ? Pruning{0, 0} : Pruning{3, 8};
      const auto alone = enumerate(part, rule, pruning, kBudget, {}, 1);
      const auto counted = count(part, rule, pruning, kBudget, {}, 1);
      for (const std::size_t threads : {2, 5}) {
        const auto together = enumerate(part, rule, pruning, kBudget, {}, threads);
        const auto counted_together = count(part, rule, pruning, kBudget, {}, threads);
        ASSERT_EQ(together.has_value(), alone.has_value());
        ASSERT_EQ(counted_together.has_value(), counted.has_value());
        EXPECT_EQ(fits(part, rule, pruning, kBudget, {}, threads).fits, alone.has_value());
        if (!alone) {
          EXPECT_EQ(together.error(), alone.error());
          EXPECT_EQ(counted_together.error(), counted.error());
          continue;
        }
        expect_same(*together, *alone);
        EXPECT_EQ(counted_together->states, counted->states);
        EXPECT_EQ(counted_together->transitions, counted->transitions);
        EXPECT_EQ(counted_together->stages, counted->stages);
        EXPECT_EQ(counted_together->schedules, counted->schedules);
        large += alone->transitions.size() > 100'000 ? 1 : 0;
      }
    }
  }
  EXPECT_GE(large, 4U);  // otherwise no thread was started
}

// The last transition and the last state that a budget allows, and one less.
TEST(StateSpace, KeepsToItsBudgetWithSeveralThreads) {
  const Graph graph = test::fork(12);  // 4,095 states, 527,345 transitions
  const PartGraph part(graph, graph.parts().front().units);
  const auto refusal = [&](SpaceBudget budget) {
    return enumerate(part, EndingRule::kConnected, {0, 0}, budget, {}, 4).error();
  };
  EXPECT_EQ(refusal({4095, 527'344}), SpaceRefusal::kTooManyTransitions);
  EXPECT_EQ(refusal({4094, 527'345}), SpaceRefusal::kTooManyStates);
  EXPECT_TRUE(enumerate(part, EndingRule::kConnected, {0, 0}, {4095, 527'345}, {}, 4).has_value());
}

TEST(StateSpace, StopsSeveralThreads) {
  const Graph graph = test::fork(40);
  const PartGraph part(graph, graph.parts().front().units);
  constexpr SpaceBudget kNone{SIZE_MAX, SIZE_MAX};
  std::stop_source stop;
  std::jthread stopper([&] {  // when the others have been at work for a while
    const Graph small = test::fork(11);
    EXPECT_TRUE(count(PartGraph(small, small.parts().front().units), EndingRule::kConnected, {0, 0}).has_value());
    stop.request_stop();
  });
  // 2^40 states: nothing else ends it.
  EXPECT_TRUE(fits(part, EndingRule::kConnected, {1, 1}, kNone, stop.get_token(), 4).fits);
}

TEST(Solver, FindsTheSameForAnyNumberOfThreads) {
  const auto randwire = zoo_network("randwire");
  const PartGraph part(*randwire, randwire->parts()[4].units);
  const StateSpace space = *enumerate(part, EndingRule::kConnected, {3, 8});
  ASSERT_GT(space.transitions.size(), 1U << 19);       // fewer are solved by one thread
  for (const std::uint64_t levels : {3, 1'000'000}) {  // few levels give many ties
    std::vector<LatencyByWidth> latencies;
    for (const UnitSet ending : space.stages) {
      const std::uint64_t mixed = (ending * 0x9E3779B97F4A7C15ULL) >> 20;
      const auto units = static_cast<double>(size_of(ending));
      latencies.push_back({Millis(units + static_cast<double>(mixed % levels)),
                           size_of(ending) == 1 ? kNever : Millis(units + static_cast<double>(mixed / 7 % levels))});
    }
    const std::array<InterStageOverhead::ByWidth, 2> overhead{InterStageOverhead::ByWidth{Millis(0), Millis(1)},
                                                              {Millis(2), Millis(1)}};
    const SolutionByWidth alone = solve(space, latencies, {}, overhead, 1);
    for (const std::size_t threads : {2, 5}) {
      const SolutionByWidth together = solve(space, latencies, {}, overhead, threads);
      for (std::size_t w = 0; w < 2; ++w) {
        ASSERT_TRUE(alone[w].has_value() && together[w].has_value());
        EXPECT_EQ(together[w]->cost, alone[w]->cost);
        EXPECT_EQ(together[w]->stages, alone[w]->stages);
      }
    }
  }
}

}  // namespace
}  // namespace iosx
