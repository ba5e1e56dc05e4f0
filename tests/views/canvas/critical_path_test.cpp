#include "views/canvas/paint/critical_path.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/graphs.h"
#include "tests/views/canvas/canvas_graphs.h"

namespace iosx::canvas::test {
namespace {

using Source = UnitCosts::Source;

Latency latency(double ms) { return {Millis(ms), Millis(0), 1, Origin::kSimulated}; }

// a → b → {e, f}, a → c → d, all → g (tests/views/canvas/support.cpp).
TEST(CriticalPath, IsTheLongestChainAndSlackIsWhatIsLeft) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Millis> costs{Millis(1), Millis(2), Millis(4), Millis(3), Millis(1), Millis(2), Millis(5)};
  const CriticalPath path = critical_path(*graph, costs);
  EXPECT_DOUBLE_EQ(path.length.count(), 1 + 4 + 3 + 5);
  EXPECT_EQ(path.units, (std::vector<UnitId>{UnitId(0), UnitId(2), UnitId(3), UnitId(6)}));
  const std::vector<double> slack{0, 3, 0, 0, 4, 3, 0};
  for (std::size_t u = 0; u < slack.size(); ++u) EXPECT_DOUBLE_EQ(path.slack[u].count(), slack[u]) << u;
}

// Against every path, listed one by one.
double longest_from(const Graph& graph, const std::vector<Millis>& costs, UnitId unit) {
  double longest = 0;
  for (const UnitId next : graph.successors(unit)) longest = std::max(longest, longest_from(graph, costs, next));
  return longest + costs[unit.index()].count();
}
double longest_to(const Graph& graph, const std::vector<Millis>& costs, UnitId unit) {
  double longest = 0;
  for (const UnitId before : graph.predecessors(unit)) longest = std::max(longest, longest_to(graph, costs, before));
  return longest + costs[unit.index()].count();
}

TEST(CriticalPath, AgreesWithAllPathsOfRandomGraphs) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph graph = iosx::test::random_dag(seed, 12);
    std::vector<Millis> costs;
    for (std::size_t u = 0; u < graph.units().size(); ++u)
      costs.emplace_back(static_cast<double>((seed * 7 + u * 13) % 11));
    const CriticalPath path = critical_path(graph, costs);
    double longest = 0;
    for (std::size_t u = 0; u < costs.size(); ++u) longest = std::max(longest, longest_from(graph, costs, UnitId(u)));
    EXPECT_DOUBLE_EQ(path.length.count(), longest);
    double sum = 0;
    for (std::size_t i = 0; i < path.units.size(); ++i) {
      sum += costs[path.units[i].index()].count();
      if (i == 0) continue;
      const auto before = graph.predecessors(path.units[i]);
      EXPECT_NE(std::find(before.begin(), before.end(), path.units[i - 1]), before.end());
    }
    EXPECT_DOUBLE_EQ(sum, longest);
    for (std::size_t u = 0; u < costs.size(); ++u) {
      const double through =
          longest_to(graph, costs, UnitId(u)) + longest_from(graph, costs, UnitId(u)) - costs[u].count();
      EXPECT_NEAR(path.slack[u].count(), longest - through, 1e-9);
    }
  }
}

TEST(UnitCosts, AStageOfOneUnitIsThatUnitsLatency) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Latency> stages{latency(1), latency(6), latency(2), latency(0.5)};
  const UnitCosts costs = unit_costs(*graph, schedule, stages);
  EXPECT_EQ(costs.sources[0], Source::kAlone);
  EXPECT_DOUBLE_EQ(costs.values[0].count(), 1);
  EXPECT_EQ(costs.sources[6], Source::kAlone);
  EXPECT_DOUBLE_EQ(costs.values[6].count(), 0.5);
  EXPECT_EQ(costs.count(Source::kAlone), 2U);
  EXPECT_EQ(costs.count(Source::kShare), 5U);
}

TEST(UnitCosts, AStageIsSharedOutSoThatItsSlowestGroupTakesAllOfIt) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Latency> stages{latency(1), latency(6), latency(2), latency(0.5)};
  const UnitCosts costs = unit_costs(*graph, schedule, stages);
  EXPECT_DOUBLE_EQ(costs.values[2].count() + costs.values[3].count(), 6);  // two 3×3, one after the other
  EXPECT_DOUBLE_EQ(costs.values[2].count(), costs.values[3].count());
  EXPECT_GT(costs.values[1].count(), 0);  // a 1×1 beside them
  EXPECT_LT(costs.values[1].count(), costs.values[2].count());
  EXPECT_DOUBLE_EQ(costs.values[4].count(), 2);  // merged: each ends with the step
  EXPECT_DOUBLE_EQ(costs.values[5].count(), 2);
}

TEST(UnitCosts, WhatAUnitTakesByItselfComesFirst) {
  auto [graph, schedule] = small_scheduled();
  // Unit 2 gets a stage of its own, before what is left of the one that it shared with units 1 and 3.
  std::vector<Step>& steps = schedule.stages[1].groups[1].steps;
  ASSERT_EQ(steps.front(), Step{{UnitId(2)}});
  steps.erase(steps.begin());
  schedule.stages.insert(schedule.stages.begin() + 1, single_unit_stage(UnitId(2)));
  const std::vector<Latency> stages{latency(1), latency(2.5), latency(6), latency(2), latency(0.5)};
  const UnitCosts costs = unit_costs(*graph, schedule, stages);
  EXPECT_DOUBLE_EQ(costs.values[2].count(), 2.5);
  EXPECT_EQ(costs.sources[2], Source::kAlone);
  EXPECT_EQ(costs.sources[3], Source::kShare);
}

// A schedule cannot be faster than the longest chain where each unit takes what it takes by itself.
TEST(CriticalPath, IsNoLongerThanTheStagesWhereCostsComeFromThem) {
  const auto [graph, schedule] = small_scheduled();
  const std::vector<Latency> stages{latency(1), latency(6), latency(2), latency(0.5)};
  const CriticalPath path = critical_path(*graph, unit_costs(*graph, schedule, stages).values);
  EXPECT_LE(path.length.count(), 9.5 + 1e-12);
}

}  // namespace
}  // namespace iosx::canvas::test
