#include "views/bridge/session.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>

#include "core/import/schedule_file.h"
#include "core/schedule/baselines.h"
#include "tests/support/graphs.h"
#include "tests/views/bridge/fake_device.h"
#include "tests/views/bridge/wait.h"

namespace iosx {
namespace {

using test::FakeBehaviour;
using test::wait_until;

Result<Document> open_test_graph(const std::string& source, const InputSizes&) {
  const auto document = [](Graph graph) { return Document{std::make_shared<const Graph>(std::move(graph)), {}}; };
  if (source == "sample") return document(test::sample());
  if (source == "diamond") return document(test::diamond());
  if (source == "large") return document(test::random_dag(7, 40));
  if (source == "fixed") {
    Document opened = document(test::diamond());
    opened.batched = false;
    return opened;
  }
  if (source == "with-schedule") {
    Document opened = document(test::diamond());
    opened.schedule = sequential_schedule(*opened.graph);
    opened.schedule->name = "from-file";
    return opened;
  }
  return fail("not a network", source, "choose another");
}

class SessionTest : public testing::Test {
 protected:
  std::unique_ptr<Session> make() { return std::make_unique<Session>(registry_, open_test_graph); }

  static bool idle(Session& session) {
    return wait_until([&] { return !session.busy(); });
  }
  static bool open(Session& session, const char* source) {
    session.open(QString::fromLatin1(source));
    return idle(session);
  }

  std::shared_ptr<FakeBehaviour> behaviour_ = std::make_shared<FakeBehaviour>();
  DeviceRegistry registry_ = test::fake_registry(behaviour_);
};

TEST_F(SessionTest, OpensAQuickNetworkAndComparesAtOnce) {
  const auto session = make();
  QSignalSpy documents(session.get(), &Session::documentChanged);
  ASSERT_TRUE(open(*session, "diamond"));
  EXPECT_EQ(documents.count(), 1);
  ASSERT_TRUE(session->hasDocument());
  ASSERT_TRUE(session->comparison());
  EXPECT_EQ(session->comparison()->results.size(), 5U);
  EXPECT_TRUE(session->upToDate());
  EXPECT_TRUE(session->searched());
  EXPECT_EQ(session->activeSchedule(), session->comparison()->best());
}

TEST_F(SessionTest, OpensALargeNetworkWithTheBaselinesOnly) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "large"));
  ASSERT_TRUE(session->comparison());
  EXPECT_EQ(session->comparison()->results.size(), 2U);
  EXPECT_FALSE(session->upToDate());
  EXPECT_FALSE(session->searched());
}

TEST_F(SessionTest, AFailedOpenLeavesEverythingAsItWas) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  const auto graph = session->document().graph;
  const auto comparison = session->comparison();
  QSignalSpy documents(session.get(), &Session::documentChanged);
  std::string error;
  QObject::connect(session.get(), &Session::jobFailed, session.get(), [&](const Error& e) { error = e.text(); });
  ASSERT_TRUE(open(*session, "nonsense"));
  EXPECT_EQ(error, "nonsense: not a network (choose another)");
  EXPECT_EQ(documents.count(), 0);
  EXPECT_EQ(session->document().graph, graph);
  EXPECT_EQ(session->comparison(), comparison);
  EXPECT_EQ(session->source(), QStringLiteral("diamond"));
}

TEST_F(SessionTest, AFailingDeviceLeavesTheComparison) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  const auto comparison = session->comparison();
  behaviour_->broken = true;
  QSignalSpy failed(session.get(), &Session::jobFailed);
  session->optimize();
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(failed.count(), 1);
  EXPECT_EQ(session->comparison(), comparison);
}

TEST_F(SessionTest, TheFilesOwnScheduleIsComparedAndShownFirst) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "with-schedule"));
  ASSERT_TRUE(session->comparison());
  ASSERT_NE(session->comparison()->find(ScheduleId("from-file")), nullptr);
  EXPECT_EQ(session->comparison()->results[session->activeSchedule()].schedule.name, "from-file");
}

TEST_F(SessionTest, AScheduleFileJoinsTheOpenNetwork) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  const QTemporaryDir folder;
  const std::string path = folder.filePath(QStringLiteral("mine.json")).toStdString();
  const Graph& graph = *session->document().graph;
  std::ofstream(path) << schedule_to_json(graph, greedy_schedule(graph));
  const auto before = session->document().graph;
  ASSERT_TRUE(open(*session, path.c_str()));
  EXPECT_EQ(session->document().graph, before);
  ASSERT_NE(session->comparison()->find(Recipe::kFile), nullptr);
  ASSERT_NE(session->comparison()->find(Recipe::kGreedy), nullptr);
  EXPECT_EQ(session->comparison()->results[session->activeSchedule()].schedule.name, "greedy (file)");
}

TEST_F(SessionTest, SettingsMakeAComparisonStale) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  RunSettings settings = session->settings();
  settings.batch = 4;
  QSignalSpy changed(session.get(), &Session::settingsChanged);
  session->setSettings(settings);
  session->setSettings(settings);
  EXPECT_EQ(changed.count(), 1);
  EXPECT_FALSE(session->upToDate());
  session->optimize();
  ASSERT_TRUE(idle(*session));
  EXPECT_TRUE(session->upToDate());
  EXPECT_EQ(session->comparison()->batch, 4);
}

TEST_F(SessionTest, EverySettingMakesAComparisonStale) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  const RunSettings before = session->settings();
  const std::vector<std::function<void(RunSettings&)>> changes{
      [](RunSettings& settings) { settings.device = "fake-computer"; },
      [](RunSettings& settings) { settings.batch = 2; },
      [](RunSettings& settings) { settings.recipes.pop_back(); },
      [](RunSettings& settings) { settings.search.rule = EndingRule::kSingleRoot; },
      [](RunSettings& settings) { settings.search.pruning.r = 1; },
      [](RunSettings& settings) { settings.search.pruning.s = 1; },
      [](RunSettings& settings) { settings.max_part_size = 7; },
      [](RunSettings& settings) { settings.timing.warmup += 1; },
      [](RunSettings& settings) { settings.timing.repeats += 1; },
      [](RunSettings& settings) { settings.timing.max_repeats += 1; },
      [](RunSettings& settings) { settings.timing.min_time *= 2; },
      [](RunSettings& settings) { settings.timing.precision /= 2; },
      [](RunSettings& settings) { settings.timing.max_time *= 2; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    RunSettings settings = before;
    changes[i](settings);
    session->setSettings(settings);
    EXPECT_FALSE(session->upToDate()) << i;
    session->setSettings(before);
    EXPECT_TRUE(session->upToDate()) << i;
  }
}

TEST_F(SessionTest, PartsAreNoLargerThanTheSettingsSay) {
  const auto session = make();
  const auto largest_part = [&] {
    std::size_t largest = 0;
    for (const Part& part : session->comparison()->graph->parts()) largest = std::max(largest, part.units.size());
    return largest;
  };
  ASSERT_TRUE(open(*session, "diamond"));
  EXPECT_GT(largest_part(), 2U);
  RunSettings settings = session->settings();
  settings.max_part_size = 2;
  session->setSettings(settings);
  session->optimize();
  ASSERT_TRUE(idle(*session));
  EXPECT_LE(largest_part(), 2U);
  EXPECT_TRUE(session->upToDate());
  EXPECT_EQ(session->document().graph->parts().size(), 1U);  // the document stays as it was opened
}

TEST_F(SessionTest, StartsWithTheDefaultDevice) { EXPECT_EQ(make()->settings().device, registry_.best()->info.id); }

TEST_F(SessionTest, AStoppedRunStandsBesideTheCompleteOne) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  const RunId complete = session->runId();
  behaviour_->plan_millis = 100;
  session->optimize();
  ASSERT_TRUE(wait_until([&, before = behaviour_->requests.load()] { return behaviour_->requests > before; }));
  const auto begin = std::chrono::steady_clock::now();
  session->cancel();
  ASSERT_TRUE(idle(*session));
  // The stop itself is immediate; running once what was made takes three plans of 100 ms and their stages.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  EXPECT_EQ(session->runId(), complete);
  for (const WorkspaceRun& run : session->workspace().runs()) {
    EXPECT_EQ(run.run->comparison.complete, run.id == complete);
  }
}

TEST_F(SessionTest, EveryRunIsKept) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  const RunId first = session->runId();
  session->setActiveSchedule(ScheduleId("greedy"));
  RunSettings settings = session->settings();
  settings.batch = 4;
  session->setSettings(settings);
  QSignalSpy added(session.get(), &Session::runAdded);
  session->optimize();
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(added.count(), 1);
  EXPECT_EQ(session->workspace().runs().size(), 2U);
  EXPECT_NE(session->runId(), first);
  EXPECT_EQ(session->comparison()->batch, 4);
  session->showRun(first);
  EXPECT_EQ(session->comparison()->batch, 1);
  EXPECT_EQ(session->comparison()->results[session->activeSchedule()].id, ScheduleId("greedy")) << "as it was left";
  EXPECT_FALSE(session->upToDate());
  session->useSettingsOf(first);
  EXPECT_EQ(session->settings().batch, 1);
  EXPECT_TRUE(session->upToDate());
  session->removeRun(first);
  EXPECT_EQ(session->comparison()->batch, 4);
  EXPECT_EQ(session->workspace().runs().size(), 1U);
}

TEST_F(SessionTest, ASearchGoesOnBehindAnotherNetworkAndBelongsToItsOwn) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "large"));
  const NetworkId large = session->networkId();
  behaviour_->plan_millis = 2;
  session->optimize();
  ASSERT_TRUE(wait_until([&, before = behaviour_->requests.load()] { return behaviour_->requests > before; }));
  behaviour_->plan_millis = 0;
  ASSERT_TRUE(open(*session, "diamond"));
  EXPECT_EQ(session->source(), QStringLiteral("diamond"));
  EXPECT_EQ(session->comparison()->graph->units().size(), 4U);
  const auto runs = session->workspace().runs_of(large);
  ASSERT_EQ(runs.size(), 1U) << "the baselines made room for it";
  EXPECT_EQ(runs.front()->run->comparison.results.size(), 5U);
  session->showNetwork(large);
  EXPECT_TRUE(session->searched());
}

TEST_F(SessionTest, OpeningAnotherNetworkDropsThePictureOfTheLast) {
  const auto session = make();
  behaviour_->plan_millis = 1000;
  session->open(QStringLiteral("large"));
  ASSERT_TRUE(wait_until([&] { return session->jobIsAutomatic(); }));
  session->open(QStringLiteral("diamond"));
  ASSERT_TRUE(wait_until([&] { return session->workspace().networks().size() == 2; }));
  behaviour_->plan_millis = 0;
  ASSERT_TRUE(idle(*session));
  EXPECT_TRUE(session->workspace().runs_of(session->workspace().networks().front().id).empty());
}

TEST_F(SessionTest, TheSameSearchWaitsOnce) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "large"));
  behaviour_->plan_millis = 5;
  session->optimize();
  session->optimize();
  EXPECT_TRUE(session->job().waiting().empty());
  RunSettings settings = session->settings();
  settings.batch = 2;
  session->setSettings(settings);
  session->optimize();
  ASSERT_EQ(session->job().waiting().size(), 1U);
  EXPECT_EQ(session->networkOf(session->job().waiting().front().id), session->networkId());
  session->abandonJob(session->job().waiting().front().id);
  EXPECT_TRUE(session->job().waiting().empty());
  session->optimize();
  EXPECT_EQ(session->job().waiting().size(), 1U) << "it is asked for again";
  behaviour_->plan_millis = 0;
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(session->workspace().runs().size(), 2U);
}

TEST_F(SessionTest, ANetworkOpenedAgainHasItsRuns) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "diamond"));
  const RunId run = session->runId();
  ASSERT_TRUE(open(*session, "sample"));
  ASSERT_TRUE(open(*session, "diamond"));
  EXPECT_EQ(session->runId(), run);
  EXPECT_EQ(session->workspace().networks().size(), 2U);
  EXPECT_EQ(session->workspace().runs().size(), 2U);
}

TEST_F(SessionTest, ARemovedNetworkTakesItsRunsAndJobsAlong) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "sample"));
  ASSERT_TRUE(open(*session, "diamond"));
  const NetworkId diamond = session->networkId();
  behaviour_->plan_millis = 20;
  session->optimize();
  session->removeNetwork(diamond);
  EXPECT_EQ(session->source(), QStringLiteral("sample"));
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(session->workspace().runs().size(), 1U);
  session->removeNetwork(session->networkId());
  EXPECT_FALSE(session->hasDocument());
  EXPECT_FALSE(session->comparison());
  EXPECT_TRUE(session->source().isEmpty());
}

TEST_F(SessionTest, AProjectBringsEverythingBack) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("p.iosproj"));
  {
    const auto session = make();
    ASSERT_TRUE(open(*session, "sample"));
    ASSERT_TRUE(open(*session, "diamond"));
    session->setActiveSchedule(ScheduleId("greedy"));
    session->setNote(session->runId(), QStringLiteral("first try"));
    session->setBaseline(Choice{session->runId(), ScheduleId("sequential")});
    EXPECT_TRUE(session->modified());
    QSignalSpy saved(session.get(), &Session::projectSaved);
    session->saveProject(path);
    ASSERT_TRUE(idle(*session));
    EXPECT_EQ(saved.count(), 1);
    EXPECT_FALSE(session->modified());
  }
  const auto session = make();
  QSignalSpy opened(session.get(), &Session::projectOpened);
  ASSERT_TRUE(open(*session, path.toUtf8().constData()));
  EXPECT_EQ(opened.count(), 1);
  EXPECT_EQ(session->projectPath(), path);
  EXPECT_FALSE(session->modified());
  EXPECT_EQ(session->source(), QStringLiteral("diamond"));
  EXPECT_EQ(session->comparison()->results[session->activeSchedule()].id, ScheduleId("greedy"));
  EXPECT_NE(session->recorded(), nullptr);
  EXPECT_FALSE(session->weightsLeftBehind()) << "read again from its source";
  EXPECT_EQ(session->shownRun()->note, "first try");
  EXPECT_TRUE(session->workspace().baseline());
  session->restore(path);
  ASSERT_TRUE(idle(*session));
  EXPECT_TRUE(session->projectPath().isEmpty()) << "what the program kept is no project of the user's";
}

TEST_F(SessionTest, ClosingMidRunIsSafeAndQuick) {
  auto session = make();
  ASSERT_TRUE(open(*session, "large"));
  behaviour_->plan_millis = 5;
  session->optimize();
  ASSERT_TRUE(wait_until([&, before = behaviour_->requests.load()] { return behaviour_->requests > before; }));
  behaviour_->plan_millis = 0;
  const auto begin = std::chrono::steady_clock::now();
  session.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
  QCoreApplication::processEvents();
}

class MeasuringSessionTest : public SessionTest {
 protected:
  static bool open_and_run(Session& session, const char* source) {
    if (!open(session, source)) return false;
    session.optimize();
    return idle(session);
  }
  std::unique_ptr<Session> make_measuring() {
    auto session = make();
    RunSettings settings = session->settings();
    settings.device = "fake-computer";
    session->setSettings(settings);
    return session;
  }
};

TEST_F(MeasuringSessionTest, NothingIsMeasuredUnasked) {
  const auto session = make_measuring();
  ASSERT_TRUE(open(*session, "diamond"));
  EXPECT_FALSE(session->comparison());
  EXPECT_EQ(behaviour_->requests, 0);
  session->optimize();
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(session->comparison()->results.size(), 5U);
  EXPECT_EQ(session->comparison()->device.origin, Origin::kMeasured);
}

TEST_F(MeasuringSessionTest, OtherTimingMakesAComparisonStale) {
  const auto session = make_measuring();
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  EXPECT_TRUE(session->upToDate());
  RunSettings settings = session->settings();
  settings.timing.repeats += 10;
  settings.timing.max_repeats += 10;
  session->setSettings(settings);
  EXPECT_FALSE(session->upToDate());
}

TEST_F(MeasuringSessionTest, AModelWithItsBatchInItsShapesRunsAsItIs) {
  const auto session = make_measuring();
  RunSettings settings = session->settings();
  settings.batch = 8;
  session->setSettings(settings);
  ASSERT_TRUE(open_and_run(*session, "fixed"));
  EXPECT_EQ(session->settings().batch, 1);
  EXPECT_EQ(session->comparison()->batch, 1);
}

TEST_F(MeasuringSessionTest, VerifyComparesTheOutputsWithTheSequentialSchedules) {
  const auto session = make_measuring();
  EXPECT_FALSE(session->whyNotVerify().isEmpty());  // nothing is open
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  session->setActiveSchedule(ScheduleId("greedy"));
  const std::size_t greedy = session->activeSchedule();
  EXPECT_TRUE(session->whyNotVerify().isEmpty());
  EXPECT_EQ(session->verification(greedy), nullptr);
  QSignalSpy verified(session.get(), &Session::verified);
  session->verify();
  EXPECT_TRUE(session->busy());
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(verified.count(), 1);
  ASSERT_NE(session->verification(greedy), nullptr);
  EXPECT_TRUE(session->verification(greedy)->passed());
  EXPECT_EQ(session->verification(greedy)->outputs.size(), 1U);

  behaviour_->wrong = true;
  session->verify();
  ASSERT_TRUE(idle(*session));
  ASSERT_NE(session->verification(greedy), nullptr);
  EXPECT_FALSE(session->verification(greedy)->passed());
  EXPECT_EQ(session->verification(greedy)->outputs.front().max_abs, 1);
  EXPECT_EQ(session->verification(0), nullptr);

  session->optimize();  // a new comparison has other schedules
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(session->verification(greedy), nullptr);
}

TEST_F(MeasuringSessionTest, VerifyComparesWithTheReferenceDevice) {
  const auto right = std::make_shared<test::FakeBehaviour>();
  DeviceInfo info = test::FakeDevice::make_info(test::FakeKind::kComputer);
  info.id = "right";
  registry_.add({info,
                 [right]() -> Result<std::unique_ptr<Device>> {
                   return std::make_unique<test::FakeDevice>(right, test::FakeKind::kComputer);
                 },
                 ""});
  registry_.set_reference("right");
  const auto session = make_measuring();
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  EXPECT_EQ(right->requests, 0);
  session->verify();
  ASSERT_TRUE(idle(*session));
  ASSERT_NE(session->verification(session->activeSchedule()), nullptr);
  EXPECT_EQ(right->requests, 1);
}

TEST_F(MeasuringSessionTest, AProfileReplacesTracesAndLeavesLatencies) {
  const auto session = make_measuring();
  EXPECT_FALSE(session->whyNotProfile().isEmpty());  // nothing is open
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  EXPECT_TRUE(session->whyNotProfile().isEmpty()) << session->whyNotProfile().toStdString();
  session->setActiveSchedule(ScheduleId("greedy"));
  const auto before = session->comparison();
  behaviour_->trace_source = "a profiler";
  QSignalSpy changed(session.get(), &Session::comparisonChanged);
  session->profile();
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(changed.count(), 1);
  const auto after = session->comparison();
  ASSERT_EQ(after->results.size(), before->results.size());
  for (std::size_t i = 0; i < after->results.size(); ++i) {
    EXPECT_EQ(after->results[i].trace.source, "a profiler");
    EXPECT_EQ(after->results[i].latency, before->results[i].latency);
  }
  EXPECT_EQ(after->results[session->activeSchedule()].id, ScheduleId("greedy"));
}

TEST_F(MeasuringSessionTest, WhatIsSimulatedIsNotProfiled) {
  const auto session = make();
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  EXPECT_FALSE(session->whyNotProfile().isEmpty());
  session->profile();
  EXPECT_FALSE(session->busy());
}

TEST_F(MeasuringSessionTest, ASimulatedDeviceDoesNotVerify) {
  const auto session = make();
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  EXPECT_FALSE(session->whyNotVerify().isEmpty());
  session->verify();
  EXPECT_FALSE(session->busy());
}

TEST_F(MeasuringSessionTest, ACancelledVerifyFindsNothingAndIsNoError) {
  const auto session = make_measuring();
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  behaviour_->plan_millis = 2000;
  QSignalSpy failed(session.get(), &Session::jobFailed);
  session->verify();
  ASSERT_TRUE(wait_until([&, before = behaviour_->requests.load()] { return behaviour_->requests > before; }));
  session->cancel();
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(failed.count(), 0);
  EXPECT_EQ(session->verification(session->activeSchedule()), nullptr);
}

TEST_F(MeasuringSessionTest, WritesTheNetworkInItsJob) {
  const auto session = make_measuring();
  ASSERT_TRUE(open_and_run(*session, "diamond"));
  QSignalSpy written(session.get(), &Session::networkWritten);
  QSignalSpy failed(session.get(), &Session::jobFailed);
  session->writeNetwork("a.onnx", [](const Graph& graph, const std::string& path) -> Result<void> {
    if (graph.units().size() != 4) return fail("not the network", path);
    return {};
  });
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(written.count(), 1);
  session->writeNetwork("b.onnx",
                        [](const Graph&, const std::string& path) -> Result<void> { return fail("full", path); });
  ASSERT_TRUE(idle(*session));
  EXPECT_EQ(written.count(), 1);
  EXPECT_EQ(failed.count(), 1);
}

// The GUI thread must never be busy for more than 50 ms while a job floods it with progress. A timer's gap alone would
// also count what other programs do to a machine with two cores, so the processor time that this thread itself used
// between two beats is what is judged; the gap on the clock is judged at the median, which noise does not reach.
TEST_F(SessionTest, TheHeartNeverStopsWhileAJobRuns) {
  const auto session = make();
  ASSERT_TRUE(open(*session, "large"));
  behaviour_->plan_millis = 3;
  behaviour_->flood = true;
  const auto thread_time = [] {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
  };
  std::vector<double> gaps;  // ms
  double busiest = 0;
  double last_used = thread_time();
  QElapsedTimer clock;
  clock.start();
  QTimer beat;
  beat.setTimerType(Qt::PreciseTimer);
  beat.setInterval(5);
  QObject::connect(&beat, &QTimer::timeout, [&] {
    gaps.push_back(static_cast<double>(clock.nsecsElapsed()) * 1e-6);
    clock.restart();
    busiest = std::max(busiest, thread_time() - last_used);
    last_used = thread_time();
  });
  beat.start();
  session->optimize();
  QTimer::singleShot(1000, session.get(), &Session::cancel);
  ASSERT_TRUE(idle(*session));
  beat.stop();
  ASSERT_GT(gaps.size(), 20U);
  std::sort(gaps.begin(), gaps.end());
  RecordProperty("busiest_ms", std::to_string(busiest));
  RecordProperty("longest_gap_ms", std::to_string(gaps.back()));
  EXPECT_LT(busiest, 50.0);
  EXPECT_LT(gaps[gaps.size() / 2], 50.0);
}

}  // namespace
}  // namespace iosx
