// Sessions that keep what devices measure.
#include <gtest/gtest.h>

#include <QFile>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>

#include "core/devices/measure/store_place.h"
#include "core/devices/store/measurement_store.h"
#include "tests/views/app_model/session_fixture.h"

namespace iosx {
namespace {

using test::wait_until;

class SessionStoreTest : public testing::Test {
 protected:
  std::unique_ptr<test::SessionWithJobs> make(const StorePlace& place, const char* device = "fake-computer") {
    auto made = std::make_unique<test::SessionWithJobs>(
        registry_, [](const std::string&, const InputSizes&) -> Result<Document> {
          return Document{std::make_shared<const Graph>(test::sample()), {}};
        });
    RunSettings settings = made->session.settings();
    settings.device = device;
    made->session.setSettings(settings);
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
  const auto info = MeasurementStore::open(file, MeasurementStore::Access::kReadOnly).value()->info();
  ASSERT_TRUE(info);
  ASSERT_EQ(info->sets.size(), 1U);
  EXPECT_EQ(info->sets.front().set.fingerprint, "fake-2");
  EXPECT_EQ(info->sets.front().programs, std::vector<std::string>{"1.2.3"});
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
