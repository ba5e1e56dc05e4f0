#include "views/explore/timeline/track_index.h"

#include <algorithm>
#include <numeric>

namespace iosx {
namespace {

std::size_t place(OperatorClass what) { return static_cast<std::size_t>(what); }

}  // namespace

Micros LaneIndex::busy_until(Micros time) const {
  const auto after = std::upper_bound(begins.begin(), begins.end(), time);
  if (after == begins.begin()) return Micros(0);
  const auto last = static_cast<std::size_t>(after - begins.begin()) - 1;
  // The span that ends last has begun, so all from the time to that end is busy.
  return busy[last] - std::max(Micros(0), latest_end[last] - time);
}

Micros LaneIndex::busy_between(Micros begin, Micros end) const {
  return end > begin ? busy_until(end) - busy_until(begin) : Micros(0);
}

std::size_t LaneIndex::count_between(Micros begin, Micros end) const {
  const auto index = [](auto from, auto to) { return static_cast<std::size_t>(to - from); };
  const std::size_t first = index(latest_end.begin(), std::upper_bound(latest_end.begin(), latest_end.end(), begin));
  const std::size_t last = index(begins.begin(), std::lower_bound(begins.begin(), begins.end(), end));
  std::size_t count = 0;
  std::size_t i = first;
  for (; i < last && begins[i] < begin; ++i) count += ends[i] > begin ? 1 : 0;
  return count + (last > i ? last - i : 0);
}

ClassTimes LaneIndex::class_times_of(std::size_t first, std::size_t last) const {
  ClassTimes times{};
  const auto add = [&](std::size_t from, std::size_t to, double sign) {
    for (std::size_t i = from; i < to; ++i) times[classes[i]] += (ends[i] - begins[i]) * sign;
  };
  if (last - first < 2 * kBlock) {
    add(first, last, 1);
    return times;
  }
  const std::size_t first_block = (first + kBlock - 1) / kBlock;
  const std::size_t last_block = last / kBlock;
  add(first, first_block * kBlock, 1);
  for (std::size_t i = 0; i < kOperatorClasses; ++i) {
    times[i] += class_times[last_block][i] - class_times[first_block][i];
  }
  add(last_block * kBlock, last, 1);
  return times;
}

ClassTimes LaneIndex::class_times_between(Micros begin, Micros end) const {
  const auto first =
      static_cast<std::size_t>(std::upper_bound(latest_end.begin(), latest_end.end(), begin) - latest_end.begin());
  const auto last = static_cast<std::size_t>(std::lower_bound(begins.begin(), begins.end(), end) - begins.begin());
  if (first >= last) return {};
  ClassTimes times = class_times_of(first, last);
  // Removes overhangs on the left and on the right.
  for (std::size_t i = first; i < last && begins[i] < begin; ++i) {
    times[classes[i]] -= std::min(ends[i], begin) - begins[i];
  }
  const auto late =
      static_cast<std::size_t>(std::upper_bound(latest_end.begin(), latest_end.end(), end) - latest_end.begin());
  for (std::size_t i = std::max(first, late); i < last; ++i) {
    if (ends[i] > end) times[classes[i]] -= ends[i] - std::max(end, begins[i]);
  }
  return times;
}

OperatorClass LaneIndex::main_class(std::size_t first, std::size_t count) const {
  if (count <= 1) return static_cast<OperatorClass>(classes[first]);
  const ClassTimes times = class_times_of(first, first + count);
  return static_cast<OperatorClass>(std::max_element(times.begin(), times.end()) - times.begin());
}

TrackIndex::TrackIndex(const TimelineTrack& track, const Graph* graph, TimeWarp warp) : warp_(std::move(warp)) {
  const ScheduleResult& result = track.schedule();
  const Graph* own = track.comparison->graph.get();
  if (graph == nullptr) graph = own;
  std::vector<std::optional<UnitId>> match;
  if (own != nullptr && graph != nullptr) match = matching_units(*own, *graph);
  for (const Kernel& kernel : result.plan.kernels) {
    kernel_classes_.push_back(operator_class(kernel.attributes));
    kernel_merged_.push_back(kernel.merged());
    std::vector<UnitId>& units = kernel_units_.emplace_back();
    for (const UnitId unit : kernel.units) {
      if (unit.index() < match.size() && match[unit.index()]) units.push_back(*match[unit.index()]);
    }
  }
  const Trace& trace = result.trace;
  end_ = warp_.shown(trace.duration);
  if (!warp_.pieces.empty()) end_ = trace.duration + warp_.pieces.back().shift;
  // Stages of a run without barriers overlap: there are none to draw one after another.
  for (const StageSpan& stage : result.lanes ? std::vector<StageSpan>() : trace.stages) {
    const Micros begin = warp_.shown(stage.begin);
    stages_.push_back({begin, begin + (stage.end - stage.begin)});
  }
  add_spans(result);
  add_units(result, graph != nullptr ? graph->units().size() : 0);
  if (result.lanes) add_waits(result);
  if (own != nullptr) add_networks(result, *own);
}

void TrackIndex::add_networks(const ScheduleResult& result, const Graph& graph) {
  std::vector<std::optional<Micros>> ends(graph.networks().size());
  for (std::size_t span = 0; span < kernels_.size() && ends.size() > 1; ++span) {
    if (kernels_[span] >= result.plan.kernels.size()) continue;
    for (const UnitId unit : result.plan.kernels[kernels_[span]].units) {
      std::optional<Micros>& end = ends[graph.network(unit).index()];
      end = std::max(end.value_or(Micros(0)), ranges_[span].end);
    }
  }
  for (std::size_t network = 0; network < ends.size(); ++network) {
    if (ends[network]) network_ends_.push_back({graph.networks()[network], *ends[network]});
  }
  std::ranges::stable_sort(network_ends_, {}, &NetworkEnd::end);
}

void TrackIndex::add_waits(const ScheduleResult& result) {
  const std::vector<Kernel>& kernels = result.plan.kernels;
  std::vector<std::optional<std::uint32_t>> span_of(kernels.size());
  for (std::size_t span = 0; span < kernels_.size(); ++span) {
    if (kernels_[span] < kernels.size()) span_of[kernels_[span]] = static_cast<std::uint32_t>(span);
  }
  for (std::size_t span = 0; span < kernels_.size(); ++span) {
    if (kernels_[span] >= kernels.size()) continue;
    for (const KernelId on : kernels[kernels_[span]].waits) {
      if (const auto other = span_of[on.index()]) waits_.push_back({static_cast<std::uint32_t>(span), *other});
    }
  }
  std::ranges::sort(waits_);
  waits_by_on_ = waits_;
  std::ranges::stable_sort(waits_by_on_, {}, &SpanWait::on);
}

std::vector<SpanWait> TrackIndex::waits_of(std::size_t span) const {
  const auto own = static_cast<std::uint32_t>(span);
  std::vector<SpanWait> both;
  const auto add = [&](const std::vector<SpanWait>& waits, std::uint32_t SpanWait::*of) {  // sorted by that
    both.insert(both.end(), std::ranges::lower_bound(waits, own, {}, of), std::ranges::upper_bound(waits, own, {}, of));
  };
  add(waits_, &SpanWait::waiting);
  add(waits_by_on_, &SpanWait::on);
  return both;
}

std::vector<UnitId> TrackIndex::running_units(Micros time) const { return units_of_all(running(time)); }

std::vector<UnitId> TrackIndex::units_between(TimeRange range) const {
  std::vector<std::size_t> spans;
  for (const LaneIndex& lane : lanes_) {
    const auto first = std::ranges::upper_bound(lane.latest_end, range.begin);
    for (auto i = static_cast<std::size_t>(first - lane.latest_end.begin()); i < lane.spans.size(); ++i) {
      if (lane.begins[i] >= range.end) break;
      if (lane.ends[i] > range.begin) spans.push_back(lane.spans[i]);
    }
  }
  return units_of_all(spans);
}

std::vector<UnitId> TrackIndex::units_of_all(const std::vector<std::size_t>& spans) const {
  std::vector<UnitId> units;
  for (const std::size_t span : spans) {
    const std::vector<UnitId> more = units_of(span);
    units.insert(units.end(), more.begin(), more.end());
  }
  std::sort(units.begin(), units.end());
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

std::vector<UnitId> TrackIndex::ahead(Micros time) const {
  std::vector<UnitId> units;
  for (std::size_t unit = 0; unit + 1 < unit_begins_.size(); ++unit) {
    const auto spans = spans_of(UnitId(unit));
    if (!spans.empty() && ranges_[spans.front()].begin > time) units.emplace_back(unit);
  }
  return units;
}

void TrackIndex::add_spans(const ScheduleResult& result) {
  const Trace& trace = result.trace;
  const std::size_t count = trace.kernels.size();
  std::size_t lanes = std::max<std::size_t>(trace.lanes, 1);
  for (const KernelSpan& span : trace.kernels) lanes = std::max(lanes, span.lane + 1);
  lanes_.resize(lanes);
  ranges_.reserve(count);
  kernels_.reserve(count);
  edges_.reserve(2 * (count + stages_.size()));
  for (const TimeRange& stage : stages_) edges_.insert(edges_.end(), {stage.begin, stage.end});
  for (std::size_t i = 0; i < count; ++i) {
    const KernelSpan& span = trace.kernels[i];
    const Micros begin = warp_.shown(span.begin);
    ranges_.push_back({begin, begin + (span.end - span.begin)});
    kernels_.push_back(static_cast<std::uint32_t>(std::min(span.kernel.index(), kernel_classes_.size())));
    edges_.insert(edges_.end(), {ranges_.back().begin, ranges_.back().end});
    lanes_[span.lane].spans.push_back(static_cast<std::uint32_t>(i));
    seen_classes_[place(class_of(i))] = true;
    any_merged_ = any_merged_ || merged(i);
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  for (LaneIndex& lane : lanes_) {
    std::stable_sort(lane.spans.begin(), lane.spans.end(),
                     [&](std::size_t a, std::size_t b) { return ranges_[a].begin < ranges_[b].begin; });
    Micros latest{0};
    Micros busy{0};
    ClassTimes times{};
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const TimeRange range = ranges_[lane.spans[i]];
      const std::size_t what = place(class_of(lane.spans[i]));
      if (i % LaneIndex::kBlock == 0) lane.class_times.push_back(times);
      busy += std::max(Micros(0), range.end - std::max(range.begin, i > 0 ? latest : range.begin));
      latest = i > 0 ? std::max(latest, range.end) : range.end;
      times[what] += range.length();
      lane.begins.push_back(range.begin);
      lane.ends.push_back(range.end);
      lane.latest_end.push_back(latest);
      lane.busy.push_back(busy);
      lane.classes.push_back(static_cast<std::uint8_t>(what));
    }
    lane.class_times.push_back(times);
  }
}

void TrackIndex::add_units(const ScheduleResult& result, std::size_t units) {
  unit_begins_.assign(units + 1, 0);
  for (const std::uint32_t kernel : kernels_) {
    if (kernel >= kernel_units_.size()) continue;
    for (const UnitId unit : kernel_units_[kernel]) ++unit_begins_[unit.index() + 1];
  }
  std::partial_sum(unit_begins_.begin(), unit_begins_.end(), unit_begins_.begin());
  unit_spans_.resize(unit_begins_.back());
  std::vector<std::size_t> next = unit_begins_;
  for (std::size_t span = 0; span < result.trace.kernels.size(); ++span) {
    if (kernels_[span] >= kernel_units_.size()) continue;
    for (const UnitId unit : kernel_units_[kernels_[span]]) {
      unit_spans_[next[unit.index()]++] = static_cast<std::uint32_t>(span);
    }
  }
}

OperatorClass TrackIndex::class_of(std::size_t span) const {
  const std::uint32_t kernel = kernels_[span];
  return kernel < kernel_classes_.size() ? kernel_classes_[kernel] : OperatorClass::kOpaque;
}

bool TrackIndex::merged(std::size_t span) const {
  return kernels_[span] < kernel_merged_.size() && kernel_merged_[kernels_[span]];
}

std::optional<Micros> TrackIndex::edge_before(Micros time) const {
  const auto found = std::lower_bound(edges_.begin(), edges_.end(), time);
  return found == edges_.begin() ? std::nullopt : std::optional(*std::prev(found));
}

std::optional<Micros> TrackIndex::edge_after(Micros time) const {
  const auto found = std::upper_bound(edges_.begin(), edges_.end(), time);
  return found == edges_.end() ? std::nullopt : std::optional(*found);
}

std::optional<Micros> TrackIndex::nearest_edge(Micros time, Micros tolerance) const {
  const auto after = std::lower_bound(edges_.begin(), edges_.end(), time);
  std::optional<Micros> nearest;
  if (after != edges_.end() && *after - time <= tolerance) nearest = *after;
  if (after != edges_.begin()) {
    const Micros before = *std::prev(after);
    if (time - before <= tolerance && (!nearest || time - before < *nearest - time)) nearest = before;
  }
  return nearest;
}

std::span<const std::uint32_t> TrackIndex::spans_of(UnitId unit) const {
  if (unit.index() + 1 >= unit_begins_.size()) return {};
  return std::span(unit_spans_)
      .subspan(unit_begins_[unit.index()], unit_begins_[unit.index() + 1] - unit_begins_[unit.index()]);
}

std::vector<UnitId> TrackIndex::units_of(std::size_t span) const {
  return kernels_[span] < kernel_units_.size() ? kernel_units_[kernels_[span]] : std::vector<UnitId>{};
}

std::vector<std::size_t> TrackIndex::running(Micros time) const {
  std::vector<std::size_t> spans;
  for (const LaneIndex& lane : lanes_) {
    const auto first = std::upper_bound(lane.latest_end.begin(), lane.latest_end.end(), time);
    for (auto i = static_cast<std::size_t>(first - lane.latest_end.begin()); i < lane.spans.size(); ++i) {
      if (lane.begins[i] > time) break;
      if (lane.ends[i] > time) spans.push_back(lane.spans[i]);
    }
  }
  return spans;
}

std::optional<std::size_t> TrackIndex::stage_at(Micros time) const {
  const auto after = std::upper_bound(stages_.begin(), stages_.end(), time,
                                      [](Micros t, const TimeRange& stage) { return t < stage.begin; });
  if (after == stages_.begin()) return std::nullopt;
  const auto index = static_cast<std::size_t>(after - stages_.begin()) - 1;
  if (index + 1 == stages_.size() && time > stages_[index].end) return std::nullopt;
  return index;
}

}  // namespace iosx
