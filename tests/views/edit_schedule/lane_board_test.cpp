// The lane board under real mouse and key events.
#include "views/edit_schedule/lane_board.h"

#include "core/model/schedule/baselines.h"
#include "tests/views/edit_schedule/board_fixture.h"

namespace iosx {
namespace {

using Place = LaneDraft::Place;

class LaneBoardTest : public test::BoardFixture {
 protected:
  LaneBoardTest() {
    lane_board_ = std::make_unique<LaneBoard>(*controller_);
    lane_board_->setSelectionModel(&selection_);
    lane_board_->resize(1400, 360);
    lane_board_->show();
    QObject::connect(controller_.get(), &ScheduleController::lanesOpened, [this] { ++opened_; });
  }

  // The sample's five operators: a, d and the concatenation on the first lane, b and c on the second.
  ScheduleFile sample_lanes() {
    const auto graph = session_->document().graph;
    ScheduleFile file{.schedule = one_by_one_schedule(*graph), .lanes = LaneSchedule(), .notes = {}};
    file.schedule.name = "two lanes";
    const auto kernels = lane_kernels(graph, file.schedule, 1, session_->device()->lowering);
    for (std::size_t k = 0; k < kernels->needs.size(); ++k) {
      const std::string& name = kernels->staged.kernels[k].name;
      file.lanes->launches.push_back(
          {KernelId(k), name.ends_with("conv_b") || name.ends_with("conv_c") ? 1U : 0U, name});
    }
    return file;
  }
  void openSample() {
    open("sample");
    must(controller_->openLanes(sample_lanes()));
    settle();
  }
  // What the lanes take is known.
  void settle() {
    ASSERT_TRUE(test::wait_until([this] { return controller_->laneCosts().latency().has_value(); }));
    QCoreApplication::processEvents();
  }
  const LaneDraft& lanes() { return *controller_->lanes(); }
  LaneCosts& costs() { return controller_->laneCosts(); }
  KernelId kernel(const std::string& name) {
    for (std::size_t k = 0; k < lanes().kernels().needs.size(); ++k) {
      if (lanes().kernel(KernelId(k)).name.ends_with(name)) return KernelId(k);
    }
    ADD_FAILURE() << "no kernel " << name;
    return KernelId(0);
  }
  QPoint bar(const std::string& name) { return lane_board_->rectOf(kernel(name)).center(); }
  QPoint place(const std::string& name, std::size_t lane, std::size_t position) {
    return lane_board_->pointOf(kernel(name), {lane, position});
  }
  void pressBar(const QPoint& at) { QTest::mousePress(lane_board_->viewport(), Qt::LeftButton, {}, at); }
  void dragBar(const QPoint& from, const QPoint& to) {
    for (int i = 1; i <= 4; ++i) moveTo(from + (to - from) * i / 4);
  }
  void moveTo(const QPoint& at) {
    QMouseEvent event(QEvent::MouseMove, at, lane_board_->viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                      {});
    QApplication::sendEvent(lane_board_->viewport(), &event);
  }
  void releaseBar(const QPoint& at) { QTest::mouseRelease(lane_board_->viewport(), Qt::LeftButton, {}, at); }
  void laneKey(int key, Qt::KeyboardModifiers held = {}) {
    QTest::keyClick(lane_board_.get(), static_cast<Qt::Key>(key), held);
  }

  std::unique_ptr<LaneBoard> lane_board_;
  int opened_ = 0;
};

TEST_F(LaneBoardTest, BarsStandWhenTheirKernelsRun) {
  openSample();
  EXPECT_EQ(opened_, 1);
  EXPECT_EQ(controller_->draft(), nullptr) << "there are no stages to change";
  ASSERT_EQ(lanes().rows().size(), 2U);
  ASSERT_EQ(costs().timesAre(), LaneCosts::Times::kRun);
  EXPECT_EQ(costs().latency()->origin, Origin::kSimulated);
  for (std::size_t k = 0; k < costs().times().size(); ++k) {
    const KernelTime& time = costs().times()[k];
    const QRectF box = [&] {
      for (const lanes::Row& row : lane_board_->layoutShown().rows) {
        for (const lanes::Bar& each : row.bars) {
          if (each.kernel == KernelId(k)) return each.box;
        }
      }
      return QRectF();
    }();
    EXPECT_NEAR(box.left(), lanes::kHeaderWidth + time.begin.count() * lane_board_->scale(), 1e-6);
    EXPECT_NEAR(box.width(), std::max(lanes::kLeastBar, (time.end - time.begin).count() * lane_board_->scale()), 1e-6);
  }
}

TEST_F(LaneBoardTest, AKernelIsDraggedToAnotherLaneAndBackByUndo) {
  openSample();
  const LaneDraft start = lanes();
  const Millis before = costs().latency()->value;
  const KernelId b = kernel("conv_b");
  const QPoint to = place("conv_b", 2, 0);  // a lane of its own
  pressBar(bar("conv_b"));
  dragBar(bar("conv_b"), to);
  EXPECT_TRUE(lane_board_->dragging());
  EXPECT_TRUE(lane_board_->reason().isEmpty()) << lane_board_->reason().toStdString();
  ASSERT_TRUE(test::wait_until([this] { return !costs().findsPlaces(); }));
  const auto there = must(costs().at({2, 0}));
  EXPECT_TRUE(lane_board_->dropText().contains("simulated")) << lane_board_->dropText().toStdString();
  releaseBar(to);
  ASSERT_EQ(lanes().rows().size(), 3U);
  EXPECT_EQ(lanes().place_of(b), (Place{2, 0}));
  settle();
  EXPECT_EQ(costs().latency()->value, there) << "what was said at the drop";
  EXPECT_EQ(controller_->undoName(), "Move conv_b");
  controller_->undo();
  EXPECT_EQ(lanes(), start);
  settle();
  EXPECT_EQ(costs().latency()->value, before);
  controller_->redo();
  EXPECT_EQ(lanes().place_of(b), (Place{2, 0}));
}

TEST_F(LaneBoardTest, EveryAllowedPlaceSaysWhatItCosts) {
  openSample();
  for (std::size_t k = 0; k < lanes().kernels().needs.size(); ++k) {
    costs().findPlaces(KernelId(k));
    ASSERT_TRUE(test::wait_until([this] { return !costs().findsPlaces(); }));
    const auto reaches = lanes().where_may(KernelId(k));
    for (std::size_t lane = 0; lane < reaches.size(); ++lane) {
      for (std::size_t at = 0; at <= reaches[lane].last + 1; ++at)
        EXPECT_EQ(costs().at({lane, at}).has_value(), reaches[lane].allows(at)) << k << " to " << lane << ", " << at;
    }
    EXPECT_EQ(costs().at(lanes().place_of(KernelId(k))), costs().latency()->value) << "where it is";
  }
  costs().forgetPlaces();
  EXPECT_FALSE(costs().best().has_value());
}

TEST_F(LaneBoardTest, WhatANeedForbidsIsHatchedAndSaysWhich) {
  openSample();
  const LaneDraft start = lanes();
  // d needs a, and stands behind it.
  const QPoint front = place("conv_d", 0, 0);
  pressBar(bar("conv_d"));
  dragBar(bar("conv_d"), front);
  EXPECT_EQ(lane_board_->reason().toStdString(), "'sample.conv_d' needs 'sample.conv_a', which comes later on lane 1");
  EXPECT_EQ(lane_board_->dropText(), lane_board_->reason());
  const auto zones = lane_board_->forbiddenShown();
  ASSERT_FALSE(zones.empty());
  EXPECT_EQ(zones.front().label, "needs conv_a");
  EXPECT_TRUE(zones.front().box.contains(QPointF(front) + QPointF(2, 0)));
  // Everywhere: hatched is what is refused, and nothing else.
  const auto hatched = [&](const QPointF& at) {
    return std::ranges::any_of(zones, [&](const LaneBoard::Forbidden& zone) { return zone.box.contains(at); });
  };
  for (double y = lanes::kAxisHeight + 8; y < lane_board_->layoutShown().spare.top(); y += lanes::kRowHeight / 2) {
    for (double x = lanes::kHeaderWidth + 1; x < lane_board_->viewport()->width(); x += 7) {
      moveTo(QPoint(static_cast<int>(x), static_cast<int>(y)));
      const QPointF at(static_cast<int>(x), static_cast<int>(y));
      EXPECT_EQ(!lane_board_->reason().isEmpty(), hatched(at)) << x << ", " << y;
    }
  }
  moveTo(front);
  releaseBar(front);
  EXPECT_EQ(lanes(), start) << "a drop there does nothing";
  EXPECT_TRUE(lane_board_->forbiddenShown().empty());
}

TEST_F(LaneBoardTest, EscapeEndsADragAndNothingHasChanged) {
  openSample();
  const LaneDraft start = lanes();
  pressBar(bar("conv_b"));
  dragBar(bar("conv_b"), place("conv_b", 2, 0));
  ASSERT_TRUE(lane_board_->dragging());
  laneKey(Qt::Key_Escape);
  EXPECT_FALSE(lane_board_->dragging());
  releaseBar(place("conv_b", 2, 0));
  EXPECT_EQ(lanes(), start);
}

TEST_F(LaneBoardTest, EverythingGoesFromTheKeyboard) {
  openSample();
  const LaneDraft start = lanes();
  lane_board_->setFocus();
  laneKey(Qt::Key_Right);
  ASSERT_TRUE(lane_board_->cursor().has_value());
  EXPECT_EQ(*lane_board_->cursor(), start.rows()[0][0]);
  laneKey(Qt::Key_Right);
  EXPECT_EQ(*lane_board_->cursor(), start.rows()[0][1]);
  EXPECT_EQ(selection_.current().units, lanes().kernel(start.rows()[0][1]).units);
  laneKey(Qt::Key_Home);
  laneKey(Qt::Key_Down);
  EXPECT_EQ(lanes().place_of(*lane_board_->cursor()).lane, 1U);
  laneKey(Qt::Key_Home);
  const KernelId first = *lane_board_->cursor();
  laneKey(Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(lanes().place_of(first), (Place{1, 1})) << "later on its lane";
  laneKey(Qt::Key_Left, Qt::AltModifier);
  EXPECT_EQ(lanes(), start) << "and earlier again";
  laneKey(Qt::Key_Up, Qt::AltModifier);
  EXPECT_EQ(lanes().place_of(first).lane, 0U);
  laneKey(Qt::Key_N);
  EXPECT_EQ(lanes().rows()[lanes().place_of(first).lane].size(), 1U);
  // a cannot come after what needs it.
  controller_->undo();
  controller_->undo();
  refused_.clear();
  lane_board_->selectKernel(kernel("conv_a"));
  laneKey(Qt::Key_Right, Qt::AltModifier);
  EXPECT_EQ(refused_.toStdString(), "'sample.conv_a' is needed by 'sample.conv_d', which comes earlier on lane 1");
  EXPECT_EQ(lanes().place_of(kernel("conv_a")), start.place_of(kernel("conv_a")));
}

TEST_F(LaneBoardTest, TheBestPlaceIsTheOneThatTakesLeast) {
  openSample();
  controller_->take({}, lanes().moved(kernel("conv_b"), {0, 0}));  // all but c one after another
  settle();
  const KernelId b = kernel("conv_b");
  costs().findPlaces(b);
  ASSERT_TRUE(test::wait_until([this] { return !costs().findsPlaces(); }));
  const Millis least = *costs().at(*costs().best());
  ASSERT_LT(least, costs().latency()->value) << "there is a faster place";
  lane_board_->selectKernel(b);
  const LaneDraft before = lanes();
  laneKey(Qt::Key_B);
  ASSERT_TRUE(test::wait_until([&] { return !(lanes() == before); }));
  settle();
  EXPECT_EQ(costs().latency()->value, least);
  told_.clear();
  laneKey(Qt::Key_B);
  ASSERT_TRUE(test::wait_until([this] { return !told_.isEmpty(); }));
  EXPECT_EQ(told_, "conv_b has no faster place");
}

TEST_F(LaneBoardTest, TheSelectionIsTheProgramsOne) {
  openSample();
  const UnitId c = lanes().kernel(kernel("conv_c")).units.front();
  selection_.select({{c}, {}, {}, {}});
  EXPECT_EQ(lane_board_->cursor(), kernel("conv_c"));
  QTest::mouseClick(lane_board_->viewport(), Qt::LeftButton, {}, bar("conv_a"));
  EXPECT_EQ(selection_.current().units, lanes().kernel(kernel("conv_a")).units);
}

TEST_F(LaneBoardTest, WhoDoesNotSeeTheBoardHearsIt) {
  openSample();
  QAccessibleInterface* face = must(QAccessible::queryAccessibleInterface(lane_board_.get()));
  ASSERT_EQ(face->childCount(), static_cast<int>(lanes().kernels().needs.size()));
  EXPECT_TRUE(face->child(0)->text(QAccessible::Name).startsWith("sample.conv_a, lane 1, 1 of 3, "))
      << face->child(0)->text(QAccessible::Name).toStdString();
  face->child(3)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_EQ(lane_board_->cursor(), lanes().rows()[1][0]);
}

TEST_F(LaneBoardTest, ACopyOfAResultWithLanesHasThem) {
  open("googlenet", ScheduleKind::kIosFlow);
  const ScheduleResult& flow = result(ScheduleKind::kIosFlow);
  ASSERT_TRUE(flow.lanes.has_value());
  ASSERT_NE(controller_->lanes(), nullptr);
  EXPECT_EQ(costs().latency()->value, flow.latency.value) << "known from the run, nothing is asked";
  EXPECT_EQ(controller_->startTitle(), "IOS-Flow");
  const LaneDraft start = lanes();
  controller_->copyShown();
  EXPECT_EQ(controller_->undoName(), QString()) << "the same copy is no step";
  // Stages are one step further, and one step back are the lanes.
  controller_->copyStages();
  ASSERT_NE(controller_->draft(), nullptr);
  EXPECT_EQ(controller_->lanes(), nullptr);
  EXPECT_EQ(draft().schedule().stages, flow.schedule.stages);
  controller_->undo();
  EXPECT_EQ(lanes(), start);
}

TEST_F(LaneBoardTest, RunMakesItOneOfTheRun) {
  openSample();
  const Millis latency = costs().latency()->value;
  controller_->run();
  idle();
  const auto mine = must(controller_->result());
  const ScheduleResult& run = *session_->comparison()->find(mine);
  EXPECT_EQ(run.schedule_kind, ScheduleKind::kByHand);
  EXPECT_EQ(run.latency.value, latency);
  ASSERT_TRUE(run.lanes.has_value());
  EXPECT_EQ(*run.lanes, lanes().lanes());
  EXPECT_EQ(session_->comparison()->results[session_->activeSchedule()].id, mine) << "it is shown";
  // Other lanes of the same kernels are another result.
  const std::size_t count = session_->comparison()->results.size();
  controller_->take({}, lanes().moved(kernel("conv_b"), {2, 0}));
  EXPECT_FALSE(controller_->result().has_value());
  controller_->run();
  idle();
  EXPECT_EQ(session_->comparison()->results.size(), count + 1);
}

TEST_F(LaneBoardTest, AProjectHasThem) {
  openSample();
  const LaneDraft start = lanes();
  session_->editor().savedAs(QStringLiteral("p.iosproj"), session_->editor().changes());
  controller_->take({}, start.moved(kernel("conv_b"), {2, 0}));
  EXPECT_TRUE(session_->editor().modified());
  const LaneDraft edited = lanes();
  auto read = must(project_from_bytes(project_to_bytes(session_->workspace()), "p"));
  session_->editor().takeProject({}, {}, false);
  EXPECT_EQ(controller_->lanes(), nullptr);
  session_->editor().takeProject(std::move(read), QStringLiteral("p.iosproj"), false);
  ASSERT_NE(controller_->lanes(), nullptr);
  EXPECT_EQ(lanes().lanes(), edited.lanes());
  EXPECT_EQ(controller_->startTitle(), "two lanes");
  controller_->undo();
  EXPECT_EQ(lanes().lanes(), start.lanes());
}

TEST_F(LaneBoardTest, LanesOfAnotherDeviceAreRefused) {
  open("sample");
  ScheduleFile file = sample_lanes();
  file.notes.device = "Far Away";
  file.notes.batch = 4;
  file.lanes->launches.pop_back();
  auto taken = controller_->openLanes(file);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().text(),
            "launches: 4 kernels, but this device has 5: these lanes are for the kernels of another device or batch "
            "size (they were found on Far Away with batch 4: show such a run, then open them)");
  EXPECT_EQ(opened_, 0);
  EXPECT_EQ(controller_->lanes(), nullptr);
  file = sample_lanes();
  file.lanes->launches.front().name = "else";
  EXPECT_FALSE(controller_->openLanes(file));
  file = sample_lanes();
  std::swap(file.lanes->launches.front(), file.lanes->launches.back());
  EXPECT_FALSE(controller_->openLanes(file)) << "the concatenation first";
  // The same kernels with another batch are taken, and said.
  file = sample_lanes();
  file.notes.device = session_->device()->name;
  file.notes.batch = 16;
  told_.clear();
  EXPECT_TRUE(controller_->openLanes(file));
  QCoreApplication::processEvents();
  EXPECT_TRUE(told_.contains("batch 16")) << told_.toStdString();
}

// Nothing is asked of a device that measures before Run, and nothing is called measured that was not.
TEST_F(LaneBoardTest, ADeviceThatMeasuresSaysNothingBeforeARun) {
  openSample();
  DeviceInfo measures = session_->comparison()->device;
  measures.origin = Origin::kMeasured;
  LaneCosts costs(devices_);
  costs.show(lanes(), lanes(), &measures, 1, nullptr);
  EXPECT_FALSE(costs.latency().has_value());
  EXPECT_FALSE(costs.simulates());
  EXPECT_FALSE(costs.busy());
  EXPECT_EQ(costs.timesAre(), LaneCosts::Times::kOrder);
  costs.findPlaces(KernelId(0));
  EXPECT_FALSE(costs.findsPlaces());
  // Beside a run of the same kernels bars have its lengths, and still no latency is known.
  Comparison run = *session_->comparison();
  run.device = measures;
  LaneCosts beside(devices_);
  beside.show(lanes(), lanes(), &measures, 1, &run);
  EXPECT_FALSE(beside.latency().has_value());
  EXPECT_EQ(beside.timesAre(), LaneCosts::Times::kLaidOut);
}

TEST_F(LaneBoardTest, ZoomKeepsWhatIsUnderThePointer) {
  openSample();
  const double before = lane_board_->scale();
  const QPoint at = bar("conv_d");
  QWheelEvent in(at, lane_board_->viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::ControlModifier,
                 Qt::NoScrollPhase, false);
  QApplication::sendEvent(lane_board_->viewport(), &in);
  EXPECT_GT(lane_board_->scale(), before);
  EXPECT_NEAR(bar("conv_d").x(), at.x(), 2);
  lane_board_->zoomToFit();
  EXPECT_LE(lane_board_->layoutShown().end, lane_board_->viewport()->width());
}

}  // namespace
}  // namespace iosx
