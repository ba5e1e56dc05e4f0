#include <csignal>

#include "core/analysis/compare/compare.h"
#include "core/model/schedule/baselines.h"
#include "core/workers/host_turn.h"
#include "core/workers/worker_device.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/lower.h"
#include "tests/support/prelude.h"
#include "tests/workers/workers.h"

namespace iosx {
namespace {

constexpr WorkerLimits kPatient{
    .start = Seconds(30), .silence = Seconds(5), .measurement = Seconds(4), .stop = Seconds(5)};

class WorkerDeviceTest : public testing::Test {
 protected:
  std::string file(const char* name) const { return (folder_->path() / name).string(); }
  std::string logging(const std::string& options = {}) const {
    return test::scripted_worker(fmt::format("--log {} {}", file("log"), options));
  }
  // The processes that measured, once for each plan.
  std::vector<std::string> logged() const {
    std::ifstream stream(file("log"));
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
  }
  static std::unique_ptr<Device> device(const std::string& command, int count = 1, WorkerLimits limits = kPatient,
                                        const std::string& methods_key = {}) {
    return make_worker_device({.info = test::FakeDevice().info(), .methods_key = methods_key, .peak = {}},
                              {{command, count}}, limits);
  }
  static std::vector<std::string> texts(Device& device) {
    return mapped<std::string>(device.take_notices(), [](const Message& notice) { return notice.text(); });
  }
  Result<ScratchFolder> folder_ = ScratchFolder::make();
};

TEST_F(WorkerDeviceTest, AnswersWhatItsDeviceAnswers) {
  const Graph graph = test::sample();
  StagePlanner planner(graph, 3, test::FakeDevice().info().lowering);
  const ExecutionPlan plan = planner.plan(greedy_schedule(graph));
  test::FakeDevice here;
  const auto there = device(logging());
  const RunOptions options{.trace = true};
  const auto expected = load_and_run(here, plan, options, {});
  const auto answer = must(load_and_run(*there, plan, options, {}));
  EXPECT_EQ(answer.latency, expected->latency);
  EXPECT_EQ(answer.stage_latencies, expected->stage_latencies);
  EXPECT_EQ(answer.trace, expected->trace);

  const auto plans = test::stage_plans(7);
  EXPECT_EQ(there->measure(plans, {}, {}).value(), here.measure(plans, {}, {}).value());
  EXPECT_EQ(logged().size(), 7U);
  EXPECT_TRUE(there->measure({}, {}, {}).value().empty());
  EXPECT_TRUE(texts(*there).empty());
}

TEST_F(WorkerDeviceTest, SharesPlansOut) {
  const auto there = device(logging("--millis 10"), 3);
  const auto plans = test::stage_plans(40);
  const auto latencies = must(there->measure(plans, {}, {}));
  EXPECT_EQ(latencies, test::FakeDevice().measure(plans, {}, {}).value());
  const auto processes = logged();
  EXPECT_EQ(processes.size(), 40U);
  EXPECT_EQ(std::set<std::string>(processes.begin(), processes.end()).size(), 3U);
  EXPECT_EQ(there->info().plans_at_once, 3 * device(logging())->info().plans_at_once);
}

TEST_F(WorkerDeviceTest, APlanThatKillsFourTimesIsLeftOutAndNamed) {
  for (const char* habit : {"--die-on f", "--hang-on f"}) {
    const auto there = device(test::scripted_worker(habit), 2,
                              {.start = Seconds(30), .silence = Seconds(5), .measurement = Seconds(1)});
    const auto plans = test::stage_plans(12);
    const auto latencies = must(there->measure(plans, {}, {}));
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(latencies[i].is_left_out(), i == 5) << i;
    const auto notices = texts(*there);
    ASSERT_EQ(notices.size(), 5U) << testing::PrintToString(notices);
    EXPECT_THAT(notices, Contains(HasSubstr("left out: f")));
  }
}

TEST_F(WorkerDeviceTest, ASearchGoesRoundWhatIsLeftOut) {
  const Graph graph = test::fork_join(3);
  const auto there = device(test::scripted_worker("--die-on b"));
  DeviceLatencySource source(graph, *there, 1);
  // Alone, b kills; beside others it does not.
  SearchOptions options;
  EXPECT_TRUE(std::isfinite(must(search(graph, source, options, {})).stage_sum.count()));
}

TEST_F(WorkerDeviceTest, AScheduleOfWhatIsLeftOutIsLeftAside) {
  const Graph graph = test::fork_join(3);
  const auto there = device(test::scripted_worker("--die-on b"));
  CompareOptions options{.schedule_kinds = {ScheduleKind::kSequential, ScheduleKind::kOneByOne, ScheduleKind::kGreedy}};
  const auto comparison = must(compare(graph, *there, options, {}));
  const auto kinds = mapped<ScheduleKind>(comparison.results, &ScheduleResult::schedule_kind);
  EXPECT_THAT(kinds, ElementsAre(ScheduleKind::kSequential, ScheduleKind::kGreedy));
  std::vector<std::string> notices;
  for (const Message& notice : comparison.notices) notices.push_back(notice.text());
  EXPECT_THAT(notices, Contains(HasSubstr("of 'one-by-one' cannot be measured")));
}

TEST_F(WorkerDeviceTest, AnErrorOfTheDeviceEndsTheRequestAndNotTheWorker) {
  const auto there = device(logging("--refuse d"));
  const auto plans = test::stage_plans(6);
  const Error error = refused(there->measure(plans, {}, {}));
  EXPECT_THAT(error.text(), HasSubstr("has no way to compute this"));
  EXPECT_EQ(error.where, "d");
  EXPECT_EQ(there->take_answered().size(), 3U);
  EXPECT_TRUE(there->measure(std::span(plans).first(3), {}, {}));
  const auto processes = logged();
  EXPECT_EQ(std::set<std::string>(processes.begin(), processes.end()).size(), 1U);
}

TEST_F(WorkerDeviceTest, WhatWasAnsweredBeforeNoWorkerWasLeftIsKept) {
  // The first worker measures until it comes upon d; no other one starts.
  const auto there = device(fmt::format("mkdir {} && exec {}", file("once"), test::scripted_worker("--die-on d")));
  const Graph graph = test::sample();
  auto opened = must(MeasurementStore::open(folder_->path() / "store.db"));
  DeviceLatencySource source(graph, *there, 1, {}, {.store = opened.get(), .program = "test"});
  std::vector<Stage> stages;
  for (const char* name : {"a", "b", "c", "d"}) stages.push_back(Stage{{Group{{Step{{unit(graph, name)}}}}}});
  EXPECT_THAT(refused(source.stage_latencies(stages, {})).text(), HasSubstr("File exists"));
  EXPECT_EQ(opened->count({}).value(), 3);
}

TEST_F(WorkerDeviceTest, ARunWhoseWorkerDiesIsMadeAgain) {
  const Graph graph = test::sample();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  std::ofstream(file("mine")) << "x";
  const auto there = device(test::scripted_worker("--die-in-run " + file("mine")));
  const auto loaded = must(there->load(plan, {}, {}));
  const auto answer = must(loaded->run({}, {}));
  EXPECT_EQ(answer.latency, load_and_run(*std::make_unique<test::FakeDevice>(), plan, {}, {})->latency);
  EXPECT_THAT(texts(*there), ElementsAre(HasSubstr("was lost and is started again")));

  std::ofstream(file("always")) << "x";
  const auto never = device(test::scripted_worker("--die-in-run " + file("always")));
  EXPECT_THAT(refused(load_and_run(*never, plan, {}, {})).text(),
              AnyOf(HasSubstr("signal"), HasSubstr("exit code 137")));
}

// Somebody changes what the worker says.
TEST_F(WorkerDeviceTest, WhatIsNoLatencyIsNoAnswer) {
  const auto plans = test::stage_plans(8);
  const auto expected = test::FakeDevice().measure(plans, {}, {}).value();
  for (const char* change :
       {R"(s/"ms":[^,]*/"ms":0/)", R"(s/"ms":[^,]*/"ms":5e-324/)", R"(s/"samples":1/"samples":0/)"}) {
    const std::string changed = fmt::format("{} | sed -u '{}'", test::scripted_worker(), change);
    const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                                          {{changed}, {test::scripted_worker()}}, kPatient);
    EXPECT_EQ(must(there->measure(plans, {}, {})), expected) << change;
    EXPECT_TRUE(load_and_run(*there, plans[0], {}, {})) << change;
    EXPECT_THAT(refused(device(changed)->measure(plans, {}, {})).text(), HasSubstr("sent an unexpected reply"));
  }
}

TEST_F(WorkerDeviceTest, ARunMovesOnFromAWorkerThatAlwaysDies) {
  const Graph graph = test::sample();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  std::ofstream(file("always")) << "x";
  const auto there = make_worker_device(
      {.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
      {{test::scripted_worker("--die-in-run " + file("always"))}, {test::scripted_worker()}}, kPatient);
  const auto loaded = must(there->load(plan, {}, {}));
  EXPECT_EQ(must(loaded->run({}, {})).latency,
            load_and_run(*std::make_unique<test::FakeDevice>(), plan, {}, {})->latency);
  EXPECT_LE(texts(*there).size(), 4U);  // losses, two if the other one starts at once
}

// The second worker dies once and is another device then: the third one comes before the first,
// which died twice.
TEST_F(WorkerDeviceTest, ARunMovesOnToTheWorkerThatWasLostLeast) {
  const Graph graph = test::sample();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  std::ofstream(file("always")) << "x";
  const std::string dies = test::scripted_worker("--die-in-run " + file("always"));
  const std::string other = test::scripted_worker("--fingerprint other");
  const std::string once = fmt::format("mkdir {} && exec {} || exec {}", file("once"), dies, other);
  const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                                        {{dies}, {once}, {test::scripted_worker()}}, kPatient);
  const auto loaded = must(there->load(plan, {}, {}));
  EXPECT_TRUE(loaded->run({}, {}));
  const std::vector<std::string> notices = texts(*there);
  EXPECT_THAT(notices, Contains(HasSubstr("worker 2 is not used")));
  EXPECT_THAT(notices, Contains(HasSubstr("worker 1 was lost")).Times(2));
}

// Somebody changes the word of each measurement; no plan is left out for it.
TEST_F(WorkerDeviceTest, WhatCannotBeReadCountsAgainstItsWorker) {
  const std::string changed = test::scripted_worker() + R"( | sed -u 's/"measured"/"mesured"/')";
  const auto plans = test::stage_plans(8);
  const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                                        {{changed}, {test::scripted_worker()}}, kPatient);
  EXPECT_EQ(must(there->measure(plans, {}, {})), test::FakeDevice().measure(plans, {}, {}).value());
  EXPECT_THAT(texts(*there), Not(Contains(HasSubstr("left out"))));
  const auto alone = device(changed);
  EXPECT_THAT(refused(alone->measure(plans, {}, {})).text(), HasSubstr("sent an invalid reply"));
  EXPECT_EQ(texts(*alone).size(), 5U);
}

// What a stopped run has so far is less than what was asked for, and no fault of the worker.
TEST_F(WorkerDeviceTest, AStoppedRunKeepsItsWorker) {
  const Graph graph = test::sample();
  const ExecutionPlan plan = lower(graph, greedy_schedule(graph), 1);
  const RunResult whole = must(load_and_run(*std::make_unique<test::FakeDevice>(), plan, {}, {}));
  RunResult some = whole;
  some.stage_latencies.pop_back();
  const std::vector<std::string> lines{
      to_line(wire::Hello{.program = "made up", .device = test::FakeDevice().info(), .methods_key = "", .host = "h"}),
      to_line(wire::Reply{1, wire::Done{}}),  // it has the parameters
      to_line(wire::Reply{2, wire::Loaded{}}),
      to_line(wire::Reply{3, wire::Alive{.phase = {"half of it", true, {}}}}),
      to_line(wire::Reply{3, wire::Ran{some}}),
      to_line(wire::Reply{4, wire::Ran{whole}}),
  };
  std::string command = fmt::format("echo x >> {}", file("log"));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string said = file(std::to_string(i).c_str());
    std::ofstream(said) << lines[i] << '\n';
    command += fmt::format("; cat {}; read order", said);
  }
  const auto there = device(command);
  const auto loaded = must(there->load(plan, {}, {}));
  std::stop_source stop;
  const JobContext job{stop.get_token(), [&](const Progress& progress) {
                         if (progress.phase.text() == "half of it") stop.request_stop();
                       }};
  EXPECT_FALSE(loaded->run({}, job));
  EXPECT_EQ(must(loaded->run({}, {})).latency, whole.latency);
  EXPECT_EQ(logged().size(), 1U);  // starts
}

// Plans at which a worker dies are no reason to give the worker up.
TEST_F(WorkerDeviceTest, OneWorkerGoesOnAfterSeveralPlansThatKill) {
  const auto there = device(test::scripted_worker("--die-on b --hang-on c"), 1,
                            {.start = Seconds(30), .silence = Seconds(5), .measurement = Seconds(1)});
  const auto latencies = must(there->measure(test::stage_plans(4), {}, {}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(latencies[i].is_left_out(), i == 1 || i == 2) << i;
}

TEST_F(WorkerDeviceTest, AnotherFingerprintIsAnotherDevice) {
  const auto there = device(test::scripted_worker("--fingerprint other"));
  EXPECT_THAT(refused(there->measure(test::stage_plans(2), {}, {})).text(),
              HasSubstr("is another device: 'other', not 'fake-1'"));
}

TEST_F(WorkerDeviceTest, OneThatComputesByOtherMethodsThanWhenItWasAskedIsRefused) {
  const auto there = device(test::scripted_worker("--methods yes"), 1, kPatient, "of an older library");
  EXPECT_THAT(refused(there->measure(test::stage_plans(2), {}, {})).text(),
              HasSubstr("uses other methods ('scripted')"));
}

TEST_F(WorkerDeviceTest, AWorkerOfAnotherDeviceAmongSeveralIsLeftAside) {
  const auto there =
      make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                         {{test::scripted_worker("--fingerprint other")}, {test::scripted_worker()}}, kPatient);
  // A quick one may have measured all before the other one has said what it is.
  std::vector<std::string> notices;
  for (int round = 0; round < 1000 && notices.empty(); ++round) {
    EXPECT_EQ(must(there->measure(test::stage_plans(20), {}, {})).size(), 20U);
    notices = texts(*there);
  }
  EXPECT_THAT(notices, Contains(HasSubstr("is another device")));
}

TEST_F(WorkerDeviceTest, AWorkerInAQueueKeepsNobodyWaiting) {
  const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                                        {{"exec sleep 1000"}, {test::scripted_worker()}},
                                        {.start = Seconds(1000), .silence = Seconds(5), .measurement = Seconds(4)});
  const auto begin = std::chrono::steady_clock::now();
  for (int round = 0; round < 3; ++round) EXPECT_EQ(there->measure(test::stage_plans(20), {}, {}).value().size(), 20U);
  const Graph graph = test::sample();
  EXPECT_TRUE(load_and_run(*there, lower(graph, greedy_schedule(graph), 1), {}, {}));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(60));
}

TEST_F(WorkerDeviceTest, ACommandSaysItselfHowLongItsQueueMayTake) {
  const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                                        {{"exec sleep 1000", 1, Seconds(1)}}, {.start = Seconds(1000)});
  EXPECT_THAT(refused(there->measure(test::stage_plans(2), {}, {})).text(), HasSubstr("has not started after 1 s"));
}

TEST_F(WorkerDeviceTest, AFirstWorkerThatDoesNotStartIsNoEndOfTheDevice) {
  const std::string dead = fmt::format("echo x >> {}; exit 3", file("log"));
  const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                                        {{dead}, {test::scripted_worker("--millis 5")}}, kPatient);
  const Graph graph = test::sample();
  EXPECT_TRUE(load_and_run(*there, lower(graph, greedy_schedule(graph), 1), {}, {}));
  for (int round = 0; round < 30; ++round) EXPECT_EQ(there->measure(test::stage_plans(20), {}, {}).value().size(), 20U);
  EXPECT_LE(logged().size(), 5U);  // starts of the dead one
  EXPECT_THAT(texts(*there), Contains(HasSubstr("worker 1 was lost and is")));
}

// The first three starts fail, as where a host comes up.
TEST_F(WorkerDeviceTest, AWorkerThatStartsAtTheFourthTryServes) {
  const std::string slow =
      fmt::format("echo x >> {0}; test $(wc -l < {0}) -gt 3 || exit 1; exec {1}", file("log"), test::scripted_worker());
  EXPECT_EQ(device(slow)->measure(test::stage_plans(4), {}, {}).value().size(), 4U);
}

TEST_F(WorkerDeviceTest, AStopLeavesAPrefix) {
  const auto there = device(test::scripted_worker("--millis 50"), 2);
  std::stop_source stop;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
    stop.request_stop();
  });
  const auto begin = std::chrono::steady_clock::now();
  const auto latencies = must(there->measure(test::stage_plans(500), {}, {stop.get_token(), {}}));
  EXPECT_LT(latencies.size(), 500U);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(15));
  // What was answered behind the first gap is not lost.
  for (const Device::Answered& answered : there->take_answered()) EXPECT_GT(answered.plan, latencies.size());
  // The workers are as good as before.
  EXPECT_EQ(there->measure(test::stage_plans(2), {}, {}).value().size(), 2U);
}

TEST_F(WorkerDeviceTest, WorkersOnOneHardwareMeasureInTurn) {
  const auto there = device(logging("--turn " + folder_->path().string()), 3);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(must(there->measure(test::stage_plans(20), {}, {})).size(), 20U);
  }
  const auto processes = logged();
  EXPECT_EQ(std::set<std::string>(processes.begin(), processes.end()).size(), 3U);
  EXPECT_TRUE(texts(*there).empty());
}

// It waits longer than a measurement may take.
TEST_F(WorkerDeviceTest, AWaitForTheHardwareIsNoPartOfAMeasurementsLimit) {
  constexpr WorkerLimits kShort{
      .start = Seconds(30), .silence = Seconds(5), .measurement = Seconds(2), .stop = Seconds(5)};
  auto turn = HostTurn::open(folder_->path(), {{"fake", 0}});
  ASSERT_TRUE(turn && turn->try_take());
  const auto board = std::make_shared<WorkerBoard>();
  const auto there =
      make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                         {{test::scripted_worker("--turn " + folder_->path().string())}}, kShort, {}, board);
  std::jthread later([&] {
    while (board->now().front().activity != WorkerActivity::kWaiting) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(3500));
    turn->give_back();
  });
  std::vector<std::string> phases;
  const JobContext job{{}, [&](const Progress& progress) { phases.push_back(progress.phase.text()); }};
  must(there->measure(test::stage_plans(2), {}, job));
  EXPECT_TRUE(texts(*there).empty());
  EXPECT_THAT(phases, Contains(HasSubstr("waiting for other measurements on the same hardware")));
}

TEST_F(WorkerDeviceTest, TheBoardAndTheProgressSayWhatEachWorkerDoes) {
  const auto board = std::make_shared<WorkerBoard>();
  const std::string command = test::scripted_worker("--millis 5");
  {
    const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}},
                                          {{command, 2}}, kPatient, {}, board);
    ASSERT_EQ(board->now().size(), 2U);
    EXPECT_EQ(board->now()[1].number, 2);
    EXPECT_EQ(board->now()[1].device, "fake");
    EXPECT_EQ(board->now()[1].command, command);
    EXPECT_EQ(board->now()[0].activity, WorkerActivity::kOff);
    std::set<WorkerActivity> seen;
    std::vector<std::string> phases;
    const JobContext job{{}, [&](const Progress& progress) {
                           phases.push_back(progress.phase.text());
                           for (const WorkerDoing& doing : board->now()) {
                             seen.insert(doing.activity);
                             EXPECT_EQ(doing.in_flight > 0 && doing.activity == WorkerActivity::kIdle, false);
                           }
                         }};
    ASSERT_TRUE(there->measure(test::stage_plans(60), {}, job));
    EXPECT_TRUE(seen.contains(WorkerActivity::kMeasuring));
    EXPECT_THAT(phases, Contains(testing::ContainsRegex(
                            "fake, worker 1: [0-9]+ measured, [0-9]+ in flight; worker 2: [0-9]+ measured")));
    std::size_t measured = 0;
    for (const WorkerDoing& doing : board->now()) {
      measured += doing.measured;
      EXPECT_EQ(doing.activity, WorkerActivity::kIdle);
      EXPECT_EQ(doing.in_flight, 0U);
    }
    EXPECT_EQ(measured, 60U);
  }
  EXPECT_TRUE(board->now().empty());
}

// A notice can be had from where the request reports that it goes on.
TEST_F(WorkerDeviceTest, ALossIsToldWhileTheRequestRuns) {
  std::ofstream(file("once")) << "x";
  const std::string command = fmt::format("if test -e {0}; then rm {0}; exec {1}; else exec {2}; fi", file("once"),
                                          test::scripted_worker("--die-on c"), test::scripted_worker());
  const auto board = std::make_shared<WorkerBoard>();
  const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = {}}, {{command}},
                                        kPatient, {}, board);
  std::vector<std::string> told;
  const JobContext job{{}, [&](const Progress&) {
                         for (std::string& text : texts(*there)) told.push_back(std::move(text));
                       }};
  ASSERT_TRUE(there->measure(test::stage_plans(8), {}, job));
  for (std::string& text : texts(*there)) told.push_back(std::move(text));  // the last progress may come before
  EXPECT_THAT(told, ElementsAre(HasSubstr("fake, worker 1 was lost and is started again")));
  EXPECT_EQ(board->now().front().losses, 1);
}

TEST_F(WorkerDeviceTest, PeakRatesAreThoseOfToday) {
  const auto there = make_worker_device({.info = test::FakeDevice().info(), .methods_key = "", .peak = PeakRates{}},
                                        {{test::scripted_worker("--peak 7e12")}}, kPatient);
  EXPECT_EQ(there->peak_rates()->flops_per_s, 0);
  ASSERT_TRUE(there->measure(test::stage_plans(1), {}, {}));
  EXPECT_EQ(there->peak_rates()->flops_per_s, 7e12);
}

class MapKeeper final : public MethodKeeper {
 public:
  explicit MapKeeper(std::map<std::string, std::string>& kept) : kept_(kept) {}
  std::optional<std::string> find(const std::string& problem) override {
    const auto found = kept_.find(problem);
    return found == kept_.end() ? std::nullopt : std::optional(found->second);
  }
  std::string keep(const std::string& problem, const std::string& method) override {
    return kept_.try_emplace(problem, method).first->second;
  }

 private:
  std::map<std::string, std::string>& kept_;
};

TEST_F(WorkerDeviceTest, MethodsAreKeptByWhoAsks) {
  std::map<std::string, std::string> kept;
  const auto there = device(test::scripted_worker("--methods yes"), 2, kPatient, "scripted");
  EXPECT_EQ(there->methods_key(), "scripted");
  there->keep_methods(std::make_unique<MapKeeper>(kept));
  ASSERT_TRUE(there->measure(test::stage_plans(6), {}, {}));
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_THAT(kept.at("a problem"), HasSubstr("found by"));
}

// Twenty workers are killed at random moments of a search.
TEST_F(WorkerDeviceTest, KilledWorkersCostAMeasurementEachAndChangeNothing) {
  constexpr int kKills = 20;
  SearchOptions options;
  const Graph graph = *prepare(*zoo_network("inception_v3"), options);
  test::FakeDevice here;
  DeviceLatencySource calm(graph, here, 1);
  const auto expected = must(search(graph, calm, options, {}));
  const std::string marked = logging("--millis 4 --marked " + file("mark"));
  const auto there = device(marked, 2);
  std::atomic<bool> done{false};
  int kills = 0;
  std::jthread killer([&] {
    std::mt19937 random(5);
    // Each time when a few more were measured, so that this machine's speed does not matter.
    for (std::size_t next = 3; !done && kills < kKills;) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1 + random() % 10));
      if (logged().size() < next) continue;
      next = logged().size() + 20 + random() % 20;
      const std::string kill = fmt::format("pkill -9 -n -f '^[^ ]*scripted_worker .*{}'", file("mark"));
      if (std::system(kill.c_str()) == 0) ++kills;
    }
  });
  DeviceLatencySource source(graph, *there, 1);
  const auto found = search(graph, source, options, {});
  done = true;
  killer.join();
  ASSERT_TRUE(found) << found.error().text();
  EXPECT_GE(kills, 5);
  // What was measured and not answered is all that is lost: one a kill.
  EXPECT_LE(std::ssize(logged()), source.tally().measured + kills);
  EXPECT_THAT(texts(*there), Not(Contains(HasSubstr("left out"))));
  EXPECT_EQ(found->schedule, expected.schedule);
  EXPECT_EQ(found->stage_sum, expected.stage_sum);
}

WorkerCommand read(const std::string& text) {
  const auto command = worker_command(text);
  EXPECT_TRUE(command) << text << ": " << command.error().text();
  return command.value_or(WorkerCommand());
}

TEST(WorkerCommandText, IsACommandOrSoManyOfOne) {
  EXPECT_EQ(read("ssh node1 iosx worker --device gpu"), (WorkerCommand{"ssh node1 iosx worker --device gpu", 1}));
  EXPECT_EQ(read("  4 x ssh node1 iosx worker "), (WorkerCommand{"ssh node1 iosx worker", 4}));
  EXPECT_EQ(read("2x srun -n1 iosx worker"), (WorkerCommand{"srun -n1 iosx worker", 2}));
  EXPECT_EQ(read("4x4 worker"), (WorkerCommand{"4x4 worker", 1}));  // a program's name
}

TEST(WorkerCommandText, TasksOfSrunAreWorkers) {
  EXPECT_EQ(read("srun -n8 iosx worker --device gpu"), (WorkerCommand{"srun -n1 iosx worker --device gpu", 8}));
  EXPECT_EQ(read("srun --exclusive --ntasks=4 iosx worker"),
            (WorkerCommand{"srun --exclusive --ntasks=1 iosx worker", 4}));
  EXPECT_EQ(read("srun --gres=gpu:1 -n 3 iosx worker"), (WorkerCommand{"srun --gres=gpu:1 -n 1 iosx worker", 3}));
  EXPECT_EQ(read("2 x srun -n2 iosx worker"), (WorkerCommand{"srun -n1 iosx worker", 4}));
  EXPECT_EQ(read("env SLURM_CONF=/a/b X=1 srun -n3 iosx worker"),
            (WorkerCommand{"env SLURM_CONF=/a/b X=1 srun -n1 iosx worker", 3}));
  EXPECT_EQ(read("/usr/bin/srun -n3 iosx worker"), (WorkerCommand{"/usr/bin/srun -n1 iosx worker", 3}));
  // Neither is srun's.
  EXPECT_EQ(read("ssh srun -n8 iosx worker").count, 1);
  EXPECT_EQ(read("srun --nodes=2 iosx worker").count, 1);
}

TEST(WorkerCommandText, OthersAreRefused) {
  for (const char* text : {"", "   ", "0 x iosx worker", "99999999999999 x iosx worker", "3 x  ",
                           "srun -n0 iosx worker", "1000 x srun -n1000 iosx worker"}) {
    EXPECT_FALSE(worker_command(text)) << text;
  }
  EXPECT_FALSE(worker_command(std::string(1'000'000, 'a')));
  EXPECT_FALSE(worker_command("srun " + std::string(1'000'000, 'a')));
}

}  // namespace

}  // namespace iosx
