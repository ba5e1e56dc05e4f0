// screenshots FOLDER [--only TEXT] [--language zh_CN]: the window in every mode, in both palettes and at three sizes,
// as pictures for people to look at. It is driven as a user drives it: through keys and tables that have names. What a
// build does not have is left out and said. --only guide takes the pictures of the guide instead. make.sh calls it on a
// display of its own.
#include <QTest>
#include <QtWidgets>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

#include "app/devices/all_devices.h"
#include "models/open_graph.h"
#include "tests/screenshots/few_colours.h"
#include "views/canvas/graph_view.h"
#include "views/compare/canvas_pair.h"
#include "views/compare/compare_page.h"
#include "views/edit_schedule/board_page.h"
#include "views/edit_schedule/lane_board.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/share/animation.h"
#include "views/window/base/settings.h"
#include "views/window/devices/add_worker_dialog.h"
#include "views/window/devices/devices_dialog.h"
#include "views/window/devices/predictors_dialog.h"
#include "views/window/dialogs/export_dialog.h"
#include "views/window/menus/column_menu.h"
#include "views/window/panels/compared_runs.h"
#include "views/window/panels/views.h"
#include "views/window/shell/controllers.h"
#include "views/window/shell/graph_editing.h"
#include "views/window/shell/main_window.h"
#include "views/window/shell/schedule_editor.h"

namespace iosx {
namespace {

constexpr int kPatience = 120000;  // ms for a search and a layout
constexpr std::array kSizes{QSize(1280, 800), QSize(1600, 1000), QSize(2560, 1440)};

// Where the pictures go, and which of them are wanted.
struct Album {
  QDir folder;
  QString only;  // part of a name; empty: all
  int failed = 0;

  template <typename Picture>
  void keep(const Picture& picture, const QString& name) {
    const QString path = folder.filePath(name + QStringLiteral(".png"));
    const bool saved = picture.save(path);
    failed += saved ? 0 : 1;
    std::printf("%s %s\n", saved ? "wrote" : "could not write", qPrintable(path));
    std::fflush(stdout);
  }
};

class Sitting {
 public:
  Sitting(DeviceRegistry& devices, Album& album, ThemeMode theme, const QSize& size)
      : devices_(devices),
        album_(album),
        settings_(folder_.filePath(QStringLiteral("settings.ini"))),
        session_(devices),
        jobs_(session_, [](const std::string& source, const InputSizes& sizes) { return open_graph(source, sizes); }),
        mark_(markOf(theme, size)) {
    settings_.setThemeMode(theme);
    RunSettings run = session_.settings();
    run.device = "tesla-v100";
    session_.setSettings(run);
    window_ = std::make_unique<MainWindow>(session_, jobs_, controllers_, settings_, false);
    window_->resize(size);
    window_->show();
    window_->activateWindow();
    (void)QTest::qWaitForWindowExposed(window_.get());
  }

  // False where none of its pictures is wanted.
  static bool wanted(const QString& only, ThemeMode theme, const QSize& size) {
    const QStringList scenes{QStringLiteral("start"),
                             QStringLiteral("explore"),
                             QStringLiteral("column"),
                             QStringLiteral("column-signed"),
                             QStringLiteral("compare-tab4"),
                             QStringLiteral("networks"),
                             QStringLiteral("networks-turn"),
                             QStringLiteral("networks-stages"),
                             QStringLiteral("edit-graph"),
                             QStringLiteral("drawer"),
                             QStringLiteral("edit-schedule"),
                             QStringLiteral("edit-lanes"),
                             QStringLiteral("edit-lanes-drag"),
                             QStringLiteral("compare"),
                             QStringLiteral("export"),
                             QStringLiteral("detector"),
                             QStringLiteral("race"),
                             QStringLiteral("devices"),
                             QStringLiteral("devices-working"),
                             QStringLiteral("devices-ssh"),
                             QStringLiteral("devices-add"),
                             QStringLiteral("devices-box"),
                             QStringLiteral("predictors"),
                             QStringLiteral("predictors-ask"),
                             QStringLiteral("predictors-train"),
                             QStringLiteral("h200"),
                             QStringLiteral("h200-lanes"),
                             QStringLiteral("lanes"),
                             QStringLiteral("lanes-wait"),
                             QStringLiteral("lanes-front"),
                             QStringLiteral("lanes-compare"),
                             QStringLiteral("compare-seven"),
                             QStringLiteral("compare-two"),
                             QStringLiteral("compare-measured")};
    return std::any_of(scenes.begin(), scenes.end(), [&](const QString& scene) {
      return (scene + QLatin1Char('-') + markOf(theme, size)).contains(only);
    });
  }

  // The pictures of the guide in the program's help: of few colours, so that they are small.
  void takeGuideToDrawing() {
    open(QStringLiteral("sample"));
    if (!press(Qt::Key_2, Qt::ControlModifier)) return;
    GraphController& controller = window_->graphEditing().controller();
    controller.reveal(*controller.graph().find_operator("sample.conv_b"));
    takePage(QStringLiteral("draw-sample"));
    controller.resize(SweepParameter::kKernel, QStringLiteral("sample.conv_b"), 5);
    takePage(QStringLiteral("draw-kernel"));
  }
  void takeGuideToSchedules() {
    open(QStringLiteral("sample"));
    press(Qt::Key_3, Qt::ControlModifier);
    ScheduleController& board = window_->editor().controller();
    board.copy({session_.runId(), session_.comparison()->find(ScheduleKind::kSequential)->id});
    board.beginOneByOne();
    board.take(QStringLiteral("Move conv_b"), board.draft()->joined(0));
    board.take(QStringLiteral("Lock stage 1"), board.draft()->with_lock(0, true));
    takePage(QStringLiteral("schedule-board"));
    press(Qt::Key_1, Qt::ControlModifier);
    if (auto* dock = window_->findChild<QDockWidget*>(QStringLiteral("sweep"))) dock->raise();
    (void)QTest::qWaitFor(
        [this] {
          const auto* state = window_->findChild<QLabel*>(QStringLiteral("sweep-state"));
          return state != nullptr && state->text().isEmpty();
        },
        kPatience);
    if (auto* slider = window_->findChild<QSlider*>(QStringLiteral("sweep-slider"))) slider->setValue(3);
    takePage(QStringLiteral("schedule-what-if"));
  }

  void takeGuideToStages() {
    optimizeOnH200(QStringLiteral("parallel_vit_s16"));
    goToWaiting();
    takePage(QStringLiteral("stages-lanes"));
  }

  // Of recordings that only some checkouts have: of a recommender, and of a training step with two branches.
  void takeGuideToRecordings() {
    takeRecording(QStringLiteral("public/dlrm_rank0"), {}, 0, QStringLiteral("recording"));
    takeRecording(QStringLiteral("pairs/train"), 0.2, 1, QStringLiteral("recording-train"));
  }
  void takeRecording(const QString& name, std::optional<double> share, int tab, const QString& page) {
    const QString stem = QStringLiteral("../shared/reference/recordings/") + name;
    const QString file = stem + QStringLiteral(".trace.json.gz");
    if (!QFile::exists(file)) return void(std::printf("no recording: left out\n"));
    jobs_.openRecording(file, {.with = {(stem + QStringLiteral(".et.json.gz")).toStdString()}, .share = share});
    const auto shown = [&] {
      return session_.shownRecording() != nullptr && session_.shownRecording()->file == file.toStdString();
    };
    (void)QTest::qWaitFor(shown, kPatience);
    if (auto* tabs = window_->findChild<QTabWidget*>(QStringLiteral("recording-tabs"))) tabs->setCurrentIndex(tab);
    takePage(page);
  }

  void takeAll() {
    open(QStringLiteral("sample"));
    take(QStringLiteral("start"));
    open(QStringLiteral("inception_v3"));
    optimize();
    selectRow("stages-table", 0);  // the stage that saves most
    const bool modes = press(Qt::Key_1, Qt::ControlModifier);
    take(QStringLiteral("explore"));
    takeDrawer();
    takeColumns();
    if (modes) takeModes();
    take(QStringLiteral("export"), [this] {
      const auto figure = window_->views().figure(FigureKind::kTimeline);
      if (!figure) return;
      ExportDialog dialog(*figure, {.paper = PaperFormat{}}, window_.get());
      dialog.show();
      refine();
      album_.keep(dialog.grab(), name(QStringLiteral("export")));
    });
    if (const auto rivals = rivals_of(session_.comparison(), session_.activeSchedule());
        rivals && wanted(QStringLiteral("race"))) {
      const Race race(*rivals);
      album_.keep(race.frame(race.end() / 2), name(QStringLiteral("race")));
    }
    if (wanted(QStringLiteral("detector"))) {
      open(QStringLiteral("yolox_s"));
      optimize();
      take(QStringLiteral("detector"));
    }
    takeNetworks();
    takeLanes();
    takeDevices();
    takePredictors();
    // What a GPU measured, opened from its file, whose settings stay.
    for (const auto& [run, picture] : {std::pair("sample", "h200"), std::pair("nasnet", "h200-lanes")}) {
      if (!wanted(QString::fromLatin1(picture))) continue;
      open(QStringLiteral("gpu/bench/measured/2026-11-26/h200-%1.iosrun").arg(QString::fromLatin1(run)));
      take(QString::fromLatin1(picture));
    }
    if (!wanted(QStringLiteral("compare-measured"))) return;
    session_.editor().setAllCompared({}, std::nullopt);
    if (!wanted(QStringLiteral("h200-lanes"))) open(QStringLiteral("gpu/bench/measured/2026-11-26/h200-nasnet.iosrun"));
    if (!press(Qt::Key_4, Qt::ControlModifier)) return;
    window_->views().compared()->page()->findChild<QTabWidget*>()->setCurrentIndex(0);
    take(QStringLiteral("compare-measured"));
  }

 private:
  static QString markOf(ThemeMode theme, const QSize& size) {
    return QStringLiteral("%1-%2x%3")
        .arg(theme == ThemeMode::kDark ? QStringLiteral("dark") : QStringLiteral("light"))
        .arg(size.width())
        .arg(size.height());
  }

  void takePage(const QString& page) {
    refine();
    QTest::qWait(1500);  // what an edit costs is searched a moment after it
    refine();
    window_->messages().dismiss();
    QTest::qWait(100);
    album_.keep(of_few_colours(window_->grab().toImage()), QStringLiteral("guide-") + page);
  }

  void optimizeOnH200(const QString& network) {
    RunSettings run = session_.settings();
    run.device = "h200";
    run.options.batch = 1;
    session_.setSettings(run);
    open(network);
    optimize();
  }

  // Two networks on one device: one after another, and as the search has them.
  void takeNetworks() {
    if (!wanted(QStringLiteral("networks")) && !wanted(QStringLiteral("networks-turn")) &&
        !wanted(QStringLiteral("networks-stages"))) {
      return;
    }
    const RunSettings before = session_.settings();
    optimizeOnH200(QStringLiteral("squeezenet+googlenet"));
    take(QStringLiteral("networks"));
    session_.setActiveSchedule(session_.comparison()->find(ScheduleKind::kSequential)->id);
    take(QStringLiteral("networks-turn"));
    session_.setActiveSchedule(session_.comparison()->find(ScheduleKind::kIosBoth)->id);
    take(QStringLiteral("networks-stages"));
    session_.setSettings(before);
  }

  // Selects a kernel of the shown run that waits for several others, in the middle of it, and zooms there.
  void goToWaiting() {
    TimelineView* timeline = window_->views().timeline();
    const auto active = timeline->tracks().active();
    if (!active) return;
    const ScheduleResult& result = timeline->tracks().tracks()[*active].schedule();
    const std::vector<KernelSpan>& spans = result.trace.kernels;
    const auto waits = [&](const KernelSpan& span) { return result.plan.kernel(span.kernel).waits.size() > 1; };
    const auto found = std::find_if(spans.begin() + static_cast<std::ptrdiff_t>(spans.size() / 2), spans.end(), waits);
    if (found == spans.end()) return std::printf("no kernel waits for several\n"), void();
    timeline->goTo({*active, static_cast<std::size_t>(found - spans.begin())});
    timeline->fitSelection();
    for (int i = 0; i < 9; ++i) QTest::keyClick(timeline, Qt::Key_S);
    refine();
  }

  // A network whose stages cost: its lanes whole, a kernel that waits, the middle of the run, and beside its stages.
  void takeLanes() {
    if (!wanted(QStringLiteral("lanes")) && !album_.only.contains(QStringLiteral("lanes"))) return;
    optimizeOnH200(QStringLiteral("parallel_vit_s16"));
    take(QStringLiteral("lanes"));
    goToWaiting();
    take(QStringLiteral("lanes-wait"));
    TimelineView* timeline = window_->views().timeline();
    timeline->fitAll();
    QTest::keyClick(timeline, Qt::Key_Escape);
    const QPoint middle(static_cast<int>((timeline->axis().left + timeline->axis().right()) / 2), 8);  // of the ruler
    QTest::mouseClick(timeline->viewport(), Qt::LeftButton, {}, middle);
    take(QStringLiteral("lanes-front"));
    QTest::keyClick(timeline, Qt::Key_Escape);
    const Comparison& comparison = *session_.comparison();
    const ScheduleResult& shown = comparison.results[session_.activeSchedule()];
    for (const ScheduleResult* each : {comparison.staged(shown), &shown}) {
      if (each != nullptr) session_.editor().setCompared({session_.runId(), each->id}, true);
    }
    if (press(Qt::Key_4, Qt::ControlModifier)) take(QStringLiteral("lanes-compare"));
    press(Qt::Key_1, Qt::ControlModifier);
  }

  // The predictors of the folder that IOS_PREDICTORS names; and how one is trained from the store that IOS_OPERATORS
  // names.
  void takePredictors() {
    const std::array scenes{QStringLiteral("predictors"), QStringLiteral("predictors-ask"),
                            QStringLiteral("predictors-train")};
    if (std::ranges::none_of(scenes, [this](const QString& scene) { return wanted(scene); })) return;
    const StorePlace before = jobs_.store();
    jobs_.setStore({.kept = true, .file = qEnvironmentVariable("IOS_OPERATORS").toStdString()});
    const QString folder = qEnvironmentVariable("IOS_PREDICTORS");
    const auto own = predictor_folder();
    std::error_code error;
    if (!folder.isEmpty() && own) {
      std::filesystem::create_directories(*own, error);
      std::filesystem::copy(folder.toStdString(), *own, error);
    }
    window_->actionsOfWindow()["predictors"]->trigger();
    auto* dialog = window_->findChild<PredictorsDialog*>();
    auto* table = dialog->findChild<QTableView*>(QStringLiteral("predictors-table"));
    const auto predicted = [table] {
      const QAbstractItemModel& rows = *table->model();
      for (int row = 0; row < rows.rowCount(); ++row) {
        if (rows.index(row, rows.columnCount() - 1).data().toString() == QStringLiteral("…")) return false;
      }
      return true;
    };
    (void)QTest::qWaitFor(predicted, kPatience);
    album_.keep(dialog->grab(), name(scenes[0]));
    const auto child = [](QWidget* of, const char* called) {
      return of->findChild<QPushButton*>(QString::fromLatin1(called));
    };
    child(dialog, "predictors-train")->click();
    auto* train = dialog->findChild<TrainDialog*>();
    const auto* const said = train->findChild<QLabel*>(QStringLiteral("train-said"));
    (void)QTest::qWaitFor([said, reading = said->text()] { return said->text() != reading; }, kPatience);
    album_.keep(train->grab(), name(scenes[1]));
    const bool possible = child(train, "train")->isEnabled();
    possible ? child(train, "train")->click() : train->reject();
    if (possible) {
      (void)QTest::qWaitFor([&] { return dialog->findChild<QProgressBar*>()->maximum() > 0; }, kPatience);
      album_.keep(dialog->grab(), name(scenes[2]));
      child(dialog, "predictors-cancel")->click();
      (void)QTest::qWaitFor([this] { return !jobs_.busy(); }, kPatience);
    }
    dialog->reject();
    jobs_.setStore(before);
  }

  // Workers that are made up, by programs of ours in the place of ssh and srun: what they say, one that is refused, and
  // one that is not added yet.
  void takeDevices() {
    const std::array scenes{QStringLiteral("devices"), QStringLiteral("devices-working"), QStringLiteral("devices-ssh"),
                            QStringLiteral("devices-add"), QStringLiteral("devices-box")};
    if (std::ranges::none_of(scenes, [this](const QString& scene) { return wanted(scene); })) return;
    const auto hello = [this](const char* id, const char* name, const char* host, int cores, double load) {
      wire::Hello hello{.program = IOSX_VERSION, .device = devices_.find("h200")->info, .host = host};
      hello.device.id = id;
      hello.device.name = name;
      hello.device.fingerprint = name;
      hello.device.origin = Origin::kMeasured;
      hello.device.grade = {};
      hello.cores = cores;
      hello.load = load;
      return hello;
    };
    const wire::Hello gpu = hello("gpu", "Made-up GPU", "node1", 64, 0.3);
    const wire::Hello cpu = hello("cpu", "Made-up processor, 32 cores", "node3", 32, 1.2);
    makeProgram("ssh",
                "case $5 in\nnode3) echo '" + to_line(cpu) +
                    "'; exec cat > /dev/null;;\n*) echo \"ssh: connect to host $5 port 22: Connection timed out\" >&2; "
                    "exit 255;;\nesac\n");
    makeProgram("srun", "echo '" + to_line(gpu) + "'; exec cat > /dev/null\n");
    WorkerList list;
    const WorkerCommand slurm = *slurm_workers("--exclusive --gres=gpu:1", {"iosx", "gpu", 4});
    const WorkerCommand ssh = *ssh_workers("node2", {"/opt/ios-explorer/bin/iosx", "gpu"});
    list.devices.push_back({"gpu@node1", {slurm, ssh}, known_of(gpu), "node1"});
    list.devices.push_back({"cpu@node3", {*ssh_workers("node3", {"iosx", "cpu"})}, known_of(cpu), "node3"});
    const auto file = worker_list_file();
    if (!file || !write_worker_list(*file, list))
      return void(std::printf("the list of workers could not be written\n"));
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", folder_.path().toLocal8Bit() + ':' + path);
    window_->actionsOfWindow()["devices"]->trigger();
    auto* dialog = window_->findChild<DevicesDialog*>();
    const auto asked = [dialog] {
      return std::ranges::none_of(dialog->rows(),
                                  [](const WorkerRow& row) { return row.state == WorkerState::kAsking; });
    };
    (void)QTest::qWaitFor(asked, kPatience);
    if (auto* table = dialog->findChild<QTableView*>()) table->selectRow(1);
    if (wanted(QStringLiteral("devices"))) album_.keep(dialog->grab(), name(QStringLiteral("devices")));
    if (wanted(QStringLiteral("devices-working"))) takeWorking(*dialog, slurm.command, ssh.command);
    dialog->findChild<QPushButton*>(QStringLiteral("devices-add"))->click();
    auto* adding = dialog->findChild<AddWorkerDialog*>();
    adding->findChild<QLineEdit*>(QStringLiteral("ssh-host"))->setText(QStringLiteral("me@node5"));
    for (const auto& [tab, scene] : {std::pair(0, "devices-ssh"), std::pair(1, "devices-add")}) {
      adding->findChild<QTabWidget*>()->setCurrentIndex(tab);
      adding->findChild<QPushButton*>(QStringLiteral("worker-test"))->click();
      (void)QTest::qWaitFor([adding] { return adding->findChild<QTabWidget*>()->isEnabled(); }, kPatience);
      if (wanted(QString::fromLatin1(scene))) album_.keep(adding->grab(), name(QString::fromLatin1(scene)));
    }
    adding->reject();
    dialog->reject();
    qputenv("PATH", path);
    auto* box = window_->findChild<QComboBox*>(QStringLiteral("device"));
    box->showPopup();
    QTest::qWait(300);
    if (wanted(QStringLiteral("devices-box")))
      album_.keep(box->view()->window()->grab(), name(QStringLiteral("devices-box")));
    box->hidePopup();
    (void)write_worker_list(*file, {});  // what comes after these knows none of them
    (void)controllers_.workers.read();
  }

  // Workers of a search.
  void takeWorking(DevicesDialog& dialog, const std::string& slurm, const std::string& ssh) {
    const std::vector<WorkerBoard::Place> places{
        board_->add({"gpu@node1", slurm, 1, WorkerActivity::kMeasuring, 341, 12, 0}),
        board_->add({"gpu@node1", slurm, 2, WorkerActivity::kMeasuring, 338, 9, 0}),
        board_->add({"gpu@node1", slurm, 3, WorkerActivity::kWaiting, 207, 16, 1}),
        board_->add({"gpu@node1", slurm, 4, WorkerActivity::kStarting}),
        board_->add({"gpu@node1", ssh, 5, WorkerActivity::kLeftAside, 0, 0, 5})};
    if (auto* table = dialog.findChild<QTableView*>()) {
      table->clearSelection();
      table->selectRow(0);
    }
    QTest::qWait(1500);  // the dialog looks every second
    album_.keep(dialog.grab(), name(QStringLiteral("devices-working")));
    for (const WorkerBoard::Place place : places) board_->remove(place);
  }

  void makeProgram(const char* name, const std::string& lines) {
    QFile program(folder_.filePath(QString::fromLatin1(name)));
    if (!program.open(QIODevice::WriteOnly)) return;
    program.write("#!/bin/sh\n" + QByteArray::fromStdString(lines));
    program.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  }

  // Every tab of it.
  void takeDrawer() {
    for (const char* tab : {"stages", "schedules", "search", "timeline"}) {
      if (auto* dock = window_->findChild<QDockWidget*>(QString::fromLatin1(tab))) dock->raise();
      if (tab != std::string_view("timeline")) take(QStringLiteral("drawer-") + QLatin1String(tab));
    }
  }

  // Units coloured by made-up tables: of one sign, and of both, with units that they lack.
  void takeColumns() {
    if (!wanted(QStringLiteral("column")) && !wanted(QStringLiteral("column-signed"))) return;
    const Graph& graph = *session_.document().graph;
    for (const bool both : {false, true}) {
      QFile file(folder_.filePath(QStringLiteral("made_up.csv")));
      if (!file.open(QIODevice::WriteOnly)) return;
      file.write(both ? "name,change of the error\n" : "name,energy (mJ)\n");
      for (std::size_t u = 0; u < graph.units().size(); ++u) {
        if (u % 7 == 3) continue;
        const double value = both ? std::sin(0.37 * static_cast<double>(u)) : 0.2 + static_cast<double>(u * 37 % 101);
        file.write(QByteArray::fromStdString(graph.units()[u].name) + ',' + QByteArray::number(value) + '\n');
      }
      file.close();
      window_->columns().read(file.fileName());
      refine();
      take(both ? QStringLiteral("column-signed") : QStringLiteral("column"));
      window_->messages().dismiss();
    }
    window_->views().graph()->setOverlay(canvas::Overlay::kNone);
  }

  // A second run, so that there is something to compare.
  void takeModes() {
    RunSettings run = session_.settings();
    run.options.batch = 32;
    session_.setSettings(run);
    optimize();
    const std::array<std::pair<Qt::Key, const char*>, 3> modes{
        {{Qt::Key_2, "edit-graph"}, {Qt::Key_3, "edit-schedule"}, {Qt::Key_4, "compare"}}};
    for (const auto& [key, mode] : modes) {
      if (mode == QLatin1String("compare")) takeOneRun();
      if (mode == QLatin1String("compare")) pickRuns();
      if (press(key, Qt::ControlModifier)) take(QString::fromLatin1(mode));
      if (mode == QLatin1String("edit-schedule")) takeEditedLanes();
    }
    takeTabs();
    press(Qt::Key_1, Qt::ControlModifier);
  }

  // Lanes without barriers, and one of their kernels while it is dragged to another lane.
  void takeEditedLanes() {
    if (!wanted(QStringLiteral("edit-lanes")) && !wanted(QStringLiteral("edit-lanes-drag"))) return;
    ScheduleController& controller = window_->editor().controller();
    const ScheduleResult* flow = session_.comparison()->find(ScheduleKind::kIosFlow);
    if (flow == nullptr || !flow->lanes) return void(std::printf("no lanes to edit\n"));
    controller.copy({session_.runId(), flow->id});
    LaneBoard& board = *window_->editor().page()->laneBoard();
    const std::vector<KernelId>& row = controller.lanes()->rows().back();
    const KernelId kernel = row[row.size() / 3];
    board.selectKernel(kernel);
    board.reveal(kernel);
    take(QStringLiteral("edit-lanes"));
    const QPoint from = board.rectOf(kernel).center();
    const LaneDraft::Reach reach = controller.lanes()->where_may(kernel).front();
    const QPoint to = board.pointOf(kernel, {0, reach.first});
    QTest::mousePress(board.viewport(), Qt::LeftButton, {}, from);
    for (int i = 1; i <= 4; ++i) {
      const QPoint at = from + (to - from) * i / 4;
      QMouseEvent event(QEvent::MouseMove, at, board.viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
      QApplication::sendEvent(board.viewport(), &event);
    }
    (void)QTest::qWaitFor([&] { return !controller.laneCosts().findsPlaces(); }, kPatience);
    take(QStringLiteral("edit-lanes-drag"));
    QTest::keyClick(&board, Qt::Key_Escape);
    QTest::mouseRelease(board.viewport(), Qt::LeftButton, {}, to);
  }

  // All schedules of the shown run, and two of them.
  void takeOneRun() {
    if (!press(Qt::Key_4, Qt::ControlModifier)) return;
    take(QStringLiteral("compare-seven"));
    for (const ScheduleKind kind : {ScheduleKind::kSequential, ScheduleKind::kIosBoth}) {
      session_.editor().setCompared({session_.runId(), session_.comparison()->find(kind)->id}, true);
    }
    take(QStringLiteral("compare-two"));
    session_.editor().setAllCompared({}, std::nullopt);
    press(Qt::Key_1, Qt::ControlModifier);
  }

  // The schedules of both runs that people look at, and what somebody else's programs took.
  void pickRuns() {
    for (const WorkspaceRun* run : session_.workspace().runs_of(session_.networkId())) {
      for (const ScheduleResult& result : run->run->comparison.results) {
        const bool shown =
            result.schedule_kind == ScheduleKind::kSequential || result.schedule_kind == ScheduleKind::kIosBoth;
        if (shown) session_.editor().setCompared({run->id, result.id}, true);
      }
    }
    QFile file(folder_.filePath(QStringLiteral("engines.csv")));
    if (!file.open(QIODevice::WriteOnly)) return;
    // No numbers of anybody's.
    file.write("framework,latency_ms\nmade up A,3.31\nmade up A,3.35\nmade up A,3.29\nmade up B,5.94\n");
    file.close();
    window_->open(file.fileName());
    refine();
    window_->messages().dismiss();
  }

  // Of the page that compares.
  void takeTabs() {
    auto* tabs = window_->views().compared()->page()->findChild<QTabWidget*>();
    if (tabs == nullptr) return;
    QFile file(folder_.filePath(QStringLiteral("runs.csv")));
    if (!file.open(QIODevice::WriteOnly)) return;
    file.write("framework,latency_ms\n");  // no numbers of anybody's
    for (const auto& [name, least, runs] : {std::tuple("made up C", 3.4, 400), std::tuple("made up D", 4.1, 45)}) {
      for (int i = 0; i < runs; ++i) {
        const double share = (i * 37 % runs + 0.5) / runs;
        file.write(QStringLiteral("%1,%2\n").arg(QLatin1String(name)).arg(least - 0.15 * std::log(1 - share)).toUtf8());
      }
    }
    file.close();
    window_->open(file.fileName());
    refine();
    window_->messages().dismiss();
    for (int tab = 0; tab < tabs->count(); ++tab) {
      tabs->setCurrentIndex(tab);
      take(QStringLiteral("compare-tab%1").arg(tab + 1));
    }
    if (!wanted(QStringLiteral("experiments"))) return;
    jobs_.experiment({.kind = ExperimentKind::kBatches, .options = {.batches = {1, 16, 32}}});
    refine();
    for (QDialog* dialog : window_->findChildren<QDialog*>()) dialog->close();
    window_->actionsOfWindow()["show-experiments"]->trigger();
    take(QStringLiteral("experiments"));
    window_->findChild<QDockWidget*>(QStringLiteral("timeline"))->raise();
  }

  bool wanted(const QString& scene) const { return album_.only.isEmpty() || name(scene).contains(album_.only); }
  QString name(const QString& scene) const { return scene + QLatin1Char('-') + mark_; }

  void take(const QString& scene, const std::function<void()>& how = {}) {
    if (!wanted(scene)) return;
    refine();
    if (how) return how();
    album_.keep(window_->grab(), name(scene));
  }

  // Nothing runs, nothing is laid out, everything is painted.
  void refine() {
    const CanvasPair& pair = *window_->views().compared()->page()->canvases();
    const auto quiet = [&] {
      return !jobs_.busy() && !window_->views().graph()->layoutPending() && !pair.canvasA()->layoutPending() &&
             !pair.canvasB()->layoutPending();
    };
    if (!QTest::qWaitFor(quiet, kPatience)) std::printf("%s: still busy\n", qPrintable(mark_));
    QTest::qWait(300);
  }

  void open(const QString& network) {
    window_->open(network);
    refine();
  }

  void optimize() {
    jobs_.optimize();
    refine();
  }

  // False where no action of the window has these keys.
  bool press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    const QKeySequence keys(static_cast<int>(modifiers) | key);
    const auto actions = window_->findChildren<QAction*>();
    const bool known = std::any_of(actions.begin(), actions.end(),
                                   [&](const QAction* action) { return action->shortcuts().contains(keys); });
    if (known) {
      window_->activateWindow();  // a dialog that was closed gives the focus back only where windows are managed
      (void)QTest::qWaitForWindowActive(window_.get());
      QTest::keyClick(window_.get(), key, modifiers);
    } else {
      std::printf("no action has %s\n", qPrintable(keys.toString()));
    }
    refine();
    return known;
  }

  void selectRow(const char* table, int row) {
    if (auto* view = window_->findChild<QTableView*>(QString::fromLatin1(table))) view->selectRow(row);
    refine();
  }

  DeviceRegistry& devices_;
  Album& album_;
  QTemporaryDir folder_;
  Settings settings_;
  Session session_;
  Jobs jobs_;
  std::shared_ptr<WorkerBoard> board_ = std::make_shared<WorkerBoard>();
  Controllers controllers_{devices_, session_, jobs_, board_};
  std::unique_ptr<MainWindow> window_;
  QString mark_;
};

}  // namespace
}  // namespace iosx

int main(int argc, char** argv) {
  const QTemporaryDir data;  // nothing of the user's own is touched
  qputenv("XDG_DATA_HOME", data.path().toLocal8Bit());
  qputenv("XDG_CONFIG_HOME", data.path().toLocal8Bit());
  QApplication application(argc, argv);
  QApplication::setApplicationName(QStringLiteral("ios-explorer"));
  QApplication::setApplicationDisplayName(QStringLiteral("IOS Explorer"));
  QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/ios-explorer.svg")));
  const QStringList words = QApplication::arguments();
  const auto option = [&words](const char* name) {
    const auto at = words.indexOf(QString::fromLatin1(name));
    return at > 1 && at + 1 < words.size() ? words[at + 1] : QString();
  };
  const auto language = iosx::language_of(option("--language"));
  const QStringList sides = option("--size").split(QLatin1Char('x'));
  if (words.size() < 2 || words.size() % 2 != 0 || !QDir().mkpath(words[1])) {
    std::fputs("usage: screenshots FOLDER [--only TEXT] [--language zh_CN] [--size 1070x630]\n", stderr);
    return 2;
  }
  iosx::Languages languages;
  languages.use(language.value_or(iosx::LanguageMode::kEnglish));
  iosx::Album album{.folder = QDir(words[1]), .only = option("--only")};
  iosx::DeviceRegistry devices;
  iosx::add_all_devices(devices);
  if (album.only == QStringLiteral("guide")) {
    iosx::Sitting(devices, album, iosx::ThemeMode::kLight, iosx::kSizes.front()).takeGuideToDrawing();
    iosx::Sitting(devices, album, iosx::ThemeMode::kLight, iosx::kSizes.front()).takeGuideToSchedules();
    iosx::Sitting(devices, album, iosx::ThemeMode::kLight, iosx::kSizes.front()).takeGuideToStages();
    iosx::Sitting(devices, album, iosx::ThemeMode::kLight, iosx::kSizes.front()).takeGuideToRecordings();
    return album.failed == 0 ? 0 : 1;
  }
  for (const iosx::ThemeMode theme : {iosx::ThemeMode::kLight, iosx::ThemeMode::kDark}) {
    std::vector<QSize> sizes(iosx::kSizes.begin(), iosx::kSizes.end());
    if (sides.size() == 2) sizes = {QSize(sides[0].toInt(), sides[1].toInt())};
    for (const QSize& size : sizes) {
      if (iosx::Sitting::wanted(album.only, theme, size)) iosx::Sitting(devices, album, theme, size).takeAll();
    }
  }
  return album.failed == 0 ? 0 : 1;
}
