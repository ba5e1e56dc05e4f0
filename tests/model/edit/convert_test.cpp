#include "core/model/edit/convert.h"

#include <gmock/gmock.h>

#include <array>

#include "core/formats/wire/edit_text.h"
#include "core/model/graph/builder.h"
#include "core/model/graph/networks.h"
#include "core/search/prepare.h"
#include "models/networks/zoo.h"
#include "tests/support/editing.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// From a graph and back, also over the text.
void expect_round_trip(const Graph& graph) {
  const EditableGraph drawn = editable(graph);
  EXPECT_EQ(test::problems(drawn), "");
  test::expect_equal(test::built(drawn), graph);
  const std::string text = edit_to_text(drawn);
  const auto read = edit_from_text(text, "test");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(edit_to_text(*read), text);
  test::expect_equal(test::built(*read), graph);
}

class ZooRoundTrip : public testing::TestWithParam<ZooNetwork> {};

TEST_P(ZooRoundTrip, GivesAnEqualGraph) { expect_round_trip(GetParam().build()); }

INSTANTIATE_TEST_SUITE_P(Zoo, ZooRoundTrip, testing::ValuesIn(zoo().begin(), zoo().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Convert, KeepsRandomGraphsWithSlices) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) expect_round_trip(test::random_dag(seed, 30));
}

TEST(Convert, KeepsWeightsBiasesAndValues) {
  GraphBuilder b("weighted");
  const Value in = b.input("in", Shape{2, 4, 4});
  const Value number = b.constant("number", Tensor({}, {0.5F}));
  Conv conv;
  conv.out_channels = 1;
  const Value given = b.add("given", conv, {in});
  b.set_parameters(given, Tensor({1, 2, 1, 1}, {1, 2}), Tensor({1}, {3}));
  const Value unbiased = b.add("unbiased", conv, {in});
  b.set_parameters(unbiased, Tensor({1, 2, 1, 1}, {4, 5}));
  const Value made_up = b.add("made_up", conv, {in});
  b.leave_out_bias(made_up);
  b.add("sum", Add{}, {given, unbiased, made_up, number});
  const auto graph = std::move(b).build();
  ASSERT_TRUE(graph);
  expect_round_trip(*graph);
}

TEST(Convert, KeepsPartsThatAreCutOff) {
  const Graph chain = test::chain(9);
  PartitionOptions options;
  options.max_part_size = 4;
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
  const auto made = to_graph(drawn, check(drawn));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->graph.units().size(), 1U);
  EXPECT_EQ(made->graph.units()[0].name, "a");
  EXPECT_THAT(made->left_out, ElementsAre(b, test::key_of(drawn, "c")));
  EXPECT_EQ(*made->operators.find(test::key_of(drawn, "a")), OperatorId(1));
  EXPECT_EQ(*made->units.find(test::unit_of(drawn, "a")), UnitId(0));
  EXPECT_FALSE(made->operators.contains(b));
}

TEST(Convert, SaysWhenNothingIsLeft) {
  const EditableGraph nothing("drawing");
  const auto made = to_graph(nothing, check(nothing));
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().text(), HasSubstr("no operator can be computed yet"));
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
  GraphBuilder builder("weighted");
  const Value in = builder.input("in", Shape{2, 4, 4});
  Conv conv;
  conv.out_channels = 1;
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
  GraphBuilder builder("weighted");
  const Value in = builder.input("in", Shape{2, 4, 4});
  Conv conv;
  conv.out_channels = 1;
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

}  // namespace
}  // namespace iosx
