#include "core/model/trace/trace.h"

#include <algorithm>

namespace iosx {

double Counter::area(Micros begin, Micros end) const {
  double sum = 0;
  for (std::size_t i = 0; i < times.size() && i < values.size(); ++i) {
    const Micros from = std::max(begin, times[i]);
    const Micros to = i + 1 < times.size() ? std::min(end, times[i + 1]) : end;
    if (to > from) sum += values[i] * (to - from).count();
  }
  return sum;
}

double Counter::mean(Micros begin, Micros end) const {
  return end > begin ? area(begin, end) / (end - begin).count() : 0;
}

}  // namespace iosx
