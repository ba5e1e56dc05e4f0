#include "core/analysis/compare/network_times.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/comparison_tables.h"
#include "core/analysis/compare/report.h"
#include "core/model/graph/networks.h"
#include "core/tables/render.h"
#include "tests/support/graphs.h"
#include "tests/support/scripted_device.h"

namespace iosx {
namespace {

using testing::HasSubstr;

Graph two_networks() {
  const Graph one = test::chain(3);
  const Graph other = test::fork_join(3);
  return *unite(std::array{&one, &other});
}

Comparison compared(const Graph& graph, CompareOptions options = {}) {
  test::ScriptedDevice device(std::make_shared<test::ScriptedBehaviour>(), test::ScriptedKind::kGpu);
  auto comparison = compare(graph, device, options, {});
  EXPECT_TRUE(comparison) << comparison.error().text();
  return std::move(*comparison);
}

// Side by side is made of several networks, and never of one.
TEST(NetworkTimes, AComparisonOfSeveralNetworksHasThemSideBySide) {
  const Comparison both = compared(two_networks());
  const ScheduleResult* const side = both.find(ScheduleKind::kSideBySide);
  ASSERT_NE(side, nullptr);
  EXPECT_TRUE(side->asked);
  EXPECT_EQ(side - both.results.data(), 2) << "after sequential and greedy";
  EXPECT_EQ(compared(test::chain(3)).find(ScheduleKind::kSideBySide), nullptr);
  CompareOptions options;
  options.schedule_kinds = {ScheduleKind::kIosBoth};
  const Comparison few = compared(two_networks(), options);
  ASSERT_NE(few.find(ScheduleKind::kSideBySide), nullptr);
  EXPECT_FALSE(few.find(ScheduleKind::kSideBySide)->asked);
  EXPECT_LE(few.results[few.best()].latency.value, few.find(ScheduleKind::kSideBySide)->latency.value);
  options.schedule_kinds = {ScheduleKind::kSideBySide};
  EXPECT_TRUE(compared(two_networks(), options).find(ScheduleKind::kSideBySide)->asked);
  test::ScriptedDevice device(std::make_shared<test::ScriptedBehaviour>(), test::ScriptedKind::kGpu);
  const auto refused = compare(test::chain(3), device, options, {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().text(), HasSubstr("needs several networks"));
}

TEST(NetworkTimes, InTurnTheSecondNetworkEndsLast) {
  const Comparison both = compared(two_networks());
  const ScheduleResult& turn = *both.find(ScheduleKind::kSequential);
  const auto times = network_times(*both.graph, turn);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].name, both.graph->networks()[0]);
  EXPECT_LE(times[0].ends, times[1].begins + Millis(1e-9));
  EXPECT_NEAR(times[1].ends.count(), turn.latency.value.count(), 1e-9);
  const auto alone = alone_times(both);
  ASSERT_EQ(alone.size(), 2U);
  double sum = 0;
  for (const Latency& stage : turn.stage_latencies) sum += stage.value.count();
  EXPECT_NEAR(alone[0]->count() + alone[1]->count(), sum, 0.1 * sum);
}

TEST(NetworkTimes, AreNoneOfOneNetwork) {
  const Comparison one = compared(test::chain(3));
  EXPECT_TRUE(network_times(*one.graph, one.results.front()).empty());
  EXPECT_TRUE(alone_times(one).empty());
  EXPECT_TRUE(network_list(one).rows.empty());
  EXPECT_FALSE(comparison_json(one).contains("networks"));
  EXPECT_THAT(comparison_table(one), testing::Not(HasSubstr("own latency")));
}

TEST(NetworkTimes, StandInEveryReport) {
  const Comparison both = compared(two_networks());
  const auto json = comparison_json(both);
  ASSERT_EQ(json.at("networks").size(), 2U);
  EXPECT_GT(json.at("networks")[0].at("alone_ms").get<double>(), 0);
  for (const auto& schedule : json.at("schedules")) {
    double last = 0;
    for (const auto& network : schedule.at("networks")) last = std::max(last, network.at("latency_ms").get<double>());
    EXPECT_NEAR(last, schedule.at("latency_ms").get<double>(), 1e-9) << schedule.at("id");
  }
  const std::string csv = table_csv(network_list(both));
  EXPECT_EQ(std::ranges::count(csv, '\n'), 1 + 2 + 2 * static_cast<int>(json.at("schedules").size()));
  EXPECT_THAT(comparison_table(both), testing::AllOf(HasSubstr("own latency: "), HasSubstr("alone")));
}

}  // namespace
}  // namespace iosx
