#include "core/model/edit/fragment.h"

#include <gmock/gmock.h>

#include <iterator>

#include "core/formats/wire/edit_text.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::edit;
using test::key_of;

std::vector<OperatorKey> keys_of(const EditableGraph& graph, std::initializer_list<std::string_view> names) {
  std::vector<OperatorKey> keys;
  for (const std::string_view name : names) keys.push_back(key_of(graph, name));
  return keys;
}

TEST(Fragment, CopiesReadWhatTheOriginalsRead) {
  EditHistory history(editable(test::diamond()));
  const auto copies = duplicate(history.graph(), keys_of(history.graph(), {"b", "d"}), {10, 20});
  edit(history, copies.patch);
  const EditableGraph& graph = history.graph();
  ASSERT_EQ(copies.operators.size(), 2U);
  const EditOperator& b = graph.op(copies.operators[0]);
  const EditOperator& d = graph.op(copies.operators[1]);
  EXPECT_EQ(b.name, "b_1");
  EXPECT_EQ(graph.unit(b.unit).name, "b_1");
  EXPECT_EQ(b.inputs[0].producer, key_of(graph, "a"));
  EXPECT_EQ(d.inputs[0].producer, copies.operators[0]);
  EXPECT_EQ(d.inputs[1].producer, key_of(graph, "c"));
  EXPECT_EQ(test::problems(graph), "");
}

TEST(Fragment, CopiesStandBesideTheOriginals) {
  EditableGraph graph = editable(test::chain(1));
  EditOperator a = graph.op(key_of(graph, "a"));
  a.place = CanvasPlace{1, 2};
  graph.set(key_of(graph, "a"), a);
  const auto copies = duplicate(graph, keys_of(graph, {"a"}), {10, 20});
  EXPECT_EQ(copies.patch.sentence.text(), "Duplicate as a_1");
  apply(graph, copies.patch);
  EXPECT_EQ(graph.op(copies.operators[0]).place, (CanvasPlace{11, 22}));
}

TEST(Fragment, CopiesCountOnWhereTheirNameCounts) {
  const auto copy_of = [](const std::string& name) {
    EditHistory history(editable(test::chain(1)));
    edit(history, rename_operator(history.graph(), key_of(history.graph(), "a"), name));
    const auto first = duplicate(history.graph(), keys_of(history.graph(), {name.c_str()}), {});
    edit(history, first.patch);
    const std::string made = history.graph().op(first.operators[0]).name;
    edit(history, duplicate(history.graph(), first.operators, {}).patch);
    return made + " " + std::prev(history.graph().operators().end())->second->name;
  };
  EXPECT_EQ(copy_of("conv1"), "conv2 conv3");
  EXPECT_EQ(copy_of("pool"), "pool_1 pool_2");
  EXPECT_EQ(copy_of("branch1x1"), "branch1x1_1 branch1x1_2");  // a size is no number
  EXPECT_EQ(copy_of("branch1x1_4"), "branch1x1_1 branch1x1_2");
  EXPECT_EQ(copy_of("max2"), "max1 max3");
  EXPECT_EQ(copy_of("7"), "7_1 7_2");
}

TEST(Fragment, UnitsComeAlong) {
  EditHistory history(editable(test::clique(3)));
  const auto copies = duplicate(history.graph(), keys_of(history.graph(), {"c.add1", "c"}), {});
  edit(history, copies.patch);
  const Graph graph = test::built(history.graph());
  ASSERT_EQ(graph.units().size(), 4U);
  EXPECT_EQ(graph.units()[3].name, "c_1");
  EXPECT_EQ(graph.units()[3].operators.size(), 2U);
  EXPECT_EQ(graph.op(graph.units()[3].output()).name, "c_1");
  EXPECT_EQ(test::problems(history.graph()), "");
}

TEST(Fragment, GoesOverTextIntoAnotherGraph) {
  const EditableGraph diamond = editable(test::diamond());
  const std::string text = fragment_to_text(fragment_of(diamond, keys_of(diamond, {"b", "c", "d"})));
  const auto fragment = fragment_from_text(text, "clipboard");
  ASSERT_TRUE(fragment) << fragment.error().text();
  EXPECT_EQ(fragment_to_text(*fragment), text);

  EditHistory history(editable(test::chain(1)));
  edit(history, insert_fragment(history.graph(), *fragment).patch);
  EXPECT_EQ(history.to_undo()->sentence.text(), "Insert diamond");
  EXPECT_EQ(test::problems(history.graph()), "'b' (conv) has no inputs yet\n'c' (conv) has no inputs yet\n");
  history.undo();
  edit(history, insert_fragment(history.graph(), *fragment, {.outside = OutsideSlots::kByName}).patch);
  EXPECT_EQ(test::problems(history.graph()), "");
  EXPECT_EQ(test::built(history.graph()).units().size(), 4U);
  history.undo();
  // Where there is no operator of that name the slot stays open.
  EditHistory other{EditableGraph()};
  edit(other, insert_fragment(other.graph(), *fragment, {.outside = OutsideSlots::kByName}).patch);
  EXPECT_EQ(test::problems(other.graph()), "'b' (conv) has no inputs yet\n'c' (conv) has no inputs yet\n");
}

TEST(Fragment, KeepsChannelsOfWhatItReadOutside) {
  EditableGraph chain = editable(test::chain(2));
  EditOperator b = chain.op(key_of(chain, "b"));
  b.inputs[0].channels = {2, 6};
  chain.set(key_of(chain, "b"), b);
  const auto fragment = fragment_from_text(fragment_to_text(fragment_of(chain, keys_of(chain, {"b"}))), "clipboard");
  ASSERT_TRUE(fragment);
  EditHistory history(editable(test::chain(1)));
  const auto inserted = insert_fragment(history.graph(), *fragment, {.outside = OutsideSlots::kByName});
  edit(history, inserted.patch);
  EXPECT_EQ(history.graph().op(inserted.operators[0]).inputs[0],
            (EditInput{key_of(history.graph(), "a"), ChannelRange{2, 6}}));
}

TEST(Fragment, IsFedByOneOperator) {
  const EditableGraph diamond = editable(test::diamond());
  const Fragment fragment = fragment_of(diamond, keys_of(diamond, {"b", "c", "d"}));
  EditHistory history(editable(test::chain(1)));
  edit(history,
       insert_fragment(history.graph(), fragment, {.feed = EditInput{key_of(history.graph(), "a"), {}}}).patch);
  EXPECT_EQ(test::problems(history.graph()), "");
}

TEST(Fragment, OfATextOfAWholeGraphIsTheGraph) {
  const EditableGraph diamond = editable(test::diamond());
  const auto fragment = fragment_from_text(edit_to_text(diamond), "file");
  ASSERT_TRUE(fragment);
  EditHistory history{EditableGraph("diamond")};
  edit(history, insert_fragment(history.graph(), *fragment).patch);
  test::expect_equal(test::built(history.graph()), test::diamond());
}

}  // namespace
}  // namespace iosx
