#include "core/model/graph/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Activate relu() { return Activate{Activation::kRelu}; }

std::vector<std::size_t> indices(std::span<const UnitId> units) {
  std::vector<std::size_t> list;
  for (const UnitId unit : units) list.push_back(unit.index());
  return list;
}

TEST(Builder, ConnectsUnits) {
  const Graph graph = test::diamond();
  ASSERT_EQ(graph.units().size(), 4U);
  EXPECT_THAT(indices(graph.successors(UnitId(0))), ElementsAre(1, 2));
  EXPECT_THAT(indices(graph.predecessors(UnitId(3))), ElementsAre(1, 2));
  EXPECT_THAT(indices(graph.outputs()), ElementsAre(3));
  ASSERT_EQ(graph.inputs().size(), 1U);
  EXPECT_EQ(graph.consumers(graph.inputs().front()).size(), 1U);
  EXPECT_EQ(graph.find_unit("c"), UnitId(2));
  EXPECT_EQ(graph.find_unit("in"), std::nullopt);
  EXPECT_EQ(graph.find_operator("in"), graph.inputs().front());
}

TEST(Builder, KeepsOneEdgeForSeveralReads) {
  GraphBuilder builder("twice");
  const Value in = builder.input("in", Shape{4, 2, 2});
  const Value a = builder.add("a", relu(), {in});
  builder.add("b", Add{}, {a, a});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_THAT(indices(graph->successors(UnitId(0))), ElementsAre(1));
  EXPECT_EQ(graph->consumers(a.producer).size(), 1U);
}

TEST(Builder, LeavesOutABiasWhereThereMayBeOne) {
  GraphBuilder builder("biases");
  const Value in = builder.input("in", Shape{4});
  const Value made_up = builder.add("made up", Linear{2}, {in});
  const Value given = builder.add("given", Linear{2}, {in});
  builder.set_parameters(given, Tensor({2, 4}, std::vector<float>(8, 1)), Tensor({2}, {3, 0}));
  const Value without = builder.add("without", Linear{2}, {in});
  builder.set_parameters(without, Tensor({2, 4}, std::vector<float>(8, 1)));
  GraphBuilder wrong = builder;
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  const Parameters& parameters = *graph->parameters();
  EXPECT_TRUE(parameters.has_bias(made_up.producer));
  EXPECT_TRUE(parameters.has_bias(given.producer));
  EXPECT_FALSE(parameters.has_bias(without.producer));
  EXPECT_FALSE(parameters.has_bias(in.producer));
  const Parameters others = parameters.synthetic(ParameterInit::kIntegers);
  EXPECT_TRUE(others.has_bias(given.producer));
  EXPECT_FALSE(others.has_bias(without.producer));
  const Tensor zeros = others.bias(without.producer);
  EXPECT_THAT(zeros.elements(), ElementsAre(0, 0));

  wrong.leave_out_bias(wrong.add("sum", Add{}, {made_up, given}));
  const auto refused = std::move(wrong).build();
  ASSERT_FALSE(refused.has_value());
  EXPECT_THAT(refused.error().text(), HasSubstr("has no bias"));
}

TEST(Builder, NumbersUnnamedOperators) {
  GraphBuilder builder("numbers");
  const Value in = builder.input("1", Shape{4, 2, 2});
  const Value a = builder.add("", relu(), {in});
  builder.add("", relu(), {a});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(graph->units()[0].name, "2");
  EXPECT_EQ(graph->units()[1].name, "3");
}

TEST(Builder, FindsAUnitsOutputByItsName) {
  GraphBuilder builder("unit");
  const Value in = builder.input("in", Shape{4, 2, 2});
  builder.begin_unit("u", "hint");
  const Value inner = builder.add("x", relu(), {in});
  builder.add("y", relu(), {inner});
  builder.end_unit();
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(graph->op(*graph->find_operator("u")).name, "y");
  EXPECT_EQ(graph->op(*graph->find_operator("x")).name, "x");
  EXPECT_EQ(graph->units()[0].hint, "hint");
}

TEST(Builder, DropsEmptyParts) {
  GraphBuilder builder("parts");
  Value last = builder.input("in", Shape{4, 2, 2});
  builder.begin_part("empty");
  builder.begin_part("first");
  last = builder.add("a", relu(), {last});
  builder.begin_part("second");
  builder.add("b", relu(), {last});
  builder.begin_part("also empty");
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  ASSERT_EQ(graph->parts().size(), 2U);
  EXPECT_EQ(graph->parts()[0].name, "first");
  EXPECT_THAT(indices(graph->parts()[1].units), ElementsAre(1));
  EXPECT_EQ(graph->unit(UnitId(1)).part, PartId(1));
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
  GraphBuilder builder("mistake");
  const Value in = builder.input("in", Shape{4, 2, 2});
  GetParam().make(builder, in);
  const Value after = builder.add("after", relu(), {in});  // harmless after a mistake
  builder.shape(after);
  const auto graph = std::move(builder).build();
  ASSERT_FALSE(graph.has_value());
  EXPECT_EQ(graph.error().where, GetParam().where);
  EXPECT_THAT(graph.error().text(), HasSubstr(GetParam().says));
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
  const auto graph = std::move(builder).build();
  ASSERT_FALSE(graph.has_value());
  EXPECT_EQ(graph.error().text(), "nothing: the graph has no operators");
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

}  // namespace
}  // namespace iosx
