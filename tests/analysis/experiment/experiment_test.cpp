#include "core/analysis/experiment/experiment.h"
#include "core/analysis/compare/compare.h"
#include "core/analysis/experiment/report.h"
#include "core/base/files.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/made_up_engines.h"
#include "tests/support/prelude.h"
#include "tests/support/simulated.h"

namespace iosx {
namespace {

using test::FakeDevice;

using test::simulated;

Result<ExperimentResult> run(ExperimentKind kind, const Graph& graph, Device& device, ExperimentOptions options = {},
                             const JobContext& job = {}) {
  if (options.batches.empty()) options.batches = usual_batches(kind);
  const ExperimentDevice one{&device};
  return run_experiment(kind, graph, {&one, 1}, options, job);
}

CompareOptions only(ScheduleKind schedule_kind, std::int64_t batch = 1) {
  return CompareOptions{.batch = batch, .schedule_kinds = {schedule_kind}};
}

TEST(Experiments, HaveOneRowEach) {
  EXPECT_EQ(experiment_table().size(), 9U);
  for (const ExperimentRow& row : experiment_table()) EXPECT_EQ(row_of(row.kind).id, row.id);
}

TEST(SchedulesExperiment, ComparesFiveSchedules) {
  FakeDevice device;
  const auto result = must(run(ExperimentKind::kSchedules, test::fork_join(4), device));
  EXPECT_TRUE(result.complete);
  EXPECT_THAT(result.levels(0), ElementsAre("Sequential", "Greedy", "IOS-Merge", "IOS-Parallel", "IOS-Both"));
  const Trial& sequential = result.trials[0];
  const Trial& greedy = result.trials[1];
  EXPECT_NEAR(result.value(sequential, "latency_ms").value(), 6.2, 1e-9);  // six kernels in two stages
  EXPECT_NEAR(result.value(greedy, "latency_ms").value(), 3.3, 1e-9);
  EXPECT_NEAR(result.value(greedy, "speedup").value(), 6.2 / 3.3, 1e-9);
  EXPECT_FALSE(sequential.best);
  EXPECT_FALSE(result.value(sequential, "search_seconds"));
  // The first search has the most stages and measured all that it needed; the others found most of it measured.
  EXPECT_TRUE(result.value(result.trials[4], "search_seconds"));
  EXPECT_FALSE(result.value(result.trials[2], "search_seconds"));
  EXPECT_EQ(result.comparison->results.size(), 5U);
}

// Runs that are 0 to 40 ms late tell nothing of schedules of 3 and 7 ms.
TEST(SchedulesExperiment, MarksWhatTheNoiseDoesNotTellApart) {
  FakeDevice device(Origin::kMeasured);
  device.drift = [](std::size_t run) { return Millis{run % 3 == 0 ? 40.0 : 10.0 * static_cast<double>(run % 5)}; };
  const auto result = must(run(ExperimentKind::kSchedules, test::fork_join(4), device));
  EXPECT_TRUE(result.trials[1].within_noise);
  EXPECT_TRUE(result.trials[0].best);
  EXPECT_EQ(result.trials[1].origin, Origin::kMeasured);
}

TEST(PruningExperiment, FindsWhatASearchWithTheseLimitsFinds) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto device = simulated("tesla-v100");
  ExperimentOptions options{.r = {1, 3}, .s = {2, 8}};
  const auto result = must(run(ExperimentKind::kPruning, graph, *device, options));
  ASSERT_EQ(result.trials.size(), 4U);
  for (const Trial& trial : result.trials) {
    CompareOptions compare_options = only(ScheduleKind::kIosBoth);
    compare_options.search.pruning = {.r = std::stoul(trial.levels[0]), .s = std::stoul(trial.levels[1])};
    const auto comparison = must(compare(graph, *device, compare_options, {}));
    const ScheduleResult& found = comparison.results.front();
    EXPECT_EQ(result.value(trial, "latency_ms"), found.latency.value.count());
    EXPECT_EQ(result.value(trial, "stages_needed"), static_cast<double>(found.search->tally.needed));
  }
  const Trial& least = *result.find("1", "2");
  const Trial& most = *result.find("3", "8");
  EXPECT_LT(result.value(least, "stages_needed"), result.value(most, "stages_needed"));
  EXPECT_LT(result.value(least, "transitions"), result.value(most, "transitions"));
  EXPECT_GE(result.value(least, "latency_ms"), result.value(most, "latency_ms"));
  EXPECT_TRUE(most.best);
}

TEST(PruningExperiment, SaysWhereSearchesWereLazy) {
  const Graph graph = test::fork_join(4);
  FakeDevice device;
  ExperimentOptions options;
  const auto exhaustive = must(run(ExperimentKind::kPruning, graph, device, options));
  EXPECT_TRUE(exhaustive.notices.empty());
  EXPECT_EQ(exhaustive.method, SearchMethod::kExhaustive);
  options.compare.search.method = SearchMethod::kLazy;
  const auto lazy = must(run(ExperimentKind::kPruning, graph, device, options));
  EXPECT_THAT(lazy.notices, ElementsAre(HasSubstr("lazy")));
  EXPECT_EQ(lazy.method, SearchMethod::kLazy);
}

TEST(PruningExperiment, IsLazyWhereTheDeviceMeasures) {
  FakeDevice device(Origin::kMeasured);
  const auto result = must(run(ExperimentKind::kPruning, test::fork_join(4), device));
  EXPECT_EQ(result.method, SearchMethod::kLazy);
}

// Alone, s = 2 is searched exhaustively; with 16 branches side by side there is too much to list.
TEST(PruningExperiment, SearchesAllRowsLazilyWhereOneMustBe) {
  if (test::every(2) > 1) GTEST_SKIP() << "takes minutes under the sanitizers";
  const Graph graph = test::fork_join(16);
  FakeDevice device;
  ExperimentOptions options{.r = {1}, .s = {2}};
  const auto alone = must(run(ExperimentKind::kPruning, graph, device, options));
  EXPECT_EQ(alone.method, SearchMethod::kExhaustive);
  options.s = {2, 0};
  const auto both = must(run(ExperimentKind::kPruning, graph, device, options));
  EXPECT_EQ(both.method, SearchMethod::kLazy);
  ASSERT_EQ(both.trials.size(), 2U);
  EXPECT_LT(both.value(both.trials[0], "stages_needed"), alone.value(alone.trials[0], "stages_needed"));
}

TEST(Experiments, NameTheSearchesThatTheBudgetEnded) {
  const std::vector<std::pair<ExperimentKind, std::string>> named{
      {ExperimentKind::kSchedules, ": IOS-Merge; IOS-Parallel; IOS-Both"},
      {ExperimentKind::kPruning, ": r = 1, s = 3; r = 2, s = 3"},
      {ExperimentKind::kBatches, ": found for batch 1; found for batch 2"},
      {ExperimentKind::kThroughput, ": batch 1, IOS-Both; batch 2, IOS-Both"},
      {ExperimentKind::kSearch, ": connected, lazy, seed 1; single-root, lazy, seed 1"}};
  ExperimentOptions options{.batches = {1, 2}, .r = {1, 2}, .s = {3}, .seeds = 1};
  options.compare.search.method = SearchMethod::kLazy;
  options.compare.search.effort.budget = Seconds(info_of(&SearchEffort::budget).bounds.least);
  for (const auto& [kind, trials] : named) {
    FakeDevice device;
    device.before_measure = [&options] { std::this_thread::sleep_for(options.compare.search.effort.budget); };
    const auto result = must(run(kind, test::fork_join(4), device, options));
    EXPECT_THAT(result.notices,
                Contains(testing::Property(&Message::text, AllOf(HasSubstr("budget"), EndsWith(trials)))))
        << row_of(kind).id;
  }
}

// A cell is the row's schedule, found by itself, run by itself with the column's batch.
TEST(BatchesExperiment, RunsEverySchedulesWithEveryBatch) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto device = simulated("tesla-v100");
  ExperimentOptions options{.batches = {1, 32}};
  const auto result = must(run(ExperimentKind::kBatches, graph, *device, options));
  EXPECT_TRUE(result.matrix());
  EXPECT_FALSE(result.batch);
  EXPECT_THAT(result.levels(0), ElementsAre("1", "32"));
  EXPECT_THAT(result.levels(1), ElementsAre("1", "32"));
  for (const std::int64_t found_for : options.batches) {
    const auto comparison = must(compare(graph, *device, only(ScheduleKind::kIosBoth, found_for), {}));
    for (const std::int64_t run_at : options.batches) {
      const Schedule& schedule = comparison.results.front().schedule;
      const auto alone = must(evaluate(*comparison.graph, schedule, *device, run_at, {}, {}));
      const Trial* const cell = must(result.find(std::to_string(found_for), std::to_string(run_at)));
      EXPECT_EQ(result.value(*cell, "latency_ms"), alone.latency.value.count());
      const Trial& own = *result.find(std::to_string(run_at), std::to_string(run_at));
      EXPECT_NEAR(result.value(*cell, "loss_percent").value(),
                  100 * (result.value(*cell, "latency_ms").value() / result.value(own, "latency_ms").value() - 1),
                  1e-9);
    }
  }
  EXPECT_EQ(result.value(*result.find("32", "32"), "loss_percent"), 0);
  EXPECT_TRUE(result.find("32", "32")->best);
  EXPECT_FALSE(result.find("32", "1")->best);  // the paper's point: it is specialised
}

TEST(DevicesExperiment, RunsEveryScheduleOnEveryDevice) {
  const Graph graph = zoo_network("squeezenet").value();
  const auto v100 = simulated("tesla-v100");
  const auto k80 = simulated("tesla-k80");
  const std::array devices{ExperimentDevice{v100.get()}, ExperimentDevice{k80.get()}};
  const auto result = must(run_experiment(ExperimentKind::kDevices, graph, devices, {}, {}));
  EXPECT_THAT(result.levels(0), ElementsAre("tesla-v100", "tesla-k80"));
  ASSERT_EQ(result.trials.size(), 4U);
  EXPECT_EQ(result.batch, 1);
  EXPECT_GT(result.value(*result.find("tesla-k80", "tesla-v100"), "loss_percent"), 0);
  EXPECT_GT(result.value(*result.find("tesla-v100", "tesla-k80"), "loss_percent"), 0);
}

TEST(ThroughputExperiment, IsBatchOverLatency) {
  FakeDevice device;
  ExperimentOptions options{.batches = {1, 8}};
  const auto result = must(run(ExperimentKind::kThroughput, test::fork_join(4), device, options));
  EXPECT_THAT(result.levels(1), ElementsAre("Sequential", "Greedy", "IOS-Both"));
  EXPECT_NEAR(result.value(*result.find("1", "Sequential"), "samples_per_second").value(), 1 / 6.2e-3, 1e-6);
  EXPECT_NEAR(result.value(*result.find("8", "Greedy"), "samples_per_second").value(), 8 / 3.3e-3, 1e-6);
}

// The paper's figure: IOS has the sample network's active warps 1.58 times as many.
TEST(UtilizationExperiment, ComparesMeansOfTheCounter) {
  const auto device = simulated("tesla-v100");
  const auto result = must(run(ExperimentKind::kUtilization, zoo_network("sample").value(), *device));
  ASSERT_EQ(result.trials.size(), 2U);
  EXPECT_EQ(result.value(result.trials[0], "ratio"), 1);
  EXPECT_GT(result.value(result.trials[1], "ratio"), 1.5);
  const Trace& trace = result.comparison->results[1].trace;
  EXPECT_EQ(result.value(result.trials[1], "mean_utilization"), trace.counters.front().mean(Micros(0), trace.duration));
}

TEST(UtilizationExperiment, NeedsADeviceThatTells) {
  FakeDevice device;
  EXPECT_THAT(refused(run(ExperimentKind::kUtilization, test::diamond(), device)).text(), HasSubstr("fake"));
}

TEST(SearchExperiment, ComparesLazyWithExhaustiveUnderBothRules) {
  const auto device = simulated("tesla-v100");
  ExperimentOptions options{.seeds = 2};
  const auto result = must(run(ExperimentKind::kSearch, zoo_network("squeezenet").value(), *device, options));
  EXPECT_THAT(result.levels(0), ElementsAre("connected", "single-root"));
  EXPECT_THAT(result.levels(1), ElementsAre("exhaustive", "lazy, seed 1", "lazy, seed 2"));
  ASSERT_EQ(result.trials.size(), 6U);
  for (const Trial& trial : result.trials) {
    const double loss = result.value(trial, "loss_percent").value();
    const double share = result.value(trial, "share_percent").value();
    const bool exhaustive = trial.levels[1] == "exhaustive";
    EXPECT_GE(loss, -1e-9);
    EXPECT_LE(loss, result.value(trial, "certified_gap_percent").value() + 1e-9);
    if (exhaustive) {
      EXPECT_EQ(loss, 0);
      EXPECT_EQ(share, 100);
      EXPECT_TRUE(trial.course.empty());
    } else {
      EXPECT_LT(share, 100);
      ASSERT_FALSE(trial.course.empty());
      EXPECT_EQ(trial.course.back().x, result.value(trial, "stages_needed"));
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
  ExperimentOptions options{.batches = {1, 2, 4}};
  const auto all = must(run(ExperimentKind::kBatches, graph, whole, options));
  ASSERT_EQ(all.trials.size(), 9U);
  FakeDevice device;
  const StopAt stop(device, whole.plans_measured / 3);
  const auto result = must(run(ExperimentKind::kBatches, graph, device, options, stop.job()));
  EXPECT_FALSE(result.complete);
  ASSERT_FALSE(result.trials.empty());
  EXPECT_LT(result.trials.size(), 9U);
  for (const Trial& trial : result.trials) {
    EXPECT_EQ(result.value(trial, "latency_ms"), all.value(*all.find(trial.levels[0], trial.levels[1]), "latency_ms"));
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
  const ExperimentDevice one{&device};
  const auto result = run_experiment(ExperimentKind::kSchedules, test::diamond(), {&one, 1}, {}, {}, stopped_token());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().what, "abandoned");
}

// Lanes by memory, and the schedules with stages beside them: a star where nothing needs less and is as fast.
TEST(MemoryExperiment, ShowsWhatLittleMemoryCosts) {
  const auto device = simulated("h200");
  const auto result = must(run(ExperimentKind::kMemory, zoo_network("unet").value(), *device));
  EXPECT_TRUE(result.complete);
  int with_stages = 0;
  int lanes = 0;
  double peak = 0;
  for (const Trial& trial : result.trials) {
    const double megabytes = result.value(trial, "planned_peak_mb").value();
    const double latency = result.value(trial, "latency_ms").value();
    EXPECT_GE(megabytes, peak) << "by memory";
    peak = megabytes;
    (result.value(trial, "lanes") ? lanes : with_stages) += 1;
    bool beaten = false;
    for (const Trial& other : result.trials) {
      const double less = result.value(other, "planned_peak_mb").value();
      const double faster = result.value(other, "latency_ms").value();
      beaten = beaten || (less <= megabytes && faster <= latency && (less < megabytes || faster < latency));
    }
    EXPECT_EQ(trial.best, !beaten) << trial.levels[0] << ", " << megabytes;
    if (result.value(trial, "lanes")) {
      EXPECT_TRUE(trial.best) << "lanes that are beaten are left out";
    }
  }
  EXPECT_GT(with_stages, 1);
  EXPECT_GT(lanes, 1);
}

TEST(MemoryExperiment, WantsADeviceWithLanes) {
  FakeDevice device;
  EXPECT_THAT(refused(run(ExperimentKind::kMemory, test::fork_join(3), device)).text(), HasSubstr("cannot run lanes"));
}

TEST(WrongExperiment, SaysWhatWouldDo) {
  FakeDevice device;
  const auto error = [&](ExperimentKind kind, ExperimentOptions options) {
    const ExperimentDevice one{&device};
    const auto result = run_experiment(kind, test::diamond(), {&one, 1}, options, {});
    return result ? std::string() : result.error().text();
  };
  EXPECT_THAT(error(ExperimentKind::kBatches, {}), HasSubstr("give at least two"));
  ExperimentOptions options{.batches = {4}};
  EXPECT_THAT(error(ExperimentKind::kBatches, options), HasSubstr("give at least two"));
  options.batches = {4, 4};
  EXPECT_THAT(error(ExperimentKind::kThroughput, options), HasSubstr("4 is given twice"));
  options.batches = {0, 4};
  EXPECT_THAT(error(ExperimentKind::kBatches, options), HasSubstr("a batch of 0"));
  options.r = {};
  EXPECT_THAT(error(ExperimentKind::kPruning, options), HasSubstr("0 = unlimited"));
  EXPECT_THAT(error(ExperimentKind::kDevices, {}), HasSubstr("fewer than two devices"));
  const std::array twice{ExperimentDevice{&device}, ExperimentDevice{&device}};
  EXPECT_THAT(refused(run_experiment(ExperimentKind::kDevices, test::diamond(), twice, {}, {})).text(),
              HasSubstr("'fake' is given twice"));
}

ExperimentResult matrix(Origin origin) {
  ExperimentResult result{.kind = ExperimentKind::kBatches, .network = "net, work"};
  result.devices = {{.id = "dev", .name = "Device", .summary = "", .fingerprint = "", .origin = origin}};
  result.factors = {{"found_for_batch", "found for batch", true}, {"run_at_batch", "run at batch", true}};
  result.measures = {
      {"latency_ms", "latency", "ms", 3}, {"spread_ms", "+-", "ms", 3, true}, {"loss_percent", "loss", "%", 1}};
  result.trials = {{.levels = {"1", "1"}, .values = {2.0, 0.1, 0.0}, .origin = origin, .best = true},
                   {.levels = {"8", "1"}, .values = {2.5, 0.1, 25.0}, .origin = origin},
                   {.levels = {"8", "8"}, .values = {9.0, 0.2, 0.0}, .origin = origin, .within_noise = true}};
  return result;
}

TEST(ExperimentTable, IsAMatrixWithMarksAndGaps) {
  const std::string text = experiment_table_text(matrix(Origin::kSimulated));
  EXPECT_THAT(
      text, AllOf(HasSubstr("net, work, simulated Device\n"), HasSubstr("not measured on it"),
                  HasSubstr("\n1                2.000 +0.0 % *"), HasSubstr("2.500 +25.0 %  "),
                  HasSubstr("9.000 +0.0 % ~\n"), HasSubstr("* best of its column\n~ no difference beyond the noise\n"),
                  Not(HasSubstr("±")), Not(HasSubstr("stopped"))));
}

TEST(ExperimentTable, ShowsTheSpreadOfWhatWasMeasured) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.complete = false;
  const std::string text = experiment_table_text(result);
  EXPECT_THAT(text, AllOf(HasSubstr("net, work, measured Device"), HasSubstr("2.500 ± 0.100 +25.0 %"),
                          Not(HasSubstr("imulated")), HasSubstr("stopped early")));
}

TEST(ExperimentTable, NamesTheOriginOfEveryDevice) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.kind = ExperimentKind::kDevices;
  result.devices.front().id = "8";
  EXPECT_THAT(experiment_table_text(result), HasSubstr("  8 (measured)\n"));
}

TEST(ExperimentTable, ListsTrialsWithoutColumnsOfNoiseThatThereIsNot) {
  ExperimentResult result = matrix(Origin::kSimulated);
  result.kind = ExperimentKind::kPruning;
  result.batch = 4;
  result.trials[0].values[2] = std::nullopt;
  const std::string text = experiment_table_text(result);
  EXPECT_THAT(text, AllOf(HasSubstr("simulated Device, batch 4\n"),
                          HasSubstr("found for batch  run at batch  latency [ms]  loss [%]\n"),
                          HasSubstr("1                1                  2.000 *         –\n")));
}

TEST(ExperimentTable, OfPruningSaysHowWasSearched) {
  ExperimentResult result = matrix(Origin::kSimulated);
  result.kind = ExperimentKind::kPruning;
  result.method = SearchMethod::kExhaustive;
  EXPECT_THAT(experiment_table_text(result), HasSubstr("Every search is a separate exhaustive search"));
  result.method = SearchMethod::kLazy;
  EXPECT_THAT(experiment_table_text(result), HasSubstr("Every search is a separate lazy search"));
  EXPECT_EQ(experiment_json(result).at("method"), "lazy");
}

TEST(ExperimentCsv, HasOneLineATrial) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.trials[1].values[2] = std::nullopt;
  EXPECT_EQ(table_csv(trial_list(result)),
            "experiment,network,device,found_for_batch,run_at_batch,latency_ms,spread_ms,loss_percent,origin,best,"
            "within_noise\n"
            "batches,\"net, work\",dev,1,1,2,0.1,0,measured,true,false\n"
            "batches,\"net, work\",dev,8,1,2.5,0.1,,measured,false,false\n"
            "batches,\"net, work\",dev,8,8,9,0.2,0,measured,false,true\n");
}

TEST(ExperimentJson, HasLevelsAndValuesByName) {
  ExperimentResult result = matrix(Origin::kMeasured);
  result.trials[1].values[2] = std::nullopt;
  result.trials[2].course = {{3, 4.5}};
  const auto json = experiment_json(result);
  EXPECT_EQ(json.at("experiment"), "batches");
  EXPECT_EQ(json.at("devices")[0].at("origin"), "measured");
  EXPECT_FALSE(json.contains("batch"));
  EXPECT_EQ(json.at("trials")[1].at("found_for_batch"), 8);
  EXPECT_EQ(json.at("trials")[1].at("latency_ms"), 2.5);
  EXPECT_TRUE(json.at("trials")[1].at("loss_percent").is_null());
  EXPECT_EQ(json.at("trials")[2].at("within_noise"), true);
  EXPECT_EQ(json.at("trials")[2].at("course")[0].at("stages_needed"), 3);
  EXPECT_FALSE(json.at("trials")[0].contains("course"));
}

using testing::Field;

class FrameworksTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!test::has_python()) GTEST_SKIP() << "there is no python3";
    test::write_made_up_engines(folder_.path());
    // What the made-up engines compute has the shapes of the network's outputs.
    nlohmann::ordered_json shapes;
    Document document{.graph = graph_};
    file_ = interface_of(document, 1);
    for (const FileTensor& output : file_.outputs) shapes[output.name] = output.shape();
    std::ofstream(folder_.path() / "outputs.json") << shapes;
    ::setenv("IOSX_MADE_UP_OUTPUTS", (folder_.path() / "outputs.json").c_str(), 1);
    device_.info_.threads = 2;
  }

  Result<ExperimentResult> run(const std::vector<std::string>& engines) {
    ExperimentOptions options;
    options.rivals = {.engines = test::made_up_engines(folder_.path(), engines), .file = file_, .profile = true};
    const ExperimentDevice one{&device_, {}};
    return run_experiment(ExperimentKind::kFrameworks, *graph_, {&one, 1}, options, {});
  }

  static const Trial* of(const ExperimentResult& result, const std::string& engine) {
    for (const Trial& trial : result.trials) {
      if (trial.levels.front() == engine) return &trial;
    }
    return nullptr;
  }
  static std::string problem(const ExperimentResult& result, const std::string& title) {
    for (const EngineTrial& engine : result.engines) {
      if (engine.info.title == title) return engine.problem.text();
    }
    return "not there";
  }

  const std::shared_ptr<const Graph> graph_ = std::make_shared<const Graph>(test::fork_join(3));
  ScratchFolder folder_ = ScratchFolder::make().value();
  test::ComputingDevice device_;
  FileInterface file_;
};

TEST_F(FrameworksTest, AreTimedAgainstOurFastest) {
  const auto result = must(run({"slow", "right"}));
  EXPECT_TRUE(result.complete);
  EXPECT_FALSE(result.matrix());
  const Trial* const slow = of(result, "Slow");
  const Trial* const right = of(result, "Right");
  const Trial* const sequential = of(result, "IOS Explorer, Sequential");
  ASSERT_TRUE(slow != nullptr && right != nullptr && sequential != nullptr);
  EXPECT_NEAR(result.value(*slow, "latency_ms").value(), 9.001, 0.01);
  EXPECT_NEAR(result.value(*slow, "ratio").value() / result.value(*right, "ratio").value(), 4.5, 0.01);
  EXPECT_LT(result.value(*right, "outputs_off_ppm").value(), 100);
  EXPECT_GT(result.value(*right, "prepared_in_seconds").value(), 0);
  EXPECT_FALSE(result.value(*sequential, "outputs_off_ppm").has_value());
  EXPECT_TRUE(sequential->schedule_kind.has_value());
  EXPECT_FALSE(slow->schedule_kind.has_value());
  EXPECT_FALSE(slow->best);
  EXPECT_FALSE(device_.timed.front().host_clock) << "schedules against one another";
  EXPECT_TRUE(device_.timed.back().host_clock) << "by the only clock that engines have";
  ASSERT_THAT(result.engines, SizeIs(2));
  EXPECT_EQ(result.engines[1].info.id, "right");
  EXPECT_EQ(result.engines[1].settings, "threads 2 on cpu in float32");
  ASSERT_THAT(result.engines[1].operators, SizeIs(2));
  EXPECT_EQ(result.engines[1].operators[0].name, "a");
}

// An engine costs its row, whatever it does; and none has a time that computes something else.
TEST_F(FrameworksTest, ThatFailCostTheirRowOnly) {
  const auto result = must(run({"wrong", "absent", "refuses", "dies", "mumbles", "gpu-only", "quiet"}));
  EXPECT_TRUE(result.complete);
  EXPECT_THAT(problem(result, "Wrong"), HasSubstr("computes different results: "));
  EXPECT_EQ(problem(result, "Absent"), "not installed: pip install made-up");
  EXPECT_EQ(problem(result, "Refuses"), "cannot convert Gelu");
  EXPECT_EQ(problem(result, "Dies"), "has ended with exit code 7");
  EXPECT_THAT(problem(result, "Mumbles"), HasSubstr("sent an invalid reply"));
  EXPECT_EQ(problem(result, "Gpu"), "does not run on computing");
  EXPECT_EQ(problem(result, "Quiet"), "");
  for (const char* title : {"Wrong", "Absent", "Refuses", "Dies", "Mumbles", "Gpu"}) {
    const Trial* const trial = of(result, title);
    ASSERT_NE(trial, nullptr) << title;
    EXPECT_FALSE(result.value(*trial, "latency_ms").has_value()) << title;
    EXPECT_FALSE(trial->best) << title;
  }
  EXPECT_TRUE(result.value(*of(result, "Quiet"), "latency_ms").has_value());
  const std::string text = experiment_table_text(result);
  EXPECT_THAT(text, HasSubstr("Absent: not installed: pip install made-up\n"));
  EXPECT_THAT(text, HasSubstr("Quiet, made-up 1.2: threads 2 on cpu in float32\n"));
  const auto json = experiment_json(result);
  EXPECT_EQ(json["engines"].size(), 7U);
  EXPECT_EQ(json["engines"][1]["install"], "pip install made-up");
  EXPECT_EQ(json["engines"][1]["timed"], false);
}

TEST_F(FrameworksTest, ThatCannotRunAtAllEndItBeforeAnythingIsMeasured) {
  EXPECT_THAT(refused(run({"gpu-only", "absent"})).text(), HasSubstr("Gpu: does not run on computing"));
  EXPECT_TRUE(device_.loads.empty());
}

TEST_F(FrameworksTest, NeedADeviceThatComputes) {
  test::FakeDevice simulated;
  ExperimentOptions options;
  options.rivals = {.engines = test::made_up_engines(folder_.path(), {"right"}), .file = file_};
  const ExperimentDevice one{&simulated, {}};
  EXPECT_THAT(refused(run_experiment(ExperimentKind::kFrameworks, *graph_, {&one, 1}, options, {})).text(),
              HasSubstr("simulates times but computes no outputs"));
}

TEST_F(FrameworksTest, OfSeveralNetworksStandSideBySide) {
  auto first = run({"right", "slow", "refuses"});
  auto second = run({"right", "slow", "refuses"});
  ASSERT_TRUE(first && second);
  first->network = "one";
  second->network = "two";
  const double a = first->value(*of(*first, "Slow"), "ratio").value();
  const double b = second->value(*of(*second, "Slow"), "ratio").value();
  std::vector<ExperimentResult> both;
  both.push_back(std::move(*first));
  both.push_back(std::move(*second));
  const ExperimentResult all = side_by_side(std::move(both));
  EXPECT_TRUE(all.matrix());
  EXPECT_EQ(all.network, "one, two");
  EXPECT_THAT(all.levels(1), ElementsAre("one", "two"));
  const Trial* const slow = must(all.find("Slow", "two"));
  EXPECT_EQ(all.value(*slow, "ratio"), b);
  const auto means = engine_means(all);
  EXPECT_THAT(means, Contains(AllOf(Field(&EngineMean::engine, "Slow"), Field(&EngineMean::networks, 2U),
                                    Field(&EngineMean::ratio, DoubleNear(std::sqrt(a * b), 1e-9)))));
  for (const EngineMean& mean : means) EXPECT_NE(mean.engine, "Refuses");
  EXPECT_THAT(table_csv(trial_list(all)), HasSubstr("frameworks,\"one, two\",computing,1,Slow,two,"));
  EXPECT_THAT(experiment_table_text(all), HasSubstr("times ours [×]"));
  EXPECT_THAT(all.notices, Contains(testing::ResultOf([](const Message& notice) { return notice.text(); },
                                                      StartsWith("one, Refuses: cannot convert"))));
}

}  // namespace

}  // namespace iosx
