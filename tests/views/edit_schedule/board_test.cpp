// The stage board under real mouse and key events.

#include "tests/views/edit_schedule/board_fixture.h"
#include "views/text/messages.h"

namespace iosx {
namespace {

using test::BoardFixture;

class BoardTest : public BoardFixture {};

TEST_F(BoardTest, AnOperatorIsDraggedToAnotherStageAndBack) {
  open("sample");
  const Schedule start = draft().schedule();
  const Millis before = *controller_->costs().sum;
  ASSERT_EQ(stage_of("conv_b"), 1U);
  dragAndDrop(chip("conv_b"), below(0));
  ASSERT_EQ(stages(), start.stages.size() - 1);
  EXPECT_EQ(stage_of("conv_b"), 0U);
  EXPECT_EQ(draft().schedule().stages[0].groups.size(), 2U);
  EXPECT_LT(*controller_->costs().sum, before) << "two small convolutions side by side";
  ASSERT_TRUE(controller_->changes()[0].has_value());
  EXPECT_LT(controller_->changes()[0]->count(), 0);
  dragAndDrop(chip("conv_b"), gap(1));
  EXPECT_EQ(draft().schedule(), start);
  EXPECT_EQ(*controller_->costs().sum, before);
}

TEST_F(BoardTest, WhatADependencyForbidsIsRefusedWithTheReasonAtTheCursor) {
  open("sample");
  const Schedule start = draft().schedule();
  press(chip("conv_d"));
  drag(chip("conv_d"), below(0));
  EXPECT_TRUE(board_->dragging());
  EXPECT_EQ(board_->reason().toStdString(),
            "'sample.conv_d' needs 'sample.conv_a', which is in another lane of this stage");
  move(gap(0));
  EXPECT_EQ(board_->reason().toStdString(), "'sample.conv_d' needs 'sample.conv_a', which is in stage 1");
  release(gap(0));
  EXPECT_EQ(draft().schedule(), start);
  press(chip("conv_a"));
  drag(chip("conv_a"), below(stage_of("conv_d")));
  EXPECT_EQ(board_->reason().toStdString(),
            "'sample.conv_a' is needed by 'sample.conv_d', which is in another lane of this stage");
  release(below(stage_of("conv_d")));
  EXPECT_EQ(draft().schedule(), start);
  EXPECT_TRUE(controller_->redoName().isEmpty());
  // In the lane of what it needs it may stand.
  press(chip("conv_d"));
  const QRect lane = board_->rectOf(board::Piece{0, 0});
  drag(chip("conv_d"), {lane.right() - 4, lane.center().y()});
  EXPECT_TRUE(board_->reason().isEmpty()) << board_->reason().toStdString();
  release({lane.right() - 4, lane.center().y()});
  EXPECT_EQ(stage_of("conv_d"), 0U);
  EXPECT_EQ(draft().schedule().stages[0].groups.size(), 1U);
}

TEST_F(BoardTest, EscapeEndsADragAndNothingHasChanged) {
  open("sample");
  const Schedule start = draft().schedule();
  press(chip("conv_b"));
  drag(chip("conv_b"), below(0));
  ASSERT_TRUE(board_->dragging());
  key(Qt::Key_Escape);
  EXPECT_FALSE(board_->dragging());
  release(below(0));
  EXPECT_EQ(draft().schedule(), start);
}

TEST_F(BoardTest, TheScheduleOfTheSearchMadeByHandCostsTheSame) {
  open("sample");
  const ScheduleResult& ios = result(ScheduleKind::kIosBoth);
  ASSERT_EQ(ios.schedule.stages.size(), 3U);  // as the paper draws it: a and b, c and d, the concatenation
  dragAndDrop(chip("conv_b"), below(0));
  dragAndDrop(chip("conv_d"), below(stage_of("conv_c")));
  ASSERT_TRUE(refused_.isEmpty()) << refused_.toStdString();
  ASSERT_EQ(stages(), 3U);
  for (std::size_t s = 0; s < 3; ++s) {
    EXPECT_EQ(draft().schedule().stages[s].units(), ios.schedule.stages[s].units());
    EXPECT_EQ(draft().schedule().stages[s].groups.size(), ios.schedule.stages[s].groups.size());
  }
  EXPECT_NEAR(controller_->costs().sum->count(), ios.stage_sum.count(), 1e-12);
  EXPECT_FALSE(controller_->insight().has_value());
  controller_->run();
  idle();
  const auto mine = must(controller_->result());
  const ScheduleResult& run = *session_->comparison()->find(mine);
  EXPECT_EQ(run.schedule_kind, ScheduleKind::kByHand);
  EXPECT_EQ(run.latency.value, result(ScheduleKind::kIosBoth).latency.value);
  EXPECT_EQ(session_->comparison()->results[session_->activeSchedule()].id, mine) << "it is shown";
}

TEST_F(BoardTest, AMergeThatARuleForbidsNamesTheRule) {
  open("sample");
  click(chip("conv_a"));
  click(chip("conv_d"), Qt::ControlModifier);
  key(Qt::Key_M);
  EXPECT_EQ(refused_.toStdString(), "they cannot be merged: they do not all read the same channels of the same tensor");
  refused_.clear();
  click(chip("conv_a"));
  click(chip("conv_b"), Qt::ControlModifier);
  key(Qt::Key_M);
  EXPECT_TRUE(refused_.contains("only layers of one stage can be merged")) << refused_.toStdString();
}

TEST_F(BoardTest, WhatIsMergedIsTakenApartAgain) {
  open("sample");
  dragAndDrop(chip("conv_b"), below(0));
  const Schedule apart = draft().schedule();
  click(header(0));
  key(Qt::Key_M);
  ASSERT_EQ(draft().schedule().stages[0].groups.size(), 1U);
  click(chip("conv_a"));
  EXPECT_EQ(selection_.current().units.size(), 2U) << "a merged step is one piece";
  key(Qt::Key_T);
  EXPECT_EQ(draft().schedule(), apart);
}

TEST_F(BoardTest, LanesAndStagesAreDraggedAsAWhole) {
  open("sample");
  dragAndDrop(chip("conv_d"), board_->rectOf(board::Piece{0, 0}).center() + QPoint(40, 0));
  ASSERT_EQ(draft().schedule().stages[0].groups[0].steps.size(), 2U);
  const std::size_t concat = stage_of("concat");
  // The lane of a and d to the stage of b.
  dragAndDrop(board_->handleRect(0, 0).center(), below(1));
  EXPECT_EQ(stage_of("conv_a"), stage_of("conv_b"));
  EXPECT_EQ(stage_of("conv_d"), stage_of("conv_b"));
  EXPECT_EQ(draft().schedule().stages[stage_of("conv_b")].groups.size(), 2U);
  EXPECT_EQ(stage_of("concat"), concat - 1);
  // c before that.
  const std::size_t c = stage_of("conv_c");
  ASSERT_GT(c, 0U);
  dragAndDrop(header(c), gap(0));
  EXPECT_EQ(stage_of("conv_c"), 0U);
  EXPECT_EQ(controller_->undoName().toStdString(), "Move stage " + std::to_string(c + 1));
  // The last one reads all of them.
  press(header(stages() - 1));
  drag(header(stages() - 1), gap(0));
  EXPECT_TRUE(board_->reason().contains("needs")) << board_->reason().toStdString();
  release(gap(0));
  EXPECT_EQ(stage_of("concat"), stages() - 1);
}

TEST_F(BoardTest, SeveralAreSelectedWithCtrlShiftAndABand) {
  open("sample");
  click(chip("conv_a"));
  EXPECT_EQ(selection_.current().units, std::vector<UnitId>{unit("conv_a")});
  click(chip("conv_c"), Qt::ControlModifier);
  EXPECT_EQ(selection_.current().units.size(), 2U);
  click(chip("conv_c"), Qt::ControlModifier);
  EXPECT_EQ(selection_.current().units, std::vector<UnitId>{unit("conv_a")});
  click(chip("conv_a"));
  click(chip("conv_c"), Qt::ShiftModifier);
  EXPECT_EQ(selection_.current().units.size(), stage_of("conv_c") - stage_of("conv_a") + 1);
  const QPoint from = below(0) + QPoint(0, 40);
  press(from);
  drag(from, chip("conv_b"));
  release(chip("conv_b"));
  EXPECT_EQ(selection_.current().units, (std::vector<UnitId>{unit("conv_a"), unit("conv_b")}));
  click(below(0) + QPoint(0, 40));
  EXPECT_TRUE(selection_.current().empty());
  // A selection that was made elsewhere.
  selection_.select({{unit("conv_d")}, {}, {}, {}});
  EXPECT_EQ(*board_->cursor(), *board_->pieceOf(unit("conv_d")));
}

TEST_F(BoardTest, WhatIsDraggedTakesAllThatIsSelectedAlong) {
  open("sample");
  click(chip("conv_b"));
  click(chip("conv_c"), Qt::ControlModifier);
  dragAndDrop(chip("conv_c"), gap(0));
  EXPECT_EQ(stage_of("conv_b"), 0U);
  EXPECT_EQ(stage_of("conv_c"), 0U);
  EXPECT_EQ(draft().schedule().stages[0].groups.size(), 2U) << "side by side";
}

TEST_F(BoardTest, ALockedStageRefuses) {
  open("sample");
  click(header(0));
  key(Qt::Key_L);
  EXPECT_TRUE(draft().locked(0));
  press(chip("conv_b"));
  drag(chip("conv_b"), below(0));
  EXPECT_EQ(board_->reason().toStdString(), "stage 1 is locked");
  release(below(0));
  EXPECT_EQ(stage_of("conv_b"), 1U);
  QTest::mouseDClick(board_->viewport(), Qt::LeftButton, {}, header(0));
  EXPECT_FALSE(draft().locked(0));
}

TEST_F(BoardTest, EverythingGoesFromTheKeyboard) {
  open("sample");
  const Schedule start = draft().schedule();
  board_->setFocus();
  key(Qt::Key_Home);
  EXPECT_EQ(*board_->cursor(), board::Piece{0});
  key(Qt::Key_Right);
  key(Qt::Key_Down);
  ASSERT_EQ(*board_->cursor(), (board::Piece{1, 0, 0}));
  const UnitId b = selection_.current().units.front();
  key(Qt::Key_Left, Qt::AltModifier);  // to the stage before, in a lane of its own
  EXPECT_EQ(draft().stage_of(b), 0U);
  EXPECT_EQ(draft().schedule().stages[0].groups.size(), 2U);
  EXPECT_EQ(selection_.current().units.front(), b);
  key(Qt::Key_Up, Qt::AltModifier);  // into the lane above
  EXPECT_EQ(draft().schedule().stages[0].groups.size(), 1U);
  key(Qt::Key_Down, Qt::AltModifier);  // and out again
  EXPECT_EQ(draft().schedule().stages[0].groups.size(), 2U);
  key(Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);  // a stage of its own
  EXPECT_EQ(draft().schedule(), start);
  key(Qt::Key_Home);
  key(Qt::Key_J);
  EXPECT_EQ(stages(), start.stages.size() - 1);
  key(Qt::Key_S);
  EXPECT_EQ(draft().schedule(), start);
  key(Qt::Key_Home);
  key(Qt::Key_Right, Qt::AltModifier);  // the stage moves
  EXPECT_EQ(draft().stage_of(b), 0U);
  EXPECT_EQ(*board_->cursor(), board::Piece{1});
  key(Qt::Key_End);
  refused_.clear();
  key(Qt::Key_Left, Qt::AltModifier);
  EXPECT_TRUE(refused_.contains("needs")) << refused_.toStdString();
  key(Qt::Key_Home);
  key(Qt::Key_Down);
  key(Qt::Key_Left);
  EXPECT_EQ(*board_->cursor(), (board::Piece{0, 0})) << "the lane";
}

TEST_F(BoardTest, HeadersStayInSightWhileLanesAreScrolled) {
  open("sample");
  for (const char* name : {"conv_b", "conv_c"}) dragAndDrop(chip(name), below(0));
  board_->resize(1400, 170);
  QCoreApplication::processEvents();
  ASSERT_GT(board_->verticalScrollBar()->maximum(), 0);
  const QPoint before = header(0);
  board_->verticalScrollBar()->setValue(board_->verticalScrollBar()->maximum());
  EXPECT_EQ(header(0), before);
  click(header(0));
  EXPECT_EQ(selection_.current().units.size(), 3U);
  selection_.clear();
  click(chip("conv_c"));
  EXPECT_EQ(selection_.current().units, std::vector<UnitId>{unit("conv_c")});
}

TEST_F(BoardTest, ADragOutlivesNewsOfTheRun) {
  open("sample");
  press(chip("conv_b"));
  drag(chip("conv_b"), below(0));
  emit session_->comparisonChanged();
  EXPECT_TRUE(board_->dragging());
  release(below(0));
  EXPECT_EQ(stage_of("conv_b"), 0U);
}

TEST_F(BoardTest, ItIsResizedBeforeItHearsOfAnotherNetwork) {
  std::unique_ptr<StageBoard> board;
  QObject::connect(controller_.get(), &ScheduleController::changed, board_.get(), [&] {
    if (board) board->resize(board->width() + 1, board->height());
  });
  board = std::make_unique<StageBoard>(*controller_);
  board->show();
  open("squeezenet");
  controller_->copyShown();
  open("sample");
  controller_->copyShown();
  EXPECT_EQ(board->layoutShown().columns.size(), draft().schedule().stages.size());
}

TEST_F(BoardTest, WhatIsPressedMayBeGoneBeforeItIsDragged) {
  open("sample");
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(0)));
  const std::size_t last = stages() - 1;
  const QPoint at = board_->rectOf(board::Piece{last, 0, 0}).center();
  press(at);
  ASSERT_TRUE(controller_->take(QStringLiteral("join"), draft().joined(last - 1)));
  drag(at, at + QPoint(80, 20));
  EXPECT_FALSE(board_->dragging());
  release(at + QPoint(80, 20));
}

TEST_F(BoardTest, WhoDoesNotSeeTheBoardHearsIt) {
  open("sample");
  QAccessibleInterface* face = must(QAccessible::queryAccessibleInterface(board_.get()));
  ASSERT_EQ(face->childCount(), static_cast<int>(stages() + draft().graph().units().size()));
  EXPECT_TRUE(face->child(0)->text(QAccessible::Name).startsWith("Stage 1, "));
  EXPECT_EQ(face->child(1)->text(QAccessible::Name), "sample.conv_a, stage 1, lane 1");
  face->child(1)->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_EQ(selection_.current().units, std::vector<UnitId>{unit("conv_a")});
  EXPECT_TRUE(face->child(1)->state().selected);
  EXPECT_FALSE(face->child(3)->state().selected);
}

TEST(MessageText, WhatHasNoOtherLanguageStaysAsItIs) {
  EXPECT_EQ(message_text(verbatim("the moon is full")), "the moon is full");
  EXPECT_EQ(message_text(message("'{}' needs '{}', which is in stage {}", "a 'b' c", "d", 12)),
            "'a 'b' c' needs 'd', which is in stage 12");
}

}  // namespace
}  // namespace iosx
