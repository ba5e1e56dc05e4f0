#include "core/model/edit/connect.h"

#include <gmock/gmock.h>

#include "core/model/edit/operators.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

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
  const auto pooled = insert_operator(history.graph(), check(history.graph()), pool, key_of(history.graph(), "b"), 0);
  ASSERT_TRUE(pooled);
  test::edit(history, pooled->patch);
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
  const auto patch = connect(graph, check(graph), {key_of(graph, "a"), {}}, key_of(graph, "b"), 0);
  ASSERT_TRUE(patch);
  EXPECT_TRUE(patch->empty());
  EXPECT_FALSE(history.push(*patch));
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

}  // namespace
}  // namespace iosx
