#include "views/timeline/timeline_scene.h"

#include <algorithm>
#include <cmath>

namespace iosx {
namespace {

constexpr double kBottomPadding = 3;
constexpr double kLeastBand = 40;  // the header's two lines
constexpr double kCollapsedBand = 22;
constexpr double kSmallSpan = 1.5;     // pixels; smaller neighbours are merged
constexpr double kClickTolerance = 3;  // pixels

TimelineBand make_band(const ScheduleResult& result, std::size_t index, bool collapsed) {
  TimelineBand band{index, collapsed, 0, 0, {}};
  const Trace& trace = result.trace;
  std::size_t lanes = trace.lanes;
  for (const KernelSpan& span : trace.kernels) lanes = std::max(lanes, span.lane + 1);
  band.lanes.resize(std::max<std::size_t>(lanes, 1));
  for (std::size_t i = 0; i < trace.kernels.size(); ++i) band.lanes[trace.kernels[i].lane].spans.push_back(i);
  for (TimelineLane& lane : band.lanes) {
    std::stable_sort(lane.spans.begin(), lane.spans.end(),
                     [&](std::size_t a, std::size_t b) { return trace.kernels[a].begin < trace.kernels[b].begin; });
    Micros latest{0};
    for (const std::size_t span : lane.spans) {
      latest = std::max(latest, trace.kernels[span].end);
      lane.latest_end.push_back(latest);
    }
  }
  return band;
}

}  // namespace

double TimelineBand::lane_top(std::size_t lane, double lane_height) const {
  return strip_top() + TimelineScene::kStripHeight + TimelineScene::kLaneGap +
         static_cast<double>(lane) * (lane_height + TimelineScene::kLaneGap);
}

TimelineScene::TimelineScene(const Comparison& comparison, const std::vector<std::size_t>& shown,
                             const std::set<ScheduleId>& collapsed)
    : comparison_(&comparison) {
  for (const std::size_t index : shown) {
    if (index >= comparison.results.size()) continue;
    const ScheduleResult& result = comparison.results[index];
    bands_.push_back(make_band(result, index, collapsed.contains(result.id)));
    duration_ = std::max(duration_, result.trace.duration);
    for (const KernelSpan& span : result.trace.kernels) edges_.insert(edges_.end(), {span.begin, span.end});
    for (const StageSpan& stage : result.trace.stages) edges_.insert(edges_.end(), {stage.begin, stage.end});
  }
  std::sort(edges_.begin(), edges_.end());
  edges_.erase(std::unique(edges_.begin(), edges_.end()), edges_.end());
  place();
}

void TimelineScene::fill_height(double available) {
  for (lane_height_ = kMaxLaneHeight; lane_height_ > kMinLaneHeight; --lane_height_) {
    place();
    if (height_ <= available) return;
  }
  place();
}

void TimelineScene::place() {
  height_ = 0;
  for (TimelineBand& band : bands_) {
    band.top = height_;
    const double full = band.lane_top(band.lanes.size(), lane_height_) - band.top + kBottomPadding;
    band.height = band.collapsed ? kCollapsedBand : std::max(kLeastBand, full);
    height_ += band.height;
  }
}

std::vector<DrawnSpan> TimelineScene::visible_spans(const TimelineBand& band, const TimelineLane& lane,
                                                    const TimeAxis& axis) const {
  const std::vector<KernelSpan>& kernels = result(band).trace.kernels;
  std::vector<DrawnSpan> drawn;
  const auto begin = std::upper_bound(lane.latest_end.begin(), lane.latest_end.end(), axis.range.begin);
  const Micros pixel = axis.duration(1);
  for (auto i = static_cast<std::size_t>(begin - lane.latest_end.begin()); i < lane.spans.size(); ++i) {
    const KernelSpan& span = kernels[lane.spans[i]];
    if (span.begin > axis.range.end) break;
    const double left = std::max(axis.left, axis.x(span.begin));
    const double right = std::min(axis.right(), axis.x(span.end));
    const bool small = span.end - span.begin < pixel * kSmallSpan;
    // A run stays about a pixel wide, so that its colour, that of its first span, is true for that pixel.
    if (small && !drawn.empty() && left - drawn.back().right < 1 && right - drawn.back().left < kSmallSpan) {
      drawn.back().right = std::max(drawn.back().right, right);
      ++drawn.back().count;
    } else {
      drawn.push_back({left, std::max(right, left), i, 1});
    }
  }
  return drawn;
}

std::optional<std::size_t> TimelineScene::stage_at(const TimelineBand& band, Micros time) const {
  const std::vector<StageSpan>& stages = result(band).trace.stages;
  const auto after = std::upper_bound(stages.begin(), stages.end(), time,
                                      [](Micros t, const StageSpan& stage) { return t < stage.begin; });
  if (after == stages.begin()) return std::nullopt;
  const auto index = static_cast<std::size_t>(after - stages.begin()) - 1;
  // What lies between two stages belongs to the one before; nothing follows the last.
  if (index + 1 == stages.size() && time > stages[index].end) return std::nullopt;
  return index;
}

std::optional<SpanRef> TimelineScene::span_at(const TimelineBand& band, std::size_t lane, Micros time,
                                              Micros tolerance) const {
  const std::vector<KernelSpan>& kernels = result(band).trace.kernels;
  const TimelineLane& row = band.lanes[lane];
  const auto first = std::lower_bound(row.latest_end.begin(), row.latest_end.end(), time - tolerance);
  std::optional<SpanRef> nearest;
  Micros least = tolerance;
  for (auto i = static_cast<std::size_t>(first - row.latest_end.begin()); i < row.spans.size(); ++i) {
    const KernelSpan& span = kernels[row.spans[i]];
    if (span.begin > time + tolerance) break;
    const Micros away = std::max({Micros(0), span.begin - time, time - span.end});
    if (away < least || (!nearest && away <= least)) {
      least = away;
      nearest = SpanRef{band.result, row.spans[i]};
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
      hit.kind = TimelineHit::Kind::kHeader;
      return hit;
    }
    const Micros time = axis.time(point.x());
    if (point.y() < band.strip_top() + kStripHeight) {
      if (const auto stage = stage_at(band, time)) {
        hit.kind = TimelineHit::Kind::kStage;
        hit.stage = *stage;
      }
      return hit;
    }
    if (band.collapsed) return hit;
    const double row = (point.y() - band.lane_top(0, lane_height_)) / (lane_height_ + kLaneGap);
    if (row < 0 || row >= static_cast<double>(band.lanes.size())) return hit;
    if (const auto span = span_at(band, static_cast<std::size_t>(row), time, axis.duration(kClickTolerance))) {
      hit.kind = TimelineHit::Kind::kSpan;
      hit.span = *span;
    }
    return hit;
  }
  return hit;
}

std::optional<Micros> TimelineScene::snap(Micros time, Micros tolerance) const {
  const auto after = std::lower_bound(edges_.begin(), edges_.end(), time);
  std::optional<Micros> nearest;
  if (after != edges_.end() && *after - time <= tolerance) nearest = *after;
  if (after != edges_.begin()) {
    const Micros before = *std::prev(after);
    if (time - before <= tolerance && (!nearest || time - before < *nearest - time)) nearest = before;
  }
  return nearest;
}

SpanRef TimelineScene::next(SpanRef from) const {
  const std::size_t count = comparison_->results[from.result].trace.kernels.size();
  return from.span + 1 < count ? SpanRef{from.result, from.span + 1} : from;
}

SpanRef TimelineScene::previous(SpanRef from) const {
  return from.span > 0 ? SpanRef{from.result, from.span - 1} : from;
}

SpanRef TimelineScene::beside(SpanRef from, int step) const {
  std::vector<std::pair<const TimelineBand*, std::size_t>> rows;
  std::optional<std::size_t> own;
  for (const TimelineBand& band : bands_) {
    if (band.collapsed) continue;
    for (std::size_t lane = 0; lane < band.lanes.size(); ++lane) {
      if (band.result == from.result && lane == span(from).lane) own = rows.size();
      if (!band.lanes[lane].spans.empty()) rows.emplace_back(&band, lane);
    }
  }
  if (!own || (step < 0 ? *own == 0 : *own + 1 >= rows.size())) return from;
  const auto [band, lane] = rows[step < 0 ? *own - 1 : *own + 1];
  const Micros middle = (span(from).begin + span(from).end) / 2;
  return span_at(*band, lane, middle, duration_).value_or(from);
}

std::vector<UnitId> TimelineScene::units(SpanRef ref) const {
  const ExecutionPlan& plan = comparison_->results[ref.result].plan;
  const KernelId kernel = span(ref).kernel;
  return kernel.index() < plan.kernels.size() ? plan.kernel(kernel).units : std::vector<UnitId>{};
}

std::vector<std::size_t> TimelineScene::selected_spans(const TimelineBand& band, const Selection& selection) const {
  std::vector<std::size_t> selected;
  if (selection.empty()) return selected;
  for (std::size_t i = 0; i < result(band).trace.kernels.size(); ++i) {
    for (const UnitId unit : units({band.result, i})) {
      if (!selection.contains(unit)) continue;
      selected.push_back(i);
      break;
    }
  }
  return selected;
}

std::optional<TimeRange> TimelineScene::selected_range(const Selection& selection) const {
  std::optional<TimeRange> range;
  for (const TimelineBand& band : bands_) {
    for (const std::size_t index : selected_spans(band, selection)) {
      const KernelSpan& span = result(band).trace.kernels[index];
      if (!range) range = TimeRange{span.begin, span.end};
      range->begin = std::min(range->begin, span.begin);
      range->end = std::max(range->end, span.end);
    }
  }
  return range;
}

}  // namespace iosx
