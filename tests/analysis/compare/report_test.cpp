#include "core/analysis/compare/report.h"
#include "core/analysis/compare/compare.h"
#include "core/analysis/compare/comparison.h"
#include "core/base/text.h"
#include "core/devices/measure/statistics.h"
#include "core/model/graph/networks.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"

namespace iosx {
namespace {

using test::FakeDevice;

Comparison comparison_of(const Graph& graph, const CompareOptions& options = {}, Origin origin = Origin::kSimulated) {
  FakeDevice device(origin);
  return must(compare(graph, device, options, {}));
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
    double sum = schedule.at("between_stages_ms").get<double>();
    for (const auto& stage : schedule.at("stages")) {
      EXPECT_THAT(stage.at("strategy"), AnyOf("concurrent", "merge"));
      EXPECT_FALSE(stage.at("groups").empty());
      sum += stage.at("latency_ms").get<double>();
    }
    EXPECT_NEAR(schedule.at("stage_sum_ms").get<double>(), sum, 1e-9);
    EXPECT_GT(schedule.at("latency_ms").get<double>(), 0);
    EXPECT_TRUE(schedule.at("search_seconds").is_number());
    EXPECT_EQ(schedule.at("needed"), schedule.at("measured").get<int>() + schedule.at("reused").get<int>());
  }
  EXPECT_DOUBLE_EQ(json.at("schedules")[0].at("speedup").get<double>(), 1.0);
}

// Nobody knows what Foo costs, so no schedule is the best.
TEST(ComparisonJson, LeavesOutLatenciesThatNobodyKnows) {
  const auto compared = [](const Opaque& opaque) {
    auto [builder, in] = test::sketch("unknown", Shape{8});
    const Value foo = builder.add("foo", opaque, {in});
    builder.add("a", Activate{{ActivationKind::kRelu}}, {in});
    builder.add("y", Activate{{ActivationKind::kRelu}}, {foo});
    return comparison_of(must(std::move(builder).build()));
  };
  const Comparison unknown = compared({.type = "Foo", .shape = {8}});
  EXPECT_FALSE(unknown.knows_latencies());
  const auto json = comparison_json(unknown);
  EXPECT_EQ(json.at("latencies"), "unknown");
  EXPECT_TRUE(json.at("best").is_null());
  const auto& sequential = json.at("schedules")[0];
  for (const char* const key : {"latency_ms", "speedup", "stage_sum_ms"}) EXPECT_TRUE(sequential.at(key).is_null());
  for (const auto& schedule : json.at("schedules")) EXPECT_TRUE(schedule.value("bound_ms", nlohmann::json()).is_null());
  for (const ScheduleResult& result : unknown.results) {
    EXPECT_TRUE(result.trace.kernels.empty()) << "a timeline would show made-up times";
    EXPECT_EQ(result.stage_sum, Millis(0));
    for (std::size_t i = 0; i < result.stage_latencies.size(); ++i) {
      EXPECT_EQ(result.stage_latencies[i].value > Millis(0), unknown.knows_latency(result.schedule.stages[i]));
    }
  }
  EXPECT_FALSE(unknown.one_by_one || unknown.own_lanes);
  const std::string table = comparison_table(unknown);
  EXPECT_THAT(table, AllOf(HasSubstr(kUnknownLatencies.pattern), HasSubstr("no schedule is the best"),
                           Not(HasSubstr("best: "))));
  const Comparison known = compared({.type = "Foo", .shape = {8}, .costed = true, .flops = 8});
  EXPECT_TRUE(known.knows_latencies());
  EXPECT_FALSE(comparison_json(known).contains("latencies"));
  EXPECT_THAT(comparison_table(known), HasSubstr("best: "));
}

TEST(ComparisonJson, HasTheDistributionOfSingleRuns) {
  Comparison comparison = comparison_of(test::fork_join(3), {}, Origin::kMeasured);
  comparison.results[0].samples.clear();
  for (int i = 40; i >= 1; --i) comparison.results[0].samples.emplace_back(i);
  comparison.results[1].samples.clear();
  const auto json = comparison_json(comparison);
  const auto& known = json.at("schedules")[0].at("distribution");
  EXPECT_EQ(known.at("p50_ms"), 20.5);
  EXPECT_EQ(known.at("p95_ms"), 38.0);
  EXPECT_TRUE(known.at("p99_ms").is_null()) << "40 runs are too few";
  EXPECT_EQ(known.at("samples_ms").size(), 40U);
  EXPECT_EQ(known.at("samples_ms")[0], 40.0) << "in the order of the runs";
  EXPECT_FALSE(json.at("schedules")[1].contains("distribution"));
  const std::string table = comparison_table(comparison);
  EXPECT_THAT(table, AllOf(HasSubstr("p95 [ms]"), HasSubstr("38.000"), HasSubstr(" few ")));
  const std::string csv = table_csv(sample_list(comparison));
  EXPECT_TRUE(csv.starts_with("schedule,latency_ms,origin\nsequential,40,measured\nsequential,39,"));
  EXPECT_THAT(csv, Not(HasSubstr(comparison.results[1].id.text() + ",")));
  // What is simulated has one run without noise.
  const Comparison simulated = comparison_of(test::fork_join(3));
  EXPECT_THAT(comparison_table(simulated), Not(HasSubstr("p95")));
  EXPECT_TRUE(sample_list(simulated).rows.empty());
}

TEST(ComparisonJson, ShowsMergedUnitsAsOneStep) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kIosMerge}};
  const auto json = comparison_json(comparison_of(test::fork(2), options));
  const auto& stage = json.at("schedules")[0].at("stages")[0];
  EXPECT_EQ(stage.at("strategy"), "merge");
  EXPECT_EQ(stage.at("groups"), nlohmann::ordered_json::parse(R"([["a","b"]])"));
  EXPECT_FALSE(stage.contains("merged"));
}

TEST(ComparisonJson, NamesAMergeInsideAConcurrentStage) {
  const Graph graph = test::fork(3);
  FakeDevice device;
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential}};
  Stage stage;
  stage.groups.push_back({{Step{{UnitId(0), UnitId(1)}}}});
  stage.groups.push_back({{Step{{UnitId(2)}}}});
  options.given = {{Schedule{"mine", {stage}}, ScheduleKind::kByHand}};
  const auto comparison = must(compare(graph, device, options, {}));
  const auto json = comparison_json(comparison);
  const auto& shown = json.at("schedules")[1].at("stages")[0];
  EXPECT_EQ(shown.at("strategy"), "concurrent");
  EXPECT_EQ(shown.at("groups"), nlohmann::ordered_json::parse(R"([["a","b"],["c"]])"));
  EXPECT_EQ(shown.at("merged"), nlohmann::ordered_json::parse(R"([["a","b"]])"));
}

TEST(ComparisonJson, LeavesOutWhatWasNotAskedForButMayNameItBest) {
  FakeDevice device(Origin::kMeasured);
  device.end_to_end_penalty = Millis{10};
  CompareOptions options{.schedule_kinds = {ScheduleKind::kIosParallel}};
  const auto comparison = must(compare(test::fork_join(3), device, options, {}));
  const auto json = comparison_json(comparison);
  EXPECT_EQ(json.at("schedules").size(), 1U);
  EXPECT_EQ(json.at("best"), "sequential");
  EXPECT_THAT(comparison_table(comparison), HasSubstr("not requested"));
}

TEST(ComparisonTable, IsAlignedAndSaysThatItIsSimulated) {
  const std::string text = comparison_table(comparison_of(test::fork_join(3)));
  EXPECT_THAT(text, AllOf(HasSubstr("simulated"), HasSubstr("not measured"), HasSubstr("best: ")));
  std::istringstream lines(text);
  std::string line;
  std::vector<std::size_t> widths;
  while (std::getline(lines, line)) {
    if (line.starts_with("schedule ") || line.starts_with("ios-") || line.starts_with("greedy")) {
      widths.push_back(static_cast<std::size_t>(std::ranges::count_if(line, starts_character)));
    }
  }
  ASSERT_EQ(widths.size(), 5U);
  EXPECT_EQ(std::adjacent_find(widths.begin(), widths.end(), std::not_equal_to<>()), widths.end()) << text;
}

TEST(ComparisonTable, ShowsTheSpreadOfAMeasuredDevice) {
  Comparison comparison = comparison_of(test::diamond(), {}, Origin::kMeasured);
  comparison.results[1].latency.spread = Millis(0.1);
  const std::string text = comparison_table(comparison);
  EXPECT_THAT(text, AllOf(HasSubstr("measured latencies"), HasSubstr(" ± "), Not(HasSubstr("simulated"))));
}

TEST(Clock, IsToldWhereItIsKnown) {
  Comparison comparison = comparison_of(test::diamond(), {}, Origin::kMeasured);
  EXPECT_EQ(clock_text(comparison.results), "");
  EXPECT_THAT(comparison_table(comparison), Not(HasSubstr("clock")));
  EXPECT_FALSE(comparison_json(comparison).at("schedules")[0].contains("clock_mhz"));
  for (ScheduleResult& result : comparison.results) result.latency.clock_mhz = 1980.2;
  EXPECT_THAT(comparison_table(comparison), HasSubstr("\nSM clock 1980 MHz\n"));
  EXPECT_THAT(comparison_table(comparison), Not(HasSubstr("low clock")));
  comparison.results[1].discarded = 12;
  comparison.results[1].low_clock = true;
  EXPECT_THAT(comparison_table(comparison), HasSubstr("1980 MHz; 12 samples thrown away"));
  EXPECT_THAT(comparison_table(comparison), HasSubstr("the clock stayed low"));
  EXPECT_EQ(comparison_json(comparison).at("schedules")[1].at("discarded_samples"), 12);
  EXPECT_EQ(comparison_json(comparison).at("schedules")[1].at("low_clock"), true);
  comparison.results[1].discarded = 0;
  comparison.results[1].low_clock = false;
  comparison.results[1].latency.clock_mhz = 1755;
  EXPECT_THAT(comparison_table(comparison), HasSubstr("\nSM clock 1755 to 1980 MHz\n"));
  EXPECT_EQ(comparison_json(comparison).at("schedules")[1].at("clock_mhz"), 1755);
  comparison.results[1].asked = false;
  EXPECT_EQ(clock_text(comparison.results), "SM clock 1980 MHz");
}

// Two schedules of seven rounds each; the second's are given.
Comparison race_of(std::vector<double> rounds) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kGreedy}};
  Comparison comparison = comparison_of(test::fork_join(3), options, Origin::kMeasured);
  for (ScheduleResult& result : comparison.results) {
    result.rounds.assign(rounds.size(), Millis{10});
    result.latency = {Millis{10}, Millis{0.5}, 70, Origin::kMeasured};
  }
  ScheduleResult& greedy = comparison.results[1];
  std::transform(rounds.begin(), rounds.end(), greedy.rounds.begin(), [](double round) { return Millis{round}; });
  greedy.latency.value = median(greedy.rounds);
  return comparison;
}

TEST(Noise, IsToldInTheTableAndTheJson) {
  const Comparison close = race_of({9.7, 10.1, 9.8, 9.9, 10.2, 9.6, 9.8});
  EXPECT_THAT(comparison_table(close),
              HasSubstr("best: greedy, 9.800 ms, 1.02 times as fast as sequential (within the noise)\n"));
  EXPECT_THAT(comparison_table(close), HasSubstr("0.98–1.04"));
  const auto json = comparison_json(close).at("schedules")[1];
  EXPECT_EQ(json.at("within_noise"), true);
  EXPECT_NEAR(json.at("speedup_interval")[0].get<double>(), 10 / 10.2, 1e-9);
  EXPECT_NEAR(json.at("speedup_interval")[1].get<double>(), 10 / 9.6, 1e-9);

  const Comparison clear = race_of({8, 8.1, 8.2, 8, 8.1, 8.1, 8.3});
  EXPECT_THAT(comparison_table(clear), HasSubstr("1.23 times as fast as sequential\n"));
  EXPECT_EQ(comparison_json(clear).at("schedules")[1].at("within_noise"), false);

  Comparison once = race_of({8});
  for (ScheduleResult& result : once.results) result.latency.samples = 1;
  EXPECT_THAT(comparison_table(once), HasSubstr("(too few runs to tell)"));
  EXPECT_FALSE(comparison_json(once).at("schedules")[1].contains("speedup_interval"));
}

TEST(Noise, IsNoneWhereTimesAreSimulated) {
  const auto json = comparison_json(comparison_of(test::fork_join(3)));
  for (const auto& schedule : json.at("schedules")) EXPECT_FALSE(schedule.contains("within_noise"));
  EXPECT_THAT(comparison_table(comparison_of(test::fork_join(3))), Not(HasSubstr("noise")));
}

TEST(KnownFacts, AreShownWhereTheDeviceGivesThem) {
  test::ComputingDevice device;
  const auto comparison = must(compare(test::fork_join(3), device, {}, {}));
  EXPECT_THAT(comparison_table(comparison), AllOf(HasSubstr("tensors [MB]"), HasSubstr("1.50")));
  const auto greedy = comparison_json(comparison).at("schedules")[1];
  EXPECT_EQ(greedy.at("peak_bytes"), 1'500'000);
  EXPECT_EQ(greedy.at("stages")[1].at("lane_threads"), nlohmann::ordered_json::parse("[2,2,2]"));
  EXPECT_FALSE(greedy.contains("verification"));
  const auto simulated = comparison_json(comparison_of(test::fork_join(3))).at("schedules")[1];
  EXPECT_FALSE(simulated.contains("peak_bytes"));
  EXPECT_FALSE(simulated.at("stages")[1].contains("lane_threads"));
}

// Planned, of a simulated device too; what is over a limit is marked, and never the best.
TEST(PlannedPeak, IsShownBesideALimit) {
  Comparison comparison = comparison_of(test::fork_join(3));
  for (ScheduleResult& result : comparison.results) result.planned_bytes = 2'500'000;
  const std::size_t fastest = comparison.best();
  comparison.results[fastest].planned_bytes = 3'500'000;
  EXPECT_THAT(comparison_table(comparison),
              AllOf(HasSubstr("planned peak [MB]"), HasSubstr("3.50"), Not(HasSubstr("over the limit")),
                    HasSubstr("planned peak: most that tensors take at once by the plan")));
  EXPECT_EQ(comparison_json(comparison).at("schedules")[fastest].at("planned_peak_bytes"), 3'500'000);
  EXPECT_FALSE(comparison_json(comparison).contains("memory_limit_bytes"));
  comparison.memory_limit = 3'000'000;
  EXPECT_NE(comparison.best(), fastest);
  EXPECT_THAT(comparison_table(comparison),
              AllOf(HasSubstr("3.50 over the limit"), HasSubstr("best within 3.00 MB: ")));
  const auto limited = comparison_json(comparison);
  EXPECT_EQ(limited.at("memory_limit_bytes"), 3'000'000);
  EXPECT_EQ(limited.at("schedules")[fastest].at("over_limit"), true);
  EXPECT_FALSE(limited.at("schedules")[comparison.best()].contains("over_limit"));
  comparison.memory_limit = 1'000'000;
  comparison.results.back().planned_bytes = 2'400'000;
  EXPECT_EQ(comparison.best(), comparison.results.size() - 1) << "where nothing fits, the smallest";
  EXPECT_THAT(comparison_table(comparison), HasSubstr("nothing of this fits in 1.00 MB: "));
  for (ScheduleResult& result : comparison.results) result.planned_bytes = 0;  // of an older run file
  EXPECT_THAT(comparison_table(comparison), Not(HasSubstr("planned")));
}

TEST(StageCsv, HasOneRowAStage) {
  const Comparison comparison = comparison_of(test::fork_join(3));
  std::size_t stages = 0;
  for (const ScheduleResult& result : comparison.results) stages += result.schedule.stages.size();
  const std::string csv = table_csv(stage_list(comparison));
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), stages + 1);
  EXPECT_TRUE(csv.starts_with(
      "schedule,stage,part,strategy,groups,units,unit_count,latency_ms,spread_ms,share,samples,origin,recorded\n"));
  EXPECT_THAT(csv, HasSubstr("sequential,1,fork_join.1,concurrent,1,[a],1,1.1,0,0.2115384615384616,1,simulated,\n"));
}

TEST(GroupsText, ShowsGroupsStepsAndMerges) {
  const Graph graph = test::fork(4);
  Stage stage;
  stage.groups.push_back({{Step{{UnitId(0)}}, Step{{UnitId(1)}}}});
  stage.groups.push_back({{Step{{UnitId(2), UnitId(3)}}}});
  EXPECT_EQ(groups_text(graph, stage), "[a b] [c+d]");
}

// A comparison with lanes, of made-up latencies.
Comparison with_lanes(Origin origin, double staged, double same, double lanes) {
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential}};
  Comparison comparison = comparison_of(test::fork(2), options, origin);
  comparison.results.resize(1);
  ScheduleResult flow = comparison.results.front();
  flow.id = ScheduleId("ios-flow");
  flow.schedule_kind = ScheduleKind::kIosFlow;
  flow.lanes.emplace();
  const auto timed = [&](double ms) {
    return Latency{.value = Millis(ms),
                   .spread = Millis(origin == Origin::kSimulated ? 0 : 0.01),
                   .samples = 50,
                   .origin = origin};
  };
  comparison.results.front().latency = timed(staged);
  comparison.results.front().rounds.clear();
  flow.latency = timed(lanes);
  flow.rounds.clear();
  comparison.own_lanes = OwnLanes{comparison.results.front().id, timed(same)};
  comparison.results.push_back(std::move(flow));
  return comparison;
}

TEST(LaneGainReport, SaysWhereTheTimeWent) {
  const Comparison comparison = with_lanes(Origin::kSimulated, 1.2, 0.99, 0.94);
  EXPECT_THAT(
      comparison_table(comparison),
      HasSubstr(
          ", without barriers; 0.260 ms less than sequential: no barriers -0.210, other lanes and order -0.050\n"));
  const auto json = comparison_json(comparison).at("schedules")[1].at("gain");
  EXPECT_EQ(json.at("against"), "sequential");
  EXPECT_NEAR(json.at("ms").get<double>(), 0.26, 1e-12);
  EXPECT_NEAR(json.at("barriers_ms").get<double>(), 0.21, 1e-12);
  EXPECT_NEAR(json.at("order_ms").get<double>(), 0.05, 1e-12);
  EXPECT_FALSE(json.contains("order_within_noise")) << "a model has none";
}

TEST(LaneGainReport, HidesNeitherLossesNorNoise) {
  const Comparison comparison = with_lanes(Origin::kMeasured, 1.2, 1.205, 0.94);
  const auto gain = must(comparison.lane_gain(comparison.results[1]));
  EXPECT_EQ(lane_gain_text(gain),
            "0.260 ms less than sequential: no barriers +0.005 (within the noise), other lanes and order -0.265");
  const auto json = comparison_json(comparison).at("schedules")[1].at("gain");
  EXPECT_TRUE(json.at("barriers_within_noise"));
  EXPECT_FALSE(json.at("order_within_noise"));
}

TEST(LaneGainReport, IsLeftOutWhereItIsNotKnown) {
  Comparison comparison = with_lanes(Origin::kSimulated, 1.2, 0.99, 0.94);
  comparison.own_lanes.reset();
  EXPECT_FALSE(comparison.lane_gain(comparison.results[1]));
  EXPECT_THAT(comparison_table(comparison), HasSubstr(", without barriers\n"));
  EXPECT_FALSE(comparison_json(comparison).at("schedules")[1].contains("gain"));
  EXPECT_EQ(comparison.staged(comparison.results[1]), &comparison.results[0]) << "the only one";
  comparison = with_lanes(Origin::kSimulated, 1.2, 0.99, 0.94);
  comparison.own_lanes->of = ScheduleId("gone");
  EXPECT_EQ(comparison.staged(comparison.results[1]), nullptr);
  EXPECT_FALSE(comparison.lane_gain(comparison.results[1]));
}

TEST(LaneGainReport, SaysWhereKernelsAreOthers) {
  Comparison comparison = with_lanes(Origin::kSimulated, 1.2, 0.99, 0.94);
  EXPECT_TRUE(comparison_json(comparison).at("schedules")[1].at("gain").at("same_kernels"));
  std::ranges::reverse(comparison.results[1].schedule.stages.front().groups.front().steps);
  EXPECT_THAT(comparison_table(comparison), HasSubstr("no barriers -0.210, other kernels, lanes and order -0.050\n"));
  EXPECT_FALSE(comparison_json(comparison).at("schedules")[1].at("gain").at("same_kernels"));
}

Graph two_networks() {
  const Graph one = test::chain(3);
  const Graph other = test::fork_join(3);
  return *unite(std::array{&one, &other});
}

Comparison compared(const Graph& graph, CompareOptions options = {}) {
  test::ScriptedDevice device(std::make_shared<test::ScriptedBehaviour>(), test::ScriptedKind::kGpu);
  return must(compare(graph, device, options, {}));
}

// Side by side is made of several networks, and never of one.
TEST(NetworkTimes, AComparisonOfSeveralNetworksHasThemSideBySide) {
  const Comparison both = compared(two_networks());
  const ScheduleResult* const side = must(both.find(ScheduleKind::kSideBySide));
  EXPECT_TRUE(side->asked);
  EXPECT_EQ(side - both.results.data(), 2) << "after sequential and greedy";
  EXPECT_EQ(compared(test::chain(3)).find(ScheduleKind::kSideBySide), nullptr);
  CompareOptions options{.schedule_kinds = {ScheduleKind::kIosBoth}};
  const Comparison few = compared(two_networks(), options);
  ASSERT_NE(few.find(ScheduleKind::kSideBySide), nullptr);
  EXPECT_FALSE(few.find(ScheduleKind::kSideBySide)->asked);
  EXPECT_LE(few.results[few.best()].latency.value, few.find(ScheduleKind::kSideBySide)->latency.value);
  options.schedule_kinds = {ScheduleKind::kSideBySide};
  EXPECT_TRUE(compared(two_networks(), options).find(ScheduleKind::kSideBySide)->asked);
  test::ScriptedDevice device(std::make_shared<test::ScriptedBehaviour>(), test::ScriptedKind::kGpu);
  EXPECT_THAT(refused(compare(test::chain(3), device, options, {})).text(), HasSubstr("needs several networks"));
}

TEST(NetworkTimes, InTurnTheSecondNetworkEndsLast) {
  const Comparison both = compared(two_networks());
  const ScheduleResult& turn = *both.find(ScheduleKind::kSequential);
  const auto times = network_times(*both.graph, turn);
  ASSERT_EQ(times.size(), 2U);
  EXPECT_EQ(times[0].name, both.graph->networks()[0]);
  EXPECT_LE(times[0].ends, times[1].begins + Millis(1e-9));
  EXPECT_NEAR(times[1].ends.count(), turn.latency.value.count(), 1e-9);
}

// A total that is hardly longer is no worse, if it slows networks down less.
TEST(NetworkTimes, TiesGoToTheLeastMeanSlowdown) {
  Comparison both = compared(two_networks());
  both.alone = {{"a", {.value = Millis(1)}}, {"b", {.value = Millis(1)}}};
  both.alone[0].name = both.graph->networks()[0];
  both.alone[1].name = both.graph->networks()[1];
  ScheduleResult fair = *both.find(ScheduleKind::kSideBySide);
  ScheduleResult turn = *both.find(ScheduleKind::kSequential);  // the second network waits for the first
  turn.id = ScheduleId("turn");
  const auto best_of = [&](double fair_ms, double turn_ms) {
    fair.latency.value = Millis(fair_ms);
    turn.latency.value = Millis(turn_ms);
    both.results = {turn, fair};
    return both.results[both.best()].id;
  };
  fair.latency.value = turn.latency.value = Millis(1);
  const double slowdown = must(mean_slowdown(both, fair));
  const double of_turn = must(mean_slowdown(both, turn));
  ASSERT_GT(std::abs(slowdown - of_turn), 0.05);
  const bool first = slowdown < of_turn;
  EXPECT_EQ(best_of(first ? 1.009 : 1, first ? 1 : 1.009), first ? fair.id : turn.id);
  EXPECT_EQ(best_of(first ? 1.02 : 1, first ? 1 : 1.02), first ? turn.id : fair.id);
}

TEST(NetworkTimes, AreNoneOfOneNetwork) {
  const Comparison one = compared(test::chain(3));
  EXPECT_TRUE(network_times(*one.graph, one.results.front()).empty());
  EXPECT_TRUE(alone_times(one).empty());
  EXPECT_TRUE(network_list(one).rows.empty());
  EXPECT_FALSE(comparison_json(one).contains("networks"));
  EXPECT_THAT(comparison_table(one), Not(HasSubstr("own latency")));
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
  EXPECT_THAT(comparison_table(both), AllOf(HasSubstr("own latency: "), HasSubstr("alone")));
}

}  // namespace

}  // namespace iosx
