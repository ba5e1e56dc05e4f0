#include "views/explore/timeline/overview_strip.h"

#include <gtest/gtest.h>

#include <QPainter>
#include <QTest>

#include "tests/support/made_up_comparison.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/widgets/still_picture.h"

namespace iosx {
namespace {

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

}  // namespace
}  // namespace iosx
