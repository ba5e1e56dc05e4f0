#include "core/search/stage_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/model/schedule/merge.h"
#include "core/search/state_space.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

struct Found {
  PartGraph part;
  StateSpace space;
  std::vector<StageCandidate> candidates;
};

Found candidates_of(const Graph& graph, StrategySet strategies, std::size_t part = 0) {
  const PartGraph units(graph, graph.parts()[part].units);
  StateSpace space = *enumerate(units, EndingRule::kConnected, {3, 8});
  auto candidates = stage_candidates(graph, units, space.stages, strategies);
  return {units, std::move(space), std::move(candidates)};
}

std::vector<UnitSet> endings(const Found& found, Strategy strategy) {
  std::vector<UnitSet> sets;
  for (const StageCandidate& candidate : found.candidates) {
    if (candidate.strategy == strategy) sets.push_back(found.space.stages[candidate.ending]);
  }
  std::sort(sets.begin(), sets.end());
  return sets;
}

// sample(): a, b, c are convolutions of the input, d of a, then the concat.

TEST(StageCandidates, AreConcurrentAndMerged) {
  const Found both = candidates_of(test::sample(), StrategySet::kBoth);
  EXPECT_EQ(endings(both, Strategy::kConcurrent).size(), both.space.stages.size());
  // {a, b}, {a, c}, {b, c}, {a, b, c}
  EXPECT_EQ(endings(both, Strategy::kMerge), (std::vector<UnitSet>{0b011, 0b101, 0b110, 0b111}));
}

TEST(StageCandidates, OfMergeAreSingleUnitsAndMergedStages) {
  const Found merge = candidates_of(test::sample(), StrategySet::kMerge);
  EXPECT_EQ(endings(merge, Strategy::kConcurrent), (std::vector<UnitSet>{1, 2, 4, 8, 16}));
  EXPECT_EQ(endings(merge, Strategy::kMerge), (std::vector<UnitSet>{0b011, 0b101, 0b110, 0b111}));
}

TEST(StageCandidates, OfParallelAreNeverMerged) {
  const Found parallel = candidates_of(test::sample(), StrategySet::kParallel);
  EXPECT_EQ(endings(parallel, Strategy::kConcurrent).size(), parallel.space.stages.size());
  EXPECT_TRUE(endings(parallel, Strategy::kMerge).empty());
}

TEST(StageCandidates, MergeExactlyWhatMergeAccepts) {
  for (const Graph& graph : {*zoo_network("inception_v3"), test::linear_siblings(), *zoo_network("vit_b16")}) {
    std::size_t merged = 0;
    for (std::size_t p = 0; p < graph.parts().size(); ++p) {
      const Found found = candidates_of(graph, StrategySet::kBoth, p);
      std::vector<UnitSet> accepted;
      for (const UnitSet ending : found.space.stages) {
        if (merge(graph, found.part.units(ending))) accepted.push_back(ending);
      }
      std::sort(accepted.begin(), accepted.end());
      EXPECT_EQ(endings(found, Strategy::kMerge), accepted);
      merged += accepted.size();
    }
    EXPECT_GT(merged, 0U) << graph.name();
  }
}

// Queries, keys and values: three pairs and all.
TEST(StageCandidates, MergeTheProjectionsOfAnAttention) {
  const Graph graph = *zoo_network("vit_b16");
  const Found found = candidates_of(graph, StrategySet::kMerge, 1);
  EXPECT_EQ(endings(found, Strategy::kMerge).size(), 4U);
}

TEST(StageCandidates, ComeWithFewUnitsFirst) {
  const Found found = candidates_of(test::random_dag(5, 10), StrategySet::kBoth);
  std::size_t last = 1;
  for (const StageCandidate& candidate : found.candidates) {
    const std::size_t size = size_of(found.space.stages[candidate.ending]);
    EXPECT_GE(size, last);
    last = size;
  }
}

TEST(StageCandidates, BecomeStagesWithComponentsAsGroups) {
  const Graph graph = test::sample();
  const PartGraph part(graph, graph.parts().front().units);
  const Stage stage = make_stage(part, 0b01111, Strategy::kConcurrent);  // a → d beside b and c
  const Stage expected{
      {Group{{Step{{UnitId(0)}}, Step{{UnitId(3)}}}}, Group{{Step{{UnitId(1)}}}}, Group{{Step{{UnitId(2)}}}}}};
  EXPECT_EQ(stage, expected);
  EXPECT_EQ(make_stage(part, 0b00110, Strategy::kMerge), merge_stage({UnitId(1), UnitId(2)}));
}

}  // namespace
}  // namespace iosx
