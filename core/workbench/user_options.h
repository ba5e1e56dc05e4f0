#pragma once

#include <cstdint>

#include "core/analysis/compare/comparison.h"
#include "core/devices/device.h"
#include "core/model/graph/partition.h"
#include "core/search/options.h"

// What people may give as options, be it on the command line, in Python or in the window; each refuses what is out of
// bounds in its own way.
namespace iosx {

// Both belong to what may be given.
template <typename T>
struct Bounds {
  T least;
  T most;
  constexpr bool hold(T value) const { return value >= least && value <= most; }
};

inline constexpr Bounds<std::int64_t> kPruningBounds{0, 1'000'000};  // r and s; 0 = unlimited
inline constexpr Bounds<std::int64_t> kPartSizeBounds{1, static_cast<std::int64_t>(kMaxPartUnits)};
inline constexpr Bounds<std::int64_t> kBatchBounds{1, kMaxBatch};
inline constexpr Bounds<std::int64_t> kSeedBounds{0, 1'000'000'000};
inline constexpr Bounds<double> kEpsilonBounds{0, 10};
inline constexpr Bounds<double> kBudgetBounds{0.001, 1e6};       // seconds
inline constexpr Bounds<double> kMemoryLimitBounds{0.001, 1e9};  // MB of 10^6 bytes
inline constexpr Bounds<std::int64_t> kRepeatBounds{1, 100'000};
inline constexpr Bounds<std::int64_t> kWarmupBounds{0, 10'000};
inline constexpr Bounds<double> kMinTimeBounds{0, 60'000};       // ms
inline constexpr Bounds<double> kIntervalBounds{1, 1000};        // µs between samples of a profile's counters
inline constexpr Bounds<std::int64_t> kReplayBounds{20, 5000};   // runs that a profile is made of
inline constexpr Bounds<std::int64_t> kSeedCountBounds{1, 100};  // searches of an experiment, each with its own seed

// Chooses the lazy search where an effort is asked for that no other one makes.
void choose_method(SearchOptions& search);
// Has everything timed so many times, not as often as its precision takes.
void repeat_times(TimingOptions& timing, int times);
// Has everything timed for at least so long, by as many runs as that takes. It comes after repeat_times().
void time_at_least(TimingOptions& timing, Millis time);

}  // namespace iosx
