// Cached pictures on a screen that has several pixels for one of the window's: run with QT_SCALE_FACTOR 1, 1.5 and 2.

#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "tests/views/canvas/canvas_graphs.h"
#include "views/canvas/corner_cards.h"
#include "views/canvas/graph_view.h"
#include "views/explore/timeline/overview_strip.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/explore/utilization/why_view.h"

namespace iosx {
namespace {

// Of pixels, 0 to 1.
double share_of_different(const QImage& a, const QImage& b) {
  if (a.size() != b.size()) return 1;
  std::size_t different = 0;
  for (int y = 0; y < a.height(); ++y) {
    for (int x = 0; x < a.width(); ++x) different += a.pixel(x, y) != b.pixel(x, y) ? 1 : 0;
  }
  return static_cast<double>(different) / (static_cast<double>(a.width()) * a.height());
}

// What the picture would be, had it been taken with one pixel for one of the window's and made larger.
QImage enlarged(const QImage& picture, QSize size) { return picture.scaled(size).scaled(picture.size()); }

// The widget as the screen shows it. True at a scale of 1 too, where there is nothing to be told apart.
testing::AssertionResult is_sharp(QWidget& widget) {
  const QImage picture = widget.grab().toImage();
  const double ratio = widget.devicePixelRatioF();
  if (picture.devicePixelRatio() != ratio) return testing::AssertionFailure() << "taken with another ratio";
  if (std::abs(picture.width() - widget.width() * ratio) > 1) return testing::AssertionFailure() << "of another width";
  if (ratio == 1) return testing::AssertionSuccess();
  const QImage large = enlarged(picture, widget.size());
  const double detail = share_of_different(picture, large);
  const double none = share_of_different(large, enlarged(large, widget.size()));
  if (detail > 0.002 && detail > 4 * none) return testing::AssertionSuccess();
  return testing::AssertionFailure() << detail << " of the pixels are detail; " << none << " in an enlarged picture";
}

class HiDpiCanvas : public testing::Test {
 protected:
  HiDpiCanvas() {
    view_.resize(1001, 701);  // not whole pixels at 1.5
    view_.setSelectionModel(&selection_);
    view_.show();
    QSignalSpy spy(&view_, &GraphView::layoutChanged);
    view_.setGraph(data_.graph);
    view_.setSchedule(&data_.schedule, latencies_, {ScheduleId("mine"), {}});
    while (view_.layoutPending()) spy.wait(5000);
  }

  canvas::test::Scheduled data_ = canvas::test::small_scheduled();
  std::vector<Latency> latencies_ = std::vector<Latency>(4, Latency{Millis(0.1), Millis(0), 1, Origin::kSimulated});
  SelectionModel selection_;
  GraphView view_;
};

TEST_F(HiDpiCanvas, IsSharpAtEveryDetail) {
  for (const double zoom : {0.15, 0.35, 0.8}) {
    view_.zoomBy(zoom / view_.camera().zoom);
    EXPECT_TRUE(is_sharp(view_)) << zoom;
  }
  auto* map = must(view_.findChild<canvas::Minimap*>());
  map->resize(151, 101);
  EXPECT_TRUE(is_sharp(*map));
}

TEST_F(HiDpiCanvas, IsPaintedToItsLastPixel) {
  view_.setMapVisible(false);
  view_.setLegendVisible(false);
  view_.zoomToFit();
  const QImage picture = view_.grab().toImage();
  const QColor canvas = Theme::light().canvas;
  EXPECT_EQ(picture.pixelColor(picture.width() - 1, picture.height() - 1), canvas);
  EXPECT_EQ(picture.pixelColor(picture.width() - 1, picture.height() / 2), canvas);
}

TEST_F(HiDpiCanvas, MovesItsPictureByWholePixels) {
  view_.setMapVisible(false);
  view_.zoomBy(0.8 / view_.camera().zoom);
  view_.grab();
  for (const QPoint by : {QPoint(12, 8), QPoint(13, 7)}) {
    const QPoint from(600, 300);
    QTest::mousePress(&view_, Qt::LeftButton, {}, from);
    QMouseEvent move(QEvent::MouseMove, from + by, view_.mapToGlobal(from + by), Qt::NoButton, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&view_, &move);
    QTest::mouseRelease(&view_, Qt::LeftButton, {}, from + by);
    QTest::mouseMove(&view_, QPoint(2, 690));  // over nothing
    const QImage moved = view_.grab().toImage();
    view_.setTheme(Theme::light());  // draws everything anew
    EXPECT_LT(share_of_different(moved, view_.grab().toImage()), 0.002) << by.x();
  }
}

TEST_F(HiDpiCanvas, IsHitWhereItIsSeen) {
  const canvas::Layout& layout = *view_.layoutShown();
  for (const UnitId unit : {UnitId(0), UnitId(3)}) {
    const canvas::Rect box = layout.nodes[*layout.node_of[unit.index()]].box;
    const canvas::Point inside = view_.camera().to_view({box.right() - 1, box.bottom() - 1});
    QTest::mouseClick(&view_, Qt::LeftButton, {}, QPoint(static_cast<int>(inside.x), static_cast<int>(inside.y)));
    EXPECT_EQ(selection_.current().units, std::vector<UnitId>{unit});
  }
}

class HiDpiTimeline : public testing::Test {
 protected:
  HiDpiTimeline() {
    QObject::connect(&timeline_, &TimelineView::whyChanged, &plots_, &WhyView::setPanel);
    timeline_.resize(1001, 403);
    plots_.resize(1001, 301);
    timeline_.show();
    plots_.show();
    timeline_.setTracks(tracks_of(test::made_up_comparison()), std::nullopt);
    QCoreApplication::processEvents();
  }

  SelectionModel selection_;
  TimeAxisModel axis_;
  TimelineView timeline_{&selection_, &axis_};
  WhyView plots_{&axis_};
};

TEST_F(HiDpiTimeline, LanesStripAndPlotsAreSharp) {
  EXPECT_TRUE(is_sharp(timeline_));
  EXPECT_TRUE(is_sharp(*timeline_.overview()));
  EXPECT_TRUE(is_sharp(plots_));
}

TEST_F(HiDpiTimeline, SpansAreHitWhereTheyAreSeen) {
  const TimelineBand& band = timeline_.scene().bands()[1];
  const KernelSpan& span = timeline_.scene().span({1, 1});
  const double y = band.lane_top(span.lane, timeline_.scene().lane_height()) + timeline_.scene().lane_height() - 1;
  const QPointF at = timeline_.viewportAt({timeline_.axis().x(span.end) - 2, y});
  QTest::mouseClick(timeline_.viewport(), Qt::LeftButton, {}, at.toPoint());
  EXPECT_EQ(timeline_.currentSpan(), (SpanRef{1, 1}));
}

}  // namespace
}  // namespace iosx
