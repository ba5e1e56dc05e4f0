#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Holds a schedule's run as views over time show it: of any comparison, perhaps of another batch, device or graph.
struct TimelineTrack {
  std::shared_ptr<const Comparison> comparison;  // never null
  std::size_t result = 0;                        // index into its results
  QString title = {};                            // as headers and lists name it; empty: as the schedule is called
  // These may tell it from other tracks: network, device and so on, as many words as of the others; some may be empty.
  QStringList distinctions = {};
  std::string run = {};  // tells runs apart, the same for as long as a run is kept; empty where there is only one

  const ScheduleResult& schedule() const { return comparison->results[result]; }
  QString name() const;     // the title that is shown, plain text
  std::string key() const;  // tells tracks apart and outlives a run that is made again
  friend bool operator==(const TimelineTrack&, const TimelineTrack&) = default;
};

// Gives those that have distinctions titles with as many of them as tell these tracks apart: "IOS-Both",
// "IOS-Both, batch 32".
void tell_apart(std::vector<TimelineTrack>& tracks);

// Returns some results of one comparison (indices; those out of range are left out); empty without a comparison.
std::vector<TimelineTrack> tracks_of(const std::shared_ptr<const Comparison>& comparison,
                                     const std::vector<std::size_t>& results);
std::vector<TimelineTrack> tracks_of(const std::shared_ptr<const Comparison>& comparison);  // all

// Returns, for each unit, the unit of the other graph that is the same one: by id where the units of both are called
// alike, or else by name; none for one that is not there.
std::vector<std::optional<UnitId>> matching_units(const Graph& from, const Graph& to);
// Returns, of some units, those that are there.
std::vector<UnitId> matching_units(const std::vector<UnitId>& units, const Graph& from, const Graph& to);

}  // namespace iosx
