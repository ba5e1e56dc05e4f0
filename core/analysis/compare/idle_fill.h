#pragma once

#include <optional>

#include "core/model/trace/trace.h"

namespace iosx {

// Returns the counter of a device's occupancy: active warps where the trace has them, else its main counter (busy
// cores on a processor). Null where that has no peak, without which idleness is undefined.
const Counter* occupancy(const Trace& trace);

// How busy two runs keep a device, as shares of its maximum, 0 to 1: means over each run.
struct IdleFill {
  double baseline = 0;
  double schedule = 0;

  // Returns the share of the baseline's idleness that the schedule fills: (schedule − baseline) / (1 − baseline). It
  // is 1 where the schedule leaves nothing idle, below 0 where it leaves more idle than the baseline, and 0 where the
  // baseline leaves nothing.
  double filled() const;
};

// None where either has no occupancy, a run took no time, or the two measure different quantities.
std::optional<IdleFill> idle_fill(const Trace& baseline, const Trace& schedule);

}  // namespace iosx
