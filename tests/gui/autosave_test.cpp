#include "views/window/shell/autosave.h"

#include <sys/resource.h>

#include <QDir>
#include <QFile>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <csignal>

#include "app/gui/arguments.h"
#include "app/gui/start_plan.h"
#include "core/documents/project/project_file.h"
#include "tests/gui/answers.h"
#include "tests/gui/window_fixture.h"
#include "views/window/actions/actions.h"
#include "views/window/start/start_page.h"

namespace iosx {
namespace {

// Files of this process can hold no more than some bytes meanwhile.
class FullDisk {
 public:
  FullDisk() : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit small{.rlim_cur = 64, .rlim_max = before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    (void)std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

class AutosaveTest : public test::WindowTest {
 protected:
  QString folder() const { return path("sessions"); }
  std::unique_ptr<Autosave> keep() {
    auto autosave = std::make_unique<Autosave>(*session_, folder());
    autosave->setDelay(10);
    return autosave;
  }
  // Two runs: the first picture, and one that was asked for.
  void openAndAsk() {
    open(QStringLiteral("sample"));
    jobs_->optimize();
    idle();
  }
  void pressOpen() {
    auto* box = window_->findChild<QMessageBox*>(QStringLiteral("recover"));
    ASSERT_NE(box, nullptr);
    QTest::mouseClick(box->buttons().front(), Qt::LeftButton);
    idle();
  }
  // What a process leaves that was killed: its file, and no lock that lives.
  QString left_behind(const KeptOf& of = {}) {
    QDir().mkpath(folder());
    const QString file = QDir(folder()).filePath(QStringLiteral("session-1-2.iosproj"));
    EXPECT_TRUE(keep_project(session_->workspace(), of, file.toStdString()));
    return file;
  }
};

TEST_F(AutosaveTest, WhatIsOpenIsOnDiskMomentsLaterAndBecomesTheLastSession) {
  auto autosave = keep();
  QSignalSpy saved(autosave.get(), &Autosave::saved);
  openAndAsk();
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

TEST_F(AutosaveTest, WhatChangedWaitsWhileSomethingIsMeasuredButNotForEver) {
  auto autosave = keep();
  bool measuring = true;
  autosave->waitWhile([&] { return measuring; });
  QSignalSpy saved(autosave.get(), &Autosave::saved);
  openAndAsk();
  QTest::qWait(100);  // ten times its delay
  EXPECT_EQ(saved.count(), 0);
  measuring = false;
  EXPECT_TRUE(QTest::qWaitFor([&] { return saved.count() > 0; }));
  measuring = true;
  autosave->waitWhile([&] { return measuring; }, 50);
  saved.clear();
  emit session_->notesChanged();
  EXPECT_TRUE(QTest::qWaitFor([&] { return saved.count() > 0; })) << "nothing ends, and still it is kept";
}

TEST_F(AutosaveTest, WhatNobodyAskedForDoesNotTakeTheLastSessionsPlace) {
  {
    auto autosave = keep();
    openAndAsk();
  }
  session_->removeNetwork(session_->networkId());
  { auto autosave = keep(); }
  for (const char* network : {"sample", "inception_v3"}) {
    auto autosave = keep();
    open(QString::fromLatin1(network));
    ASSERT_TRUE(session_->comparison());
    QTest::qWait(100);
  }
  auto autosave = keep();
  ASSERT_FALSE(autosave->lastSession().isEmpty());
  EXPECT_EQ(QDir(folder()).entryList({QStringLiteral("*.iosproj")}).size(), 1);
  const auto kept = open_project(autosave->lastSession().toStdString());
  ASSERT_TRUE(kept) << kept.error().text();
  ASSERT_EQ(kept->networks().size(), 1U);
  EXPECT_EQ(kept->runs().size(), 1U);
}

TEST_F(AutosaveTest, TheFirstSearchOfAllIsAskedForByNobody) {
  StartPlan plan = plan_start({}, settings_, devices_);
  plan.hints = false;
  window_->start(plan.source, plan.hints);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->searched() && !jobs_->busy(); }, 60000));
  EXPECT_FALSE(session_->modified());
  EXPECT_FALSE(session_->workspace().asked_for());
}

TEST_F(AutosaveTest, WhatWasKeptLastStaysWhereTheEndCannotBeWritten) {
  auto autosave = keep();
  openAndAsk();
  session_->setNotes(QStringLiteral("kept"));
  ASSERT_TRUE(QTest::qWaitFor(
      [this] {
        const QDir sessions(folder());
        const QStringList files = sessions.entryList({QStringLiteral("*.iosproj")});
        if (files.size() != 1 || jobs_->busy()) return false;
        const auto project = open_project(sessions.filePath(files.front()).toStdString());
        return project && project->notes() == "kept";
      },
      60000));
  autosave->setDelay(100000);
  session_->setNotes(QStringLiteral("not kept"));
  {
    const FullDisk full;
    autosave.reset();
  }
  autosave = keep();
  ASSERT_FALSE(autosave->lastSession().isEmpty());
  EXPECT_EQ(open_project(autosave->lastSession().toStdString())->notes(), "kept");
}

TEST_F(AutosaveTest, AKilledSessionIsOfferedAndOpened) {
  openAndAsk();
  const QString left = left_behind();
  session_->removeNetwork(session_->networkId());
  auto autosave = keep();
  window_->keepSessions(*autosave);
  EXPECT_FALSE(session_->hasDocument()) << "not without an answer";
  pressOpen();
  ASSERT_TRUE(session_->hasDocument());
  EXPECT_EQ(session_->workspace().runs().size(), 1U);
  EXPECT_TRUE(session_->projectPath().isEmpty());
  EXPECT_TRUE(session_->modified());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(left); })) << "once it is kept again";
}

TEST_F(AutosaveTest, AKilledSessionIsNotOpenedOverUnsavedWork) {
  openAndAsk();
  const QString left = left_behind();
  session_->setNotes(QStringLiteral("newer"));
  auto autosave = keep();
  window_->keepSessions(*autosave);
  QSignalSpy saved(autosave.get(), &Autosave::saved);
  test::Answers answers;
  answers.press(QMessageBox::Cancel);
  pressOpen();
  EXPECT_TRUE(answers.given());
  EXPECT_EQ(session_->workspace().notes(), "newer");
  session_->setNotes(QStringLiteral("newer still"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() > 0; }));
  EXPECT_TRUE(QFile::exists(left)) << "it was not opened";
}

TEST_F(AutosaveTest, ADamagedFileIsPutAsideAndNotDeleted) {
  QDir().mkpath(folder());
  for (const char* name : {"session-1-2.iosproj", "last-session.iosproj"}) {
    QFile file(QDir(folder()).filePath(QString::fromLatin1(name)));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("PK cut short");
  }
  auto autosave = keep();
  window_->keepSessions(*autosave);
  QSignalSpy saved(autosave.get(), &Autosave::saved);
  pressOpen();
  const QString aside = QDir(folder()).filePath(QStringLiteral("damaged-session-1-2.iosproj"));
  EXPECT_TRUE(window_->messages().text().contains(aside)) << window_->messages().text().toStdString();
  openAndAsk();
  ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() > 0; }));
  EXPECT_TRUE(QFile::exists(aside)) << "whatever is kept later";
  EXPECT_FALSE(autosave->leftBehind()) << "it is offered once";
  QAction* last = window_->actionsOfWindow()["last-session"];
  ASSERT_TRUE(last->isEnabled());
  test::Answers answers;
  last->trigger();
  idle();
  EXPECT_FALSE(last->isEnabled());
  EXPECT_TRUE(QFile::exists(QDir(folder()).filePath(QStringLiteral("damaged-last-session.iosproj"))));
  EXPECT_TRUE(answers.asked().isEmpty());
}

TEST_F(AutosaveTest, WhatIsRecoveredKnowsItsProjectFile) {
  openAndAsk();
  const QString project = path("p.iosproj");
  jobs_->saveProject(project);
  idle();
  {
    auto first = keep();
    session_->setNotes(QStringLiteral("not in the file"));
  }
  session_->takeProject({}, {}, false);
  auto autosave = keep();
  window_->keepSessions(*autosave);
  // Where a start begins, and what is in it stands below the button.
  window_->startPage().show();
  auto* button = window_->findChild<QPushButton*>(QStringLiteral("start-last-session"));
  ASSERT_TRUE(button->isVisible());
  EXPECT_TRUE(window_->actionsOfWindow()["last-session"]->data().toString().contains(QStringLiteral("sample")));
  QTest::mouseClick(button, Qt::LeftButton);
  idle();
  EXPECT_EQ(session_->workspace().notes(), "not in the file");
  EXPECT_EQ(session_->projectPath(), project);
  EXPECT_TRUE(session_->modified());
  EXPECT_EQ(session_->projectStamp(), stamp_of(project.toStdString()));
}

TEST_F(AutosaveTest, AProjectFileThatIsNewerThanWhatWasKeptIsNotTakenForIt) {
  openAndAsk();
  const QString project = path("p.iosproj");
  jobs_->saveProject(project);
  idle();
  const QString left = left_behind({.file = project.toStdString()});
  session_->setNotes(QStringLiteral("later, and saved"));
  QTest::qWait(20);
  jobs_->saveProject(project);
  idle();
  session_->takeProject({}, {}, false);
  auto autosave = keep();
  window_->keepSessions(*autosave);
  pressOpen();
  EXPECT_EQ(session_->projectPath(), project);
  ASSERT_TRUE(session_->projectStamp());
  EXPECT_NE(session_->projectStamp(), stamp_of(project.toStdString())) << "saving must ask";
}

TEST_F(AutosaveTest, TheQuestionNamesWhatWasOpen) {
  openAndAsk();
  left_behind({.file = "/somewhere/<b>detector.iosproj", .changed = true, .networks = {"sample", "b", "c", "d"}});
  auto autosave = keep();
  window_->keepSessions(*autosave);
  auto* box = window_->findChild<QMessageBox*>(QStringLiteral("recover"));
  ASSERT_NE(box, nullptr);
  EXPECT_TRUE(box->text().endsWith(QStringLiteral("<b>detector.iosproj: sample, b, c and others")))
      << box->text().toStdString();
  EXPECT_EQ(box->textFormat(), Qt::PlainText);
  box->reject();
}

TEST_F(AutosaveTest, WhatIsKeptSaysTheNamesOfItsNetworks) {
  auto autosave = keep();
  openAndAsk();
  autosave.reset();
  autosave = keep();
  const auto of = read_kept_of(autosave->lastSession().toStdString());
  ASSERT_TRUE(of) << of.error().text();
  EXPECT_EQ(of->networks, std::vector<std::string>{"sample"});
}

TEST_F(AutosaveTest, LocksOfProcessesThatKeptNothingGo) {
  QDir().mkpath(folder());
  const QString gone = QDir(folder()).filePath(QStringLiteral("session-1-2.iosproj.lock"));
  QFile lock(gone);
  ASSERT_TRUE(lock.open(QIODevice::WriteOnly));
  lock.write(QByteArray::number(1 << 22) + "\nios-explorer\n" + QSysInfo::machineHostName().toUtf8() + "\n\n\n");
  lock.close();
  auto autosave = keep();
  EXPECT_FALSE(QFile::exists(gone));
  EXPECT_EQ(QDir(folder()).entryList({QStringLiteral("*.lock")}, QDir::Files).size(), 1) << "its own";
}

TEST_F(AutosaveTest, TheLastSessionIsOpenedFromTheMenu) {
  {
    auto first = keep();
    openAndAsk();
  }
  session_->removeNetwork(session_->networkId());
  auto autosave = keep();
  window_->keepSessions(*autosave);
  EXPECT_EQ(window_->findChild<QMessageBox*>(QStringLiteral("recover")), nullptr);
  QAction* last = window_->actionsOfWindow()["last-session"];
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
  openAndAsk();
  ASSERT_TRUE(QTest::qWaitFor([&] { return failed.count() > 0; }));
  session_->setNotes(QStringLiteral("more"));
  QTest::qWait(200);
  EXPECT_EQ(failed.count(), 1);
}

}  // namespace
}  // namespace iosx
