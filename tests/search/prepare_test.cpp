#include "core/search/prepare.h"
#include "core/formats/document.h"
#include "core/model/schedule/merge.h"
#include "core/search/stage_candidates.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

SearchOptions options(EndingRule rule, Pruning pruning) { return {rule, pruning, StrategySet::kBoth}; }

// Of these some parts have more units or states than a search takes at once.
bool is_cut(std::string_view network) {
  constexpr std::array kCut{"randwire_320", "hrnet_w18", "efficientdet_d0", "parallel_vit_s16"};
  return std::ranges::find(kCut, network) != kCut.end();
}

TEST(Prepare, KeepsThePartsOfTheZoo) {
  for (const ZooNetwork& network : zoo()) {
    if (is_cut(network.name)) continue;
    const Graph graph = network.build();
    if (graph.parts().size() == 1) continue;  // declares none
    for (const EndingRule rule : {EndingRule::kConnected, EndingRule::kSingleRoot}) {
      const auto prepared = must(prepare(graph, options(rule, {3, 8})));
      EXPECT_EQ(test::part_sizes(prepared), test::part_sizes(graph)) << network.name;
    }
  }
}

TEST(Prepare, KeepsTheLargestPartsWithoutPruning) {
  for (const std::string_view name : {"nasnet", "randwire"}) {
    const auto graph = must(zoo_network(name));
    const auto prepared = must(prepare(graph, options(EndingRule::kConnected, {0, 0})));
    EXPECT_EQ(test::part_sizes(prepared), test::part_sizes(graph)) << name;
  }
}

TEST(Prepare, KeepsThePartsOfThePublishedRandWire) {
  const auto folder = test::reference_folder();
  if (folder.empty()) GTEST_SKIP() << "the reference folder with the published RandWire graph is absent";
  const auto document = must(load_document(folder / "graphs" / "randwire_large-sequential.json"));
  const auto prepared = must(prepare(*document.graph, options(EndingRule::kSingleRoot, {0, 0})));
  EXPECT_EQ(test::part_sizes(prepared), (std::vector<std::size_t>{1, 17, 33, 33, 33, 3}));
}

TEST(Prepare, CutsWhatIsTooComplex) {
  constexpr SpaceBudget kSmall{1000, 20'000};
  const Graph graph = test::fork(40);  // 2^40 states
  const auto prepared = must(prepare(graph, options(EndingRule::kConnected, {0, 0}), 50, kSmall));
  EXPECT_GT(prepared.parts().size(), 3U);
  for (const Part& part : prepared.parts()) {
    EXPECT_TRUE(fits(PartGraph(prepared, part.units), EndingRule::kConnected, {0, 0}, kSmall).fits);
  }
}

// A search of a tenth of a second lists 200,000 transitions of a part.
TEST(Prepare, CutsWhatTheTimeDoesNotAllowToList) {
  const auto graph = must(zoo_network("randwire"));
  SearchOptions hasty = options(EndingRule::kConnected, {3, 8});
  const auto whole = prepare(graph, hasty);
  hasty.effort.budget = Seconds(0.1);
  const auto cut = prepare(graph, hasty);
  ASSERT_TRUE(whole.has_value() && cut.has_value());
  EXPECT_GT(cut->parts().size(), whole->parts().size());
  constexpr SpaceBudget kTenthOfASecond{.states = kPartBudget.states / 60, .transitions = kPartBudget.transitions / 60};
  for (const Part& part : cut->parts()) {
    EXPECT_TRUE(fits(PartGraph(*cut, part.units), hasty.rule, hasty.pruning, kTenthOfASecond).fits);
  }
  hasty.effort.budget = Seconds(60);
  EXPECT_EQ(test::part_sizes(*prepare(graph, hasty)), test::part_sizes(*whole));
}

// Five hundred runs of one structure are looked at once, and what differs has a budget for all of it: these took 12 to
// 20 s each. The bound is wide, for slow machines.
TEST(Prepare, CutsWideGraphsInSeconds) {
  if (test::every(2) > 1) GTEST_SKIP() << "a minute and a half under the sanitizers";
  const auto start = std::chrono::steady_clock::now();
  for (const Graph& graph : {test::fork_join(1400), test::bipartite(40)}) {
    EXPECT_GT(must(prepare(graph, options(EndingRule::kConnected, {3, 8}))).parts().size(), 3U);
  }
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken.count(), 10);
}

TEST(Prepare, CutsWhatIsTooLarge) {
  const auto prepared = must(prepare(test::chain(130), {}, 64));
  for (const std::size_t size : test::part_sizes(prepared)) EXPECT_LE(size, 64U);
  EXPECT_EQ(test::part_sizes(*prepare(test::chain(4), {}, 1)), (std::vector<std::size_t>{1, 1, 1, 1}));
}

TEST(Prepare, AfterAStopKeepsToTheSizeOnly) {
  constexpr SpaceBudget kSmall{1000, 20'000};
  const auto prepared =
      prepare(test::fork(60), options(EndingRule::kConnected, {0, 0}), 40, kSmall, JobContext{stopped_token(), {}});
  ASSERT_TRUE(prepared.has_value());
  EXPECT_EQ(test::part_sizes(*prepared), (std::vector<std::size_t>{30, 30}));
}

TEST(Prepare, AStopEndsTheLookAtAPart) {
  std::stop_source stop;
  std::int64_t reports = 0;
  const JobContext job{stop.get_token(), [&](const Progress& progress) {
                         ++reports;
                         EXPECT_LT(progress.done, progress.total);
                         stop.request_stop();
                       }};
  const auto prepared = must(prepare(test::fork(19), options(EndingRule::kConnected, {0, 0}), 50, kPartBudget, job));
  EXPECT_EQ(reports, 1);
  EXPECT_EQ(prepared.parts().size(), 1U);
}

TEST(Prepare, DoesNotTakeAWideFanApart) {
  const auto prepared = must(prepare(test::fork_join(197 / test::every(3)), {}));
  const auto sizes = test::part_sizes(prepared);
  EXPECT_LE(sizes.size(), 30U);
  for (std::size_t p = 1; p < sizes.size(); ++p) EXPECT_GE(sizes[p], 4U) << p;  // the unit that feeds the fan is alone
}

TEST(Prepare, RefusesPartSizesThatDoNotExist) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{65}}) {
    const Error error = refused(prepare(test::chain(3), {}, size));
    EXPECT_NE(error.text().find("choose 1 to 64"), std::string::npos) << error.text();
  }
}

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
  EXPECT_EQ(endings(candidates_of(graph, StrategySet::kMerge, 1), Strategy::kMerge).size(), 4U);
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
