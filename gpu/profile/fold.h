#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"

namespace iosx::gpu {

// Counter averages from `begin` to `end`, in ns of the profiler's clock.
struct CounterSample {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::vector<double> values;  // one per metric
};

struct FoldOptions {
  std::size_t busy = 0;   // the metric with the share of time, in %, in which the GPU was busy
  std::size_t shape = 0;  // the metric that aligns the replays; not `busy`
  Micros idle{30};        // the minimum idle time between two replays; within one the GPU was never idle that long
  Micros expected{0};     // time of one replay; bursts that differ much are something else
  Micros resolution{5};   // wanted width of a bin
  // Parts of a replay (0 to 1), ascending and without overlaps, such as its stages: no bin crosses their borders, and
  // their means have errors.
  std::vector<std::pair<double, double>> ranges = {};
};

// The mean counters over one replay, in bins.
struct Folded {
  Micros duration{0};
  std::vector<Micros> begins;               // of the bins; the first is 0, the last ends at `duration`
  std::vector<std::vector<double>> values;  // by metric, then bin
  std::vector<double> idle;                 // by metric: between replays
  // Standard errors, from groups of replays (jackknife).
  std::vector<std::vector<double>> errors;        // of the values
  std::vector<std::vector<double>> range_errors;  // by metric, then range of the options: of its mean
  std::vector<double> mean_errors;                // by metric: of the mean over the replay
  std::size_t replays = 0;                        // used replays
  std::size_t left_out = 0;                       // bursts with another duration
};

// Aligns many replays of the same work, which resolves times shorter than a sample, because samples meet each replay at
// another phase. The samples themselves give each replay's begin and end (`busy` tells the working share of the first
// and last one), refined by the best fit to the others: it needs no second clock. A sample is a mean over its window,
// so the result is the least-squares solution of all of them, with slight smoothing against patterns that windows of
// one length cannot see. A counter need not be zero while the GPU is idle (a clock runs on).
//
// Samples are in order of time, without overlaps; several recordings may follow one another. Returns an error where
// too few complete replays were seen.
Result<Folded> fold(std::span<const CounterSample> samples, const FoldOptions& options);

}  // namespace iosx::gpu
