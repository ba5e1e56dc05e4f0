#include "core/model/trace/main_counter.h"

#include <algorithm>

namespace iosx {

const Counter* main_counter(const Trace& trace) {
  const auto found =
      std::ranges::find_if(trace.counters, [](const Counter& counter) { return !counter.times.empty(); });
  return found == trace.counters.end() ? nullptr : &*found;
}

}  // namespace iosx
