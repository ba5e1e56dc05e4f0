#pragma once

#include <QPointF>
#include <QString>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "views/app_model/selection.h"
#include "views/explore/timeline/track_index.h"
#include "views/time/time_axis.h"

namespace iosx {

// One kernel span of one track.
struct SpanRef {
  std::size_t track = 0;  // among all tracks, shown or not
  std::size_t span = 0;   // index into Trace::kernels
  friend bool operator==(const SpanRef&, const SpanRef&) = default;
};

// A counter of a run as a strip of colour: darker is more.
struct BandHeat {
  StepSeries series;  // in the run's own time
  double top = 0;     // the darkest; equal in all bands of one quantity
  QString quantity;   // "active warps"
  QString unit;
  QString source;
  double peak = 0;  // the device's maximum; 0: unknown

  double share(double value) const;  // 0 to 1, of the darkest
};

// How a track is shown.
struct ShownTrack {
  std::size_t track = 0;
  bool collapsed = false;                   // folded to one line
  bool pinned = false;                      // above the scrolling ones
  std::shared_ptr<const TrackIndex> index;  // never null
  std::shared_ptr<const BandHeat> heat;     // null: its device has no counters
};

// Returns the heat of every track with the counter of that name (empty: its main one); null for the others. All show
// the same quantity, that of the first one.
std::vector<std::shared_ptr<const BandHeat>> band_heats(const std::vector<TimelineTrack>& tracks,
                                                        const std::string& counter);

// A drawn span, or a run of neighbouring ones that are too small to tell apart.
struct DrawnSpan {
  double left = 0;  // pixels, within the axis
  double right = 0;
  std::size_t first = 0;  // indices into LaneIndex::spans
  std::size_t count = 1;
  OperatorClass what = OperatorClass::kConvOther;  // for a run the class with the most time
  bool merged = false;                             // several layers as one; unused for runs
};

// The band of a track. Vertical positions are pixels from the top of the content.
struct TimelineBand {
  std::size_t track = 0;
  bool collapsed = false;
  bool pinned = false;
  double top = 0;
  double height = 0;
  std::shared_ptr<const TrackIndex> index;
  std::shared_ptr<const BandHeat> heat;
  std::span<const LaneIndex> lanes;  // of the index

  double strip_top() const { return top + 2; }
  double lane_top(std::size_t lane, double lane_height) const;
  double heat_top(double lane_height) const;  // below the lanes, or below the stages where lanes are hidden
  // Returns the row of a lane inside the line of a folded band: all lanes at minimum height.
  double folded_top(std::size_t lane) const;
  double folded_height() const;
  double bottom() const { return top + height; }
};

struct TimelineHit {
  enum class Kind { kNothing, kHeader, kPin, kStage, kSpan, kHeat, kGap, kMore };
  Kind kind = Kind::kNothing;
  std::size_t band = 0;   // for all but kNothing and kMore
  std::size_t stage = 0;  // for kStage
  SpanRef span;           // for kSpan
  TimeRange gap;          // for kGap

  bool on_band() const { return kind != Kind::kNothing && kind != Kind::kMore; }
};

// The content and places of the timeline: the arithmetic of the view, without a widget. Pinned bands come first.
class TimelineScene {
 public:
  static constexpr double kHeaderWidth = 236;
  static constexpr double kStripHeight = 14;
  static constexpr double kFoldedStrip = 4;   // of stages, in the line of a folded band
  static constexpr double kFoldedLanes = 14;  // of kernels below them
  static constexpr double kMoreHeight = 20;   // of the line about hidden schedules
  static constexpr double kHeatHeight = 7;
  static constexpr double kLaneGap = 1;
  static constexpr double kMinLaneHeight = 13;
  static constexpr double kMaxLaneHeight = 32;
  static constexpr std::size_t kMostWaits = 40;  // drawn per band

  TimelineScene() = default;
  TimelineScene(std::vector<TimelineTrack> tracks, const std::vector<ShownTrack>& shown);
  // Shows these tracks (indices) with their main counters, for one picture.
  TimelineScene(const std::vector<TimelineTrack>& tracks, const std::vector<std::size_t>& shown,
                const std::set<std::size_t>& collapsed = {});

  // Lanes grow, within limits, to fill the available height.
  void fill_height(double available);

  const std::vector<TimelineTrack>& tracks() const { return tracks_; }
  const std::vector<TimelineBand>& bands() const { return bands_; }
  const TimelineBand* band_of(std::size_t track) const;  // null where it is hidden
  double lane_height() const { return lane_height_; }
  // A line below the bands gives the number of hidden schedules, or with `opened` says that more are shown than
  // usual; no line otherwise.
  void set_more(std::size_t hidden, bool opened);
  std::size_t hidden() const { return hidden_; }
  bool more_opened() const { return opened_; }
  bool has_more() const { return hidden_ > 0 || opened_; }
  double more_top() const { return height_ - kMoreHeight; }
  // The track in focus has the accent's colour.
  void set_focus(std::optional<std::size_t> track) { focus_ = track; }
  bool in_focus(const TimelineBand& band) const { return focus_ == band.track; }
  void set_baseline(std::optional<std::size_t> track) { baseline_ = track; }
  std::optional<std::size_t> baseline() const { return baseline_; }  // the reference track of the others
  double height() const { return height_; }
  double pinned_height() const { return pinned_height_; }  // of the bands that do not scroll
  Micros duration() const { return duration_; }            // the end of the longest shown schedule
  // Returns whether the selection was made in the band's schedule of its run.
  bool is_made_in(const Selection& selection, const TimelineBand& band) const {
    return selection.isIn(result(band).id, tracks_[band.track].run);
  }
  const ScheduleResult& result(const TimelineBand& band) const { return tracks_[band.track].schedule(); }
  const KernelSpan& span(SpanRef ref) const { return tracks_[ref.track].schedule().trace.kernels[ref.span]; }
  TimeRange range(SpanRef ref) const;  // on the axis; for a shown track

  // Returns the visible spans of a lane, in order, those below about a pixel merged.
  std::vector<DrawnSpan> visible_spans(const TimelineBand& band, const LaneIndex& lane, const TimeAxis& axis) const;
  TimelineHit hit(QPointF point, const TimeAxis& axis) const;
  // Returns the nearest begin or end of a shown span or stage within the tolerance, if any.
  std::optional<Micros> snap(Micros time, Micros tolerance) const;

  // Go in order of time within the span's schedule; the first or last span of the schedule stays.
  SpanRef next(SpanRef from) const;
  SpanRef previous(SpanRef from) const;
  // Returns the span on the neighbouring lane (step −1 up, +1 down, also across bands) that is nearest in time.
  SpanRef beside(SpanRef from, int step) const;

  std::vector<UnitId> units(SpanRef ref) const;  // for a shown track
  // Returns the spans of the band that run a selected unit, by begin.
  std::vector<std::size_t> selected_spans(const TimelineBand& band, const Selection& selection) const;
  // Returns the waits between the kernels of an open band that are worth drawing: those of selected spans, or, without
  // any, all of these if few are visible. `emphasised` is true for the former.
  struct Waits {
    std::vector<SpanWait> waits;
    bool emphasised = false;
  };
  Waits shown_waits(const TimelineBand& band, const Selection& selection, const TimeAxis& axis) const;
  // Returns the band of the stages with which a band's lanes are compared, where both have the same unshifted axis;
  // null where the band has stages, where that one is hidden, and where parts are aligned.
  const TimelineBand* staged_band(const TimelineBand& band) const;
  // Returns the selection's place in the track in which it was made, or else in one that shows it: for a selected stage
  // its place in its own schedule, not its units in all.
  std::optional<TimeRange> selected_range(const Selection& selection, std::optional<std::size_t> made_in) const;

 private:
  void place();
  std::optional<SpanRef> span_at(const TimelineBand& band, std::size_t lane, Micros time, Micros tolerance) const;

  std::vector<TimelineTrack> tracks_;
  std::vector<TimelineBand> bands_;
  double lane_height_ = 22;
  double height_ = 0;
  double pinned_height_ = 0;
  Micros duration_{0};
  std::size_t hidden_ = 0;
  bool opened_ = false;
  std::optional<std::size_t> baseline_;
  std::optional<std::size_t> focus_;
};

// The available tracks of a timeline, and how each is shown. Choices are stored by the track's key
// (TimelineTrack::key), so they outlive a repeated run. The active track and the baseline, if any, are always shown.
class TrackList {
 public:
  void set_tracks(std::vector<TimelineTrack> tracks, std::optional<std::size_t> active);
  void set_active(std::optional<std::size_t> track) { active_ = track; }
  // Sets the reference of the others, of any run; none: sequential of the active track's comparison.
  void set_baseline(std::optional<std::size_t> track) { chosen_baseline_ = track; }
  void set_shown(std::size_t track, bool shown) { choices_[tracks_[track].key()].shown = shown; }
  void set_pinned(std::size_t track, bool pinned) { choices_[tracks_[track].key()].pinned = pinned; }
  void set_collapsed(std::size_t track, bool collapsed) { choices_[tracks_[track].key()].collapsed = collapsed; }
  // Aligned, every part of the active track's graph begins at the same x in all tracks.
  void set_aligned(bool aligned) { aligned_ = aligned; }
  void set_counter(std::string name) { counter_ = std::move(name); }  // of the heat strips; empty: the main one

  const std::vector<TimelineTrack>& tracks() const { return tracks_; }
  std::optional<std::size_t> active() const { return active_; }
  // Returns the active track, or else the first shown one: the playhead refers to it.
  std::optional<std::size_t> leading() const;
  // Returns the chosen one, or else sequential of the active track's comparison; none without an active track.
  std::optional<std::size_t> baseline() const;
  // By default, these are shown: the default results of the active track's comparison, or else of every comparison,
  // and the stages with which shown lanes are compared.
  bool shown(std::size_t track) const;
  bool pinned(std::size_t track) const;     // by default the baseline
  bool collapsed(std::size_t track) const;  // by default all but the active track
  bool aligned() const { return aligned_; }
  const std::string& counter() const { return counter_; }
  // Returns the baseline first, then the active track, then the others in order; barrier-free schedules follow the
  // stages with which they are compared (Comparison::staged()).
  std::vector<std::size_t> shown_tracks() const;
  // Returns the hidden tracks of the active one's comparison.
  std::vector<std::size_t> hidden_tracks() const;
  // Shows all of these, or hides those again.
  void show_more(bool more);
  bool more_shown() const { return !shown_more_.empty(); }
  TracksOnAxis on_axis() const;  // the shown ones, in their places on the axis

  // Reuses data of earlier scenes of the same tracks.
  TimelineScene scene();

 private:
  struct Choice {
    std::optional<bool> shown;
    std::optional<bool> pinned;
    std::optional<bool> collapsed;
  };
  struct Indexed {
    WarpedTrack track;
    std::shared_ptr<const Graph> graph;  // see TrackIndex
    std::shared_ptr<const TrackIndex> index;
  };
  const Choice& choice(std::size_t track) const;
  bool shown_by_default(std::size_t track) const;
  std::optional<std::size_t> staged(std::size_t track) const;  // the stages with which lanes are compared
  std::shared_ptr<const Graph> leading_graph() const;
  std::shared_ptr<const TrackIndex> index_of(const WarpedTrack& track);

  std::vector<TimelineTrack> tracks_;
  std::optional<std::size_t> active_;
  std::optional<std::size_t> chosen_baseline_;
  std::vector<std::string> shown_more_;  // keys
  std::map<std::string, Choice> choices_;
  bool aligned_ = false;
  std::string counter_;
  std::vector<Indexed> indexes_;  // of tracks that were shown
  struct {
    std::vector<TimelineTrack> tracks;
    std::string counter;
    std::vector<std::shared_ptr<const BandHeat>> heats;
  } heated_;  // of the last scene
};

}  // namespace iosx
