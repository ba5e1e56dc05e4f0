#include "views/explore/utilization/utilization_figure.h"

#include <algorithm>
#include <utility>

#include "views/text/counter_text.h"

namespace iosx {
namespace {

constexpr double kRoomAboveLargest = 1.1;
constexpr double kRoomAboveCountable = 1.06;

// Sets the values as they stand on the axis: 0 while the run waits for others.
void place(UtilizationRow& row, const Trace& trace, const Counter& counter, const TimeWarp& warp) {
  const std::size_t count = std::min(counter.times.size(), counter.values.size());
  const auto add = [&](Micros time, double value) {
    row.times.push_back(time.count());
    row.values.push_back(value);
  };
  std::size_t piece = 0;
  for (std::size_t i = 0; i < count && counter.times[i] < trace.duration; ++i) {
    const Micros end = i + 1 < count ? std::min(counter.times[i + 1], trace.duration) : trace.duration;
    for (Micros at = counter.times[i]; at < end;) {
      while (piece + 1 < warp.pieces.size() && warp.pieces[piece + 1].begin <= at) ++piece;
      const bool cut = piece + 1 < warp.pieces.size() && warp.pieces[piece + 1].begin < end;
      const Micros until = cut ? warp.pieces[piece + 1].begin : end;
      const Micros shift = warp.pieces.empty() ? Micros(0) : warp.pieces[piece].shift;
      add(at + shift, counter.values[i]);
      const bool ends_piece = piece + 1 < warp.pieces.size() && until >= warp.pieces[piece + 1].begin;
      if (ends_piece && warp.pieces[piece + 1].shift > shift) add(until + shift, 0);
      at = until;
    }
  }
  add(row.duration, 0);
}

UtilizationRow make_row(const WarpedTrack& placed, const Counter& counter) {
  const Trace& trace = placed.track.schedule().trace;
  UtilizationRow row;
  row.track = placed.track;
  row.warp = placed.warp;
  row.duration = trace.duration + (placed.warp.pieces.empty() ? Micros(0) : placed.warp.pieces.back().shift);
  row.quantity = text_of(counter.name);
  row.unit = text_of(counter.unit);
  row.counter = counter.name;
  row.source = text_of(counter.source);
  row.peak = counter.peak;
  place(row, trace, counter, placed.warp);
  std::vector<Micros> times;
  times.reserve(static_cast<std::size_t>(row.times.size()));
  for (const double time : row.times) times.emplace_back(time);
  row.series = std::make_shared<const StepSeries>(
      std::move(times), std::vector<double>(row.values.begin(), row.values.end()), row.duration);
  if (!row.track.schedule().lanes) {  // without barriers they overlap
    for (const StageSpan& stage : trace.stages) row.stages.push_back(placed.warp.shown(stage.begin));
  }
  row.mean = counter.mean(Micros(0), trace.duration);
  row.mean_error = counter.error;
  row.area = counter.area(Micros(0), trace.duration);
  return row;
}

// Returns the counter of that name and quantity; null where the run has none.
const Counter* counter_like(const Trace& trace, const Counter& quantity) {
  const Counter* counter = find_counter(trace, quantity.name);
  return counter != nullptr && same_quantity(*counter, quantity) ? counter : nullptr;
}

// Adds ratios against sequential of the same comparison.
void add_ratios(UtilizationRow& row, const Counter& quantity) {
  const ScheduleResult* sequential = row.track.comparison->find(ScheduleKind::kSequential);
  if (sequential == nullptr || sequential == &row.track.schedule()) return;
  const Counter* counter = counter_like(sequential->trace, quantity);
  if (counter == nullptr) return;
  const double area = counter->area(Micros(0), sequential->trace.duration);
  if (area <= 0) return;
  row.area_ratio = row.area / area;
  row.mean_ratio = row.mean / counter->mean(Micros(0), sequential->trace.duration);
}

}  // namespace

std::vector<UtilizationRow> utilization_rows(const std::vector<WarpedTrack>& tracks, const std::string& name) {
  const Counter* quantity = nullptr;
  for (const WarpedTrack& placed : tracks) {
    if (quantity == nullptr) quantity = find_counter(placed.track.schedule().trace, name);
  }
  std::vector<UtilizationRow> rows;
  for (const WarpedTrack& placed : tracks) {
    const Trace& trace = placed.track.schedule().trace;
    const Counter* counter = quantity != nullptr ? counter_like(trace, *quantity) : nullptr;
    if (counter == nullptr || trace.duration <= Micros(0)) continue;
    rows.push_back(make_row(placed, *counter));
    add_ratios(rows.back(), *quantity);
  }
  return rows;
}

UtilizationRow cropped(const UtilizationRow& row, TimeRange range) {
  UtilizationRow seen = row;
  seen.times.clear();
  seen.values.clear();
  seen.stages.clear();
  const double begin = range.begin.count();
  const double end = range.end.count();
  for (qsizetype i = 0; i < row.times.size(); ++i) {
    const double until = i + 1 < row.times.size() ? row.times[i + 1] : row.times[i];
    if (until < begin || row.times[i] > end) continue;
    seen.times.push_back(std::max(begin, row.times[i]));
    seen.values.push_back(row.values[i]);
  }
  if (!seen.times.empty() && row.duration > range.end) {
    seen.times.push_back(end);
    seen.values.push_back(seen.values.back());
  }
  for (const Micros stage : row.stages) {
    if (range.contains(stage)) seen.stages.push_back(stage);
  }
  return seen;
}

double common_top(const std::vector<UtilizationRow>& rows) {
  double largest = 0;
  for (const UtilizationRow& row : rows) {
    for (const double value : row.values) largest = std::max(largest, value);
  }
  if (largest <= 0) return 1;
  const double most = std::max(largest, rows.front().peak);
  return is_countable(most) ? most * kRoomAboveCountable : largest * kRoomAboveLargest;
}

}  // namespace iosx
