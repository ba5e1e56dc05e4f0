#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/base/duration.h"
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

// Returns the value below which that part of the values lies, interpolated between neighbours; there is at least one.
double quantile(std::vector<double> values, double part);

// Returns the shortest interval with at least 95 % of the samples; the lowest one on a tie.
Interval bulk(std::span<const Millis> samples);
Interval bulk_of_sorted(std::span<const Millis> samples);

// Returns the median as the latency, with half of the bulk as its spread.
Latency latency_of(std::span<const Millis> samples, Origin origin);

// Distributions of repeated measurements of one thing. Samples come in any order.

inline constexpr std::size_t kMostSamples = 4000;  // kept of one schedule's end-to-end runs

// Returns at most `most` samples, in their order: all, or an even selection over the whole run, so that the shares of
// slow and fast times stay the same.
std::vector<Millis> thinned(std::vector<Millis> samples, std::size_t most = kMostSamples);

// A percentile is shown where at least one sample is expected beyond it: p50 from 2 samples, p95 from 20, p99 from
// 100. With fewer it would be the largest sample.
inline constexpr std::size_t kLeastForP50 = 2;
inline constexpr std::size_t kLeastForP95 = 20;
inline constexpr std::size_t kLeastForP99 = 100;

// p50 is the median. The others are nearest ranks: the least sample that is not below that percentage of all.
struct Percentiles {
  std::size_t samples = 0;
  std::optional<Millis> p50 = {};
  std::optional<Millis> p95 = {};
  std::optional<Millis> p99 = {};
};
Percentiles percentiles_of(std::span<const Millis> samples);

// Counts samples of several things in common bins. The bins begin at the least sample. They end where far outliers
// do not squeeze the rest, but never before a percentile that is shown; later samples count as beyond.
struct Histograms {
  struct One {
    std::vector<std::size_t> counts;  // one per bin; empty without samples
    std::size_t beyond = 0;           // samples after the last bin
    Millis highest{0};                // of all things
  };
  Millis begin{0};
  Millis width{0};  // of a bin; above zero where samples exist
  std::size_t bins = 0;
  std::vector<One> of;  // one per thing, in order

  Millis end() const { return begin + width * static_cast<double>(bins); }
};
Histograms histograms_of(std::span<const std::vector<Millis>> each);

}  // namespace iosx
