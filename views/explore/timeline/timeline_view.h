#pragma once

#include <QAbstractScrollArea>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "views/app_model/selection.h"
#include "views/explore/timeline/range_statistics.h"
#include "views/explore/timeline/timeline_painter.h"
#include "views/explore/timeline/timeline_scene.h"
#include "views/explore/utilization/why_painter.h"
#include "views/figures/figure.h"
#include "views/style/theme.h"
#include "views/time/time_axis.h"
#include "views/time/timeline_track.h"
#include "views/widgets/painted_view.h"

class QMenu;
class QToolButton;

namespace iosx {

class OverviewStrip;
class PlayheadPlayer;
class RangePanel;

// Shows kernel timelines of schedules of one or several runs, one band each, on one time axis with a common zero
// or, aligned, with every part of the network at the same x. An overview of all runs with the visible window is
// above.
//
// Mouse: the wheel zooms at the cursor; a drag measures a time, snapping to edges, and shows its statistics; Ctrl-drag
// or the middle button pans; a drag in the ruler moves the playhead. Keys: W A S D, F (everything), Z (the selection),
// period and comma (next and previous span), arrows (also the span on the lane above or below), Shift and left or right
// (the playhead to the previous or next edge), page up and down (stages), Return (the span's stage), space (play), U
// (all plots of why it is faster), I (the panel of it), P (pin the track), Escape. It selects units and stages in the
// SelectionModel and follows it.
class TimelineView final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  // The models must outlive the view.
  TimelineView(SelectionModel* selection, TimeAxisModel* axis, QWidget* parent = nullptr);

  // Sets the available tracks. The active track is the one in the other views: it is always shown, and selections
  // are units of its graph. Others are shown as chosen (TimelineTrack::key), or else the default ones of the active
  // track's comparison.
  void setTracks(std::vector<TimelineTrack> tracks, std::optional<std::size_t> active);
  void setActiveTrack(std::optional<std::size_t> track);
  // Sets the reference of the others, one line at the top that does not scroll. None: sequential of the active track's
  // comparison. Call it after setTracks().
  void setBaseline(std::optional<std::size_t> track);
  void setTheme(const Theme& theme);

  const TrackList& tracks() const { return tracks_; }
  void setShown(std::size_t track, bool shown);  // the active track stays
  void setPinned(std::size_t track, bool pinned);
  void setCollapsed(std::size_t track, bool collapsed);
  void setPointed(const std::vector<UnitId>& units);  // another view points at them: outlined in the active track
  const std::vector<UnitId>& pointed() const { return pointed_; }
  void setWhyOpen(bool open);  // the panel below the tracks: why the active one is faster
  bool whyOpen() const { return why_open_; }
  void showMore(bool more);                  // all schedules of the active track's comparison, or the usual ones
  void setAligned(bool aligned);             // by part
  void setCounter(const std::string& name);  // of the heat strips
  std::vector<ScheduleId> shownSchedules() const;
  // The menu that shows or hides each track, for a button or a menu bar; owned by the view.
  QMenu* tracksMenu() const { return tracks_menu_; }

  // Returns a figure of the screen: the shown tracks over the visible time, with the measured range.
  std::unique_ptr<Figure> figure() const;
  // Returns a figure of the measured range's statistics; null without one.
  std::unique_ptr<Figure> statisticsFigure() const;

  const TimelineScene& scene() const { return scene_; }
  const std::shared_ptr<const WhyPanel>& why() const { return why_; }  // null without a traced run
  QRectF whyArea() const;                                              // of its panel in the viewport; empty without it
  TimelineHit hitAt(QPointF viewport) const;                           // the thing of the tracks there
  TimeAxis axis() const;                                               // in viewport pixels
  QPointF contentAt(QPointF viewport) const;                           // scene coordinates of a point of the viewport
  QPointF viewportAt(QPointF content) const;
  std::optional<SpanRef> currentSpan() const { return current_; }
  std::optional<TimeMeasure> measure() const { return time_->measure(); }
  // Returns the units that run at the playhead in the active track, or else in the first; by id.
  const std::vector<UnitId>& runningUnits() const { return running_; }
  const std::vector<UnitId>& unitsAhead() const { return ahead_; }  // those of the same track that have not begun
  // The units of a track's schedule that run at the playhead, those that have not begun, and whether it has ended; none
  // without a playhead.
  struct Front {
    std::vector<UnitId> running = {};
    std::vector<UnitId> ahead = {};
    bool ended = false;
  };
  Front frontOf(std::size_t track) const;
  // Returns the units that run in the measured range in a track's schedule (none: as runningUnits()), by id; none
  // without a range.
  std::vector<UnitId> measuredUnits(std::optional<std::size_t> track = {}) const;
  PlayheadPlayer* player() const { return player_; }
  OverviewStrip* overview() const { return overview_; }
  RangePanel* rangePanel() const { return panel_; }
  QString toolTipAt(QPointF viewport) const;
  // Makes the span the current one, for keys and screen readers, and selects its units.
  void goTo(SpanRef span);

  QSize sizeHint() const override { return {1200, 420}; }
  QSize minimumSizeHint() const override { return {420, 160}; }

 public slots:
  void fitAll();
  void fitSelection();
  void nextSpan();
  void previousSpan();

 signals:
  void shownTracksChanged(const iosx::TracksOnAxis& tracks);
  // The user activated a track of another comparison than the active one's.
  void trackActivated(std::size_t track);
  // See runningUnits(); `ahead` are those of the same track that have not begun.
  void runningChanged(const std::vector<iosx::UnitId>& units, const std::vector<iosx::UnitId>& ahead);
  void measuredChanged(const std::vector<iosx::UnitId>& units);  // measuredUnits()
  void counterChanged(const std::string& name);
  void whyChanged(const std::shared_ptr<const iosx::WhyPanel>& why);
  void plotsToggled();  // shows all plots of why it is faster, or the timeline again
  void statisticsExportWanted();

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  static constexpr int kFooterHeight = 19;
  int tracksBottom() const;  // in the viewport; below are the panel and the footer
  // Divides the height among the lanes and the panel, which takes the rest; returns the tracks' height.
  int fillHeight();
  enum class Gesture { kNone, kPress, kPan, kMeasure, kPlayhead };

  // timeline_view.cpp
  void connectModels();
  void rebuild();  // after a change of the shown tracks
  void explain();  // makes why_ anew if its runs have changed
  void layOut();   // after a resize
  void redraw();   // after a change of the still picture
  void follow(const Selection& selection);
  void followPlayhead();
  void showStatistics();
  void setCurrent(std::optional<SpanRef> span, bool show);
  void reveal(SpanRef span);
  void revealActive();                       // the active track, completely if possible
  bool activeInView() const;                 // partly
  void scrollTo(double top, double bottom);  // in the scene
  // Makes the track's comparison the active one, if it is not. Returns the track's new index; none where it is no
  // longer shown.
  std::optional<std::size_t> turnTo(std::size_t track);
  void selectSpan(SpanRef span);
  void selectStage(std::size_t from, std::size_t stage);

  // timeline_view_events.cpp
  void click(QPointF viewport);
  void clickWhy(QPointF viewport);
  WhyPicture whyPicture() const;
  void stepStage(int step);
  void stepPlayhead(int step);
  Micros snapped(double x) const;
  void hover(std::optional<QPointF> viewport);  // none: the mouse has left
  void rebuildMenu();
  void addCounters(QMenu& menu);

  void drawStill(QPainter& painter) const;
  void drawFooter(QPainter& painter) const;
  // Draws over a track's band, in the coordinates of the scene.
  void drawOver(QPainter& painter, std::size_t track, const std::function<void()>& draw) const;

  SelectionModel* selection_;
  TimeAxisModel* time_;
  Theme theme_ = Theme::light();
  TrackList tracks_;
  TimelineScene scene_;
  std::shared_ptr<const WhyPanel> why_;
  std::optional<WarpedTrack> why_baseline_;  // of which it is
  std::optional<WarpedTrack> why_of_;
  bool why_open_ = true;
  double why_height_ = 0;  // from the layout; 0 without it
  StillPicture still_;
  std::optional<SpanRef> current_;
  std::optional<SpanRef> hovered_;
  std::optional<std::size_t> selected_in_;  // the track of the selection, if made in this view
  bool selecting_ = false;                  // during a selection made here
  std::vector<UnitId> running_;
  std::vector<UnitId> ahead_;
  std::vector<UnitId> pointed_;
  Gesture gesture_ = Gesture::kNone;
  QPointF press_;
  QPointF last_;
  QMenu* tracks_menu_;
  QToolButton* tracks_button_;
  QToolButton* align_button_;
  QToolButton* play_button_;
  OverviewStrip* overview_;
  PlayheadPlayer* player_;
  RangePanel* panel_;
};

// Exposes a painted timeline to screen readers: the view has a child for every shown track, that one for every lane,
// that one for every span, each with its name and its place on the screen. Spans can be pressed, which selects them.
void install_timeline_accessibility();  // for all views; once is enough

// Tells assistive technology, if any, that another span has the keyboard's focus.
void announce_current_span(TimelineView& view);

}  // namespace iosx
