#include "core/model/edit/drawn_graph.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/edit/connect.h"
#include "core/model/edit/operators.h"
#include "core/model/edit/units.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::key_of;

std::shared_ptr<const Graph> shared(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

Patch cut_off(const DrawnGraph& drawn, const char* name) {
  return disconnect(drawn.graph(), key_of(drawn.graph(), name), 0).value();
}

TEST(DrawnGraph, SaysNoMoreThanItsGraphUntilItIsEdited) {
  const auto graph = shared(test::chain(3));
  DrawnGraph drawn(graph);
  EXPECT_TRUE(drawn.as_it_began());
  EXPECT_EQ(drawn.built(), graph);
  EXPECT_TRUE(drawn.computes());
  ASSERT_TRUE(drawn.push(rename_operator(drawn.graph(), key_of(drawn.graph(), "b"), "x").value()));
  EXPECT_FALSE(drawn.as_it_began());
  EXPECT_EQ(drawn.built(), graph) << "nobody built it anew";
  ASSERT_NE(drawn.undo(), nullptr);
  EXPECT_TRUE(drawn.as_it_began());
  EXPECT_FALSE(DrawnGraph(editable(*graph)).as_it_began()) << "that one is nobody's drawing";
}

TEST(DrawnGraph, TheCheckIsAlwaysOfTheDrawingAsItIs) {
  DrawnGraph drawn(shared(test::chain(3)));
  const OperatorKey c = key_of(drawn.graph(), "c");
  ASSERT_TRUE(drawn.push(cut_off(drawn, "c")));
  EXPECT_FALSE(drawn.check().valid(c));
  drawn.undo();
  EXPECT_TRUE(drawn.check().valid(c));
  drawn.redo();
  EXPECT_FALSE(drawn.check().valid(c));
  EXPECT_EQ(drawn.redo(), nullptr);
}

TEST(DrawnGraph, WhatCannotBeComputedIsLeftOut) {
  DrawnGraph drawn(shared(test::chain(3)));
  drawn.push(cut_off(drawn, "c"));
  ASSERT_TRUE(drawn.build());
  EXPECT_EQ(drawn.left_out(), 1U);
  EXPECT_EQ(drawn.built()->units().size(), 2U);
  EXPECT_THAT(drawn.units_of(std::vector{key_of(drawn.graph(), "c")}), IsEmpty());
}

TEST(DrawnGraph, WhereNothingCanBeBuiltStaysWhatWasBefore) {
  DrawnGraph drawn(shared(test::chain(1)));
  ASSERT_TRUE(drawn.build());
  const auto before = drawn.built();
  std::vector<OperatorKey> all;
  for (const auto& [key, op] : drawn.graph().operators()) all.push_back(key);
  drawn.push(remove_operators(drawn.graph(), all, Healing::kNone));
  EXPECT_FALSE(drawn.build());
  EXPECT_FALSE(drawn.computes());
  EXPECT_EQ(drawn.built(), before);
  drawn.undo();
  EXPECT_TRUE(drawn.build());
  EXPECT_TRUE(drawn.computes());
}

TEST(DrawnGraph, SelectionsGoBothWays) {
  DrawnGraph drawn(shared(test::clique(3)));
  const OperatorKey b = key_of(drawn.graph(), "b");
  const OperatorKey c = key_of(drawn.graph(), "c");
  const std::vector<UnitId> units = drawn.units_of(std::vector{c, b, b});
  ASSERT_EQ(units.size(), 2U);
  EXPECT_EQ(drawn.built()->unit(units[0]).name, "b");
  EXPECT_EQ(drawn.built()->unit(units[1]).name, "c");
  EXPECT_THAT(drawn.operators_of(std::vector{units[0]}), ElementsAre(b));
  EXPECT_EQ(drawn.operators_of(std::vector{units[1]}).size(), 2U) << "the sum before c is of its unit";
  drawn.push(remove_operators(drawn.graph(), std::vector{b}, Healing::kNone));
  EXPECT_THAT(drawn.operators_of(std::vector{units[0]}), IsEmpty()) << "it is not there any more";
}

TEST(DrawnGraph, AKeptDrawingHasTheWeightsOfItsNetwork) {
  const auto graph = shared(test::chain(2));
  EditableGraph heavy = editable(*graph);
  const OperatorKey a = key_of(heavy, "a");
  EditOperator op = heavy.op(a);
  op.weights = Tensor({8, 8, 3, 3}, std::vector<float>(8 * 8 * 3 * 3, 0.5F));
  heavy.set(a, op);
  const auto network = shared(test::built(heavy));

  DrawnGraph kept(editable(*graph));  // a project has no room for weights
  ASSERT_TRUE(kept.build());
  kept.adopt(network, true);
  EXPECT_EQ(kept.built(), network);
  EXPECT_FALSE(kept.graph().op(a).weights.empty());
  EXPECT_TRUE(kept.graph().op(key_of(kept.graph(), "b")).weights.empty());
  EXPECT_EQ(kept.to_undo(), nullptr);

  DrawnGraph other(editable(*graph));
  other.build();
  other.adopt(network, false);
  EXPECT_FALSE(other.computes());
  EXPECT_TRUE(other.graph().op(a).weights.empty());
  EXPECT_THAT(other.units_of(std::vector{a}), IsEmpty());
}

TEST(DrawnGraph, TakesOverAttributesOfAChangedGraph) {
  DrawnGraph drawn(shared(test::chain(2)));
  EditableGraph wide = drawn.graph();
  const OperatorKey a = key_of(wide, "a");
  Conv conv = std::get<Conv>(wide.op(a).attributes);
  conv.kernel = {5, 5};
  conv.padding = {2, 2};
  apply(wide, set_attributes(wide, a, conv).value());
  const Patch patch = drawn.with_attributes(test::built(wide), message("Change {}", "a"));
  ASSERT_EQ(patch.operators.size(), 1U);
  ASSERT_TRUE(drawn.push(patch));
  EXPECT_EQ(drawn.graph().op(a).attributes, Attributes(conv));
  EXPECT_TRUE(drawn.with_attributes(test::built(wide), message("Change {}", "a")).empty());
}

TEST(EditSteps, AMoveIsToldFromOtherEdits) {
  const EditableGraph graph = editable(test::chain(2));
  const PlacedOperator placed{key_of(graph, "a"), {3, 4}};
  EXPECT_TRUE(only_moves(place_operators(graph, std::span(&placed, 1))));
  EXPECT_FALSE(only_moves(rename_operator(graph, key_of(graph, "a"), "x").value()));
  EXPECT_FALSE(only_moves(remove_operators(graph, std::vector{key_of(graph, "b")}, Healing::kNone)));
  EXPECT_FALSE(only_moves(rename_graph(graph, "other").value()));
}

TEST(EditSteps, WhoNamesNoSlotMeansTheFirstThatTakesIt) {
  EditableGraph graph = editable(test::chain(3));
  const OperatorKey a = key_of(graph, "a");
  const OperatorKey c = key_of(graph, "c");
  EXPECT_EQ(slot_for(graph, a, c), 0U) << "a convolution has one";
  const AddedOperator sum = add_operator(graph, Add{});
  apply(graph, sum.patch);
  EXPECT_EQ(slot_for(graph, a, sum.key), 0U) << "open";
  apply(graph, connect(graph, check(graph), {a, {}}, sum.key, 0).value());
  EXPECT_EQ(slot_for(graph, c, sum.key), 1U) << "open";
  apply(graph, connect(graph, check(graph), {c, {}}, sum.key, 1).value());
  EXPECT_EQ(slot_for(graph, c, sum.key), 2U) << "a new one";
}

TEST(EditSteps, ANewOperatorReadsWhatItMay) {
  const EditableGraph graph = editable(test::fork(3));
  const std::vector sources{key_of(graph, "a"), key_of(graph, "b"), key_of(graph, "c")};
  const AddedOperator sum = add_reader(graph, Add{}, sources);
  EditableGraph after = graph;
  apply(after, sum.patch);
  ASSERT_EQ(after.op(sum.key).inputs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(after.op(sum.key).inputs[i].producer, sources[i]);
  Pool pool;
  pool.kernel = pool.stride = {2, 2};
  const AddedOperator pooled = add_reader(graph, pool, sources);
  after = graph;
  apply(after, pooled.patch);
  ASSERT_EQ(after.op(pooled.key).inputs.size(), 1U) << "it takes one";
  EXPECT_EQ(after.op(pooled.key).inputs[0].producer, sources[0]);
  EXPECT_EQ(pooled.patch.sentence.text(), add_operator(graph, pool).patch.sentence.text()) << "one step";
}

using test::key_of;

Patch move_a(const EditableGraph& graph, double x) {
  const PlacedOperator placed{key_of(graph, "a"), {x, 0}};
  return place_operators(graph, std::span(&placed, 1));
}

TEST(History, OneGestureIsOneStep) {
  EditHistory history(editable(test::chain(2)));
  const std::string before = edit_to_text(history.graph());
  for (int x = 1; x <= 10; ++x) history.push(move_a(history.graph(), x), 7);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{10, 0}));
  history.push(move_a(history.graph(), 11), 8);
  ASSERT_NE(history.undo(), nullptr);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{10, 0}));
  ASSERT_NE(history.undo(), nullptr);
  EXPECT_EQ(edit_to_text(history.graph()), before);
  EXPECT_EQ(history.undo(), nullptr);
  ASSERT_NE(history.redo(), nullptr);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{10, 0}));
}

TEST(History, AGestureThatComesBackIsNoStep) {
  EditHistory history(editable(test::chain(2)));
  history.push(move_a(history.graph(), 5), 1);
  history.push(move_a(history.graph(), 6), 2);
  history.push(move_a(history.graph(), 5), 2);
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{5, 0}));
  history.undo();
  EXPECT_EQ(history.to_undo(), nullptr);
}

TEST(History, WhatIsNoGestureStaysApart) {
  EditHistory history(editable(test::chain(2)));
  history.push(move_a(history.graph(), 1));
  history.push(move_a(history.graph(), 2));
  history.undo();
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{1, 0}));
}

TEST(History, KnowsWhatIsSaved) {
  EditHistory history(editable(test::chain(2)));
  EXPECT_TRUE(history.clean());
  history.push(move_a(history.graph(), 1), 1);
  EXPECT_FALSE(history.clean());
  history.mark_clean();
  history.push(move_a(history.graph(), 2), 1);  // the same gesture, but what is saved lies between
  EXPECT_FALSE(history.clean());
  history.undo();
  EXPECT_TRUE(history.clean());
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{1, 0}));
  history.undo();
  EXPECT_FALSE(history.clean());
  history.push(move_a(history.graph(), 3));  // what was saved cannot be reached any more
  EXPECT_FALSE(history.clean());
  history.undo();
  EXPECT_FALSE(history.clean());
}

TEST(History, NothingDoneCostsNoRedo) {
  EditHistory history(editable(test::chain(2)));
  history.push(move_a(history.graph(), 1));
  history.undo();
  EXPECT_FALSE(history.push(Patch{}));
  EXPECT_NE(history.to_redo(), nullptr);
}

TEST(History, ForgetsTheOldestSteps) {
  EditHistory history(editable(test::chain(2)), 3);
  for (int x = 1; x <= 5; ++x) history.push(move_a(history.graph(), x));
  while (history.undo() != nullptr) {
  }
  EXPECT_EQ(history.graph().op(key_of(history.graph(), "a")).place, (CanvasPlace{2, 0}));
  EXPECT_FALSE(history.clean());
}

TEST(History, KeysAreNeverUsedAgain) {
  EditHistory history{EditableGraph()};
  const AddedOperator first = add_operator(history.graph(), Identity{});
  history.push(first.patch);
  history.undo();
  EXPECT_NE(add_operator(history.graph(), Identity{}).key, first.key);
}

}  // namespace

}  // namespace iosx
