#include "core/formats/document.h"
#include "core/model/graph/work.h"
#include "core/model/schedule/baselines.h"
#include "tests/formats/ios/small_network.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::describe;

Document parsed(const std::string& text) {
  auto document = parse_ios_json(text, "test");
  EXPECT_TRUE(document.has_value()) << (document ? "" : document.error().text());
  return document ? *document : Document{};
}

// Written, read and written again: the second text and the graph and schedule must not change any more.
Document round_trip(const Graph& graph, const Schedule& schedule, std::string* text = nullptr) {
  const auto first = to_ios_json(graph, schedule);
  EXPECT_TRUE(first.has_value()) << (first ? "" : first.error().text());
  if (!first) return {};
  Document document = parsed(*first);
  if (!document.graph || !document.schedule) return {};
  EXPECT_TRUE(check_legal(*document.graph, document.schedule->schedule).has_value());
  const auto second = to_ios_json(*document.graph, document.schedule->schedule);
  EXPECT_TRUE(second.has_value());
  EXPECT_EQ(*first, second.value_or(""));
  if (text != nullptr) *text = *first;
  return document;
}

class ReferenceFile : public testing::TestWithParam<const char*> {};

TEST_P(ReferenceFile, SurvivesARoundTripByteForByte) {
  if (test::reference_folder().empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
  const auto path = test::reference_folder() / "graphs" / (std::string(GetParam()) + ".json");
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  const auto loaded = must(load_document(path));
  ASSERT_TRUE(loaded.schedule.has_value());
  std::string written;
  const Document again = round_trip(*loaded.graph, loaded.schedule->schedule, &written);
  ASSERT_TRUE(again.graph);
  EXPECT_EQ(describe(*loaded.graph), describe(*again.graph));
  EXPECT_EQ(loaded.schedule->schedule, again.schedule->schedule);
  std::string original = text.str();
  while (!original.empty() && original.back() == '\n') original.pop_back();
  EXPECT_TRUE(written == original) << "differs from the published file";
}

INSTANTIATE_TEST_SUITE_P(All, ReferenceFile,
                         testing::Values("inception_v3-ios-v100", "inception_v3-sequential", "nasnet-sequential",
                                         "randwire_large-sequential", "squeezenet-sequential"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(Reference, V100FileHoldsItsMergedConvolutions) {
  if (test::reference_folder().empty()) GTEST_SKIP() << "the folder with the published graphs is absent";
  const auto document = must(load_document(test::reference_folder() / "graphs" / "inception_v3-ios-v100.json"));
  const Graph& graph = *document.graph;
  const auto sizes = mapped<std::size_t>(graph.parts(), [](const Part& part) { return part.units.size(); });
  EXPECT_THAT(sizes, ElementsAre(7, 7, 7, 7, 6, 10, 10, 10, 10, 7, 9, 11, 1));
  const Operator& merged = graph.op(*graph.find_operator("8"));
  EXPECT_THAT(merged.as<Conv>()->merged_from, ElementsAre("8", "9", "11"));
  EXPECT_EQ(graph.op(*graph.find_operator("12")).inputs.front(), (Value{*graph.find_operator("8"), 112, 176}));
  std::size_t merge_stages = 0;
  for (const Stage& stage : document.schedule->schedule.stages)
    merge_stages += strategy_of(graph, stage) == Strategy::kMerge;
  EXPECT_EQ(merge_stages, 9U);
  // Merging changes how it is computed, not how much; 1x1 kernels are not enlarged here.
  const auto sequential = must(load_document(test::reference_folder() / "graphs" / "inception_v3-sequential.json"));
  EXPECT_EQ(total_work(graph, 1).parameters, total_work(*sequential.graph, 1).parameters);
  EXPECT_EQ(total_work(graph, 1).flops, total_work(*sequential.graph, 1).flops);
}

TEST(RoundTrip, KeepsEveryKindOfOperator) {
  const Document document = parsed(kSmallNetwork);
  ASSERT_TRUE(document.graph && document.schedule);
  const Document again = round_trip(*document.graph, document.schedule->schedule);
  ASSERT_TRUE(again.graph);
  EXPECT_EQ(describe(*document.graph), describe(*again.graph));
  EXPECT_EQ(document.schedule->schedule, again.schedule->schedule);
}

TEST(RoundTrip, KeepsTestGraphs) {
  for (const Graph& graph : {test::chain(4), test::fork(3), test::fork_join(4), test::diamond(), test::clique(5),
                             test::sample(), test::two_parts(), test::random_dag(1, 20), test::random_dag(2, 20)}) {
    SCOPED_TRACE(graph.name());
    for (const Schedule& schedule : {one_by_one_schedule(graph), greedy_schedule(graph)}) {
      const Document once = round_trip(graph, schedule);
      ASSERT_TRUE(once.graph);
      EXPECT_EQ(once.schedule->schedule.stages, schedule.stages);
      const Document twice = round_trip(*once.graph, once.schedule->schedule);
      ASSERT_TRUE(twice.graph);
      EXPECT_EQ(describe(*once.graph), describe(*twice.graph));
    }
  }
}

TEST(Reading, MakesTermsOperators) {
  const Document document = parsed(kSmallNetwork);
  ASSERT_TRUE(document.graph);
  EXPECT_EQ(describe(*document.graph), R"(small
    in = input of -> 4x8x8
part block 1
  unit a hint ''
    a = conv out 6 kernel 3x3 stride 1x1 padding 1x1 dilation 1x1 groups 1 relu merged [] of in[0,4) -> 6x8x8
  unit s hint 'ReluConv'
    r = relu of a[0,6) -> 6x8x8
    p = depthwise conv out 6 kernel 3x3 stride 1x1 padding 1x1 dilation 1x1 groups 6 identity merged [] of r[0,6) -> 6x8x8
  unit m hint ''
    m = mul of a[0,6) p[0,6) -> 6x8x8
  unit c hint ''
    c.add1 = add of p[0,6) m[0,6) -> 6x8x8
    c = concat of a[0,6) c.add1[0,6) -> 12x8x8
part block 2
  unit x hint ''
    x = max pool kernel 2x2 stride 2x2 padding 0x0 ceil false of c[0,12) -> 12x4x4
  unit y hint ''
    y.add = add of x[6,12) x[0,6) -> 6x4x4
    y = conv out 4 kernel 1x1 stride 1x1 padding 0x0 dilation 1x1 groups 1 sigmoid merged [] of y.add[0,6) -> 4x4x4
  unit t hint ''
    t = tanh of y[0,4) -> 4x4x4
  unit z hint ''
    z.concat = concat of t[0,4) x[0,12) -> 16x4x4
    z = global average pool kernel 1x1 stride 1x1 padding 0x0 ceil false of z.concat[0,16) -> 16x1x1
)");
}

TEST(Reading, SortsNodesAndKeepsTheirOrderOtherwise) {
  std::string text = kSmallNetwork;
  const auto swap_names = [&](const std::string& a, const std::string& b) {
    auto json = nlohmann::ordered_json::parse(text);
    auto& nodes = json["blocks"][0]["inner_nodes"];
    const auto find = [&](const std::string& name) {
      return std::find_if(nodes.begin(), nodes.end(), [&](const auto& node) { return node["name"] == name; });
    };
    std::swap(*find(a), *find(b));
    text = json.dump();
  };
  swap_names("a", "m");
  const Document document = parsed(text);
  ASSERT_TRUE(document.graph);
  EXPECT_EQ(describe(*document.graph), describe(*parsed(kSmallNetwork).graph));
}

TEST(Reading, TakesAGeneratedNameThatIsFree) {
  const std::string text = R"({"name":"n","input":{"type":"placeholder","name":"y.add","output_shape":[2,2,2]},
    "blocks":[{"inner_nodes":[],"exit_node":{"type":"relu","name":"y","inputs":[[["y.add",0,2],["y.add",0,2]]]}}]})";
  const Document document = parsed(text);
  ASSERT_TRUE(document.graph);
  EXPECT_EQ(document.graph->operators()[1].name, "y.add_");
  EXPECT_FALSE(document.schedule.has_value());
}

// The published file's way: the merged convolution stands for its sources, their readers take slices of it.
TEST(Writing, TurnsMergedStepsIntoOneConvolution) {
  const Graph graph = test::sample();
  const auto unit = [&](const char* name) { return *graph.find_unit(name); };
  const Schedule schedule{"merged",
                          {merge_stage({unit("a"), unit("b"), unit("c")}), single_unit_stage(unit("d")),
                           single_unit_stage(unit("concat"))}};
  const auto text = must(to_ios_json(graph, schedule));
  std::ifstream file(IOS_SOURCE_FOLDER "/tests/golden/sample-merged.json");
  std::ostringstream golden;
  golden << file.rdbuf();
  EXPECT_EQ(text + "\n", golden.str());

  const Document again = round_trip(graph, schedule);
  ASSERT_TRUE(again.graph);
  const Operator& merged = again.graph->op(*again.graph->find_operator("a"));
  ASSERT_NE(merged.as<Conv>(), nullptr);
  EXPECT_THAT(merged.as<Conv>()->merged_from, ElementsAre("a", "b", "c"));
  EXPECT_EQ(merged.output, (Shape{1500, 15, 15}));
  EXPECT_EQ(strategy_of(*again.graph, again.schedule->schedule.stages.front()), Strategy::kMerge);
  const Operator& concat = again.graph->op(*again.graph->find_operator("concat"));
  ASSERT_EQ(concat.inputs.size(), 3U);
  EXPECT_EQ(concat.inputs[0], (Value{*again.graph->find_operator("a"), 375, 1125}));
  EXPECT_EQ(concat.inputs[1], (Value{*again.graph->find_operator("a"), 1125, 1500}));
  EXPECT_EQ(concat.output, (Shape{1875, 15, 15}));
}

TEST(Writing, MergesInsideAGroupAndAcrossParts) {
  auto [builder, in] = test::sketch("across", Shape{4, 6, 6});
  const Conv conv{4, {1, 1}, {}, {0, 0}, {}, 1, Activation::kRelu, {}};
  builder.begin_part("one");
  const Value a = builder.add("a", conv, {in});
  const Value b = builder.add("b", Conv{8, {3, 3}, {}, {1, 1}, {}, 1, Activation::kRelu, {}}, {a});
  builder.begin_part("two");
  const Value c = builder.add("c", conv, {a});
  builder.add("d", Concat{}, {c, b});
  const Graph graph = *std::move(builder).build();
  const Schedule schedule{
      "s", {single_unit_stage(UnitId(0)), Stage{{Group{{Step{{UnitId(2), UnitId(1)}}, Step{{UnitId(3)}}}}}}}};
  const Document again = round_trip(graph, schedule);
  ASSERT_TRUE(again.graph);
  EXPECT_EQ(again.graph->parts().size(), 1U);
  const Operator& merged = again.graph->op(*again.graph->find_operator("c"));
  EXPECT_THAT(merged.as<Conv>()->merged_from, ElementsAre("c", "b"));
  EXPECT_EQ(merged.as<Conv>()->kernel, (Extent{3, 3}));
  EXPECT_EQ(merged.as<Conv>()->padding, (Extent{1, 1}));
  const Operator& joined = again.graph->op(*again.graph->find_operator("d"));
  EXPECT_EQ(joined.inputs[0].begin, 0);
  EXPECT_EQ(joined.inputs[1].begin, 4);
  EXPECT_EQ(joined.inputs[1].end, 12);
}

// A linear layer of the whole input is a convolution as large as that; what the format cannot say of one it cannot say
// of a merged one.
TEST(Writing, TurnsMergedLinearLayersIntoOneConvolution) {
  const auto graph = [](std::size_t axis, bool more) {
    auto [builder, in] = test::sketch("heads", Shape{4, 6, 6});
    builder.add("a", Linear{3, Activation::kRelu, axis}, {in});
    builder.begin_unit("b");
    Value b = builder.add("b.linear", Linear{5, Activation::kRelu, axis}, {in});
    if (more) b = builder.add("b.tanh", Activate{Activation::kTanh}, {b});
    builder.end_unit();
    return *std::move(builder).build();
  };
  const Schedule schedule{"merged", {merge_stage({UnitId(0), UnitId(1)})}};
  const Document again = round_trip(graph(0, false), schedule);
  ASSERT_TRUE(again.graph);
  const Operator& merged = again.graph->op(*again.graph->find_operator("a"));
  ASSERT_NE(merged.as<Conv>(), nullptr);
  EXPECT_THAT(merged.as<Conv>()->merged_from, ElementsAre("a", "b"));
  EXPECT_EQ(merged.as<Conv>()->kernel, (Extent{6, 6}));
  EXPECT_EQ(merged.output, (Shape{8, 1, 1}));
  EXPECT_THAT(to_ios_json(graph(0, true), schedule).error().text(), HasSubstr("more than the merged linear layer"));
  EXPECT_THAT(to_ios_json(graph(2, false), schedule).error().text(), HasSubstr("axes that it does not change"));
}

TEST(Writing, JoinsPartsThatReadMoreThanTheExitBeforeThem) {
  auto [builder, last] = test::sketch("skip", Shape{4, 6, 6});
  const Activate relu{Activation::kRelu};
  builder.begin_part("stem");
  const Value stem = last = builder.add("stem", relu, {last});
  builder.begin_part("one");
  last = builder.add("a", relu, {last});
  builder.begin_part("two");
  last = builder.add("b", Add{}, {last, stem});
  builder.begin_part("three");
  builder.add("c", relu, {last});
  const Graph graph = *std::move(builder).build();
  const Document again = round_trip(graph, one_by_one_schedule(graph));
  ASSERT_TRUE(again.graph);
  ASSERT_EQ(again.graph->parts().size(), 3U);
  EXPECT_EQ(again.graph->parts()[1].units.size(), 2U);
}

TEST(Writing, PutsTheExitLastThoughOthersRunAfterIt) {
  auto [builder, in] = test::sketch("exit", Shape{4, 6, 6});
  const Activate relu{Activation::kRelu};
  builder.begin_part("one");
  const Value a = builder.add("a", relu, {in});
  builder.add("side", relu, {a});
  builder.begin_part("two");
  builder.add("b", relu, {a});
  const Graph graph = *std::move(builder).build();
  std::string text;
  const Document again = round_trip(graph, one_by_one_schedule(graph), &text);
  ASSERT_TRUE(again.graph);
  EXPECT_EQ(nlohmann::json::parse(text)["blocks"][0]["exit_node"]["name"], "a");
  EXPECT_EQ(again.graph->parts().size(), 2U);
  EXPECT_EQ(again.graph->units().size(), 3U);
}

TEST(Writing, KeepsWhatCannotBeTermsInsideASequential) {
  auto [builder, in] = test::sketch("nested", Shape{4, 6, 6});
  builder.begin_unit("u", "odd");
  const Value pair = builder.add("pair", Concat{}, {in, in});
  const Value sum = builder.add("sum", Add{}, {pair, pair});
  const Value twice = builder.add("twice", Mul{}, {sum, pair});
  builder.add("out", Identity{}, {twice});
  builder.end_unit();
  const Graph graph = *std::move(builder).build();
  const Document again = round_trip(graph, one_by_one_schedule(graph));
  ASSERT_TRUE(again.graph);
  ASSERT_EQ(again.graph->units().size(), 1U);
  EXPECT_EQ(again.graph->units()[0].hint, "odd");
  ASSERT_EQ(again.graph->operators().size(), 5U);
  EXPECT_NE(again.graph->operators()[3].as<Mul>(), nullptr);
}

TEST(Writing, TurnsLinearIntoTheEqualConvolution) {
  auto [builder, in] = test::sketch("linear", Shape{4, 6, 5});
  builder.add("fc", Linear{10, Activation::kRelu}, {in});
  const Graph graph = *std::move(builder).build();
  const Document again = round_trip(graph, one_by_one_schedule(graph));
  ASSERT_TRUE(again.graph);
  const Operator& fc = again.graph->operators()[1];
  ASSERT_NE(fc.as<Conv>(), nullptr);
  EXPECT_EQ(*fc.as<Conv>(), (Conv{10, {6, 5}, {}, {0, 0}, {}, 1, Activation::kRelu, {}}));
  EXPECT_EQ(fc.output, (Shape{10, 1, 1}));
  EXPECT_EQ(total_work(*again.graph, 1).flops, total_work(graph, 1).flops);
}

TEST(Writing, DropsACeilModeThatChangesNothing) {
  auto [builder, in] = test::sketch("ceil", Shape{4, 7, 7});
  builder.add("p", Pool{PoolKind::kMax, {3, 3}, {2, 2}, {0, 0}, true}, {in});
  const Graph graph = *std::move(builder).build();
  EXPECT_TRUE(to_ios_json(graph, one_by_one_schedule(graph)).has_value());
}

std::string refusal(GraphBuilder builder) {
  const Graph graph = *std::move(builder).build();
  const auto text = to_ios_json(graph, one_by_one_schedule(graph));
  return text ? "" : text.error().text();
}

TEST(Writing, RefusesWhatTheFormatCannotSay) {
  auto [dilated, in] = test::sketch("n", Shape{4, 8, 8});
  dilated.add("c", Conv{4, {3, 3}, {}, {2, 2}, {2, 2}, 1, Activation::kRelu, {}}, {in});
  EXPECT_THAT(refusal(std::move(dilated)), HasSubstr("c: the conv has dilation"));

  GraphBuilder ceil("n");
  in = ceil.input("in", Shape{4, 8, 8});
  ceil.add("p", Pool{PoolKind::kMax, {3, 3}, {2, 2}, {0, 0}, true}, {in});
  EXPECT_THAT(refusal(std::move(ceil)), HasSubstr("p: the max pool has ceil_mode"));

  GraphBuilder inputs("n");
  in = inputs.input("in", Shape{4, 8, 8});
  inputs.add("a", Add{}, {in, inputs.input("in2", Shape{4, 8, 8})});
  EXPECT_THAT(refusal(std::move(inputs)), HasSubstr("2 inputs"));

  const Graph whole = test::whole_unit();
  EXPECT_THAT(to_ios_json(whole, one_by_one_schedule(whole)).error().text(),
              HasSubstr("a: the conv has an output that is not its unit's last one"));

  EXPECT_FALSE(to_ios_json(test::chain(2), Schedule{"none", {}}).has_value());
}

TEST(Writing, RefusesAMergedNameWithASpace) {
  auto [builder, in] = test::sketch("n", Shape{4, 8, 8});
  const Conv conv{4, {1, 1}, {}, {0, 0}, {}, 1, Activation::kRelu, {}};
  builder.add("a b", conv, {in});
  builder.add("c", conv, {in});
  const Graph graph = *std::move(builder).build();
  EXPECT_THAT(refused(to_ios_json(graph, Schedule{"s", {merge_stage({UnitId(0), UnitId(1)})}})).text(),
              HasSubstr("a b: the name of a merged layer has a space"));
}

}  // namespace
}  // namespace iosx
