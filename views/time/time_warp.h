#pragma once

#include <vector>

#include "views/time/time_axis.h"
#include "views/time/timeline_track.h"

namespace iosx {

// The places of a run's times on a common axis: pieces are moved to the right, so that the same things begin at the
// same x in several runs. Gaps between pieces on the axis are no time of the run.
struct TimeWarp {
  struct Piece {
    Micros begin{0};  // in the run's own time
    Micros shift{0};  // shown - own, from there on; never decreases
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  std::vector<Piece> pieces;  // by begin, the first begins at 0; empty: no shifts

  Micros shown(Micros own) const;       // of something that begins then
  Micros own(Micros shown) const;       // between two pieces: the begin of the next one
  std::vector<TimeRange> gaps() const;  // between pieces, on the axis
  friend bool operator==(const TimeWarp&, const TimeWarp&) = default;
};

// A track in its place on the axis.
struct WarpedTrack {
  TimelineTrack track;
  TimeWarp warp = {};
  friend bool operator==(const WarpedTrack&, const WarpedTrack&) = default;
};

// The content of several views over time, side by side.
struct TracksOnAxis {
  std::vector<WarpedTrack> tracks;
  // The comparison of the track in the other views: selections are units of its graph. Null without one.
  std::shared_ptr<const Comparison> leading = {};
  friend bool operator==(const TracksOnAxis&, const TracksOnAxis&) = default;
};

// Returns the tracks without shifts, led by the first.
TracksOnAxis unaligned(const std::vector<TimelineTrack>& tracks);

// Returns the begin of each part of the graph in the track, in its own time, and then the run's end; a part begins with
// the first stage that has no unit of an earlier part. Units are matched by name where the track is of another graph.
std::vector<Micros> part_begins(const TimelineTrack& track, const Graph& graph);

// Returns one warp per track: every part of the graph begins at the same place in all of them, when the slowest gets
// there.
std::vector<TimeWarp> align_by_part(const std::vector<TimelineTrack>& tracks, const Graph& graph);

}  // namespace iosx
