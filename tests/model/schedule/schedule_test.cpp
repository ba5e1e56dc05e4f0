#include "core/model/schedule/schedule.h"

#include <gtest/gtest.h>

#include <utility>

#include "core/model/graph/builder.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

TEST(Stage, ListsUnitsById) {
  Stage stage = merge_stage({UnitId(4), UnitId(1)});
  stage.groups.push_back(Group{{Step{{UnitId(2)}}, Step{{UnitId(3)}}}});
  EXPECT_EQ(stage.units(), (std::vector{UnitId(1), UnitId(2), UnitId(3), UnitId(4)}));
}

TEST(Stage, StrategyIsMergeForOneMergedStepAlone) {
  const Graph graph = test::fork(3);
  EXPECT_EQ(strategy_of(graph, merge_stage({UnitId(0), UnitId(1)})), Strategy::kMerge);
  EXPECT_EQ(strategy_of(graph, single_unit_stage(UnitId(0))), Strategy::kConcurrent);
  Stage with_neighbour = merge_stage({UnitId(0), UnitId(1)});
  with_neighbour.groups.push_back(Group{{Step{{UnitId(2)}}}});
  EXPECT_EQ(strategy_of(graph, with_neighbour), Strategy::kConcurrent);
  const Stage two_steps{{Group{{Step{{UnitId(0), UnitId(1)}}, Step{{UnitId(2)}}}}}};
  EXPECT_EQ(strategy_of(graph, two_steps), Strategy::kConcurrent);
  EXPECT_EQ(strategy_of(graph, Stage{}), Strategy::kConcurrent);
}

TEST(Stage, StrategyIsMergeForAConvolutionMergedInItsFile) {
  GraphBuilder builder("merged");
  Conv conv;
  conv.out_channels = 4;
  const Value in = builder.input("in", {4, 8, 8});
  builder.add("plain", conv, {in});
  conv.merged_from = {"x", "y"};
  builder.add("merged", conv, {in});
  const auto graph = std::move(builder).build();
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(strategy_of(*graph, single_unit_stage(UnitId(0))), Strategy::kConcurrent);
  EXPECT_EQ(strategy_of(*graph, single_unit_stage(UnitId(1))), Strategy::kMerge);
}

TEST(Stage, StrategiesHaveNames) {
  EXPECT_EQ(strategy_name(Strategy::kConcurrent), "concurrent");
  EXPECT_EQ(strategy_name(Strategy::kMerge), "merge");
}

}  // namespace
}  // namespace iosx
