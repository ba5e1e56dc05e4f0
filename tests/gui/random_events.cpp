// Random mouse, wheel and key events into the whole window for a while, as nobody would give them and somebody some day
// does: nothing may crash, hang or leak, and what is shown must fit together. The same events for the same seed, but
// for what jobs have found by then.
//   random_events [--seconds N] [--seed N] [--trace]
// Modal dialogs get events too and are closed after a while; files are only written to a folder of its own. Ends with
// 0, or with 1 and what did not fit; a hang of two minutes aborts.
#include <fmt/format.h>

#include <QAction>
#include <QApplication>
#include <QDesktopServices>
#include <QDir>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QLineEdit>
#include <QList>
#include <QMenu>
#include <QTemporaryDir>
#include <QTest>
#include <QThread>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "app/gui/window_host.h"
#include "core/formats/wire/graph_wire.h"
#include "models/devices/simulated_devices.h"
#include "models/open_graph.h"
#include "tests/support/fake_devices.h"
#include "tests/support/sanitized.h"
#include "views/edit_graph/graph_controller.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/window/base/settings.h"
#include "views/window/devices/add_worker_dialog.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/project_keeper.h"
#include "views/window/shell/schedule_editor.h"

namespace iosx {
namespace {

constexpr int kLongestJob = 4000;       // ms before it is cancelled
constexpr int kEventsOfDialog = 25;     // before it is closed
constexpr int kEventsOfWindow = 20000;  // before the program ends and begins anew
constexpr std::size_t kMostOperators = 2000;
constexpr auto kHang = std::chrono::minutes(test::kSanitized ? 10 : 2);

struct Options {
  int seconds = 20;
  int seed = 1;
  bool trace = false;
};

class UrlSink : public QObject {
  Q_OBJECT
 public slots:
  void open(const QUrl&) {}
};

// Aborts where the events stop.
class Watchdog {
 public:
  Watchdog()
      : thread_([this](const std::stop_token& stop) {
          while (!stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(200));
            if (std::chrono::steady_clock::now() - last_.load() < kHang) continue;
            std::cerr << "random_events: the window hangs\n";
            std::abort();
          }
        }) {}
  void alive() { last_ = std::chrono::steady_clock::now(); }

 private:
  std::atomic<std::chrono::steady_clock::time_point> last_ = std::chrono::steady_clock::now();
  std::jthread thread_;
};

class RandomUser final : public QObject {
 public:
  explicit RandomUser(const Options& options) : options_(options), random_(static_cast<std::uint32_t>(options.seed)) {
    add_simulated_devices(devices_);
    behaviour_->plan_millis = 1;
    devices_.add({test::ScriptedDevice::make_info(test::ScriptedKind::kComputer),
                  [behaviour = behaviour_]() -> Result<std::unique_ptr<Device>> {
                    return std::make_unique<test::ScriptedDevice>(behaviour, test::ScriptedKind::kComputer);
                  },
                  {}});
    for (const char* scheme : {"http", "https", "file"}) {
      QDesktopServices::setUrlHandler(QString::fromLatin1(scheme), &urls_, "open");
    }
    QDir::setCurrent(folder_.path());
  }
  ~RandomUser() override {
    for (const char* scheme : {"http", "https", "file"}) QDesktopServices::unsetUrlHandler(QString::fromLatin1(scheme));
  }

  int run() {
    start();
    clock_.start();
    // Queued, not done in the timer: an event may open a dialog, and the next ones are for that.
    QTimer timer;
    connect(&timer, &QTimer::timeout, this, [this] {
      QMetaObject::invokeMethod(
          this, [this] { step(); }, Qt::QueuedConnection);
    });
    timer.start(0);
    QApplication::exec();
    timer.stop();
    end();
    fmt::print("seed {}: {} events in {} s, {} windows, {} dialogs; longest {} ms, {}; {}\n", options_.seed, events_,
               clock_.elapsed() / 1000, windows_, dialogs_, longest_, longest_what_,
               faults_ == 0 ? "nothing found" : "FAULTS FOUND");
    return faults_ == 0 ? 0 : 1;
  }

 private:
  struct Program {
    Program(DeviceRegistry& devices, const QString& folder)
        : settings(folder + QStringLiteral("/settings.ini")),
          session(devices),
          jobs(session, [](const std::string& source, const InputSizes& sizes) { return open_graph(source, sizes); }),
          autosave(session, folder + QStringLiteral("/sessions")),
          host(devices, session, jobs, settings, &autosave, false) {
      autosave.setDelay(200);
    }
    Settings settings;
    Session session;
    Jobs jobs;
    Autosave autosave;
    WindowHost host;
  };

  std::size_t pick(std::size_t n) { return random_() % n; }
  bool chance(std::size_t one_of) { return pick(one_of) == 0; }
  template <typename T, std::size_t N>
  T any(const std::array<T, N>& of) {
    return of.at(pick(N));
  }
  void trace(const std::string& what) {
    doing_ = what;
    if (options_.trace) std::cerr << events_ << ' ' << what << std::endl;  // flushed: a crash may be next
  }
  void fault(const std::string& what) {
    std::cerr << fmt::format("random_events: seed {}, event {}: {}\n", options_.seed, events_, what);
    ++faults_;
  }

  void start() {
    program_ = std::make_unique<Program>(devices_, folder_.path());
    program_->jobs.setStore({.kept = true, .file = folder_.filePath(QStringLiteral("store.db")).toStdString()});
    window().resize(any(std::array{QSize(1600, 1000), QSize(1280, 800), QSize(900, 600)}));
    window().show();
    ++windows_;
    began_ = events_;
    program_->jobs.open(QString::fromLatin1(any(std::array{"sample", "squeezenet", "inception_v3"})));
  }
  void end() {
    program_->jobs.abandon();
    program_.reset();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QCoreApplication::processEvents();
  }
  MainWindow& window() { return program_->host.window(); }

  // Giving an event handles others, this one's timer among them; the next step is only taken in the loop of a dialog,
  // a menu or a drag that the event began, or when it is done.
  void step() {
    const int level = QThread::currentThread()->loopLevel();
    if (level <= level_) return;
    const int outer = std::exchange(level_, level);
    stepAt(level > 1);
    idle_.start();
    level_ = outer;
  }

  void stepAt(bool nested_loop) {
    dog_.alive();
    if (options_.trace && idle_.isValid() && idle_.elapsed() > 500) {
      std::cerr << "between: " << idle_.elapsed() << " ms\n";
    }
    endLongJobs();
    const bool over = clock_.elapsed() > 1000LL * options_.seconds;
    QWidget* modal = QApplication::activeModalWidget();
    QWidget* popup = QApplication::activePopupWidget();
    if (over) {
      if (popup != nullptr) return void(popup->close());
      if (modal != nullptr) return void(modal->close());
      if (nested_loop) return endDrag();
      expectWindowsClose();
      return QApplication::exit();
    }
    ++events_;
    if (modal != dialog_) {
      dialog_ = modal;
      dialogs_ += modal != nullptr ? 1 : 0;
      dialog_began_ = events_;
    }
    // Qt's dialog of files is not ours, and waits for good where somebody walks into /proc with it; and no command runs
    // that was typed by chance.
    const bool left_alone =
        qobject_cast<QFileDialog*>(modal) != nullptr || qobject_cast<AddWorkerDialog*>(modal) != nullptr;
    const int most = left_alone ? 0 : kEventsOfDialog;
    if (popup == nullptr && modal != nullptr && events_ - dialog_began_ >= most) return closeDialog(modal);
    const bool nested = modal != nullptr || popup != nullptr || nested_loop;
    if (!nested && (!window().isVisible() || events_ - began_ > kEventsOfWindow || drawnTooMuch())) {
      trace("a new window");
      end();
      return start();
    }
    if (!nested && events_ % 50 == 0) expectSound();
    const std::int64_t before = events_;
    QElapsedTimer taken;
    taken.start();
    act(front());
    if (options_.trace && taken.elapsed() > 500) std::cerr << "took " << taken.elapsed() << " ms\n";
    if (events_ == before && taken.elapsed() > longest_) {  // no dialog in between
      longest_ = taken.elapsed();
      longest_what_ = doing_;
    }
  }

  void endLongJobs() {
    if (!program_->jobs.busy()) {
      job_.invalidate();
    } else if (!job_.isValid()) {
      job_.start();
    } else if (job_.elapsed() > kLongestJob) {
      trace("a long job is cancelled");
      program_->jobs.cancel();
      job_.restart();
    }
  }

  void closeDialog(QWidget* dialog) {
    trace(fmt::format("{} is closed", dialog->metaObject()->className()));
    dialog_began_ = events_;
    auto* files = qobject_cast<QFileDialog*>(dialog);
    if (files != nullptr && chance(2)) {
      const char* name = any(std::array{"a.iosproj", "b.iosrun", "c.json", "d.svg", "e.csv", "f.onnx", "g.html"});
      files->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"))
          ->setText(folder_.filePath(QString::fromLatin1(name)));
      static_cast<QDialog*>(files)->accept();
      if (!files->isVisible()) return;
    }
    if (auto* any_dialog = qobject_cast<QDialog*>(dialog)) return any_dialog->reject();
    dialog->close();
  }

  void act(QWidget* root) {
    switch (pick(20)) {
      case 0: return triggerAction(root);
      case 1:
      case 2: return wheel(root);
      case 3:
      case 4:
      case 5: return drag(root);
      case 6:
      case 7:
      case 8:
      case 9: return key(root);
      case 10: return doubleClick(root);
      case 11: return hover(root);
      case 12: return chance(4) ? resize(root) : click(root, Qt::LeftButton);
      case 13: return click(root, Qt::RightButton);
      default: return click(root, Qt::LeftButton);
    }
  }

  // One of the visible children, so that small ones get their share; or the canvas, which is what people work on.
  QPoint place(QWidget* root) {
    QList<QWidget*> children = root->findChildren<QWidget*>();
    children.removeIf([&](const QWidget* child) {
      return !child->isVisible() || child->window() != root->window() || child->size().isEmpty();
    });
    QWidget* target = children.empty() || chance(6)
                          ? root
                          : children[static_cast<qsizetype>(pick(static_cast<std::size_t>(children.size())))];
    const QPoint inside(static_cast<int>(pick(static_cast<std::size_t>(std::max(1, target->width())))),
                        static_cast<int>(pick(static_cast<std::size_t>(std::max(1, target->height())))));
    const QPoint at = target->mapTo(root->window(), inside);
    const QRect all(QPoint(), root->window()->size());
    return {std::clamp(at.x(), all.left(), all.right()), std::clamp(at.y(), all.top(), all.bottom())};
  }
  static QWindow* windowOf(QWidget* root) { return root->window()->windowHandle(); }
  Qt::KeyboardModifiers modifiers() {
    return any(std::array<Qt::KeyboardModifiers, 6>{Qt::NoModifier, Qt::NoModifier, Qt::NoModifier, Qt::ShiftModifier,
                                                    Qt::ControlModifier, Qt::AltModifier});
  }

  // Through the window system's queue, as real ones come: grabs, focus and popups do what they do for people.
  void click(QWidget* root, Qt::MouseButton button) {
    if (windowOf(root) == nullptr) return;
    const QPoint at = place(root);
    trace(fmt::format("click {} at {},{} of {}", static_cast<int>(button), at.x(), at.y(),
                      root->metaObject()->className()));
    QTest::mousePress(windowOf(root), button, modifiers(), at);
    release(button, at);
  }
  // The press may have closed or replaced everything: the button comes up wherever there is something.
  void release(Qt::MouseButton button, const QPoint& at) {
    if (windowOf(front()) != nullptr) QTest::mouseRelease(windowOf(front()), button, Qt::NoModifier, at);
  }
  QWidget* front() {
    if (QWidget* popup = QApplication::activePopupWidget()) return popup;
    if (QWidget* modal = QApplication::activeModalWidget()) return modal;
    return &window();
  }
  void doubleClick(QWidget* root) {
    if (windowOf(root) == nullptr) return;
    const QPoint at = place(root);
    trace(fmt::format("double click at {},{}", at.x(), at.y()));
    QTest::mouseDClick(windowOf(root), Qt::LeftButton, Qt::NoModifier, at);
  }
  void hover(QWidget* root) {
    if (windowOf(root) == nullptr) return;
    const QPoint at = place(root);
    trace(fmt::format("hover at {},{}", at.x(), at.y()));
    QTest::mouseMove(windowOf(root), at);
  }
  void drag(QWidget* root) {
    if (windowOf(root) == nullptr) return;
    const QPoint from = place(root);
    const QPoint to = place(root);
    const Qt::MouseButton button = chance(5) ? Qt::MiddleButton : Qt::LeftButton;
    trace(fmt::format("drag {} from {},{} to {},{}", static_cast<int>(button), from.x(), from.y(), to.x(), to.y()));
    QTest::mousePress(windowOf(root), button, modifiers(), from);
    for (int i = 1; i <= 4; ++i) {
      if (windowOf(front()) == nullptr) return;
      QTest::mouseMove(windowOf(front()), from + (to - from) * i / 4);
      // Keys come while the button is down, too.
      if (chance(15)) press(any(std::array{Qt::Key_Escape, Qt::Key_Delete, Qt::Key_Return, Qt::Key_C}), {});
      if (chance(20)) press(Qt::Key_Z, Qt::ControlModifier);
    }
    release(button, to);
  }
  void wheel(QWidget* root) {
    const QPoint at = place(root);
    QWidget* under = root->window()->childAt(at);
    if (under == nullptr) return;
    const int turn = any(std::array{-360, -120, 120, 360});
    trace(fmt::format("wheel {} at {},{}", turn, at.x(), at.y()));
    QWheelEvent event(under->mapFrom(root->window(), at), root->window()->mapToGlobal(at), {}, {0, turn}, Qt::NoButton,
                      any(std::array<Qt::KeyboardModifiers, 3>{Qt::NoModifier, Qt::ControlModifier, Qt::ShiftModifier}),
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(under, &event);
  }
  void key(QWidget* root) {
    if (windowOf(root) == nullptr) return;
    static constexpr std::array kKeys{
        Qt::Key_Left,   Qt::Key_Right,     Qt::Key_Up,       Qt::Key_Down,   Qt::Key_Tab,    Qt::Key_Backtab,
        Qt::Key_Return, Qt::Key_Space,     Qt::Key_Home,     Qt::Key_End,    Qt::Key_PageUp, Qt::Key_PageDown,
        Qt::Key_Delete, Qt::Key_Backspace, Qt::Key_Z,        Qt::Key_F,      Qt::Key_U,      Qt::Key_W,
        Qt::Key_A,      Qt::Key_S,         Qt::Key_D,        Qt::Key_N,      Qt::Key_M,      Qt::Key_J,
        Qt::Key_L,      Qt::Key_1,         Qt::Key_3,        Qt::Key_Plus,   Qt::Key_Minus,  Qt::Key_Slash,
        Qt::Key_Period, Qt::Key_Comma,     Qt::Key_C,        Qt::Key_V,      Qt::Key_X,      Qt::Key_G,
        Qt::Key_T,      Qt::Key_F2,        Qt::Key_Question, Qt::Key_Escape, Qt::Key_Menu};
    const Qt::Key which = any(kKeys);
    const Qt::KeyboardModifiers with = modifiers();
    trace(fmt::format("key {:#x} with {:#x}", static_cast<unsigned>(which), static_cast<unsigned>(with)));
    press(which, with);
  }
  // Where the focus is, in whatever window that is by then: the press may close one.
  void press(Qt::Key which, Qt::KeyboardModifiers with) {
    const QString text = with == Qt::NoModifier && which < Qt::Key_Escape ? QString(QChar(which).toLower()) : QString();
    for (const bool down : {true, false}) {
      QWidget* window = front();
      QWidget* focus = window->focusWidget() != nullptr ? window->focusWidget() : window;
      QTest::simulateEvent(focus, down, which, with, text, false);
    }
  }
  void resize(QWidget* root) {
    if (root != &window()) return;
    trace("resize");
    window().resize(any(std::array{QSize(1600, 1000), QSize(1280, 800), QSize(700, 500), QSize(2200, 1300)}));
  }
  // Menus are deep; every action gets its turn so. Not those that end the program: windows close often enough.
  void triggerAction(QWidget* root) {
    if (root != &window()) return;
    QList<QAction*> actions = window().findChildren<QAction*>();
    actions.removeIf([](const QAction* action) {
      return !action->isEnabled() || action->menu() != nullptr || action->isSeparator() ||
             action->objectName() == QStringLiteral("quit");
    });
    if (actions.empty()) return;
    QAction* action = actions[static_cast<qsizetype>(pick(static_cast<std::size_t>(actions.size())))];
    trace("action " + action->objectName().toStdString() + " \"" + action->text().toStdString() + '"');
    action->trigger();
  }

  void endDrag() {
    press(Qt::Key_Escape, {});
    release(Qt::LeftButton, {1, 1});
  }

  // Qt closes every window before it ends, for as long as one is visible.
  void expectWindowsClose() {
    for (QWidget* each : QApplication::topLevelWidgets()) {
      if (each == &window() || !each->isVisible()) continue;
      const bool closed = each->windowHandle() == nullptr || each->windowHandle()->close();
      if (closed && each->isVisible()) {
        fault(fmt::format("{} \"{}\" is visible after it was closed", each->metaObject()->className(),
                          each->objectName().toStdString()));
      }
    }
  }

  // Whoever duplicates everything again and again waits for that; there is nothing to be learnt here.
  bool drawnTooMuch() {
    const GraphController& graphs = window().graphEditing().controller();
    return graphs.open() && graphs.graph().operators().size() > kMostOperators;
  }

  // What is shown fits together.
  void expectSound() {
    const Session& session = program_->session;
    if (const auto comparison = session.comparison()) {
      if (!session.hasDocument()) return fault("a comparison of no network is shown");
      if (session.activeSchedule() >= comparison->results.size()) return fault("no such schedule");
    }
    const GraphController& graphs = window().graphEditing().controller();
    if (graphs.open()) {
      const std::string text = edit_to_text(graphs.graph());
      const auto read = edit_from_text(text, "drawing");
      if (!read) return fault("the drawing cannot be read back: " + read.error().text());
      if (edit_to_text(*read) != text) return fault("the drawing is another one when it is read back");
    }
    if (const ScheduleDraft* draft = window().editor().controller().draft()) {
      if (const auto legal = check_legal(draft->graph(), draft->schedule()); !legal) {
        return fault("the schedule made by hand is not legal: " + legal.error().text());
      }
    }
  }

  Options options_;
  std::mt19937 random_;
  QTemporaryDir folder_;
  UrlSink urls_;
  std::shared_ptr<test::ScriptedBehaviour> behaviour_ = std::make_shared<test::ScriptedBehaviour>();
  DeviceRegistry devices_;
  std::unique_ptr<Program> program_;
  Watchdog dog_;
  QElapsedTimer clock_;
  QElapsedTimer job_;
  QElapsedTimer idle_;  // since the last event
  QWidget* dialog_ = nullptr;
  int level_ = 0;  // of the event loop in which a step is being taken; 0: none is
  std::int64_t events_ = 0;
  std::int64_t began_ = 0;
  std::int64_t dialog_began_ = 0;
  std::int64_t longest_ = 0;  // ms that one event took
  std::string longest_what_;
  std::string doing_;
  int windows_ = 0;
  int dialogs_ = 0;
  int faults_ = 0;
};

bool read_options(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view name = argv[i];
    if (name == "--trace") {
      options.trace = true;
    } else if (i + 1 < argc && (name == "--seconds" || name == "--seed")) {
      const int value = std::atoi(argv[++i]);
      if (value <= 0) return false;
      (name == "--seconds" ? options.seconds : options.seed) = value;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace
}  // namespace iosx

int main(int argc, char** argv) {
  iosx::Options options;
  if (!iosx::read_options(argc, argv, options)) {
    std::cerr << "random_events [--seconds N] [--seed N] [--trace]\n";
    return 2;
  }
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QTemporaryDir data;
  qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
  qputenv("XDG_CONFIG_HOME", data.path().toLocal8Bit());
  QApplication application(argc, argv);
  QApplication::setQuitOnLastWindowClosed(false);
  return iosx::RandomUser(options).run();
}

#include "random_events.moc"
