#include "views/explore/utilization/why_view.h"

#include <QImage>
#include <QScrollBar>
#include <QTest>
#include <QWheelEvent>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/figures/exporter.h"

namespace iosx {
namespace {

std::shared_ptr<Comparison> with_three_counters() {
  auto comparison = test::made_up_comparison();
  for (ScheduleResult& result : comparison->results) {
    for (const char* name : {"busy SMs", "DRAM throughput"}) {
      result.trace.counters.push_back({name, "%", 100, {Micros(0)}, {40}, "<img src=x> & more"});
      result.trace.counters.back().error = 2;
    }
  }
  return comparison;
}

class WhyViewTest : public testing::Test {
 protected:
  WhyViewTest() {
    view_.resize(1000, 600);
    axis_.setMargins(236, 26);
    axis_.setDuration(comparison_->results[0].trace.duration);
    view_.show();
    show(0, 2);
    QCoreApplication::processEvents();
  }

  void show(std::size_t baseline, std::size_t schedule) {
    const std::vector<TimelineTrack> tracks = tracks_of(comparison_);
    view_.setPanel(why_panel(WarpedTrack{tracks[baseline]}, {tracks[schedule]}));
  }
  void resize(int height) {
    view_.resize(1000, height);
    QCoreApplication::processEvents();
  }
  QPointF on_plot(std::size_t plot, Micros time) const {
    return {view_.axis().x(time), view_.places().plots[plot].center().y()};
  }

  std::shared_ptr<Comparison> comparison_ = with_three_counters();
  TimeAxisModel axis_;
  WhyView view_{&axis_};
};

TEST_F(WhyViewTest, ShowsAllPlotsAndScrollsByPlotsWhereThereIsNoRoom) {
  EXPECT_EQ(view_.places().plots.size(), 5U);
  EXPECT_EQ(view_.verticalScrollBar()->maximum(), 0);
  resize(260);
  const std::size_t fit = view_.places().plots.size();
  ASSERT_GE(fit, 1U);
  ASSERT_LT(fit, 5U);
  EXPECT_EQ(view_.verticalScrollBar()->maximum(), static_cast<int>(5 - fit));
  EXPECT_EQ(view_.axis().left, 236);
  EXPECT_NEAR(view_.axis().right(), 974, 1) << "lines up with the timeline";
  view_.verticalScrollBar()->setValue(view_.verticalScrollBar()->maximum());
  EXPECT_EQ(view_.places().plots.size(), fit);
  EXPECT_TRUE(view_.toolTipAt(on_plot(fit - 1, Micros(10))).contains("DRAM throughput"));
  resize(view_.minimumSizeHint().height());
  EXPECT_GE(view_.places().plots.size(), 1U);
  EXPECT_LE(view_.places().scale.bottom(), view_.viewport()->height());
}

TEST_F(WhyViewTest, TellsValuesUnderThePointer) {
  const QString in_flight = view_.toolTipAt(on_plot(0, Micros(12)));
  EXPECT_TRUE(in_flight.contains("Sequential: 1 at 12.0 \u00B5s") || in_flight.contains("Sequential: 1.00 at"))
      << in_flight.toStdString();
  EXPECT_TRUE(view_.toolTipAt(on_plot(1, comparison_->results[2].trace.duration)).contains("100 %"));
  const QString counter = view_.toolTipAt(on_plot(3, Micros(12)));
  EXPECT_TRUE(counter.contains("40 %")) << counter.toStdString();
  EXPECT_TRUE(counter.contains("IOS-Both: mean 40 %, standard error 2.0 %")) << counter.toStdString();
  EXPECT_TRUE(counter.contains("&lt;img")) << "names are no markup: " << counter.toStdString();
  const QRectF bar = view_.places().bars.front();
  const QString none = view_.toolTipAt({view_.axis().left + 2, bar.center().y()});
  EXPECT_TRUE(none.contains("Sequential: 0 kernels in flight for")) << none.toStdString();
  const QString whole = view_.toolTipAt({20, bar.center().y()});
  EXPECT_TRUE(whole.contains("0 kernels") && whole.contains("1 kernels")) << whole.toStdString();
}

TEST_F(WhyViewTest, SharesTheAxis) {
  const QPoint at(500, static_cast<int>(view_.places().plots[0].center().y()));
  const Micros before = view_.axis().time(at.x());
  const auto wheel = [&](QPoint where) {
    QWheelEvent event(where, view_.viewport()->mapToGlobal(where), {}, {0, 120}, Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(view_.viewport(), &event);
  };
  wheel(at);
  EXPECT_LT(axis_.visible().length(), axis_.extent().length());
  EXPECT_NEAR(view_.axis().time(at.x()).count(), before.count(), 1e-6);
  const TimeRange zoomed = axis_.visible();
  wheel({30, at.y()});
  EXPECT_EQ(axis_.visible(), zoomed) << "over the texts it scrolls";
  QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, at);
  ASSERT_TRUE(axis_.playhead());
  EXPECT_NEAR(axis_.playhead()->count(), view_.axis().time(at.x()).count(), 1e-6);
  const auto drag = [&](Qt::KeyboardModifiers modifiers) {
    QTest::mousePress(view_.viewport(), Qt::LeftButton, modifiers, at);
    for (const int by : {60, 120}) {
      const QPoint to = at + QPoint(by, 0);
      QMouseEvent move(QEvent::MouseMove, to, view_.viewport()->mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                       modifiers);
      QCoreApplication::sendEvent(view_.viewport(), &move);
    }
    QTest::mouseRelease(view_.viewport(), Qt::LeftButton, modifiers, at + QPoint(120, 0));
  };
  drag({});
  ASSERT_TRUE(axis_.measure());
  EXPECT_NEAR(axis_.measure()->range().length().count(), view_.axis().duration(120).count(), 1e-6);
  drag(Qt::ControlModifier);
  EXPECT_LT(axis_.visible().begin, zoomed.begin);
}

// The curves have the accent's colour, the bars do not; marks are drawn over the still picture.
TEST_F(WhyViewTest, PaintsTheScheduleInTheAccentInBothPalettes) {
  for (const Theme& theme : {Theme::light(), Theme::darkTheme()}) {
    view_.setTheme(theme);
    const QImage picture = view_.viewport()->grab().toImage();
    const auto accented = [&](const QRectF& row) {
      int near = 0;
      for (int y = static_cast<int>(row.top()); y < static_cast<int>(row.bottom()); ++y) {
        for (int x = 240; x < picture.width(); ++x) {
          const QColor own = picture.pixelColor(x, y);
          const int hue = std::abs(own.hue() - theme.accent.hue());
          near += own.saturation() > 60 && std::min(hue, 360 - hue) < 14 ? 1 : 0;
        }
      }
      return near;
    };
    for (const std::size_t plot : {0U, 1U, 2U}) EXPECT_GT(accented(view_.places().plots[plot]), 200) << plot;
    EXPECT_LT(accented(view_.places().bars[1]), 20) << "grey, the same ramp for both";
  }
  const QImage before = view_.viewport()->grab().toImage();
  axis_.setPlayhead(Micros(30));
  EXPECT_NE(view_.viewport()->grab().toImage(), before);
  axis_.setPlayhead(std::nullopt);
  EXPECT_EQ(view_.viewport()->grab().toImage(), before);
}

TEST_F(WhyViewTest, ItsFigureHasEveryPlotAndItsNumbers) {
  const auto figure = view_.figure();
  ASSERT_TRUE(figure);
  EXPECT_TRUE(figure->title().startsWith("Why it is faster: ")) << figure->title().toStdString();
  for (const FigureFormat format : kFigureFormats) EXPECT_GT(must(render_figure(*figure, format)).size(), 200);
  const QString csv = figure->csv();
  EXPECT_TRUE(csv.startsWith("schedule,origin,quantity,begin_us,end_us,value\n")) << csv.left(80).toStdString();
  for (const char* quantity : {"time_with_0_in_flight_us", "kernels_in_flight", "share_of_work_done",
                               "active_warps_share", "busy_SMs_share", "DRAM_throughput_share"}) {
    EXPECT_TRUE(csv.contains(QStringLiteral("Sequential,simulated,%1,").arg(QLatin1String(quantity)))) << quantity;
  }
  // A narrow one is higher: its sentences have more lines.
  EXPECT_GT(figure->sizeWithin(320).height(), figure->size().height());
  view_.setPanel(nullptr);
  EXPECT_EQ(view_.figure(), nullptr);
  EXPECT_FALSE(view_.grab().isNull());
}

}  // namespace
}  // namespace iosx
