#pragma once

#include <optional>
#include <vector>

#include "core/model/trace/trace.h"

namespace iosx {

// How many kernels a run had in flight, and for how long. A kernel is in flight from its first launch to the end of its
// last one. The run's time is its kernel time divided by the mean number of kernels in flight.
struct InFlight {
  std::vector<Micros> times;  // times[n]: how long n kernels were in flight; they add up to the run

  Micros run() const;
  Micros kernel_time() const;    // of all kernels together
  double mean() const;           // over the whole run, also while none is in flight
  double share_of_none() const;  // of the run, 0 to 1
  // Returns the same with all that is above `most` counted as `most`: entries 0 to `most` at most.
  std::vector<Micros> up_to(std::size_t most) const;
};

// Returns none of a trace without kernels, or whose kernels took no time.
std::optional<InFlight> kernels_in_flight(const Trace& trace);

// The number of kernels in flight over a run: counts[i] from times[i] to times[i + 1], the last one to the end.
struct InFlightSteps {
  std::vector<Micros> times;  // ascend, each once; the first is 0
  std::vector<double> counts;
  Micros end{0};  // of the run, not before that of its last kernel
};

InFlightSteps in_flight_steps(const Trace& trace);

}  // namespace iosx
