#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"

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

}  // namespace iosx
