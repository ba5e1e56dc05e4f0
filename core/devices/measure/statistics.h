#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "core/model/cost/latency.h"

namespace iosx {

// These figures hold whatever the distribution of the samples: run times have long tails and several peaks. Samples
// come in any order unless the name says sorted; there is at least one.

struct Interval {
  Millis low{0};
  Millis high{0};
  Millis half_width() const { return (high - low) / 2.0; }
};

// The median of an even number of samples is the mean of the two in the middle.
Millis median(std::span<const Millis> samples);
Millis median_of_sorted(std::span<const Millis> samples);

// Returns the confidence interval of the distribution's median, at least 95 %, between two order statistics of
// independent samples; none for fewer than six, which cannot tell so much.
std::optional<Interval> median_interval(std::span<const Millis> samples);
std::optional<Interval> median_interval_of_sorted(std::span<const Millis> samples);

// Returns the shortest interval that holds at least 95 % of the samples; of several the lowest.
Interval bulk(std::span<const Millis> samples);
Interval bulk_of_sorted(std::span<const Millis> samples);

// The latency is the median, its spread half the bulk.
Latency latency_of(std::span<const Millis> samples, Origin origin);

}  // namespace iosx
