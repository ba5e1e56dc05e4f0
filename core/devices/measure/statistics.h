#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/model/cost/latency.h"

namespace iosx {

// Statistics that hold for any distribution: run times have long tails and several peaks. Samples come in any order
// unless the name says sorted; there is at least one.

struct Interval {
  Millis low{0};
  Millis high{0};
  Millis half_width() const { return (high - low) / 2.0; }
};

// For an even number of samples, returns the mean of the middle two.
Millis median(std::span<const Millis> samples);
Millis median_of_sorted(std::span<const Millis> samples);

// Returns the confidence interval of the distribution's median, at least 95 %, between two order statistics of
// independent samples; none for fewer than six samples.
std::optional<Interval> median_interval(std::span<const Millis> samples);
std::optional<Interval> median_interval_of_sorted(std::span<const Millis> samples);

// Returns the shortest interval with at least 95 % of the samples; the lowest one on a tie.
Interval bulk(std::span<const Millis> samples);
Interval bulk_of_sorted(std::span<const Millis> samples);

// Returns the median as the latency, with half of the bulk as its spread.
Latency latency_of(std::span<const Millis> samples, Origin origin);

}  // namespace iosx
