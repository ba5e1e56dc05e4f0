#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "views/time/time_axis.h"

namespace iosx {

// A schedule's run for views over time: of any comparison, perhaps of another batch, device or graph.
struct TimelineTrack {
  std::shared_ptr<const Comparison> comparison;  // never null
  std::size_t result = 0;                        // index into its results
  QString title = {};                            // its name in headers and lists; empty: the schedule's name
  // Words that may distinguish it from other tracks: network, device and so on, as many as for the others; some may be
  // empty.
  QStringList distinctions = {};
  std::string run = {};  // identifies the run, unchanged while it is kept; empty where there is only one

  const ScheduleResult& schedule() const { return comparison->results[result]; }
  QString name() const;     // the displayed title, plain text
  std::string key() const;  // identifies the track and outlives a repeated run
  friend bool operator==(const TimelineTrack&, const TimelineTrack&) = default;
};

// Sets titles of tracks with distinctions, with as many as distinguish these tracks: "IOS-Both",
// "IOS-Both, batch 32".
void tell_apart(std::vector<TimelineTrack>& tracks);

// Returns some results of one comparison (indices; invalid ones are left out); empty without a comparison.
std::vector<TimelineTrack> tracks_of(const std::shared_ptr<const Comparison>& comparison,
                                     const std::vector<std::size_t>& results);
std::vector<TimelineTrack> tracks_of(const std::shared_ptr<const Comparison>& comparison);  // all

// Returns, for each unit, the same unit of the other graph: by id where the units of both have equal names, or else
// by name; none for a missing one.
std::vector<std::optional<UnitId>> matching_units(const Graph& from, const Graph& to);
// Returns the existing counterparts of some units.
std::vector<UnitId> matching_units(const std::vector<UnitId>& units, const Graph& from, const Graph& to);

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
