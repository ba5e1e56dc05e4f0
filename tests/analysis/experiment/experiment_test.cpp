#include "core/analysis/experiment/experiment.h"

#include <gmock/gmock.h>

#include <memory>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/analysis/compare/compare.h"
#include "core/devices/registry.h"
#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_device.h"
#include "tests/support/graphs.h"
#include "tests/support/sanitized.h"

namespace iosx {
namespace {

using test::FakeDevice;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

std::unique_ptr<Device> simulated(std::string_view id) {
  DeviceRegistry registry;
  add_simulated_devices(registry);
  return std::move(registry.open(id).value());
}

Result<ExperimentResult> run(ExperimentKind kind, const Graph& graph, Device& device, ExperimentOptions options = {},
                             const JobContext& job = {}) {
  if (options.batches.empty()) options.batches = usual_batches(kind);
  const ExperimentDevice one{&device};
  return run_experiment(kind, graph, {&one, 1}, options, job);
}

CompareOptions only(ScheduleKind schedule_kind, std::int64_t batch = 1) {
  CompareOptions options;
  options.schedule_kinds = {schedule_kind};
  options.batch = batch;
  return options;
}

TEST(Experiments, HaveOneRowEach) {
  EXPECT_EQ(experiment_table().size(), 9U);
  for (const ExperimentRow& row : experiment_table()) EXPECT_EQ(row_of(row.kind).id, row.id);
}

TEST(SchedulesExperiment, ComparesFiveSchedules) {
  FakeDevice device;
  const auto result = run(ExperimentKind::kSchedules, test::fork_join(4), device);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->complete);
  EXPECT_THAT(result->levels(0), ElementsAre("Sequential", "Greedy", "IOS-Merge", "IOS-Parallel", "IOS-Both"));
  const Trial& sequential = result->trials[0];
  const Trial& greedy = result->trials[1];
  EXPECT_NEAR(result->value(sequential, "latency_ms").value(), 6.2, 1e-9);  // six kernels in two stages
  EXPECT_NEAR(result->value(greedy, "latency_ms").value(), 3.3, 1e-9);
  EXPECT_NEAR(result->value(greedy, "speedup").value(), 6.2 / 3.3, 1e-9);
  EXPECT_FALSE(sequential.best);
  EXPECT_FALSE(result->value(sequential, "search_seconds"));
  // The first search measured all that it needed, the last one found most of it measured.
  EXPECT_TRUE(result->value(result->trials[2], "search_seconds"));
  EXPECT_FALSE(result->value(result->trials[4], "search_seconds"));
  EXPECT_EQ(result->comparison->results.size(), 5U);
}

// Runs that are 0 to 40 ms late tell nothing of schedules of 3 and 7 ms.
TEST(SchedulesExperiment, MarksWhatTheNoiseDoesNotTellApart) {
  FakeDevice device(Origin::kMeasured);
  device.drift = [](std::size_t run) { return Millis{run % 3 == 0 ? 40.0 : 10.0 * static_cast<double>(run % 5)}; };
  const auto result = run(ExperimentKind::kSchedules, test::fork_join(4), device);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->trials[1].within_noise);
  EXPECT_TRUE(result->trials[0].best);
  EXPECT_EQ(result->trials[1].origin, Origin::kMeasured);
}

TEST(PruningExperiment, FindsWhatASearchWithTheseLimitsFinds) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto device = simulated("tesla-v100");
  ExperimentOptions options;
  options.r = {1, 3};
  options.s = {2, 8};
  const auto result = run(ExperimentKind::kPruning, graph, *device, options);
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(result->trials.size(), 4U);
  for (const Trial& trial : result->trials) {
    CompareOptions compare_options = only(ScheduleKind::kIosBoth);
    compare_options.search.pruning = {.r = std::stoul(trial.levels[0]), .s = std::stoul(trial.levels[1])};
    const auto comparison = compare(graph, *device, compare_options, {});
    ASSERT_TRUE(comparison);
    const ScheduleResult& found = comparison->results.front();
    EXPECT_EQ(result->value(trial, "latency_ms"), found.latency.value.count());
    EXPECT_EQ(result->value(trial, "stages_needed"), static_cast<double>(found.search->tally.needed));
  }
  const Trial& least = *result->find("1", "2");
  const Trial& most = *result->find("3", "8");
  EXPECT_LT(result->value(least, "stages_needed"), result->value(most, "stages_needed"));
  EXPECT_LT(result->value(least, "transitions"), result->value(most, "transitions"));
  EXPECT_GE(result->value(least, "latency_ms"), result->value(most, "latency_ms"));
  EXPECT_TRUE(most.best);
}

TEST(PruningExperiment, SaysWhereSearchesWereLazy) {
  const Graph graph = test::fork_join(4);
  FakeDevice device;
  ExperimentOptions options;
  const auto exhaustive = run(ExperimentKind::kPruning, graph, device, options);
  ASSERT_TRUE(exhaustive) << exhaustive.error().text();
  EXPECT_TRUE(exhaustive->notices.empty());
  EXPECT_EQ(exhaustive->method, SearchMethod::kExhaustive);
  options.search.method = SearchMethod::kLazy;
  const auto lazy = run(ExperimentKind::kPruning, graph, device, options);
  ASSERT_TRUE(lazy) << lazy.error().text();
  EXPECT_THAT(lazy->notices, ElementsAre(HasSubstr("lazy")));
  EXPECT_EQ(lazy->method, SearchMethod::kLazy);
}

TEST(PruningExperiment, IsLazyWhereTheDeviceMeasures) {
  FakeDevice device(Origin::kMeasured);
  const auto result = run(ExperimentKind::kPruning, test::fork_join(4), device);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_EQ(result->method, SearchMethod::kLazy);
}

// Alone, s = 2 is searched exhaustively; with 16 branches side by side there is too much to list.
TEST(PruningExperiment, SearchesAllRowsLazilyWhereOneMustBe) {
  if (test::every(2) > 1) GTEST_SKIP() << "takes minutes under the sanitizers";
  const Graph graph = test::fork_join(16);
  FakeDevice device;
  ExperimentOptions options;
  options.r = {1};
  options.s = {2};
  const auto alone = run(ExperimentKind::kPruning, graph, device, options);
  ASSERT_TRUE(alone) << alone.error().text();
  EXPECT_EQ(alone->method, SearchMethod::kExhaustive);
  options.s = {2, 0};
  const auto both = run(ExperimentKind::kPruning, graph, device, options);
  ASSERT_TRUE(both) << both.error().text();
  EXPECT_EQ(both->method, SearchMethod::kLazy);
  ASSERT_EQ(both->trials.size(), 2U);
  EXPECT_LT(both->value(both->trials[0], "stages_needed"), alone->value(alone->trials[0], "stages_needed"));
}

TEST(Experiments, NameTheSearchesThatTheBudgetEnded) {
  const std::vector<std::pair<ExperimentKind, std::string>> named{
      {ExperimentKind::kSchedules, ": IOS-Merge; IOS-Parallel; IOS-Both"},
      {ExperimentKind::kPruning, ": r = 1, s = 3; r = 2, s = 3"},
      {ExperimentKind::kBatches, ": found for batch 1; found for batch 2"},
      {ExperimentKind::kThroughput, ": batch 1, IOS-Both; batch 2, IOS-Both"},
      {ExperimentKind::kSearch, ": connected, lazy, seed 1; single-root, lazy, seed 1"}};
  ExperimentOptions options;
  options.batches = {1, 2};
  options.r = {1, 2};
  options.s = {3};
  options.seeds = 1;
  options.search.method = SearchMethod::kLazy;
  options.search.effort.budget = Seconds(info_of(&SearchEffort::budget).bounds.least);
  for (const auto& [kind, trials] : named) {
    FakeDevice device;
    device.before_measure = [&options] { std::this_thread::sleep_for(options.search.effort.budget); };
    const auto result = run(kind, test::fork_join(4), device, options);
    ASSERT_TRUE(result) << result.error().text();
    EXPECT_THAT(result->notices,
                Contains(testing::Property(&Message::text, AllOf(HasSubstr("budget"), EndsWith(trials)))))
        << row_of(kind).id;
  }
}

// A cell is the row's schedule, found by itself, run by itself with the column's batch.
TEST(BatchesExperiment, RunsEverySchedulesWithEveryBatch) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto device = simulated("tesla-v100");
  ExperimentOptions options;
  options.batches = {1, 32};
  const auto result = run(ExperimentKind::kBatches, graph, *device, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->matrix());
  EXPECT_FALSE(result->batch);
  EXPECT_THAT(result->levels(0), ElementsAre("1", "32"));
  EXPECT_THAT(result->levels(1), ElementsAre("1", "32"));
  for (const std::int64_t found_for : options.batches) {
    const auto comparison = compare(graph, *device, only(ScheduleKind::kIosBoth, found_for), {});
    ASSERT_TRUE(comparison);
    for (const std::int64_t run_at : options.batches) {
      const Schedule& schedule = comparison->results.front().schedule;
      const auto alone = evaluate(*comparison->graph, schedule, *device, run_at, {}, {});
      ASSERT_TRUE(alone);
      const Trial* const cell = result->find(std::to_string(found_for), std::to_string(run_at));
      ASSERT_NE(cell, nullptr);
      EXPECT_EQ(result->value(*cell, "latency_ms"), alone->latency.value.count());
      const Trial& own = *result->find(std::to_string(run_at), std::to_string(run_at));
      EXPECT_NEAR(result->value(*cell, "loss_percent").value(),
                  100 * (result->value(*cell, "latency_ms").value() / result->value(own, "latency_ms").value() - 1),
                  1e-9);
    }
  }
  EXPECT_EQ(result->value(*result->find("32", "32"), "loss_percent"), 0);
  EXPECT_TRUE(result->find("32", "32")->best);
  EXPECT_FALSE(result->find("32", "1")->best);  // the paper's point: it is specialised
}

TEST(DevicesExperiment, RunsEveryScheduleOnEveryDevice) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto v100 = simulated("tesla-v100");
  const auto k80 = simulated("tesla-k80");
  const std::array devices{ExperimentDevice{v100.get()}, ExperimentDevice{k80.get()}};
  const auto result = run_experiment(ExperimentKind::kDevices, graph, devices, {}, {});
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->levels(0), ElementsAre("tesla-v100", "tesla-k80"));
  ASSERT_EQ(result->trials.size(), 4U);
  EXPECT_EQ(result->batch, 1);
  EXPECT_GT(result->value(*result->find("tesla-k80", "tesla-v100"), "loss_percent"), 0);
  EXPECT_GT(result->value(*result->find("tesla-v100", "tesla-k80"), "loss_percent"), 0);
}

TEST(ThroughputExperiment, IsBatchOverLatency) {
  FakeDevice device;
  ExperimentOptions options;
  options.batches = {1, 8};
  const auto result = run(ExperimentKind::kThroughput, test::fork_join(4), device, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->levels(1), ElementsAre("Sequential", "Greedy", "IOS-Both"));
  EXPECT_NEAR(result->value(*result->find("1", "Sequential"), "samples_per_second").value(), 1 / 6.2e-3, 1e-6);
  EXPECT_NEAR(result->value(*result->find("8", "Greedy"), "samples_per_second").value(), 8 / 3.3e-3, 1e-6);
}

// The paper's figure: IOS has the sample network's active warps 1.58 times as many.
TEST(UtilizationExperiment, ComparesMeansOfTheCounter) {
  const auto device = simulated("tesla-v100");
  const auto result = run(ExperimentKind::kUtilization, zoo_network("sample").value(), *device);
  ASSERT_TRUE(result) << result.error().text();
  ASSERT_EQ(result->trials.size(), 2U);
  EXPECT_EQ(result->value(result->trials[0], "ratio"), 1);
  EXPECT_GT(result->value(result->trials[1], "ratio"), 1.5);
  const Trace& trace = result->comparison->results[1].trace;
  EXPECT_EQ(result->value(result->trials[1], "mean_utilization"),
            trace.counters.front().mean(Micros(0), trace.duration));
}

TEST(UtilizationExperiment, NeedsADeviceThatTells) {
  FakeDevice device;
  const auto result = run(ExperimentKind::kUtilization, test::diamond(), device);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("fake"));
}

TEST(SearchExperiment, ComparesLazyWithExhaustiveUnderBothRules) {
  const auto device = simulated("tesla-v100");
  ExperimentOptions options;
  options.seeds = 2;
  const auto result = run(ExperimentKind::kSearch, zoo_network("squeezenet").value(), *device, options);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_THAT(result->levels(0), ElementsAre("connected", "single-root"));
  EXPECT_THAT(result->levels(1), ElementsAre("exhaustive", "lazy, seed 1", "lazy, seed 2"));
  ASSERT_EQ(result->trials.size(), 6U);
  for (const Trial& trial : result->trials) {
    const double loss = result->value(trial, "loss_percent").value();
    const double share = result->value(trial, "share_percent").value();
    const bool exhaustive = trial.levels[1] == "exhaustive";
    EXPECT_GE(loss, -1e-9);
    EXPECT_LE(loss, result->value(trial, "certified_gap_percent").value() + 1e-9);
    if (exhaustive) {
      EXPECT_EQ(loss, 0);
      EXPECT_EQ(share, 100);
      EXPECT_TRUE(trial.course.empty());
    } else {
      EXPECT_LT(share, 100);
      ASSERT_FALSE(trial.course.empty());
      EXPECT_EQ(trial.course.back().x, result->value(trial, "stages_needed"));
    }
  }
}

// Stops the job when the n-th stage is about to be measured.
struct StopAt {
  StopAt(FakeDevice& device, std::size_t n) {
    device.before_measure = [this, &device, n] {
      if (device.plans_measured >= n) source.request_stop();
    };
  }
  std::stop_source source;
  JobContext job() const { return {source.get_token(), {}}; }
};

TEST(StoppedExperiment, KeepsWhatWasFinished) {
  const Graph graph = test::fork_join(3);
  FakeDevice whole;
  ExperimentOptions options;
  options.batches = {1, 2, 4};
  const auto all = run(ExperimentKind::kBatches, graph, whole, options);
  ASSERT_TRUE(all);
  ASSERT_EQ(all->trials.size(), 9U);
  FakeDevice device;
  const StopAt stop(device, whole.plans_measured / 3);
  const auto result = run(ExperimentKind::kBatches, graph, device, options, stop.job());
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_FALSE(result->complete);
  ASSERT_FALSE(result->trials.empty());
  EXPECT_LT(result->trials.size(), 9U);
  for (const Trial& trial : result->trials) {
    EXPECT_EQ(result->value(trial, "latency_ms"),
              all->value(*all->find(trial.levels[0], trial.levels[1]), "latency_ms"));
  }
}

TEST(StoppedExperiment, IsAnErrorBeforeAnythingWasFinished) {
  for (const ExperimentKind kind : {ExperimentKind::kPruning, ExperimentKind::kBatches, ExperimentKind::kSearch}) {
    FakeDevice device;
    const StopAt stop(device, 1);
    const auto result = run(kind, test::fork_join(3), device, {}, stop.job());
    ASSERT_FALSE(result) << row_of(kind).id;
    EXPECT_THAT(result.error().text(), HasSubstr("stopped"));
  }
}

TEST(StoppedExperiment, ThatIsAbandonedIsAnError) {
  FakeDevice device;
  std::stop_source abandon;
  abandon.request_stop();
  const ExperimentDevice one{&device};
  const auto result =
      run_experiment(ExperimentKind::kSchedules, test::diamond(), {&one, 1}, {}, {}, abandon.get_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "abandoned");
}

// Lanes by memory, and the schedules with stages beside them: a star where nothing needs less and is as fast.
TEST(MemoryExperiment, ShowsWhatLittleMemoryCosts) {
  const auto device = simulated("h200");
  const auto result = run(ExperimentKind::kMemory, zoo_network("squeezenet").value(), *device);
  ASSERT_TRUE(result) << result.error().text();
  EXPECT_TRUE(result->complete);
  int with_stages = 0;
  int lanes = 0;
  double peak = 0;
  for (const Trial& trial : result->trials) {
    const double megabytes = result->value(trial, "planned_peak_mb").value();
    const double latency = result->value(trial, "latency_ms").value();
    EXPECT_GE(megabytes, peak) << "by memory";
    peak = megabytes;
    (result->value(trial, "lanes") ? lanes : with_stages) += 1;
    bool beaten = false;
    for (const Trial& other : result->trials) {
      const double less = result->value(other, "planned_peak_mb").value();
      const double faster = result->value(other, "latency_ms").value();
      beaten = beaten || (less <= megabytes && faster <= latency && (less < megabytes || faster < latency));
    }
    EXPECT_EQ(trial.best, !beaten) << trial.levels[0] << ", " << megabytes;
    if (result->value(trial, "lanes")) {
      EXPECT_TRUE(trial.best) << "lanes that are beaten are left out";
    }
  }
  EXPECT_GT(with_stages, 1);
  EXPECT_GT(lanes, 1);
}

TEST(MemoryExperiment, WantsADeviceWithLanes) {
  FakeDevice device;
  const auto result = run(ExperimentKind::kMemory, test::fork_join(3), device);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("cannot run lanes"));
}

TEST(WrongExperiment, SaysWhatWouldDo) {
  FakeDevice device;
  const auto error = [&](ExperimentKind kind, ExperimentOptions options) {
    const ExperimentDevice one{&device};
    const auto result = run_experiment(kind, test::diamond(), {&one, 1}, options, {});
    return result ? std::string() : result.error().text();
  };
  EXPECT_THAT(error(ExperimentKind::kBatches, {}), HasSubstr("give at least two"));
  ExperimentOptions options;
  options.batches = {4};
  EXPECT_THAT(error(ExperimentKind::kBatches, options), HasSubstr("give at least two"));
  options.batches = {4, 4};
  EXPECT_THAT(error(ExperimentKind::kThroughput, options), HasSubstr("4 is given twice"));
  options.batches = {0, 4};
  EXPECT_THAT(error(ExperimentKind::kBatches, options), HasSubstr("a batch of 0"));
  options.r = {};
  EXPECT_THAT(error(ExperimentKind::kPruning, options), HasSubstr("0 = unlimited"));
  EXPECT_THAT(error(ExperimentKind::kDevices, {}), HasSubstr("fewer than two devices"));
  const std::array twice{ExperimentDevice{&device}, ExperimentDevice{&device}};
  const auto result = run_experiment(ExperimentKind::kDevices, test::diamond(), twice, {}, {});
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().text(), HasSubstr("'fake' is given twice"));
}

}  // namespace
}  // namespace iosx
