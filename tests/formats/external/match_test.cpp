#include "core/formats/external/match.h"
#include "core/formats/external/unit_column.h"
#include "core/model/graph/operator_table.h"
#include "tests/formats/external/reading.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

ExternalRun run_of(std::vector<ExternalEntry> entries) {
  ExternalRun run{.label = "it"};
  for (ExternalEntry& entry : entries) {
    if (entry.duration == Millis(0)) entry.duration = Millis(1);
    run.entries.push_back(std::move(entry));
  }
  return run;
}

std::vector<std::string> operators_of(const ExternalEntry& entry, const Graph& graph) {
  return mapped<std::string>(entry.match.operators, [&](const OperatorId id) { return graph.op(id).name; });
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
  const auto piece = must(piece_of(run, graph));
  EXPECT_EQ(piece.recorded, 2U);
  EXPECT_EQ(piece.of, 5U);
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

// Words without a digit or an underscore are types, and of two operators neither counts.
TEST(Match, ByANameWithinATemplate) {
  auto [builder, in] = test::sketch("g", {8, 4, 4});
  for (const char* name : {"conv_0", "conv_1", "float", "4"}) builder.add(name, Activate{Activation::kRelu}, {in});
  const auto graph = must(std::move(builder).build());
  ExternalRun run = run_of({{.name = "void cutlass::Kernel<conv_1>(Params)"},
                            {.name = "void at::native::elementwise<4, ns::conv_0, float>(int)"},
                            {.name = "void Kernel<conv_0, conv_1>()"},
                            {.name = "void Kernel<4, float>()"},
                            {.name = "conv_0_wrapper(int)"}});
  match_operators(run, graph);
  EXPECT_EQ(run.entries[0].match.rule, MatchRule::kAlike);
  EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("conv_1"));
  EXPECT_THAT(operators_of(run.entries[1], graph), ElementsAre("conv_0"));
  for (const std::size_t i : {2U, 3U, 4U}) EXPECT_NE(run.entries[i].match.rule, MatchRule::kAlike) << i;
}

// A node that became part of an operator, such as its activation, names it too, unless several have the name.
TEST(Match, ByTheNameOfANodeThatBecamePartOfIt) {
  auto [builder, in] = test::sketch("g", {8, 4, 4});
  for (const char* name : {"conv_0", "conv_1", "relu_2"}) {
    const Value value = builder.add(name, Activate{Activation::kRelu}, {in});
    builder.set_aliases(value, {std::string("relu_") + (name + 5), "twice", "relu_2"});
  }
  const auto graph = must(std::move(builder).build());
  ExternalRun run = run_of({{.name = "relu_1"}, {.name = "Relu_0:0"}, {.name = "twice"}, {.name = "relu_2"}});
  match_operators(run, graph);
  EXPECT_EQ(run.entries[0].match.rule, MatchRule::kName);
  EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("conv_1"));
  EXPECT_THAT(operators_of(run.entries[1], graph), ElementsAre("conv_0"));
  EXPECT_EQ(run.entries[2].match.rule, MatchRule::kNone);
  EXPECT_THAT(operators_of(run.entries[3], graph), ElementsAre("relu_2"));
}

TEST(Match, ByTheRangesAroundIt) {
  const Graph graph = test::sample();
  ExternalRun run = run_of({{.name = "void gemm<float>", .within = {"c", "a"}}});
  match_operators(run, graph);
  EXPECT_THAT(operators_of(run.entries[0], graph), ElementsAre("c"));
}

TEST(Match, ANameThatSeveralOperatorsAreAlikeToTellsNothing) {
  auto [builder, in] = test::sketch("g", {8, 4, 4});
  builder.add("x.1", Activate{Activation::kRelu}, {in});
  builder.add("x/1", Activate{Activation::kRelu}, {in});
  const auto graph = must(std::move(builder).build());
  ExternalRun run = run_of({{.name = "X_1"}});
  match_operators(run, graph);
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
  EXPECT_THAT(text, AllOf(HasSubstr("75.0 % of the time"), HasSubstr("1 by name (3.000 ms), 1 unmatched (1.000 ms)"),
                          HasSubstr("x\\x1B[2J")));
  const auto json = external_json(run, &graph);
  EXPECT_EQ(json["matched_share"], 0.75);
  EXPECT_EQ(json["entries"][0]["operators"][0], "a");
  EXPECT_EQ(json["entries"][1]["match"], "none");
  EXPECT_EQ(json["operators_without_entry"].size(), 4U);
  EXPECT_THAT(external_text(run, &graph, 1), HasSubstr("and 1 that take less"));
}

using testing::Eq;
using testing::Optional;

constexpr auto kNothing = std::nullopt;

MatchedColumn column_in(const Graph& graph, std::string_view text, ColumnJoin join = ColumnJoin::kSum) {
  const auto table = must(read_value_table(text, "values.csv"));
  return column_of_units(table, 0, join, match_names(table.names, graph), graph);
}

std::string said_of(const MatchedColumn& made, const Graph& graph) {
  std::string text;
  for (const Message& sentence : tally_sentences(made.tally, "/some/values.csv", graph)) text += sentence.text() + "\n";
  return text;
}

TEST(UnitColumn, HasTheValueOfEachUnit) {
  const Graph graph = test::chain(3);
  const MatchedColumn made = column_in(graph, "name,memory\nc,3\na,1\nelsewhere,7\n");
  EXPECT_EQ(made.column.title, "memory");
  EXPECT_THAT(made.column.values, ElementsAre(Optional(1.0), Eq(kNothing), Optional(3.0)));
  EXPECT_EQ(made.tally.names, 3U);
  EXPECT_EQ(made.tally.matched, 2U);
  EXPECT_EQ(made.tally.units, 2U);
  EXPECT_THAT(made.tally.unmatched, ElementsAre("elsewhere"));
  EXPECT_EQ(said_of(made, graph),
            "2 of 3 names of values.csv are operators of chain; these are not: 'elsewhere'\n2 of 3 units have a "
            "value\n");
}

TEST(UnitColumn, NamesAreMatchedAsThoseOfProfilesAre) {
  const Graph graph = test::chain(3);
  EXPECT_THAT(column_in(graph, "/A,1\nb:0,2\nnode/c,3\n").column.values,
              ElementsAre(Optional(1.0), Optional(2.0), Eq(kNothing)));
}

// Unit c of the bipartite graph is "c.add1", then "c".
TEST(UnitColumn, OperatorsOfAUnitAddUpOrTheLargestCounts) {
  const Graph graph = test::bipartite(2);
  const char* text = "name,v\nc.add1,-5\nc,2\n";
  EXPECT_THAT(column_in(graph, text).column.values[2], Optional(-3.0));
  EXPECT_THAT(column_in(graph, text, ColumnJoin::kLargest).column.values[2], Optional(-5.0)) << "farthest from zero";
}

TEST(UnitColumn, WhatNamesAWholeUnitCountsInsteadOfItsOperators) {
  const Graph graph = test::bipartite(2);
  EXPECT_THAT(column_in(graph, "name,v\nc.add1,5\nc,2\nc.add1 + c,6\n").column.values[2], Optional(6.0));
}

TEST(UnitColumn, WhatIsSeveralUnitsIsSharedOrIsOfEach) {
  const Graph graph = test::chain(3);
  EXPECT_THAT(column_in(graph, "name,v\na + b,6\nb,1\n").column.values,
              ElementsAre(Optional(3.0), Optional(4.0), Eq(kNothing)));
  EXPECT_THAT(column_in(graph, "name,v\na + b,6\nb,1\n", ColumnJoin::kLargest).column.values,
              ElementsAre(Optional(6.0), Optional(6.0), Eq(kNothing)));
}

TEST(UnitColumn, OfSeveralRowsOfANameTheMedianCounts) {
  const Graph graph = test::chain(2);
  const MatchedColumn made = column_in(graph, "name,v\na,1\na,100\na,2\nb,3\nb,4\nb,oops\n");
  EXPECT_THAT(made.column.values, ElementsAre(Optional(2.0), Optional(3.5)));
  EXPECT_EQ(made.tally.names, 2U);
  EXPECT_EQ(said_of(made, graph),
            "all 2 names of values.csv are operators of chain\n2 of 2 units have a value\n2 names have several rows: "
            "the median of each is used\n1 fields of the column are not finite numbers and are left out\n");
}

TEST(UnitColumn, OfAnotherNetworkHasNothing) {
  const Graph graph = test::chain(2);
  const MatchedColumn made = column_in(graph, "name,v\nw,1\nx,2\n");
  EXPECT_EQ(made.tally.matched, 0U);
  EXPECT_EQ(made.tally.units, 0U);
  EXPECT_EQ(
      said_of(made, graph),
      "none of the 2 names of values.csv is an operator of chain; they may belong to another network: 'w', 'x'\n");
}

TEST(UnitColumn, ManyNamesThatAreNotFoundAreCounted) {
  const Graph graph = test::chain(1);
  const MatchedColumn made = column_in(graph, "name,v\na,1\np,1\nq,1\nr,1\ns,1\nt,1\nu,1\nv,1\n");
  EXPECT_THAT(said_of(made, graph), HasSubstr("these are not: 'p', 'q', 'r', 's', 't' and 2 more"));
}

TEST(UnitColumn, ASumBeyondAllBoundsIsNoValue) {
  EXPECT_FALSE(column_in(test::bipartite(2), "name,v\nc.add1,9e299\nc,9e299\n").column.values[2]);
}

TEST(UnitColumn, TitlesSayWhatDoesNotAddUp) {
  for (const char* title : {"memory (MB)", "energy", "time_ms", "FLOPs", "latency", "operations", "hardened", ""}) {
    EXPECT_EQ(join_of(title), ColumnJoin::kSum) << title;
  }
  for (const char* title : {"Sparsity", "quant_error", "error (max)", "share [%]", "SQNR", "top1-accuracy", "mse"}) {
    EXPECT_EQ(join_of(title), ColumnJoin::kLargest) << title;
  }
}

TEST(UnitColumn, AColumnIsFoundByItsTitle) {
  const auto two = must(read_value_table("name,Mem,err\na,1,2\n", "t"));
  EXPECT_EQ(find_value_column(two, "err", "t").value(), 1U);
  EXPECT_EQ(find_value_column(two, "mem", "t").value(), 0U);
  EXPECT_EQ(find_value_column(two, "", "t").error().text(),
            "t: has several columns of numbers (its columns of numbers are 'Mem', 'err')");
  EXPECT_THAT(find_value_column(two, "power", "t").error().text(), HasSubstr("no column of numbers called 'power'"));
  EXPECT_EQ(find_value_column(*read_value_table("a,1\n", "t"), "", "t").value(), 0U);
}

TEST(UnitColumn, GoesAlongToAGraphWithTheSameNames) {
  const UnitColumn column = column_in(test::chain(3), "a,1\nb,2\nc,3\n").column;
  const UnitColumn next = carried(column, test::chain(3), test::fork_join(2));  // a, b, c, d
  EXPECT_THAT(next.values, ElementsAre(Optional(1.0), Optional(2.0), Optional(3.0), Eq(kNothing)));
  EXPECT_EQ(next.title, column.title);
}

}  // namespace

}  // namespace iosx
