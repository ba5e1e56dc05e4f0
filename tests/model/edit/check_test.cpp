#include "core/model/edit/check.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/edit/connect.h"
#include "core/model/edit/operator_attributes.h"
#include "core/model/edit/operators.h"
#include "core/model/edit/units.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

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
  const auto made = must(to_graph(drawn, check(drawn)));
  EXPECT_EQ(made.graph.units().size(), 4U);
  EXPECT_EQ(made.taken_apart, std::vector{test::unit_of(drawn, "a")});
  EXPECT_FALSE(made.units.contains(test::unit_of(drawn, "a")));
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

TEST(Check, AWholeUnitIsReadAnywhereAndNeedNotHangTogether) {
  EditableGraph drawn = editable(test::whole_unit());
  EXPECT_EQ(problems(drawn), "");
  EXPECT_EQ(test::describe(test::built(drawn)), test::describe(test::whole_unit()));
  EXPECT_TRUE(test::built(drawn).unit(UnitId(0)).whole);
  // Unless what reads it is read by it.
  change(drawn, "b", [&](EditOperator& op) { op.inputs[0].producer = key_of(drawn, "c"); });
  EXPECT_EQ(problems(drawn),
            "unit 'u' reads another unit and is read by it: nothing in the unit reads 'a'; make it a separate unit\n");
  EXPECT_EQ(test::built(drawn).units().size(), 3U);
  change(drawn, "b", [&](EditOperator& op) {
    op.attributes = Add{};
    op.inputs.push_back({key_of(drawn, "a"), {}});
  });
  EXPECT_EQ(problems(drawn), "unit 'u' reads another unit and is read by it\n");
}

// "e+" reads u, which is whole, and u reads it. In "e+" nothing reads d, so that this one is to change.
TEST(Check, AWholeUnitStaysWhereAnotherClosesTheCircle) {
  auto [builder, in] = test::sketch("circle", Shape{8, 4, 4});
  const Conv conv{.out_channels = 8};
  const Value e = builder.add("e", conv, {in});
  builder.begin_unit("u", {}, true);
  const Value a = builder.add("a", conv, {in});
  builder.add("b", Add{}, {a, e});
  builder.end_unit();
  builder.add("d", conv, {a});
  EditableGraph drawn = editable(*std::move(builder).build());
  unite(drawn, {"e", "d"});
  EXPECT_THAT(problems(drawn), HasSubstr("unit 'e+' reads another unit and is read by it: nothing in the unit reads"));
  EXPECT_THAT(problems(drawn), Not(HasSubstr("unit 'u'")));
  EXPECT_TRUE(test::built(drawn).unit(*test::built(drawn).find_unit("u")).whole);
}

TEST(Check, AUnitHangsTogether) {
  EditableGraph drawn = editable(test::fork(3));
  unite(drawn, {"a", "c"});
  EXPECT_EQ(problems(drawn), "unit 'a+' is not connected: nothing in it connects 'a' and 'c'\n");
  EXPECT_EQ(test::built(drawn).units().size(), 2U);
}

TEST(Check, UnitsThatReadOneAnotherAreTakenApart) {
  // in → a → d, in → c → b. Of {a, b} a is read, by d; of {c, d} c is, by b: each unit reads the other.
  auto [builder, in] = test::sketch("crossed", Shape{8, 4, 4});
  Conv conv{.out_channels = 8};
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
  EXPECT_THAT(test::part_sizes(test::built(drawn)), ElementsAre(1, 3));
}

// Ten thousand random edits with undo and redo.

constexpr int kEdits = test::kSanitized ? 2'000 : 10'000;
constexpr std::size_t kMostOperators = 60;

// Does at random what a person may do, sensible or not. The same on every platform.
class Walk {
 public:
  explicit Walk(EditableGraph graph) : history(std::move(graph), kEdits) {}

  // True if the graph changed.
  bool step() {
    const std::size_t choice = pick(20);
    if (choice < 3) return history.undo() != nullptr;
    if (choice < 5) return history.redo() != nullptr;
    const bool full = history.graph().operators().size() > kMostOperators;
    if (full || history.graph().operators().empty()) return push(full ? remove() : add());
    switch (choice) {
      case 5: return push(add());
      case 6: return push(remove());
      case 7: return push(insert());
      case 8: return push(disconnect(graph(), any(), pick(2)));
      case 9: return push(rename_operator(graph(), any(), fmt::format("n{}", pick(200))));
      case 10: return push(group());
      case 11: return push(units());
      case 12: return push(parts());
      case 13: return push(place());
      case 14: return push(duplicate(graph(), some(), {5, 5}).patch);
      case 15: return push(paste());
      case 16: return push(attributes());
      case 17: return push(inputs());
      default: return push(join());
    }
  }

  EditHistory history;

 private:
  const EditableGraph& graph() const { return history.graph(); }
  std::size_t pick(std::size_t n) { return random_() % n; }
  OperatorKey any() { return graph().operators()[pick(graph().operators().size())].first; }
  UnitKey any_unit() { return graph().units()[pick(graph().units().size())].first; }
  std::vector<OperatorKey> some() {
    const std::size_t first = pick(graph().operators().size());
    std::vector<OperatorKey> keys;
    for (std::size_t i = first; i < std::min(graph().operators().size(), first + 1 + pick(3)); ++i) {
      keys.push_back(graph().operators()[i].first);
    }
    return keys;
  }
  Attributes kind() {
    if (pick(5) == 0) return Input{{8, 16, 16}};
    return default_attributes(pick(std::variant_size_v<Attributes>), Shape{8, 16, 16});
  }

  bool push(Result<Patch> patch) {
    if (!patch) {
      EXPECT_FALSE(patch.error().what.empty());
      return false;
    }
    return history.push(*std::move(patch), pick(4) == 0 ? 1 : 0);
  }
  Patch add() {
    return add_operator(graph(), kind(), pick(2) == 0 ? std::optional(CanvasPlace{1, 2}) : std::nullopt).patch;
  }
  Patch remove() { return remove_operators(graph(), some(), pick(2) == 0 ? Healing::kHeal : Healing::kNone); }
  Result<Patch> insert() {
    auto added = insert_operator(graph(), check(graph()), kind(), any(), 0);
    if (!added) return tl::unexpected(added.error());
    return added->patch;
  }
  Result<Patch> join() {
    const GraphCheck found = check(graph());
    if (pick(2) == 0 && !found.shapes.empty()) {  // to something that is open
      for (const Problem& problem : found.problems) {
        if (problem.kind != ProblemKind::kOpenInput || pick(3) != 0) continue;
        const OperatorKey producer = found.shapes[pick(found.shapes.size())].first;
        return connect(graph(), found, {producer, {}}, problem.operators.front(), *problem.slot);
      }
    }
    EditInput from{any(), {}};
    if (pick(5) == 0) from.channels = {static_cast<std::int64_t>(pick(4)), 4 + static_cast<std::int64_t>(pick(8))};
    return connect(graph(), found, from, any(), pick(3));
  }
  Result<Patch> group() { return group_operators(graph(), check(graph()), some()); }
  Result<Patch> units() {
    if (graph().units().empty()) return fail(message("no units"));
    if (pick(2) == 0) return split_unit(graph(), any_unit());
    return rename_unit(graph(), any_unit(), fmt::format("n{}", pick(200)));
  }
  Result<Patch> parts() {
    if (graph().units().empty()) return fail(message("no units"));
    if (pick(2) == 0) return declare_part(graph(), check(graph()), any_unit(), fmt::format("p{}", pick(9)));
    return join_part(graph(), graph().parts()[pick(graph().parts().size())].key);
  }
  Patch place() {
    const PlacedOperator placed{any(), {static_cast<double>(pick(100)) / 8, 1}};
    return place_operators(graph(), std::span(&placed, 1));
  }
  Result<Patch> paste() {
    const auto fragment = fragment_from_text(fragment_to_text(fragment_of(graph(), some())), "clipboard");
    if (!fragment) return tl::unexpected(fragment.error());
    return insert_fragment(graph(), *fragment, {.outside = pick(2) == 0 ? OutsideSlots::kByName : OutsideSlots::kOpen})
        .patch;
  }
  Result<Patch> attributes() {
    const OperatorKey key = any();
    Attributes changed = graph().op(key).attributes;
    if (auto* const conv = std::get_if<Conv>(&changed)) {
      conv->kernel.height = static_cast<std::int64_t>(pick(6));
    } else {
      changed = default_attributes(changed.index(), Shape{4, 8, 8});
    }
    return set_attributes(graph(), key, std::move(changed));
  }
  Result<Patch> inputs() {
    const OperatorKey key = any();
    switch (pick(3)) {
      case 0: return add_input(graph(), key);
      case 1: return remove_input(graph(), key, pick(3));
      default: return move_input(graph(), key, pick(3), pick(3));
    }
  }

  std::mt19937 random_{14};
};

TEST(RandomWalk, UndoingEverythingGivesTheSameBytes) {
  const EditableGraph first = editable(test::random_dag(3, 20));
  const std::string start = edit_to_text(first);
  Walk walk(first);
  int changed = 0;
  int looked_at = 0;
  int built = 0;
  for (int i = 0; i < kEdits; ++i) {
    if (!walk.step()) continue;
    if (++changed % test::every(4) != 0) continue;
    ++looked_at;
    const std::string text = edit_to_text(walk.history.graph());
    const auto read = must(edit_from_text(text, "step"));
    ASSERT_EQ(edit_to_text(read), text) << "at edit " << i;
    const GraphCheck found = check(walk.history.graph());
    const auto made = to_graph(walk.history.graph(), found);
    ASSERT_TRUE(made || found.shapes.empty() || made.error().what == "no operator can be computed yet")
        << made.error().text();
    if (!made) continue;
    ++built;
    ASSERT_EQ(made->operators.size() + made->left_out.size(), walk.history.graph().operators().size());
    ASSERT_EQ(made->operators.size(), made->graph.operators().size());
  }
  EXPECT_GT(changed, kEdits / 2);
  EXPECT_GT(built, looked_at / 2);
  const std::string end = edit_to_text(walk.history.graph());
  std::size_t undone = 0;
  for (; walk.history.undo() != nullptr; ++undone) {
  }
  EXPECT_GT(undone, 100U);
  EXPECT_EQ(edit_to_text(walk.history.graph()), start);
  for (std::size_t i = 0; i < undone; ++i) ASSERT_NE(walk.history.redo(), nullptr);
  EXPECT_EQ(edit_to_text(walk.history.graph()), end);
}

}  // namespace

}  // namespace iosx
