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
#include "views/time/time_warp.h"
#include "views/time/timeline_track.h"

namespace iosx {

// Holds the time spent in each class of operators.
using ClassTimes = std::array<Micros, kOperatorClasses>;

// Holds the spans of one lane by begin, with sums over them.
struct LaneIndex {
  std::vector<std::uint32_t> spans;  // indices into Trace::kernels
  std::vector<Micros> begins;        // of spans[i]
  std::vector<Micros> ends;
  std::vector<Micros> latest_end;       // of spans[0] … spans[i]; rises
  std::vector<Micros> busy;             // in which one of spans[0] … spans[i] runs, overlaps once
  std::vector<std::uint8_t> classes;    // OperatorClass of spans[i]
  std::vector<ClassTimes> class_times;  // of the spans before every kBlock-th one

  static constexpr std::size_t kBlock = 64;

  Micros busy_between(Micros begin, Micros end) const;
  // These return how many spans run in the window, and what of the window they take, by class.
  std::size_t count_between(Micros begin, Micros end) const;
  ClassTimes class_times_between(Micros begin, Micros end) const;
  // Returns the class with the most time in a run of neighbouring spans.
  OperatorClass main_class(std::size_t first, std::size_t count) const;

 private:
  Micros busy_until(Micros time) const;
  ClassTimes class_times_of(std::size_t first, std::size_t last) const;  // of spans first … last - 1, whole
};

// Says that in a run without barriers one kernel waits for another one on another lane (Kernel::waits). Spans are
// indices into Trace::kernels.
struct SpanWait {
  std::uint32_t waiting = 0;
  std::uint32_t on = 0;
  friend auto operator<=>(const SpanWait&, const SpanWait&) = default;
};

// Holds what pictures of a run and questions about it need: sorted arrays, made once a run, so that both take time in
// the width of a picture and not in the number of spans. All times are those on the axis (TimeWarp). It is immutable.
class TrackIndex {
 public:
  // `graph` is that of the units which selections speak of; null: the track's own.
  TrackIndex(const TimelineTrack& track, const Graph* graph, TimeWarp warp);

  const std::vector<LaneIndex>& lanes() const { return lanes_; }
  const std::vector<TimeRange>& stages() const { return stages_; }
  const TimeWarp& warp() const { return warp_; }
  Micros end() const { return end_; }  // of the run
  // Says when the last kernel of one of several networks (core/model/graph/networks.h) ends.
  struct NetworkEnd {
    std::string name;
    Micros end{0};
  };
  const std::vector<NetworkEnd>& network_ends() const { return network_ends_; }  // by time; none of one network
  TimeRange range(std::size_t span) const { return ranges_[span]; }
  OperatorClass class_of(std::size_t span) const;
  const std::array<bool, kOperatorClasses>& classes() const { return seen_classes_; }  // that occur
  bool merged(std::size_t span) const;  // whether its kernel computes several layers as one
  bool any_merged() const { return any_merged_; }

  // These return the nearest begin or end of a span or stage before and after a time, itself left out.
  std::optional<Micros> edge_before(Micros time) const;
  std::optional<Micros> edge_after(Micros time) const;
  std::optional<Micros> nearest_edge(Micros time, Micros tolerance) const;

  // Returns the spans that compute the unit, by begin; the unit is one of the graph that was given.
  std::span<const std::uint32_t> spans_of(UnitId unit) const;
  // Returns the units of a span, in the ids of the graph that was given; those that it lacks are left out.
  std::vector<UnitId> units_of(std::size_t span) const;
  // Returns the spans that run at a time, by lane.
  std::vector<std::size_t> running(Micros time) const;
  std::vector<UnitId> running_units(Micros time) const;  // theirs, by id
  // Returns the units of which nothing has begun at a time; those without any span are left out.
  std::vector<UnitId> ahead(Micros time) const;
  // These return waits by the one that waits, which is by its begin: all, and those of which a span is either end.
  // There are none with stages.
  std::span<const SpanWait> waits() const { return waits_; }
  std::vector<SpanWait> waits_of(std::size_t span) const;
  std::optional<std::size_t> stage_at(Micros time) const;  // what follows a stage belongs to it; none after the last

 private:
  void add_spans(const ScheduleResult& result);
  void add_units(const ScheduleResult& result, std::size_t units);
  void add_waits(const ScheduleResult& result);
  void add_networks(const ScheduleResult& result, const Graph& graph);

  TimeWarp warp_;
  std::vector<LaneIndex> lanes_;
  std::vector<TimeRange> ranges_;  // of every span
  std::vector<TimeRange> stages_;
  std::vector<Micros> edges_;                      // sorted, each once
  std::vector<std::vector<UnitId>> kernel_units_;  // of every kernel of the plan
  std::vector<OperatorClass> kernel_classes_;
  std::vector<bool> kernel_merged_;
  std::vector<std::uint32_t> kernels_;     // of every span; the number of kernels where it is not known
  std::vector<std::uint32_t> unit_spans_;  // of unit 0, 1, …
  std::vector<std::size_t> unit_begins_;   // in unit_spans_, one more than there are units
  std::vector<SpanWait> waits_;            // sorted
  std::vector<SpanWait> waits_by_on_;      // the same by the one that is waited for
  std::array<bool, kOperatorClasses> seen_classes_{};
  bool any_merged_ = false;
  std::vector<NetworkEnd> network_ends_;
  Micros end_{0};
};

}  // namespace iosx
