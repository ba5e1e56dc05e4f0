#include "views/app_model/search_watcher.h"

#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/app_model/session_fixture.h"
#include "tests/views/app_model/wait.h"

namespace iosx {
namespace {

using test::wait_until;

SearchMoment moment(double seconds, std::int64_t needed, double best, double bound = 0) {
  return {Seconds(seconds), needed, Millis(best), Millis(bound)};
}

// What a job's thread tells comes to the watcher's thread.
class SearchWatcherTest : public testing::Test {
 protected:
  SearchWatcherTest() {
    watcher_.begin();
    watcher_.attach(listener_, 4);
  }

  void tell(ScheduleKind schedule_kind, const SearchMoment& moment, const std::vector<SearchTask>& tasks = {},
            const Schedule* better = nullptr) {
    std::jthread([&] { listener_.watch(schedule_kind, moment, tasks, better); }).join();
  }

  SearchWatcher watcher_;
  CompareListener listener_;
};

TEST_F(SearchWatcherTest, BringsMomentsTasksAndWhatTheyAreOf) {
  const auto graph = std::make_shared<const Graph>(test::diamond());
  listener_.prepared(graph, test::ScriptedDevice::make_info());
  EXPECT_EQ(watcher_.current(), nullptr);
  tell(ScheduleKind::kIosMerge, moment(1, 10, 5));
  tell(ScheduleKind::kIosBoth, moment(0.5, 20, 4), {{.parts = {PartId(0)}, .cost = Millis(4)}});
  ASSERT_TRUE(wait_until([&] { return watcher_.current() != nullptr; }));
  const LiveSearches& live = *watcher_.current();
  EXPECT_EQ(live.graph, graph);
  EXPECT_EQ(live.batch, 4);
  EXPECT_EQ(live.device.id, test::ScriptedDevice::make_info().id);
  ASSERT_EQ(live.searches.size(), 2U);
  EXPECT_EQ(live.running, 1U);
  EXPECT_EQ(live.searches[0].history, std::vector{moment(1, 10, 5)});
  EXPECT_EQ(live.searches[1].history, std::vector{moment(0.5, 20, 4)});
  EXPECT_EQ(live.searches[1].tasks.size(), 1U);
  QSignalSpy changed(&watcher_, &SearchWatcher::changed);
  watcher_.end();
  EXPECT_EQ(watcher_.current(), nullptr);
  EXPECT_EQ(changed.count(), 1);
}

TEST_F(SearchWatcherTest, AThousandMomentsAreFewDeliveriesAndTheLastOneComes) {
  QSignalSpy changed(&watcher_, &SearchWatcher::changed);
  std::jthread([this] {
    for (int i = 1; i <= 1000; ++i) listener_.watch(ScheduleKind::kIosBoth, moment(i, i, 5), {}, nullptr);
  }).join();
  ASSERT_TRUE(wait_until([&] { return watcher_.current() != nullptr; }));
  tell(ScheduleKind::kIosBoth, moment(1001, 1001, 4));
  ASSERT_TRUE(wait_until([&] { return watcher_.current()->searches[0].history.back().needed == 1001; }));
  EXPECT_EQ(changed.count(), 2);
  // Where only time passed, the first and the last moment say all.
  EXPECT_EQ(watcher_.current()->searches[0].history,
            (std::vector{moment(1, 1, 5), moment(1000, 1000, 5), moment(1001, 1001, 4)}));
}

TEST_F(SearchWatcherTest, ASearchThatChoosesAgainGoesOnInTime) {
  tell(ScheduleKind::kIosBoth, moment(3, 30, 5));
  tell(ScheduleKind::kIosMerge, moment(2, 7, 6));
  tell(ScheduleKind::kIosBoth, moment(1, 12, 5.1));
  tell(ScheduleKind::kIosBoth, moment(2, 14, 5));
  ASSERT_TRUE(wait_until([&] { return watcher_.current() != nullptr; }));
  const LiveSearches& live = *watcher_.current();
  EXPECT_EQ(live.running, 0U);
  EXPECT_EQ(live.searches[0].history, (std::vector{moment(3, 30, 5), moment(4, 12, 5.1), moment(5, 14, 5)}));
}

TEST_F(SearchWatcherTest, KeepsTheBestScheduleSoFar) {
  const Schedule first{"first", {}};
  const Schedule second{"second", {}};
  tell(ScheduleKind::kIosBoth, moment(1, 1, 5), {}, &first);
  tell(ScheduleKind::kIosBoth, moment(2, 2, 4), {}, &second);
  tell(ScheduleKind::kIosBoth, moment(3, 3, 4));  // nothing better
  tell(ScheduleKind::kIosMerge, moment(1, 1, 6));
  ASSERT_TRUE(wait_until([&] { return watcher_.current() != nullptr && watcher_.current()->searches.size() == 2; }));
  ASSERT_NE(watcher_.current()->searches[0].best, nullptr);
  EXPECT_EQ(*watcher_.current()->searches[0].best, second);
  EXPECT_EQ(watcher_.current()->searches[1].best, nullptr);
}

TEST_F(SearchWatcherTest, WhatAnEndedJobToldIsNotShown) {
  tell(ScheduleKind::kIosBoth, moment(1, 1, 5));
  watcher_.end();
  watcher_.begin();
  CompareListener next;
  watcher_.attach(next, 4);
  std::jthread([&] { next.watch(ScheduleKind::kIosMerge, moment(1, 1, 7), {}, nullptr); }).join();
  ASSERT_TRUE(wait_until([&] { return watcher_.current() != nullptr; }));
  ASSERT_EQ(watcher_.current()->searches.size(), 1U);
  EXPECT_EQ(watcher_.current()->searches[0].schedule_kind, ScheduleKind::kIosMerge);
}

TEST(SessionSearching, IsToldWhileAJobSearchesAndGoneAfterIt) {
  const auto behaviour = std::make_shared<test::ScriptedBehaviour>();
  const DeviceRegistry registry = test::scripted_registry(behaviour);
  test::SessionWithJobs made(registry, [](const std::string&, const InputSizes&) -> Result<Document> {
    return Document{std::make_shared<const Graph>(test::random_dag(7, 40)), {}};
  });
  Session& session = made.session;
  Jobs& jobs = made.jobs;
  RunSettings settings = session.settings();
  settings.options.schedule_kinds = {ScheduleKind::kIosParallel};
  settings.options.search.method = SearchMethod::kLazy;
  session.setSettings(settings);
  jobs.open(QStringLiteral("large"));
  ASSERT_TRUE(wait_until([&] { return !jobs.busy(); }));
  EXPECT_EQ(jobs.searching(), nullptr);
  std::vector<SearchMoment> seen;
  QObject::connect(&jobs, &Jobs::searchingChanged, [&] {
    if (jobs.searching()) seen = jobs.searching()->searches.front().history;
  });
  behaviour->plan_millis = 2;
  jobs.optimize();
  ASSERT_TRUE(wait_until([&] { return !jobs.busy(); }, 60000));
  ASSERT_FALSE(seen.empty());
  EXPECT_GT(seen.back().needed, 0);
  EXPECT_EQ(jobs.searching(), nullptr);
  const ScheduleResult* found = session.comparison()->find(ScheduleKind::kIosParallel);
  ASSERT_TRUE(found != nullptr && found->search && found->search->lazy);
  EXPECT_LE(seen.back().needed, found->search->tally.needed);
}

}  // namespace
}  // namespace iosx
