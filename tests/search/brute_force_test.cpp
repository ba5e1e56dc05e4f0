#include "tests/search/brute_force.h"

#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

struct NamedPart {
  std::string name;
  PartGraph part;
};

PartGraph first_part(const Graph& graph) { return PartGraph(graph, graph.parts().front().units); }

// Random edges, i before j, each with this chance in ten.
PartGraph random_part(std::uint64_t seed, std::size_t units, std::uint64_t tenths) {
  std::mt19937_64 random(seed);
  std::vector<UnitSet> predecessors(units, 0);
  for (std::size_t j = 0; j < units; ++j) {
    for (std::size_t i = 0; i < j; ++i) predecessors[j] |= random() % 10 < tenths ? singleton(i) : 0;
  }
  return PartGraph(predecessors);
}

std::vector<NamedPart> small_parts() {
  std::vector<NamedPart> parts;
  for (std::size_t n = 1; n <= 7; ++n) {
    parts.push_back({fmt::format("chain {}", n), first_part(test::chain(n))});
    parts.push_back({fmt::format("fork {}", n), first_part(test::fork(n))});
    parts.push_back({fmt::format("clique {}", n), first_part(test::clique(n))});
  }
  for (std::size_t n = 1; n <= 5; ++n) {
    parts.push_back({fmt::format("fork_join {}", n), first_part(test::fork_join(n))});
  }
  parts.push_back({"diamond", first_part(test::diamond())});
  parts.push_back({"sample", first_part(test::sample())});
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::size_t n = 2; n <= 7; ++n) {
      parts.push_back({fmt::format("dag {} {}", seed, n), first_part(test::random_dag(seed, n))});
    }
  }
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    for (const std::uint64_t tenths : {1, 2, 5}) {
      parts.push_back({fmt::format("random {} {}", seed, tenths), random_part(seed, 7, tenths)});
    }
  }
  return parts;
}

// Of these, what this build has the time for.
std::vector<NamedPart> tried_parts() {
  std::vector<NamedPart> parts = small_parts();
  std::vector<NamedPart> tried;
  for (std::size_t i = 0; i < parts.size(); i += test::every(23)) tried.push_back(std::move(parts[i]));
  return tried;
}

struct Setting {
  EndingRule rule;
  Pruning pruning;
};

std::vector<Setting> settings() {
  std::vector<Setting> all;
  for (const EndingRule rule : {EndingRule::kConnected, EndingRule::kSingleRoot}) {
    for (const Pruning pruning :
         {Pruning{0, 0}, {3, 8}, {1, 1}, {1, 0}, {2, 2}, {2, 3}, {0, 1}, {0, 2}, {3, 1}, {4, 2}}) {
      all.push_back({rule, pruning});
    }
  }
  return all;
}

std::string describe(const NamedPart& part, const Setting& setting) {
  return fmt::format("{}, {}, r={}, s={}", part.name,
                     setting.rule == EndingRule::kConnected ? "connected" : "single-root", setting.pruning.r,
                     setting.pruning.s);
}

// Fixed but arbitrary; `levels` different values: few of them give many ties.
double latency_of(UnitSet ending, std::uint64_t levels) {
  std::uint64_t h = (ending + 1) * 0x9E3779B97F4A7C15ULL;
  h = (h ^ (h >> 29)) * 0xBF58476D1CE4E5B9ULL;
  return static_cast<double>((h >> 32) % levels + 1);
}

TEST(BruteForce, LooksAtMoreThanTwoHundredGraphs) { EXPECT_GE(small_parts().size(), 200U); }

TEST(BruteForce, AgreesOnStatesTransitionsAndStages) {
  for (const NamedPart& named : tried_parts()) {
    for (const Setting& setting : settings()) {
      const test::BruteForce naive(named.part, setting.rule, setting.pruning);
      const auto expected = naive.counts();
      const auto space = must(enumerate(named.part, setting.rule, setting.pruning));
      const test::BruteForce::Counts found{static_cast<std::int64_t>(space.state_count()),
                                           static_cast<std::int64_t>(space.transitions.size()),
                                           static_cast<std::int64_t>(space.stages.size()), expected.schedules};
      ASSERT_EQ(found, expected) << describe(named, setting);
      const auto counted = must(count(named.part, setting.rule, setting.pruning));
      const test::BruteForce::Counts counts{counted.states, counted.transitions, counted.stages,
                                            std::stoull(counted.schedules)};
      ASSERT_EQ(counts, expected) << describe(named, setting);
    }
  }
}

TEST(BruteForce, AgreesOnTheEndingsOfEveryState) {
  for (const NamedPart& named : tried_parts()) {
    for (const Setting& setting : settings()) {
      const test::BruteForce naive(named.part, setting.rule, setting.pruning);
      const auto space = must(enumerate(named.part, setting.rule, setting.pruning));
      for (std::size_t i = 0; i < space.order.size(); ++i) {
        const UnitSet state = space.states[space.order[i]];
        std::vector<UnitSet> endings;
        for (const Transition& transition : space.transitions_of(i)) {
          endings.push_back(space.stages[transition.stage]);
          ASSERT_EQ(space.states[transition.target], state & ~endings.back());
        }
        std::sort(endings.begin(), endings.end());
        ASSERT_EQ(endings, naive.endings(state)) << describe(named, setting) << ", state " << state;
      }
    }
  }
}

TEST(BruteForce, AgreesOnTheOptimumAndOnTies) {
  for (const NamedPart& named : tried_parts()) {
    for (const Setting& setting : settings()) {
      const test::BruteForce naive(named.part, setting.rule, setting.pruning);
      const auto space = must(enumerate(named.part, setting.rule, setting.pruning));
      for (const std::uint64_t levels : {2, 5, 1'000'000}) {
        const auto latencies =
            mapped<Millis>(space.stages, [&](const UnitSet ending) { return Millis(latency_of(ending, levels)); });
        const auto solution = must(test::solve_isomorphic(space, latencies));
        std::vector<UnitSet> stages;
        for (const SolvedStage& solved : solution.stages) stages.push_back(space.stages[solved.stage]);
        const auto best = naive.best(named.part.all(), [&](UnitSet ending) { return latency_of(ending, levels); });
        ASSERT_EQ(solution.cost.count(), best.cost) << describe(named, setting);
        ASSERT_EQ(stages, best.stages) << describe(named, setting);
      }
    }
  }
}

TEST(BruteForce, AgreesWithEveryScheduleWrittenOut) {
  for (std::uint64_t seed = 0; seed < 40; seed += test::every(5)) {
    const NamedPart named{fmt::format("random {}", seed), random_part(seed, 5, 1 + seed % 4)};
    for (const Setting& setting : settings()) {
      const test::BruteForce naive(named.part, setting.rule, setting.pruning);
      std::set<std::vector<UnitSet>> schedules;
      double cheapest = 1e9;
      naive.for_each_schedule(named.part.all(), [&](const std::vector<UnitSet>& stages) {
        schedules.insert(stages);
        double cost = 0;
        for (const UnitSet ending : stages) cost += latency_of(ending, 1000);
        cheapest = std::min(cheapest, cost);
      });
      const auto counted = must(count(named.part, setting.rule, setting.pruning));
      ASSERT_EQ(counted.schedules, std::to_string(schedules.size())) << describe(named, setting);
      const auto space = must(enumerate(named.part, setting.rule, setting.pruning));
      const auto latencies =
          mapped<Millis>(space.stages, [&](const UnitSet ending) { return Millis(latency_of(ending, 1000)); });
      ASSERT_EQ(test::solve_isomorphic(space, latencies)->cost.count(), cheapest) << describe(named, setting);
    }
  }
}

// Every schedule with every choice of widths, overhead included, against the three starts and two ends of the solver.
TEST(BruteForce, AgreesOnGapsBetweenStages) {
  const InterStageOverhead overhead{{Millis(3), Millis(1)},
                                    {InterStageOverhead::ByWidth{Millis(0), Millis(7)}, {Millis(11), Millis(5)}}};
  constexpr Millis kNever{std::numeric_limits<double>::infinity()};
  for (std::uint64_t seed = 0; seed < 60; seed += test::every(7)) {
    const NamedPart named{fmt::format("random {}", seed), random_part(seed, 5, 1 + seed % 4)};
    const Setting setting = settings()[seed % settings().size()];
    const auto latency = [&](UnitSet ending) {
      const bool one = size_of(ending) == 1;  // such a stage has one lane
      return LatencyByWidth{Millis(latency_of(ending, 30)), one ? kNever : Millis(latency_of(ending * 7 + seed, 30))};
    };
    const auto space = must(enumerate(named.part, setting.rule, setting.pruning));
    const auto latencies = mapped<LatencyByWidth>(space.stages, [&](const UnitSet ending) { return latency(ending); });
    const test::BruteForce naive(named.part, setting.rule, setting.pruning);
    for (const InterStageOverhead::ByWidth& first : {overhead.first, overhead.between[0], overhead.between[1]}) {
      std::array<Millis, 2> cheapest{kNever, kNever};  // by the last stage's width
      naive.for_each_schedule(named.part.all(), [&](const std::vector<UnitSet>& stages) {
        for (std::size_t choice = 0; choice < std::size_t{1} << stages.size(); ++choice) {
          Millis cost{0};
          std::size_t width = 0;
          for (std::size_t i = 0; i < stages.size(); ++i) {
            const std::size_t next = choice >> i & 1;
            cost += (i == 0 ? first[next] : overhead.between[width][next]) + latency(stages[i])[next];
            width = next;
          }
          cheapest[width] = std::min(cheapest[width], cost);
        }
      });
      const SolutionByWidth solutions = solve(space, latencies, first, overhead.between);
      for (std::size_t w = 0; w < 2; ++w) {
        ASSERT_EQ(solutions[w].has_value(), cheapest[w] < kNever) << describe(named, setting);
        if (!solutions[w]) continue;
        ASSERT_DOUBLE_EQ(solutions[w]->cost.count(), cheapest[w].count()) << describe(named, setting);
        EXPECT_EQ(solutions[w]->stages.back().width, kStageWidths[w]);
      }
    }
  }
}

}  // namespace
}  // namespace iosx
