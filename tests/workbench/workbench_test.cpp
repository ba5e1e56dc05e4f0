// Requests of every kind on devices that a test made, without a window: what comes out, what is kept and what is told.
#include "core/workbench/workbench.h"

#include "core/analysis/compare/compare.h"
#include "core/model/schedule/baselines.h"
#include "core/workbench/request_resources.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/support/store_files.h"

namespace iosx::test {
namespace {

const std::string kSimulated = "fake";
const std::string kMeasuring = "fake-computer";

SharedGraph shared(Graph graph) { return std::make_shared<const Graph>(std::move(graph)); }

class WorkbenchTest : public testing::Test {
 protected:
  StoreChoice kept() const { return {.place = {.kept = true, .file = folder_ / "store.db"}}; }
  Workbench bench(StoreChoice store = {}) const { return {registry_, std::move(store), "0.1.0"}; }
  JobHooks hooks() {
    return {.notice = [this](const Message& notice) { notices_.push_back(notice); }};
  }
  CompareRequest comparing(const std::string& device) const {
    CompareRequest request{.graph = graph_, .device = device};
    request.options.schedule_kinds = {ScheduleKind::kIosBoth};
    return request;
  }

  std::shared_ptr<ScriptedBehaviour> behaviour_ = std::make_shared<ScriptedBehaviour>();
  DeviceRegistry registry_ = scripted_registry(behaviour_);
  const SharedGraph graph_ = shared(fork_join(3));
  const Folder folder_;
  std::vector<Message> notices_;
};

TEST_F(WorkbenchTest, ComparesAsTheAnalysisDoes) {
  const auto device = *registry_.open(kSimulated);
  const auto expected = compare(*graph_, *device, comparing(kSimulated).options, {});
  const auto found = must(bench().run(comparing(kSimulated), {}));
  EXPECT_EQ(found.device, device->info());
  ASSERT_EQ(found.results.size(), expected->results.size());
  for (std::size_t i = 0; i < found.results.size(); ++i) {
    EXPECT_EQ(found.results[i].schedule, expected->results[i].schedule);
    EXPECT_EQ(found.results[i].latency, expected->results[i].latency);
  }
}

TEST_F(WorkbenchTest, MeasuresOnceWhereMeasurementsAreKept) {
  ASSERT_TRUE(bench(kept()).run(comparing(kMeasuring), {}));
  const int first = behaviour_->measured;
  EXPECT_GT(first, 0);
  ASSERT_TRUE(bench(kept()).run(comparing(kMeasuring), {}));
  EXPECT_EQ(behaviour_->measured, first);
  CompareRequest anew = comparing(kMeasuring);
  anew.anew = true;
  ASSERT_TRUE(bench(kept()).run(anew, {}));
  EXPECT_GT(behaviour_->measured, first);
  const int before = behaviour_->measured;
  ASSERT_TRUE(bench().run(comparing(kMeasuring), {}));
  EXPECT_GT(behaviour_->measured, before) << "nothing is kept, and nothing that was kept is used";
}

TEST_F(WorkbenchTest, KeepsWhatASimulatedDeviceSaysOnlyInAFileThatWasNamed) {
  ASSERT_TRUE(bench(kept()).run(comparing(kSimulated), {}));
  EXPECT_THAT(folder_.names(), IsEmpty());
  StoreChoice named = kept();
  named.named = true;
  ASSERT_TRUE(bench(named).run(comparing(kSimulated), {}));
  EXPECT_THAT(folder_.names(), Contains("store.db"));
}

TEST_F(WorkbenchTest, GoesOnWithoutAStoreUnlessItWasNamed) {
  StoreChoice folder{.place = {.kept = true, .file = folder_.path()}};  // no file
  must(bench(folder).run(comparing(kMeasuring), {}, hooks()));
  EXPECT_THAT(notices_, Contains(HasSubstr("measurements are not kept")));
  folder.named = true;
  const Error error = refused(bench(folder).run(comparing(kMeasuring), {}, hooks()));
  EXPECT_EQ(error.where, folder_.path().string());
}

TEST_F(WorkbenchTest, TellsWhatHappenedToTheStoreAlsoOfARequestThatFails) {
  write_file(folder_ / "store.db", std::string(5000, '\0'));  // as a failing disk leaves it
  behaviour_->broken = true;
  ASSERT_FALSE(bench(kept()).run(comparing(kMeasuring), {}, hooks()));
  EXPECT_THAT(notices_, Contains(HasSubstr("damaged")));
}

// Loses something at its first measurement, and mends it.
class Mishap final : public Device {
 public:
  const DeviceInfo& info() const override { return fake_.info(); }
  std::vector<Message> take_notices() override { return std::exchange(notices_, {}); }

 private:
  Result<std::vector<Latency>> do_measure(std::span<const ExecutionPlan> plans, const TimingOptions& timing,
                                          const JobContext& job) override {
    if (fake_.plans_measured == 0) notices_.push_back(message("something was lost"));
    job.report(message("mending"), 0, 0);
    return fake_.measure(plans, timing, job);
  }
  Result<std::unique_ptr<LoadedPlan>> do_load(ExecutionPlan plan, const LoadOptions& options,
                                              const JobContext& job) override {
    return fake_.load(std::move(plan), options, job);
  }

  FakeDevice fake_;
  std::vector<Message> notices_;
};

TEST_F(WorkbenchTest, TellsWhatHappenedToADeviceWhileTheRequestRuns) {
  DeviceRegistry::Entry entry{.info = FakeDevice().info()};
  entry.info.id = "mishap";
  entry.open = [] { return std::make_unique<Mishap>(); };
  registry_.add(std::move(entry));
  std::size_t told_when_mending = 0;
  const JobContext job{{}, [&](const Progress& progress) {
                         if (progress.phase.text().ends_with("mending") && told_when_mending == 0) {
                           told_when_mending = notices_.size();
                         }
                       }};
  ASSERT_TRUE(bench().run(comparing("mishap"), job, hooks()));
  EXPECT_EQ(told_when_mending, 1U);
  EXPECT_THAT(notices_, Contains(HasSubstr("something was lost")));
}

TEST_F(WorkbenchTest, NamesADeviceThatThereIsNot) {
  EXPECT_THAT(refused(bench().run(comparing("abacus"), {})).text(), HasSubstr("there is no device 'abacus'"));
}

TEST_F(WorkbenchTest, ReplaysWhatWasMeasuredWithoutTheDevice) {
  const auto measured = must(bench(kept()).run(comparing(kMeasuring), {}));
  const int requests = behaviour_->requests;
  CompareRequest replay = comparing({});
  replay.replay = true;
  const auto found = must(bench(kept()).run(replay, {}, hooks()));
  EXPECT_EQ(behaviour_->requests, requests);
  EXPECT_EQ(found.device.id, kMeasuring);
  EXPECT_EQ(found.find(ScheduleKind::kIosBoth)->schedule, measured.find(ScheduleKind::kIosBoth)->schedule);
  EXPECT_THAT(notices_, Contains(HasSubstr("was not used")));
}

TEST_F(WorkbenchTest, ChoosesTheBestDeviceOrOneThatComputes) {
  EXPECT_EQ(bench().default_device()->info.id, registry_.best()->info.id);
  EXPECT_EQ(bench().default_device(true)->info.id, kMeasuring);
  const DeviceRegistry empty;
  EXPECT_EQ(Workbench(empty, {}, "0.1.0").default_device(true), nullptr);
}

TEST_F(WorkbenchTest, EvaluatesAndComputes) {
  EvaluateRequest request{.graph = graph_, .device = kMeasuring, .given = greedy_schedule(*graph_), .verify = true};
  request.inputs.emplace();
  const auto found = must(bench().run(request, {}));
  EXPECT_EQ(found.device.id, kMeasuring);
  EXPECT_GT(found.result.latency.value.count(), 0);
  EXPECT_TRUE(found.result.verification && found.result.verification->passed());
  EXPECT_EQ(found.outputs.size(), found.result.plan.outputs.size());
  request.device = kSimulated;
  request.verify = false;
  EXPECT_THAT(bench().run(request, {}).error().text(), HasSubstr("does not compute outputs"));
  request.verify = true;
  EXPECT_THAT(bench().run(request, {}).error().text(), HasSubstr("computes no outputs"));
}

TEST_F(WorkbenchTest, VerifiesWhatAScheduleComputes) {
  VerifyRequest request{.graph = graph_, .device = kMeasuring, .schedule = greedy_schedule(*graph_)};
  EXPECT_TRUE(must(bench().run(request, {})).passed());
  behaviour_->wrong = true;
  EXPECT_FALSE(bench().run(request, {})->passed());
}

TEST_F(WorkbenchTest, ImprovesAScheduleAndRunsBoth) {
  ImproveRequest request{.graph = graph_, .device = kSimulated, .start = one_by_one_schedule(*graph_)};
  const auto alone = must(bench().run(request, {}));
  EXPECT_TRUE(alone.improvement.better);
  EXPECT_FALSE(alone.comparison);
  request.run = true;
  request.name = "improved";
  const auto both = must(bench().run(request, {}));
  ASSERT_TRUE(both.comparison);
  EXPECT_EQ(both.comparison->results[1].schedule.name, "improved");
  EXPECT_LT(both.comparison->results[1].latency.value, both.comparison->results[0].latency.value);
  request.pinned = {0, 1, 2, 3, 4};  // all there are
  EXPECT_FALSE(bench().run(request, {})->improvement.better);
}

TEST_F(WorkbenchTest, MeasuresStagesAndKeepsThem) {
  const Schedule schedule = greedy_schedule(*graph_);
  const MeasureStagesRequest request{.graph = graph_, .device = kMeasuring, .stages = schedule.stages};
  const auto found = must(bench(kept()).run(request, {}));
  EXPECT_EQ(found.latencies.size(), schedule.stages.size());
  const int measured = behaviour_->measured;
  EXPECT_EQ(bench(kept()).run(request, {})->latencies, found.latencies);
  EXPECT_EQ(behaviour_->measured, measured);
}

TEST_F(WorkbenchTest, MeasuresADrawing) {
  const auto found = must(bench().run(MeasureDrawingRequest{.graph = graph_, .device = kMeasuring}, {}));
  EXPECT_EQ(found.device.id, kMeasuring);
  // Five units, 1 ms each and 0.1 ms a stage: sequential has two, a part each; greedy three, with the three units in
  // the middle side by side.
  EXPECT_NEAR(found.figures.sequential.value.count(), 5.2, 1e-9);
  EXPECT_NEAR(found.figures.greedy.value.count(), 3.3, 1e-9);
  ASSERT_TRUE(found.figures.found);
  EXPECT_LE(found.figures.found->ios.value.count(), 3.3 + 1e-9);
}

TEST_F(WorkbenchTest, ExplainsWithoutMeasuringUnlessAsked) {
  ExplainRequest request{.graph = graph_, .device = kMeasuring, .schedule = greedy_schedule(*graph_), .stage = 1};
  const auto unknown = must(bench(kept()).run(request, {}));
  EXPECT_EQ(unknown.explanation.basis, Basis::kUnknown);
  EXPECT_FALSE(unknown.asked_device);
  EXPECT_EQ(behaviour_->measured, 0);
  request.measure = true;
  const auto measured = must(bench(kept()).run(request, {}));
  EXPECT_TRUE(measured.asked_device);
  EXPECT_GT(behaviour_->measured, 0);
  request.measure = false;
  EXPECT_NE(bench(kept()).run(request, {})->explanation.basis, Basis::kUnknown);
}

TEST_F(WorkbenchTest, ExplainsWhatAComparisonKnows) {
  const auto comparison = std::make_shared<const Comparison>(*bench().run(comparing(kMeasuring), {}));
  const int measured = behaviour_->measured;
  const ScheduleResult& best = comparison->results.front();
  ExplainRequest request{.graph = comparison->graph,
                         .device = kMeasuring,
                         .schedule = best.schedule,
                         .max_part_size = {},
                         .known = comparison};
  EXPECT_NEAR(must(bench().run(request, {})).explanation.sum.count(), best.stage_sum.count(), 1e-9);
  EXPECT_EQ(behaviour_->measured, measured);
}

TEST_F(WorkbenchTest, SearchesWhatItIsToExplain) {
  const ExplainRequest request{.graph = graph_, .device = kSimulated, .schedule = StrategySet::kBoth};
  const auto found = must(bench().run(request, {}));
  EXPECT_EQ(found.schedule, bench().run(comparing(kSimulated), {})->results.front().schedule);
}

TEST_F(WorkbenchTest, ANamedStoreThatCannotBeOpenedIsAnErrorEachTime) {
  write_file(folder_ / "words.txt", "no store");
  const StoreChoice words{.place = {.kept = true, .file = folder_ / "words.txt"}, .named = true};
  const Workbench workbench(registry_, words, "test");
  const JobHooks silent;
  RequestResources resources(workbench, silent);
  const DeviceInfo info = ScriptedDevice::make_info(ScriptedKind::kComputer);
  for (int turn = 0; turn < 2; ++turn) EXPECT_FALSE(resources.keeping(info)) << turn;
  EXPECT_EQ(resources.known(), nullptr);
}

TEST_F(WorkbenchTest, WhatIsReadIsNotWhatIsWritten) {
  ASSERT_TRUE(open_store(folder_ / "m.db"));
  const StoreChoice kept{.place = {.kept = true, .file = folder_ / "m.db"}, .named = true};
  const Workbench workbench(registry_, kept, "test");
  const JobHooks silent;
  RequestResources resources(workbench, silent);
  MeasurementStore* const known = must(resources.known());
  const auto keeping = must(resources.keeping(ScriptedDevice::make_info(ScriptedKind::kComputer)));
  EXPECT_NE(keeping.store, known);
}

TEST_F(WorkbenchTest, SweepsAndTellsEveryPoint) {
  SweepRequest request{.sweep = {{.graph = graph_, .device = kSimulated}}, .values = {1, 2, 4}};
  request.sweep.base.options.schedule_kinds = {ScheduleKind::kSequential};
  std::vector<std::int64_t> told;
  JobHooks hooks{.point = [&](const SweepPoint& point) { told.push_back(point.value); }};
  const auto found = must(bench().run(request, {}, hooks));
  EXPECT_THAT(told, ElementsAre(1, 2, 4));
  EXPECT_EQ(found.points.size(), 3U);
  for (const SweepPoint& point : found.points) EXPECT_FALSE(point.latencies.empty()) << point.problem;
  const int simulated = behaviour_->measured;  // the simulated device counts, too
  request.sweep.base.device = kMeasuring;
  request.measure = false;
  const auto unmeasured = must(bench(kept()).run(request, {}));
  for (const SweepPoint& point : unmeasured.points) EXPECT_EQ(point.problem, "not measured yet");
  EXPECT_EQ(behaviour_->measured, simulated);
  request.measure = true;
  ASSERT_TRUE(bench(kept()).run(request, {}));
  request.measure = false;
  const auto reused = must(bench(kept()).run(request, {}));
  for (const SweepPoint& point : reused.points) EXPECT_FALSE(point.latencies.empty());
}

TEST_F(WorkbenchTest, ProfilesAComparisonThatIsThereOrThatItMakes) {
  ProfileRequest request{.graph = graph_, .device = kMeasuring};
  request.options.schedule_kinds = {ScheduleKind::kGreedy};
  bool halfway = false;
  JobHooks hooks;
  hooks.halfway = [&](const Comparison&) -> Result<void> {
    halfway = true;
    return {};
  };
  const auto made = must(bench().run(request, {}, hooks));
  EXPECT_TRUE(made.profiled);
  EXPECT_TRUE(halfway);
  EXPECT_NE(made.comparison.find(ScheduleKind::kGreedy), nullptr);
  const int requests = behaviour_->measured;
  request.comparison = std::make_shared<const Comparison>(made.comparison);
  must(bench().run(request, {}));
  EXPECT_EQ(behaviour_->measured, requests);
  request.comparison = nullptr;
  const auto stopped = bench().run(request, {stopped_token(), {}});
  EXPECT_FALSE(stopped && stopped->profiled);
}

TEST_F(WorkbenchTest, RunsAnExperimentOnSeveralDevicesWithOneStore) {
  ExperimentRequest request{
      .kind = ExperimentKind::kDevices, .graph = graph_, .devices = {kSimulated, kMeasuring}, .options = {}};
  EXPECT_EQ(must(bench(kept()).run(request, {})).devices.size(), 2U);
  EXPECT_THAT(folder_.names(), Contains("store.db"));
  request.devices = {kSimulated};
  EXPECT_THAT(bench().run(request, {}).error().text(), HasSubstr("fewer than two devices"));
}

TEST_F(WorkbenchTest, ValidationNeedsItsDevices) {
  EXPECT_THAT(refused(bench().run(ValidateRequest{}, {})).text(), HasSubstr("tesla-v100"));
}

TEST_F(WorkbenchTest, AnyRequestGivesItsOutcome) {
  const auto compared = must(bench().run(Request(comparing(kSimulated)), {}));
  EXPECT_TRUE(std::holds_alternative<Comparison>(compared));
  const Request stages =
      MeasureStagesRequest{.graph = graph_, .device = kSimulated, .stages = greedy_schedule(*graph_).stages};
  EXPECT_TRUE(std::holds_alternative<StageLatencies>(*bench().run(stages, {})));
  EXPECT_FALSE(bench().run(Request(comparing("abacus")), {}));
}

TEST_F(WorkbenchTest, ThatIsAbandonedEndsWithAnError) {
  std::stop_source abandon;
  abandon.request_stop();
  EXPECT_EQ(refused(bench().run(comparing(kSimulated), {}, {.abandon = abandon.get_token()})).what, "abandoned");
}

TEST_F(WorkbenchTest, KnownLatenciesAskOnlyASimulatedDeviceThatIsHereInTheSameForm) {
  const Schedule schedule = greedy_schedule(*graph_);
  DeviceInfo info = registry_.find(kSimulated)->info;
  KnownLatencies here(bench(), *graph_, info, 1, nullptr);
  EXPECT_TRUE(here.asks_device());
  const auto answers = must(here.answers(schedule.stages));
  for (const auto& answer : answers) EXPECT_TRUE(answer.has_value());
  info.fingerprint = "another form";
  KnownLatencies elsewhere(bench(), *graph_, info, 1, nullptr);
  EXPECT_FALSE(elsewhere.asks_device());
  elsewhere.give(schedule.stages.front(), **answers.begin());
  const auto given = must(elsewhere.answers(schedule.stages));
  EXPECT_TRUE(given.front().has_value());
  EXPECT_FALSE(given.back().has_value());
}

// What was measured when a comparison was recorded is not what is measured here and now.
TEST_F(WorkbenchTest, KnownLatenciesOfARecordedComparisonAreRecorded) {
  Comparison comparison = *bench().run(comparing(kMeasuring), {});
  const ScheduleResult result = comparison.results.front();
  const auto origin = [&] {
    KnownLatencies known(bench(), *comparison.graph, comparison.device, 1, &comparison);
    return (*known.answers(result.schedule.stages)).front()->origin;
  };
  EXPECT_EQ(origin(), Origin::kMeasured);
  comparison.recorded = verbatim("recorded elsewhere");
  EXPECT_EQ(origin(), Origin::kRecorded);
  comparison.complete = false;  // latencies of stages within a run
  KnownLatencies known(bench(), *comparison.graph, comparison.device, 1, &comparison);
  EXPECT_FALSE((*known.answers(result.schedule.stages)).front());
}

}  // namespace
}  // namespace iosx::test
