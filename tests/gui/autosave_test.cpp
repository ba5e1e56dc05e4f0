#include <malloc.h>
#include <sys/resource.h>

#include <csignal>

#include "app/gui/arguments.h"
#include "tests/gui/window_fixture.h"
#include "views/window/shell/project_keeper.h"
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
    optimize();
  }
  void pressOpen() {
    auto* box = must(part<QMessageBox>("recover"));
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
  EXPECT_EQ(must(open_project(autosave->lastSession().toStdString())).runs().size(), 1U);
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
  emit session_->editor().notesChanged();
  EXPECT_TRUE(QTest::qWaitFor([&] { return saved.count() > 0; })) << "nothing ends, and still it is kept";
}

TEST_F(AutosaveTest, WhatNobodyAskedForDoesNotTakeTheLastSessionsPlace) {
  {
    auto autosave = keep();
    openAndAsk();
  }
  session_->editor().remove(session_->networkId());
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
  const auto kept = must(open_project(autosave->lastSession().toStdString()));
  ASSERT_EQ(kept.networks().size(), 1U);
  EXPECT_EQ(kept.runs().size(), 1U);
}

TEST_F(AutosaveTest, TheFirstSearchOfAllIsAskedForByNobody) {
  StartPlan plan = plan_start({}, settings_, devices_);
  plan.hints = false;
  window_->start(plan.source, plan.hints);
  ASSERT_TRUE(QTest::qWaitFor([&] { return session_->searched() && !jobs_->busy(); }, 60000));
  EXPECT_FALSE(session_->editor().modified());
  EXPECT_FALSE(session_->workspace().asked_for());
}

TEST_F(AutosaveTest, WhatWasKeptLastStaysWhereTheEndCannotBeWritten) {
  auto autosave = keep();
  openAndAsk();
  session_->editor().setNotes(QStringLiteral("kept"));
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
  session_->editor().setNotes(QStringLiteral("not kept"));
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
  session_->editor().remove(session_->networkId());
  auto autosave = keep();
  window_->keepSessions(*autosave);
  EXPECT_FALSE(session_->hasDocument()) << "not without an answer";
  pressOpen();
  ASSERT_TRUE(session_->hasDocument());
  EXPECT_EQ(session_->workspace().runs().size(), 1U);
  EXPECT_TRUE(session_->editor().projectPath().isEmpty());
  EXPECT_TRUE(session_->editor().modified());
  ASSERT_TRUE(QTest::qWaitFor([&] { return !QFile::exists(left); })) << "once it is kept again";
}

TEST_F(AutosaveTest, AKilledSessionIsNotOpenedOverUnsavedWork) {
  openAndAsk();
  const QString left = left_behind();
  session_->editor().setNotes(QStringLiteral("newer"));
  auto autosave = keep();
  window_->keepSessions(*autosave);
  QSignalSpy saved(autosave.get(), &Autosave::saved);
  test::Answers answers;
  answers.press(QMessageBox::Cancel);
  pressOpen();
  EXPECT_TRUE(answers.given());
  EXPECT_EQ(session_->workspace().notes(), "newer");
  session_->editor().setNotes(QStringLiteral("newer still"));
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
    session_->editor().setNotes(QStringLiteral("not in the file"));
  }
  session_->editor().takeProject({}, {}, false);
  auto autosave = keep();
  window_->keepSessions(*autosave);
  // Where a start begins, and what is in it stands below the button.
  window_->startPage().show();
  auto* button = part<QPushButton>("start-last-session");
  ASSERT_TRUE(button->isVisible());
  EXPECT_TRUE(window_->actionsOfWindow()["last-session"]->data().toString().contains("sample"));
  QTest::mouseClick(button, Qt::LeftButton);
  idle();
  EXPECT_EQ(session_->workspace().notes(), "not in the file");
  EXPECT_EQ(session_->editor().projectPath(), project);
  EXPECT_TRUE(session_->editor().modified());
  EXPECT_EQ(session_->editor().projectStamp(), stamp_of(project.toStdString()));
}

TEST_F(AutosaveTest, AProjectFileThatIsNewerThanWhatWasKeptIsNotTakenForIt) {
  openAndAsk();
  const QString project = path("p.iosproj");
  jobs_->saveProject(project);
  idle();
  const QString left = left_behind({.file = project.toStdString()});
  session_->editor().setNotes(QStringLiteral("later, and saved"));
  QTest::qWait(20);
  jobs_->saveProject(project);
  idle();
  session_->editor().takeProject({}, {}, false);
  auto autosave = keep();
  window_->keepSessions(*autosave);
  pressOpen();
  EXPECT_EQ(session_->editor().projectPath(), project);
  ASSERT_TRUE(session_->editor().projectStamp());
  EXPECT_NE(session_->editor().projectStamp(), stamp_of(project.toStdString())) << "saving must ask";
}

TEST_F(AutosaveTest, TheQuestionNamesWhatWasOpen) {
  openAndAsk();
  left_behind({.file = "/somewhere/<b>detector.iosproj", .changed = true, .networks = {"sample", "b", "c", "d"}});
  auto autosave = keep();
  window_->keepSessions(*autosave);
  auto* box = must(part<QMessageBox>("recover"));
  EXPECT_TRUE(box->text().endsWith("<b>detector.iosproj: sample, b, c and others")) << box->text().toStdString();
  EXPECT_EQ(box->textFormat(), Qt::PlainText);
  box->reject();
}

TEST_F(AutosaveTest, WhatIsKeptSaysTheNamesOfItsNetworks) {
  auto autosave = keep();
  openAndAsk();
  autosave.reset();
  autosave = keep();
  const auto of = must(read_kept_of(autosave->lastSession().toStdString()));
  EXPECT_EQ(of.networks, std::vector<std::string>{"sample"});
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
  session_->editor().remove(session_->networkId());
  auto autosave = keep();
  window_->keepSessions(*autosave);
  EXPECT_EQ(part<QMessageBox>("recover"), nullptr);
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
  session_->editor().setNotes(QStringLiteral("more"));
  QTest::qWait(200);
  EXPECT_EQ(failed.count(), 1);
}

// People close windows, cancel and open something else whenever they like.

// Under the sanitizers a moment takes seven seconds, and their leak check looks at what the growth of the heap stands
// for.
constexpr int kMoments = 50 / test::every(3);
constexpr int kUsedUp = 10;                                   // moments after which caches of Qt and of ours are full
constexpr int kLongestWait = 150;                             // ms of a job before it is interrupted
constexpr int kPatience = test::kSanitized ? 300000 : 10000;  // ms for a job to end
constexpr double kMostGrowth = 12;                            // MB: other networks' comparisons are of other sizes

std::size_t threads() {
  return static_cast<std::size_t>(
      QDir(QStringLiteral("/proc/self/task")).entryList(QDir::NoDotAndDotDot | QDir::Dirs).size());
}

double heap_megabytes() {
  malloc_trim(0);
  return static_cast<double>(mallinfo2().uordblks) * 1e-6;
}

// The program as main() puts it together, with a device whose every measurement takes a moment.
// What is left over, for whoever looks for a leak.
std::string top_level_widgets() {
  std::string names;
  for (const QWidget* widget : QApplication::topLevelWidgets()) {
    names += std::string(widget->metaObject()->className()) + ' ' + widget->objectName().toStdString() + ' ' +
             std::to_string(widget->findChildren<QWidget*>().size()) + '\n';
  }
  return names;
}

class Interruptions : public testing::Test {
 protected:
  struct Program {
    Program(DeviceRegistry& devices, const QTemporaryDir& folder)
        : settings(folder.filePath(QStringLiteral("settings.ini"))),
          session(devices),
          jobs(session, [](const std::string& source, const InputSizes& sizes) { return open_graph(source, sizes); }),
          autosave(session, folder.filePath(QStringLiteral("sessions"))),
          controllers(devices, session, jobs),
          window(session, jobs, controllers, settings, false) {
      autosave.setDelay(20);
      window.keepSessions(autosave);
      window.resize(1280, 800);
      window.show();
    }
    Settings settings;
    Session session;
    Jobs jobs;
    Autosave autosave;
    Controllers controllers;
    MainWindow window;
  };

  Interruptions() {
    add_simulated_devices(devices_);
    behaviour_->plan_millis = 1;
    devices_.add({test::ScriptedDevice::make_info(test::ScriptedKind::kComputer),
                  [behaviour = behaviour_]() -> Result<std::unique_ptr<Device>> {
                    return std::make_unique<test::ScriptedDevice>(behaviour, test::ScriptedKind::kComputer);
                  },
                  {}});
    std::ofstream(folder_.filePath(QStringLiteral("broken.json")).toStdString()) << R"({"name": "broken", "blocks": [)";
    // A changed project asks what shall become of it: any answer will do.
    QObject::connect(&answers_, &QTimer::timeout, [this] {
      if (auto* where = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) return where->reject();
      auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
      if (question == nullptr) return;
      question->button(any(std::array{QMessageBox::Save, QMessageBox::Discard, QMessageBox::Cancel}))->click();
    });
    answers_.start(5);
    start();
  }

  void start() {
    program_ = std::make_unique<Program>(devices_, folder_);
    program_->jobs.setStore({.kept = true, .file = folder_.filePath(QStringLiteral("store.db")).toStdString()});
  }

  template <typename T, std::size_t N>
  T any(const std::array<T, N>& of) {
    return of.at(random_() % N);
  }

  void chooseSettings() {
    RunSettings settings = program_->session.settings();
    settings.device = any(std::array{"tesla-v100", "fake-computer", "h200"});
    settings.options.batch = any(std::array<std::int64_t, 3>{1, 1, 16});
    program_->session.setSettings(settings);
  }

  void openAny() {
    const QString name =
        QString::fromLatin1(any(std::array{"sample", "squeezenet", "inception_v3", "googlenet", "nasnet", "broken"}));
    const QString file = folder_.filePath(name + QStringLiteral(".json"));
    program_->jobs.open(QFile::exists(file) ? file : name);
  }

  // One of the jobs that there are; where it cannot be done now, none begins.
  void startAnyJob() {
    Jobs& jobs = program_->jobs;
    switch (random_() % 9) {
      case 0: return openAny();
      case 1: return jobs.verify();
      case 2: return jobs.profile();
      case 3:
        return jobs.experiment(
            {.kind = any(std::array{ExperimentKind::kSchedules, ExperimentKind::kPruning, ExperimentKind::kSearch})});
      case 4: return jobs.saveRun(folder_.filePath(QStringLiteral("saved.iosrun")));
      case 5: return jobs.saveProject(folder_.filePath(QStringLiteral("saved.iosproj")));
      default: return jobs.optimize();
    }
  }

  void waitAnyTime() { QTest::qWait(static_cast<int>(random_() % kLongestWait)); }

  // What waits behind a job is ended too: one moment is enough of each.
  bool ends() {
    const auto idle = [this] { return !program_->jobs.busy(); };
    if (QTest::qWaitFor(idle, kPatience)) return true;
    program_->jobs.abandon();
    return QTest::qWaitFor(idle, kPatience);
  }

  // What a user then sees fits together.
  void expectSound() {
    const Session& session = program_->session;
    const auto comparison = session.comparison();
    if (!comparison) return;
    ASSERT_TRUE(session.hasDocument());
    ASSERT_LT(session.activeSchedule(), comparison->results.size());
    EXPECT_GT(comparison->graph->units().size(), 0U);
    EXPECT_EQ(comparison->graph->name(), session.document().graph->name());
  }

  QTemporaryDir folder_;
  std::shared_ptr<test::ScriptedBehaviour> behaviour_ = std::make_shared<test::ScriptedBehaviour>();
  DeviceRegistry devices_;
  std::unique_ptr<Program> program_;
  std::mt19937 random_{13};
  QTimer answers_;
};

TEST_F(Interruptions, FiftyRandomMoments) {
  double heap = 0;
  std::size_t threads_at_first = 0;
  qsizetype widgets_at_first = 0;
  int interrupted = 0;
  const auto afresh = [&] {  // what is left when the program is gone
    program_.reset();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
  };
  for (int moment = 0; moment < kMoments; ++moment) {
    SCOPED_TRACE(moment);
    if (moment == kUsedUp) {
      afresh();
      heap = heap_megabytes();
      threads_at_first = threads();
      widgets_at_first = QApplication::allWidgets().size();
    }
    if (!program_) start();
    chooseSettings();
    if (!program_->session.hasDocument()) {
      openAny();
      ASSERT_TRUE(ends());
    }
    startAnyJob();
    waitAnyTime();
    interrupted += program_->jobs.busy() ? 1 : 0;
    switch (random_() % 3) {
      case 0: program_->jobs.cancel(); break;
      case 1:
        openAny();
        if (random_() % 2 == 0) {  // at once something else again
          waitAnyTime();
          openAny();
        }
        break;
      default:
        program_->window.close();
        if (random_() % 2 == 0) QCoreApplication::processEvents();
        afresh();
        continue;
    }
    ASSERT_TRUE(ends());
    expectSound();
  }
  afresh();
  EXPECT_GT(interrupted, kMoments / 4);
  EXPECT_EQ(QApplication::allWidgets().size(), widgets_at_first) << top_level_widgets();
  EXPECT_LE(threads(), threads_at_first);
  // Of a sanitizer's allocator mallinfo knows nothing; it finds leaks itself.
  if (!test::kSanitized) {
    EXPECT_LT(heap_megabytes() - heap, kMostGrowth);
  }
}

}  // namespace

}  // namespace iosx
