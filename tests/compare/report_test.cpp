#include "core/compare/report.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/compare/fake_device.h"
#include "tests/support/graphs.h"

namespace iosx {
namespace {

using test::FakeDevice;
using testing::HasSubstr;
using testing::Not;

Comparison comparison_of(Graph graph, CompareOptions options = {}, Origin origin = Origin::kSimulated) {
  FakeDevice device(origin);
  auto comparison = compare(graph, device, options, {});
  EXPECT_TRUE(comparison) << comparison.error().text();
  return std::move(*comparison);
}

TEST(ComparisonJson, HasTheDocumentedKeys) {
  const Comparison comparison = comparison_of(test::fork_join(3));
  const auto json = comparison_json(comparison);
  EXPECT_EQ(json.at("graph"), comparison.graph->name());
  EXPECT_EQ(json.at("device"), "fake");
  EXPECT_EQ(json.at("origin"), "simulated");
  EXPECT_EQ(json.at("batch"), 1);
  ASSERT_EQ(json.at("schedules").size(), 5U);
  for (const auto& schedule : json.at("schedules")) {
    double sum = 0;
    for (const auto& stage : schedule.at("stages")) {
      EXPECT_THAT(stage.at("strategy"), testing::AnyOf("concurrent", "merge"));
      EXPECT_FALSE(stage.at("groups").empty());
      sum += stage.at("latency_ms").get<double>();
    }
    EXPECT_NEAR(schedule.at("stage_sum_ms").get<double>(), sum, 1e-9);
    EXPECT_GT(schedule.at("latency_ms").get<double>(), 0);
    EXPECT_TRUE(schedule.at("search_seconds").is_number());
    EXPECT_TRUE(schedule.at("stage_measurements").is_number_integer());
  }
  EXPECT_DOUBLE_EQ(json.at("schedules")[0].at("speedup").get<double>(), 1.0);
}

TEST(ComparisonJson, ShowsMergedUnitsAsOneStep) {
  CompareOptions options;
  options.schedules = {"ios-merge"};
  const auto json = comparison_json(comparison_of(test::fork(2), options));
  const auto& stage = json.at("schedules")[0].at("stages")[0];
  EXPECT_EQ(stage.at("strategy"), "merge");
  EXPECT_EQ(stage.at("groups"), nlohmann::ordered_json::parse(R"([["a","b"]])"));
  EXPECT_FALSE(stage.contains("merged"));
}

TEST(ComparisonJson, NamesAMergeInsideAConcurrentStage) {
  const Graph graph = test::fork(3);
  FakeDevice device;
  CompareOptions options;
  options.schedules = {"sequential"};
  Stage stage;
  stage.groups.push_back({{Step{{UnitId(0), UnitId(1)}}}});
  stage.groups.push_back({{Step{{UnitId(2)}}}});
  options.given.push_back(Schedule{"by hand", {stage}});
  const auto comparison = compare(graph, device, options, {});
  ASSERT_TRUE(comparison) << comparison.error().text();
  const auto json = comparison_json(*comparison);
  const auto& shown = json.at("schedules")[1].at("stages")[0];
  EXPECT_EQ(shown.at("strategy"), "concurrent");
  EXPECT_EQ(shown.at("groups"), nlohmann::ordered_json::parse(R"([["a","b"],["c"]])"));
  EXPECT_EQ(shown.at("merged"), nlohmann::ordered_json::parse(R"([["a","b"]])"));
}

TEST(ComparisonJson, LeavesOutWhatWasNotAskedForButMayNameItBest) {
  FakeDevice device;
  device.end_to_end_penalty = Millis{10};
  CompareOptions options;
  options.schedules = {"ios-parallel"};
  const auto comparison = compare(test::fork_join(3), device, options, {});
  ASSERT_TRUE(comparison);
  const auto json = comparison_json(*comparison);
  EXPECT_EQ(json.at("schedules").size(), 1U);
  EXPECT_EQ(json.at("best"), "sequential");
  EXPECT_THAT(comparison_table(*comparison), HasSubstr("not asked for"));
}

TEST(ComparisonTable, IsAlignedAndSaysThatItIsSimulated) {
  const std::string text = comparison_table(comparison_of(test::fork_join(3)));
  EXPECT_THAT(text, HasSubstr("simulated"));
  EXPECT_THAT(text, HasSubstr("not measured"));
  EXPECT_THAT(text, HasSubstr("best: "));
  std::istringstream lines(text);
  std::string line;
  std::vector<std::size_t> widths;
  while (std::getline(lines, line)) {
    if (line.starts_with("schedule ") || line.starts_with("ios-") || line.starts_with("greedy")) {
      widths.push_back(line.size());
    }
  }
  ASSERT_EQ(widths.size(), 5U);
  EXPECT_EQ(std::adjacent_find(widths.begin(), widths.end(), std::not_equal_to<>()), widths.end()) << text;
}

TEST(ComparisonTable, ShowsTheSpreadOfAMeasuredDevice) {
  const std::string text = comparison_table(comparison_of(test::diamond(), {}, Origin::kMeasured));
  EXPECT_THAT(text, HasSubstr("measured latencies"));
  EXPECT_THAT(text, HasSubstr("+- [ms]"));
  EXPECT_THAT(text, Not(HasSubstr("simulated")));
}

TEST(StageCsv, HasOneRowAStage) {
  const Comparison comparison = comparison_of(test::fork_join(3));
  std::size_t stages = 0;
  for (const ScheduleResult& result : comparison.results) stages += result.schedule.stages.size();
  const std::string csv = stage_csv(comparison);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), stages + 1);
  EXPECT_TRUE(csv.starts_with("schedule,stage,strategy,groups,units,latency_ms,spread_ms,samples,origin\n"));
  EXPECT_THAT(csv, HasSubstr("sequential,1,concurrent,1,[a],1.100000,0.000000,1,simulated\n"));
}

TEST(GroupsText, ShowsGroupsStepsAndMerges) {
  const Graph graph = test::fork(4);
  Stage stage;
  stage.groups.push_back({{Step{{UnitId(0)}}, Step{{UnitId(1)}}}});
  stage.groups.push_back({{Step{{UnitId(2), UnitId(3)}}}});
  EXPECT_EQ(groups_text(graph, stage), "[a b] [c+d]");
}

}  // namespace
}  // namespace iosx
