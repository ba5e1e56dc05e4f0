#include <QSignalSpy>
#include <QTest>
#include <QtWidgets>
#include <iostream>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/explore/timeline/overview_strip.h"
#include "views/explore/timeline/span_text.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/style/theme.h"
#include "views/text/stage_text.h"

namespace iosx {
namespace {

class TimelineViewTest : public testing::Test {
 protected:
  TimelineViewTest() {
    view_.resize(1200, 500);
    view_.show();
    view_.setTracks(tracks_of(comparison_), std::nullopt);
    QCoreApplication::processEvents();
  }

  QPointF on_viewport(double x, double content_y) const {
    return {x, content_y + TimelinePainter::kRulerHeight - view_.verticalScrollBar()->value()};
  }
  QPoint span_point(SpanRef ref) const {
    const KernelSpan& span = view_.scene().span(ref);
    const TimelineBand& band = view_.scene().bands()[ref.track];
    return on_viewport(view_.axis().x((span.begin + span.end) / 2),
                       band.lane_top(span.lane, view_.scene().lane_height()) + view_.scene().lane_height() / 2)
        .toPoint();
  }
  QPoint strip_point(std::size_t band, std::size_t stage) const {
    const TimelineBand& own = view_.scene().bands()[band];
    const StageSpan& span = view_.scene().result(own).trace.stages[stage];
    return on_viewport(view_.axis().x((span.begin + span.end) / 2), own.strip_top() + 5).toPoint();
  }
  void click(QPoint at, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mouseClick(view_.viewport(), Qt::LeftButton, modifiers, at);
  }
  void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {}) {
    QTest::mousePress(view_.viewport(), Qt::LeftButton, modifiers, from);
    for (const QPoint at : {from + (to - from) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, view_.viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                       modifiers);
      QCoreApplication::sendEvent(view_.viewport(), &move);
    }
    QTest::mouseRelease(view_.viewport(), Qt::LeftButton, modifiers, to);
  }

  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  SelectionModel selection_;
  TimeAxisModel axis_;
  TimelineView view_{&selection_, &axis_};
};

TEST_F(TimelineViewTest, AClickOnASpanSelectsItsUnits) {
  click(span_point({2, 1}));
  EXPECT_EQ(selection_.current().units.size(), view_.scene().units({2, 1}).size());
  EXPECT_FALSE(selection_.current().stage);
  EXPECT_EQ(view_.currentSpan(), (SpanRef{2, 1}));
  EXPECT_TRUE(view_.accessibleDescription().startsWith("IOS-Both: "));
}

TEST_F(TimelineViewTest, AClickOnAStageSelectsItWithItsSchedule) {
  click(strip_point(1, 1));
  EXPECT_EQ(selection_.current().schedule, ScheduleId("greedy"));
  EXPECT_EQ(selection_.current().stage, 1U);
  EXPECT_EQ(selection_.current().units, (std::vector<UnitId>{UnitId(1), UnitId(2), UnitId(3)}));
  click(on_viewport(view_.axis().right() - 3, view_.scene().bands()[1].strip_top() + 5).toPoint());
  EXPECT_TRUE(selection_.current().empty());
}

TEST_F(TimelineViewTest, ASelectionFromElsewhereIsFollowedAndPainted) {
  const QImage before = view_.viewport()->grab().toImage();
  selection_.select({{UnitId(3)}, {}, {}});
  ASSERT_TRUE(view_.currentSpan());
  EXPECT_EQ(view_.scene().units(*view_.currentSpan()), std::vector<UnitId>{UnitId(3)});
  EXPECT_NE(view_.viewport()->grab().toImage(), before);
  selection_.clear();
  EXPECT_FALSE(view_.currentSpan());
  EXPECT_EQ(view_.viewport()->grab().toImage(), before);
}

TEST_F(TimelineViewTest, TheWheelZoomsAtTheMouse) {
  const QPointF at(700, 200);
  const Micros before = view_.axis().time(at.x());
  QWheelEvent wheel(at, view_.viewport()->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, Qt::NoModifier,
                    Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(view_.viewport(), &wheel);
  EXPECT_LT(axis_.visible().length(), axis_.extent().length());
  EXPECT_NEAR(view_.axis().time(at.x()).count(), before.count(), 1e-6);
}

TEST_F(TimelineViewTest, ADragWithControlPansAndDoesNotSelect) {
  axis_.setVisible({Micros(40), Micros(80)});
  const TimeRange before = axis_.visible();
  drag({700, 200}, {600, 200}, Qt::ControlModifier);
  EXPECT_FALSE(view_.measure());
  EXPECT_NEAR((axis_.visible().begin - before.begin).count(), view_.axis().duration(100).count(), 1e-6);
  EXPECT_TRUE(selection_.current().empty());
}

TEST_F(TimelineViewTest, ADragMeasuresBetweenSpanEdges) {
  const KernelSpan& span = comparison_->results[0].trace.kernels[1];
  const auto x = [&](Micros time) { return static_cast<int>(view_.axis().x(time)); };
  drag({x(span.begin) + 3, 200}, {x(span.end) - 3, 200});
  ASSERT_TRUE(view_.measure());
  EXPECT_EQ(view_.measure()->from, span.begin);
  EXPECT_EQ(view_.measure()->to, span.end);
  EXPECT_TRUE(selection_.current().empty());
  QTest::keyClick(&view_, Qt::Key_Escape);
  EXPECT_FALSE(view_.measure());
}

TEST_F(TimelineViewTest, KeysWalkTheSpansAndZoom) {
  QTest::keyClick(&view_, Qt::Key_Period);
  EXPECT_EQ(view_.currentSpan(), (SpanRef{0, 0}));
  QTest::keyClick(&view_, Qt::Key_Period);
  EXPECT_EQ(view_.currentSpan(), (SpanRef{0, 1}));
  QTest::keyClick(&view_, Qt::Key_Comma);
  EXPECT_EQ(view_.currentSpan(), (SpanRef{0, 0}));
  QTest::keyClick(&view_, Qt::Key_Down);
  EXPECT_EQ(view_.currentSpan()->track, 1U);
  QTest::keyClick(&view_, Qt::Key_Return);
  EXPECT_EQ(selection_.current().schedule, ScheduleId("greedy"));
  EXPECT_EQ(selection_.current().stage, 0U);
  QTest::keyClick(&view_, Qt::Key_Z);
  EXPECT_LT(axis_.visible().length(), axis_.extent().length());
  QTest::keyClick(&view_, Qt::Key_F);
  EXPECT_EQ(axis_.visible(), axis_.extent());
}

TEST_F(TimelineViewTest, SchedulesAreChosenAndTheChoiceOutlivesANewComparison) {
  QSignalSpy spy(&view_, &TimelineView::shownTracksChanged);
  view_.setShown(0, false);
  EXPECT_EQ(spy.size(), 1);
  EXPECT_EQ(view_.shownSchedules(), (std::vector{ScheduleId("greedy"), ScheduleId("ios-both")}));
  EXPECT_EQ(view_.tracksMenu()->actions().size(), 3);
  EXPECT_FALSE(view_.tracksMenu()->actions()[0]->isChecked());
  view_.setTracks(tracks_of(test::made_up_comparison()), std::nullopt);
  EXPECT_EQ(view_.shownSchedules(), (std::vector{ScheduleId("greedy"), ScheduleId("ios-both")}));
  view_.tracksMenu()->actions()[0]->trigger();
  QCoreApplication::processEvents();
  EXPECT_EQ(view_.shownSchedules().size(), 3U);
}

TEST_F(TimelineViewTest, AClickOnAHeaderCollapsesTheBand) {
  const double before = view_.scene().height();
  click(on_viewport(30, view_.scene().bands()[1].top + 12).toPoint());
  EXPECT_TRUE(view_.scene().bands()[1].collapsed);
  EXPECT_LT(view_.scene().height(), before);
  click(on_viewport(30, view_.scene().bands()[1].top + 12).toPoint());
  EXPECT_FALSE(view_.scene().bands()[1].collapsed);
}

TEST_F(TimelineViewTest, ToolTipsSayWhatTheSpanIs) {
  const QString text = span_tooltip(view_.tracks().tracks()[2], 1);
  EXPECT_TRUE(text.contains("Duration"));
  EXPECT_TRUE(text.contains("MFLOPs"));
  EXPECT_TRUE(text.contains("IOS-Both (simulated)"));
  EXPECT_TRUE(stage_tooltip(*comparison_, 1, 1).contains("concurrent"));
  EXPECT_TRUE(schedule_tooltip(*comparison_, 2).contains("vs. sequential"));
}

TEST_F(TimelineViewTest, EmptyAndCancelledComparisonsAreShown) {
  selection_.select({{UnitId(1)}, {}, {}});
  auto cancelled = test::made_up_comparison();
  cancelled->results.pop_back();
  view_.setTracks(tracks_of(cancelled), std::nullopt);
  EXPECT_EQ(view_.scene().bands().size(), 2U);
  cancelled = test::made_up_comparison();
  for (ScheduleResult& result : cancelled->results) result.trace = {};
  view_.setTracks(tracks_of(cancelled), std::nullopt);
  QTest::keyClick(&view_, Qt::Key_Period);
  QTest::keyClick(&view_, Qt::Key_Comma);
  EXPECT_FALSE(view_.viewport()->grab().isNull());
  for (const auto& empty : {std::make_shared<Comparison>(), std::shared_ptr<Comparison>()}) {
    view_.setTracks(tracks_of(empty), std::nullopt);
    for (const auto key : {Qt::Key_Period, Qt::Key_Comma, Qt::Key_Z, Qt::Key_Down, Qt::Key_Return, Qt::Key_W}) {
      QTest::keyClick(&view_, key);
    }
    click({600, 200});
    EXPECT_FALSE(view_.viewport()->grab().isNull());
    EXPECT_NE(view_.figure(), nullptr);
  }
}

TEST_F(TimelineViewTest, ThousandsOfSpansArePaintedQuickly) {
  view_.setTracks(tracks_of(test::made_up_chain(5000)), std::nullopt);
  view_.setTheme(Theme::darkTheme());
  for (const double part : {1.0, 0.1, 0.01}) {
    axis_.setVisible({Micros(0), axis_.extent().end * part});
    QImage image(view_.viewport()->size(), QImage::Format_ARGB32_Premultiplied);
    QElapsedTimer timer;
    timer.start();
    view_.viewport()->render(&image);
    std::cout << "5,000 spans, " << part * 100 << " % of the time visible: painted in "
              << static_cast<double>(timer.nsecsElapsed()) / 1e6 << " ms\n";
    const TimelineBand& band = view_.scene().bands()[0];
    const double y = on_viewport(0, band.lane_top(0, view_.scene().lane_height()) + 8).y();
    std::set<QRgb> colors;
    for (int x = 230; x < 1000; ++x) colors.insert(image.pixel(x, static_cast<int>(y)));
    EXPECT_NE(colors, std::set<QRgb>{Theme::darkTheme().canvas.rgb()});
  }
}

TEST_F(TimelineViewTest, KeepsTwoRunsOfOneScheduleKindApart) {
  comparison_ = test::made_up_twins();
  view_.setTracks(tracks_of(comparison_), std::nullopt);
  const ScheduleId first = comparison_->results[2].id;
  const ScheduleId second = comparison_->results[3].id;
  EXPECT_EQ(view_.shownSchedules(), (std::vector{comparison_->results[0].id, comparison_->results[1].id, first}));
  view_.setShown(3, true);
  view_.setShown(0, false);
  view_.setShown(1, false);
  EXPECT_EQ(view_.shownSchedules(), (std::vector{first, second}));
  view_.setCollapsed(3, true);
  ASSERT_EQ(view_.scene().bands().size(), 2U);
  EXPECT_FALSE(view_.scene().bands()[0].collapsed);
  EXPECT_TRUE(view_.scene().bands()[1].collapsed);
  click(strip_point(0, 1));
  EXPECT_EQ(selection_.current().schedule, first);
  EXPECT_EQ(selection_.current().stage, 1U);
  EXPECT_TRUE(schedule_tooltip(*comparison_, 3).contains("IOS-Both 2"));
}

using Grip = OverviewWindow::Grip;

TEST(OverviewWindow, IsTakenHoldOfAtItsEdgesAndInside) {
  const OverviewWindow window{{{Micros(0), Micros(1000)}, 200, 1000}, {Micros(300), Micros(500)}};
  EXPECT_EQ(window.left(), 500);
  EXPECT_EQ(window.grip_at(498), Grip::kBegin);
  EXPECT_EQ(window.grip_at(503), Grip::kBegin);
  EXPECT_EQ(window.grip_at(600), Grip::kInside);
  EXPECT_EQ(window.grip_at(698), Grip::kEnd);
  EXPECT_EQ(window.grip_at(704), Grip::kEnd);
  EXPECT_EQ(window.grip_at(300), Grip::kNone);
  // A window of a few pixels can still be moved, and its edges taken from outside.
  const OverviewWindow narrow{window.axis, {Micros(300), Micros(306)}};
  EXPECT_EQ(narrow.grip_at(503), Grip::kInside);
  EXPECT_EQ(narrow.grip_at(497), Grip::kBegin);
  EXPECT_EQ(narrow.grip_at(509), Grip::kEnd);
}

TEST(OverviewWindow, DragsMoveOrResizeIt) {
  const OverviewWindow window{{{Micros(0), Micros(1000)}, 200, 1000}, {Micros(300), Micros(500)}};
  EXPECT_EQ(window.dragged(Grip::kInside, Micros(50)), (TimeRange{Micros(350), Micros(550)}));
  EXPECT_EQ(window.dragged(Grip::kBegin, Micros(50)), (TimeRange{Micros(350), Micros(500)}));
  EXPECT_EQ(window.dragged(Grip::kEnd, Micros(-50)), (TimeRange{Micros(300), Micros(450)}));
  EXPECT_EQ(window.dragged(Grip::kBegin, Micros(900)).length(), Micros(0));  // the axis keeps a least length
}

TEST(StillPicture, IsDrawnOnceInThePixelsOfTheScreen) {
  StillPicture still;
  int drawn = 0;
  const auto draw = [&](QPainter& painter) {
    ++drawn;
    painter.fillRect(QRectF(0, 0, 101, 51), Qt::white);
    painter.fillRect(QRectF(100, 50, 1, 1), Qt::red);  // the last pixel
  };
  int expected = 0;
  for (const double ratio : {1.0, 1.5, 2.0}) {
    const QPixmap& picture = still.picture({101, 51}, ratio, draw);
    EXPECT_EQ(drawn, ++expected) << ratio;
    EXPECT_EQ(picture.width(), std::ceil(101 * ratio)) << ratio;
    EXPECT_EQ(picture.height(), std::ceil(51 * ratio)) << ratio;
    EXPECT_EQ(picture.devicePixelRatio(), ratio);
    const auto last = [&](double at) { return static_cast<int>(at * ratio); };
    EXPECT_EQ(QColor(picture.toImage().pixel(last(100.5), last(50.5))), QColor(Qt::red)) << ratio;
    still.picture({101, 51}, ratio, draw);
    EXPECT_EQ(drawn, expected) << ratio;
  }
  still.picture({80, 51}, 2, draw);
  still.invalidate();
  still.picture({80, 51}, 2, draw);
  EXPECT_EQ(drawn, 5);
}

class OverviewStripTest : public testing::Test {
 protected:
  OverviewStripTest() {
    view_.resize(1200, 400);
    view_.show();
    view_.setTracks(tracks_of(test::made_up_comparison()), std::nullopt);
    QCoreApplication::processEvents();
  }
  QPoint at(double x) const { return {static_cast<int>(x), OverviewStrip::kHeight / 2}; }
  void drag(double from, double to) {
    OverviewStrip* strip = view_.overview();
    QTest::mousePress(strip, Qt::LeftButton, {}, at(from));
    for (const double x : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at(x), strip->mapToGlobal(at(x)), Qt::NoButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(strip, &move);
    }
    QTest::mouseRelease(strip, Qt::LeftButton, {}, at(to));
  }

  SelectionModel selection_;
  TimeAxisModel axis_;
  TimelineView view_{&selection_, &axis_};
};

TEST_F(OverviewStripTest, StandsAboveTheTimelineOnTheSamePixels) {
  const OverviewStrip& strip = *view_.overview();
  EXPECT_EQ(strip.geometry().bottom() + 1, view_.viewport()->y());
  EXPECT_EQ(strip.window().axis.left, view_.axis().left);
  EXPECT_NEAR(strip.window().axis.right(), view_.axis().right(), 1);
}

TEST_F(OverviewStripTest, TheWindowIsDraggedResizedAndPut) {
  const Micros all = axis_.extent().end;
  axis_.setVisible({all * 0.2, all * 0.4});
  const OverviewWindow before = view_.overview()->window();
  drag((before.left() + before.right()) / 2, (before.left() + before.right()) / 2 + 100);
  EXPECT_NEAR((axis_.visible().begin - before.visible.begin).count(), before.axis.duration(100).count(),
              before.axis.duration(2).count());
  EXPECT_NEAR(axis_.visible().length().count(), before.visible.length().count(), 1e-6);
  const OverviewWindow moved = view_.overview()->window();
  drag(moved.right() + 1, moved.right() + 81);
  EXPECT_NEAR(axis_.visible().begin.count(), moved.visible.begin.count(), 1e-6);
  EXPECT_NEAR((axis_.visible().end - moved.visible.end).count(), before.axis.duration(80).count(),
              before.axis.duration(3).count());
  const double x = before.axis.x(all * 0.1);
  drag(x, x);
  EXPECT_NEAR(((axis_.visible().begin + axis_.visible().end) / 2).count(), (all * 0.1).count(), (all * 0.3).count());
  EXPECT_LT(axis_.visible().begin, moved.visible.begin);
  QTest::keyClick(view_.overview(), Qt::Key_Home);
  EXPECT_EQ(axis_.visible(), axis_.extent());
}

TEST_F(OverviewStripTest, ShowsTheRunsAndTheWindow) {
  const QImage all = view_.overview()->grab().toImage();
  axis_.setVisible({axis_.extent().end * 0.2, axis_.extent().end * 0.3});
  EXPECT_NE(view_.overview()->grab().toImage(), all);
  axis_.fitAll();
  EXPECT_EQ(view_.overview()->grab().toImage(), all);
  view_.setTracks(tracks_of(nullptr), std::nullopt);
  EXPECT_NE(view_.overview()->grab().toImage(), all);
}

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
  QAccessibleInterface* timeline = must(QAccessible::queryAccessibleInterface(&view_));
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
  QAccessibleInterface* focused = must(timeline->focusChild());
  EXPECT_EQ(name(focused), "a");
  EXPECT_TRUE(focused->state().focused);
  QAccessibleInterface* join = timeline->child(2)->child(0)->child(2);
  ASSERT_EQ(name(join), "join");
  QAccessibleActionInterface* action = must(join->actionInterface());
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

TEST(SpanText, LettersAreNeverCut) {
  const QFontMetricsF metrics(sized(QFont(), 11));
  std::size_t told = 0;
  for (const char* const text : {"conv", "branch_pool", "3x3_1"}) {
    const QRectF letters = metrics.tightBoundingRect(text);
    for (double height = 3; height < 24; height += 0.5) {
      const auto baseline = text_baseline(text, 100, 100 + height, metrics);
      EXPECT_TRUE(baseline || height < letters.height() + 2) << text << height;
      if (!baseline) continue;
      ++told;
      EXPECT_GE(*baseline + letters.top(), 100) << text << height;
      EXPECT_LE(*baseline + letters.bottom(), 100 + height) << text << height;
    }
    EXPECT_EQ(text_baseline(text, 100, 140, metrics), std::round(120 + metrics.capHeight() / 2));
  }
  EXPECT_GT(told, 60U);
}

}  // namespace

}  // namespace iosx
