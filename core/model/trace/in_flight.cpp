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

std::vector<Micros> InFlight::up_to(std::size_t most) const {
  std::vector<Micros> folded(times.begin(),
                             times.begin() + static_cast<std::ptrdiff_t>(std::min(times.size(), most + 1)));
  for (std::size_t n = most + 1; n < times.size(); ++n) folded.back() += times[n];
  return folded;
}

InFlightSteps in_flight_steps(const Trace& trace) {
  std::vector<std::pair<Micros, int>> changes;
  for (const KernelSpan& kernel : trace.kernels) {
    if (kernel.end <= kernel.begin) continue;
    changes.emplace_back(kernel.begin, 1);
    changes.emplace_back(kernel.end, -1);
  }
  std::ranges::sort(changes);
  InFlightSteps steps{.times = {Micros(0)}, .counts = {0}, .end = trace.duration};
  double now = 0;
  for (const auto& [time, change] : changes) {
    now += change;
    const Micros at = std::max(time, Micros(0));
    if (at > steps.times.back()) {
      steps.times.push_back(at);
      steps.counts.push_back(now);
    } else {
      steps.counts.back() = now;
    }
  }
  steps.end = std::max(steps.end, steps.times.back());
  return steps;
}

std::optional<InFlight> kernels_in_flight(const Trace& trace) {
  const InFlightSteps steps = in_flight_steps(trace);
  InFlight found{.times = {Micros(0)}};
  for (std::size_t i = 0; i < steps.times.size(); ++i) {
    const auto count = static_cast<std::size_t>(steps.counts[i]);
    if (count >= found.times.size()) found.times.resize(count + 1, Micros(0));
    found.times[count] += (i + 1 < steps.times.size() ? steps.times[i + 1] : steps.end) - steps.times[i];
  }
  if (found.kernel_time() <= Micros(0)) return std::nullopt;
  return found;
}

}  // namespace iosx
