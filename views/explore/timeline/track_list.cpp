#include "views/explore/timeline/track_list.h"

#include <algorithm>
#include <utility>

#include "views/text/latency_text.h"

namespace iosx {

void TrackList::set_tracks(std::vector<TimelineTrack> tracks, std::optional<std::size_t> active) {
  tracks_ = std::move(tracks);
  active_ = active && *active < tracks_.size() ? active : std::nullopt;
  chosen_baseline_.reset();
  std::erase_if(indexes_, [&](const Indexed& kept) {
    return std::ranges::none_of(tracks_, [&](const TimelineTrack& track) {
      return track.comparison == kept.track.track.comparison && track.result == kept.track.track.result;
    });
  });
  heated_ = {};
}

const TrackList::Choice& TrackList::choice(std::size_t track) const {
  static const Choice kNone;
  const auto found = choices_.find(tracks_[track].key());
  return found == choices_.end() ? kNone : found->second;
}

bool TrackList::shown_by_default(std::size_t track) const {
  if (track == active_) return true;
  const TimelineTrack& own = tracks_[track];
  if (active_ && tracks_[*active_].comparison != own.comparison) return false;
  return std::ranges::count(default_results(*own.comparison), own.result) > 0;
}

std::optional<std::size_t> TrackList::staged(std::size_t track) const {
  const TimelineTrack& own = tracks_[track];
  const ScheduleResult* const staged = own.comparison->staged(own.schedule());
  for (std::size_t i = 0; staged != nullptr && i < tracks_.size(); ++i) {
    if (tracks_[i].comparison == own.comparison && &tracks_[i].schedule() == staged) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> TrackList::baseline() const {
  if (!active_) return std::nullopt;
  if (chosen_baseline_ && *chosen_baseline_ < tracks_.size()) return chosen_baseline_;
  const auto& comparison = tracks_[*active_].comparison;
  const ScheduleResult* const sequential = comparison->find(ScheduleKind::kSequential);
  for (std::size_t i = 0; sequential != nullptr && i < tracks_.size(); ++i) {
    if (tracks_[i].comparison == comparison && &tracks_[i].schedule() == sequential) return i;
  }
  return std::nullopt;
}

bool TrackList::shown(std::size_t track) const {
  if (track == active_ || track == baseline()) return true;
  if (choice(track).shown) return *choice(track).shown;
  if (shown_by_default(track)) return true;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (tracks_[i].schedule().lanes && shown_by_default(i) && staged(i) == track) return true;
  }
  return false;
}

bool TrackList::pinned(std::size_t track) const { return choice(track).pinned.value_or(track == baseline()); }

bool TrackList::collapsed(std::size_t track) const {
  return choice(track).collapsed.value_or(active_ && track != active_);
}

std::vector<std::size_t> TrackList::hidden_tracks() const {
  std::vector<std::size_t> hidden;
  for (std::size_t i = 0; active_ && i < tracks_.size(); ++i) {
    if (tracks_[i].comparison == tracks_[*active_].comparison && !shown(i)) hidden.push_back(i);
  }
  return hidden;
}

void TrackList::show_more(bool more) {
  if (!more) {
    for (const std::string& key : shown_more_) choices_[key].shown = false;
    shown_more_.clear();
  } else {
    for (const std::size_t track : hidden_tracks()) {
      shown_more_.push_back(tracks_[track].key());
      set_shown(track, true);
    }
  }
}

std::vector<std::size_t> TrackList::shown_tracks() const {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (this->shown(i)) shown.push_back(i);
  }
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const auto own = std::ranges::find(shown, i);
    const auto above = own == shown.end() ? std::nullopt : staged(i);
    if (!above || std::ranges::count(shown, *above) == 0) continue;
    shown.erase(own);
    auto place = std::ranges::find(shown, *above) + 1;
    while (place != shown.end() && *place < i && staged(*place) == above) ++place;
    shown.insert(place, i);
  }
  const auto base = baseline();
  if (active_) {
    const auto with_active = [&](std::size_t track) {
      return track == *active_ || track == staged(*active_) || staged(track) == active_;
    };
    std::stable_partition(shown.begin(), shown.end(), with_active);
    std::stable_partition(shown.begin(), shown.end(), [&](std::size_t track) { return track == base; });
  }
  return shown;
}

std::optional<std::size_t> TrackList::leading() const {
  if (active_) return active_;
  const std::vector<std::size_t> shown = shown_tracks();
  return shown.empty() ? std::nullopt : std::optional(shown.front());
}

std::shared_ptr<const Graph> TrackList::leading_graph() const {
  const auto track = leading();
  return track ? tracks_[*track].comparison->graph : nullptr;
}

TracksOnAxis TrackList::on_axis() const {
  std::vector<TimelineTrack> shown;
  for (const std::size_t track : shown_tracks()) shown.push_back(tracks_[track]);
  tell_apart(shown);
  const auto graph = leading_graph();
  const std::vector<TimeWarp> warps =
      aligned_ && graph ? align_by_part(shown, *graph) : std::vector<TimeWarp>(shown.size());
  TracksOnAxis placed;
  for (std::size_t i = 0; i < shown.size(); ++i) placed.tracks.push_back({shown[i], warps[i]});
  if (const auto track = leading()) placed.leading = tracks_[*track].comparison;
  return placed;
}

std::shared_ptr<const TrackIndex> TrackList::index_of(const WarpedTrack& track) {
  const auto graph = leading_graph();
  const auto found = std::ranges::find_if(indexes_, [&](const Indexed& kept) {
    return kept.track.track.comparison == track.track.comparison && kept.track.track.result == track.track.result;
  });
  if (found != indexes_.end() && found->track.warp == track.warp && found->graph == graph) return found->index;
  const auto index = std::make_shared<const TrackIndex>(track.track, graph.get(), track.warp);
  if (found != indexes_.end()) indexes_.erase(found);
  indexes_.push_back({track, graph, index});
  return index;
}

TimelineScene TrackList::scene() {
  const std::vector<std::size_t> shown = shown_tracks();
  const std::vector<WarpedTrack> placed = on_axis().tracks;
  std::vector<TimelineTrack> chosen;
  for (const WarpedTrack& track : placed) chosen.push_back(track.track);
  if (heated_.tracks != chosen || heated_.counter != counter_) {
    heated_ = {chosen, counter_, band_heats(chosen, counter_)};
  }
  std::vector<TimelineTrack> named = tracks_;
  std::vector<ShownTrack> made;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    named[shown[i]].title = chosen[i].title;
    made.push_back({shown[i], collapsed(shown[i]), pinned(shown[i]), index_of(placed[i]), heated_.heats[i]});
  }
  TimelineScene scene(std::move(named), made);
  scene.set_more(hidden_tracks().size(), more_shown());
  scene.set_baseline(baseline());
  return scene;
}

}  // namespace iosx
