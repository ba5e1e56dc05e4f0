#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace iosx {

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
