#include "core/model/plan/stage_key.h"
#include "core/model/plan/stage_planner.h"
#include "core/model/schedule/merge.h"
#include "core/search/stage_candidates.h"
#include "core/search/state_space.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

std::string key_of(const Graph& graph, const Stage& stage, const LowerOptions& wishes = {}) {
  return StagePlanner(graph, 1, wishes).canonical(stage).key.text();
}

Conv convolve(std::int64_t channels, std::int64_t kernel = 3) {
  return Conv{.out_channels = channels, .kernel = {kernel, kernel}, .padding = {kernel / 2, kernel / 2}};
}

Graph built(GraphBuilder builder) { return must(std::move(builder).build()); }

Group group(std::initializer_list<std::size_t> units) {
  Group made;
  for (const std::size_t unit : units) made.steps.push_back(Step{{UnitId(unit)}});
  return made;
}

// Every unit a group of its own.
Stage side_by_side(std::size_t units) {
  Stage stage;
  for (std::size_t i = 0; i < units; ++i) stage.groups.push_back(group({i}));
  return stage;
}

Value slice(const Value& value, std::int64_t begin, std::int64_t end) { return {value.producer, begin, end}; }

// One unit on a 16-channel input of which it reads eight channels.
std::string key_with(const Attributes& attributes, std::vector<std::pair<std::int64_t, std::int64_t>> reads = {{0, 8}},
                     Shape input = {16, 9, 9}) {
  auto [builder, in] = test::sketch("one", input);
  std::vector<Value> values;
  for (const auto& [begin, end] : reads) values.push_back(slice(in, begin, end));
  builder.add("u", attributes, values);
  return key_of(built(std::move(builder)), single_unit_stage(UnitId(0)));
}

// Two convolutions that read these.
template <typename Wire>
std::string two_readers(Wire&& wire) {
  GraphBuilder builder("two");
  const auto [first, second] = wire(builder);
  builder.add("p", convolve(4), {first});
  builder.add("q", convolve(4), {second});
  const Graph graph = built(std::move(builder));
  return key_of(graph, side_by_side(2));
}

TEST(StageKey, TellsEveryAttributeApart) {
  std::vector<Attributes> all;
  const Conv base = convolve(8);
  all.emplace_back(base);
  const auto vary = [&](auto&& change) {
    Conv other = base;
    change(other);
    all.emplace_back(other);
  };
  vary([](Conv& c) { c.out_channels = 16; });
  vary([](Conv& c) { c.kernel.height = 1; });
  vary([](Conv& c) { c.kernel.width = 1; });
  vary([](Conv& c) { c.stride.height = 2; });
  vary([](Conv& c) { c.stride.width = 2; });
  vary([](Conv& c) { c.padding.height = 2; });
  vary([](Conv& c) { c.padding.width = 2; });
  vary([](Conv& c) { c.dilation.height = 2; });
  vary([](Conv& c) { c.dilation.width = 2; });
  vary([](Conv& c) { c.groups = 2; });
  vary([](Conv& c) { c.activation = Activation::kRelu; });
  vary([](Conv& c) { c.activation = Activation::kTanh; });
  for (const PoolKind kind : {PoolKind::kMax, PoolKind::kAverage}) {
    all.emplace_back(Pool{kind, {3, 3}, {1, 1}, {1, 1}, false});
    all.emplace_back(Pool{kind, {3, 3}, {2, 1}, {1, 1}, false});
    all.emplace_back(Pool{kind, {3, 3}, {1, 1}, {0, 1}, false});
    all.emplace_back(Pool{kind, {2, 3}, {1, 1}, {1, 1}, false});
    all.emplace_back(Pool{kind, {3, 3}, {1, 1}, {1, 1}, true});
  }
  all.emplace_back(Pool{PoolKind::kGlobalMax, {}, {}, {0, 0}, false});
  all.emplace_back(Pool{PoolKind::kGlobalAverage, {}, {}, {0, 0}, false});
  for (const Activation function : {Activation::kRelu, Activation::kSigmoid, Activation::kTanh}) {
    all.emplace_back(Activate{function});
  }
  all.emplace_back(Identity{});
  all.emplace_back(Linear{8, Activation::kIdentity});
  all.emplace_back(Linear{9, Activation::kIdentity});
  all.emplace_back(Linear{8, Activation::kRelu});
  all.emplace_back(Linear{8, Activation::kIdentity, 1});

  std::map<std::string, std::size_t> seen;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [place, fresh] = seen.emplace(key_with(all[i]), i);
    EXPECT_TRUE(fresh) << i << " has the key of " << place->second;
  }
}

TEST(StageKey, TellsJoiningOperatorsApart) {
  const std::vector<std::pair<std::int64_t, std::int64_t>> halves{{0, 8}, {8, 16}};
  EXPECT_NE(key_with(Add{}, halves), key_with(Mul{}, halves));
  EXPECT_NE(key_with(Add{}, halves), key_with(Concat{}, halves));
  EXPECT_NE(key_with(Concat{}, halves), key_with(Concat{}, {{8, 16}, {0, 8}}));
  EXPECT_NE(key_with(Add{}, {{0, 8}, {0, 8}}), key_with(Add{}, {{0, 8}, {0, 8}, {0, 8}}));
}

TEST(StageKey, TellsInputSizesAndSlicesApart) {
  const std::string base = key_with(convolve(8));
  EXPECT_NE(base, key_with(convolve(8), {{8, 16}}));             // elsewhere in memory
  EXPECT_NE(base, key_with(convolve(8), {{0, 8}}, {8, 9, 9}));   // the whole of a smaller tensor
  EXPECT_NE(base, key_with(convolve(8), {{0, 8}}, {24, 9, 9}));  // the same slice of a larger tensor
  EXPECT_NE(base, key_with(convolve(8), {{0, 8}}, {16, 10, 9}));
  EXPECT_NE(base, key_with(convolve(8), {{0, 8}}, {16, 9, 10}));
}

TEST(StageKey, TellsSharedInputsFromDifferentOnes) {
  const Shape shape{16, 9, 9};
  std::map<std::string, std::string> seen;
  const auto add = [&](const std::string& what, const std::string& key) {
    const auto [place, fresh] = seen.emplace(key, what);
    EXPECT_TRUE(fresh) << what << " looks like " << place->second;
  };
  add("one tensor", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", shape);
        return std::pair(x, x);
      }));
  add("two tensors", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", shape);
        return std::pair(x, b.input("y", shape));
      }));
  add("one slice", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", shape);
        return std::pair(slice(x, 0, 8), slice(x, 0, 8));
      }));
  add("adjacent slices", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", shape);
        return std::pair(slice(x, 0, 8), slice(x, 8, 16));
      }));
  add("overlapping slices", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", shape);
        return std::pair(slice(x, 0, 8), slice(x, 4, 12));
      }));
  add("the same slice of two tensors", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", shape);
        return std::pair(slice(x, 0, 8), slice(b.input("y", shape), 0, 8));
      }));
  add("different slices of two tensors", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", shape);
        return std::pair(slice(x, 0, 8), slice(b.input("y", shape), 8, 16));
      }));
  add("whole tensors of the slice's size", two_readers([&](GraphBuilder& b) {
        const Value x = b.input("x", {8, 9, 9});
        return std::pair(x, b.input("y", {8, 9, 9}));
      }));
}

TEST(StageKey, TellsGroupsFromOneAnother) {
  const Graph graph = test::fork(3);
  const std::string apart = key_of(graph, side_by_side(3));
  const std::string pair = key_of(graph, Stage{{group({0, 1}), group({2})}});
  const std::string line = key_of(graph, Stage{{group({0, 1, 2})}});
  EXPECT_NE(apart, pair);
  EXPECT_NE(pair, line);
  EXPECT_NE(apart, line);
  const Stage merged_pair{{Group{{Step{{UnitId(0), UnitId(1)}}}}, group({2})}};
  EXPECT_NE(key_of(graph, merged_pair), pair);
  EXPECT_NE(key_of(graph, merge_stage({UnitId(0), UnitId(1), UnitId(2)})), line);
}

TEST(StageKey, TellsTheOrderOfStepsApart) {
  auto [builder, in] = test::sketch("order", {8, 9, 9});
  builder.add("wide", convolve(32), {in});
  builder.add("narrow", convolve(4), {in});
  const Graph graph = built(std::move(builder));
  EXPECT_NE(key_of(graph, Stage{{group({0, 1})}}), key_of(graph, Stage{{group({1, 0})}}));
  // A merged convolution writes its channels in the order in which they lie, whatever the order given.
  EXPECT_EQ(key_of(graph, merge_stage({UnitId(0), UnitId(1)})), key_of(graph, merge_stage({UnitId(1), UnitId(0)})));
}

TEST(StageKey, TellsWhatIsReadInsideTheStageFromWhatIsReadOutside) {
  // c reads a or b, both earlier in the group, or a tensor of the same shape from outside.
  const auto reads = [](std::size_t which) {
    auto [builder, in] = test::sketch("inside", {8, 9, 9});
    const std::vector<Value> made{builder.add("a", convolve(8), {in}), builder.add("b", convolve(8), {in}), in};
    builder.add("c", convolve(8), {made[which]});
    return key_of(built(std::move(builder)), Stage{{group({0, 1, 2})}});
  };
  EXPECT_NE(reads(0), reads(1));
  EXPECT_NE(reads(1), reads(2));
  EXPECT_NE(reads(0), reads(2));
}

TEST(StageKey, TellsUnitsFromTheirOperatorsApart) {
  // The same operators, once as one unit on one stream, once side by side.
  auto [one, in] = test::sketch("one", {8, 9, 9});
  one.begin_unit("u");
  one.add("x", Activate{}, {in});
  one.add("y", convolve(8), {one.add("z", Activate{}, {in})});
  one.end_unit();
  const Graph inside = built(std::move(one));
  auto [other, input] = test::sketch("other", {8, 9, 9});
  other.begin_unit("u");
  const Value x = other.add("x", Activate{}, {input});
  other.add("z", Activate{}, {input});
  other.add("y", convolve(8), {x});
  other.end_unit();
  const Graph crossed = built(std::move(other));
  EXPECT_NE(key_of(inside, single_unit_stage(UnitId(0))), key_of(crossed, single_unit_stage(UnitId(0))));
}

TEST(StageKey, IgnoresNamesAndIds) {
  const auto make = [](const std::string& prefix, std::size_t before) {
    GraphBuilder builder(prefix);
    Value in = builder.input(prefix + "in", {8, 9, 9});
    for (std::size_t i = 0; i < before; ++i) in = builder.add(fmt::format("{}{}", prefix, i), convolve(8, 1), {in});
    Conv named = convolve(16);
    named.merged_from = {prefix + "m", prefix + "n"};
    const Value a = builder.add(prefix + "a", named, {in});
    builder.add(prefix + "b", convolve(4), {slice(a, 0, 8)});
    builder.add(prefix + "c", convolve(4), {in});
    const Graph graph = built(std::move(builder));
    return key_of(graph, Stage{{group({before, before + 1}), group({before + 2})}});
  };
  EXPECT_EQ(make("p", 0), make("q", 0));
  EXPECT_EQ(make("p", 0), make("longer", 3));  // an input of the graph, or another unit's output
}

TEST(StageKey, IgnoresTheWindowOfGlobalPooling) {
  EXPECT_EQ(key_with(Pool{PoolKind::kGlobalMax, {3, 3}, {1, 1}, {0, 0}, false}),
            key_with(Pool{PoolKind::kGlobalMax, {1, 1}, {2, 2}, {0, 0}, true}));
}

TEST(StageKey, IgnoresTheOrderOfGroups) {
  for (std::uint64_t seed = 0; seed < 40; seed += test::every(8)) {
    const Graph graph = test::random_dag(seed, 6);
    Stage stage;  // units that do not read one another
    std::vector<bool> taken(6, false);
    for (std::size_t i = 0; i < 6; ++i) {
      const auto before = graph.predecessors(UnitId(i));
      if (std::any_of(before.begin(), before.end(), [&](UnitId unit) { return taken[unit.index()]; })) continue;
      taken[i] = true;
      stage.groups.push_back(group({i}));
    }
    const std::string expected = key_of(graph, stage);
    for (std::size_t turn = 1; turn < stage.groups.size(); ++turn) {
      std::rotate(stage.groups.begin(), stage.groups.begin() + 1, stage.groups.end());
      EXPECT_EQ(key_of(graph, stage), expected) << seed;
    }
    std::reverse(stage.groups.begin(), stage.groups.end());
    EXPECT_EQ(key_of(graph, stage), expected) << seed;
  }
}

TEST(CanonicalStage, PutsTheGroupsInOneOrder) {
  auto [builder, in] = test::sketch("groups", {8, 9, 9});
  for (const std::int64_t channels : {4, 16, 8, 2}) builder.add(fmt::format("c{}", channels), convolve(channels), {in});
  const Graph graph = built(std::move(builder));
  Stage stage = side_by_side(4);
  StagePlanner planner(graph, 1, {});
  const auto expected = planner.canonical(stage);
  EXPECT_EQ(planner.canonical(expected.stage).stage, expected.stage);
  std::vector<std::size_t> order{0, 1, 2, 3};
  do {
    for (std::size_t i = 0; i < order.size(); ++i) stage.groups[i] = group({order[i]});
    EXPECT_EQ(planner.canonical(stage).stage, expected.stage);
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(StageKey, FindsTheSameSharingInAnyOrder) {
  // Two readers of x and two of y, interleaved differently.
  const auto readers = [](std::vector<std::size_t> of) {
    GraphBuilder builder("readers");
    const std::vector<Value> tensors{builder.input("x", {8, 9, 9}), builder.input("y", {8, 9, 9})};
    for (std::size_t i = 0; i < of.size(); ++i) builder.add(fmt::format("u{}", i), convolve(8), {tensors[of[i]]});
    return key_of(built(std::move(builder)), side_by_side(of.size()));
  };
  EXPECT_EQ(readers({0, 0, 1, 1}), readers({0, 1, 0, 1}));
  EXPECT_EQ(readers({0, 0, 1, 1}), readers({1, 0, 0, 1}));
  EXPECT_EQ(readers({0, 0, 0, 1}), readers({1, 0, 1, 1}));
  EXPECT_NE(readers({0, 0, 1, 1}), readers({0, 0, 0, 1}));
  EXPECT_NE(readers({0, 0, 0, 0}), readers({0, 0, 0, 1}));
}

// a, b and c write into "joined", which d reads; e has the same shape and reads the input.
TEST(StageKey, TellsPlacesApartWhereTheDeviceLowersInPlace) {
  GraphBuilder builder("places");
  const Value in = builder.input("in", {8, 9, 9});
  std::vector<Value> made;
  for (const char* name : {"a", "b", "c"}) made.push_back(builder.add(name, convolve(8), {in}));
  const Value joined = builder.add("joined", Concat{}, made);
  builder.add("d", convolve(8), {joined});
  builder.add("e", convolve(8), {in});
  builder.add("f", convolve(8), {made[1]});
  builder.add("g", convolve(8), {in});
  const Graph graph = built(std::move(builder));
  const auto of = [&](std::size_t unit, bool in_place) {
    return key_of(graph, single_unit_stage(UnitId(unit)), {.concat_in_place = in_place});
  };
  EXPECT_EQ(of(0, false), of(1, false));
  EXPECT_NE(of(0, true), of(1, true));   // other channels
  EXPECT_NE(of(0, true), of(5, true));   // a buffer of its own
  EXPECT_EQ(of(5, true), of(7, true));   // two of their own
  EXPECT_EQ(of(5, true), of(5, false));  // nothing to say
  EXPECT_EQ(of(4, true), of(4, false));  // reads all of the buffer
  EXPECT_NE(of(6, true), of(6, false));  // reads a part of a larger buffer
  // Two tensors of one buffer, or of two.
  EXPECT_NE(key_of(graph, side_by_side(2), {.concat_in_place = true}),
            key_of(graph, Stage{{group({0}), group({5})}}, {.concat_in_place = true}));
}

// b = a + in, across units: with a third reader of a, b must stay a kernel of its own.
TEST(StageKey, TellsFusibleUnitsApartWhereTheDeviceFuses) {
  const auto signature = [](bool another_reader, bool fuse) {
    auto [builder, in] = test::sketch("fusion", {8, 9, 9});
    const Value a = builder.add("a", convolve(8), {in});
    builder.add("b", Add{}, {a, in});
    if (another_reader) builder.add("c", Activate{}, {a});
    return key_of(built(std::move(builder)), Stage{{group({0, 1})}}, {.fuse = fuse});
  };
  EXPECT_EQ(signature(false, false), signature(true, false));
  EXPECT_NE(signature(false, true), signature(true, true));
  EXPECT_EQ(signature(true, true), signature(true, false));
}

TEST(StageKey, TellsTheBatchApart) {
  const Graph graph = test::fork(2);
  const auto key = [&](std::int64_t batch) { return StagePlanner(graph, batch, {}).canonical(side_by_side(2)).key; };
  EXPECT_EQ(key(4), key(4));
  EXPECT_NE(key(4), key(8));
}

// Kept measurements are found by it on other computers and later: a change of this value needs another
// kStageKeyVersion.
TEST(StageKey, IsFixed) {
  const Graph graph = test::fork(2);
  EXPECT_EQ(StagePlanner(graph, 1, {}).canonical(side_by_side(2)).key.text(), "a85b2b14463ab6443a38b7987db715fe");
}

TEST(StageKey, IsReadBackFromItsText) {
  const StageKey key{0x0123456789ABCDEFU, 0xFEDCBA9876543210U};
  EXPECT_EQ(key.text(), "0123456789abcdeffedcba9876543210");
  EXPECT_EQ(StageKey::parse(key.text()), key);
  EXPECT_EQ(StageKey::parse("0123456789abcdeffedcba987654321"), std::nullopt);
  EXPECT_EQ(StageKey::parse("0123456789abcdeffedcba987654321g"), std::nullopt);
  EXPECT_EQ(StageKey::parse("-123456789abcdeffedcba9876543210"), std::nullopt);
}

// Of two networks that have a stage in common, one may fit into a device's cache.
TEST(StageKey, TellsWhetherTheCacheHoldsTheWeights) {
  GraphBuilder builder("one");
  builder.add("a", convolve(8, 1), {builder.input("in", Shape{8, 4, 4})});  // 64 weights and as many biases as channels
  const Graph graph = built(std::move(builder));
  const Stage stage = side_by_side(1);
  const std::int64_t weights = total_work(graph, 1).parameters;
  const std::string hot = key_of(graph, stage);
  EXPECT_EQ(key_of(graph, stage, {.cached_weights = weights}), hot);
  EXPECT_NE(key_of(graph, stage, {.cached_weights = weights - 1}), hot);
  for (const bool cold : {false, true}) {
    StagePlanner planner(graph, 1, {.cached_weights = cold ? weights - 1 : weights});
    EXPECT_EQ(planner.plan(stage).plan.cold_weights, cold);
    EXPECT_EQ(planner.plan(Schedule{"", {stage}}).cold_weights, cold);
  }
}

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
  const auto space = must(enumerate(part, EndingRule::kConnected, {0, 5}));
  for (const StageCandidate& candidate : stage_candidates(graph, part, space.stages, StrategySet::kBoth)) {
    stages.push_back({&graph, make_stage(part, space.stages[candidate.ending], candidate.strategy)});
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
  const auto graph = must(zoo_network("nasnet"));
  const auto cell = keys(graph, 6);
  EXPECT_GT(cell.size(), 1000U);
  EXPECT_EQ(keys(graph, 7), cell);
  EXPECT_EQ(keys(graph, 8), cell);
  EXPECT_NE(keys(graph, 5), cell);  // two cells back it reads a reduction's output, of fewer channels
}

// Also for a device that lowers in place and fuses: each cell's concatenation is a place of its own, alike in all.
TEST(StageKeySoundness, IdenticalCellsHaveIdenticalKeysInPlace) {
  const auto graph = must(zoo_network("nasnet"));
  const LowerOptions options{.fuse = true, .concat_in_place = true};
  const auto cell = keys(graph, 6, options);
  EXPECT_GT(cell.size(), 1000U);
  EXPECT_NE(cell, keys(graph, 6));
  EXPECT_EQ(keys(graph, 7, options), cell);
  EXPECT_EQ(keys(graph, 8, options), cell);
}

}  // namespace

}  // namespace iosx
