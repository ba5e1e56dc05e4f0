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
};

// Returns none of a trace without kernels, or whose kernels took no time.
std::optional<InFlight> kernels_in_flight(const Trace& trace);

}  // namespace iosx
