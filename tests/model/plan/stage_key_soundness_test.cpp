#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/merge.h"
#include "core/search/stage_candidates.h"
#include "core/search/state_space.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

struct GraphStage {
  const Graph* graph;
  Stage stage;
};

// Whether two stages are the same up to names, by trying every pairing of their groups.
class Isomorphism {
 public:
  Isomorphism(const GraphStage& a, const GraphStage& b) : a_(a), b_(b) {}

  bool exists() {
    const std::size_t groups = a_.stage.groups.size();
    if (groups != b_.stage.groups.size()) return false;
    std::vector<std::size_t> pairing(groups);
    for (std::size_t g = 0; g < groups; ++g) pairing[g] = g;
    do {
      tensor_.clear();
      back_.clear();
      bool fits = true;
      for (std::size_t g = 0; g < groups && fits; ++g) fits = same(a_.stage.groups[g], b_.stage.groups[pairing[g]]);
      if (fits) return true;
    } while (std::next_permutation(pairing.begin(), pairing.end()));
    return false;
  }

 private:
  bool same(const Group& a, const Group& b) {
    if (a.steps.size() != b.steps.size()) return false;
    for (std::size_t i = 0; i < a.steps.size(); ++i) {
      const Step& x = a.steps[i];
      const Step& y = b.steps[i];
      if (x.units.size() != y.units.size()) return false;
      if (x.merged() && merged(*a_.graph, x) != merged(*b_.graph, y)) return false;
      for (std::size_t u = 0; u < x.units.size(); ++u) {
        if (!same(x.units[u], y.units[u], x.merged())) return false;
      }
    }
    return true;
  }

  static Attributes merged(const Graph& graph, const Step& step) {
    Attributes layer = merge(graph, step.units)->attributes;
    if (Conv* const conv = std::get_if<Conv>(&layer)) conv->merged_from.clear();
    return layer;
  }

  // Merged convolutions may differ in their own kernels: all are padded to the largest.
  bool same(UnitId a, UnitId b, bool in_merge) {
    const auto& first = a_.graph->unit(a).operators;
    const auto& second = b_.graph->unit(b).operators;
    if (first.size() != second.size()) return false;
    for (std::size_t o = 0; o < first.size(); ++o) {
      const Operator& x = a_.graph->op(first[o]);
      const Operator& y = b_.graph->op(second[o]);
      if ((!in_merge && x.attributes != y.attributes) || x.output != y.output || x.inputs.size() != y.inputs.size())
        return false;
      for (std::size_t i = 0; i < x.inputs.size(); ++i) {
        const Value& v = x.inputs[i];
        const Value& w = y.inputs[i];
        if (v.begin != w.begin || v.end != w.end || !same_tensor(v.producer, w.producer)) return false;
      }
      if (!same_tensor(first[o], second[o])) return false;
    }
    return true;
  }

  // Tensors are paired one to one, those made inside the stage with one another.
  bool same_tensor(OperatorId a, OperatorId b) {
    if (a_.graph->op(a).output != b_.graph->op(b).output) return false;
    return tensor_.try_emplace(a, b).first->second == b && back_.try_emplace(b, a).first->second == a;
  }

  const GraphStage& a_;
  const GraphStage& b_;
  std::map<OperatorId, OperatorId> tensor_;
  std::map<OperatorId, OperatorId> back_;
};

void add_stages(const Graph& graph, std::vector<GraphStage>& stages) {
  const PartGraph part(graph, graph.parts().front().units);
  const auto space = enumerate(part, EndingRule::kConnected, {0, 5});
  ASSERT_TRUE(space.has_value());
  for (const StageCandidate& candidate : stage_candidates(graph, part, space->stages, StrategySet::kBoth)) {
    stages.push_back({&graph, make_stage(part, space->stages[candidate.ending], candidate.strategy)});
  }
}

TEST(StageKeySoundness, EqualKeysMeanEqualStructure) {
  std::vector<Graph> graphs{test::fork(5), test::fork_join(4), test::clique(5), test::diamond(), test::sample()};
  for (std::uint64_t seed = 0; seed < 40; seed += test::every(3)) graphs.push_back(test::random_dag(seed, 7));
  std::vector<GraphStage> stages;
  for (const Graph& graph : graphs) add_stages(graph, stages);
  ASSERT_GT(stages.size(), 2000U / test::every(5));

  std::unordered_map<StageKey, GraphStage> first;
  std::size_t repeated = 0;
  for (const GraphStage& stage : stages) {
    auto [key, same] = StagePlanner(*stage.graph, 1, {}).canonical(stage.stage);
    const GraphStage canonical{stage.graph, std::move(same)};
    const auto [place, fresh] = first.emplace(key, canonical);
    if (fresh) continue;
    ++repeated;
    ASSERT_TRUE(Isomorphism(place->second, canonical).exists()) << key.text();
  }
  EXPECT_GT(repeated, 500U / test::every(5));  // otherwise this test says nothing
}

std::set<StageKey> keys(const Graph& graph, std::size_t part, const LowerOptions& wishes = {}) {
  const PartGraph units(graph, graph.parts()[part].units);
  const auto space = enumerate(units, EndingRule::kSingleRoot, {3, 8});
  EXPECT_TRUE(space.has_value());
  StagePlanner planner(graph, 1, wishes);
  std::set<StageKey> found;
  for (const UnitSet ending : space->stages) {
    found.insert(planner.canonical(concurrent_stage(units, ending)).key);
  }
  return found;
}

TEST(StageKeySoundness, IdenticalCellsHaveIdenticalKeys) {
  const auto graph = zoo_network("nasnet");
  ASSERT_TRUE(graph.has_value());
  const auto cell = keys(*graph, 6);
  EXPECT_GT(cell.size(), 1000U);
  EXPECT_EQ(keys(*graph, 7), cell);
  EXPECT_EQ(keys(*graph, 8), cell);
  EXPECT_NE(keys(*graph, 5), cell);  // two cells back it reads a reduction's output, of fewer channels
}

// Also for a device that lowers in place and fuses: each cell's concatenation is a place of its own, alike in all.
TEST(StageKeySoundness, IdenticalCellsHaveIdenticalKeysInPlace) {
  const auto graph = zoo_network("nasnet");
  ASSERT_TRUE(graph.has_value());
  const LowerOptions options{.fuse = true, .concat_in_place = true};
  const auto cell = keys(*graph, 6, options);
  EXPECT_GT(cell.size(), 1000U);
  EXPECT_NE(cell, keys(*graph, 6));
  EXPECT_EQ(keys(*graph, 7, options), cell);
  EXPECT_EQ(keys(*graph, 8, options), cell);
}

}  // namespace
}  // namespace iosx
