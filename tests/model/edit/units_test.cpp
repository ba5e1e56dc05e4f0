#include "core/model/edit/units.h"

#include <gmock/gmock.h>

#include "core/formats/wire/edit_text.h"
#include "core/model/edit/operators.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::edit;
using test::key_of;

Result<Patch> group(const EditableGraph& graph, std::initializer_list<std::string_view> names, std::string name = {}) {
  std::vector<OperatorKey> keys;
  for (const std::string_view each : names) keys.push_back(key_of(graph, each));
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
  EXPECT_THAT(group(history.graph(), {"b", "d"}).error().text(), testing::HasSubstr("only its last operator"));
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
  EXPECT_THAT(test::part_sizes(test::built(graph)), testing::ElementsAre(2, 2, 1));
  EXPECT_EQ(declare_part(graph, check(graph), test::unit_of(graph, "c"), "again").error().text(),
            "part 'second' begins with 'c' already");
  const PartKey second = graph.parts()[1].key;
  EXPECT_EQ(join_part(graph, graph.parts()[0].key).error().text(),
            "part 'chain' is the first, so there is no part before it to join");
  edit(history, join_part(graph, second));
  EXPECT_EQ(history.to_undo()->sentence.text(), "Join parts chain and second");
  EXPECT_THAT(test::part_sizes(test::built(graph)), testing::ElementsAre(4, 1));
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
