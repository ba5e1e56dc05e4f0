#include "core/model/edit/check.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "core/formats/wire/edit_text.h"
#include "core/model/edit/convert.h"
#include "core/model/graph/builder.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::key_of;
using test::problems;

// Changes one operator in place.
void change(EditableGraph& graph, std::string_view name, const auto& f) {
  const OperatorKey key = key_of(graph, name);
  EditOperator op = graph.op(key);
  f(op);
  graph.set(key, std::move(op));
}

// in → a → {b, c} → d, a sum.
EditableGraph drawn_diamond() { return editable(test::diamond()); }

TEST(Check, FindsNothingWrongWithAGraph) {
  const EditableGraph drawn = drawn_diamond();
  const GraphCheck found = check(drawn);
  EXPECT_TRUE(found.problems.empty());
  EXPECT_EQ(found.order.size(), drawn.operators().size());
  EXPECT_EQ(*found.shapes.find(key_of(drawn, "d")), (Shape{8, 16, 16}));
  EXPECT_EQ(found.units.size(), 4U);
}

TEST(Check, AnOpenInputSpoilsOnlyWhatDependsOnIt) {
  EditableGraph drawn = drawn_diamond();
  change(drawn, "b", [](EditOperator& op) { op.inputs[0] = {}; });
  EXPECT_EQ(problems(drawn), "'b' (conv) has no inputs yet\n");
  const GraphCheck found = check(drawn);
  EXPECT_EQ(found.problems[0].kind, ProblemKind::kOpenInput);
  EXPECT_EQ(found.problems[0].operators, std::vector{key_of(drawn, "b")});
  EXPECT_EQ(found.problems[0].slot, 0U);
  EXPECT_TRUE(found.valid(key_of(drawn, "c")));
  EXPECT_FALSE(found.valid(key_of(drawn, "d")));
}

TEST(Check, NamesTheInputThatIsOpenAmongSeveral) {
  EditableGraph drawn = drawn_diamond();
  change(drawn, "d", [](EditOperator& op) { op.inputs[1] = {}; });
  EXPECT_EQ(problems(drawn), "nothing is connected to input 2 of 2 of 'd' (add)\n");
}

TEST(Check, CountsInputs) {
  EditableGraph drawn = drawn_diamond();
  change(drawn, "d", [](EditOperator& op) { op.inputs.pop_back(); });
  change(drawn, "a", [](EditOperator& op) { op.inputs.push_back(op.inputs[0]); });
  EXPECT_EQ(problems(drawn),
            "'a' (conv) has inputs: 2; it accepts at most 1\n'd' (add) has inputs: 1; it needs at least 2\n");
}

TEST(Check, SaysWhatAnOperatorDoesNotTake) {
  EditableGraph drawn = drawn_diamond();
  change(drawn, "b", [](EditOperator& op) { std::get<Conv>(op.attributes).out_channels = 4; });
  EXPECT_EQ(problems(drawn),
            "'d' (add): inputs have different shapes, 4x16x16 and 8x16x16; it reads 'b' 4x16x16, 'c' 8x16x16\n");
  change(drawn, "b", [](EditOperator& op) { std::get<Conv>(op.attributes).groups = 3; });
  EXPECT_EQ(problems(drawn),
            "'b' (grouped conv): groups 3 must divide the 8 input and the 4 output channels; it reads 'a' 8x16x16\n");
}

TEST(Check, SaysWhichChannelsAreNotThere) {
  EditableGraph drawn = drawn_diamond();
  change(drawn, "b", [](EditOperator& op) { op.inputs[0].channels = {4, 12}; });
  EXPECT_EQ(problems(drawn), "'b' reads channels 4 to 12 of 'a', which has 8 channels\n");
  EXPECT_EQ(check(drawn).problems[0].kind, ProblemKind::kSlice);
}

TEST(Check, NamesACircle) {
  EditableGraph drawn = editable(test::chain(4));
  change(drawn, "b", [&](EditOperator& op) { op.inputs[0].producer = key_of(drawn, "c"); });
  EXPECT_EQ(problems(drawn), "'b' → 'c' → 'b' is a cycle; an operator cannot read its own result\n");
  const GraphCheck found = check(drawn);
  EXPECT_EQ(found.problems[0].operators, (std::vector{key_of(drawn, "b"), key_of(drawn, "c")}));
  EXPECT_EQ(found.order, (std::vector{key_of(drawn, "in"), key_of(drawn, "a")}));
  EXPECT_EQ(test::built(drawn).units().size(), 1U);
}

TEST(Check, NamesEveryCircleOnce) {
  EditableGraph drawn = editable(test::chain(4));
  change(drawn, "a", [&](EditOperator& op) { op.inputs[0].producer = key_of(drawn, "a"); });
  change(drawn, "c", [&](EditOperator& op) { op.inputs[0].producer = key_of(drawn, "d"); });
  EXPECT_EQ(problems(drawn),
            "'a' → 'a' is a cycle; an operator cannot read its own result\n'c' → 'd' → 'c' is a cycle; an operator "
            "cannot read its own result\n");
}

TEST(Check, NamesAreUsedOnce) {
  EditableGraph drawn = editable(test::chain(3));
  change(drawn, "b", [](EditOperator& op) { op.name.clear(); });
  change(drawn, "c", [](EditOperator& op) { op.name = "a"; });
  EXPECT_EQ(problems(drawn), "an operator (conv) has no name\nthe name 'a' is used twice\n");
  EXPECT_EQ(test::built(drawn).units().size(), 3U);
}

TEST(Check, AUnitIsCalledAsNoOtherOperator) {
  EditableGraph drawn = editable(test::chain(3));
  drawn.set(test::unit_of(drawn, "b"), EditUnit{"a", "", drawn.parts()[0].key});
  EXPECT_EQ(problems(drawn), "two units are called 'a'\n");
  drawn.set(test::unit_of(drawn, "a"), EditUnit{"in", "", drawn.parts()[0].key});
  drawn.set(test::unit_of(drawn, "b"), EditUnit{"", "", drawn.parts()[0].key});
  EXPECT_EQ(problems(drawn),
            "a unit has the name 'in' of an operator that is not its last one\nthe unit of 'b' has no name\n");
  EXPECT_EQ(test::built(drawn).units().size(), 3U);
}

// Puts operators into the unit of the first, which is called "FIRST+".
void unite(EditableGraph& graph, std::initializer_list<std::string_view> names) {
  const UnitKey unit = test::unit_of(graph, *names.begin());
  graph.set(unit, EditUnit{std::string(*names.begin()) + "+", "", graph.unit(unit).part});
  for (const std::string_view name : names) {
    const UnitKey left = test::unit_of(graph, name);
    change(graph, name, [&](EditOperator& op) { op.unit = unit; });
    if (left != unit) graph.remove(left);
  }
}

TEST(Check, AUnitThatIsReadInsideIsTakenApart) {
  EditableGraph drawn = drawn_diamond();
  unite(drawn, {"a", "b"});
  EXPECT_EQ(problems(drawn), "unit 'a+' is read at 'a' and at 'b'; only its last operator can be read outside it\n");
  const auto made = to_graph(drawn, check(drawn));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->graph.units().size(), 4U);
  EXPECT_EQ(made->taken_apart, std::vector{test::unit_of(drawn, "a")});
  EXPECT_FALSE(made->units.contains(test::unit_of(drawn, "a")));
}

TEST(Check, AUnitThatIsReadBeforeItsEndIsTakenApart) {
  EditableGraph drawn = editable(test::chain(3));
  unite(drawn, {"a", "b"});
  change(drawn, "c", [&](EditOperator& op) { op.inputs[0].producer = key_of(drawn, "a"); });
  EXPECT_EQ(
      problems(drawn),
      "unit 'a+' is read at 'a', which is inside it, before 'b'; only its last operator can be read outside it\n");
}

TEST(Check, WhatIsReadOutsideAUnitComesLastInIt) {
  // In the unit: a → {b, c}. c has the higher key, b is read.
  EditableGraph drawn = editable(test::fork_join(2));
  unite(drawn, {"a", "b", "c"});
  change(drawn, "d", [&](EditOperator& op) { op.inputs = {op.inputs[0], op.inputs[0]}; });
  EXPECT_EQ(problems(drawn), "");
  const Graph graph = test::built(drawn);
  EXPECT_EQ(graph.op(graph.units()[0].output()).name, "b");
}

TEST(Check, AUnitHangsTogether) {
  EditableGraph drawn = editable(test::fork(3));
  unite(drawn, {"a", "c"});
  EXPECT_EQ(problems(drawn), "unit 'a+' is not connected: nothing in it connects 'a' and 'c'\n");
  EXPECT_EQ(test::built(drawn).units().size(), 2U);
}

TEST(Check, UnitsThatReadOneAnotherAreTakenApart) {
  // in → a → d, in → c → b. Of {a, b} a is read, by d; of {c, d} c is, by b: each unit reads the other.
  GraphBuilder builder("crossed");
  Conv conv;
  conv.out_channels = 8;
  const Value in = builder.input("in", Shape{8, 4, 4});
  const Value a = builder.add("a", conv, {in});
  const Value c = builder.add("c", conv, {in});
  builder.add("b", conv, {c});
  builder.add("d", conv, {a});
  EditableGraph drawn = editable(*std::move(builder).build());
  unite(drawn, {"a", "b"});
  unite(drawn, {"c", "d"});
  EXPECT_EQ(problems(drawn),
            "unit 'a+' is not connected: nothing in it connects 'a' and 'b'\nunit 'c+' is not connected: nothing in it "
            "connects 'c' and 'd'\nunit 'a+' reads another unit and is read by it: nothing in the unit reads 'b'; make "
            "it a separate unit\nunit 'c+' reads another unit and is read by it: nothing in the unit reads 'd'; make "
            "it a separate unit\n");
  EXPECT_EQ(test::built(drawn).units().size(), 4U);
}

TEST(Check, AUnitThatReadsALaterPartRunsThere) {
  EditableGraph drawn = editable(test::two_parts());
  drawn.set(test::unit_of(drawn, "b"), EditUnit{"b", "", drawn.parts()[1].key});
  EXPECT_EQ(problems(drawn), "");
  drawn.set(test::unit_of(drawn, "c"), EditUnit{"c", "", drawn.parts()[0].key});
  const std::string& first = drawn.parts()[0].name;
  const std::string& second = drawn.parts()[1].name;
  EXPECT_EQ(problems(drawn),
            fmt::format("unit 'c' of part '{}' reads 'b', which runs in the later part '{}', so it also runs there\n",
                        first, second));
  EXPECT_THAT(test::part_sizes(test::built(drawn)), testing::ElementsAre(1, 3));
}

}  // namespace
}  // namespace iosx
