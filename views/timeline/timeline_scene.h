#pragma once

#include <QPointF>
#include <cstddef>
#include <optional>
#include <set>
#include <vector>

#include "core/compare/comparison.h"
#include "views/bridge/selection.h"
#include "views/time/time_axis.h"

namespace iosx {

// One kernel span of one schedule.
struct SpanRef {
  std::size_t result = 0;  // index into Comparison::results
  std::size_t span = 0;    // index into Trace::kernels
  friend bool operator==(const SpanRef&, const SpanRef&) = default;
};

// A stream's spans by begin, with what a search for the visible ones needs.
struct TimelineLane {
  std::vector<std::size_t> spans;  // indices into Trace::kernels
  std::vector<Micros> latest_end;  // of spans[0] … spans[i]; rises
};

// One or, where several are too small to tell apart, a run of neighbouring spans as drawn.
struct DrawnSpan {
  double left = 0;  // pixels, within the axis
  double right = 0;
  std::size_t first = 0;  // indices into TimelineLane::spans
  std::size_t count = 1;
};

// A schedule's band. Vertical positions are pixels from the top of the content.
struct TimelineBand {
  std::size_t result = 0;
  bool collapsed = false;
  double top = 0;
  double height = 0;
  std::vector<TimelineLane> lanes;

  double strip_top() const { return top + 2; }
  double lane_top(std::size_t lane, double lane_height) const;
  double bottom() const { return top + height; }
};

struct TimelineHit {
  enum class Kind { kNothing, kHeader, kStage, kSpan };
  Kind kind = Kind::kNothing;
  std::size_t band = 0;
  std::size_t stage = 0;  // for kStage
  SpanRef span;           // for kSpan
};

// What the timeline shows and where: the arithmetic of the view, without a widget. Keeps a reference to the comparison.
class TimelineScene {
 public:
  static constexpr double kHeaderWidth = 220;
  static constexpr double kStripHeight = 14;
  static constexpr double kLaneGap = 1;
  static constexpr double kMinLaneHeight = 13;
  static constexpr double kMaxLaneHeight = 32;

  TimelineScene() = default;
  // `shown` are indices into the results; the names in `collapsed` show only their stages.
  TimelineScene(const Comparison& comparison, const std::vector<std::size_t>& shown,
                const std::set<ScheduleId>& collapsed);

  // Lanes grow, within limits, to fill what is available.
  void fill_height(double available);

  const std::vector<TimelineBand>& bands() const { return bands_; }
  double lane_height() const { return lane_height_; }
  double height() const { return height_; }
  Micros duration() const { return duration_; }  // of the longest schedule shown
  const ScheduleResult& result(const TimelineBand& band) const { return comparison_->results[band.result]; }
  const KernelSpan& span(SpanRef ref) const { return comparison_->results[ref.result].trace.kernels[ref.span]; }

  // The visible spans of a lane, in order, those under about a pixel merged.
  std::vector<DrawnSpan> visible_spans(const TimelineBand& band, const TimelineLane& lane, const TimeAxis& axis) const;
  TimelineHit hit(QPointF point, const TimeAxis& axis) const;
  // The nearest begin or end of a shown span or stage, if one is within the tolerance.
  std::optional<Micros> snap(Micros time, Micros tolerance) const;

  // In order of time within its schedule; the first or last span of the schedule stays.
  SpanRef next(SpanRef from) const;
  SpanRef previous(SpanRef from) const;
  // The span on the neighbouring lane (step −1 up, +1 down, over bands too) that is nearest in time.
  SpanRef beside(SpanRef from, int step) const;

  std::vector<UnitId> units(SpanRef ref) const;
  // Spans of the band that run a selected unit.
  std::vector<std::size_t> selected_spans(const TimelineBand& band, const Selection& selection) const;
  // What holds all selected spans of the shown bands.
  std::optional<TimeRange> selected_range(const Selection& selection) const;

 private:
  void place();
  std::optional<std::size_t> stage_at(const TimelineBand& band, Micros time) const;
  std::optional<SpanRef> span_at(const TimelineBand& band, std::size_t lane, Micros time, Micros tolerance) const;

  const Comparison* comparison_ = nullptr;
  std::vector<TimelineBand> bands_;
  std::vector<Micros> edges_;  // sorted
  double lane_height_ = 22;
  double height_ = 0;
  Micros duration_{0};
};

}  // namespace iosx
