#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/base/duration.h"
#include "core/base/result.h"

namespace iosx::gpu {

// Says what counters were on average from `begin` to `end`, in ns of the profiler's clock.
struct CounterSample {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::vector<double> values;  // one a metric
};

struct FoldOptions {
  std::size_t busy = 0;   // the metric that is the part of the time, in %, in which the GPU was at work
  std::size_t shape = 0;  // the metric that replays are laid over one another by; another one than `busy`
  Micros idle{30};        // the GPU was idle at least so long between two replays; within one it never was
  Micros expected{0};     // what one replay takes; bursts of activity that are far off are something else
  Micros resolution{5};   // wanted width of a bin
  // These are parts of a replay (0 to 1), ascending and without overlaps, such as its stages: no bin has something of
  // two of them, and their means are given with their errors.
  std::vector<std::pair<double, double>> ranges = {};
};

// Holds the mean course of the counters over one replay, in bins.
struct Folded {
  Micros duration{0};
  std::vector<Micros> begins;               // of the bins; the first is 0, the last one goes on to `duration`
  std::vector<std::vector<double>> values;  // by metric, then bin
  std::vector<double> idle;                 // by metric: between replays
  // These are standard errors, from groups of replays (jackknife).
  std::vector<std::vector<double>> errors;        // of the values
  std::vector<std::vector<double>> range_errors;  // by metric, then range of the options: of its mean
  std::vector<double> mean_errors;                // by metric: of the mean over the replay
  std::size_t replays = 0;                        // that were laid over one another
  std::size_t left_out = 0;                       // bursts whose duration was off
};

// Lays many replays of the same work over one another, so that what is shorter than a sample can be seen: samples meet
// each replay at another phase. Where a replay begins and ends is read off the samples themselves (`busy` says which
// part of the first and the last one was work), and then refined by what fits the others best: no second clock is
// needed. A sample is a mean over its window, so the course is the least-squares solution of all of them, with a little
// smoothing against what windows of one length cannot see (a pattern that repeats with each). What a counter shows
// while the GPU is idle need not be zero (a clock goes on).
//
// The samples are in order of time, without overlaps; several recordings may follow one another. The error is that too
// few replays were seen whole.
Result<Folded> fold(std::span<const CounterSample> samples, const FoldOptions& options);

}  // namespace iosx::gpu
