#include "views/explore/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "views/text/counter_text.h"
#include "views/text/latency_text.h"
#include "views/time/step_series.h"

namespace iosx {
namespace {

constexpr double kBottomPadding = 3;
constexpr double kHeatGap = 1;
constexpr double kLeastBand = 40;  // the header's two lines
constexpr double kCollapsedBand = 22;
constexpr double kSmallSpan = 1.5;     // pixels; smaller neighbours are merged
constexpr double kHairline = 0.25;     // pixels; less is no gap between two of one colour
constexpr double kClickTolerance = 3;  // pixels
constexpr double kMostPinned = 0.6;    // of the room; more scrolls like the others
constexpr double kPinLeft = 9;         // pixels: the pin of a header
constexpr double kPinRight = 25;
constexpr double kFoldedPinRight = 34;

std::size_t place_of(auto begin, auto found) { return static_cast<std::size_t>(found - begin); }

// Returns the counter that is shown: that of the name where any track has one, or else the first main one.
const Counter* shown_counter(const std::vector<TimelineTrack>& tracks, const std::string& name) {
  for (const std::string& wanted : {name, std::string()}) {
    for (const TimelineTrack& track : tracks) {
      if (const Counter* counter = find_counter(track.schedule().trace, wanted)) return counter;
    }
  }
  return nullptr;
}

}  // namespace

double BandHeat::share(double value) const {
  // The root, so that a use of a twentieth of the device differs from none.
  return top > 0 ? std::sqrt(std::clamp(value / top, 0.0, 1.0)) : 0;
}

std::vector<std::shared_ptr<const BandHeat>> band_heats(const std::vector<TimelineTrack>& tracks,
                                                        const std::string& name) {
  std::vector<std::shared_ptr<BandHeat>> heats(tracks.size());
  const Counter* shown = shown_counter(tracks, name);
  double top = 0;
  for (std::size_t i = 0; shown != nullptr && i < tracks.size(); ++i) {
    const Trace& trace = tracks[i].schedule().trace;
    const Counter* counter = find_counter(trace, shown->name);
    if (counter == nullptr || counter->unit != shown->unit) continue;
    heats[i] = std::make_shared<BandHeat>(BandHeat{StepSeries(counter->times, counter->values, trace.duration), 0,
                                                   text_of(counter->name), text_of(counter->unit),
                                                   text_of(counter->source), counter->peak});
    top = std::max(top, heats[i]->series.most());
  }
  std::vector<std::shared_ptr<const BandHeat>> done;
  for (const auto& heat : heats) {
    if (heat) heat->top = top;
    done.push_back(heat);
  }
  return done;
}

double TimelineBand::lane_top(std::size_t lane, double lane_height) const {
  return strip_top() + TimelineScene::kStripHeight + TimelineScene::kLaneGap +
         static_cast<double>(lane) * (lane_height + TimelineScene::kLaneGap);
}

double TimelineBand::folded_height() const {
  return TimelineScene::kFoldedLanes / static_cast<double>(std::max<std::size_t>(lanes.size(), 1));
}

double TimelineBand::folded_top(std::size_t lane) const {
  return strip_top() + TimelineScene::kFoldedStrip + static_cast<double>(lane) * folded_height();
}

double TimelineBand::heat_top(double lane_height) const { return lane_top(lanes.size(), lane_height) + kHeatGap; }

TimelineScene::TimelineScene(std::vector<TimelineTrack> tracks, const std::vector<ShownTrack>& shown)
    : tracks_(std::move(tracks)) {
  for (const ShownTrack& track : shown) {
    bands_.push_back({track.track, track.collapsed, track.pinned, 0, 0, track.index, track.heat, track.index->lanes()});
    duration_ = std::max(duration_, track.index->end());
  }
  std::stable_partition(bands_.begin(), bands_.end(), [](const TimelineBand& band) { return band.pinned; });
  place();
}

TimelineScene::TimelineScene(const std::vector<TimelineTrack>& tracks, const std::vector<std::size_t>& shown,
                             const std::set<std::size_t>& collapsed)
    : TimelineScene(tracks, [&] {
        std::vector<TimelineTrack> chosen;
        for (const std::size_t track : shown) chosen.push_back(tracks[track]);
        const auto heats = band_heats(chosen, {});
        std::vector<ShownTrack> made;
        for (std::size_t i = 0; i < shown.size(); ++i) {
          made.push_back({shown[i], collapsed.contains(shown[i]), false,
                          std::make_shared<const TrackIndex>(chosen[i], nullptr, TimeWarp{}), heats[i]});
        }
        return made;
      }()) {}

void TimelineScene::fill_height(double available) {
  for (lane_height_ = kMaxLaneHeight; lane_height_ > kMinLaneHeight; --lane_height_) {
    place();
    if (height_ <= available) break;
  }
  place();
  if (pinned_height_ > kMostPinned * available) pinned_height_ = 0;
}

void TimelineScene::place() {
  height_ = 0;
  pinned_height_ = 0;
  for (TimelineBand& band : bands_) {
    band.top = height_;
    const double bottom =
        band.heat ? band.heat_top(lane_height_) + kHeatHeight : band.lane_top(band.lanes.size(), lane_height_);
    band.height = band.collapsed ? kCollapsedBand : std::max(kLeastBand, bottom - band.top + kBottomPadding);
    height_ += band.height;
    if (band.pinned) pinned_height_ = height_;
  }
  if (has_more()) height_ += kMoreHeight;
}

void TimelineScene::set_more(std::size_t hidden, bool opened) {
  hidden_ = hidden;
  opened_ = opened;
  place();
}

const TimelineBand* TimelineScene::band_of(std::size_t track) const {
  const auto found = std::ranges::find(bands_, track, &TimelineBand::track);
  return found == bands_.end() ? nullptr : &*found;
}

TimeRange TimelineScene::range(SpanRef ref) const { return band_of(ref.track)->index->range(ref.span); }

std::vector<DrawnSpan> TimelineScene::visible_spans(const TimelineBand& band, const LaneIndex& lane,
                                                    const TimeAxis& axis) const {
  std::vector<DrawnSpan> drawn;
  const Micros small = axis.duration(kSmallSpan);
  const auto& latest = lane.latest_end;
  const std::size_t last =
      place_of(lane.begins.begin(), std::upper_bound(lane.begins.begin(), lane.begins.end(), axis.range.end));
  std::size_t i = place_of(latest.begin(), std::upper_bound(latest.begin(), latest.end(), axis.range.begin));
  while (i < last) {
    std::size_t end = i + 1;
    if (lane.ends[i] - lane.begins[i] < small) {
      // A run stays about a pixel wide, so that its colour is true for that pixel.
      const Micros limit = std::max(lane.begins[i], axis.range.begin) + small;
      end = std::clamp(gallop_upper_bound(latest, i, limit), i + 1, last);
    }
    const double left = std::max(axis.left, axis.x(lane.begins[i]));
    const double right = std::min(axis.right(), axis.x(end == i + 1 ? lane.ends[i] : latest[end - 1]));
    const OperatorClass what = lane.main_class(i, end - i);
    // Runs of one colour side by side are one rectangle.
    const bool joins = end > i + 1 && !drawn.empty() && drawn.back().count > 1 && drawn.back().what == what &&
                       left <= drawn.back().right + kHairline;
    if (joins) {
      drawn.back().right = std::max(right, left);
      drawn.back().count += end - i;
    } else {
      const bool merged = end == i + 1 && band.index->merged(lane.spans[i]);
      drawn.push_back({left, std::max(right, left), i, end - i, what, merged});
    }
    i = end;
  }
  return drawn;
}

std::optional<SpanRef> TimelineScene::span_at(const TimelineBand& band, std::size_t lane, Micros time,
                                              Micros tolerance) const {
  const LaneIndex& row = band.lanes[lane];
  std::optional<SpanRef> nearest;
  Micros least = tolerance;
  for (std::size_t i = place_of(row.latest_end.begin(),
                                std::lower_bound(row.latest_end.begin(), row.latest_end.end(), time - tolerance));
       i < row.spans.size(); ++i) {
    if (row.begins[i] > time + least) break;
    const Micros away = std::max({Micros(0), row.begins[i] - time, time - row.ends[i]});
    if (away < least || (!nearest && away <= least)) {
      least = away;
      nearest = SpanRef{band.track, row.spans[i]};
    }
    if (away <= Micros(0)) break;
  }
  return nearest;
}

TimelineHit TimelineScene::hit(QPointF point, const TimeAxis& axis) const {
  TimelineHit hit;
  for (std::size_t i = 0; i < bands_.size(); ++i) {
    const TimelineBand& band = bands_[i];
    if (point.y() < band.top || point.y() >= band.bottom()) continue;
    hit.band = i;
    if (point.x() < axis.left) {
      const bool second_line = !band.collapsed && point.y() >= band.strip_top() + kStripHeight + 3;
      const bool pin = band.collapsed ? band.pinned && point.x() >= kPinRight && point.x() < kFoldedPinRight
                                      : second_line && point.x() >= kPinLeft && point.x() < kPinRight;
      hit.kind = pin ? TimelineHit::Kind::kPin : TimelineHit::Kind::kHeader;
      return hit;
    }
    const Micros time = axis.time(point.x());
    for (const TimeRange& gap : band.index->warp().gaps()) {
      if (time < gap.begin || time >= gap.end) continue;
      hit.kind = TimelineHit::Kind::kGap;
      hit.gap = gap;
      return hit;
    }
    if (band.collapsed || point.y() < band.strip_top() + kStripHeight) {
      if (const auto stage = band.index->stage_at(time)) {
        hit.kind = TimelineHit::Kind::kStage;
        hit.stage = *stage;
      }
      return hit;
    }
    if (band.heat && point.y() >= band.heat_top(lane_height_)) {
      if (time <= band.index->end()) hit.kind = TimelineHit::Kind::kHeat;
      return hit;
    }
    const double row = (point.y() - band.lane_top(0, lane_height_)) / (lane_height_ + kLaneGap);
    if (row < 0 || row >= static_cast<double>(band.lanes.size())) return hit;
    if (const auto span = span_at(band, static_cast<std::size_t>(row), time, axis.duration(kClickTolerance))) {
      hit.kind = TimelineHit::Kind::kSpan;
      hit.span = *span;
    }
    return hit;
  }
  if (has_more() && point.y() >= more_top() && point.y() < height_) hit.kind = TimelineHit::Kind::kMore;
  return hit;
}

std::optional<Micros> TimelineScene::snap(Micros time, Micros tolerance) const {
  std::optional<Micros> nearest;
  for (const TimelineBand& band : bands_) {
    const auto edge = band.index->nearest_edge(time, tolerance);
    const auto away = [&](Micros at) { return std::chrono::abs(at - time); };
    if (edge && (!nearest || away(*edge) < away(*nearest))) nearest = edge;
  }
  return nearest;
}

SpanRef TimelineScene::next(SpanRef from) const {
  const std::size_t count = tracks_[from.track].schedule().trace.kernels.size();
  return from.span + 1 < count ? SpanRef{from.track, from.span + 1} : from;
}

SpanRef TimelineScene::previous(SpanRef from) const {
  return from.span > 0 ? SpanRef{from.track, from.span - 1} : from;
}

SpanRef TimelineScene::beside(SpanRef from, int step) const {
  std::vector<std::pair<const TimelineBand*, std::size_t>> rows;
  std::optional<std::size_t> own;
  for (const TimelineBand& band : bands_) {
    if (band.collapsed) continue;
    for (std::size_t lane = 0; lane < band.lanes.size(); ++lane) {
      if (band.track == from.track && lane == span(from).lane) own = rows.size();
      if (!band.lanes[lane].spans.empty()) rows.emplace_back(&band, lane);
    }
  }
  if (!own || (step < 0 ? *own == 0 : *own + 1 >= rows.size())) return from;
  const auto [band, lane] = rows[step < 0 ? *own - 1 : *own + 1];
  const TimeRange at = range(from);
  return span_at(*band, lane, (at.begin + at.end) / 2, duration_).value_or(from);
}

std::vector<UnitId> TimelineScene::units(SpanRef ref) const { return band_of(ref.track)->index->units_of(ref.span); }

std::vector<std::size_t> TimelineScene::selected_spans(const TimelineBand& band, const Selection& selection) const {
  std::vector<std::size_t> selected;
  for (const UnitId unit : selection.units) {
    const auto spans = band.index->spans_of(unit);
    selected.insert(selected.end(), spans.begin(), spans.end());
  }
  std::sort(selected.begin(), selected.end());
  selected.erase(std::unique(selected.begin(), selected.end()), selected.end());
  return selected;
}

TimelineScene::Waits TimelineScene::shown_waits(const TimelineBand& band, const Selection& selection,
                                                const TimeAxis& axis) const {
  Waits shown;
  if (band.collapsed || band.index->waits().empty()) return shown;
  if (!selection.empty()) {
    for (const std::size_t span : selected_spans(band, selection)) {
      const auto own = band.index->waits_of(span);
      shown.waits.insert(shown.waits.end(), own.begin(), own.end());
      if (shown.waits.size() > kMostWaits) return {};
    }
    std::ranges::sort(shown.waits);
    shown.waits.erase(std::unique(shown.waits.begin(), shown.waits.end()), shown.waits.end());
    shown.emphasised = true;
    return shown;
  }
  const auto begin = [&](const SpanWait& wait) { return band.index->range(wait.waiting).begin; };
  const auto all = band.index->waits();
  const auto first = std::ranges::lower_bound(all, axis.range.begin, {}, begin);
  const auto last = std::ranges::upper_bound(first, all.end(), axis.range.end, {}, begin);
  if (last - first <= static_cast<std::ptrdiff_t>(kMostWaits)) shown.waits.assign(first, last);
  return shown;
}

const TimelineBand* TimelineScene::staged_band(const TimelineBand& band) const {
  const Comparison& comparison = *tracks_[band.track].comparison;
  const ScheduleResult* const staged = comparison.staged(result(band));
  if (staged == nullptr || !band.index->warp().pieces.empty()) return nullptr;
  const auto found = std::ranges::find_if(bands_, [&](const TimelineBand& other) {
    return tracks_[other.track].comparison.get() == &comparison && &result(other) == staged;
  });
  return found == bands_.end() ? nullptr : &*found;
}

std::optional<TimeRange> TimelineScene::selected_range(const Selection& selection,
                                                       std::optional<std::size_t> made_in) const {
  std::vector<const TimelineBand*> order;
  if (made_in && band_of(*made_in) != nullptr) order.push_back(band_of(*made_in));
  for (const TimelineBand& band : bands_) order.push_back(&band);
  for (const TimelineBand* band : order) {
    const std::vector<TimeRange>& stages = band->index->stages();
    const bool own = selection.stage && is_made_in(selection, *band);
    if (own && *selection.stage < stages.size()) return stages[*selection.stage];
  }
  for (const TimelineBand* band : order) {
    std::optional<TimeRange> range;
    for (const std::size_t span : selected_spans(*band, selection)) {
      const TimeRange own = band->index->range(span);
      if (!range) range = own;
      range = TimeRange{std::min(range->begin, own.begin), std::max(range->end, own.end)};
    }
    if (range) return range;
  }
  return std::nullopt;
}

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
    return shown_more_.clear();
  }
  for (const std::size_t track : hidden_tracks()) {
    shown_more_.push_back(tracks_[track].key());
    set_shown(track, true);
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
