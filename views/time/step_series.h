#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "views/time/time_axis.h"

namespace iosx {

// A quantity over time: values[i] holds from times[i] to times[i + 1], the last one to the end, nothing before the
// first. It is built once, so that a mean or the extremes of any window need a search instead of a walk.
class StepSeries {
 public:
  StepSeries() = default;
  // `times` ascend; those at the end or later are left out.
  StepSeries(std::vector<Micros> times, std::vector<double> values, Micros end);

  bool empty() const { return times_.empty(); }
  std::size_t size() const { return times_.size(); }
  const std::vector<Micros>& times() const { return times_; }
  const std::vector<double>& values() const { return values_; }
  Micros end() const { return end_; }

  double at(Micros time) const;  // 0 outside
  // Over the window's part inside the series; 0 where there is none.
  double area(Micros begin, Micros end) const;  // unit · µs
  double mean(Micros begin, Micros end) const;
  // Returns mean() between each of these times and the next, for all of them in one pass; `times` do not descend.
  std::vector<double> means(std::span<const Micros> times) const;
  std::pair<double, double> least_and_most(Micros begin, Micros end) const;
  double most() const { return most_; }

  struct Step {
    Micros time{0};
    double value = 0;
  };
  // Returns the series inside the range for a picture with that many columns: its own steps, or, if these are more,
  // each column's largest and smallest value. It ends with a step to 0 where the series ends inside the range.
  std::vector<Step> seen(TimeRange range, std::size_t columns) const;

 private:
  double until(Micros time) const;       // area from the begin
  std::size_t index(Micros time) const;  // of the valid value; the time is not before the first
  // Returns the same where it is at least `from`, and probably close to it.
  std::size_t index_from(std::size_t from, Micros time) const;
  std::pair<double, double> extremes(std::size_t first, std::size_t last) const;  // of values [first, last]

  std::vector<Micros> times_;
  std::vector<double> values_;
  std::vector<double> areas_;                      // before each value
  std::vector<std::pair<double, double>> blocks_;  // least and largest of every kBlock values
  Micros end_{0};
  double most_ = 0;
};

// Works like std::upper_bound() on values[from] and later: returns the index of the first one above `value`. It takes
// logarithmic time in that distance, so one pass over a sorted list serves all columns of a picture.
template <typename T>
std::size_t gallop_upper_bound(const std::vector<T>& values, std::size_t from, const T& value) {
  std::size_t step = 1;
  std::size_t low = from;
  while (low + step <= values.size() && !(value < values[low + step - 1])) {
    low += step;
    step *= 2;
  }
  const auto begin = values.begin();
  const auto found = std::upper_bound(begin + static_cast<std::ptrdiff_t>(low),
                                      begin + static_cast<std::ptrdiff_t>(std::min(low + step, values.size())), value);
  return static_cast<std::size_t>(found - begin);
}

}  // namespace iosx
