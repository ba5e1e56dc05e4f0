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

}  // namespace iosx
