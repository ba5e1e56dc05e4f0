#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/base/duration.h"

namespace iosx {

// These say how repeated measurements of one thing are distributed. Samples come in any order.

inline constexpr std::size_t kMostSamples = 4000;  // that are kept of one schedule's end-to-end runs

// Returns at most so many of the samples, in their order: all of them, or evenly many from begin to end, so that slow
// and fast times of the run stay as many as they were.
std::vector<Millis> thinned(std::vector<Millis> samples, std::size_t most = kMostSamples);

// A percentile is told where at least one of the samples is expected beyond it: p50 of 2 and more samples, p95 of 20,
// p99 of 100. Of fewer it would be the largest one under another name.
inline constexpr std::size_t kLeastForP50 = 2;
inline constexpr std::size_t kLeastForP95 = 20;
inline constexpr std::size_t kLeastForP99 = 100;

// p50 is the median. The others are nearest ranks: the least sample that so many per cent of all are not above.
struct Percentiles {
  std::size_t samples = 0;
  std::optional<Millis> p50 = {};
  std::optional<Millis> p95 = {};
  std::optional<Millis> p99 = {};
};
Percentiles percentiles_of(std::span<const Millis> samples);

// Counts samples of several things in bins that all share. The bins begin at the least sample of all; they end where
// far outliers do not squeeze the rest, but never before a percentile that is told: what is later is counted beyond.
struct Histograms {
  struct One {
    std::vector<std::size_t> counts;  // a bin; empty of what has no samples
    std::size_t beyond = 0;           // samples after the last bin
    Millis highest{0};                // of all of them
  };
  Millis begin{0};
  Millis width{0};  // of a bin; above zero where there are samples
  std::size_t bins = 0;
  std::vector<One> of;  // one each, in their order

  Millis end() const { return begin + width * static_cast<double>(bins); }
};
Histograms histograms_of(std::span<const std::vector<Millis>> each);

}  // namespace iosx
