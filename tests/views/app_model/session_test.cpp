#include "views/app_model/session.h"
#include "tests/support/prelude.h"
#include "tests/views/app_model/session_fixture.h"
#include "views/app_model/selection.h"

namespace iosx {
namespace {

using test::wait_until;

class SessionTest : public test::SessionFixture {};

TEST_F(SessionTest, EverySettingMakesAComparisonStale) {
  const auto made = opened("diamond");
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
  const auto made = opened("diamond");
  const RunId first = made->session.runId();
  made->session.setActiveSchedule(ScheduleId("greedy"));
  test::set(made->session, [](RunSettings& settings) { settings.options.batch = 4; });
  ASSERT_TRUE(optimize(*made));
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
  made->session.editor().remove(first);
  EXPECT_EQ(made->session.comparison()->batch, 4);
  EXPECT_EQ(made->session.workspace().runs().size(), 1U);
}

TEST_F(SessionTest, ANetworkOpenedAgainHasItsRuns) {
  const auto made = opened("diamond");
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
  QSignalSpy noted(&made->session.editor(), &WorkspaceEditor::notesChanged);
  QSignalSpy changed(&made->session, &Session::workspaceChanged);
  made->session.editor().setNotes(QStringLiteral("r 3 is enough"));
  made->session.editor().setNotes(QStringLiteral("r 3 is enough"));
  EXPECT_EQ(noted.count(), 1);
  EXPECT_EQ(changed.count(), 0) << "no view is drawn anew for a letter";
  EXPECT_TRUE(made->session.editor().modified());
}

TEST_F(SessionTest, AStartThatIsOfferedToSearchesIsNoChange) {
  const auto made = opened("diamond");
  WorkspaceEditor& editor = made->session.editor();
  editor.savedAs(QStringLiteral("p.iosproj"), editor.changes());
  const NetworkId network = made->session.networkId();
  editor.offerWarmStart(network, {.fingerprint = "here", .cost = Millis(2)});
  editor.offerWarmStart(network, {.fingerprint = "here", .cost = Millis(1)});
  EXPECT_EQ(made->session.shownNetwork()->warm_start->cost, Millis(1));
  EXPECT_FALSE(editor.modified());
  editor.setWarmStartUsed(network, false);
  EXPECT_TRUE(editor.modified());
}

TEST_F(SessionTest, AProjectBringsEverythingBack) {
  const QTemporaryDir folder;
  const QString path = folder.filePath(QStringLiteral("p.iosproj"));
  {
    const auto made = opened("sample");
    ASSERT_TRUE(open(*made, "diamond"));
    made->session.setActiveSchedule(ScheduleId("greedy"));
    made->session.editor().setNote(made->session.runId(), QStringLiteral("first try"));
    made->session.editor().setBaseline(Choice{made->session.runId(), ScheduleId("sequential")});
    EXPECT_TRUE(made->session.editor().modified());
    QSignalSpy saved(&made->jobs, &Jobs::projectSaved);
    made->jobs.saveProject(path);
    made->session.editor().setNotes(QStringLiteral("written while it was saved"));
    ASSERT_TRUE(idle(*made));
    EXPECT_TRUE(made->session.editor().modified()) << "the file lacks the note";
    made->jobs.saveProject(path);
    ASSERT_TRUE(idle(*made));
    EXPECT_EQ(saved.count(), 2);
    EXPECT_FALSE(made->session.editor().modified());
  }
  const auto made = make();
  QSignalSpy opened(&made->session.editor(), &WorkspaceEditor::projectOpened);
  ASSERT_TRUE(open(*made, path.toUtf8().constData()));
  EXPECT_EQ(opened.count(), 1);
  EXPECT_EQ(made->session.editor().projectPath(), path);
  EXPECT_FALSE(made->session.editor().modified());
  EXPECT_EQ(made->session.source(), "diamond");
  EXPECT_EQ(made->session.comparison()->results[made->session.activeSchedule()].id, ScheduleId("greedy"));
  EXPECT_NE(made->session.recorded(), nullptr);
  EXPECT_FALSE(made->session.weightsLeftBehind()) << "read again from its source";
  EXPECT_EQ(made->session.shownRun()->note, "first try");
  EXPECT_TRUE(made->session.workspace().baseline());
  made->jobs.restore(path);
  ASSERT_TRUE(idle(*made));
  EXPECT_TRUE(made->session.editor().projectPath().isEmpty()) << "what the program kept is no project of the user's";
}

TEST(SelectionModel, SortsUnitsAndTellsOnlyOfChanges) {
  SelectionModel model;
  QSignalSpy changed(&model, &SelectionModel::changed);
  model.select({{UnitId(3), UnitId(1)}, ScheduleId("greedy"), 2});
  EXPECT_EQ(changed.count(), 1);
  EXPECT_TRUE(model.current().contains(UnitId(1)));
  EXPECT_FALSE(model.current().contains(UnitId(2)));
  model.select({{UnitId(1), UnitId(3)}, ScheduleId("greedy"), 2});
  EXPECT_EQ(changed.count(), 1);
  model.clear();
  EXPECT_EQ(changed.count(), 2);
  EXPECT_TRUE(model.current().empty());
}

TEST(SelectionModel, AStageIsOfTheRunThatIsShown) {
  SelectionModel model;
  model.setRun(RunId(1));
  model.select({{UnitId(1)}, ScheduleId("greedy"), 2});
  EXPECT_EQ(model.current().run, RunId(1));
  EXPECT_TRUE(model.current().isIn(ScheduleId("greedy"), run_key(RunId(1))));
  EXPECT_FALSE(model.current().isIn(ScheduleId("greedy"), run_key(RunId(2)))) << "of the same schedule_kind";
  EXPECT_FALSE(model.current().isIn(ScheduleId("sequential"), run_key(RunId(1))));
  EXPECT_TRUE(model.current().isIn(ScheduleId("greedy"), {})) << "where no runs are told apart";
  QSignalSpy changed(&model, &SelectionModel::changed);
  model.setRun(RunId(1));
  EXPECT_EQ(changed.count(), 0);
  model.setRun(RunId(2));
  EXPECT_EQ(changed.count(), 1);
  EXPECT_FALSE(model.current().stage);
  EXPECT_EQ(model.current().units, std::vector{UnitId(1)}) << "the operators are in every run";
}

// Sessions that keep what devices measure.

class SessionStoreTest : public testing::Test {
 protected:
  std::unique_ptr<test::SessionWithJobs> make(const StorePlace& place, const char* device = "fake-computer") {
    auto made = std::make_unique<test::SessionWithJobs>(
        registry_, [](const std::string&, const InputSizes&) -> Result<Document> {
          return Document{std::make_shared<const Graph>(test::sample()), {}};
        });
    test::set(made->session, [&](RunSettings& settings) { settings.device = device; });
    made->jobs.setStore(place);
    QObject::connect(&made->jobs, &Jobs::noticed, &made->jobs,
                     [this](const QStringList& sentences) { notices_ << sentences; });
    return made;
  }
  // Opens the network and compares; how many stages were measured for it.
  int compared(test::SessionWithJobs& made) {
    const int before = behaviour_->measured;
    made.jobs.open(QStringLiteral("sample"));
    EXPECT_TRUE(wait_until([&] { return !made.jobs.busy(); }));
    made.jobs.optimize();
    EXPECT_TRUE(wait_until([&] { return !made.jobs.busy(); }));
    return behaviour_->measured - before;
  }
  bool noticed(const char* words) {
    return wait_until([&] { return notices_.join(QLatin1Char('\n')).contains(QString::fromLatin1(words)); });
  }
  std::filesystem::path path(const char* name) const {
    return folder_.filePath(QString::fromLatin1(name)).toStdString();
  }
  static StorePlace in(const std::filesystem::path& file) { return {.kept = true, .file = file}; }

  QTemporaryDir folder_;
  std::shared_ptr<test::ScriptedBehaviour> behaviour_ = std::make_shared<test::ScriptedBehaviour>();
  DeviceRegistry registry_ = test::scripted_registry(behaviour_);
  QStringList notices_;
};

TEST_F(SessionStoreTest, AFreshSessionMeasuresNothingAgain) {
  const auto file = path("folder/store.db");
  const auto first = make(in(file));
  EXPECT_GT(compared(*first), 0);
  const auto second = make(in(file));
  EXPECT_EQ(compared(*second), 0);
  ASSERT_TRUE(second->session.comparison());
  int searches = 0;
  for (const ScheduleResult& result : second->session.comparison()->results) {
    if (!result.search) continue;
    ++searches;
    EXPECT_GT(result.search->tally.needed, 0);
    EXPECT_EQ(result.search->tally.measured, 0);
  }
  EXPECT_EQ(searches, 3);
  EXPECT_EQ(second->session.comparison()->results[second->session.comparison()->best()].schedule,
            first->session.comparison()->results[first->session.comparison()->best()].schedule);
  EXPECT_TRUE(notices_.isEmpty()) << notices_.join(QLatin1Char('\n')).toStdString();
}

TEST_F(SessionStoreTest, KeepsTheVersionOfTheProgramBesideWhatItMeasured) {
  const auto file = path("store.db");
  QCoreApplication::setApplicationVersion(QStringLiteral("1.2.3"));
  compared(*make(in(file)));
  QCoreApplication::setApplicationVersion({});
  const auto info = must(MeasurementStore::open(file, MeasurementStore::Access::kReadOnly).value()->info());
  ASSERT_EQ(info.sets.size(), 1U);
  EXPECT_EQ(info.sets.front().set.fingerprint, "fake-2");
  EXPECT_EQ(info.sets.front().programs, std::vector<std::string>{"1.2.3"});
}

TEST_F(SessionStoreTest, KeepsNothingUnlessItIsToldTo) {
  StorePlace place = in(path("store.db"));
  place.kept = false;
  const auto made = make(place);
  const int measured = compared(*made);
  EXPECT_EQ(compared(*made), measured);
  EXPECT_FALSE(std::filesystem::exists(place.file));
  EXPECT_FALSE(std::filesystem::exists(default_store_file().value()));
}

TEST_F(SessionStoreTest, TheUsualPlaceIsTheOneOfTheCommandLine) {
  compared(*make({.kept = true}));
  const std::filesystem::path usual = default_store_file().value();
  EXPECT_TRUE(std::filesystem::exists(usual));
  std::filesystem::remove_all(usual.parent_path());
}

TEST_F(SessionStoreTest, WhatIsSimulatedIsNotKept) {
  const auto file = path("store.db");
  EXPECT_GT(compared(*make(in(file), "fake")), 0);
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(SessionStoreTest, AStoreThatCannotBeOpenedIsToldOfAndTheJobGoesOn) {
  const auto made = make(in(folder_.path().toStdString()));  // a folder
  QSignalSpy failed(&made->jobs, &Jobs::failed);
  EXPECT_GT(compared(*made), 0);
  EXPECT_EQ(failed.count(), 0);
  ASSERT_TRUE(made->session.comparison());
  EXPECT_EQ(made->session.comparison()->results.size(), 5U);
  EXPECT_TRUE(noticed("Measurements are not kept: "));
  EXPECT_TRUE(noticed("is a folder"));
}

TEST_F(SessionStoreTest, ANoticeIsTakenNoteOfAlsoWhereTheJobFails) {
  behaviour_->broken = true;
  const auto made = make(in(folder_.path().toStdString()));
  QSignalSpy failed(&made->jobs, &Jobs::failed);
  compared(*made);
  EXPECT_EQ(failed.count(), 1);
  EXPECT_FALSE(made->session.comparison());
  EXPECT_TRUE(noticed("Measurements are not kept: "));
}

TEST_F(SessionStoreTest, ADamagedFileIsSetAsideAndToldOf) {
  const auto file = path("store.db");
  compared(*make(in(file)));
  {
    QFile damaged(QString::fromStdString(file.string()));
    ASSERT_TRUE(damaged.open(QIODevice::ReadWrite));
    damaged.write(QByteArray(static_cast<int>(damaged.size()), '\0'));
  }
  const auto made = make(in(file));
  compared(*made);
  EXPECT_TRUE(made->session.comparison());
  EXPECT_TRUE(noticed("is damaged"));
  EXPECT_TRUE(noticed(".damaged-1"));
}

}  // namespace

}  // namespace iosx
