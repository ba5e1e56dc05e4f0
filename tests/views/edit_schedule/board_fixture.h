#pragma once

#include "models/devices/simulated_devices.h"
#include "models/networks/zoo.h"
#include "tests/support/fake_devices.h"
#include "tests/support/graphs.h"
#include "tests/support/prelude.h"
#include "tests/views/app_model/wait.h"
#include "views/app_model/jobs.h"
#include "views/app_model/session.h"
#include "views/edit_schedule/schedule_controller.h"
#include "views/edit_schedule/stage_board.h"

namespace iosx::test {

// A stage board over a session whose network was compared on a simulated V100.
class BoardFixture : public testing::Test {
 protected:
  BoardFixture() {
    add_simulated_devices(devices_);
    devices_.add({ScriptedDevice::make_info(ScriptedKind::kComputer),
                  [behaviour = behaviour_]() -> Result<std::unique_ptr<Device>> {
                    return std::make_unique<ScriptedDevice>(behaviour, ScriptedKind::kComputer);
                  },
                  {}});
    session_ = std::make_unique<Session>(devices_);
    test::set(*session_, [](RunSettings& settings) { settings.device = "tesla-v100"; });
    jobs_ = std::make_unique<Jobs>(*session_, [](const std::string& source, const InputSizes&) -> Result<Document> {
      auto graph = source == "two_parts" ? Result<Graph>(two_parts()) : zoo_network(source);
      if (!graph) return tl::unexpected<Error>(graph.error());
      return Document{std::make_shared<const Graph>(std::move(*graph)), {}};
    });
    controller_ = std::make_unique<ScheduleController>(*session_, *jobs_);
    board_ = std::make_unique<StageBoard>(*controller_);
    board_->setSelectionModel(&selection_);
    board_->resize(1400, 360);
    board_->show();
    QObject::connect(controller_.get(), &ScheduleController::refused, [this](const QString& why) { refused_ = why; });
    QObject::connect(controller_.get(), &ScheduleController::told,
                     [this](const QString& sentence) { told_ = sentence; });
  }

  void idle() {
    ASSERT_TRUE(wait_until([this] { return !jobs_->busy(); }, 120000));
    QCoreApplication::processEvents();
  }
  void optimize() {
    jobs_->optimize();
    idle();
  }
  // Opens and compares the network, with a copy of its schedule of that kind on the board.
  void open(const char* network, ScheduleKind schedule_kind = ScheduleKind::kOneByOne) {
    RunSettings settings = session_->settings();
    settings.options.schedule_kinds = made_schedule_kinds();
    settings.options.schedule_kinds.push_back(ScheduleKind::kOneByOne);
    session_->setSettings(std::move(settings));
    jobs_->open(QString::fromLatin1(network));
    idle();
    if (!session_->searched()) {
      jobs_->optimize();
      idle();
    }
    ASSERT_NE(session_->comparison(), nullptr);
    controller_->copy({session_->runId(), session_->comparison()->find(schedule_kind)->id});
    QCoreApplication::processEvents();
  }
  const ScheduleResult& result(ScheduleKind schedule_kind) const {
    return *session_->comparison()->find(schedule_kind);
  }
  const ScheduleDraft& draft() const { return *controller_->draft(); }
  std::size_t stages() const { return draft().schedule().stages.size(); }
  // By the end of its name.
  UnitId unit(const std::string& name) const {
    const auto units = draft().graph().units();
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (units[i].name.ends_with(name)) return UnitId(i);
    }
    ADD_FAILURE() << "no unit " << name;
    return UnitId(0);
  }
  std::size_t stage_of(const std::string& name) const { return draft().stage_of(unit(name)); }

  QPoint chip(const std::string& name) const { return board_->rectOf(unit(name)).center(); }
  QPoint header(std::size_t stage) const { return board_->rectOf(board::Piece{stage}).center(); }
  // Below the lanes of a stage: a new lane.
  QPoint below(std::size_t stage) const {
    const board::Column& column = board_->layoutShown().columns[stage];
    const QRect last = board_->rectOf(board::Piece{stage, column.lanes.size() - 1});
    return {last.center().x(), last.bottom() + 12};
  }
  QPoint gap(std::size_t stage) const { return board_->gapRect(stage).center(); }

  void press(const QPoint& at, Qt::KeyboardModifiers held = {}) {
    QTest::mousePress(board_->viewport(), Qt::LeftButton, held, at);
  }
  // In steps, like a hand.
  void drag(const QPoint& from, const QPoint& to) {
    for (int i = 1; i <= 4; ++i) move(from + (to - from) * i / 4);
  }
  void move(const QPoint& at) {
    QMouseEvent event(QEvent::MouseMove, at, board_->viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
    QApplication::sendEvent(board_->viewport(), &event);
  }
  void release(const QPoint& at, Qt::KeyboardModifiers held = {}) {
    QTest::mouseRelease(board_->viewport(), Qt::LeftButton, held, at);
  }
  void dragAndDrop(const QPoint& from, const QPoint& to) {
    press(from);
    drag(from, to);
    release(to);
  }
  void click(const QPoint& at, Qt::KeyboardModifiers held = {}) {
    QTest::mouseClick(board_->viewport(), Qt::LeftButton, held, at);
  }
  void key(int key, Qt::KeyboardModifiers held = {}) { QTest::keyClick(board_.get(), static_cast<Qt::Key>(key), held); }

  std::shared_ptr<ScriptedBehaviour> behaviour_ = std::make_shared<ScriptedBehaviour>();
  DeviceRegistry devices_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<Jobs> jobs_;
  SelectionModel selection_;
  std::unique_ptr<ScheduleController> controller_;
  std::unique_ptr<StageBoard> board_;
  QString refused_;
  QString told_;
};

}  // namespace iosx::test
