#include "core/model/trace/in_flight.h"

#include <algorithm>
#include <utility>

namespace iosx {

Micros InFlight::run() const {
  Micros sum{0};
  for (const Micros time : times) sum += time;
  return sum;
}

Micros InFlight::kernel_time() const {
  Micros sum{0};
  for (std::size_t n = 0; n < times.size(); ++n) sum += static_cast<double>(n) * times[n];
  return sum;
}

double InFlight::mean() const { return kernel_time() / run(); }

double InFlight::share_of_none() const { return times.front() / run(); }

std::optional<InFlight> kernels_in_flight(const Trace& trace) {
  std::vector<std::pair<Micros, int>> changes;  // ends come before begins of the same time
  for (const KernelSpan& kernel : trace.kernels) {
    if (kernel.end <= kernel.begin) continue;
    changes.emplace_back(kernel.begin, 1);
    changes.emplace_back(kernel.end, -1);
  }
  std::ranges::sort(changes);
  InFlight found{.times = {Micros(0)}};
  Micros last{0};
  std::size_t now = 0;
  for (const auto& [time, change] : changes) {
    if (now >= found.times.size()) found.times.resize(now + 1, Micros(0));
    found.times[now] += std::max(time - last, Micros(0));
    last = std::max(last, time);
    now = change > 0 ? now + 1 : now - 1;
  }
  found.times.front() += std::max(trace.duration - last, Micros(0));
  if (found.kernel_time() <= Micros(0)) return std::nullopt;
  return found;
}

}  // namespace iosx
