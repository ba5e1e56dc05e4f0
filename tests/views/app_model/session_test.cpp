#include "views/app_model/session.h"

#include <gtest/gtest.h>

#include <QSignalSpy>
#include <QTemporaryDir>
#include <functional>

#include "tests/views/app_model/session_fixture.h"

namespace iosx {
namespace {

class SessionTest : public test::SessionFixture {};

TEST_F(SessionTest, EverySettingMakesAComparisonStale) {
  const auto made = make();
  ASSERT_TRUE(open(*made, "diamond"));
  const RunSettings before = made->session.settings();
  const std::vector<std::function<void(RunSettings&)>> changes{
      [](RunSettings& settings) { settings.device = "fake-computer"; },
      [](RunSettings& settings) { settings.options.batch = 2; },
      [](RunSettings& settings) { settings.options.schedule_kinds.pop_back(); },
      [](RunSettings& settings) { settings.options.search.rule = EndingRule::kSingleRoot; },
      [](RunSettings& settings) { settings.options.search.pruning.r = 1; },
      [](RunSettings& settings) { settings.options.search.pruning.s = 1; },
      [](RunSettings& settings) { settings.options.max_part_size = 7; },
      [](RunSettings& settings) { settings.options.timing.warmup += 1; },
      [](RunSettings& settings) { settings.options.timing.repeats += 1; },
      [](RunSettings& settings) { settings.options.timing.max_repeats += 1; },
      [](RunSettings& settings) { settings.options.timing.min_time *= 2; },
      [](RunSettings& settings) { settings.options.timing.precision /= 2; },
      [](RunSettings& settings) { settings.options.timing.max_time *= 2; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    RunSettings settings = before;
    changes[i](settings);
    made->session.setSettings(settings);
    EXPECT_FALSE(made->session.upToDate()) << i;
    made->session.setSettings(before);
    EXPECT_TRUE(made->session.upToDate()) << i;
  }
}

TEST_F(SessionTest, EveryRunIsKept) {
  const auto made = make();
  ASSERT_TRUE(open(*made, "diamond"));
  const RunId first = made->session.runId();
  made->session.setActiveSchedule(ScheduleId("greedy"));
  RunSettings settings = made->session.settings();
  settings.options.batch = 4;
  made->session.setSettings(settings);
  QSignalSpy added(&made->session, &Session::runAdded);
  made->jobs.optimize();
  ASSERT_TRUE(idle(*made));
  EXPECT_EQ(added.count(), 1);
  EXPECT_EQ(made->session.workspace().runs().size(), 2U);
  EXPECT_NE(made->session.runId(), first);
  EXPECT_EQ(made->session.comparison()->batch, 4);
  made->session.showRun(first);
  EXPECT_EQ(made->session.comparison()->batch, 1);
  EXPECT_EQ(made->session.comparison()->results[made->session.activeSchedule()].id, ScheduleId("greedy"))
      << "as it was left";
  EXPECT_FALSE(made->session.upToDate());
  made->session.useSettingsOf(first);
  EXPECT_EQ(made->session.settings().options.batch, 1);
  EXPECT_TRUE(made->session.upToDate());
  made->session.removeRun(first);
  EXPECT_EQ(made->session.comparison()->batch, 4);
  EXPECT_EQ(made->session.workspace().runs().size(), 1U);
}

TEST_F(SessionTest, ANetworkOpenedAgainHasItsRuns) {
  const auto made = make();
  ASSERT_TRUE(open(*made, "diamond"));
  const RunId run = made->session.runId();
  ASSERT_TRUE(open(*made, "sample"));
  ASSERT_TRUE(open(*made, "diamond"));
  EXPECT_EQ(made->session.runId(), run);
  EXPECT_EQ(made->session.workspace().networks().size(), 2U);
  EXPECT_EQ(made->session.workspace().runs().size(), 2U);
}

TEST_F(SessionTest, RunsOfAnOlderFileAreNotCurrent) {
  bool changed_on_disk = false;
  test::SessionWithJobs made(registry_, [&](const std::string&, const InputSizes&) -> Result<Document> {
    return Document{std::make_shared<const Graph>(changed_on_disk ? test::sample() : test::diamond()), {}};
  });
  ASSERT_TRUE(open(made, "model.onnx"));
  const NetworkId older = made.session.networkId();
  EXPECT_TRUE(made.session.upToDate());
  changed_on_disk = true;
  ASSERT_TRUE(open(made, "model.onnx"));
  const NetworkId newer = made.session.networkId();
  ASSERT_NE(newer, older);
  EXPECT_TRUE(made.session.upToDate());
  made.session.showNetwork(older);
  EXPECT_TRUE(made.session.comparison());
  EXPECT_TRUE(made.session.workspace().of_older_file(older));
  EXPECT_FALSE(made.session.upToDate());
  // The file is the first one again.
  changed_on_disk = false;
  ASSERT_TRUE(open(made, "model.onnx"));
  EXPECT_EQ(made.session.networkId(), older);
  EXPECT_TRUE(made.session.upToDate());
  EXPECT_TRUE(made.session.workspace().of_older_file(newer));
}

TEST_F(SessionTest, RunsOfAReopenedProjectWhoseFileChangedAreOlder) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("p.iosproj"));
  bool changed_on_disk = false;
  bool gone = false;
  test::SessionWithJobs made(registry_, [&](const std::string&, const InputSizes&) -> Result<Document> {
    if (gone) return fail(message("is not there"));
    return Document{std::make_shared<const Graph>(changed_on_disk ? test::sample() : test::diamond()), {}};
  });
  ASSERT_TRUE(open(made, "model.onnx"));
  made.jobs.saveProject(path);
  ASSERT_TRUE(idle(made));
  const auto older = [&] {
    EXPECT_TRUE(open(made, path.toUtf8().constData()));
    return made.session.workspace().of_older_file(made.session.networkId());
  };
  EXPECT_FALSE(older());
  changed_on_disk = true;
  EXPECT_TRUE(older());
  EXPECT_TRUE(made.session.comparison()) << "its runs are there all the same";
  gone = true;
  EXPECT_FALSE(older()) << "nothing is known of it";
}

TEST_F(SessionTest, NotesAreAChangeOfTheProject) {
  const auto made = make();
  QSignalSpy noted(&made->session, &Session::notesChanged);
  QSignalSpy changed(&made->session, &Session::workspaceChanged);
  made->session.setNotes(QStringLiteral("r 3 is enough"));
  made->session.setNotes(QStringLiteral("r 3 is enough"));
  EXPECT_EQ(noted.count(), 1);
  EXPECT_EQ(changed.count(), 0) << "no view is drawn anew for a letter";
  EXPECT_TRUE(made->session.modified());
}

TEST_F(SessionTest, AProjectBringsEverythingBack) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("p.iosproj"));
  {
    const auto made = make();
    ASSERT_TRUE(open(*made, "sample"));
    ASSERT_TRUE(open(*made, "diamond"));
    made->session.setActiveSchedule(ScheduleId("greedy"));
    made->session.setNote(made->session.runId(), QStringLiteral("first try"));
    made->session.setBaseline(Choice{made->session.runId(), ScheduleId("sequential")});
    EXPECT_TRUE(made->session.modified());
    QSignalSpy saved(&made->jobs, &Jobs::projectSaved);
    made->jobs.saveProject(path);
    made->session.setNotes(QStringLiteral("written while it was saved"));
    ASSERT_TRUE(idle(*made));
    EXPECT_TRUE(made->session.modified()) << "the file lacks the note";
    made->jobs.saveProject(path);
    ASSERT_TRUE(idle(*made));
    EXPECT_EQ(saved.count(), 2);
    EXPECT_FALSE(made->session.modified());
  }
  const auto made = make();
  QSignalSpy opened(&made->session, &Session::projectOpened);
  ASSERT_TRUE(open(*made, path.toUtf8().constData()));
  EXPECT_EQ(opened.count(), 1);
  EXPECT_EQ(made->session.projectPath(), path);
  EXPECT_FALSE(made->session.modified());
  EXPECT_EQ(made->session.source(), QStringLiteral("diamond"));
  EXPECT_EQ(made->session.comparison()->results[made->session.activeSchedule()].id, ScheduleId("greedy"));
  EXPECT_NE(made->session.recorded(), nullptr);
  EXPECT_FALSE(made->session.weightsLeftBehind()) << "read again from its source";
  EXPECT_EQ(made->session.shownRun()->note, "first try");
  EXPECT_TRUE(made->session.workspace().baseline());
  made->jobs.restore(path);
  ASSERT_TRUE(idle(*made));
  EXPECT_TRUE(made->session.projectPath().isEmpty()) << "what the program kept is no project of the user's";
}

}  // namespace
}  // namespace iosx
