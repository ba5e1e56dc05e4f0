#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "core/base/duration.h"

namespace iosx {

// Where a latency comes from. A simulated or a predicted one is never shown as measured.
enum class Origin {
  kSimulated,  // by a description of the hardware
  kMeasured,
  kRecorded,   // measured elsewhere or earlier
  kPredicted,  // by what was learned from measured operators
};
std::string_view origin_name(Origin origin);  // "simulated", "measured", "recorded", "predicted"
// Says whether it comes from a model of a device: it has no noise, costs no device's time, and is the same each time.
inline bool is_modelled(Origin origin) { return origin == Origin::kSimulated || origin == Origin::kPredicted; }

struct Latency {
  Millis value{0};   // median
  Millis spread{0};  // half width of the interval that holds 95 % of the samples; 0 for a deterministic source
  std::int64_t samples = 0;
  Origin origin = Origin::kSimulated;
  double clock_mhz = 0;  // of the device meanwhile, the median; 0: not known

  // Stands for what cannot be measured, and so cannot be chosen: it takes infinitely long.
  static Latency left_out(Origin origin) {
    Latency latency;
    latency.value = Millis(std::numeric_limits<double>::infinity());
    latency.origin = origin;
    return latency;
  }
  bool is_left_out() const { return value.count() == std::numeric_limits<double>::infinity(); }
  friend bool operator==(const Latency&, const Latency&) = default;
};

// Half width of the interval that holds the true median with 95 %, as far as samples are normal: 1.2533 spreads over
// the root of their number.
Millis error_of_median(const Latency& latency);

}  // namespace iosx
