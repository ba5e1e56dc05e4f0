#include "models/networks/randwire.h"
#include "tests/models/structure.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx::test {
namespace {

bool connected(int nodes, const std::vector<RandWireEdge>& edges) {
  std::vector<int> root(nodes);
  std::iota(root.begin(), root.end(), 0);
  // Every pass joins components; as many passes as nodes are always enough.
  for (int pass = 0; pass < nodes; ++pass) {
    for (const RandWireEdge& edge : edges) root[edge.from] = root[edge.to] = std::min(root[edge.from], root[edge.to]);
  }
  return std::all_of(root.begin(), root.end(), [](int r) { return r == 0; });
}

TEST(WattsStrogatz, RewiringKeepsTheNumberOfEdgesAndTheGraphConnected) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const auto edges = must(watts_strogatz({.nodes = 32, .neighbours = 4, .rewiring = 0.75}, seed));
    EXPECT_EQ(edges.size(), 64U);
    EXPECT_TRUE(connected(32, edges)) << "seed " << seed;
    for (const RandWireEdge& edge : edges) {
      EXPECT_GE(edge.from, 0);
      EXPECT_LT(edge.from, edge.to);
      EXPECT_LT(edge.to, 32);
    }
  }
}

TEST(WattsStrogatz, WithoutRewiringIsTheRing) {
  const auto edges = must(watts_strogatz({.nodes = 5, .neighbours = 2, .rewiring = 0}, 7));
  EXPECT_THAT(edges, ElementsAre(RandWireEdge{0, 1}, RandWireEdge{1, 2}, RandWireEdge{2, 3}, RandWireEdge{0, 4},
                                 RandWireEdge{3, 4}));
}

// About 1 - p of the ring's edges stay, besides those that are drawn again: with p = 0.75 clearly fewer than half.
TEST(WattsStrogatz, RewiringProbabilityShows) {
  std::size_t kept = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const auto edges = watts_strogatz({.nodes = 64, .neighbours = 4, .rewiring = 0.75}, seed);
    for (const RandWireEdge& edge : *edges) {
      const int hop = std::min(edge.to - edge.from, 64 - (edge.to - edge.from));
      if (hop <= 2) ++kept;
    }
  }
  const double share = static_cast<double>(kept) / (20 * 128);
  EXPECT_GT(share, 0.24);
  EXPECT_LT(share, 0.36);
}

// Guards the promise that a seed means the same graph everywhere; the edges were drawn by a second program.
TEST(WattsStrogatz, TheSeedFixesTheGraph) {
  const auto edges = must(watts_strogatz({.nodes = 8, .neighbours = 4, .rewiring = 0.75}, 1));
  std::string text;
  for (const RandWireEdge& edge : edges) text += std::to_string(edge.from) + std::to_string(edge.to) + " ";
  EXPECT_EQ(text, "01 03 23 04 24 05 15 35 45 16 36 46 07 27 47 67 ");
  EXPECT_NE(edges, *watts_strogatz({.nodes = 8, .neighbours = 4, .rewiring = 0.75}, 2));
}

TEST(WattsStrogatz, RefusesWhatIsNoGraph) {
  const auto refused = [](int nodes, int neighbours, double rewiring) {
    return !watts_strogatz({nodes, neighbours, rewiring}, 1).has_value();
  };
  EXPECT_TRUE(refused(0, 2, 0.5));
  EXPECT_TRUE(refused(1 << 30, 2, 0.5));
  EXPECT_TRUE(refused(8, 0, 0.5));
  EXPECT_TRUE(refused(8, 3, 0.5));
  EXPECT_TRUE(refused(8, 8, 0.5));
  EXPECT_TRUE(refused(8, 4, -0.1));
  EXPECT_TRUE(refused(8, 4, 1.1));
  EXPECT_TRUE(refused(8, 4, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_FALSE(refused(8, 4, 1.0));
}

TEST(RandWire, NodesReadTheirSourcesOrTheStageInput) {
  const std::vector<RandWireStage> stages{{10, 4, {{0, 2}, {1, 2}, {2, 3}}}, {20, 2, {}}};
  const auto graph = must(build_randwire("two", stages));
  EXPECT_THAT(part_sizes(graph), ElementsAre(1U, 5U, 3U, 3U));

  const auto unit = [&](const char* name) { return *graph.find_unit(name); };
  EXPECT_THAT(graph.predecessors(unit("stage_1.node_0")), ElementsAre(unit("stem.conv")));
  EXPECT_THAT(graph.predecessors(unit("stage_1.node_2")), ElementsAre(unit("stage_1.node_0"), unit("stage_1.node_1")));
  EXPECT_EQ(graph.unit(unit("stage_1.node_2")).operators.size(), 4U);
  EXPECT_EQ(graph.unit(unit("stage_1.node_3")).operators.size(), 3U);
  EXPECT_THAT(graph.predecessors(unit("stage_1.output")), ElementsAre(unit("stage_1.node_3")));
  EXPECT_THAT(graph.predecessors(unit("stage_2.output")), ElementsAre(unit("stage_2.node_0"), unit("stage_2.node_1")));
  const auto shape = [&](const char* name) { return graph.op(graph.unit(unit(name)).output()).output; };
  EXPECT_EQ(shape("stage_1.output"), (Shape{10, 56, 56}));
  EXPECT_EQ(shape("stage_2.output"), (Shape{20, 28, 28}));
  EXPECT_EQ(shape("head.pool"), (Shape{1280, 1, 1}));
}

TEST(RandWire, RefusesEdgesThatDoNotFit) {
  const auto message = [](RandWireStage stage) {
    const std::vector<RandWireStage> stages{std::move(stage)};
    const auto graph = build_randwire("bad", stages);
    return graph ? std::string() : graph.error().text();
  };
  EXPECT_THAT(message({8, 3, {{0, 1}, {1, 3}}}), HasSubstr("stage_1: edge 1 -> 3"));
  EXPECT_THAT(message({8, 3, {{2, 1}}}), HasSubstr("edge 2 -> 1"));
  EXPECT_THAT(message({8, 3, {{1, 1}}}), HasSubstr("edge 1 -> 1"));
  EXPECT_THAT(message({8, 3, {{-1, 1}}}), HasSubstr("edge -1 -> 1"));
  EXPECT_THAT(message({8, 3, {{0, 1}, {0, 1}}}), HasSubstr("twice"));
  EXPECT_THAT(message({8, 0, {}}), HasSubstr("0 nodes"));
  EXPECT_THAT(message({0, 1, {}}), HasSubstr("Output channels"));
}

TEST(RandWire, AnotherSeedIsAnotherNetworkOfTheSameParts) {
  const auto a = build_randwire("a", random_stages(1));
  const auto again = build_randwire("again", random_stages(1));
  const auto b = build_randwire("b", random_stages(2));
  EXPECT_EQ(first_difference(*a, *again), "");
  EXPECT_NE(first_difference(*a, *b), "");
  EXPECT_THAT(part_sizes(*a), ElementsAre(1U, 17U, 33U, 33U, 33U, 3U));
  EXPECT_EQ(part_sizes(*a), part_sizes(*b));
}

struct Variant {
  std::int64_t channels = 8;
  std::int64_t padding = 1;
  bool swapped = false;
  bool one_unit = false;
  std::string hint = {};
};

// Two convolutions of the input and the sum of both.
Graph small(const Variant& variant) {
  auto [builder, in] = test::sketch("small", {4, 8, 8});
  Conv conv{.out_channels = variant.channels, .kernel = {3, 3}, .padding = {variant.padding, variant.padding}};
  const Value a = builder.add("a", conv, {in});
  conv.activation = Activation::kRelu;
  builder.begin_unit(variant.one_unit ? "sum" : "b", variant.hint);
  Value b = builder.add("b", conv, {in});
  if (!variant.one_unit) b = builder.end_unit();
  builder.add("sum", Add{}, variant.swapped ? std::vector{b, a} : std::vector{a, b});
  if (variant.one_unit) builder.end_unit();
  return std::move(builder).build().value();
}

TEST(Structure, EqualGraphsDoNotDiffer) {
  EXPECT_EQ(first_difference(small({}), small({})), "");
  EXPECT_EQ(first_difference(small({.hint = "h"}), small({})), "");
}

TEST(Structure, FindsEveryKindOfDifference) {
  EXPECT_NE(first_difference(small({}), small({.channels = 9})), "");
  EXPECT_NE(first_difference(small({}), small({.padding = 0})), "");
  EXPECT_NE(first_difference(small({}), small({.one_unit = true})), "");
  EXPECT_NE(first_difference(small({}), small({.hint = "h"})), "");
}

TEST(Structure, OrderOfASumMattersUnlessAskedOtherwise) {
  EXPECT_NE(first_difference(small({}), small({.swapped = true})), "");
  EXPECT_EQ(first_difference(small({}), small({.swapped = true}), {.unordered_sums = true}), "");
}

}  // namespace

}  // namespace iosx::test
