#include "core/model/graph/networks.h"

#include <gmock/gmock.h>

#include <array>

#include "core/model/graph/builder.h"
#include "core/model/graph/partition.h"
#include "core/model/schedule/baselines.h"
#include "core/model/schedule/legality.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Graph united(std::vector<Graph> graphs) {
  std::vector<const Graph*> pointers;
  for (const Graph& graph : graphs) pointers.push_back(&graph);
  auto made = unite(pointers);
  EXPECT_TRUE(made) << made.error().text();
  return std::move(*made);
}

std::vector<std::string> names_of(const Graph& graph, const std::vector<UnitId>& units) {
  std::vector<std::string> names;
  for (const UnitId unit : units) names.push_back(graph.unit(unit).name);
  return names;
}

Graph named(const std::string& name, Graph graph) {
  GraphBuilder builder(name);
  const Value in = builder.input("in", graph.op(graph.inputs().front()).output);
  Value last = in;
  for (const Unit& unit : graph.units()) last = builder.add(unit.name, graph.op(unit.output()).attributes, {last});
  return *std::move(builder).build();
}

TEST(Networks, KeepTheirOwnOperatorsUnderTheirNames) {
  const Graph both = united({named("left", test::chain(2)), named("right", test::chain(3))});
  EXPECT_EQ(both.name(), "left+right");
  EXPECT_THAT(both.networks(), ElementsAre("left", "right"));
  EXPECT_EQ(both.units().size(), 5U);
  EXPECT_EQ(both.inputs().size(), 2U);
  EXPECT_EQ(both.outputs().size(), 2U);
  const auto lists = independent_units(both);
  ASSERT_EQ(lists.size(), 2U);
  EXPECT_THAT(names_of(both, lists[0]), ElementsAre("left/a", "left/b"));
  EXPECT_THAT(names_of(both, lists[1]), ElementsAre("right/a", "right/b", "right/c"));
  EXPECT_TRUE(has_independent_networks(both));
  EXPECT_EQ(own_name(both, lists[1][0]), "a");
  for (const Operator& op : both.operators()) {
    for (const Value& value : op.inputs) EXPECT_EQ(both.op(value.producer).network, op.network);
  }
}

TEST(Networks, OfOneNameAreNumbered) {
  const Graph graph = named("net", test::chain(2));
  const Graph three = united({graph, graph, graph});
  EXPECT_THAT(three.networks(), ElementsAre("net", "net 2", "net 3"));
  EXPECT_TRUE(three.find_unit("net 3/b"));
  // A union stands for each of its networks.
  const Graph two = united({graph, graph});
  EXPECT_THAT(united({two, graph}).networks(), ElementsAre("net", "net 2", "net 3"));
  EXPECT_TRUE(united({two, graph}).find_unit("net 2/b"));
}

// What a file does not bring is made up from names: those that the network has alone.
TEST(Networks, HaveTheNumbersThatTheyHaveAlone) {
  const Graph alone = named("net", test::chain(2));
  const Graph both = united({named("other", test::chain(1)), alone, alone});
  for (const std::string unit : {"a", "b"}) {
    const auto own = alone.parameters()->weights(*alone.find_operator(unit));
    for (const std::string network : {"net/", "net 2/"}) {
      const auto made = both.parameters()->weights(*both.find_operator(network + unit));
      EXPECT_TRUE(std::ranges::equal(made.elements(), own.elements())) << network << unit;
    }
  }
}

TEST(Networks, KeepGivenWeightsBiasesAndConstants) {
  GraphBuilder builder("given");
  const Value in = builder.input("in", Shape{1, 2, 2});
  const Value number = builder.constant("number", Tensor({1, 1, 1}, {7}));
  Conv conv;
  conv.out_channels = 1;
  const Value with = builder.add("with", conv, {in});
  builder.set_parameters(with, Tensor({1, 1, 1, 1}, {5}), Tensor({1}, {3}));
  const Value without = builder.add("without", conv, {with});
  builder.leave_out_bias(without);
  builder.add("sum", Add{}, {without, number});
  const Graph graph = *std::move(builder).build();
  const Graph both = united({graph, graph});
  for (const std::string network : {"given/", "given 2/"}) {
    const Parameters& parameters = *both.parameters();
    EXPECT_THAT(parameters.weights(*both.find_operator(network + "with")).elements(), ElementsAre(5));
    EXPECT_THAT(parameters.bias(*both.find_operator(network + "with")).elements(), ElementsAre(3));
    EXPECT_FALSE(parameters.has_bias(*both.find_operator(network + "without")));
    EXPECT_THAT(parameters.weights(*both.find_operator(network + "number")).elements(), ElementsAre(7));
  }
}

// Runs of consecutive units are what a search can run side by side.
TEST(Networks, AlternateInTheOrderOfUnits) {
  const Graph both = united({named("left", test::chain(4)), named("right", test::chain(4))});
  for (std::size_t u = 0; u < 8; u += 2) EXPECT_NE(both.network(UnitId(u)), both.network(UnitId(u + 1))) << u;
}

TEST(Networks, AreRefusedWhereThereIsOneOrTooMany) {
  const Graph graph = test::chain(1);
  const std::array one{&graph};
  EXPECT_FALSE(unite(one));
  const std::vector<const Graph*> hundreds(300, &graph);
  const auto refused = unite(hundreds);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), testing::AllOf(HasSubstr("300 networks"), HasSubstr("at most 16")));
  EXPECT_TRUE(unite(std::vector<const Graph*>(16, &graph)));
}

TEST(Networks, ThatSomebodyConnectsAreNoLongerIndependent) {
  GraphBuilder builder("both");
  builder.set_network("one");
  const Value a = builder.add("a", Activate{Activation::kRelu}, {builder.input("in", Shape{4, 2, 2})});
  builder.set_network("two");
  const Value c = builder.add("c", Activate{Activation::kRelu}, {a});
  builder.set_network("");
  builder.add("d", Activate{Activation::kRelu}, {c});  // of what it reads
  const Graph graph = *std::move(builder).build();
  EXPECT_EQ(graph.network(*graph.find_unit("d")), graph.network(*graph.find_unit("c")));
  EXPECT_FALSE(has_independent_networks(graph));
  EXPECT_EQ(independent_units(graph).size(), 1U);
  EXPECT_TRUE(check_legal(graph, sequential_schedule(graph)));
  EXPECT_TRUE(check_legal(graph, side_by_side_schedule(graph)));
}

TEST(Networks, OfAPlainGraphAreNone) {
  const Graph graph = test::diamond();
  EXPECT_TRUE(graph.networks().empty());
  EXPECT_FALSE(has_independent_networks(graph));
  EXPECT_EQ(independent_units(graph).front().size(), graph.units().size());
}

TEST(Networks, RunInTurnAndSideBySide) {
  const Graph both = united({named("left", test::chain(2)), named("right", test::chain(3))});
  const Schedule turn = sequential_schedule(both);
  ASSERT_EQ(turn.stages.size(), 2U);
  EXPECT_THAT(names_of(both, turn.stages[0].units()), ElementsAre("left/a", "left/b"));
  EXPECT_EQ(turn.stages[0].groups.size(), 1U);
  const Schedule side = side_by_side_schedule(both);
  ASSERT_EQ(side.stages.size(), 1U);
  ASSERT_EQ(side.stages[0].groups.size(), 2U);
  EXPECT_EQ(side.stages[0].groups[1].steps.size(), 3U);
  EXPECT_EQ(one_by_one_schedule(both).stages.size(), 5U);
  EXPECT_EQ(one_by_one_schedule(both).stages[1].units().front(), *both.find_unit("left/b"));
  for (const Schedule& schedule : {turn, side, one_by_one_schedule(both), greedy_schedule(both)}) {
    EXPECT_TRUE(check_legal(both, schedule)) << schedule.name;
  }
}

TEST(Networks, AreShownApart) {
  const Graph both = united({named("left", test::chain(3)), named("right", test::chain(50))});
  std::size_t units = 0;
  for (const Part& part : shown_parts(both)) {
    units += part.units.size();
    EXPECT_LE(part.units.size(), 64U);
    for (const UnitId unit : part.units) EXPECT_EQ(both.network(unit), both.network(part.units.front()));
  }
  EXPECT_EQ(units, 53U);
  EXPECT_EQ(shown_parts(both).front().name, "left");
}

}  // namespace
}  // namespace iosx
