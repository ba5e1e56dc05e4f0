#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "core/base/duration.h"

namespace iosx {

// The source of a latency. A simulated or predicted one is never shown as measured.
enum class Origin {
  kSimulated,  // from a description of the hardware
  kMeasured,
  kRecorded,   // measured elsewhere or earlier
  kPredicted,  // from training on measured operators
};
std::string_view origin_name(Origin origin);  // "simulated", "measured", "recorded", "predicted"
// Returns whether it comes from a model of a device: it has no noise, takes no device time, and is always the same.
inline bool is_modelled(Origin origin) { return origin == Origin::kSimulated || origin == Origin::kPredicted; }

struct Latency {
  Millis value{0};   // median
  Millis spread{0};  // half width of the interval that holds 95 % of the samples; 0 for a deterministic source
  std::int64_t samples = 0;
  Origin origin = Origin::kSimulated;
  double clock_mhz = 0;  // median of the device during the measurement; 0: unknown

  // Returns the latency of what cannot be measured, and so cannot be chosen: it is infinite.
  static Latency left_out(Origin origin) {
    Latency latency;
    latency.value = Millis(std::numeric_limits<double>::infinity());
    latency.origin = origin;
    return latency;
  }
  bool is_left_out() const { return value.count() == std::numeric_limits<double>::infinity(); }
  friend bool operator==(const Latency&, const Latency&) = default;
};

// Returns half the width of the interval with the true median at 95 %, for normally distributed samples: 1.2533
// spreads over the root of their number.
Millis error_of_median(const Latency& latency);

}  // namespace iosx
