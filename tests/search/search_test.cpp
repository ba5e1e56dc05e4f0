#include "core/search/search.h"

#include "core/model/schedule/baselines.h"
#include "core/search/part_solution.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_latencies.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::arbitrary_latency;
using test::FakeLatencies;

constexpr SearchOptions kBoth{.method = SearchMethod::kExhaustive};
constexpr SearchOptions kParallel{EndingRule::kConnected, {3, 8}, StrategySet::kParallel, SearchMethod::kExhaustive};
constexpr SearchOptions kMerge{EndingRule::kConnected, {3, 8}, StrategySet::kMerge, SearchMethod::kExhaustive};

Graph zoo_graph(std::string_view name) {
  auto graph = zoo_network(name);
  EXPECT_TRUE(graph.has_value());
  return *std::move(graph);
}

std::string key(const Stage& stage) {
  std::string text;
  for (const Group& group : stage.groups) {
    for (const Step& step : group.steps) {
      for (const UnitId unit : step.units) text += std::to_string(unit.index()) + "+";
      text += ";";
    }
    text += "|";
  }
  return text;
}

double cost_of(const Schedule& schedule, double (*latency)(const Stage&)) {
  double sum = 0;
  for (const Stage& stage : schedule.stages) sum += latency(stage);
  return sum;
}

SearchResult found(const Graph& graph, FakeLatencies& latencies, const SearchOptions& options,
                   const JobContext& job = {}) {
  auto result = must(search(graph, latencies, options, job));
  must(check_legal(graph, result.schedule));
  return result;
}

// What the paper measured of its sample network, and for other stages a fixed gain from running side by side that
// shrinks with the number of groups.
double sample_latency(const Stage& stage) {
  constexpr std::array kAlone{0.1107, 0.1260, 0.1060, 0.1255, 0.0179};  // a, b, c, d, concat
  const std::map<std::string, double> published{{"0+;|1+;|", 0.1615}, {"2+;|3+;|", 0.1545}, {"4+;|", 0.0173}};
  if (const auto place = published.find(key(stage)); place != published.end()) return place->second;
  double work = 0;
  for (const UnitId unit : stage.units()) work += kAlone[unit.index()];
  constexpr std::array kShare{1.0, 1.0, 0.75, 0.9};  // of the work, by number of groups
  return work * kShare[std::min<std::size_t>(stage.groups.size(), 3)];
}

TEST(Search, FindsThePapersScheduleOfItsSampleNetwork) {
  const Graph graph = test::sample();
  FakeLatencies latencies(sample_latency);
  const SearchResult result = found(graph, latencies, kParallel);
  ASSERT_EQ(result.schedule.stages.size(), 3U);
  EXPECT_EQ(key(result.schedule.stages[0]), "0+;|1+;|");
  EXPECT_EQ(key(result.schedule.stages[1]), "2+;|3+;|");
  EXPECT_EQ(key(result.schedule.stages[2]), "4+;|");
  EXPECT_NEAR(result.stage_sum.count(), 0.333, 0.0005);  // as published
  EXPECT_TRUE(result.complete);
  EXPECT_EQ(result.schedule.name, "ios-parallel");
}

TEST(Search, AsksForEveryDistinctStageOnce) {
  const Graph graph = zoo_graph("squeezenet");
  FakeLatencies latencies(arbitrary_latency);
  const SearchResult result = found(graph, latencies, kParallel);
  std::set<std::string> asked;
  for (const Stage& stage : latencies.asked()) EXPECT_TRUE(asked.insert(key(stage)).second) << key(stage);
  std::int64_t stages = 0;
  for (const PartSummary& part : result.parts) stages += part.stages;
  EXPECT_EQ(static_cast<std::int64_t>(asked.size()), stages);
  EXPECT_EQ(result.tally.needed, stages);
}

// Quick estimates that are up to a fifth off: what is chosen was refined, and no other schedule is better, going by
// what is known then.
TEST(Search, SettlesWhatItChooses) {
  const Graph graph = zoo_graph("squeezenet");
  const auto quick_estimate = [](const Stage& stage) {
    const double noise = std::fmod(arbitrary_latency(stage) * 7919, 1);
    return arbitrary_latency(stage) * (0.8 + 0.4 * noise);
  };
  FakeLatencies latencies(arbitrary_latency);
  latencies.look_first(quick_estimate);
  const SearchResult result = found(graph, latencies, kParallel);
  for (const Stage& stage : result.schedule.stages) EXPECT_TRUE(latencies.refined(stage)) << key(stage);
  EXPECT_NEAR(result.stage_sum.count(), cost_of(result.schedule, arbitrary_latency), 1e-9);
  FakeLatencies known([&](const Stage& stage) { return latencies.latency_ms(stage); });
  EXPECT_NEAR(found(graph, known, kParallel).stage_sum.count(), result.stage_sum.count(), 1e-9);

  FakeLatencies exact(arbitrary_latency);
  const double best = found(graph, exact, kParallel).stage_sum.count();
  FakeLatencies rough(quick_estimate);
  const double trusting = cost_of(found(graph, rough, kParallel).schedule, arbitrary_latency);
  EXPECT_LT(result.stage_sum.count() - best, trusting - best) << "better than to trust the first looks";
}

TEST(Search, AsksInCoarseBatches) {
  const Graph graph = zoo_graph("inception_v3");
  FakeLatencies latencies(arbitrary_latency);
  EXPECT_GT(found(graph, latencies, kBoth).tally.needed, 5000);
  EXPECT_LT(latencies.requests(), 40);
}

TEST(Search, SumsThePartsAndSummarisesThem) {
  const Graph graph = zoo_graph("squeezenet");
  FakeLatencies latencies(arbitrary_latency);
  const SearchResult result = found(graph, latencies, kParallel);
  ASSERT_EQ(result.parts.size(), graph.parts().size());
  Millis sum{0};
  for (std::size_t p = 0; p < result.parts.size(); ++p) {
    EXPECT_EQ(result.parts[p].part, PartId(p));
    EXPECT_TRUE(result.parts[p].complete);
    sum += result.parts[p].cost;
  }
  EXPECT_EQ(result.parts[1].states, 12);
  EXPECT_EQ(result.parts[1].transitions, 51);
  EXPECT_EQ(result.parts[1].stages, 29);
  EXPECT_DOUBLE_EQ(result.stage_sum.count(), sum.count());
  EXPECT_NEAR(result.stage_sum.count(), cost_of(result.schedule, arbitrary_latency), 1e-9);
  EXPECT_GT(result.elapsed.count(), 0);
  EXPECT_EQ(result.solved_parts, result.parts.size());
}

TEST(Search, IsNeverWorseThanTheBaselinesItContains) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Graph graph = test::random_dag(seed, 9);
    FakeLatencies latencies(arbitrary_latency);
    const SearchOptions free{EndingRule::kConnected, {0, 0}, StrategySet::kBoth};
    const double best = found(graph, latencies, free).stage_sum.count();
    EXPECT_LE(best, cost_of(one_by_one_schedule(graph), arbitrary_latency) + 1e-9);
    EXPECT_LE(best, cost_of(greedy_schedule(graph), arbitrary_latency) + 1e-9);
    EXPECT_LE(best, found(graph, latencies, kParallel).stage_sum.count() + 1e-9);
    EXPECT_LE(best, found(graph, latencies, kMerge).stage_sum.count() + 1e-9);
  }
}

// Parts meet: what the first stage of one costs depends on the last of the one before.
TEST(Search, WeighsGapsAcrossParts) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    GraphBuilder builder("forks");
    const Value in = builder.input("in", {8, 9, 9});
    Conv conv{.out_channels = 8};
    Value last = in;
    for (int part = 0; part < 3; ++part) {
      builder.begin_part(fmt::format("p{}", part));
      const Value a = builder.add(fmt::format("a{}", part), conv, {last});
      const Value b = builder.add(fmt::format("b{}", part), conv, {last});
      last = builder.add(fmt::format("c{}", part), Add{}, {a, b});
    }
    auto built = must(std::move(builder).build());
    FakeLatencies latencies(arbitrary_latency);
    const Millis wait(0.2 * static_cast<double>(seed));
    const InterStageOverhead overhead{{Millis(0.3), Millis(0.1)},
                                      {InterStageOverhead::ByWidth{Millis(0), wait}, {wait * 1.5, wait * 0.7}}};
    latencies.set_overhead(overhead);
    const SearchResult result = found(built, latencies, kParallel);
    EXPECT_NEAR(result.stage_sum.count(),
                cost_of(result.schedule, arbitrary_latency) + overhead.sum(result.schedule).count(), 1e-9);
    Millis parts{0};
    for (const PartSummary& part : result.parts) parts += part.cost;
    EXPECT_NEAR(parts.count(), result.stage_sum.count(), 1e-9);
    // The same graph in one part: the choice over all parts at once.
    const Graph whole = built.with_parts({Part{"whole", [&] {
                                                 std::vector<UnitId> units;
                                                 for (std::size_t i = 0; i < built.units().size(); ++i)
                                                   units.emplace_back(i);
                                                 return units;
                                               }()}});
    FakeLatencies again(arbitrary_latency);
    again.set_overhead(overhead);
    const double best = found(whole, again, kParallel).stage_sum.count();
    EXPECT_LE(best, result.stage_sum.count() + 1e-9);
    const double sequential =
        cost_of(one_by_one_schedule(built), arbitrary_latency) + overhead.sum(one_by_one_schedule(built)).count();
    EXPECT_LE(result.stage_sum.count(), sequential + 1e-9);
  }
}

// 1 ms a merged stage, 2 ms any other.
double merging_pays(const Stage& stage) { return stage.groups.front().steps.front().merged() ? 1 : 2; }

TEST(Search, MergesWhereItPays) {
  const Graph graph = test::fork(3);
  FakeLatencies latencies(merging_pays);
  const SearchResult both = found(graph, latencies, kBoth);
  EXPECT_EQ(both.schedule.stages, (std::vector{merge_stage({UnitId(0), UnitId(1), UnitId(2)})}));
  EXPECT_EQ(both.stage_sum, Millis(1));
  EXPECT_EQ(both.schedule.name, "ios-both");
  const SearchResult merge = found(graph, latencies, kMerge);
  EXPECT_EQ(merge.schedule.stages, both.schedule.stages);
  EXPECT_EQ(merge.schedule.name, "ios-merge");
  const SearchResult parallel = found(graph, latencies, kParallel);
  EXPECT_EQ(strategy_of(graph, parallel.schedule.stages.front()), Strategy::kConcurrent);
}

TEST(Search, StaysConcurrentWhereMergingOnlyTies) {
  const Graph graph = test::fork(2);
  FakeLatencies latencies([](const Stage&) { return 1.0; });
  const SearchResult result = found(graph, latencies, kBoth);
  ASSERT_EQ(result.schedule.stages.size(), 1U);
  EXPECT_EQ(strategy_of(graph, result.schedule.stages.front()), Strategy::kConcurrent);
}

TEST(Search, MergeAloneRunsTheRestSequentially) {
  const Graph graph = test::sample();
  FakeLatencies latencies(sample_latency);
  for (const Stage& stage : found(graph, latencies, kMerge).schedule.stages) {
    ASSERT_EQ(stage.groups.size(), 1U);
    EXPECT_EQ(stage.groups.front().steps.size(), 1U);
  }
}

TEST(Search, GivesTheSameScheduleForTheSameLatencies) {
  const Graph graph = zoo_graph("inception_v3");
  // Three values only: almost everything ties.
  const auto coarse = [](const Stage& stage) { return 1.0 + static_cast<int>(arbitrary_latency(stage) * 3) % 3; };
  FakeLatencies first(coarse);
  FakeLatencies second(coarse);
  EXPECT_EQ(found(graph, first, kBoth).schedule, found(graph, second, kBoth).schedule);
}

TEST(Search, AStopKeepsThePartsThatWereSolved) {
  const Graph graph = zoo_graph("inception_v3");
  FakeLatencies whole(arbitrary_latency);
  const SearchResult expected = found(graph, whole, kParallel);

  // In the middle of part 2: parts 0 and 1 are solved.
  const auto before = static_cast<std::size_t>(expected.parts[0].stages + expected.parts[1].stages);
  FakeLatencies latencies(arbitrary_latency);
  std::stop_source stop;
  latencies.stop_after(before + 100, stop);
  const SearchResult result = found(graph, latencies, kParallel, JobContext{stop.get_token(), {}});
  EXPECT_FALSE(result.complete);
  EXPECT_EQ(latencies.asked().size(), before + 100);
  ASSERT_EQ(result.parts.size(), expected.parts.size());
  for (std::size_t p = 0; p < 2; ++p) {
    EXPECT_TRUE(result.parts[p].complete);
    EXPECT_EQ(result.parts[p].cost, expected.parts[p].cost);
  }
  // Part 2 has the best of what was measured: no worse than sequential, no better than the optimum.
  EXPECT_FALSE(result.parts[2].complete);
  double sequential = 0;
  for (const UnitId unit : graph.parts()[2].units) sequential += arbitrary_latency(single_unit_stage(unit));
  EXPECT_GE(result.parts[2].cost, expected.parts[2].cost);
  EXPECT_LT(result.parts[2].cost.count(), sequential);
  // The others run sequentially.
  EXPECT_EQ(result.solved_parts, 3U);
  for (std::size_t p = 3; p < result.parts.size(); ++p) {
    EXPECT_EQ(result.parts[p].part, PartId(p));
    EXPECT_FALSE(result.parts[p].complete);
    EXPECT_EQ(result.parts[p].cost, Millis(0));
  }
  const auto& stages = result.schedule.stages;
  const std::size_t left = graph.parts().size() - 3;
  ASSERT_GE(stages.size(), left);
  for (std::size_t i = 0; i < left; ++i) {
    EXPECT_EQ(stages[stages.size() - left + i], sequential_stage(graph.parts()[3 + i]));
  }
}

TEST(Search, AStopBeforeTheStartGivesTheSequentialSchedule) {
  const Graph graph = zoo_graph("squeezenet");
  FakeLatencies latencies(arbitrary_latency);
  const SearchResult result = found(graph, latencies, kBoth, JobContext{stopped_token(), {}});
  EXPECT_FALSE(result.complete);
  EXPECT_TRUE(latencies.asked().empty());
  EXPECT_EQ(result.schedule.stages, sequential_schedule(graph).stages);
  EXPECT_EQ(result.solved_parts, 0U);
  for (const PartSummary& part : result.parts) EXPECT_FALSE(part.complete);
}

TEST(Search, ReportsProgressUpToTheEnd) {
  const Graph graph = zoo_graph("inception_v3");
  FakeLatencies latencies(arbitrary_latency);
  std::vector<Progress> seen;
  const SearchResult result =
      found(graph, latencies, kParallel, JobContext{{}, [&](const Progress& progress) { seen.push_back(progress); }});
  std::int64_t done = 0;
  for (const Progress& progress : seen) {
    EXPECT_EQ(progress.total, static_cast<std::int64_t>(graph.units().size()));
    EXPECT_GE(progress.done, done);
    done = progress.done;
  }
  EXPECT_TRUE(result.complete);
  EXPECT_GT(seen.size(), graph.parts().size());
  EXPECT_EQ(done, static_cast<std::int64_t>(graph.units().size()));
}

TEST(Search, TheBudgetIsEachPartsOwn) {
  const Graph graph = zoo_graph("inception_v3");
  FakeLatencies latencies(arbitrary_latency);
  std::int64_t largest = 0;
  std::int64_t all = 0;
  for (const PartSummary& part : found(graph, latencies, kParallel).parts) {
    largest = std::max(largest, part.transitions);
    all += part.transitions;
  }
  ASSERT_LT(largest * 2, all);
  const auto budget = [](std::int64_t transitions) {
    return SpaceBudget{1'000'000, static_cast<std::size_t>(transitions)};
  };
  EXPECT_TRUE(search_exhaustively(graph, latencies, kParallel, {}, budget(largest)).has_value());
  EXPECT_FALSE(search_exhaustively(graph, latencies, kParallel, {}, budget(largest - 1)).has_value());
}

TEST(Search, PassesOnTheErrorOfTheSource) {
  const Graph graph = zoo_graph("squeezenet");
  FakeLatencies latencies(arbitrary_latency);
  latencies.fail_after(100);
  EXPECT_EQ(refused(search(graph, latencies, kBoth, {})).what, "the fake device broke");
}

TEST(Search, RefusesLatenciesThatAreNone) {
  for (const double latency : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    FakeLatencies latencies([=](const Stage&) { return latency; });
    EXPECT_FALSE(search(test::diamond(), latencies, kBoth, {}).has_value()) << latency;
  }
}

TEST(Search, RefusesPartsThatAreTooLarge) {
  FakeLatencies latencies(arbitrary_latency);
  EXPECT_THAT(refused(search(test::chain(65), latencies, kBoth, {})).text(), ::testing::HasSubstr("at most 64 units"));
  const Error space = refused(search_exhaustively(test::fork(20), latencies, kBoth, {}, SpaceBudget{1000, 100'000}));
  EXPECT_THAT(space.text(), ::testing::HasSubstr("part 'fork' of 20 units: the search has more than 1000 states"));
  EXPECT_TRUE(latencies.asked().empty());
}

}  // namespace
}  // namespace iosx
