#include "app/gui/autosave.h"

#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>

#include "app/gui/actions.h"
#include "core/workspace/project_file.h"
#include "tests/gui/window_fixture.h"

namespace iosx {
namespace {

class AutosaveTest : public test::WindowTest {
 protected:
  QString folder() const { return path("sessions"); }
  std::unique_ptr<Autosave> keep() {
    auto autosave = std::make_unique<Autosave>(*session_, folder());
    autosave->setDelay(10);
    return autosave;
  }
  // What a process leaves that was killed: its file, and no lock that lives.
  QString left_behind() {
    QDir().mkpath(folder());
    const QString file = QDir(folder()).filePath(QStringLiteral("session-1-2.iosproj"));
    EXPECT_TRUE(save_project(session_->workspace(), file.toStdString()));
    return file;
  }
};

TEST_F(AutosaveTest, WhatIsOpenIsOnDiskMomentsLaterAndBecomesTheLastSession) {
  auto autosave = keep();
  QSignalSpy saved(autosave.get(), &Autosave::saved);
  open(QStringLiteral("sample"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() > 0; }));
  EXPECT_FALSE(autosave->leftBehind()) << "its own process lives";
  EXPECT_TRUE(autosave->lastSession().isEmpty());
  autosave.reset();
  autosave = keep();
  ASSERT_FALSE(autosave->lastSession().isEmpty());
  const auto kept = open_project(autosave->lastSession().toStdString());
  ASSERT_TRUE(kept) << kept.error().text();
  EXPECT_EQ(kept->runs().size(), 1U);
}

TEST_F(AutosaveTest, ANetworkWithoutRunsDoesNotTakeTheLastSessionsPlace) {
  {
    auto autosave = keep();
    open(QStringLiteral("sample"));
  }
  session_->removeNetwork(session_->networkId());
  { auto autosave = keep(); }
  auto autosave = keep();
  EXPECT_FALSE(autosave->lastSession().isEmpty());
  EXPECT_EQ(QDir(folder()).entryList({QStringLiteral("*.iosproj")}).size(), 1);
}

TEST_F(AutosaveTest, AKilledSessionIsOfferedAndOpened) {
  open(QStringLiteral("sample"));
  const QString left = left_behind();
  session_->removeNetwork(session_->networkId());
  auto autosave = keep();
  window_->keepSessions(*autosave);
  auto* box = window_->findChild<QMessageBox*>(QStringLiteral("recover"));
  ASSERT_NE(box, nullptr);
  EXPECT_FALSE(session_->hasDocument()) << "not without an answer";
  QTest::mouseClick(box->buttons().front(), Qt::LeftButton);
  idle();
  ASSERT_TRUE(session_->hasDocument());
  EXPECT_EQ(session_->workspace().runs().size(), 1U);
  EXPECT_TRUE(session_->projectPath().isEmpty());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(left); })) << "once it is kept again";
}

TEST_F(AutosaveTest, TheLastSessionIsOpenedFromTheMenu) {
  {
    auto first = keep();
    open(QStringLiteral("sample"));
  }
  session_->removeNetwork(session_->networkId());
  auto autosave = keep();
  window_->keepSessions(*autosave);
  EXPECT_EQ(window_->findChild<QMessageBox*>(QStringLiteral("recover")), nullptr);
  QAction* last = window_->actionsOfWindow().last_session;
  ASSERT_TRUE(last->isEnabled());
  last->trigger();
  idle();
  EXPECT_EQ(session_->workspace().runs().size(), 1U);
}

TEST_F(AutosaveTest, AFolderThatCannotBeWrittenIsSaidOnce) {
  QFile in_the_way(folder());
  ASSERT_TRUE(in_the_way.open(QIODevice::WriteOnly));
  auto autosave = keep();
  QSignalSpy failed(autosave.get(), &Autosave::failed);
  open(QStringLiteral("sample"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() > 0; }));
  session_->setNotes(QStringLiteral("more"));
  QTest::qWait(200);
  EXPECT_EQ(failed.count(), 1);
}

}  // namespace
}  // namespace iosx
