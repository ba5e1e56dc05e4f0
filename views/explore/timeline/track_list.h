#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "views/explore/timeline/timeline_scene.h"

namespace iosx {

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
