// Tracks of several runs, what is pinned, aligned, measured and played.

#include <QSignalSpy>
#include <QTest>
#include <QtWidgets>

#include "tests/support/made_up_comparison.h"
#include "tests/support/prelude.h"
#include "views/explore/timeline/playhead_player.h"
#include "views/explore/timeline/span_text.h"
#include "views/explore/timeline/timeline_view.h"
#include "views/text/stage_text.h"

namespace iosx {
namespace {

class TimelineTracksTest : public testing::Test {
 protected:
  TimelineTracksTest() {
    view_.resize(1200, 500);
    view_.show();
  }
  // Two runs of one network, the second slower and in three parts, called "batch 32".
  std::vector<TimelineTrack> two_runs() {
    std::vector<TimelineTrack> tracks = tracks_of(first_);
    second_->graph = std::make_shared<const Graph>(second_->graph->with_parts(
        {{"stem", {UnitId(0)}}, {"fork", {UnitId(1), UnitId(2), UnitId(3)}}, {"join", {UnitId(4)}}}));
    for (TimelineTrack track : tracks_of(second_)) {
      track.title = track.schedule().title().c_str() + QStringLiteral(", batch 32");
      track.run = "b32";
      tracks.push_back(track);
    }
    return tracks;
  }
  QPoint on_viewport(double x, double content_y) const { return view_.viewportAt({x, content_y}).toPoint(); }
  QPoint strip_point(std::size_t band, std::size_t stage) const {
    const TimelineBand& own = view_.scene().bands()[band];
    const TimeRange span = own.index->stages()[stage];
    return on_viewport(view_.axis().x((span.begin + span.end) / 2), own.strip_top() + 5);
  }
  void click(QPoint at) { QTest::mouseClick(view_.viewport(), Qt::LeftButton, {}, at); }
  void drag(QPoint from, QPoint to) {
    QTest::mousePress(view_.viewport(), Qt::LeftButton, {}, from);
    for (const QPoint at : {from + (to - from) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, at, view_.viewport()->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
      QCoreApplication::sendEvent(view_.viewport(), &move);
    }
    QTest::mouseRelease(view_.viewport(), Qt::LeftButton, {}, to);
  }

  std::shared_ptr<Comparison> first_ = test::made_up_comparison();
  std::shared_ptr<Comparison> second_ = test::made_up_comparison();
  SelectionModel selection_;
  TimeAxisModel axis_;
  TimelineView view_{&selection_, &axis_};
};

TEST_F(TimelineTracksTest, TheTrackThatBecomesActiveIsScrolledIntoView) {
  const auto in_view = [this](std::size_t track) {
    const TimelineBand& band = *view_.scene().band_of(track);
    const double top = TimelinePainter::kRulerHeight + view_.scene().pinned_height();
    if (band.bottom() <= view_.scene().pinned_height()) return true;
    return view_.viewportAt({0, band.top}).y() >= top &&
           view_.viewportAt({0, band.top}).y() + band.height <= top + view_.verticalScrollBar()->pageStep();
  };
  view_.resize(1200, 195);  // room for the baseline, one track and a half
  view_.setTracks(tracks_of(first_), 2);
  ASSERT_GT(view_.verticalScrollBar()->maximum(), 0);
  EXPECT_TRUE(in_view(2));
  view_.setActiveTrack(0);
  EXPECT_TRUE(in_view(0));
  view_.setActiveTrack(2);
  EXPECT_TRUE(in_view(2));
  view_.resize(1200, 190);
  EXPECT_TRUE(in_view(2));
  // Where the user has scrolled to stays when the same tracks come again.
  view_.verticalScrollBar()->setValue(0);
  view_.setTracks(tracks_of(first_), 2);
  EXPECT_EQ(view_.verticalScrollBar()->value(), 0);
  view_.resize(1200, 195);
  view_.setPinned(0, true);
  ASSERT_GT(view_.scene().pinned_height(), 0);
  view_.setActiveTrack(1);
  view_.setActiveTrack(2);
  EXPECT_TRUE(in_view(2));
}

TEST_F(TimelineTracksTest, TheBaselineIsALineThatIsAlwaysInSight) {
  for (const QSize size : {QSize(1200, 500), QSize(900, 240)}) {
    view_.resize(size);
    view_.setTracks(tracks_of(first_), 2);
    QCoreApplication::processEvents();
    ASSERT_EQ(view_.scene().bands().size(), 3U);
    const TimelineBand& baseline = view_.scene().bands()[0];
    EXPECT_EQ(baseline.track, 0U);
    EXPECT_TRUE(baseline.pinned);
    EXPECT_TRUE(baseline.collapsed);
    EXPECT_LE(baseline.height, TimelineScene::kMaxLaneHeight);
    EXPECT_EQ(view_.scene().pinned_height(), baseline.bottom());
    view_.verticalScrollBar()->setValue(view_.verticalScrollBar()->maximum());
    EXPECT_EQ(view_.viewportAt({0, baseline.top}).y(), TimelinePainter::kRulerHeight) << "it does not scroll";
    // Its kernels are seen: several colours in the line.
    const int y = static_cast<int>(TimelinePainter::kRulerHeight + baseline.folded_top(0) + 5);
    const QImage line = view_.viewport()->grab(QRect(236, y, view_.width() - 300, 1)).toImage();
    std::set<QRgb> colours;
    for (int x = 0; x < line.width(); ++x) colours.insert(line.pixel(x, 0));
    EXPECT_GE(colours.size(), 3U);
    // The active one is next, and open; the others are lines.
    EXPECT_EQ(view_.scene().bands()[1].track, 2U);
    EXPECT_FALSE(view_.scene().bands()[1].collapsed);
    EXPECT_TRUE(view_.scene().bands()[2].collapsed);
    view_.setTracks({}, std::nullopt);
  }
}

TEST_F(TimelineTracksTest, OneClickUnfoldsALine) {
  view_.setTracks(tracks_of(first_), 2);
  click(on_viewport(30, view_.scene().bands()[2].top + 10));
  EXPECT_FALSE(view_.tracks().collapsed(1));
  click(on_viewport(16, view_.scene().bands()[2].top + 10));
  EXPECT_TRUE(view_.tracks().collapsed(1));
  // What becomes active opens, what was active is a line again.
  view_.setActiveTrack(1);
  EXPECT_FALSE(view_.tracks().collapsed(1));
  EXPECT_TRUE(view_.tracks().collapsed(2));
  // A click on a folded stage selects it.
  click(strip_point(0, 1));
  EXPECT_EQ(selection_.current().schedule, ScheduleId("sequential"));
  EXPECT_EQ(selection_.current().stage, 1U);
}

TEST_F(TimelineTracksTest, WhatIsNotShownIsALineThatUnfolds) {
  view_.setTracks(tracks_of(test::made_up_twins()), 2);
  EXPECT_EQ(view_.scene().hidden(), 1U);
  ASSERT_TRUE(view_.scene().has_more());
  const auto row = [this] { return on_viewport(60, view_.scene().more_top() + 8); };
  EXPECT_EQ(view_.hitAt(row()).kind, TimelineHit::Kind::kMore);
  EXPECT_TRUE(view_.toolTipAt(row()).contains("IOS-Both 2"));
  click(row());
  EXPECT_EQ(view_.scene().bands().size(), 4U);
  EXPECT_TRUE(view_.scene().bands().back().collapsed);
  EXPECT_TRUE(view_.scene().more_opened());
  click(row());
  EXPECT_EQ(view_.scene().bands().size(), 3U);
  EXPECT_EQ(view_.scene().hidden(), 1U);
  // Where all are shown there is no such line.
  view_.setShown(3, true);
  EXPECT_FALSE(view_.scene().has_more());
}

TEST_F(TimelineTracksTest, ABaselineOfAnotherRunIsPinnedToo) {
  view_.setTracks(two_runs(), 5);
  EXPECT_EQ(view_.tracks().baseline(), 3U);  // sequential of its run
  view_.setBaseline(1);
  EXPECT_EQ(view_.scene().bands()[0].track, 1U);
  EXPECT_TRUE(view_.scene().bands()[0].collapsed);
  view_.setShown(1, false);
  EXPECT_EQ(view_.scene().bands()[0].track, 1U) << "it is always shown";
  view_.setBaseline(std::nullopt);
  EXPECT_EQ(view_.scene().bands()[0].track, 3U);
  view_.setBaseline(77);  // what is no track is none
  EXPECT_EQ(view_.tracks().baseline(), 3U);
}

TEST_F(TimelineTracksTest, AnyRunsAreShownAndTheActiveOneAndTheBaselineAlways) {
  view_.setTracks(two_runs(), 4);
  EXPECT_EQ(view_.tracks().shown_tracks(), (std::vector<std::size_t>{3, 4, 5}));  // those of its run
  view_.setShown(2, true);
  view_.setShown(3, false);
  view_.setShown(5, false);
  view_.setShown(4, false);
  EXPECT_EQ(view_.tracks().shown_tracks(), (std::vector<std::size_t>{3, 4, 2}));
  const auto checkable = [&] {
    std::vector<QAction*> actions;
    for (QAction* action : view_.tracksMenu()->actions()) {
      if (action->isCheckable()) actions.push_back(action);
    }
    return actions;
  };
  ASSERT_EQ(checkable().size(), 6U);
  EXPECT_FALSE(checkable()[4]->isEnabled());
  EXPECT_TRUE(checkable()[4]->isChecked());
  EXPECT_TRUE(checkable()[4]->text().contains("Greedy, batch 32"));
  checkable()[0]->trigger();
  QCoreApplication::processEvents();
  EXPECT_EQ(view_.tracks().shown_tracks(), (std::vector<std::size_t>{3, 4, 0, 2}));
  // What was chosen is kept when a run comes or goes.
  std::vector<TimelineTrack> fewer = two_runs();
  fewer.erase(fewer.begin());
  view_.setTracks(fewer, 3);
  EXPECT_EQ(view_.tracks().shown_tracks(), (std::vector<std::size_t>{2, 3, 1}));
}

TEST_F(TimelineTracksTest, HeadersSayOnlyWhatTellsTheShownTracksApart) {
  std::vector<TimelineTrack> tracks = two_runs();
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    tracks[i].distinctions = {i < 3 ? QStringLiteral("one") : QStringLiteral("other"), QStringLiteral("V100"),
                              i < 3 ? QStringLiteral("batch 1") : QStringLiteral("batch 32")};
  }
  tell_apart(tracks);
  EXPECT_EQ(tracks[0].name().toStdString(), "Sequential, one, batch 1");
  tracks[3].distinctions[0] = QStringLiteral("one");
  tell_apart(tracks);
  view_.setTracks(tracks, 1);
  const auto headers = [&] {
    QStringList names;
    for (const WarpedTrack& track : view_.tracks().on_axis().tracks) names << track.track.name();
    return names;
  };
  ASSERT_TRUE(headers().contains("Sequential")) << headers().join(QLatin1Char('|')).toStdString();
  EXPECT_FALSE(headers().join(QString()).contains(QLatin1Char(',')));  // one run: nothing else is to be said
  EXPECT_EQ(view_.scene().tracks()[3].name().toStdString(), "Sequential, one, batch 32");  // the menu lists all
  view_.setShown(3, true);
  EXPECT_TRUE(headers().contains("Sequential, batch 32")) << headers().join(QLatin1Char('|')).toStdString();
}

TEST_F(TimelineTracksTest, WhatIsChosenInTheMenuMayBeGoneAMomentLater) {
  view_.setTracks(two_runs(), 1);
  view_.tracksMenu()->actions().back()->trigger();
  view_.setTracks({}, {});
  QCoreApplication::processEvents();
  EXPECT_TRUE(view_.tracks().tracks().empty());
}

TEST_F(TimelineTracksTest, AStageOfAnotherRunIsOfferedBeforeItIsSelected) {
  view_.setTracks(two_runs(), 1);
  view_.setShown(4, true);
  QSignalSpy turned(&view_, &TimelineView::trackActivated);
  // Whoever keeps the runs does not follow: only the units are selected.
  const auto band = static_cast<std::size_t>(view_.scene().band_of(4) - view_.scene().bands().data());
  click(strip_point(band, 1));
  ASSERT_EQ(turned.size(), 1);
  EXPECT_EQ(turned[0][0].value<std::size_t>(), 4U);
  EXPECT_EQ(selection_.current().units.size(), 3U);
  EXPECT_FALSE(selection_.current().stage);
  // Or makes it the active run: then the stage is.
  QObject::connect(&view_, &TimelineView::trackActivated, &view_,
                   [this](std::size_t track) { view_.setActiveTrack(track); });
  click(strip_point(static_cast<std::size_t>(view_.scene().band_of(4) - view_.scene().bands().data()), 1));
  EXPECT_EQ(selection_.current().stage, 1U);
  EXPECT_EQ(selection_.current().schedule, ScheduleId("greedy"));
}

// Whoever keeps the runs brings the tracks in another order: the same one is selected all the same.
TEST_F(TimelineTracksTest, AStageOfAnotherRunIsFoundAgainAmongNewTracks) {
  view_.setTracks(two_runs(), 1);
  view_.setShown(4, true);
  QObject::connect(&view_, &TimelineView::trackActivated, &view_, [this] {
    std::vector<TimelineTrack> tracks = view_.tracks().tracks();
    std::rotate(tracks.begin(), tracks.begin() + 3, tracks.end());
    view_.setTracks(tracks, 1);
  });
  click(strip_point(static_cast<std::size_t>(view_.scene().band_of(4) - view_.scene().bands().data()), 1));
  EXPECT_EQ(selection_.current().stage, 1U);
  EXPECT_EQ(selection_.current().schedule, ScheduleId("greedy"));
  EXPECT_EQ(view_.currentSpan()->track, 1U);
  EXPECT_EQ(view_.tracks().tracks()[1].run, "b32");
}

TEST_F(TimelineTracksTest, ZGivesASelectedStageMostOfTheAxis) {
  view_.setTracks(tracks_of(first_), std::nullopt);
  for (const std::size_t band : {0U, 1U, 2U}) {
    axis_.fitAll();
    click(strip_point(band, 1));
    QTest::keyClick(&view_, Qt::Key_Z);
    const StageSpan stage = first_->results[band].trace.stages[1];
    EXPECT_GT((stage.end - stage.begin) / axis_.visible().length(), 0.8) << band;
    EXPECT_TRUE(axis_.visible().contains(stage.begin));
    EXPECT_TRUE(axis_.visible().contains(stage.end));
  }
}

TEST_F(TimelineTracksTest, PinnedTracksStayAtTheTop) {
  view_.resize(1200, 230);
  view_.setTracks(two_runs(), 0);
  for (const std::size_t track : {3U, 4U, 5U}) view_.setShown(track, true);
  QCoreApplication::processEvents();
  ASSERT_GT(view_.verticalScrollBar()->maximum(), 0);
  // The pin of the second header, which a line has only once it is pinned.
  view_.setCollapsed(1, false);
  const TimelineBand& second = view_.scene().bands()[1];
  ASSERT_EQ(second.track, 1U);
  click(on_viewport(15, second.strip_top() + 25));
  EXPECT_TRUE(view_.tracks().pinned(1));
  view_.setCollapsed(1, true);
  EXPECT_EQ(view_.scene().bands()[1].track, 1U) << "below the baseline";
  const double pinned = view_.scene().pinned_height();
  EXPECT_EQ(pinned, view_.scene().bands()[1].bottom());
  const auto top = [&](int y) { return view_.viewport()->grab(QRect(230, 24, 300, y)).toImage(); };
  const int above = static_cast<int>(pinned) - 4;
  const QImage before = top(above);
  const QImage below = top(above + 60);
  view_.verticalScrollBar()->setValue(view_.verticalScrollBar()->maximum());
  EXPECT_EQ(top(above), before);
  EXPECT_NE(top(above + 60), below);
  // A click there hits it, wherever the rest has been scrolled to.
  click(strip_point(1, 1));
  EXPECT_EQ(selection_.current().schedule, ScheduleId("greedy"));
  EXPECT_EQ(view_.contentAt({500, TimelinePainter::kRulerHeight + 5}).y(), 5);
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_P);
  EXPECT_FALSE(view_.tracks().pinned(1));
}

TEST_F(TimelineTracksTest, PartsAreAlignedAndGapsSaid) {
  std::vector<TimelineTrack> tracks = two_runs();
  view_.setTracks(tracks, 3);  // of the graph with three parts
  const Micros before = axis_.duration();
  QSignalSpy spy(&view_, &TimelineView::shownTracksChanged);
  view_.setAligned(true);
  ASSERT_EQ(spy.size(), 1);
  EXPECT_FALSE(qvariant_cast<TracksOnAxis>(spy[0][0]).tracks[1].warp.pieces.empty());
  const auto begin = [&](std::size_t band, std::size_t stage) {
    return view_.scene().bands()[band].index->stages()[stage].begin.count();
  };
  EXPECT_NEAR(begin(0, 4), begin(1, 2), 1e-9);  // where the join begins
  EXPECT_NEAR(begin(0, 4), begin(2, 2), 1e-9);
  EXPECT_EQ(axis_.duration(), before);  // sequential is the slowest in every part
  const TimelineBand& greedy = view_.scene().bands()[1];
  ASSERT_EQ(greedy.index->warp().gaps().size(), 1U);
  const TimeRange gap = greedy.index->warp().gaps()[0];
  const QPoint at = on_viewport(view_.axis().x((gap.begin + gap.end) / 2), greedy.lane_top(0, 10));
  EXPECT_TRUE(view_.toolTipAt(at).contains("earlier")) << view_.toolTipAt(at).toStdString();
  click(strip_point(1, 2));  // hits go by what is drawn
  EXPECT_EQ(selection_.current().stage, 2U);
  view_.setAligned(false);
  EXPECT_NE(begin(0, 4), begin(1, 2));
}

TEST_F(TimelineTracksTest, ADragShowsStatisticsThatCanBeCopied) {
  view_.setTracks(tracks_of(first_), std::nullopt);
  EXPECT_FALSE(view_.rangePanel()->isVisible());
  EXPECT_EQ(view_.statisticsFigure(), nullptr);
  drag({400, 200}, {700, 200});
  ASSERT_TRUE(view_.measure());
  ASSERT_TRUE(view_.rangePanel()->isVisible());
  EXPECT_TRUE(view_.viewport()->rect().contains(view_.rangePanel()->geometry()));
  EXPECT_EQ(view_.rangePanel()->table().runs().size(), 3U);
  EXPECT_EQ(view_.rangePanel()->table().shown(), view_.measure()->range());
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_C, Qt::ControlModifier);
  EXPECT_EQ(QGuiApplication::clipboard()->text(), view_.rangePanel()->table().tab_separated());
  ASSERT_NE(view_.statisticsFigure(), nullptr);
  EXPECT_EQ(view_.statisticsFigure()->csv(), view_.rangePanel()->table().csv());
  EXPECT_TRUE(view_.figure()->csv().left(300).contains("in_range_us"));
  // Fewer schedules, fewer columns.
  view_.setShown(0, false);
  EXPECT_EQ(view_.rangePanel()->table().runs().size(), 2U);
  QTest::keyClick(&view_, Qt::Key_Escape);
  EXPECT_FALSE(view_.rangePanel()->isVisible());
}

TEST_F(TimelineTracksTest, ThePlayheadSaysWhatRuns) {
  view_.setTracks(tracks_of(first_), 1);  // greedy: a, b and c side by side
  std::vector<std::vector<UnitId>> told;
  QObject::connect(&view_, &TimelineView::runningChanged, &view_,
                   [&](const std::vector<UnitId>& units) { told.push_back(units); });
  const KernelSpan& a = first_->results[1].trace.kernels[1];
  axis_.setPlayhead(a.begin + Micros(1));
  EXPECT_EQ(view_.runningUnits(), (std::vector<UnitId>{UnitId(1), UnitId(2), UnitId(3)}));
  axis_.setPlayhead(a.begin + Micros(2));
  EXPECT_EQ(told.size(), 1U);  // nothing else runs now
  view_.setActiveTrack(0);     // sequential is elsewhere by then
  EXPECT_EQ(view_.runningUnits().size(), 1U);
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_Escape);
  EXPECT_TRUE(view_.runningUnits().empty());
  EXPECT_FALSE(axis_.playhead());
}

TEST_F(TimelineTracksTest, AMeasuredRangeSaysWhatRunsInIt) {
  view_.setTracks(tracks_of(first_), 1);  // greedy: a, b and c side by side
  std::vector<UnitId> told;
  QObject::connect(&view_, &TimelineView::measuredChanged, &view_,
                   [&](const std::vector<UnitId>& units) { told = units; });
  const KernelSpan& a = first_->results[1].trace.kernels[1];
  axis_.setMeasure(TimeMeasure{a.end, a.begin});
  EXPECT_EQ(told, (std::vector<UnitId>{UnitId(1), UnitId(2), UnitId(3)}));
  axis_.setMeasure(TimeMeasure{Micros(0), a.begin});
  EXPECT_EQ(told, std::vector<UnitId>{UnitId(0)});  // what begins at its end is not in it
  EXPECT_LT(view_.measuredUnits(0).size(), 3U);     // sequential
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_Escape);
  EXPECT_TRUE(told.empty());
}

TEST_F(TimelineTracksTest, ThePlayheadIsMovedByMouseAndKeysAndPlayed) {
  view_.setTracks(tracks_of(first_), 0);
  view_.setFocus();
  const Micros edge = first_->results[0].trace.kernels[2].begin;
  const auto x = [&](Micros time) { return static_cast<int>(view_.axis().x(time)); };
  drag({x(Micros(10)), 10}, {x(edge) + 2, 10});
  EXPECT_EQ(axis_.playhead(), edge);
  EXPECT_FALSE(view_.measure());
  EXPECT_TRUE(selection_.current().empty());
  QTest::keyClick(&view_, Qt::Key_Right, Qt::ShiftModifier);
  EXPECT_EQ(axis_.playhead(), first_->results[0].trace.kernels[2].end);
  QTest::keyClick(&view_, Qt::Key_Left, Qt::ShiftModifier);
  EXPECT_EQ(axis_.playhead(), edge);
  const QImage still = view_.viewport()->grab().toImage();
  QTest::keyClick(&view_, Qt::Key_Space);
  EXPECT_TRUE(view_.player()->playing());
  view_.player()->advance(Seconds(0.5));
  EXPECT_NEAR((*axis_.playhead() - edge).count(), axis_.visible().length().count() / 16,
              axis_.visible().length().count() / 100);
  EXPECT_NE(view_.viewport()->grab().toImage(), still);
  QTest::keyClick(&view_, Qt::Key_Space);
  EXPECT_FALSE(view_.player()->playing());
  // At the end it stops, and starts again from the front.
  view_.player()->play();
  view_.player()->advance(Seconds(60));
  EXPECT_EQ(axis_.playhead(), axis_.duration());
  EXPECT_FALSE(view_.player()->playing());
  view_.player()->play();
  EXPECT_EQ(axis_.playhead(), Micros(0));
  view_.hide();
  EXPECT_FALSE(view_.player()->playing());
}

TEST_F(TimelineTracksTest, PlayingMovesWhatIsVisibleAndIsSlowerTheCloserOneLooks) {
  EXPECT_EQ(played(Micros(10), {Micros(0), Micros(80)}, Seconds(1), Micros(1000)), Micros(20));
  EXPECT_EQ(played(Micros(10), {Micros(10), Micros(18)}, Seconds(1), Micros(1000)), Micros(11));
  EXPECT_EQ(played(Micros(10), {Micros(0), Micros(80)}, Seconds(100), Micros(30)), Micros(30));
  view_.setTracks(tracks_of(first_), 0);
  axis_.setVisible({Micros(20), Micros(40)});
  view_.player()->play();
  EXPECT_EQ(axis_.playhead(), axis_.visible().begin);
  view_.player()->advance(Seconds(9));
  EXPECT_TRUE(axis_.visible().contains(*axis_.playhead()));
  EXPECT_GT(axis_.visible().begin, Micros(30));
}

TEST_F(TimelineTracksTest, HoveringLeavesThePictureAsItIs) {
  view_.setTracks(tracks_of(first_), std::nullopt);
  const QImage before = view_.viewport()->grab().toImage();
  QTest::mouseMove(view_.viewport(), {600, 150});
  QMouseEvent move(QEvent::MouseMove, QPointF(640, 150), view_.viewport()->mapToGlobal(QPointF(640, 150)), Qt::NoButton,
                   Qt::NoButton, {});
  QCoreApplication::sendEvent(view_.viewport(), &move);
  const QImage hovered = view_.viewport()->grab().toImage();
  EXPECT_NE(hovered, before);
  int columns = 0;
  for (int x = 0; x < before.width(); ++x) {
    const bool same = hovered.copy(x, 0, 1, before.height()) == before.copy(x, 0, 1, before.height());
    columns += same ? 0 : 1;
  }
  EXPECT_LE(columns, 3);  // the cursor
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(view_.viewport(), &leave);
  EXPECT_EQ(view_.viewport()->grab().toImage(), before);
}

TEST_F(TimelineTracksTest, ThemesDoNotChangeTheSizeOfAnything) {
  view_.setTracks(tracks_of(first_), std::nullopt);
  view_.setTheme(Theme::light());
  const QImage light = view_.grab().toImage();
  const double height = view_.scene().height();
  view_.setTheme(Theme::darkTheme());
  EXPECT_NE(view_.grab().toImage(), light);
  EXPECT_EQ(view_.scene().height(), height);
  view_.setTheme(Theme::light());
  EXPECT_EQ(view_.grab().toImage(), light);
}

// Names are anybody's: neither markup nor a million letters.
TEST_F(TimelineTracksTest, NamesAreShownAsTheyAreAndNoLongerThanThereIsRoom) {
  const std::string bold = "<b>bold</b> %1 %3";
  for (const std::string& name : {bold, std::string(1'000'000, 'x'), std::string(300'000, 'x') + ".conv"}) {
    auto named = test::made_up_comparison();
    for (KernelSpan& span : named->results[0].trace.kernels) span.name = name;
    view_.setTracks(tracks_of(named), std::nullopt);
    EXPECT_FALSE(view_.viewport()->grab().isNull());
    const QString tip = span_tooltip(view_.tracks().tracks()[0], 1);
    EXPECT_FALSE(tip.contains("<b>bold"));
    EXPECT_LT(tip.size(), 4000);
    view_.nextSpan();
    EXPECT_LT(view_.accessibleDescription().size(), 1000);
    EXPECT_TRUE(view_.accessibleDescription().contains("takes"));
    if (name == bold) {
      EXPECT_TRUE(view_.accessibleDescription().contains("<b>bold</b> %1 %3, stage"));
    }
  }
  EXPECT_EQ(brief_name("mixed_5b.\xC3\xA9t\xC3\xA9", 11), QString::fromUtf8("mixed_5b.\xC3\xA9\u2026"));
  EXPECT_EQ(brief_name("mixed_5b.\xC3\xA9t\xC3\xA9", 10), QString::fromUtf8("mixed_5b.\u2026"));
}

TEST_F(TimelineTracksTest, TheCounterBelowTheLanesIsChosenAndItsSourceNamed) {
  for (ScheduleResult& result : first_->results) {
    result.trace.counters.front().source = "CUPTI <b>sampling</b>";
    result.trace.counters.push_back({"DRAM throughput", "%", 100, {Micros(0)}, {40}, "elsewhere"});
  }
  view_.setTracks(tracks_of(first_), std::nullopt);
  const TimelineBand& band = view_.scene().bands()[0];
  ASSERT_TRUE(band.heat);
  EXPECT_EQ(band.heat->quantity, "active warps");
  const Micros busy = (first_->results[0].trace.kernels[1].begin + first_->results[0].trace.kernels[1].end) / 2;
  const auto at = [&](Micros time) {
    return on_viewport(view_.axis().x(time), view_.scene().bands()[0].heat_top(view_.scene().lane_height()) + 3);
  };
  const QString tip = view_.toolTipAt(at(busy));
  EXPECT_TRUE(tip.contains("800 warps")) << tip.toStdString();
  EXPECT_TRUE(tip.contains("CUPTI &lt;b&gt;sampling")) << tip.toStdString();
  const QImage before = view_.viewport()->grab().toImage();
  EXPECT_NE(before.pixel(at(busy)), before.pixel(at(Micros(2))));  // idle before the first stage
  QSignalSpy spy(&view_, &TimelineView::counterChanged);
  view_.setCounter("DRAM throughput");
  EXPECT_EQ(spy.size(), 1);
  EXPECT_EQ(view_.scene().bands()[0].heat->quantity, "DRAM throughput");
  EXPECT_NE(view_.viewport()->grab().toImage(), before);
  QSignalSpy plots(&view_, &TimelineView::plotsToggled);
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_U);
  EXPECT_EQ(plots.size(), 1);
  click(at(busy));
  EXPECT_EQ(selection_.current().stage, 1U);
}

TEST_F(TimelineTracksTest, PageKeysWalkTheStages) {
  view_.setTracks(tracks_of(first_), std::nullopt);
  view_.setFocus();
  QTest::keyClick(&view_, Qt::Key_Period);
  for (const std::size_t stage : {1U, 2U, 3U}) {
    QTest::keyClick(&view_, Qt::Key_PageDown);
    EXPECT_EQ(selection_.current().stage, stage);
  }
  QTest::keyClick(&view_, Qt::Key_PageUp);
  EXPECT_EQ(selection_.current().stage, 2U);
}

// What runs without barriers stands right below the stages that it is measured against, and brings these with it.
TEST_F(TimelineTracksTest, LanesStandBelowTheirStages) {
  const auto lanes = test::made_up_lanes();
  view_.setTracks(tracks_of(lanes), 3);
  const auto shown = [this] {
    return mapped<std::string>(view_.shownSchedules(), [](const ScheduleId& id) { return id.text(); });
  };
  EXPECT_EQ(shown(), (std::vector<std::string>{"sequential", "greedy", "ios-flow", "ios-both"}));
  view_.setShown(1, false);  // what somebody chose counts
  EXPECT_EQ(shown(), (std::vector<std::string>{"sequential", "ios-flow", "ios-both"}));
  // A search that is not the fastest is not shown by itself, but with the lanes.
  lanes->own_lanes->of = lanes->results[2].id;
  lanes->results.push_back(lanes->results[2]);
  lanes->results.back().id = ScheduleId("ios-both-2");
  lanes->results.back().latency.value = Millis(0.001);
  view_.setTracks({}, std::nullopt);
  view_.setTracks(tracks_of(lanes), 3);
  EXPECT_EQ(shown(), (std::vector<std::string>{"sequential", "ios-both", "ios-flow", "ios-both-2"}));
}

TEST_F(TimelineTracksTest, ThePlayheadSaysWhatHasNotBegun) {
  view_.setTracks(tracks_of(test::made_up_lanes()), 3);
  std::vector<UnitId> ahead;
  QObject::connect(&view_, &TimelineView::runningChanged, &view_,
                   [&](const std::vector<UnitId>&, const std::vector<UnitId>& units) { ahead = units; });
  axis_.setPlayhead(Micros(30));
  EXPECT_EQ(ahead, std::vector<UnitId>{UnitId(4)});
  axis_.setPlayhead(std::nullopt);
  EXPECT_TRUE(ahead.empty());
}

// Hovering a kernel draws what it waits for; leaving it takes that away.
TEST_F(TimelineTracksTest, WaitsAreDrawnUnderTheMouse) {
  view_.setTracks(tracks_of(test::made_up_lanes()), 3);
  const auto picture = [this] { return view_.viewport()->grab().toImage(); };
  const auto move = [this](QPoint at) {
    QMouseEvent event(QEvent::MouseMove, at, view_.viewport()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QCoreApplication::sendEvent(view_.viewport(), &event);
    axis_.setCursor(std::nullopt);  // whose line is not what this is about
  };
  const TimelineBand& band = *view_.scene().band_of(3);
  const double lane = view_.scene().lane_height();
  const QPoint join = on_viewport(view_.axis().x(Micros(100)), band.lane_top(0, lane) + lane / 2);
  const QPoint nothing = on_viewport(view_.axis().x(Micros(100)), band.lane_top(1, lane) + lane / 2);
  move(nothing);
  const QImage before = picture();
  move(join);
  EXPECT_NE(picture(), before);
  move(nothing);
  EXPECT_EQ(picture(), before);
}

}  // namespace
}  // namespace iosx
