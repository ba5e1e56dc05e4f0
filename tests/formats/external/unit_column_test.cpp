#include "core/formats/external/unit_column.h"

#include <gmock/gmock.h>

#include "core/formats/external/match.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::Eq;
using testing::HasSubstr;
using testing::Optional;

constexpr auto kNothing = std::nullopt;

MatchedColumn column_in(const Graph& graph, std::string_view text, ColumnJoin join = ColumnJoin::kSum) {
  const auto table = read_value_table(text, "values.csv");
  EXPECT_TRUE(table) << table.error().text();
  return column_of_units(*table, 0, join, match_names(table->names, graph), graph);
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
  const Graph graph = test::bipartite(2);
  EXPECT_FALSE(column_in(graph, "name,v\nc.add1,9e299\nc,9e299\n").column.values[2]);
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
  const auto two = read_value_table("name,Mem,err\na,1,2\n", "t");
  ASSERT_TRUE(two);
  EXPECT_EQ(find_value_column(*two, "err", "t").value(), 1U);
  EXPECT_EQ(find_value_column(*two, "mem", "t").value(), 0U);
  EXPECT_EQ(find_value_column(*two, "", "t").error().text(),
            "t: has several columns of numbers (its columns of numbers are 'Mem', 'err')");
  EXPECT_THAT(find_value_column(*two, "power", "t").error().text(), HasSubstr("no column of numbers called 'power'"));
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
