#include "views/time/timeline_track.h"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "views/text/latency_text.h"

namespace iosx {

QString TimelineTrack::name() const { return title.isEmpty() ? schedule_title(schedule()) : title; }

std::string TimelineTrack::key() const { return run + '\n' + schedule().id.text(); }

void tell_apart(std::vector<TimelineTrack>& tracks) {
  std::vector<TimelineTrack*> named;
  for (TimelineTrack& track : tracks) {
    if (!track.distinctions.isEmpty()) named.push_back(&track);
  }
  if (named.empty()) return;
  const QStringList& first = named.front()->distinctions;
  std::vector<bool> differ(static_cast<std::size_t>(first.size()));
  for (const TimelineTrack* track : named) {
    for (qsizetype i = 0; i < std::min(first.size(), track->distinctions.size()); ++i) {
      if (track->distinctions[i] != first[i]) differ[static_cast<std::size_t>(i)] = true;
    }
  }
  for (TimelineTrack* track : named) {
    QStringList words{schedule_title(track->schedule())};
    for (qsizetype i = 0; i < std::min(first.size(), track->distinctions.size()); ++i) {
      const QString& word = track->distinctions[i];
      if (differ[static_cast<std::size_t>(i)] && !word.isEmpty()) words << word;
    }
    track->title = words.join(QStringLiteral(", "));
  }
}

std::vector<TimelineTrack> tracks_of(const std::shared_ptr<const Comparison>& comparison,
                                     const std::vector<std::size_t>& results) {
  std::vector<TimelineTrack> tracks;
  for (const std::size_t result : results) {
    if (comparison && result < comparison->results.size()) tracks.push_back({comparison, result});
  }
  return tracks;
}

std::vector<TimelineTrack> tracks_of(const std::shared_ptr<const Comparison>& comparison) {
  std::vector<TimelineTrack> tracks;
  for (std::size_t i = 0; comparison && i < comparison->results.size(); ++i) tracks.push_back({comparison, i});
  return tracks;
}

std::vector<std::optional<UnitId>> matching_units(const Graph& from, const Graph& to) {
  const std::span<const Unit> own = from.units();
  const std::span<const Unit> others = to.units();
  std::vector<std::optional<UnitId>> match(own.size());
  const bool alike = &from == &to || std::equal(own.begin(), own.end(), others.begin(), others.end(),
                                                [](const Unit& a, const Unit& b) { return a.name == b.name; });
  if (alike) {
    for (std::size_t i = 0; i < own.size(); ++i) match[i] = UnitId(i);
    return match;
  }
  std::unordered_map<std::string_view, UnitId> by_name;
  for (std::size_t i = 0; i < others.size(); ++i) by_name.emplace(others[i].name, UnitId(i));
  for (std::size_t i = 0; i < own.size(); ++i) {
    const auto found = by_name.find(own[i].name);
    if (found != by_name.end()) match[i] = found->second;
  }
  return match;
}

std::vector<UnitId> matching_units(const std::vector<UnitId>& units, const Graph& from, const Graph& to) {
  const auto match = matching_units(from, to);
  std::vector<UnitId> there;
  for (const UnitId unit : units) {
    if (unit.index() < match.size() && match[unit.index()]) there.push_back(*match[unit.index()]);
  }
  return there;
}

namespace {

// Returns the first part of those in which the stage has units; none where it has none of this graph.
std::optional<std::size_t> first_part(const Stage& stage, const std::vector<std::optional<UnitId>>& match,
                                      const Graph& graph) {
  std::optional<std::size_t> first;
  for (const UnitId unit : stage.units()) {
    if (unit.index() >= match.size() || !match[unit.index()]) continue;
    const std::size_t part = graph.unit(*match[unit.index()]).part.index();
    first = first ? std::min(*first, part) : part;
  }
  return first;
}

}  // namespace

Micros TimeWarp::shown(Micros own) const {
  const auto after =
      std::upper_bound(pieces.begin(), pieces.end(), own, [](Micros time, const Piece& p) { return time < p.begin; });
  return after == pieces.begin() ? own : own + std::prev(after)->shift;
}

Micros TimeWarp::own(Micros shown) const {
  const auto after = std::upper_bound(pieces.begin(), pieces.end(), shown,
                                      [](Micros time, const Piece& p) { return time < p.begin + p.shift; });
  if (after == pieces.begin()) return shown;
  const Micros time = shown - std::prev(after)->shift;
  return after == pieces.end() ? time : std::min(time, after->begin);
}

std::vector<TimeRange> TimeWarp::gaps() const {
  std::vector<TimeRange> gaps;
  for (std::size_t i = 1; i < pieces.size(); ++i) {
    const Micros end = pieces[i].begin + pieces[i - 1].shift;
    const Micros next = pieces[i].begin + pieces[i].shift;
    if (next > end) gaps.push_back({end, next});
  }
  return gaps;
}

TracksOnAxis unaligned(const std::vector<TimelineTrack>& tracks) {
  TracksOnAxis placed;
  for (const TimelineTrack& track : tracks) placed.tracks.push_back({track});
  if (!tracks.empty()) placed.leading = tracks.front().comparison;
  return placed;
}

std::vector<Micros> part_begins(const TimelineTrack& track, const Graph& graph) {
  const ScheduleResult& result = track.schedule();
  const Micros end = result.trace.duration;
  std::vector<Micros> begins(graph.parts().size() + 1, end);
  if (!track.comparison->graph) return begins;
  const auto match = matching_units(*track.comparison->graph, graph);
  std::size_t known = 0;  // parts of which the begin is known
  const std::size_t stages = std::min(result.schedule.stages.size(), result.trace.stages.size());
  for (std::size_t i = 0; i < stages; ++i) {
    const auto part = first_part(result.schedule.stages[i], match, graph);
    // Without barriers a stage may begin before the one before it; parts still come one after another.
    const Micros least = known > 0 ? begins[known - 1] : Micros(0);
    for (; part && known <= *part; ++known) begins[known] = std::max(least, result.trace.stages[i].begin);
  }
  if (known > 0) begins.front() = Micros(0);  // what comes before the first stage is its own
  return begins;
}

std::vector<TimeWarp> align_by_part(const std::vector<TimelineTrack>& tracks, const Graph& graph) {
  std::vector<std::vector<Micros>> begins;
  begins.reserve(tracks.size());
  for (const TimelineTrack& track : tracks) begins.push_back(part_begins(track, graph));
  std::vector<TimeWarp> warps(tracks.size());
  Micros at{0};
  for (std::size_t part = 0; part < graph.parts().size(); ++part) {
    Micros longest{0};
    for (std::size_t i = 0; i < tracks.size(); ++i) {
      const Micros begin = begins[i][part];
      const Micros length = begins[i][part + 1] - begin;
      longest = std::max(longest, length);
      // A part that takes no time of its own would only move the next one's begin.
      if (length > Micros(0)) warps[i].pieces.push_back({begin, at - begin});
    }
    at += longest;
  }
  return warps;
}

}  // namespace iosx
