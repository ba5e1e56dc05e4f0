#include "core/formats/external/match.h"

#include <nlohmann/json.hpp>

#include "core/formats/external/external_report.h"
#include "core/formats/external/operator_order.h"
#include "core/model/graph/builder.h"
#include "core/model/graph/operator_table.h"
#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

ExternalRun run_of(std::vector<ExternalEntry> entries) {
  ExternalRun run;
  run.label = "it";
  for (ExternalEntry& entry : entries) {
    if (entry.duration == Millis(0)) entry.duration = Millis(1);
    run.entries.push_back(std::move(entry));
  }
  return run;
}

std::vector<std::string> operators_of(const ExternalEntry& entry, const Graph& graph) {
  std::vector<std::string> names;
  for (const OperatorId id : entry.match.operators) names.push_back(graph.op(id).name);
  return names;
}

TEST(Match, ByExactName) {
  const Graph graph = test::chain(3);
  ExternalRun run = run_of({{.name = "b"}, {.name = "nothing of it"}});
  match_operators(run, graph);
  EXPECT_EQ(run.entries[0].match.rule, MatchRule::kName);
  EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("b"));
  EXPECT_EQ(run.entries[1].match.rule, MatchRule::kNone);
  EXPECT_DOUBLE_EQ(run.matched_share(), 0.5);
}

TEST(Match, WhatHasFewOfTheOperatorsIsAPiece) {
  const Graph graph = test::chain(5);
  ExternalRun run = run_of({{.name = "b"}, {.name = "c"}});
  run.latency = {Millis(2), Millis(0), 1, Origin::kRecorded};
  match_operators(run, graph);
  const auto piece = piece_of(run, graph);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->recorded, 2U);
  EXPECT_EQ(piece->of, 5U);
  run.entries.push_back({.name = "d", .duration = Millis(1)});
  match_operators(run, graph);
  EXPECT_FALSE(piece_of(run, graph)) << "most are there";
  ExternalRun other = run_of({{.name = "b"}, {.name = "kernel 1"}, {.name = "kernel 2"}});
  match_operators(other, graph);
  EXPECT_FALSE(piece_of(other, graph)) << "what is not matched may be all the others";
}

TEST(Match, ByTheOutputThatItNames) {
  const Graph graph = test::chain(3);
  ExternalRun run = run_of({{.name = "node_17", .output = "c"}});
  match_operators(run, graph);
  EXPECT_EQ(run.entries[0].match.rule, MatchRule::kOutput);
  EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("c"));
}

TEST(Match, ByANameThatIsAlike) {
  const Graph graph = test::sample();
  for (const char* name : {"/concat", "concat_kernel_time", "Concat_nchwc", "fused concat", "concat/activation",
                           "PWN(concat)", "concat:0", "concat/a/b"}) {
    ExternalRun run = run_of({{.name = name}});
    match_operators(run, graph);
    EXPECT_EQ(run.entries[0].match.rule, MatchRule::kAlike) << name;
    EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("concat")) << name;
  }
}

TEST(Match, ByFusedNames) {
  const Graph graph = test::sample();
  for (const char* name : {"a + b", "a || b", "a, b", "fused a+b", "a + unknown + b"}) {
    ExternalRun run = run_of({{.name = name}});
    match_operators(run, graph);
    EXPECT_EQ(run.entries[0].match.rule, MatchRule::kFused) << name;
    EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("a", "b")) << name;
  }
}

TEST(Match, ByTheRangesAroundIt) {
  const Graph graph = test::sample();
  ExternalRun run = run_of({{.name = "void gemm<float>", .within = {"c", "a"}}});
  match_operators(run, graph);
  EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("c"));
}

TEST(Match, ANameThatSeveralOperatorsAreAlikeToTellsNothing) {
  GraphBuilder builder("g");
  const Value in = builder.input("in", {8, 4, 4});
  builder.add("x.1", Activate{Activation::kRelu}, {in});
  builder.add("x/1", Activate{Activation::kRelu}, {in});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph) << graph.error().text();
  ExternalRun run = run_of({{.name = "X_1"}});
  match_operators(run, *graph);
  EXPECT_EQ(run.entries[0].match.rule, MatchRule::kNone);
}

TEST(Match, ByOrderAndType) {
  const Graph graph = test::sample();  // a, b, c, d are convolutions, then a concatenation
  ExternalRun run = run_of({{.name = "k0", .type = "aten::conv2d"},
                            {.name = "k1", .type = "aten::mkldnn_convolution"},
                            {.name = "copy", .type = "aten::copy_"},
                            {.name = "k2", .type = "Conv"},
                            {.name = "k3", .type = "FusedConv"},
                            {.name = "k4", .type = "aten::cat"}});
  match_operators(run, graph);
  for (const std::size_t i : {0U, 1U, 3U, 4U, 5U}) EXPECT_EQ(run.entries[i].match.rule, MatchRule::kOrder) << i;
  EXPECT_EQ(run.entries[2].match.rule, MatchRule::kNone);
  EXPECT_THAT(operators_of(run.entries[5], graph), ElementsAre("concat"));
}

TEST(Match, ByOrderHeedsShapesAndLeavesNamedOnesOut) {
  const Graph graph = test::sample();  // a and c make 375 channels of 15 × 15, b and d 750
  ExternalRun run = run_of({{.name = "k0", .type = "Conv", .dims = {1, 750, 15, 15}},
                            {.name = "k1", .type = "Conv", .dims = {1, 99, 15, 15}},
                            {.name = "c"},
                            {.name = "k2", .type = "Conv", .dims = {1, 750, 15, 15}}});
  match_operators(run, graph);
  EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("b"));
  EXPECT_EQ(run.entries[1].match.rule, MatchRule::kNone);
  EXPECT_EQ(run.entries[2].match.rule, MatchRule::kName);
  EXPECT_THAT(operators_of(run.entries[3], graph), ElementsAre("d"));
}

TEST(Match, AnActivationOfItsOwnIsTheOperatorThatHasItFused) {
  const Graph graph = test::chain(2);
  ExternalRun run = run_of({{.name = "k0", .type = "aten::conv2d"},
                            {.name = "k1", .type = "aten::relu_"},
                            {.name = "k2", .type = "aten::conv2d"},
                            {.name = "k3", .type = "aten::relu_"}});
  match_operators(run, graph);
  EXPECT_THAT(operators_of(run.entries[1], graph), ElementsAre("a"));
  EXPECT_THAT(operators_of(run.entries[3], graph), ElementsAre("b"));
}

TEST(Match, TypesHaveManyNames) {
  const auto means = [](const char* type, std::size_t kind) {
    return (external::kinds_of_type(type) >> kind & 1U) != 0;
  };
  using namespace operator_table;
  EXPECT_TRUE(means("aten::addmm", kIndex<Linear>));
  EXPECT_FALSE(means("aten::addmm", kIndex<Add>));
  EXPECT_TRUE(means("aten::adaptive_avg_pool2d", kIndex<Pool>));
  EXPECT_TRUE(means("FusedMatMul", kIndex<MatMul>));
  EXPECT_TRUE(means("Concat", kIndex<Concat>));
  EXPECT_TRUE(means("aten::cat", kIndex<Concat>));
  EXPECT_TRUE(means("LayerNormalization", kIndex<Normalize>));
  EXPECT_TRUE(means("aten::hardswish", kIndex<Activate>));
  EXPECT_EQ(external::kinds_of_type("ReorderInput"), 0U);
  EXPECT_EQ(external::kinds_of_type("Memcpy HtoD"), 0U);
  EXPECT_EQ(external::kinds_of_type(""), 0U);
}

TEST(Match, TimeOfUnitsIsSharedOut) {
  const Graph graph = test::sample();
  ExternalRun run = run_of({{.name = "a + b", .duration = Millis(4)}, {.name = "b", .duration = Millis(1)}});
  match_operators(run, graph);
  const std::vector<Millis> times = time_of_units(run, graph);
  EXPECT_EQ(times[graph.find_unit("a")->index()], Millis(2));
  EXPECT_EQ(times[graph.find_unit("b")->index()], Millis(3));
  EXPECT_EQ(times[graph.find_unit("c")->index()], Millis(0));
}

TEST(ExternalReport, SaysWhatMatchedAndHow) {
  const Graph graph = test::sample();
  ExternalRun run = run_of({{.name = "a", .duration = Millis(3)}, {.name = "x\033[2J", .duration = Millis(1)}});
  match_operators(run, graph);
  const std::string text = external_text(run, &graph, 0);
  EXPECT_THAT(text, HasSubstr("75.0 % of the time"));
  EXPECT_THAT(text, HasSubstr("1 by name (3.000 ms), 1 unmatched (1.000 ms)"));
  EXPECT_THAT(text, HasSubstr("x\\x1B[2J"));
  const auto json = external_json(run, &graph);
  EXPECT_EQ(json["matched_share"], 0.75);
  EXPECT_EQ(json["entries"][0]["operators"][0], "a");
  EXPECT_EQ(json["entries"][1]["match"], "none");
  EXPECT_EQ(json["operators_without_entry"].size(), 4U);
  EXPECT_THAT(external_text(run, &graph, 1), HasSubstr("and 1 that take less"));
}

}  // namespace
}  // namespace iosx
