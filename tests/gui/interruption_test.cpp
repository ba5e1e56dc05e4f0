// People close windows, cancel and open something else whenever they like.
#include <malloc.h>

#include <QApplication>
#include <QDir>
#include <QFileDialog>
#include <QMessageBox>
#include <QPushButton>
#include <QTimer>
#include <array>
#include <fstream>
#include <random>

#include "tests/gui/window_fixture.h"
#include "tests/support/sanitized.h"
#include "views/window/shell/autosave.h"
#include "views/window/shell/controllers.h"

namespace iosx {
namespace {

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
