#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/graph/operator_table.h"
#include "views/time/step_series.h"
#include "views/time/timeline_track.h"

namespace iosx {

// The time in each class of operators.
using ClassTimes = std::array<Micros, kOperatorClasses>;

// The spans of one lane by begin, with sums over them.
struct LaneIndex {
  std::vector<std::uint32_t> spans;  // indices into Trace::kernels
  std::vector<Micros> begins;        // of spans[i]
  std::vector<Micros> ends;
  std::vector<Micros> latest_end;       // of spans[0] … spans[i]; never decreases
  std::vector<Micros> busy;             // in which one of spans[0] … spans[i] runs, overlaps counted once
  std::vector<std::uint8_t> classes;    // OperatorClass of spans[i]
  std::vector<ClassTimes> class_times;  // of the spans before every kBlock-th one

  static constexpr std::size_t kBlock = 64;

  Micros busy_between(Micros begin, Micros end) const;
  // Return how many spans run in the window, and their time in it, by class.
  std::size_t count_between(Micros begin, Micros end) const;
  ClassTimes class_times_between(Micros begin, Micros end) const;
  // Returns the class with the most time in a run of neighbouring spans.
  OperatorClass main_class(std::size_t first, std::size_t count) const;

 private:
  Micros busy_until(Micros time) const;
  ClassTimes class_times_of(std::size_t first, std::size_t last) const;  // of spans first … last - 1, whole
};

// A wait of one kernel for another one on another lane in a barrier-free run (Kernel::waits). Spans are indices
// into Trace::kernels.
struct SpanWait {
  std::uint32_t waiting = 0;
  std::uint32_t on = 0;
  friend auto operator<=>(const SpanWait&, const SpanWait&) = default;
};

// Sorted arrays for pictures and queries of a run, made once, so that both take time in proportion to the picture's
// width, not to the number of spans. All times are on the axis (TimeWarp). It is immutable.
class TrackIndex {
 public:
  // `graph` is that of the units in selections; null: the track's own.
  TrackIndex(const TimelineTrack& track, const Graph* graph, TimeWarp warp);

  const std::vector<LaneIndex>& lanes() const { return lanes_; }
  const std::vector<TimeRange>& stages() const { return stages_; }
  const TimeWarp& warp() const { return warp_; }
  Micros end() const { return end_; }  // of the run
  // The end of the last kernel of one of several networks (core/model/graph/networks.h).
  struct NetworkEnd {
    std::string name;
    Micros end{0};
  };
  const std::vector<NetworkEnd>& network_ends() const { return network_ends_; }  // by time; none of one network
  TimeRange range(std::size_t span) const { return ranges_[span]; }
  OperatorClass class_of(std::size_t span) const;
  const std::array<bool, kOperatorClasses>& classes() const { return seen_classes_; }  // the present ones
  bool merged(std::size_t span) const;  // whether its kernel computes several layers as one
  bool any_merged() const { return any_merged_; }

  // Return the nearest begin or end of a span or stage before and after a time, excluding it.
  std::optional<Micros> edge_before(Micros time) const;
  std::optional<Micros> edge_after(Micros time) const;
  std::optional<Micros> nearest_edge(Micros time, Micros tolerance) const;

  // Returns the spans that compute the unit, by begin; the unit is of the given graph.
  std::span<const std::uint32_t> spans_of(UnitId unit) const;
  // Returns the units of a span, in the ids of the given graph, without those that it lacks.
  std::vector<UnitId> units_of(std::size_t span) const;
  // Returns the spans that run at a time, by lane.
  std::vector<std::size_t> running(Micros time) const;
  std::vector<UnitId> running_units(Micros time) const;      // their units, by id
  std::vector<UnitId> units_between(TimeRange range) const;  // those with a span that runs in it, by id
  // Returns the units that have not begun at a time, without those that have no span.
  std::vector<UnitId> ahead(Micros time) const;
  // Return waits sorted by the waiting span, in the order of begins: all, and those with a span at either end.
  // Empty with stages.
  std::span<const SpanWait> waits() const { return waits_; }
  std::vector<SpanWait> waits_of(std::size_t span) const;
  std::optional<std::size_t> stage_at(Micros time) const;  // the time after a stage belongs to it; none after the last

 private:
  void add_spans(const ScheduleResult& result);
  void add_units(const ScheduleResult& result, std::size_t units);
  void add_waits(const ScheduleResult& result);
  void add_networks(const ScheduleResult& result, const Graph& graph);
  std::vector<UnitId> units_of_all(const std::vector<std::size_t>& spans) const;

  TimeWarp warp_;
  std::vector<LaneIndex> lanes_;
  std::vector<TimeRange> ranges_;  // of every span
  std::vector<TimeRange> stages_;
  std::vector<Micros> edges_;                      // sorted, each once
  std::vector<std::vector<UnitId>> kernel_units_;  // of every kernel of the plan
  std::vector<OperatorClass> kernel_classes_;
  std::vector<bool> kernel_merged_;
  std::vector<std::uint32_t> kernels_;     // of every span; the number of kernels where unknown
  std::vector<std::uint32_t> unit_spans_;  // of unit 0, 1, …
  std::vector<std::size_t> unit_begins_;   // in unit_spans_, one more than units
  std::vector<SpanWait> waits_;            // sorted
  std::vector<SpanWait> waits_by_on_;      // the same, sorted by the awaited span
  std::array<bool, kOperatorClasses> seen_classes_{};
  bool any_merged_ = false;
  std::vector<NetworkEnd> network_ends_;
  Micros end_{0};
};

}  // namespace iosx
