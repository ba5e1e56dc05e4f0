#include "views/utilization/utilization_data.h"

#include <algorithm>
#include <functional>
#include <utility>

#include "views/text/counter_text.h"

namespace iosx {
namespace {

constexpr double kBriefShare = 0.02;       // of the time
constexpr double kRoomAboveUsual = 1.4;    // times what is exceeded for a brief share only
constexpr double kRoomAboveLargest = 1.1;  // where nothing is cut
constexpr double kRoomAboveCountable = 1.06;
constexpr double kWorthCutting = 0.6;  // of the largest value: cut only where the scale becomes that much finer

void add_idle(UtilizationRow& row, Micros begin, Micros end) {
  if (end <= begin) return;
  if (!row.idle.empty() && row.idle.back().end >= begin) {
    row.idle.back().end = end;
  } else {
    row.idle.push_back({begin, end});
  }
}

UtilizationRow make_row(const Trace& trace, const Counter& counter) {
  UtilizationRow row;
  row.duration = trace.duration;
  row.quantity = text_of(counter.name);
  row.unit = text_of(counter.unit);
  row.counter = counter.name;
  row.source = text_of(counter.source);
  row.peak = counter.peak;
  const std::size_t count = std::min(counter.times.size(), counter.values.size());
  if (counter.times.front() > Micros(0)) add_idle(row, Micros(0), counter.times.front());
  for (std::size_t i = 0; i < count && counter.times[i] < trace.duration; ++i) {
    const Micros end = i + 1 < count ? std::min(counter.times[i + 1], trace.duration) : trace.duration;
    row.times.push_back(counter.times[i].count());
    row.values.push_back(counter.values[i]);
    if (counter.values[i] <= 0) add_idle(row, counter.times[i], end);
  }
  row.times.push_back(trace.duration.count());
  row.values.push_back(0);
  for (const StageSpan& stage : trace.stages) row.stages.push_back(stage.begin);
  row.mean = counter.mean(Micros(0), trace.duration);
  row.mean_error = counter.error;
  row.area = counter.area(Micros(0), trace.duration);
  Micros idle{0};
  for (const TimeRange& gap : row.idle) idle += gap.length();
  row.idle_share = trace.duration > Micros(0) ? idle / trace.duration : 0;
  return row;
}

}  // namespace

std::vector<UtilizationRow> utilization_rows(const Comparison& comparison, const std::vector<std::size_t>& shown,
                                             const std::string& name) {
  const Counter* quantity = nullptr;
  for (const ScheduleResult& result : comparison.results) {
    if (quantity == nullptr) quantity = find_counter(result.trace, name);
  }
  if (quantity == nullptr) return {};
  std::optional<UtilizationRow> baseline;
  const ScheduleResult* sequential = comparison.find(Recipe::kSequential);
  if (sequential != nullptr) {
    const Counter* counter = find_counter(sequential->trace, quantity->name);
    if (counter != nullptr && same_quantity(*counter, *quantity)) baseline = make_row(sequential->trace, *counter);
  }
  std::vector<UtilizationRow> rows;
  for (const std::size_t index : shown) {
    if (index >= comparison.results.size()) continue;
    const Trace& trace = comparison.results[index].trace;
    const Counter* counter = find_counter(trace, quantity->name);
    if (counter == nullptr || !same_quantity(*counter, *quantity) || trace.duration <= Micros(0)) continue;
    UtilizationRow row = make_row(trace, *counter);
    row.result = index;
    if (baseline && sequential != &comparison.results[index]) {
      if (baseline->mean > 0) row.mean_ratio = row.mean / baseline->mean;
      if (baseline->area > 0) row.area_ratio = row.area / baseline->area;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

UtilizationRow cropped(const UtilizationRow& row, TimeRange range) {
  UtilizationRow seen = row;
  seen.times.clear();
  seen.values.clear();
  seen.idle.clear();
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
  for (const TimeRange& gap : row.idle) {
    if (gap.end <= range.begin || gap.begin >= range.end) continue;
    seen.idle.push_back({std::max(gap.begin, range.begin), std::min(gap.end, range.end)});
  }
  for (const Micros stage : row.stages) {
    if (range.contains(stage)) seen.stages.push_back(stage);
  }
  return seen;
}

Scale common_scale(const std::vector<UtilizationRow>& rows) {
  std::vector<std::pair<double, double>> weighted;  // value, µs that it holds
  double total = 0;
  Scale scale;
  for (const UtilizationRow& row : rows) {
    for (qsizetype i = 0; i + 1 < row.times.size(); ++i) {
      weighted.emplace_back(row.values[i], row.times[i + 1] - row.times[i]);
      total += weighted.back().second;
      scale.largest = std::max(scale.largest, row.values[i]);
    }
  }
  if (scale.largest <= 0) return scale;
  const double most = std::max(scale.largest, rows.front().peak);
  if (is_countable(most)) {
    scale.top = most * kRoomAboveCountable;
    return scale;
  }
  std::sort(weighted.begin(), weighted.end(), std::greater<>());
  double usual = scale.largest;
  double above = 0;
  for (const auto& [value, duration] : weighted) {
    usual = value;
    above += duration;
    if (above > kBriefShare * total) break;
  }
  const double roomy = usual * kRoomAboveUsual;
  scale.top = usual > 0 && roomy < kWorthCutting * scale.largest ? roomy : scale.largest * kRoomAboveLargest;
  return scale;
}

}  // namespace iosx
