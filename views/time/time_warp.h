#pragma once

#include <vector>

#include "views/time/time_axis.h"
#include "views/time/timeline_track.h"

namespace iosx {

// Says where the times of a run stand on a common axis: they are moved to the right piece by piece, so that the same
// things begin at the same x in several runs. What lies between two pieces on the axis is no time of the run.
struct TimeWarp {
  struct Piece {
    Micros begin{0};  // in the run's own time
    Micros shift{0};  // shown - own, from there on; never falls
    friend bool operator==(const Piece&, const Piece&) = default;
  };
  std::vector<Piece> pieces;  // by begin, the first begins at 0; empty: nothing is moved

  Micros shown(Micros own) const;       // of something that begins then
  Micros own(Micros shown) const;       // between two pieces: when the next one begins
  std::vector<TimeRange> gaps() const;  // between pieces, on the axis
  friend bool operator==(const TimeWarp&, const TimeWarp&) = default;
};

// Holds a track as it stands on the axis.
struct WarpedTrack {
  TimelineTrack track;
  TimeWarp warp = {};
  friend bool operator==(const WarpedTrack&, const WarpedTrack&) = default;
};

// Holds what several views over time show side by side.
struct TracksOnAxis {
  std::vector<WarpedTrack> tracks;
  // This is the comparison of the track that other views show: what is selected are units of its graph. It is null
  // where there is none.
  std::shared_ptr<const Comparison> leading = {};
  friend bool operator==(const TracksOnAxis&, const TracksOnAxis&) = default;
};

// Returns the tracks where they are, led by the first.
TracksOnAxis unaligned(const std::vector<TimelineTrack>& tracks);

// Returns when each part of the graph begins in the track, in its own time, and then when the run ends; a part begins
// with the first stage that has none of an earlier part. Units are matched by name where the track is of another graph.
std::vector<Micros> part_begins(const TimelineTrack& track, const Graph& graph);

// Returns one warp a track: every part of the graph begins at the same place in all of them, when the slowest has got
// there.
std::vector<TimeWarp> align_by_part(const std::vector<TimelineTrack>& tracks, const Graph& graph);

}  // namespace iosx
