#include "views/time/step_series.h"

#include <cmath>
#include <limits>

namespace iosx {
namespace {

constexpr std::size_t kBlock = 64;

constexpr std::pair kNothing{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};

void widen(std::pair<double, double>& range, double least, double most) {
  range.first = std::min(range.first, least);
  range.second = std::max(range.second, most);
}

}  // namespace

StepSeries::StepSeries(std::vector<Micros> times, std::vector<double> values, Micros end)
    : times_(std::move(times)), values_(std::move(values)), end_(end) {
  const auto inside = static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), end) - times_.begin());
  const std::size_t count = std::min(inside, values_.size());
  times_.resize(count);
  values_.resize(count);
  areas_.reserve(count);
  double area = 0;
  for (std::size_t i = 0; i < count; ++i) {
    areas_.push_back(area);
    const Micros until = i + 1 < count ? times_[i + 1] : end_;
    area += values_[i] * (until - times_[i]).count();
    if (i % kBlock == 0) blocks_.push_back(kNothing);
    widen(blocks_.back(), values_[i], values_[i]);
    most_ = std::max(most_, values_[i]);
  }
}

std::size_t StepSeries::index(Micros time) const {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  return static_cast<std::size_t>(after - times_.begin()) - 1;
}

std::size_t StepSeries::index_from(std::size_t from, Micros time) const {
  return gallop_upper_bound(times_, from, time) - 1;
}

double StepSeries::at(Micros time) const {
  return empty() || time < times_.front() || time >= end_ ? 0 : values_[index(time)];
}

double StepSeries::until(Micros time) const {
  if (empty() || time <= times_.front()) return 0;
  time = std::min(time, end_);
  const std::size_t i = index(time);
  return areas_[i] + values_[i] * (time - times_[i]).count();
}

double StepSeries::area(Micros begin, Micros end) const { return end > begin ? until(end) - until(begin) : 0; }

double StepSeries::mean(Micros begin, Micros end) const {
  if (empty()) return 0;
  begin = std::max(begin, times_.front());
  end = std::min(end, end_);
  return end > begin ? area(begin, end) / (end - begin).count() : 0;
}

std::vector<double> StepSeries::means(std::span<const Micros> times) const {
  std::vector<double> means(times.empty() ? 0 : times.size() - 1);
  if (empty()) return means;
  std::size_t i = 0;
  const auto inside = [&](Micros time) { return std::clamp(time, times_.front(), end_); };
  const auto area_until = [&](Micros time) {
    i = index_from(i, time);
    return areas_[i] + values_[i] * (time - times_[i]).count();
  };
  double before = times.empty() ? 0 : area_until(inside(times.front()));
  for (std::size_t k = 0; k < means.size(); ++k) {
    const double after = area_until(inside(times[k + 1]));
    const double length = (inside(times[k + 1]) - inside(times[k])).count();
    means[k] = length > 0 ? (after - before) / length : 0;
    before = after;
  }
  return means;
}

std::pair<double, double> StepSeries::extremes(std::size_t first, std::size_t last) const {
  std::pair<double, double> range = kNothing;
  for (std::size_t i = first; i <= last;) {
    if (i % kBlock == 0 && i + kBlock <= last + 1) {
      widen(range, blocks_[i / kBlock].first, blocks_[i / kBlock].second);
      i += kBlock;
    } else {
      widen(range, values_[i], values_[i]);
      ++i;
    }
  }
  return range;
}

std::pair<double, double> StepSeries::least_and_most(Micros begin, Micros end) const {
  if (empty() || end <= times_.front() || begin >= end_ || end <= begin) return {0, 0};
  const auto after = std::lower_bound(times_.begin(), times_.end(), end);
  return extremes(index(std::max(begin, times_.front())), static_cast<std::size_t>(after - times_.begin()) - 1);
}

std::vector<StepSeries::Step> StepSeries::seen(TimeRange range, std::size_t columns) const {
  std::vector<Step> steps;
  if (empty() || range.end <= times_.front() || range.begin >= end_ || range.length() <= Micros(0)) return steps;
  const Micros begin = std::max(range.begin, times_.front());
  const Micros end = std::min(range.end, end_);
  const std::size_t first = index(begin);
  const std::size_t last = index(end);
  if (last - first <= 2 * columns) {
    for (std::size_t i = first; i <= last; ++i) {
      if (times_[i] < end || i == first) steps.push_back({std::max(times_[i], begin), values_[i]});
    }
  } else {
    const Micros column = range.length() / static_cast<double>(columns);
    std::size_t i = first;
    for (Micros at = begin; at < end;) {
      const Micros next = std::min(end, range.begin + column * (std::floor((at - range.begin) / column + 1e-9) + 1));
      const std::size_t after = index_from(i, next);
      const auto [least, most] = extremes(i, times_[after] < next ? after : after - 1);
      i = after;
      steps.push_back({at, most});
      if (least < most) steps.push_back({(at + next) / 2, least});
      at = next;
    }
  }
  steps.push_back({end, range.end < end_ ? steps.back().value : 0});
  return steps;
}

}  // namespace iosx
