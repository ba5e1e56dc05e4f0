#include "core/model/edit/convert.h"
#include "core/formats/wire/graph_wire.h"
#include "core/model/graph/networks.h"
#include "core/search/prepare.h"
#include "models/networks/zoo.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

// From a graph and back, also over the text.
void expect_round_trip(const Graph& graph) {
  const EditableGraph drawn = editable(graph);
  EXPECT_EQ(test::problems(drawn), "");
  test::expect_equal(test::built(drawn), graph);
  const std::string text = edit_to_text(drawn);
  const auto read = must(edit_from_text(text, "test"));
  EXPECT_EQ(edit_to_text(read), text);
  test::expect_equal(test::built(read), graph);
}

class ZooRoundTrip : public testing::TestWithParam<ZooNetwork> {};

TEST_P(ZooRoundTrip, GivesAnEqualGraph) { expect_round_trip(GetParam().build()); }

INSTANTIATE_TEST_SUITE_P(Zoo, ZooRoundTrip, testing::ValuesIn(zoo().begin(), zoo().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Convert, KeepsRandomGraphsWithSlices) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) expect_round_trip(test::random_dag(seed, 30));
}

TEST(Convert, KeepsWeightsBiasesAndValues) {
  auto [b, in] = test::sketch("weighted", Shape{2, 4, 4});
  const Value number = b.constant("number", Tensor({}, {0.5F}));
  Conv conv{.out_channels = 1};
  const Value given = b.add("given", conv, {in});
  b.set_parameters(given, Tensor({1, 2, 1, 1}, {1, 2}), Tensor({1}, {3}));
  const Value unbiased = b.add("unbiased", conv, {in});
  b.set_parameters(unbiased, Tensor({1, 2, 1, 1}, {4, 5}));
  const Value made_up = b.add("made_up", conv, {in});
  b.leave_out_bias(made_up);
  b.add("sum", Add{}, {given, unbiased, made_up, number});
  const auto graph = must(std::move(b).build());
  expect_round_trip(graph);
}

TEST(Convert, KeepsPartsThatAreCutOff) {
  const Graph chain = test::chain(9);
  PartitionOptions options{.max_part_size = 4};
  auto parts = partition(chain, options);
  for (Part& part : parts) part.continued = true;
  expect_round_trip(chain.with_parts(parts));
}

// a → b → c, all of one unit each, and a second input that nobody reads yet.
EditableGraph drawn_chain() { return editable(test::chain(3)); }

TEST(Convert, LeavesOutWhatIsNotSoundAndBuildsTheRest) {
  EditableGraph drawn = drawn_chain();
  const OperatorKey b = test::key_of(drawn, "b");
  EditOperator open = drawn.op(b);
  open.inputs[0] = {};
  drawn.set(b, open);
  const auto made = must(to_graph(drawn, check(drawn)));
  EXPECT_EQ(made.graph.units().size(), 1U);
  EXPECT_EQ(made.graph.units()[0].name, "a");
  EXPECT_THAT(made.left_out, ElementsAre(b, test::key_of(drawn, "c")));
  EXPECT_EQ(*made.operators.find(test::key_of(drawn, "a")), OperatorId(1));
  EXPECT_EQ(*made.units.find(test::unit_of(drawn, "a")), UnitId(0));
  EXPECT_FALSE(made.operators.contains(b));
}

TEST(Convert, SaysWhenNothingIsLeft) {
  const EditableGraph nothing("drawing");
  EXPECT_THAT(refused(to_graph(nothing, check(nothing))).text(), HasSubstr("no operator can be computed yet"));
}

TEST(Convert, NamesThatAreTakenBecomeOthers) {
  EditableGraph drawn = drawn_chain();
  const OperatorKey c = test::key_of(drawn, "c");
  EditOperator twin = drawn.op(c);
  twin.name = "a";
  drawn.set(c, twin);
  EXPECT_EQ(test::problems(drawn), "the name 'a' is used twice\n");
  const Graph graph = test::built(drawn);
  EXPECT_EQ(graph.operators().size(), 4U);
  EXPECT_EQ(graph.op(OperatorId(3)).name, "a_1");
}

TEST(Convert, WeightsThatDoNotFitAreMadeUpAndKept) {
  auto [builder, in] = test::sketch("weighted", Shape{2, 4, 4});
  Conv conv{.out_channels = 1};
  const Value value = builder.add("conv", conv, {in});
  builder.set_parameters(value, Tensor({1, 2, 1, 1}, {1, 2}), Tensor({1}, {3}));
  EditableGraph drawn = editable(*std::move(builder).build());
  const OperatorKey key = test::key_of(drawn, "conv");
  EditOperator wider = drawn.op(key);
  std::get<Conv>(wider.attributes).out_channels = 2;
  drawn.set(key, wider);
  EXPECT_EQ(test::problems(drawn),
            "the weights given to 'conv' do not fit its current sizes; made-up weights are used instead\n");
  EXPECT_TRUE(test::built(drawn).parameters()->given_weights(OperatorId(1)).empty());
  std::get<Conv>(wider.attributes).out_channels = 1;
  drawn.set(key, wider);
  EXPECT_FALSE(test::built(drawn).parameters()->given_weights(OperatorId(1)).empty());
}

TEST(Convert, ABiasBesideGivenWeightsIsZeros) {
  auto [builder, in] = test::sketch("weighted", Shape{2, 4, 4});
  Conv conv{.out_channels = 1};
  builder.set_parameters(builder.add("conv", conv, {in}), Tensor({1, 2, 1, 1}, {1, 2}));
  EditableGraph drawn = editable(*std::move(builder).build());
  const OperatorKey key = test::key_of(drawn, "conv");
  EditOperator biased = drawn.op(key);
  EXPECT_FALSE(biased.biased);
  biased.biased = true;
  drawn.set(key, biased);
  const Graph graph = test::built(drawn);
  EXPECT_TRUE(graph.parameters()->has_bias(OperatorId(1)));
  EXPECT_EQ(graph.parameters()->bias(OperatorId(1)).elements().front(), 0.0F);
}

TEST(Convert, KeepsSeveralNetworks) {
  const Graph graph = test::diamond();
  const Graph both = *unite(std::array{&graph, &graph});
  expect_round_trip(both);
  const EditableGraph drawn = *edit_from_text(edit_to_text(editable(both)), "test");
  const Graph built = test::built(drawn);
  EXPECT_THAT(built.networks(), testing::ElementsAreArray(both.networks()));
  for (std::size_t i = 0; i < both.operators().size(); ++i) {
    const OperatorId id(i);
    EXPECT_EQ(built.op(id).network, both.op(id).network);
    EXPECT_TRUE(
        std::ranges::equal(built.parameters()->weights(id).elements(), both.parameters()->weights(id).elements()));
  }
}

// What is drawn anew belongs to the network that it reads.
TEST(Convert, GivesNewOperatorsANetwork) {
  const Graph graph = test::chain(2);
  const Graph both = *unite(std::array{&graph, &graph});
  EditableGraph drawn = editable(both);
  const std::string read = both.networks()[1] + "/b";
  const UnitKey unit = drawn.add(EditUnit{"new", {}, drawn.parts().front().key});
  EditOperator op{
      .name = "new", .attributes = Activate{Activation::kRelu}, .inputs = {{*drawn.find_operator(read), {}}}};
  op.unit = unit;
  drawn.add(op);
  const Graph built = test::built(drawn);
  EXPECT_EQ(built.network(*built.find_unit("new")), built.network(*built.find_unit(read)));
  EXPECT_TRUE(has_independent_networks(built));
}

using Json = nlohmann::json;

// What reading says of the chain's text after a change.
std::string refusal(const auto& change) {
  Json json = Json::parse(edit_to_text(editable(test::chain(2))));
  change(json["content"]);
  const auto read = edit_from_text(json.dump(), "x.json");
  return read ? "" : read.error().text();
}

TEST(EditText, PlacesAreThoseOfTheList) {
  EditableGraph graph = editable(test::chain(3));
  const std::string before = edit_to_text(graph);
  const OperatorKey key = graph.add(EditOperator{.name = "x", .attributes = Input{{1, 1, 1}}, .inputs = {}});
  graph.remove(key);
  graph.add(graph.op(test::key_of(graph, "a")));
  EXPECT_NE(edit_to_text(graph), before);
  const auto read = must(edit_from_text(edit_to_text(graph), "x.json"));
  EXPECT_EQ(edit_to_text(read), edit_to_text(graph));
}

TEST(EditText, KeepsWhatIsNotFinished) {
  EditableGraph graph("drawing");
  graph.set_name("a \"name\" \xff");
  const PartKey part = graph.parts()[0].key;
  EditOperator open{.name = "", .attributes = Conv{}, .inputs = {EditInput{}}};
  open.unit = graph.add(EditUnit{"", "hint", part});
  open.place = CanvasPlace{0.1, -7};
  graph.add(open);
  EditOperator looped{.name = "loop", .attributes = Identity{}, .inputs = {}};
  looped.unit = graph.add(EditUnit{"loop", "", part});
  const OperatorKey loop = graph.add(looped);
  looped.inputs = {EditInput{loop, ChannelRange{1, 5}}};
  graph.set(loop, looped);
  const std::string text = edit_to_text(graph);
  const auto read = must(edit_from_text(text, "x.json"));
  EXPECT_EQ(edit_to_text(read), text);
  EXPECT_EQ(test::problems(read), test::problems(graph));
}

TEST(EditText, RefusesWhatIsNotThere) {
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["inputs"][0]["from"] = 3; }),
            "x.json: content.operators[1]: reads an operator that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["unit"] = 7; }),
            "x.json: content.operators[1]: is in a unit that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["unit"] = nullptr; }),
            "x.json: content.operators[1]: is in a unit that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][0]["unit"] = 0; }),
            "x.json: content.operators[0]: a source is in no unit");
  EXPECT_EQ(refusal([](Json& c) { c["units"][0]["part"] = 1; }),
            "x.json: content.units[0]: is in a part that does not exist");
  EXPECT_EQ(refusal([](Json& c) { c["parts"] = Json::array(); }),
            "x.json: content.parts: a graph has at least one part");
  EXPECT_EQ(refusal([](Json& c) { c["units"].push_back(c["units"][0]); }),
            "x.json: content.units[2]: has no operators");
  EXPECT_EQ(refusal([](Json& c) {
              c["operators"][1]["inputs"][0]["channels"] = {3, 3};
            }),
            "x.json: content.operators[1]: must read at least one channel, from 0 on");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["inputs"][0]["outside"] = "x"; }),
            "x.json: content.operators[1]: reads two operators at once");
}

TEST(EditText, RefusesWhatIsTooLargeOrOfAnotherType) {
  EXPECT_EQ(refusal([](Json& c) {
              c["operators"][1]["place"] = {1e300, 0};
            }),
            "x.json: content.operators[1].place[0]: 1e+300 must lie in -16777216..16777216");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["inputs"][0]["from"] = -1; }),
            "x.json: content.operators[1].inputs[0].from: -1 must lie in 0..4294967294");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["attributes"]["kind"] = "magic"; }),
            "x.json: content.operators[1].attributes: the word 'magic' is unknown here");
  EXPECT_EQ(refusal([](Json& c) { c["operators"] = 5; }), "x.json: content.operators: must be a list, not number");
  EXPECT_EQ(refusal([](Json& c) { c["operators"][1]["bias"] = c["operators"][1]["weights"]; }), "");
  EXPECT_EQ(refusal([](Json& c) {
              c["operators"][1]["bias"] = {{"dims", {1}}, {"float32", "AAAAAA=="}};
            }),
            "x.json: content.operators[1]: has its own bias but not its own weights");
}

TEST(EditText, RefusesWhatIsNoSuchText) {
  EXPECT_THAT(edit_from_text("", "x.json").error().text(), HasSubstr("x.json"));
  EXPECT_THAT(edit_from_text("{}", "x.json").error().text(), HasSubstr("iosx-editable-graph"));
  EXPECT_THAT(edit_from_text(R"({"format":"iosx-editable-graph","version":2,"content":{}})", "x.json").error().text(),
              HasSubstr("use the version of IOS Explorer that wrote it"));
  const std::string deep = R"({"format":"iosx-editable-graph","version":4,"content":)" + std::string(100000, '[');
  EXPECT_FALSE(edit_from_text(deep, "x.json"));
  EXPECT_FALSE(
      edit_from_text(R"({"format":"iosx-editable-graph","version":4,"content":{"name":"a","name":"b"}})", "x"));
}

// Every prefix and many single changes of a text: an error, or a graph that can be checked and written.
TEST(EditText, AnyBytesAreSafe) {
  const std::string text = edit_to_text(editable(test::clique(3)));
  const auto look = [](const std::string& bytes) {
    const auto read = edit_from_text(bytes, "x");
    if (!read) {
      EXPECT_EQ(read.error().text().find('\n'), std::string::npos);
      return;
    }
    const auto made = to_graph(*read, check(*read));
    EXPECT_TRUE(made || !made.error().what.empty());
    EXPECT_TRUE(edit_from_text(edit_to_text(*read), "again"));
  };
  for (std::size_t size = 0; size < text.size(); size += 7) look(text.substr(0, size));
  for (std::size_t at = 0; at < text.size(); at += test::every(5)) {
    for (const char c : {'9', '"', '-', ',', '}'}) {
      std::string changed = text;
      changed[at] = c;
      look(changed);
    }
  }
}

using test::edit;
using test::key_of;

std::vector<OperatorKey> keys_of(const EditableGraph& graph, std::initializer_list<std::string_view> names) {
  return mapped<OperatorKey>(names, [&](const std::string_view name) { return key_of(graph, name); });
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
  const auto fragment = must(fragment_from_text(text, "clipboard"));
  EXPECT_EQ(fragment_to_text(fragment), text);

  EditHistory history(editable(test::chain(1)));
  edit(history, insert_fragment(history.graph(), fragment).patch);
  EXPECT_EQ(history.to_undo()->sentence.text(), "Insert diamond");
  EXPECT_EQ(test::problems(history.graph()), "'b' (conv) has no inputs yet\n'c' (conv) has no inputs yet\n");
  history.undo();
  edit(history, insert_fragment(history.graph(), fragment, {.outside = OutsideSlots::kByName}).patch);
  EXPECT_EQ(test::problems(history.graph()), "");
  EXPECT_EQ(test::built(history.graph()).units().size(), 4U);
  history.undo();
  // Where there is no operator of that name the slot stays open.
  EditHistory other{EditableGraph()};
  edit(other, insert_fragment(other.graph(), fragment, {.outside = OutsideSlots::kByName}).patch);
  EXPECT_EQ(test::problems(other.graph()), "'b' (conv) has no inputs yet\n'c' (conv) has no inputs yet\n");
}

TEST(Fragment, KeepsChannelsOfWhatItReadOutside) {
  EditableGraph chain = editable(test::chain(2));
  EditOperator b = chain.op(key_of(chain, "b"));
  b.inputs[0].channels = {2, 6};
  chain.set(key_of(chain, "b"), b);
  const auto fragment =
      must(fragment_from_text(fragment_to_text(fragment_of(chain, keys_of(chain, {"b"}))), "clipboard"));
  EditHistory history(editable(test::chain(1)));
  const auto inserted = insert_fragment(history.graph(), fragment, {.outside = OutsideSlots::kByName});
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
  const auto fragment = must(fragment_from_text(edit_to_text(diamond), "file"));
  EditHistory history{EditableGraph("diamond")};
  edit(history, insert_fragment(history.graph(), fragment).patch);
  test::expect_equal(test::built(history.graph()), test::diamond());
}

}  // namespace

}  // namespace iosx
