#include "core/search/lazy/windows.h"

#include "core/devices/measure/latency_sources.h"
#include "core/model/schedule/baselines.h"
#include "core/search/prepare.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"

namespace iosx {
namespace {

std::unique_ptr<Device> v100() { return test::simulated("tesla-v100"); }

SearchResult search_of(const Graph& graph, LatencySource& source, SearchMethod method = SearchMethod::kLazy,
                       const JobContext& job = {}) {
  return must(search(graph, source, SearchOptions{.method = method}, job));
}

double sum_of_parts(const SearchResult& result) {
  double sum = 0;
  for (const PartSummary& part : result.parts) sum += part.cost.count();
  return sum;
}

double summed(const Schedule& schedule, LatencySource& source) {
  double sum = source.overhead().sum(schedule).count();
  const auto latencies = source.stage_latencies(schedule.stages, {}).value();
  for (const Latency& latency : latencies) sum += latency.value.count();
  return sum;
}

void expect_consistent(const Graph& graph, const SearchResult& result, LatencySource& source) {
  EXPECT_TRUE(check_legal(graph, result.schedule).has_value());
  const double sum = summed(result.schedule, source);
  EXPECT_NEAR(result.stage_sum.count(), sum, 1e-9);
  EXPECT_NEAR(sum_of_parts(result), sum, 1e-9);
}

// Thousands of branches have windows without end: a search without a budget of its own ends soon, and says so.
TEST(Windows, OfVeryWideGraphsEndByABudgetOfTheirOwn) {
  if (test::kSanitized) GTEST_SKIP() << "takes minutes under the sanitizers";
  auto [builder, in] = test::sketch("wide", Shape{8, 8, 8});
  std::vector<Value> ends;
  for (int i = 0; i < 2000; ++i)
    ends.push_back(builder.add("", Pool{.kernel = {3, 3}, .stride = {1, 1}, .padding = {1, 1}}, {in}));
  for (std::size_t next = 0; next + 1 < ends.size(); next += 2) {
    ends.push_back(builder.add("", Add{}, {ends[next], ends[next + 1]}));
  }
  const auto whole = must(std::move(builder).build());
  const auto cut = must(prepare(whole, {}));
  const auto device = v100();
  DeviceLatencySource source(cut, *device, 1);
  const SearchResult found = search_of(cut, source, SearchMethod::kAutomatic);
#ifdef NDEBUG
  EXPECT_LT(found.elapsed, Seconds(60));
#endif
  EXPECT_TRUE(found.complete);
  ASSERT_TRUE(found.lazy);
  EXPECT_TRUE(found.lazy->out_of_budget);
  EXPECT_TRUE(check_legal(cut, found.schedule).has_value());
}

// Cut although it need not be, so that the optimum is known.
TEST(Windows, FindNearlyWhatTheWholePartHolds) {
  const auto device = v100();
  int better = 0;
  for (std::uint64_t seed = 1; seed <= 12; seed += test::every(6)) {
    const Graph whole = test::random_dag(seed, 16);
    const auto cut = must(prepare(whole, {}, kDefaultMaxPartSize, {.states = 60, .transitions = 400}));
    if (cut.parts().size() == prepare(whole, {})->parts().size()) continue;
    DeviceLatencySource all(whole, *device, 1);
    DeviceLatencySource few(cut, *device, 1);
    const SearchResult optimum = search_of(*prepare(whole, {}), all, SearchMethod::kExhaustive);
    const SearchResult joined = search_of(cut, few);
    ASSERT_TRUE(joined.lazy);
    ASSERT_FALSE(joined.lazy->joined.empty()) << seed;
    expect_consistent(cut, joined, few);
    EXPECT_LE(joined.stage_sum / optimum.stage_sum, 1.05) << seed;
    EXPECT_LE(joined.lazy->bound, optimum.stage_sum * (1 + 1e-9)) << seed;
    for (const JoinedParts& parts : joined.lazy->joined) {
      EXPECT_LE(parts.after, parts.before);
      EXPECT_GT(parts.windows, 0);
      if (parts.after < parts.before) ++better;
    }
  }
  EXPECT_GT(better, 0);
}

TEST(Windows, APartOfMoreUnitsThanASetHolds) {
  const auto device = v100();
  const Graph graph = prepare(test::random_dag(3, 64 + 64 / test::every(4)), {}).value();
  EXPECT_TRUE(graph.parts().front().continued);
  EXPECT_FALSE(graph.parts().back().continued);
  DeviceLatencySource source(graph, *device, 1);
  const SearchResult result = search_of(graph, source, SearchMethod::kAutomatic);  // lazy, however few the candidates
  ASSERT_TRUE(result.lazy);
  expect_consistent(graph, result, source);
  DeviceLatencySource other(graph, *device, 1);
  EXPECT_LE(result.stage_sum.count(), summed(greedy_schedule(graph), other));
  ASSERT_EQ(result.lazy->joined.size(), 1U);
  EXPECT_EQ(result.lazy->joined.front().units, graph.units().size());
  EXPECT_GE(result.lazy->joined.front().states, static_cast<double>(graph.units().size()));
  EXPECT_LT(result.lazy->bound, result.stage_sum);
  EXPECT_EQ(result.lazy->estimated_gap, result.lazy->certified_gap);
  double tasks = 0;
  for (const SearchTask& task : result.lazy->tasks) {
    tasks += task.cost.count() * static_cast<double>(task.parts.size());
  }
  EXPECT_NEAR(tasks, result.stage_sum.count(), 1e-9);
}

TEST(Windows, SmallerPartsThanTheDefaultAreKeptApart) {
  const auto device = v100();
  const Graph graph = prepare(test::random_dag(3, 40), {}, 10).value();
  for (const Part& part : graph.parts()) EXPECT_FALSE(part.continued);
  DeviceLatencySource source(graph, *device, 1);
  EXPECT_TRUE(search_of(graph, source).lazy->joined.empty());
}

// Latencies that follow no law.
TEST(Windows, WhatTheySayIsTrueWhateverTheLatencies) {
  const Graph graph = prepare(test::random_dag(7, 70), {}).value();
  test::FakeLatencies latencies(test::arbitrary_latency);
  const SearchResult result = search_of(graph, latencies);
  ASSERT_FALSE(result.lazy->joined.empty());
  expect_consistent(graph, result, latencies);
}

TEST(Windows, AStopLeavesWhatWasFound) {
  const auto device = v100();
  const Graph graph = prepare(test::random_dag(3, 80), {}).value();
  std::stop_source stop;
  const JobContext job{stop.get_token(), [&](const Progress& progress) {
                         if (progress.phase.text().starts_with("joining")) stop.request_stop();
                       }};
  DeviceLatencySource source(graph, *device, 1);
  const SearchResult result = search_of(graph, source, SearchMethod::kLazy, job);
  expect_consistent(graph, result, source);
  ASSERT_EQ(result.lazy->joined.size(), 1U);
  EXPECT_EQ(result.lazy->joined.front().windows, 1);
}

}  // namespace
}  // namespace iosx
