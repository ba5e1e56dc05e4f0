#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/cost/signature.h"
#include "core/search/stage_candidates.h"
#include "core/search/state_space.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"

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
      if (a.steps[i].units.size() != b.steps[i].units.size()) return false;
      for (std::size_t u = 0; u < a.steps[i].units.size(); ++u) {
        if (!same(a.steps[i].units[u], b.steps[i].units[u])) return false;
      }
    }
    return true;
  }

  bool same(UnitId a, UnitId b) {
    const auto& first = a_.graph->unit(a).operators;
    const auto& second = b_.graph->unit(b).operators;
    if (first.size() != second.size()) return false;
    for (std::size_t o = 0; o < first.size(); ++o) {
      const Operator& x = a_.graph->op(first[o]);
      const Operator& y = b_.graph->op(second[o]);
      if (x.attributes != y.attributes || x.output != y.output || x.inputs.size() != y.inputs.size()) return false;
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

TEST(SignatureSoundness, EqualSignaturesMeanEqualStructure) {
  std::vector<Graph> graphs{test::fork(5), test::fork_join(4), test::clique(5), test::diamond(), test::sample()};
  for (std::uint64_t seed = 0; seed < 40; ++seed) graphs.push_back(test::random_dag(seed, 7));
  std::vector<GraphStage> stages;
  for (const Graph& graph : graphs) add_stages(graph, stages);
  ASSERT_GT(stages.size(), 2000U);

  std::unordered_map<std::string, const GraphStage*> first;
  std::size_t repeated = 0;
  for (const GraphStage& stage : stages) {
    const auto [place, fresh] = first.emplace(stage_signature(*stage.graph, stage.stage), &stage);
    if (fresh) continue;
    ++repeated;
    ASSERT_TRUE(Isomorphism(*place->second, stage).exists()) << place->first;
  }
  EXPECT_GT(repeated, 500U);  // otherwise this test says nothing
}

std::set<std::string> signatures(const Graph& graph, std::size_t part, const SignatureOptions& options = {}) {
  const PartGraph units(graph, graph.parts()[part].units);
  const auto space = enumerate(units, EndingRule::kSingleRoot, {3, 8});
  EXPECT_TRUE(space.has_value());
  std::set<std::string> found;
  for (const UnitSet ending : space->stages) {
    found.insert(stage_signature(graph, concurrent_stage(units, ending), options));
  }
  return found;
}

TEST(SignatureSoundness, IdenticalCellsHaveIdenticalSignatures) {
  const auto graph = zoo_network("nasnet");
  ASSERT_TRUE(graph.has_value());
  const auto cell = signatures(*graph, 6);
  EXPECT_GT(cell.size(), 1000U);
  EXPECT_EQ(signatures(*graph, 7), cell);
  EXPECT_EQ(signatures(*graph, 8), cell);
  EXPECT_NE(signatures(*graph, 5), cell);  // two cells back it reads a reduction's output, of fewer channels
}

// Also for a device that lowers in place and fuses: each cell's concatenation is a place of its own, alike in all.
TEST(SignatureSoundness, IdenticalCellsHaveIdenticalSignaturesInPlace) {
  const auto graph = zoo_network("nasnet");
  ASSERT_TRUE(graph.has_value());
  const ConcatPlaces places(*graph);
  const SignatureOptions options{&places, true};
  const auto cell = signatures(*graph, 6, options);
  EXPECT_GT(cell.size(), 1000U);
  EXPECT_NE(cell, signatures(*graph, 6));
  EXPECT_EQ(signatures(*graph, 7, options), cell);
  EXPECT_EQ(signatures(*graph, 8, options), cell);
}

}  // namespace
}  // namespace iosx
