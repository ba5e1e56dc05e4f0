#include "core/analysis/difference/graph_match.h"

#include "core/base/check.h"
#include "models/networks/zoo.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

// How a graph is written down once more: what an edit may change of it.
struct Rewrite {
  // Of an operator or unit, with its kind and a number that no other has.
  std::function<std::string(const std::string& name, std::string_view kind, std::size_t number)> name =
      [](const std::string& name, std::string_view, std::size_t) { return name; };
  std::function<Attributes(const Operator& op)> attributes = [](const Operator& op) { return op.attributes; };
  std::string insert_after;  // an activation under the name "inserted", which all readers of this operator then read
  std::string remove;        // an operator of one input that does not change the shape: its readers read that
};

// Units are those of the graph; what is inserted joins the unit before it.
Graph rewritten(const Graph& graph, const Rewrite& rewrite) {
  GraphBuilder builder(graph.name());
  std::vector<Value> whole(graph.operators().size());
  const auto told = [&](const Value& value) {
    Value result = whole[value.producer.index()];
    if (value != graph.whole(value.producer)) {
      result.begin = value.begin;
      result.end = value.end;
    }
    return result;
  };
  std::size_t number = 0;
  const auto name = [&](const Operator& op) { return rewrite.name(op.name, kind_name(op.attributes), number++); };
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    const Operator& op = graph.operators()[i];
    if (op.is_input()) whole[i] = builder.input(name(op), op.output);
    if (op.is_constant()) whole[i] = builder.constant(name(op), op.output);
  }
  for (const Unit& unit : graph.units()) {
    std::vector<OperatorId> kept;
    for (const OperatorId id : unit.operators) {
      const Operator& op = graph.op(id);
      if (op.name == rewrite.remove) {
        whole[id.index()] = told(op.inputs.front());
      } else {
        kept.push_back(id);
      }
    }
    if (kept.empty()) continue;
    const bool several = kept.size() > 1;
    if (several) builder.begin_unit(rewrite.name(unit.name, "unit", number++));
    for (const OperatorId id : kept) {
      const Operator& op = graph.op(id);
      std::vector<Value> inputs;
      for (const Value& value : op.inputs) inputs.push_back(told(value));
      whole[id.index()] = builder.add(name(op), rewrite.attributes(op), inputs);
    }
    if (several) builder.end_unit();
    for (const OperatorId id : kept) {
      if (graph.op(id).name != rewrite.insert_after) continue;
      whole[id.index()] = builder.add("inserted", Activate{Activation::kSigmoid}, {whole[id.index()]});
      ++number;
    }
  }
  auto built = std::move(builder).build();
  EXPECT_TRUE(built) << (built ? "" : built.error().text());
  IOS_CHECK(built);
  return std::move(*built);
}

std::string numbered(const std::string&, std::string_view, std::size_t number) { return fmt::format("n{}", number); }
std::string by_kind(const std::string&, std::string_view kind, std::size_t number) {
  return fmt::format("{}_{}", kind, number);
}

std::vector<std::string> names(const Graph& graph, const std::vector<OperatorId>& operators) {
  return mapped<std::string>(operators, [&](const OperatorId op) { return graph.op(op).name; });
}

// How many operators of A are matched with that of their own place, where B was written down from A operator by
// operator under names that end in their place.
std::size_t matched_by_name(const Graph& a, const Graph& b, const GraphMatch& match) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < match.operators_in_b.size(); ++i) {
    const OperatorId other = match.operators_in_b[i];
    if (other.valid() && b.op(other).name == a.operators()[i].name) ++right;
  }
  return right;
}

TEST(GraphMatch, OfAGraphWithItselfIsEveryOperator) {
  const Graph graph = *zoo_network("inception_v3");
  const GraphMatch match = match_graphs(graph, Graph(graph));
  EXPECT_TRUE(match.identical);
  EXPECT_THAT(match.missing(), IsEmpty());
  EXPECT_THAT(match.added(), IsEmpty());
  EXPECT_EQ(match.operators_in_b[7], OperatorId(7));
  EXPECT_EQ(match.units_in_a.size(), graph.units().size());
}

// The worked example of graph_match.h.
TEST(GraphMatch, OfTwoChains) {
  const auto pointwise = [](std::int64_t channels) { return Conv{.out_channels = channels, .kernel = {1, 1}}; };
  auto [one, value] = test::sketch("a", Shape{8, 8, 8});
  value = one.add("conv", pointwise(16), {value});
  value = one.add("relu", Activate{Activation::kRelu}, {value});
  one.add("out", pointwise(4), {value});
  const Graph a = std::move(one).build().value();
  GraphBuilder two("b");
  value = two.input("in", Shape{8, 8, 8});
  value = two.add("n1", pointwise(16), {value});
  value = two.add("n2", Activate{Activation::kRelu}, {value});
  value = two.add("n3", Activate{Activation::kSigmoid}, {value});
  two.add("out", pointwise(6), {value});
  const Graph b = std::move(two).build().value();
  const GraphMatch match = match_graphs(a, b);
  EXPECT_FALSE(match.identical);
  EXPECT_THAT(names(a, match.renamed), ElementsAre("conv", "relu"));
  EXPECT_THAT(names(a, match.changed), ElementsAre("out"));
  EXPECT_THAT(match.missing(), IsEmpty());
  EXPECT_THAT(names(b, match.added()), ElementsAre("n3"));
}

TEST(GraphMatch, FindsARenamedNetworkByItsStructure) {
  for (const char* network : {"inception_v3", "squeezenet", "nasnet", "randwire"}) {
    const auto opened = zoo_network(network);
    ASSERT_TRUE(opened) << network;
    const Graph& a = *opened;
    const Graph b = rewritten(a, {.name = numbered, .insert_after = {}, .remove = {}});
    const GraphMatch match = match_graphs(a, b);
    EXPECT_FALSE(match.identical);
    EXPECT_THAT(match.missing(), IsEmpty()) << network;
    EXPECT_THAT(match.added(), IsEmpty()) << network;
    EXPECT_THAT(match.changed, IsEmpty()) << network;
    EXPECT_EQ(match.renamed.size(), a.operators().size()) << network;
    // Counterparts read counterparts: whatever twins were exchanged, the match is one of the graph with itself.
    for (std::size_t i = 0; i < a.operators().size(); ++i) {
      const Operator& one = a.operators()[i];
      const Operator& other = b.op(match.operators_in_b[i]);
      ASSERT_EQ(one.inputs.size(), other.inputs.size());
      for (std::size_t k = 0; k < one.inputs.size(); ++k) {
        EXPECT_EQ(match.operators_in_b[one.inputs[k].producer.index()], other.inputs[k].producer) << one.name;
      }
    }
    for (std::size_t i = 0; i < a.units().size(); ++i) {
      ASSERT_TRUE(match.units_in_b[i].valid());
      EXPECT_EQ(match.units_in_a[match.units_in_b[i].index()], UnitId(i));
    }
  }
}

TEST(GraphMatch, NamesTheOneThatWasInserted) {
  const Graph a = *zoo_network("inception_v3");
  const std::string after = a.operators()[a.operators().size() / 2].name;
  const Graph b = rewritten(a, {.insert_after = after, .remove = {}});
  const GraphMatch match = match_graphs(a, b);
  EXPECT_THAT(match.missing(), IsEmpty());
  EXPECT_THAT(names(b, match.added()), ElementsAre("inserted"));
  EXPECT_THAT(match.changed, IsEmpty());
  EXPECT_EQ(matched_by_name(a, b, match), a.operators().size());
}

TEST(GraphMatch, NamesTheOneThatWasInsertedWhereAllIsNumberedAnew) {
  const Graph given = *zoo_network("inception_v3");
  const Graph a = rewritten(given, {.name = by_kind, .insert_after = {}, .remove = {}});
  const Graph b = rewritten(given, {.name = by_kind, .insert_after = given.operators()[40].name, .remove = {}});
  const GraphMatch match = match_graphs(a, b);
  EXPECT_THAT(match.missing(), IsEmpty());
  EXPECT_THAT(names(b, match.added()), ElementsAre("inserted"));
  EXPECT_THAT(match.changed, IsEmpty());
  EXPECT_GT(match.renamed.size(), 50U);
}

TEST(GraphMatch, NamesTheOneThatWasRemoved) {
  const Graph with = rewritten(*zoo_network("inception_v3"),
                               {.insert_after = zoo_network("inception_v3")->operators()[60].name, .remove = {}});
  const Graph without = rewritten(with, {.insert_after = {}, .remove = "inserted"});
  const GraphMatch match = match_graphs(with, without);
  EXPECT_THAT(names(with, match.missing()), ElementsAre("inserted"));
  EXPECT_THAT(match.added(), IsEmpty());
  EXPECT_EQ(matched_by_name(with, without, match), without.operators().size());
}

TEST(GraphMatch, NamesTheOneThatWasChanged) {
  const Graph a = *zoo_network("squeezenet");
  std::string changed;
  for (const Operator& op : a.operators()) {
    if (op.as<Conv>() != nullptr && changed.empty() && op.name != a.operators()[1].name) changed = op.name;
  }
  const auto other_activation = [&](const Operator& op) {
    Attributes attributes = op.attributes;
    if (op.name == changed) *fused_activation(attributes) = Activation::kSigmoid;
    return attributes;
  };
  for (const bool renamed : {false, true}) {
    Rewrite rewrite{.attributes = other_activation, .insert_after = {}, .remove = {}};
    if (renamed) rewrite.name = numbered;
    const Graph b = rewritten(a, rewrite);
    const GraphMatch match = match_graphs(a, b);
    EXPECT_THAT(match.missing(), IsEmpty()) << renamed;
    EXPECT_THAT(match.added(), IsEmpty()) << renamed;
    EXPECT_THAT(names(a, match.changed), ElementsAre(changed)) << renamed;
  }
}

TEST(GraphMatch, HeedsNamesInAChainThatIsAlikeAllAlong) {
  const Graph a = test::chain(10);
  auto [builder, last] = test::sketch("chain", {8, 16, 16});
  for (std::size_t i = 0; i < a.units().size(); ++i) {
    const Operator& op = a.op(a.units()[i].output());
    last = builder.add(op.name, op.attributes, {last});
    if (i == 4) last = builder.add("new", op.attributes, {last});
  }
  const Graph b = *std::move(builder).build();
  const GraphMatch match = match_graphs(a, b);
  EXPECT_THAT(match.missing(), IsEmpty());
  EXPECT_THAT(names(b, match.added()), ElementsAre("new"));
  EXPECT_EQ(matched_by_name(a, b, match), a.operators().size());
}

// Every shape differs; what is computed is the same.
TEST(GraphMatch, SeesTheSameNetworkOnAnotherSizeOfInput) {
  const auto net = [](std::int64_t size, bool renamed) {
    GraphBuilder builder("net");
    const auto name = [&](const char* text) { return renamed ? std::string("x") + text : std::string(text); };
    const Value in = builder.input(name("in"), {3, size, size});
    Conv conv{.out_channels = 8, .kernel = {3, 3}, .padding = {1, 1}};
    const Value stem = builder.add(name("stem"), conv, {in});
    conv.kernel = {1, 1};
    conv.padding = {0, 0};
    const Value left = builder.add(name("left"), conv, {stem});
    const Value right = builder.add(name("right"), Pool{PoolKind::kMax, {3, 3}, {1, 1}, {1, 1}}, {stem});
    builder.add(name("join"), Concat{}, {left, right});
    return *std::move(builder).build();
  };
  for (const bool renamed : {false, true}) {
    const Graph a = net(32, false);
    const Graph b = net(64, renamed);
    const GraphMatch match = match_graphs(a, b);
    EXPECT_THAT(match.missing(), IsEmpty()) << renamed;
    EXPECT_EQ(match.changed.size(), a.operators().size()) << renamed;
    EXPECT_EQ(match.operators_in_b[2], OperatorId(2)) << renamed;
  }
}

TEST(GraphMatch, OfNetworksThatHaveNothingInCommonMatchesNoKindWithAnother) {
  const Graph a = *zoo_network("squeezenet");
  const Graph b = *zoo_network("nasnet");
  const GraphMatch match = match_graphs(a, b);
  for (std::size_t i = 0; i < match.operators_in_b.size(); ++i) {
    const OperatorId other = match.operators_in_b[i];
    if (other.valid()) {
      EXPECT_EQ(a.operators()[i].attributes.index(), b.op(other).attributes.index());
      EXPECT_EQ(match.operators_in_a[other.index()], OperatorId(i));
    }
  }
  EXPECT_FALSE(match.added().empty());
}

TEST(GraphMatch, OfRandomGraphsIsOneToOneAndTheSameEveryTime) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Graph a = test::random_dag(seed, 40);
    const Graph b = test::random_dag(seed + 100, 45);
    const GraphMatch match = match_graphs(a, b);
    EXPECT_EQ(match.operators_in_b, match_graphs(a, b).operators_in_b);
    std::size_t linked = 0;
    for (std::size_t i = 0; i < match.operators_in_b.size(); ++i) {
      if (!match.operators_in_b[i].valid()) continue;
      ++linked;
      EXPECT_EQ(match.operators_in_a[match.operators_in_b[i].index()], OperatorId(i));
    }
    EXPECT_EQ(linked + match.missing().size(), a.operators().size());
    EXPECT_EQ(linked + match.added().size(), b.operators().size());
  }
}

}  // namespace
}  // namespace iosx
