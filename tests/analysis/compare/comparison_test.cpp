#include "core/analysis/compare/compare.h"
#include "core/model/schedule/baselines.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx {
namespace {

using test::FakeDevice;

std::vector<std::string> names(const Comparison& comparison, bool asked = true) {
  std::vector<std::string> names;
  for (const ScheduleResult& result : comparison.results) {
    if (result.asked == asked) names.push_back(result.schedule.name);
  }
  return names;
}

std::vector<std::string> ids(const Comparison& comparison) {
  return mapped<std::string>(comparison.results, [](const ScheduleResult& result) { return result.id.text(); });
}

CompareOptions only(std::vector<ScheduleKind> schedule_kinds) {
  return CompareOptions{.schedule_kinds = std::move(schedule_kinds)};
}

TEST(Compare, RunsFiveSchedulesInTheOrderAskedFor) {
  FakeDevice device;
  const auto comparison = must(compare(test::fork_join(4), device, {}, {}));
  EXPECT_THAT(names(comparison), ElementsAre("sequential", "greedy", "ios-merge", "ios-parallel", "ios-both"));
  EXPECT_TRUE(names(comparison, false).empty());
  EXPECT_TRUE(comparison.complete);
  EXPECT_EQ(comparison.device.id, "fake");
  // Six kernels, in a stage for each of the two parts; the branches side by side make three stages.
  ASSERT_EQ(comparison.find(ScheduleKind::kSequential)->schedule.stages.size(), 2U);
  EXPECT_DOUBLE_EQ(comparison.find(ScheduleKind::kSequential)->latency.value.count(), 6.2);
  EXPECT_DOUBLE_EQ(comparison.find(ScheduleKind::kGreedy)->latency.value.count(), 3.3);
  EXPECT_EQ(comparison.find(ScheduleKind::kFile), nullptr);
}

// Two runs of one schedule kind stand side by side, each with figures of its own.
TEST(Compare, KeepsTheOrderAskedForAndRunsRepetitionsAgain) {
  FakeDevice device;
  const auto comparison = must(compare(
      test::diamond(), device,
      only({ScheduleKind::kIosBoth, ScheduleKind::kGreedy, ScheduleKind::kIosBoth, ScheduleKind::kSequential}), {}));
  EXPECT_THAT(names(comparison), ElementsAre("ios-both", "greedy", "ios-both", "sequential"));
  EXPECT_THAT(ids(comparison), ElementsAre("ios-both", "greedy", "ios-both-2", "sequential"));
  const ScheduleResult* again = comparison.find(ScheduleId("ios-both-2"));
  ASSERT_EQ(again, &comparison.results[2]);
  EXPECT_EQ(again->schedule_kind, ScheduleKind::kIosBoth);
  EXPECT_EQ(again->title(), "IOS-Both 2");
  EXPECT_EQ(again->schedule, comparison.results[0].schedule);
  EXPECT_GT(again->latency.value, Millis(0));
  EXPECT_EQ(comparison.find(ScheduleKind::kIosBoth), &comparison.results[0]);
  EXPECT_EQ(comparison.index_of(again->id), 2U);
  EXPECT_EQ(comparison.find(ScheduleId("ios-both-3")), nullptr);
}

TEST(Compare, GivesEveryStageALatencyAndTheirSum) {
  FakeDevice device;
  const auto comparison = must(compare(test::fork_join(3), device, {}, {}));
  for (const ScheduleResult& result : comparison.results) {
    ASSERT_EQ(result.stage_latencies.size(), result.schedule.stages.size());
    Millis sum{0};
    for (const Latency& latency : result.stage_latencies) sum += latency.value;
    EXPECT_DOUBLE_EQ(result.stage_sum.count(), sum.count());
    EXPECT_EQ(result.plan.stages.size(), result.schedule.stages.size());
    EXPECT_EQ(result.trace.stages.size(), result.schedule.stages.size());
    EXPECT_EQ(result.search.has_value(), row_of(result.schedule_kind).strategies.has_value());
  }
}

TEST(Compare, RunsTheBaselinesThatNobodyAskedFor) {
  FakeDevice device;
  const auto comparison = must(compare(test::diamond(), device, only({ScheduleKind::kIosParallel}), {}));
  EXPECT_THAT(names(comparison), ElementsAre("ios-parallel"));
  EXPECT_THAT(names(comparison, false), ElementsAre("sequential", "greedy"));
}

TEST(Compare, BestIsTheFastestEndToEnd) {
  FakeDevice device;
  const auto comparison =
      compare(test::fork_join(4), device, only({ScheduleKind::kSequential, ScheduleKind::kIosParallel}), {});
  ASSERT_TRUE(comparison);
  EXPECT_EQ(comparison->results[comparison->best()].schedule.name, "ios-parallel");
}

// Stages that look fast alone, and a device on which running them side by side costs more than it saves.
TEST(Compare, IsNeverSlowerThanSequential) {
  FakeDevice device(Origin::kMeasured);
  device.end_to_end_penalty = Millis{10};
  const auto comparison = must(compare(test::fork_join(4), device, only({ScheduleKind::kIosBoth}), {}));
  const ScheduleResult& found = *comparison.find(ScheduleKind::kIosBoth);
  const ScheduleResult& best = comparison.results[comparison.best()];
  EXPECT_EQ(best.schedule.name, "sequential");
  EXPECT_FALSE(best.asked);
  EXPECT_LT(found.stage_sum, best.stage_sum);
  EXPECT_GT(found.latency.value, best.latency.value);
}

// There the search has the schedule that is faster end to end.
TEST(Compare, IsAsFastAsSequentialOnAModelledDevice) {
  FakeDevice device;
  device.end_to_end_penalty = Millis{10};
  const auto comparison = must(compare(test::fork_join(4), device, only({ScheduleKind::kIosBoth}), {}));
  const ScheduleResult& found = *comparison.find(ScheduleKind::kIosBoth);
  const ScheduleResult& sequential = *comparison.find(ScheduleKind::kSequential);
  EXPECT_EQ(found.latency, sequential.latency);
  EXPECT_EQ(found.schedule.stages, sequential.schedule.stages);
  EXPECT_EQ(found.schedule.name, "ios-both");
  EXPECT_EQ(found.search->schedule, found.schedule);
  EXPECT_EQ(found.plan, sequential.plan);
}

TEST(Compare, TiesGoToTheFirst) {
  FakeDevice device;
  const auto comparison =
      must(compare(test::chain(1), device, only({ScheduleKind::kGreedy, ScheduleKind::kSequential}), {}));
  EXPECT_EQ(comparison.best(), 0U);
}

TEST(Compare, IosFlowIsNamedWhereListIsAsFast) {
  Comparison comparison;
  for (const ScheduleKind kind : {ScheduleKind::kSequential, ScheduleKind::kList, ScheduleKind::kIosFlow}) {
    comparison.add(kind, {.name = std::string(row_of(kind).id), .stages = {}}).latency.value = Millis{1};
  }
  EXPECT_EQ(comparison.best(), 0U);
  comparison.results[0].latency.value = Millis{2};
  EXPECT_EQ(comparison.best(), 2U);
  comparison.results[1].latency.value = Millis{0.9};
  EXPECT_EQ(comparison.best(), 1U);
}

TEST(Compare, KnowsWhoseKernelsAreOnLanes) {
  const auto comparison = test::made_up_lanes();
  const ScheduleResult& greedy = *comparison->find(ScheduleKind::kGreedy);
  const ScheduleResult& flow = *comparison->find(ScheduleKind::kIosFlow);
  EXPECT_EQ(&comparison->kernels_of(flow), &greedy);
  EXPECT_EQ(&comparison->kernels_of(greedy), &greedy);
  Comparison alone{.results = {flow}};
  EXPECT_EQ(&alone.kernels_of(alone.results[0]), &alone.results[0]) << "nobody else is there";
}

// What a search needed is its own figure, whatever was measured before it; the device is asked only once.
TEST(Compare, MeasuresAStructureOnceForAllSearches) {
  const Graph graph = test::fork_join(4);
  FakeDevice first;
  FakeDevice second;
  FakeDevice shared;
  const auto parallel = compare(graph, first, only({ScheduleKind::kIosParallel}), {});
  const auto alone = compare(graph, second, only({ScheduleKind::kIosBoth}), {});
  const auto together = compare(graph, shared, only({ScheduleKind::kIosParallel, ScheduleKind::kIosBoth}), {});
  ASSERT_TRUE(parallel && alone && together);
  for (const auto& [schedule_kind, single] :
       {std::pair(ScheduleKind::kIosParallel, &*parallel), std::pair(ScheduleKind::kIosBoth, &*alone)}) {
    EXPECT_GT(single->find(schedule_kind)->search->tally.needed, 0);
    EXPECT_EQ(together->find(schedule_kind)->search->tally.needed, single->find(schedule_kind)->search->tally.needed);
  }
  EXPECT_LT(shared.plans_measured, first.plans_measured + second.plans_measured);
}

// Quick estimates that are up to a third off, different ones than the refined latencies: once everything that was
// chosen is refined, by whomever, there is nothing left to measure and nothing else to choose.
TEST(Compare, FromAStoreChoosesTheSameAndMeasuresNothing) {
  const auto part = [](double x) { return x - std::floor(x); };
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    FakeDevice device(Origin::kMeasured);
    device.noise = [&](const ExecutionPlan& plan, const TimingOptions& timing) {
      double sum = timing == TimingOptions{} ? 0.1 : 0.7;
      for (const Kernel& kernel : plan.kernels) sum += std::sqrt(kernel.work.flops + 3 * kernel.lane);
      return 0.7 + 0.6 * part(sum * 977);
    };
    const test::Folder folder;
    CompareOptions options;
    std::vector<std::vector<Schedule>> schedules;
    std::vector<std::size_t> measured;
    for (int turn = 0; turn < 2; ++turn) {
      const auto store = test::open_store(folder / "store.db");
      const auto comparison =
          compare(test::random_dag(seed, 14), device, options, {}, {.keeping = {store.get(), "0.1.0"}});
      ASSERT_TRUE(comparison) << comparison.error().text();
      schedules.emplace_back();
      for (const ScheduleResult& result : comparison->results) schedules.back().push_back(result.schedule);
      measured.push_back(device.plans_measured);
    }
    EXPECT_EQ(schedules[0], schedules[1]);
    EXPECT_EQ(measured[0], measured[1]);
  }
}

TEST(Compare, IncludesGivenSchedules) {
  FakeDevice device;
  const Graph graph = test::diamond();
  CompareOptions options = only({ScheduleKind::kOneByOne});
  options.given.push_back({one_by_one_schedule(graph), ScheduleKind::kByHand});
  options.given.back().schedule.name = "my own";
  options.given.emplace_back(options.given.back().schedule);
  const auto comparison = must(compare(graph, device, options, {}));
  EXPECT_THAT(names(comparison), ElementsAre("one-by-one", "my own", "my own"));
  EXPECT_THAT(ids(comparison), ElementsAre("one-by-one", "my-own", "my-own-2", "sequential", "greedy"));
  EXPECT_EQ(comparison.results[2].schedule_kind, ScheduleKind::kFile);
  EXPECT_EQ(comparison.find(ScheduleKind::kByHand)->latency.value,
            comparison.find(ScheduleKind::kOneByOne)->latency.value);
}

TEST(Compare, OffersAStartToTheSearchThatMayTakeMost) {
  FakeDevice device;
  const Graph graph = test::fork_join(4);
  CompareOptions options;
  options.search.pruning = {.r = 1, .s = 1};
  const auto alone = must(compare(graph, device, options, {}));
  options.warm_start = greedy_schedule(graph);
  options.warm_start->name = "mine";
  const auto taught = must(compare(graph, device, options, {}));
  const ScheduleResult& both = *taught.find(ScheduleKind::kIosBoth);
  EXPECT_LT(both.stage_sum, alone.find(ScheduleKind::kIosBoth)->stage_sum);
  EXPECT_EQ(both.stage_sum, taught.find(ScheduleKind::kGreedy)->stage_sum);
  EXPECT_EQ(both.schedule.name, "ios-both");
  ASSERT_TRUE(both.search->warm_start);
  EXPECT_EQ(both.search->warm_start->name, "mine");
  EXPECT_FALSE(both.search->warm_start->better);
  EXPECT_EQ(both.search->warm_start->cost, both.stage_sum);
  ASSERT_EQ(both.search->warm_start->beyond.size(), 1U);
  EXPECT_EQ(both.search->warm_start->beyond[0].stage, 1U);
  EXPECT_EQ(both.search->warm_start->beyond[0].why.front().limit, Limit::kS);
  for (const ScheduleKind schedule_kind : {ScheduleKind::kIosMerge, ScheduleKind::kIosParallel}) {
    EXPECT_FALSE(taught.find(schedule_kind)->search->warm_start);
    EXPECT_EQ(taught.find(schedule_kind)->stage_sum, alone.find(schedule_kind)->stage_sum)
        << "what its kind of stage is worth";
  }
  // What it finds by itself is no worse, and nothing of the start is needed.
  options.search.pruning = {};
  options.warm_start = one_by_one_schedule(graph);
  options.schedule_kinds = {ScheduleKind::kIosMerge, ScheduleKind::kIosParallel};
  const auto better = must(compare(graph, device, options, {}));
  EXPECT_FALSE(better.find(ScheduleKind::kIosParallel)->search->warm_start) << "the first of equals";
  EXPECT_TRUE(better.find(ScheduleKind::kIosMerge)->search->warm_start);
  options.warm_start->stages.pop_back();
  EXPECT_FALSE(compare(graph, device, options, {})) << "not legal";
}

TEST(Compare, CutsTheGraphAsAskedFor) {
  FakeDevice device;
  CompareOptions options = only({ScheduleKind::kSequential});
  options.max_part_size = 2;
  const auto comparison = must(compare(test::clique(6), device, options, {}));
  EXPECT_GE(comparison.graph->parts().size(), 3U);
  for (const Part& part : comparison.graph->parts()) EXPECT_LE(part.units.size(), 2U);
}

TEST(CompareStopped, BeforeTheStartStillRunsTheBaselines) {
  FakeDevice device;
  const auto comparison = must(compare(test::fork_join(4), device, {}, {stopped_token(), {}}));
  EXPECT_THAT(names(comparison), ElementsAre("sequential", "greedy"));
  EXPECT_FALSE(comparison.complete);
  EXPECT_GT(comparison.results[0].latency.value.count(), 0);
}

TEST(CompareStopped, DuringASearchKeepsWhatWasFound) {
  const Graph graph = test::two_parts();
  FakeDevice whole;
  const auto all =
      compare(graph, whole, only({ScheduleKind::kSequential, ScheduleKind::kIosParallel, ScheduleKind::kIosBoth}), {});
  ASSERT_TRUE(all);
  ASSERT_TRUE(all->complete);
  for (std::size_t at = 1; at <= whole.plans_measured; ++at) {
    FakeDevice device;
    std::stop_source stop;
    std::size_t measured = 0;
    device.before_measure = [&] {
      if (++measured == at) stop.request_stop();
    };
    const auto comparison =
        compare(graph, device, only({ScheduleKind::kSequential, ScheduleKind::kIosParallel, ScheduleKind::kIosBoth}),
                {stop.get_token(), {}});
    ASSERT_TRUE(comparison) << "stopped at " << at << ": " << comparison.error().text();
    EXPECT_FALSE(comparison->complete) << at;
    ASSERT_NE(comparison->find(ScheduleKind::kSequential), nullptr);
    for (const ScheduleResult& result : comparison->results) {
      EXPECT_GT(result.latency.value.count(), 0) << at << ' ' << result.schedule.name;
      EXPECT_EQ(result.stage_latencies.size(), result.schedule.stages.size());
    }
  }
}

TEST(CompareStopped, AfterTheFirstSearchHasTheOneWithTheMostStages) {
  FakeDevice device;
  std::stop_source stop;
  CompareContext context;
  context.listener.found = [&](ScheduleKind, const Schedule&) { stop.request_stop(); };
  const auto comparison = must(compare(test::two_parts(), device, {}, {stop.get_token(), {}}, context));
  EXPECT_NE(comparison.find(ScheduleKind::kIosBoth), nullptr);
  EXPECT_EQ(comparison.find(ScheduleKind::kIosMerge), nullptr);
  EXPECT_EQ(comparison.find(ScheduleKind::kIosParallel), nullptr);
}

TEST(Compare, ShowsResultsInTheRequestedOrder) {
  FakeDevice device;
  const auto comparison = must(compare(
      test::two_parts(), device,
      only({ScheduleKind::kIosMerge, ScheduleKind::kIosBoth, ScheduleKind::kGreedy, ScheduleKind::kIosParallel}), {}));
  EXPECT_THAT(names(comparison), ElementsAre("ios-merge", "ios-both", "greedy", "ios-parallel"));
}

TEST(CompareStopped, BetweenRoundsKeepsTheRoundsDone) {
  FakeDevice device(Origin::kMeasured);
  std::stop_source stop;
  std::size_t runs = 0;
  device.before_run = [&] {
    if (++runs == 4) stop.request_stop();  // two schedules: in the second round
  };
  const auto comparison = must(compare(
      test::diamond(), device, only({ScheduleKind::kSequential, ScheduleKind::kGreedy}), {stop.get_token(), {}}));
  EXPECT_EQ(comparison.results[0].latency.samples, 5);
  EXPECT_EQ(comparison.results[1].latency.samples, 10);  // the second round goes backwards
  EXPECT_EQ(comparison.results[1].rounds.size(), 2U);
}

// A device that needs long for a run must not keep its user after a stop: what there was no time for is named.
TEST(CompareStopped, LeavesOutWhatThereIsNoTimeFor) {
  FakeDevice device(Origin::kMeasured);
  std::stop_source stop;
  std::size_t runs = 0;
  device.before_run = [&] {
    stop.request_stop();
    if (++runs == 3) std::this_thread::sleep_for(std::chrono::milliseconds(1200));  // 1: interrupted, 2: sequential
  };
  const auto comparison = must(compare(
      test::diamond(), device, only({ScheduleKind::kSequential, ScheduleKind::kGreedy}), {stop.get_token(), {}}));
  EXPECT_THAT(names(comparison), ElementsAre("sequential"));
  EXPECT_FALSE(comparison.complete);
  EXPECT_THAT(comparison.notices, Contains(HasSubstr("Stopped before these ran")));
}

TEST(CompareStopped, BeforeAnythingRanIsAnErrorAndTellsWhatWasFound) {
  FakeDevice device(Origin::kMeasured);
  std::stop_source stop;
  CompareOptions options = only({ScheduleKind::kIosBoth});
  std::vector<ScheduleKind> found;
  CompareContext context;
  context.listener.found = [&](ScheduleKind schedule_kind, const Schedule& schedule) {
    EXPECT_FALSE(schedule.stages.empty());
    found.push_back(schedule_kind);
    stop.request_stop();
  };
  device.before_run = [] { std::this_thread::sleep_for(std::chrono::milliseconds(1200)); };
  EXPECT_THAT(refused(compare(test::diamond(), device, options, {stop.get_token(), {}}, context)).text(),
              HasSubstr("cancelled before any of these ran"));
  EXPECT_THAT(found, ElementsAre(ScheduleKind::kIosBoth));
}

// Greedy puts as much side by side as a part allows: cutting for the search must not cut it too.
TEST(Compare, BaselinesDoNotDependOnTheCutForTheSearch) {
  CompareOptions options = only({ScheduleKind::kGreedy});
  FakeDevice device;
  const Graph graph = test::fork_join(4);
  const auto whole = compare(graph, device, options, {});
  options.max_part_size = 1;
  const auto cut = compare(graph, device, options, {});
  ASSERT_TRUE(whole);
  ASSERT_TRUE(cut);
  ASSERT_GT(cut->graph->parts().size(), whole->graph->parts().size());
  EXPECT_EQ(cut->find(ScheduleKind::kGreedy)->schedule, whole->find(ScheduleKind::kGreedy)->schedule);
  EXPECT_EQ(cut->find(ScheduleKind::kGreedy)->latency.value, whole->find(ScheduleKind::kGreedy)->latency.value);
  EXPECT_EQ(cut->find(ScheduleKind::kGreedy)->schedule, greedy_schedule(graph));
}

TEST(CompareAbandoned, EndsWithAnErrorAndRunsNothingMore) {
  CompareOptions options;
  std::stop_source abandon;
  FakeDevice device;
  std::size_t asked = 0;
  device.before_measure = [&] {
    if (++asked == 2) abandon.request_stop();
  };
  EXPECT_EQ(refused(compare(test::fork_join(4), device, options, {}, {.abandon = abandon.get_token()})).what,
            "abandoned");
  EXPECT_EQ(device.plans_measured, 1U);
  EXPECT_TRUE(device.runs.empty());
}

TEST(CompareAbandoned, AfterAStopAndBeforeTheLastRun) {
  CompareOptions options = only({ScheduleKind::kSequential, ScheduleKind::kGreedy});
  std::stop_source stop;
  std::stop_source abandon;
  stop.request_stop();
  FakeDevice device;
  device.before_run = [&] { abandon.request_stop(); };
  const auto comparison =
      compare(test::diamond(), device, options, {stop.get_token(), {}}, {.abandon = abandon.get_token()});
  ASSERT_FALSE(comparison);
  EXPECT_EQ(comparison.error().what, "abandoned");
  EXPECT_TRUE(device.runs.empty());
}

TEST(CompareErrors, NameWhatIsWrong) {
  FakeDevice device;
  const Graph graph = test::diamond();
  const auto error = [&](const CompareOptions& options) {
    const auto comparison = compare(graph, device, options, {});
    return comparison ? std::string() : comparison.error().text();
  };
  EXPECT_THAT(error(only({ScheduleKind::kByHand})), AllOf(HasSubstr("by-hand"), HasSubstr("give the schedule")));
  EXPECT_THAT(error(only({})), HasSubstr("no schedule"));
  CompareOptions options{.batch = 0};
  EXPECT_THAT(error(options), HasSubstr("batch"));
  options.batch = kMaxBatch + 1;
  EXPECT_THAT(error(options), HasSubstr("65536"));
  options = {};
  options.max_part_size = 65;
  EXPECT_THAT(error(options), HasSubstr("64"));
  options = {};
  options.max_streams = 0;
  EXPECT_THAT(error(options), HasSubstr("streams"));
  options = {};
  options.given.emplace_back(Schedule{"half", {}});
  EXPECT_FALSE(error(options).empty());
  EXPECT_EQ(device.plans_measured, 0U);
}

TEST(CompareErrors, DeviceFailureIsReported) {
  FakeDevice device;
  device.failure = "the device fell off";
  EXPECT_THAT(compare(test::diamond(), device, {}, {}).error().text(), HasSubstr("fell off"));
  EXPECT_THAT(compare(test::diamond(), device, only({ScheduleKind::kSequential}), {}).error().text(),
              HasSubstr("fell off"));
}

TEST(Compare, ReportsProgressUnderTheSchedulesName) {
  FakeDevice device;
  std::vector<std::string> phases;
  must(compare(test::fork_join(3), device, only({ScheduleKind::kIosBoth}),
               {{}, [&](const Progress& progress) { phases.push_back(progress.phase.text()); }}));
  EXPECT_THAT(phases, Contains(StartsWith("IOS-Both: ")));
  EXPECT_EQ(phases.back(), "running end to end");
}

TEST(Evaluate, RunsOneSchedule) {
  FakeDevice device;
  const Graph graph = test::fork_join(2);
  const auto result = must(evaluate(graph, {greedy_schedule(graph), ScheduleKind::kGreedy}, device, 4, {}, {}));
  EXPECT_DOUBLE_EQ(result.latency.value.count(), 3.3);
  EXPECT_DOUBLE_EQ(result.stage_sum.count(), 3.3);
  EXPECT_EQ(result.id.text(), "greedy");
  EXPECT_EQ(result.plan.batch, 4);
  EXPECT_EQ(result.trace.stages.size(), 3U);
  EXPECT_FALSE(result.search);
}

TEST(Evaluate, RefusesWhatCannotRun) {
  FakeDevice device;
  const Graph graph = test::diamond();
  Schedule backwards = one_by_one_schedule(graph);
  std::swap(backwards.stages.front(), backwards.stages.back());
  EXPECT_FALSE(evaluate(graph, backwards, device, 1, {}, {}));
  EXPECT_FALSE(evaluate(graph, one_by_one_schedule(graph), device, 0, {}, {}));
  EXPECT_THAT(evaluate(graph, one_by_one_schedule(graph), device, 1, {}, {stopped_token(), {}}).error().text(),
              HasSubstr("stopped"));
}

TEST(CompareOptions, HaveDefaultsWithinTheirBoundsAndNamesOfTheirOwn) {
  CompareOptions options;
  std::set<std::string> flags;
  std::set<std::string_view> keywords;
  for (const BoundOption& option : options_of(options, use::kAll)) {
    EXPECT_TRUE(allowed(option, option.get())) << option.info->id;
    EXPECT_TRUE(flags.insert(option.info->flag()).second) << option.info->id;
    EXPECT_TRUE(keywords.insert(option.info->keyword()).second) << option.info->id;
    EXPECT_FALSE(option.info->title.pattern.empty()) << option.info->id;
    EXPECT_FALSE(option.info->help.pattern.empty() || option.info->help.pattern.ends_with('.')) << option.info->id;
  }
  EXPECT_THAT(changed_options(options), IsEmpty());
}

// Whatever a client lets pass: what runs has the same bounds.
TEST(CompareOptions, AreRefusedBeyondTheSameBoundsWhereTheyRun) {
  const Graph graph = test::diamond();
  CompareOptions defaults;
  const std::vector<BoundOption> all = options_of(defaults, use::kAll);
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind != OptionKind::kWhole && all[i].kind != OptionKind::kNumber) continue;
    CompareOptions options;
    options_of(options, use::kAll)[i].set(all[i].info->bounds.most * 2);
    test::FakeDevice device;
    EXPECT_FALSE(compare(graph, device, options, {})) << all[i].info->id;
  }
  CompareOptions options{.memory_limit = -1};
  test::FakeDevice device;
  EXPECT_THAT(refused(compare(graph, device, options, {})).text(), HasSubstr("--memory-limit"));
}

TEST(CompareOptions, WhatDiffersFromTheDefaultIsTold) {
  CompareOptions options;
  options.search.effort = {.longer = true, .epsilon = 0.05, .budget = Seconds(3), .seed = 7};
  options.verify = true;
  options.memory_limit = 3'000'000;
  const auto told = mapped<std::string>(changed_options(options), [&](const OptionChange& each) {
    return each.info->flag() + ' ' + value_text(*each.info, each.is).text();
  });
  EXPECT_THAT(told, ElementsAre("--longer on", "--epsilon 0.05", "--budget 3 s", "--seed 7", "--verify on",
                                "--memory-limit 3 MB"));
}

TEST(CompareOptions, AnEffortOfALazySearchAsksForIt) {
  CompareOptions options;
  options.search.effort.budget = Seconds(1);
  ASSERT_TRUE(settle(options));
  EXPECT_EQ(options.search.method, SearchMethod::kLazy);
  options.search.method = SearchMethod::kExhaustive;
  const Error error = refused(settle(options));
  EXPECT_EQ(error.text(), "--epsilon, --budget and --longer are for a lazy search, not for --search exhaustive");
}

TEST(CompareOptions, ALongerTimeTakesAsManyRunsAsItNeeds) {
  CompareOptions options;
  const auto set = [&](std::string_view id, const OptionValue& value) {
    for (const BoundOption& option : options_of(options, use::kAll)) {
      if (option.info->id == id) option.set(value);
    }
  };
  set("repeat", std::int64_t{3});
  EXPECT_EQ(options.timing.repeats, 3);
  EXPECT_EQ(options.timing.max_repeats, 3);
  set("min_time", 50.0);
  EXPECT_EQ(options.timing.min_time, Millis(50));
  EXPECT_EQ(options.timing.max_repeats, info_of(&TimingOptions::max_repeats).whole_bounds().most);
  set("max_repeats", std::int64_t{2});
  ASSERT_TRUE(settle(options));
  EXPECT_EQ(options.timing.max_repeats, 3) << "never less than the minimum";
}

}  // namespace

}  // namespace iosx
