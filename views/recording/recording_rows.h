#pragma once

#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/analysis/recording/opened_recording.h"
#include "views/time/time_axis.h"

// What the timeline of a recording shows where, without painting.
namespace iosx::recorded {

// Spans of time by their begin, which may overlap. Finds those in a range of time by halving.
struct SortedSpans {
  std::vector<std::uint32_t> items;  // whatever they are numbers of
  std::vector<double> begins;        // in µs, ascending
  std::vector<double> ends;
  std::vector<double> latest;  // [i]: the last end of spans 0 to i

  // Of every kChunk spans: the longest, and how long all spans before them are together.
  static constexpr std::size_t kChunk = 32;
  std::vector<std::size_t> longest;
  std::vector<double> before;
  double together = 0;

  void add(std::uint32_t item, double begin, double end);  // begins must ascend
  std::size_t size() const { return items.size(); }
  // Returns the spans [first, last) among which are all that meet the range; most of them do.
  std::pair<std::size_t, std::size_t> meeting(double begin, double end) const;
  // Returns the span there, the last one of several; none within `reach` of it.
  std::optional<std::size_t> at(double time, double reach) const;
};

// Something to paint: a span that is a pixel wide or more, or all in one pixel that are narrower.
struct Block {
  double left = 0;  // in pixels
  double right = 0;
  std::size_t first = 0;    // of the spans
  std::size_t count = 1;    // so many
  std::size_t longest = 0;  // one of them
  double covered = 1;       // the part of the pixel that they cover, 0 to 1
};
// Returns what is visible of the spans: at most about two a pixel, however many they are. It takes time linear in those
// that are visible.
std::vector<Block> blocks_of(const SortedSpans& spans, const TimeAxis& axis);

struct Row {
  enum class Kind { kIdle, kLane, kThread };
  Kind kind = Kind::kLane;
  std::uint32_t number = 0;  // of the lane or the thread
  SortedSpans spans = {};    // of idle parts, kernels, launches
  std::vector<std::uint32_t> on_path =
      {};           // [i]: how many of the spans before it are on the critical path; may be empty
  double time = 0;  // of all of them, in µs
  double top = 0;
  double height = 0;
  double bottom() const { return top + height; }
  bool any_on_path(std::size_t first, std::size_t last) const {
    return !on_path.empty() && on_path[last] > on_path[first];
  }
};

inline constexpr double kIdleHeight = 22;
inline constexpr double kLaneHeight = 34;
inline constexpr double kThreadHeight = 20;

// The rows from top to bottom: when the device was idle, a lane per stream by its number, and the launches of each
// thread. Times count from the first kernel's begin.
struct Rows {
  std::vector<Row> rows;
  std::vector<std::size_t> row_of;  // per lane
  std::vector<KernelKind> kinds;    // of the kernels, the one with most time first
  double zero = 0;                  // on the recording's clock
  TimeRange range;                  // of kernels and their launches
  double height = 0;

  const Row* at(double y) const;  // null: none
  const Row* row_of_lane(std::size_t lane) const;
  const Row* row_of_thread(std::uint32_t thread) const;
};
Rows rows_of(const OpenedRecording& opened);

// Returns the kernel beside one on its lane, or of the lane above or below that is nearest in time; none at the end.
std::optional<std::uint32_t> next_on_lane(const Rows& rows, const Recording& recording, std::uint32_t kernel, int step);
std::optional<std::uint32_t> next_lane(const Rows& rows, const Recording& recording, std::uint32_t kernel, int step);

// What kernels did in a range of time.
struct RangeUse {
  std::size_t kernels = 0;
  double busy = 0;  // while at least one ran, in µs
};
RangeUse use_of(const OpenedRecording& opened, const Rows& rows, TimeRange range);

}  // namespace iosx::recorded
