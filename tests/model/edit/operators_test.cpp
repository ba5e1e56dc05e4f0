#include "core/model/edit/operators.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/edit/connect.h"
#include "core/model/edit/operator_attributes.h"
#include "core/model/edit/units.h"
#include "core/model/graph/operator_table.h"
#include "models/networks/zoo.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::edit;
using test::key_of;

template <typename Kind>
Attributes usual(const std::optional<Shape>& input = {}) {
  return default_attributes(operator_table::kIndex<Kind>, input);
}

// Draws as a person does: every step an action on the history's graph.
class Drawing {
 public:
  explicit Drawing(EditableGraph graph) : history(std::move(graph)) {}

  OperatorKey add(Attributes attributes, const std::string& name) {
    const AddedOperator added = add_operator(history.graph(), std::move(attributes));
    edit(history, added.patch);
    edit(history, rename_operator(history.graph(), added.key, name));
    return added.key;
  }
  void join(OperatorKey from, OperatorKey to, std::size_t slot = 0) {
    edit(history, connect(history.graph(), check(history.graph()), {from, {}}, to, slot));
  }
  void change(OperatorKey key, Attributes attributes) {
    edit(history, set_attributes(history.graph(), key, std::move(attributes)));
  }

  EditHistory history;
};

TEST(Operators, TheSampleNetworkDrawnFromNothingIsTheZoos) {
  Drawing d{EditableGraph("sample")};
  const OperatorKey input = d.add(usual<Input>(), "input");
  d.change(input, Input{{375, 15, 15}});
  std::vector<OperatorKey> convs;
  for (const auto& [name, channels] : {std::pair{"a", 375}, {"b", 750}, {"c", 375}, {"d", 750}}) {
    const auto known = check(d.history.graph()).shape_of({input, {}});
    convs.push_back(d.add(usual<Conv>(known), fmt::format("sample.conv_{}", name)));
    Conv conv = std::get<Conv>(d.history.graph().op(convs.back()).attributes);
    if (channels == conv.out_channels) continue;
    conv.out_channels = channels;
    d.change(convs.back(), conv);
  }
  for (int i = 0; i < 3; ++i) d.join(input, convs[static_cast<std::size_t>(i)]);
  d.join(convs[0], convs[3]);
  const OperatorKey concat = d.add(usual<Concat>(), "sample.concat");
  d.join(convs[1], concat, 0);
  d.join(convs[2], concat, 1);
  d.join(convs[3], concat, 2);
  EXPECT_EQ(test::problems(d.history.graph()), "");
  test::expect_equal(test::built(d.history.graph()), build_sample());
  const std::string drawn = edit_to_text(d.history.graph());
  while (d.history.undo() != nullptr) {
  }
  EXPECT_EQ(edit_to_text(d.history.graph()), edit_to_text(EditableGraph("sample")));
  while (d.history.redo() != nullptr) {
  }
  EXPECT_EQ(edit_to_text(d.history.graph()), drawn);
}

TEST(Operators, WhatAnOperatorBeginsWithIsRightByItself) {
  for (std::size_t kind = 0; kind < std::variant_size_v<Attributes>; ++kind) {
    const Attributes attributes = default_attributes(kind);
    const auto right = check_attributes(attributes);
    EXPECT_TRUE(right) << kind_name(attributes) << ": " << right.error().what;
    EXPECT_EQ(attributes.index(), kind);
  }
}

TEST(Operators, WhatAnOperatorBeginsWithTakesWhatItWillRead) {
  for (const Shape& shape : {Shape{16, 7, 7}, Shape{16, 1, 1}, Shape{10, 32}, Shape{9}}) {
    for (std::size_t kind = 0; kind < std::variant_size_v<Attributes>; ++kind) {
      const Attributes attributes = default_attributes(kind, shape);
      const bool maps = std::holds_alternative<Conv>(attributes) || std::holds_alternative<ConvTranspose>(attributes) ||
                        std::holds_alternative<Pool>(attributes) || std::holds_alternative<Recurrent>(attributes);
      if (default_inputs(attributes) != 1 || (maps && shape.rank() != 3)) continue;
      EditHistory history{EditableGraph()};
      edit(history, add_operator(history.graph(), Input{shape}).patch);
      edit(history, add_operator(history.graph(), attributes).patch);
      const OperatorKey last = history.graph().operators()[1].first;
      edit(history,
           connect(history.graph(), check(history.graph()), {history.graph().operators()[0].first, {}}, last, 0));
      EXPECT_TRUE(check(history.graph()).valid(last)) << kind_name(attributes) << " of " << shape_text(shape);
    }
  }
}

TEST(Operators, NewOnesAreCalledAfterTheirKind) {
  EditHistory history{EditableGraph()};
  edit(history, add_operator(history.graph(), usual<Pool>()).patch);
  edit(history, add_operator(history.graph(), usual<Pool>(), CanvasPlace{1, 2}).patch);
  EXPECT_EQ(history.to_undo()->sentence.text(), "Add max_pool2");
  const EditOperator& second = history.graph().op(key_of(history.graph(), "max_pool2"));
  EXPECT_EQ(second.place, (CanvasPlace{1, 2}));
  EXPECT_EQ(history.graph().unit(second.unit).name, "max_pool2");
}

TEST(Operators, StandsOnAConnection) {
  EditHistory history(editable(test::chain(2)));
  const EditableGraph& graph = history.graph();
  const OperatorKey b = key_of(graph, "b");
  const auto shape = check(graph).shape_of(graph.op(b).inputs[0]);
  const auto added = must(insert_operator(graph, check(graph), usual<Affine>(shape), b, 0));
  edit(history, added.patch);
  EXPECT_EQ(history.to_undo()->sentence.text(), "Insert batch_norm1 between a and b");
  EXPECT_EQ(graph.op(b).inputs[0].producer, added.key);
  EXPECT_EQ(test::problems(graph), "");
  EXPECT_EQ(insert_operator(graph, check(graph), usual<Input>(), b, 0).error().text(),
            "input has no inputs, so it cannot be inserted into a connection");
  EXPECT_EQ(insert_operator(graph, check(graph), Transpose{{0, 1}}, b, 0).error().text(),
            "'transpose1' (transpose) does not accept 8x16x16: permutes 2 axes, but its input has 8x16x16");
}

TEST(Operators, GoWithAndWithoutHealing) {
  const EditableGraph chain = editable(test::chain(4));
  const std::vector middle{key_of(chain, "b"), key_of(chain, "c")};
  EditHistory history(chain);
  edit(history, remove_operators(chain, middle, Healing::kNone));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Remove 2 operators");
  EXPECT_EQ(test::problems(history.graph()), "'d' (conv) has no inputs yet\n");
  EXPECT_EQ(history.graph().units().size(), 2U);
  history.undo();
  edit(history, remove_operators(history.graph(), middle, Healing::kHeal));
  EXPECT_EQ(test::problems(history.graph()), "");
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "d")).inputs[0].producer, key_of(history.graph(), "a"));
  history.undo();
  EXPECT_EQ(edit_to_text(history.graph()), edit_to_text(chain));
}

TEST(Operators, HealingKeepsChannelsOfChannels) {
  EditableGraph chain = editable(test::chain(3));
  const auto slice = [&](std::string_view name, ChannelRange channels) {
    EditOperator op = chain.op(key_of(chain, name));
    op.inputs[0].channels = channels;
    chain.set(key_of(chain, name), op);
  };
  slice("b", {2, 8});
  slice("c", {1, 4});
  const OperatorKey b = key_of(chain, "b");
  EditHistory history(chain);
  edit(history, remove_operators(chain, std::span(&b, 1), Healing::kHeal));
  EXPECT_EQ(history.graph().op(key_of(chain, "c")).inputs[0], (EditInput{key_of(chain, "a"), ChannelRange{3, 6}}));
}

TEST(Operators, ASumLosesWhatCannotBeHealed) {
  auto [builder, x] = test::sketch("sum", {1, 2, 2}, "x");
  const Value y = builder.input("y", {1, 2, 2});
  const Value z = builder.input("z", {1, 2, 2});
  builder.add("sum", Add{}, {x, y, z});
  const EditableGraph drawn = editable(*std::move(builder).build());
  const std::vector gone{key_of(drawn, "x"), key_of(drawn, "z")};
  EditHistory history(drawn);
  edit(history, remove_operators(drawn, gone, Healing::kHeal));
  EXPECT_EQ(test::problems(history.graph()), "nothing is connected to input 2 of 2 of 'sum' (add)\n");
}

TEST(Operators, NamesAreNobodyElses) {
  EditHistory history(editable(test::clique(3)));
  const EditableGraph& graph = history.graph();
  const OperatorKey a = key_of(graph, "a");
  EXPECT_EQ(rename_operator(graph, a, "b").error().text(), "another operator is called 'b'");
  EXPECT_EQ(rename_operator(graph, a, "").error().text(), "a name cannot be empty");
  EXPECT_EQ(rename_operator(graph, a, std::string(300, 'x')).error().text(), "a name has at most 256 bytes");
  edit(history, rename_operator(graph, a, "stem"));
  EXPECT_EQ(graph.unit(graph.op(a).unit).name, "stem");
  // 'c' is a unit of two operators: its last keeps the unit's name, the first cannot have it.
  EXPECT_EQ(rename_operator(graph, key_of(graph, "c.add1"), "c").error().text(), "another operator is called 'c'");
  edit(history, rename_operator(graph, key_of(graph, "c"), "end"));
  EXPECT_EQ(graph.unit(test::unit_of(graph, "end")).name, "end");
  EXPECT_EQ(test::problems(graph), "");
}

TEST(Operators, AttributesThatAreWrongWhateverIsReadAreRefused) {
  const EditableGraph chain = editable(test::chain(2));
  const OperatorKey a = key_of(chain, "a");
  const Conv conv = std::get<Conv>(chain.op(a).attributes);
  const auto refusal = [&](const auto& change) {
    Conv changed = conv;
    change(changed);
    const auto patch = set_attributes(chain, a, changed);
    return patch ? "" : patch.error().text();
  };
  EXPECT_EQ(refusal([](Conv& c) { c.kernel = {0, 3}; }), "'a' (conv): Kernel [0, 3] must lie in 1..16777216");
  EXPECT_EQ(refusal([](Conv& c) { c.groups = 3; }),
            "'a' (grouped conv): groups 3 must divide the 3 input and the 8 output channels");
  EXPECT_EQ(refusal([](Conv& c) { c.stride = {0, 0}; }), "'a' (conv): Stride [0, 0] must lie in 1..16777216");
  // What only does not fit what is read now can be set, and is a problem.
  EXPECT_EQ(refusal([](Conv& c) { c.kernel = {99, 99}; }), "");
  EXPECT_EQ(set_attributes(chain, a, Add{}).error().text(), "'a' has the kind conv, which cannot change");
}

TEST(Operators, EveryNumberOutOfRangeIsAnErrorAndNothingElse) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 53;
  Conv conv;
  conv.out_channels = conv.groups = kHuge;
  conv.kernel = conv.dilation = {kHuge, -kHuge};
  EXPECT_FALSE(check_attributes(conv));
  ConvTranspose transposed{.out_channels = 8};
  transposed.padding = transposed.end_padding = {kHuge, kHuge};
  EXPECT_FALSE(check_attributes(transposed));
  EXPECT_FALSE(check_attributes(Slice{{kHuge, -kHuge}, {kHuge, -kHuge}, Shape{2, 2}}));
  EXPECT_FALSE(check_attributes(Pad{PadMode::kReflect, {kHuge}, {-kHuge}}));
  EXPECT_FALSE(check_attributes(TopK{kHuge, 20}));
  EXPECT_FALSE(check_attributes(Softmax{100}));
  EXPECT_FALSE(check_attributes(Transpose{{0, 0}}));
  EXPECT_FALSE(check_attributes(Transpose{std::vector<std::size_t>(20, 0)}));
  EXPECT_TRUE(check_attributes(Pad{PadMode::kReflect, {3}, {-2}}));
  EXPECT_TRUE(check_attributes(Slice{{5, 0}, {-2, 1}, Shape{3, 4}}));
  EXPECT_TRUE(check_attributes(TopK{5, 2}));
}

TEST(Operators, ABiasComesAndGoes) {
  EditHistory history(editable(test::chain(1)));
  const OperatorKey a = key_of(history.graph(), "a");
  edit(history, set_biased(history.graph(), a, false));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Remove the bias of a");
  EXPECT_FALSE(test::built(history.graph()).parameters()->has_bias(OperatorId(1)));
}

TEST(Arrange, PlacesAndAlignsCentres) {
  EditHistory history(editable(test::chain(3)));
  const EditableGraph& graph = history.graph();
  const std::vector<PlacedOperator> placed{
      {key_of(graph, "a"), {0, 10}}, {key_of(graph, "b"), {40, 20}}, {key_of(graph, "c"), {10, 30}}};
  const auto xs = [&](Alignment alignment) {
    EditableGraph aligned = graph;
    apply(aligned, align(graph, placed, alignment));
    std::vector<double> made;
    for (const PlacedOperator& each : placed) {
      const CanvasPlace at = *aligned.op(each.key).place;
      made.push_back(alignment <= Alignment::kRight ? at.x : at.y);
    }
    return made;
  };
  EXPECT_THAT(xs(Alignment::kLeft), Each(0));
  EXPECT_THAT(xs(Alignment::kCentre), Each(20));
  EXPECT_THAT(xs(Alignment::kRight), Each(40));
  EXPECT_THAT(xs(Alignment::kTop), Each(10));
  EXPECT_THAT(xs(Alignment::kMiddle), Each(20));
  EXPECT_THAT(xs(Alignment::kBottom), Each(30));
  edit(history, place_operators(graph, std::span(placed).first(1)));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Move a");
  EXPECT_EQ(graph.op(placed[0].key).place, (CanvasPlace{0, 10}));
  const std::vector keys{placed[0].key};
  edit(history, release_places(graph, keys));
  EXPECT_FALSE(graph.op(placed[0].key).place);
}

using test::key_of;

std::string refusal(const EditableGraph& graph, std::string_view from, std::string_view to, std::size_t slot = 0,
                    std::optional<ChannelRange> channels = {}) {
  const EditInput input{key_of(graph, from), channels};
  const auto may = may_connect(graph, check(graph), input, key_of(graph, to), slot);
  const auto done = connect(graph, check(graph), input, key_of(graph, to), slot);
  EXPECT_EQ(may.has_value(), done.has_value());
  return may ? "" : may.error().text();
}

TEST(Connect, RefusesACircleAndNamesTheWay) {
  const EditableGraph chain = editable(test::chain(4));
  EXPECT_EQ(refusal(chain, "d", "b"), "that would make a cycle: 'b' → 'c' → 'd' → 'b'");
  EXPECT_EQ(refusal(chain, "b", "b"), "'b' cannot read itself");
  const EditableGraph longer = editable(test::chain(20));
  EXPECT_EQ(refusal(longer, "t", "a"), "that would make a cycle: 'a' → 'b' → 'c' → … 15 more … → 's' → 't' → 'a'");
}

TEST(Connect, RefusesShapesThatTheOperatorDoesNotTake) {
  EditHistory history(editable(test::chain(2)));
  test::edit(history, add_operator(history.graph(), Add{}).patch);
  Pool pool;
  pool.kernel = pool.stride = {2, 2};
  const auto pooled =
      must(insert_operator(history.graph(), check(history.graph()), pool, key_of(history.graph(), "b"), 0));
  test::edit(history, pooled.patch);
  EXPECT_EQ(refusal(history.graph(), "a", "add1"), "");
  test::edit(history, connect(history.graph(), check(history.graph()), {key_of(history.graph(), "a"), {}},
                              key_of(history.graph(), "add1"), 0));
  EXPECT_EQ(refusal(history.graph(), "b", "add1", 1),
            "'add1' (add) does not accept 8x8x8: inputs have different shapes, 8x16x16 and 8x8x8");
  EXPECT_EQ(refusal(history.graph(), "in", "add1", 1), "");
}

TEST(Connect, RefusesSlotsThatAreNotThere) {
  const EditableGraph diamond = editable(test::diamond());
  EXPECT_EQ(refusal(diamond, "in", "c", 1), "'c' (conv) has no input 2; it accepts 1");
  EXPECT_EQ(refusal(diamond, "in", "d", 3), "'d' (add) has no input 4; it now has 2");
  EXPECT_EQ(refusal(diamond, "in", "d", 2), "");
  EXPECT_EQ(refusal(diamond, "a", "in"), "'in' (input) has no inputs");
}

TEST(Connect, RefusesChannelsThatAreNotThere) {
  const EditableGraph diamond = editable(test::diamond());
  EXPECT_EQ(refusal(diamond, "a", "d", 0, ChannelRange{4, 9}), "'a' has 8 channels, not 4 to 9");
  EXPECT_EQ(refusal(diamond, "a", "c", 0, ChannelRange{4, 8}), "");
}

TEST(Connect, ConnectsAndDisconnects) {
  EditHistory history(editable(test::diamond()));
  const OperatorKey c = key_of(history.graph(), "c");
  const OperatorKey b = key_of(history.graph(), "b");
  test::edit(history, connect(history.graph(), check(history.graph()), {b, {}}, c, 0));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Connect b to c");
  EXPECT_EQ(history.graph().op(c).inputs[0].producer, b);
  test::edit(history, disconnect(history.graph(), c, 0));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Disconnect c from b");
  EXPECT_EQ(test::problems(history.graph()), "'c' (conv) has no inputs yet\n");
  EXPECT_EQ(disconnect(history.graph(), c, 0).error().text(), "nothing is connected to input 1 of 'c'");
}

TEST(Connect, TheSameConnectionAgainIsNoEdit) {
  EditHistory history(editable(test::diamond()));
  const EditableGraph& graph = history.graph();
  const auto patch = must(connect(graph, check(graph), {key_of(graph, "a"), {}}, key_of(graph, "b"), 0));
  EXPECT_TRUE(patch.empty());
  EXPECT_FALSE(history.push(patch));
  EXPECT_EQ(history.to_undo(), nullptr);
}

TEST(Connect, ANewProducerMovesToTheEarlierPartThatReadsIt) {
  EditHistory history(editable(test::two_parts()));
  test::edit(history, add_operator(history.graph(), Identity{}).patch);
  const OperatorKey added = key_of(history.graph(), "identity1");
  const PartKey first = history.graph().parts()[0].key;
  EXPECT_NE(history.graph().unit(history.graph().op(added).unit).part, first);
  test::edit(history, connect(history.graph(), check(history.graph()), {key_of(history.graph(), "in"), {}}, added, 0));
  test::edit(history, connect(history.graph(), check(history.graph()), {added, {}}, key_of(history.graph(), "b"), 0));
  EXPECT_EQ(history.graph().unit(history.graph().op(added).unit).part, first);
  EXPECT_EQ(test::problems(history.graph()), "");
}

TEST(Connect, InputsOfASumComeGoAndMove) {
  EditHistory history(editable(test::fork_join(2)));
  const OperatorKey concat = key_of(history.graph(), "d");
  const OperatorKey b = key_of(history.graph(), "b");
  const OperatorKey c = key_of(history.graph(), "c");
  test::edit(history, move_input(history.graph(), concat, 1, 0));
  EXPECT_EQ(history.graph().op(concat).inputs[0].producer, c);
  EXPECT_EQ(history.graph().op(concat).inputs[1].producer, b);
  test::edit(history, add_input(history.graph(), concat));
  EXPECT_EQ(test::problems(history.graph()), "nothing is connected to input 3 of 3 of 'd' (concat)\n");
  test::edit(history, remove_input(history.graph(), concat, 2));
  test::edit(history, remove_input(history.graph(), concat, 1));
  EXPECT_EQ(test::problems(history.graph()), "");
  EXPECT_EQ(remove_input(history.graph(), concat, 0).error().text(), "'d' (concat) needs at least 1 input(s)");
  EXPECT_EQ(add_input(history.graph(), b).error().text(), "'b' (conv) needs exactly 1 input(s)");
}

using test::edit;
using test::key_of;

Result<Patch> group(const EditableGraph& graph, std::initializer_list<std::string_view> names, std::string name = {}) {
  const auto keys = mapped<OperatorKey>(names, [&](const std::string_view each) { return key_of(graph, each); });
  return group_operators(graph, check(graph), keys, std::move(name));
}

TEST(Units, OperatorsBecomeOneAndManyAgain) {
  EditHistory history(editable(test::chain(4)));
  const std::string before = edit_to_text(history.graph());
  edit(history, group(history.graph(), {"b", "c"}, "middle"));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Group 2 operators as middle");
  const Graph graph = test::built(history.graph());
  ASSERT_EQ(graph.units().size(), 3U);
  EXPECT_EQ(graph.units()[1].name, "middle");
  EXPECT_EQ(graph.units()[1].operators.size(), 2U);
  edit(history, split_unit(history.graph(), test::unit_of(history.graph(), "b")));
  test::expect_equal(test::built(history.graph()), test::chain(4));
  EXPECT_EQ(split_unit(history.graph(), test::unit_of(history.graph(), "b")).error().text(),
            "'b' is one operator and cannot be split");
  history.undo();
  history.undo();
  EXPECT_EQ(edit_to_text(history.graph()), before);
}

TEST(Units, SayWhyOperatorsCannotBeOne) {
  const EditableGraph diamond = editable(test::diamond());
  EXPECT_EQ(group(diamond, {"in", "a"}).error().text(), "'in' (input) is not computed, so it belongs to no unit");
  EXPECT_EQ(group(diamond, {"a"}).error().text(), "a single operator is already a unit; choose several operators");
  EXPECT_EQ(group(diamond, {"a", "b"}).error().text(),
            "unit 'unit1' is read at 'a' and at 'b'; only its last operator can be read outside it");
  EXPECT_EQ(group(diamond, {"b", "c"}).error().text(),
            "unit 'unit1' is read at 'b' and at 'c'; only its last operator can be read outside it");
  EXPECT_EQ(group(diamond, {"a", "d"}).error().text(),
            "unit 'unit1' is not connected: nothing in it connects 'a' and 'd'");
  EXPECT_EQ(group(diamond, {"b", "d"}, "a").error().text(), "another unit is called 'a'");
  EXPECT_EQ(group(diamond, {"b", "d"}, "in").error().text(), "an operator is called 'in'");
  EXPECT_TRUE(group(diamond, {"b", "d"}));
  EXPECT_TRUE(group(diamond, {"a", "b", "c", "d"}));
}

TEST(Units, ATornUnitIsRefused) {
  EditHistory history(editable(test::chain(4)));
  edit(history, group(history.graph(), {"a", "b", "c"}, "first"));
  // Without b, which goes to d, a and c would not hang together.
  EXPECT_THAT(group(history.graph(), {"b", "d"}).error().text(), HasSubstr("only its last operator"));
}

TEST(Units, AreNamed) {
  EditHistory history(editable(test::clique(3)));
  const UnitKey c = test::unit_of(history.graph(), "c");
  EXPECT_EQ(rename_unit(history.graph(), c, "a").error().text(), "another unit is called 'a'");
  EXPECT_EQ(rename_unit(history.graph(), c, "in").error().text(), "an operator is called 'in'");
  edit(history, rename_unit(history.graph(), c, "tail"));
  EXPECT_EQ(history.graph().unit(c).name, "tail");
  EXPECT_EQ(test::problems(history.graph()), "");
}

TEST(Parts, BeginBeforeAUnitAndJoinAgain) {
  EditHistory history(editable(test::chain(5)));
  const EditableGraph& graph = history.graph();
  edit(history, declare_part(graph, check(graph), test::unit_of(graph, "c"), "second"));
  edit(history, declare_part(graph, check(graph), test::unit_of(graph, "e"), "third"));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Begin part third with e");
  EXPECT_THAT(test::part_sizes(test::built(graph)), ElementsAre(2, 2, 1));
  EXPECT_EQ(declare_part(graph, check(graph), test::unit_of(graph, "c"), "again").error().text(),
            "part 'second' begins with 'c' already");
  const PartKey second = graph.parts()[1].key;
  EXPECT_EQ(join_part(graph, graph.parts()[0].key).error().text(),
            "part 'chain' is the first, so there is no part before it to join");
  edit(history, join_part(graph, second));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Join parts chain and second");
  EXPECT_THAT(test::part_sizes(test::built(graph)), ElementsAre(4, 1));
  history.undo();
  EXPECT_EQ(graph.parts()[1].key, second);
  edit(history, rename_part(graph, second, "middle"));
  EXPECT_EQ(test::built(graph).parts()[1].name, "middle");
  EXPECT_EQ(test::problems(graph), "");
}

TEST(Parts, ASinglePartIsRenamedWithItsGraph) {
  EditHistory history{EditableGraph("drawing")};
  edit(history, rename_graph(history.graph(), "network"));
  EXPECT_EQ(history.graph().name(), "network");
  EXPECT_EQ(history.graph().parts()[0].name, "network");
  EXPECT_EQ(rename_graph(history.graph(), "").error().text(), "a name cannot be empty");
}

}  // namespace

}  // namespace iosx
