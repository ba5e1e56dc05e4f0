#pragma once

#include <optional>

#include "core/model/trace/trace.h"

namespace iosx {

// Returns the counter of what a device's runs occupy of it: active warps where the trace has them, or else its main
// counter (busy cores on a processor). Null where that has no peak, without which nothing can be called idle.
const Counter* occupancy(const Trace& trace);

// Says how busy two runs keep a device, as shares of what it can hold, 0 to 1: means over each one's own run.
struct IdleFill {
  double baseline = 0;
  double schedule = 0;

  // Returns what the schedule fills of what the baseline leaves idle: (schedule − baseline) / (1 − baseline). It is 1
  // where the schedule leaves nothing idle, below 0 where it leaves more idle than the baseline does, and 0 where the
  // baseline leaves nothing.
  double filled() const;
};

// None where either has no occupancy, or a run took no time, and where the two are of different quantities.
std::optional<IdleFill> idle_fill(const Trace& baseline, const Trace& schedule);

}  // namespace iosx
