#include <gtest/gtest.h>

#include <QAccessible>
#include <QTest>

#include "tests/support/made_up_comparison.h"
#include "views/explore/timeline/timeline_view.h"

namespace iosx {
namespace {

class TimelineAccessibleTest : public testing::Test {
 protected:
  TimelineAccessibleTest() {
    view_.resize(1200, 500);
    view_.show();
    view_.setTracks(tracks_of(comparison_), std::nullopt);
    QCoreApplication::processEvents();
  }
  static QString name(QAccessibleInterface* of) { return of->text(QAccessible::Name); }

  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  SelectionModel selection_;
  TimeAxisModel axis_;
  TimelineView view_{&selection_, &axis_};
};

TEST_F(TimelineAccessibleTest, TracksLanesAndSpansHaveNamesAndPlaces) {
  QAccessibleInterface* timeline = QAccessible::queryAccessibleInterface(&view_);
  ASSERT_NE(timeline, nullptr);
  EXPECT_EQ(name(timeline), "Timeline of the schedules");
  ASSERT_GE(timeline->childCount(), 3);
  QAccessibleInterface* greedy = timeline->child(1);
  EXPECT_EQ(name(greedy), "Greedy");
  EXPECT_TRUE(greedy->text(QAccessible::Description).contains("(simulated)"));
  EXPECT_EQ(greedy->parent(), timeline);
  EXPECT_EQ(timeline->indexOfChild(greedy), 1);
  ASSERT_EQ(greedy->childCount(), 3);
  QAccessibleInterface* lane = greedy->child(1);
  EXPECT_EQ(name(lane), "lane 2");
  EXPECT_EQ(lane->role(), QAccessible::List);
  EXPECT_EQ(greedy->indexOfChild(lane), 1);
  ASSERT_EQ(lane->childCount(), 1);
  QAccessibleInterface* span = lane->child(0);
  EXPECT_EQ(name(span), "b");
  EXPECT_TRUE(span->text(QAccessible::Description).startsWith("Greedy: b, stage 2, lane 2"));
  EXPECT_EQ(span->parent(), lane);
  EXPECT_EQ(lane->indexOfChild(span), 0);
  EXPECT_TRUE(span->isValid());
  EXPECT_EQ(lane->child(0), span);  // the same one again
  EXPECT_EQ(lane->child(7), nullptr);
  // Where it is painted it is found.
  const QPoint middle = span->rect().center();
  EXPECT_TRUE(lane->rect().contains(middle));
  EXPECT_TRUE(greedy->rect().contains(middle));
  QAccessibleInterface* found = timeline->childAt(middle.x(), middle.y());
  EXPECT_EQ(found, greedy);
  EXPECT_EQ(found->childAt(middle.x(), middle.y()), lane);
  EXPECT_EQ(lane->childAt(middle.x(), middle.y()), span);
  const TimelineHit hit = view_.scene().hit(view_.contentAt(view_.viewport()->mapFromGlobal(middle)), view_.axis());
  ASSERT_EQ(hit.kind, TimelineHit::Kind::kSpan);
  EXPECT_EQ(hit.span.track, 1U);
}

TEST_F(TimelineAccessibleTest, KeysMoveTheFocusAndPressSelects) {
  QAccessibleInterface* timeline = QAccessible::queryAccessibleInterface(&view_);
  view_.activateWindow();
  view_.setFocus();
  ASSERT_TRUE(QTest::qWaitFor([this] { return view_.hasFocus(); }));
  QTest::keyClick(&view_, Qt::Key_Period);
  QTest::keyClick(&view_, Qt::Key_Period);
  QAccessibleInterface* focused = timeline->focusChild();
  ASSERT_NE(focused, nullptr);
  EXPECT_EQ(name(focused), "a");
  EXPECT_TRUE(focused->state().focused);
  QAccessibleInterface* join = timeline->child(2)->child(0)->child(2);
  ASSERT_EQ(name(join), "join");
  QAccessibleActionInterface* action = join->actionInterface();
  ASSERT_NE(action, nullptr);
  action->doAction(QAccessibleActionInterface::pressAction());
  EXPECT_EQ(view_.currentSpan()->track, 2U);
  EXPECT_TRUE(selection_.current().contains(UnitId(4)));
  EXPECT_TRUE(join->state().focused);
  EXPECT_FALSE(focused->state().focused);
}

TEST_F(TimelineAccessibleTest, WhatIsNoLongerShownIsNotValid) {
  QAccessibleInterface* span = QAccessible::queryAccessibleInterface(&view_)->child(2)->child(0)->child(0);
  ASSERT_TRUE(span->isValid());
  view_.setShown(2, false);
  EXPECT_FALSE(span->isValid());
  EXPECT_TRUE(span->text(QAccessible::Name).isEmpty());
  EXPECT_TRUE(span->rect().isEmpty());
  EXPECT_EQ(span->childCount(), 0);
  view_.setTracks(tracks_of(nullptr), std::nullopt);
  EXPECT_FALSE(span->isValid());
}

}  // namespace
}  // namespace iosx
