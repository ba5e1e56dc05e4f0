#include "views/explore/timeline/idle_machine.h"
#include "core/analysis/compare/why.h"

#include <QImage>
#include <QTest>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/explore/timeline/timeline_figure.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/text/latency_text.h"

namespace iosx {
namespace {

StepSeries steps(std::vector<double> values) {
  std::vector<Micros> times;
  for (std::size_t i = 0; i < values.size(); ++i) times.emplace_back(static_cast<double>(i));
  const Micros end(static_cast<double>(values.size()));
  return {std::move(times), std::move(values), end};
}

TEST(UsefulTop, LeavesShortPeaksOut) {
  std::vector<double> values(100, 0.03);
  const StepSeries level = steps(values);
  EXPECT_DOUBLE_EQ(useful_top({&level}), 0.05);
  for (std::size_t i = 0; i < 4; ++i) values[20 * i] = 0.9;  // a twenty-fifth of the time
  const StepSeries peaks = steps(values);
  EXPECT_DOUBLE_EQ(useful_top({&peaks}), 0.1) << "above the mean, which they raise";
  for (std::size_t i = 0; i < 20; ++i) values[5 * i] = 0.9;  // a fifth of it
  const StepSeries often = steps(values);
  EXPECT_DOUBLE_EQ(useful_top({&often}), 1);
  EXPECT_DOUBLE_EQ(useful_top({&level, &often}), 1) << "of both";
  const StepSeries idle = steps(std::vector<double>(10, 0));
  EXPECT_DOUBLE_EQ(useful_top({&idle}), 0.01);
}

class IdleMachineTest : public testing::Test {
 protected:
  IdleMachineTest() {
    view_.resize(1200, 700);
    view_.show();
    view_.setTracks(tracks_of(comparison_), 2);
  }
  double mean_share(std::size_t result) const {
    const Trace& trace = comparison_->results[result].trace;
    return trace.counters.front().mean(Micros(0), trace.duration) / trace.counters.front().peak;
  }

  std::shared_ptr<Comparison> comparison_ = test::made_up_comparison();
  SelectionModel selection_;
  TimeAxisModel axis_;
  TimelineView view_{&selection_, &axis_};
};

TEST_F(IdleMachineTest, HoldsBothRunsAsSharesAndSaysWhyOneIsFaster) {
  ASSERT_TRUE(view_.idleMachine());
  const IdleMachine& machine = *view_.idleMachine();
  EXPECT_NEAR(machine.schedule.mean, mean_share(2), 1e-12);
  ASSERT_TRUE(machine.baseline);
  EXPECT_EQ(machine.baseline->track, 0U);
  EXPECT_NEAR(machine.baseline->mean, mean_share(0), 1e-12);
  const auto because = why(comparison_->results[0].trace, comparison_->results[2].trace);
  ASSERT_TRUE(because);
  EXPECT_EQ(machine.title, "Why it is faster");
  EXPECT_EQ(machine.sentence.toStdString(), why_text(*because).text());
  EXPECT_EQ(machine.caption, "active warps, % of 5,120");
  EXPECT_EQ(machine.origin, comparison_->results[2].latency.origin);
  EXPECT_TRUE(view_.accessibleName().contains(machine.sentence));
  for (const double value : machine.schedule.share.values()) EXPECT_LE(value, 1);
}

TEST_F(IdleMachineTest, ColumnsAverageToTheMeans) {
  const IdleMachine& machine = *view_.idleMachine();
  const TimeAxis axis{{Micros(0), view_.scene().duration()}, 236, 900};
  double schedule = 0;
  double baseline = 0;
  for (const IdleColumn& column : idle_columns(machine, view_.scene(), axis)) {
    EXPECT_GE(column.right, column.left);
    // A column in which the run ends is averaged over what is left of it.
    const double own = std::min(column.right, axis.x(comparison_->results[2].trace.duration)) - column.left;
    schedule += column.schedule * axis.duration(std::max(own, 0.0)).count();
    baseline += column.baseline * axis.duration(column.right - column.left).count();
  }
  EXPECT_NEAR(schedule / comparison_->results[2].trace.duration.count(), machine.schedule.mean, 1e-3);
  EXPECT_NEAR(baseline / comparison_->results[0].trace.duration.count(), machine.baseline->mean, 1e-3);
}

TEST_F(IdleMachineTest, OfTheBaselineItselfSaysWhatIsIdle) {
  view_.setActiveTrack(0);
  ASSERT_TRUE(view_.idleMachine());
  EXPECT_FALSE(view_.idleMachine()->baseline);
  EXPECT_EQ(view_.idleMachine()->title, "Use of the device");
  EXPECT_EQ(view_.idleMachine()->sentence.toStdString(),
            ("Sequential leaves " + percent_text(1 - mean_share(0)) + " of the warps idle").toStdString());
}

TEST_F(IdleMachineTest, SaysWhyAScheduleIsSlower) {
  view_.setTracks(tracks_of(comparison_), 0);
  view_.setBaseline(2);
  EXPECT_EQ(view_.idleMachine()->title, "Why it is slower");
}

TEST_F(IdleMachineTest, IsOfCoresOnAProcessorAndSaysSo) {
  for (ScheduleResult& result : comparison_->results) {
    Counter& counter = result.trace.counters.front();
    counter.name = "busy cores";
    counter.unit = "cores";
    counter.peak = 2;
    for (double& value : counter.values) value /= 1600;
    result.latency.origin = Origin::kMeasured;
  }
  view_.setTracks({}, std::nullopt);
  view_.setTracks(tracks_of(comparison_), 2);
  ASSERT_TRUE(view_.idleMachine());
  EXPECT_EQ(view_.idleMachine()->caption, "no warps here: busy cores, % of 2");
  EXPECT_EQ(view_.idleMachine()->origin, Origin::kMeasured);
}

TEST_F(IdleMachineTest, IsNotThereWhereNothingIsCounted) {
  for (ScheduleResult& result : comparison_->results) result.trace.counters.clear();
  view_.setTracks({}, std::nullopt);
  EXPECT_FALSE(view_.idleMachine());
  view_.setTracks(tracks_of(comparison_), 2);
  EXPECT_FALSE(view_.idleMachine());
  EXPECT_TRUE(view_.idleArea().isEmpty());
  EXPECT_FALSE(view_.grab().isNull());
}

TEST_F(IdleMachineTest, OpensAtAReadableHeightAndFoldsToItsSentence) {
  EXPECT_GE(view_.idleArea().height(), 76);
  const double open = view_.idleArea().height();
  QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, QPoint(20, static_cast<int>(view_.idleArea().top()) + 8));
  EXPECT_FALSE(view_.idleOpen());
  EXPECT_LT(view_.idleArea().height(), 30);
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_I);
  EXPECT_EQ(view_.idleArea().height(), open);
  // The tracks end above it: a click on it is none on them.
  const QPoint inside(600, static_cast<int>(view_.idleArea().center().y()));
  EXPECT_EQ(view_.hitAt(inside).kind, TimelineHit::Kind::kNothing);
  QTest::mouseClick(view_.viewport(), Qt::LeftButton, {},
                    QPoint(static_cast<int>(view_.axis().x(Micros(10))), inside.y()));
  EXPECT_EQ(selection_.current().schedule, comparison_->results[2].id);
  EXPECT_EQ(selection_.current().stage, 0U);
  EXPECT_TRUE(view_.toolTipAt(inside).contains("IOS-Both"));
  // A low panel leaves its room to the tracks.
  view_.resize(1200, 200);
  EXPECT_LT(view_.idleArea().height(), 30);
}

TEST_F(IdleMachineTest, IsPartOfTheFigure) {
  const auto with = view_.figure();
  const QString csv = with->csv();
  EXPECT_TRUE(csv.section(QLatin1Char('\n'), 0, 0).contains("in_use_percent"));
  EXPECT_TRUE(csv.contains("mean of active warps"));
  const double height = with->size().height();
  view_.setIdleOpen(false);
  EXPECT_LT(view_.figure()->size().height(), height) << "what is on screen";
  EXPECT_FALSE(view_.figure()->csv().contains("in_use_percent"));
}

TEST_F(IdleMachineTest, IsPaintedInTheColourOfWhatIsInFocus) {
  const Theme theme = Theme::light();
  view_.setTheme(theme);
  const QImage picture = view_.viewport()->grab(view_.idleArea().toRect()).toImage();
  const QColor color = theme.accent;
  int near = 0;
  for (int y = 24; y < picture.height(); ++y) {
    for (int x = 240; x < picture.width(); ++x) {
      const QColor own = picture.pixelColor(x, y);
      const int hue = std::abs(own.hue() - color.hue());
      near += own.saturation() > 60 && std::min(hue, 360 - hue) < 12 ? 1 : 0;
    }
  }
  EXPECT_GT(near, 1000) << "what it fills of the idle machine is shaded";
}

}  // namespace
}  // namespace iosx
