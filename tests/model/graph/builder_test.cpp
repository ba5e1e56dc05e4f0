#include "core/model/graph/networks.h"
#include "core/model/graph/partition.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

Activate relu() { return Activate{Activation::kRelu}; }

std::vector<std::size_t> indices(std::span<const UnitId> units) {
  return mapped<std::size_t>(units, [](const UnitId unit) { return unit.index(); });
}

TEST(Builder, ConnectsUnits) {
  const Graph graph = test::diamond();
  ASSERT_EQ(graph.units().size(), 4U);
  EXPECT_THAT(indices(graph.successors(UnitId(0))), ElementsAre(1, 2));
  EXPECT_THAT(indices(graph.predecessors(UnitId(3))), ElementsAre(1, 2));
  EXPECT_THAT(graph.outputs(), ElementsAre(graph.unit(UnitId(3)).output()));
  ASSERT_EQ(graph.inputs().size(), 1U);
  EXPECT_EQ(graph.consumers(graph.inputs().front()).size(), 1U);
  EXPECT_EQ(graph.find_unit("c"), UnitId(2));
  EXPECT_EQ(graph.find_unit("in"), std::nullopt);
  EXPECT_EQ(graph.find_operator("in"), graph.inputs().front());
}

// What was taken back is as if it had never been: its names are free again, also those of units and of what failed.
TEST(Builder, TakesBackWhatWasAddedSinceAMark) {
  const auto add_rest = [](GraphBuilder& builder, const Value& a) {
    builder.begin_unit("u");
    const Value first = builder.add("", relu(), {a});
    builder.add("last", Add{}, {first, a});
    builder.add("c", relu(), {builder.end_unit()});
  };
  GraphBuilder builder("graph");
  GraphBuilder plain("graph");
  const Value a = builder.add("a", relu(), {builder.input("in", Shape{4, 2, 2})});
  const GraphBuilder::Mark mark = builder.mark();
  const std::vector<std::function<void()>> steps{
      [&] { builder.add("c", relu(), {a}); },
      [&] {
        builder.add("c", Add{}, {a, builder.constant("k", Shape{7})});
      },  // does not fit
      [&] {
        builder.add("c", relu(), {Value{OperatorId(99), 0, 4}});
      },                                                                // reads nothing
      [&] { builder.begin_unit("u"), builder.add("c", relu(), {a}); },  // is left open
      [&] { builder.begin_unit("u"), builder.end_unit(); },             // is empty
      [&] {
        builder.input("c", Shape{4, 2, 2});
      },
      [&] { builder.add("a", relu(), {a}); },  // a name that is taken
      [&] { builder.set_parameters(builder.add("c", Linear{2}, {a}), Tensor({1}, {1})); },
  };
  for (const auto& step : steps) {
    step();
    builder.revert(mark);
    EXPECT_FALSE(builder.error());
  }
  add_rest(builder, a);
  add_rest(plain, plain.add("a", relu(), {plain.input("in", Shape{4, 2, 2})}));
  const auto graph = must(std::move(builder).build());
  const auto expected = must(std::move(plain).build());
  EXPECT_EQ(graph.inputs().size(), 1U);
  EXPECT_EQ(graph.parts().size(), 1U);
  EXPECT_EQ(graph.units().size(), expected.units().size());
  ASSERT_EQ(graph.operators().size(), expected.operators().size());
  for (std::size_t i = 0; i < graph.operators().size(); ++i) {
    EXPECT_EQ(graph.operators()[i].name, expected.operators()[i].name);
    EXPECT_EQ(graph.operators()[i].inputs, expected.operators()[i].inputs);
    EXPECT_EQ(graph.operators()[i].unit, expected.operators()[i].unit);
  }
}

TEST(Builder, TakesNoPartsBack) {
  auto [builder, in] = test::sketch("parts", Shape{4, 2, 2});
  builder.add("a", relu(), {in});
  const GraphBuilder::Mark mark = builder.mark();
  builder.begin_part("more");
  EXPECT_DEATH(builder.revert(mark), "invariant broken");
}

TEST(Builder, KeepsOneEdgeForSeveralReads) {
  auto [builder, in] = test::sketch("twice", Shape{4, 2, 2});
  const Value a = builder.add("a", relu(), {in});
  builder.add("b", Add{}, {a, a});
  const auto graph = must(std::move(builder).build());
  EXPECT_THAT(indices(graph.successors(UnitId(0))), ElementsAre(1));
  EXPECT_EQ(graph.consumers(a.producer).size(), 1U);
}

// As TopK has values and places, of which one is read and the other is not.
TEST(Builder, ReadsAnyOperatorOfAWholeUnit) {
  const Graph graph = test::whole_unit();
  const auto op = [&](const char* name) { return *graph.find_operator(name); };
  EXPECT_THAT(graph.outputs(), ElementsAre(op("b"), op("c")));
  EXPECT_THAT(graph.outputs(UnitId(0)), ElementsAre(op("a"), op("b")));
  EXPECT_EQ(graph.output_name(op("a")), "a");
  EXPECT_EQ(graph.output_name(op("b")), "u");
  EXPECT_THAT(indices(graph.successors(UnitId(0))), ElementsAre(1));
}

TEST(Builder, LeavesOutABiasWhereThereMayBeOne) {
  auto [builder, in] = test::sketch("biases", Shape{4});
  const Value made_up = builder.add("made up", Linear{2}, {in});
  const Value given = builder.add("given", Linear{2}, {in});
  builder.set_parameters(given, Tensor({2, 4}, std::vector<float>(8, 1)), Tensor({2}, {3, 0}));
  const Value without = builder.add("without", Linear{2}, {in});
  builder.set_parameters(without, Tensor({2, 4}, std::vector<float>(8, 1)));
  GraphBuilder wrong = builder;
  const auto graph = must(std::move(builder).build());
  const Parameters& parameters = *graph.parameters();
  EXPECT_TRUE(parameters.has_bias(made_up.producer));
  EXPECT_TRUE(parameters.has_bias(given.producer));
  EXPECT_FALSE(parameters.has_bias(without.producer));
  EXPECT_FALSE(parameters.has_bias(in.producer));
  const Parameters others = parameters.synthetic(ParameterInit::kIntegers);
  EXPECT_TRUE(others.has_bias(given.producer));
  EXPECT_FALSE(others.has_bias(without.producer));
  EXPECT_THAT(others.bias(without.producer).elements(), ElementsAre(0, 0));

  wrong.leave_out_bias(wrong.add("sum", Add{}, {made_up, given}));
  EXPECT_THAT(refused(std::move(wrong).build()).text(), HasSubstr("has no bias"));
}

TEST(Builder, NumbersUnnamedOperators) {
  auto [builder, in] = test::sketch("numbers", Shape{4, 2, 2}, "1");
  const Value a = builder.add("", relu(), {in});
  builder.add("", relu(), {a});
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(graph.units()[0].name, "2");
  EXPECT_EQ(graph.units()[1].name, "3");
}

TEST(Builder, FindsAUnitsOutputByItsName) {
  auto [builder, in] = test::sketch("unit", Shape{4, 2, 2});
  builder.begin_unit("u", "hint");
  const Value inner = builder.add("x", relu(), {in});
  builder.add("y", relu(), {inner});
  builder.end_unit();
  const auto graph = must(std::move(builder).build());
  EXPECT_EQ(graph.op(*graph.find_operator("u")).name, "y");
  EXPECT_EQ(graph.op(*graph.find_operator("x")).name, "x");
  EXPECT_EQ(graph.units()[0].hint, "hint");
}

TEST(Builder, DropsEmptyParts) {
  auto [builder, last] = test::sketch("parts", Shape{4, 2, 2});
  builder.begin_part("empty");
  builder.begin_part("first");
  last = builder.add("a", relu(), {last});
  builder.begin_part("second");
  builder.add("b", relu(), {last});
  builder.begin_part("also empty");
  const auto graph = must(std::move(builder).build());
  ASSERT_EQ(graph.parts().size(), 2U);
  EXPECT_EQ(graph.parts()[0].name, "first");
  EXPECT_THAT(indices(graph.parts()[1].units), ElementsAre(1));
  EXPECT_EQ(graph.unit(UnitId(1)).part, PartId(1));
}

TEST(Builder, TakesOtherParts) {
  const Graph graph = test::chain(3).with_parts({Part{"x", {UnitId(0)}}, Part{"y", {UnitId(1), UnitId(2)}}});
  EXPECT_EQ(graph.parts().size(), 2U);
  EXPECT_EQ(graph.unit(UnitId(2)).part, PartId(1));
}

struct Mistake {
  const char* name;
  std::function<void(GraphBuilder&, Value)> make;  // gets the input, 4×2×2, named "in"
  const char* where;
  const char* says;
};

void PrintTo(const Mistake& a_case, std::ostream* out) { *out << a_case.name; }

class BuilderMistakes : public testing::TestWithParam<Mistake> {};

TEST_P(BuilderMistakes, AreErrors) {
  auto [builder, in] = test::sketch("mistake", Shape{4, 2, 2});
  GetParam().make(builder, in);
  const Value after = builder.add("after", relu(), {in});  // harmless after a mistake
  builder.shape(after);
  const Error error = refused(std::move(builder).build());
  EXPECT_EQ(error.where, GetParam().where);
  EXPECT_THAT(error.text(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Cases, BuilderMistakes,
    testing::Values(Mistake{"SameNameTwice",
                            [](GraphBuilder& builder, Value in) {
                              builder.add("a", relu(), {in});
                              builder.add("a", relu(), {in});
                            },
                            "a", "'a' is used twice"},
                    Mistake{"NameOfTheInput", [](GraphBuilder& builder, Value in) { builder.add("in", relu(), {in}); },
                            "in", "twice"},
                    Mistake{"SecondInputOfTheSameName",
                            [](GraphBuilder& builder, Value) {
                              builder.input("in", Shape{1, 1, 1});
                            },
                            "in", "twice"},
                    Mistake{"SameNameTwiceInAUnit",
                            [](GraphBuilder& builder, Value in) {
                              builder.begin_unit("u");
                              const Value x = builder.add("x", relu(), {in});
                              builder.add("x", relu(), {x});
                              builder.end_unit();
                            },
                            "x", "'x' is used twice"},
                    Mistake{"UnitsNameInsideIt",
                            [](GraphBuilder& builder, Value in) {
                              builder.begin_unit("u");
                              const Value x = builder.add("u", relu(), {in});
                              builder.add("y", relu(), {x});
                              builder.end_unit();
                            },
                            "u", "not its last operator"},
                    Mistake{"EmptyUnit",
                            [](GraphBuilder& builder, Value) {
                              builder.begin_unit("u");
                              builder.end_unit();
                            },
                            "u", "no operators"},
                    Mistake{"NoSuchProducer",
                            [](GraphBuilder& builder, Value) {
                              builder.add("a", relu(), {Value{OperatorId(7), 0, 1}});
                            },
                            "a", "does not exist"},
                    Mistake{"InvalidProducer",
                            [](GraphBuilder& builder, Value) { builder.add("a", relu(), {Value{}}); }, "a",
                            "does not exist"},
                    Mistake{"SliceTooFar",
                            [](GraphBuilder& builder, Value in) {
                              builder.add("a", relu(), {Value{in.producer, 2, 5}});
                            },
                            "a", "reads channels [2, 5) of 'in', which has 4"},
                    Mistake{"EmptySlice",
                            [](GraphBuilder& builder, Value in) {
                              builder.add("a", relu(), {Value{in.producer, 2, 2}});
                            },
                            "a", "[2, 2)"},
                    Mistake{"NegativeSlice",
                            [](GraphBuilder& builder, Value in) {
                              builder.add("a", relu(), {Value{in.producer, -1, 2}});
                            },
                            "a", "[-1, 2)"},
                    Mistake{"ShapeDoesNotFit", [](GraphBuilder& builder, Value in) { builder.add("a", Add{}, {in}); },
                            "a", "add: needs at least 2 inputs"},
                    Mistake{"InputAsOperator",
                            [](GraphBuilder& builder, Value) {
                              builder.add("a", Input{{1, 1, 1}}, {});
                            },
                            "a", "use input()"},
                    Mistake{"InputTooLarge",
                            [](GraphBuilder& builder, Value) {
                              builder.input("b", Shape{0, 1, 1});
                            },
                            "b", "outside 1.."},
                    Mistake{"ReadsInsideAUnit",
                            [](GraphBuilder& builder, Value in) {
                              builder.begin_unit("u");
                              const Value x = builder.add("x", relu(), {in});
                              builder.add("y", relu(), {x});
                              builder.end_unit();
                              builder.add("z", relu(), {x});
                            },
                            "z", "reads 'x' from the inside of unit 'u'"},
                    Mistake{"FoundByTheCaller",
                            [](GraphBuilder& builder, Value) {
                              builder.fail({message("odd"), "there", message("do that")});
                            },
                            "there", "there: odd (do that)"}),
    [](const auto& info) { return std::string(info.param.name); });

TEST(Builder, NeedsAnOperator) {
  GraphBuilder builder("nothing");
  builder.input("in", Shape{4, 2, 2});
  EXPECT_EQ(refused(std::move(builder).build()).text(), "nothing: the graph has no operators");
}

TEST(TestGraphs, AreWhatTheySay) {
  EXPECT_EQ(test::chain(5).units().size(), 5U);
  EXPECT_EQ(test::fork(6).outputs().size(), 6U);
  EXPECT_EQ(test::fork_join(3).outputs().size(), 1U);
  EXPECT_EQ(test::clique(5).predecessors(UnitId(4)).size(), 4U);
  EXPECT_EQ(test::sample().op(*test::sample().find_operator("concat")).output, (Shape{1875, 15, 15}));
  EXPECT_EQ(test::two_parts().parts().size(), 2U);
  EXPECT_EQ(test::describe(test::random_dag(3, 12)), test::describe(test::random_dag(3, 12)));
  EXPECT_NE(test::describe(test::random_dag(3, 12)), test::describe(test::random_dag(4, 12)));
}

Graph united(std::vector<Graph> graphs) {
  const auto pointers = mapped<const Graph*>(graphs, [](const Graph& graph) { return &graph; });
  return must(unite(pointers));
}

std::vector<std::string> names_of(const Graph& graph, const std::vector<UnitId>& units) {
  return mapped<std::string>(units, [&](const UnitId unit) { return graph.unit(unit).name; });
}

Graph named(const std::string& name, Graph graph) {
  auto [builder, in] = test::sketch(name, graph.op(graph.inputs().front()).output);
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
  auto [builder, in] = test::sketch("given", Shape{1, 2, 2});
  const Value number = builder.constant("number", Tensor({1, 1, 1}, {7}));
  Conv conv{.out_channels = 1};
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
  EXPECT_THAT(refused(unite(hundreds)).text(), AllOf(HasSubstr("300 networks"), HasSubstr("at most 16")));
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
