#include "views/explore/timeline/timeline_view.h"

#include <gtest/gtest.h>

#include <QApplication>
#include <QElapsedTimer>
#include <QImage>
#include <QMenu>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>
#include <iostream>
#include <set>

#include "tests/support/made_up_comparison.h"
#include "views/explore/timeline/span_text.h"
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

}  // namespace
}  // namespace iosx
