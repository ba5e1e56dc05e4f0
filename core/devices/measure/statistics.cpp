#include "core/devices/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/base/check.h"

namespace iosx {
namespace {

constexpr double kConfidence = 0.95;
constexpr double kBulk = 0.95;
constexpr std::size_t kManySamples = 100;  // from here on the normal approximation of the ranks is within one rank

std::vector<Millis> sorted(std::span<const Millis> samples) {
  std::vector<Millis> copy(samples.begin(), samples.end());
  std::sort(copy.begin(), copy.end());
  return copy;
}

// Returns the largest k so that the samples of rank k and n + 1 - k (from 1) enclose the median with at least the
// confidence: how many samples lie below the median is binomial (n, 1/2). 0 where even the whole range does not.
std::size_t exact_rank(std::size_t n) {
  const double tail = (1 - kConfidence) / 2;
  double probability = std::ldexp(1.0, -static_cast<int>(n));  // of exactly k - 1 samples below
  double below = probability;
  std::size_t k = 0;
  while (below <= tail) {
    ++k;
    probability *= static_cast<double>(n - k + 1) / static_cast<double>(k);
    below += probability;
  }
  return k;
}

std::size_t rank_of_interval(std::size_t n) {
  if (n < kManySamples) return exact_rank(n);
  constexpr double kTwoSidedNormal = 1.96;
  const auto count = static_cast<double>(n);
  return static_cast<std::size_t>(std::floor((count - kTwoSidedNormal * std::sqrt(count)) / 2));
}

}  // namespace

Millis median_of_sorted(std::span<const Millis> samples) {
  IOS_CHECK(!samples.empty());
  const std::size_t middle = samples.size() / 2;
  return samples.size() % 2 == 1 ? samples[middle] : (samples[middle - 1] + samples[middle]) / 2.0;
}

std::optional<Interval> median_interval_of_sorted(std::span<const Millis> samples) {
  IOS_CHECK(!samples.empty());
  const std::size_t k = rank_of_interval(samples.size());
  if (k == 0) return std::nullopt;
  return Interval{samples[k - 1], samples[samples.size() - k]};
}

Interval bulk_of_sorted(std::span<const Millis> samples) {
  IOS_CHECK(!samples.empty());
  const auto held = static_cast<std::size_t>(std::ceil(kBulk * static_cast<double>(samples.size())));
  Interval best{samples.front(), samples[held - 1]};
  for (std::size_t first = 1; first + held <= samples.size(); ++first) {
    const Interval next{samples[first], samples[first + held - 1]};
    if (next.high - next.low < best.high - best.low) best = next;
  }
  return best;
}

Millis median(std::span<const Millis> samples) { return median_of_sorted(sorted(samples)); }

std::optional<Interval> median_interval(std::span<const Millis> samples) {
  return median_interval_of_sorted(sorted(samples));
}

Interval bulk(std::span<const Millis> samples) { return bulk_of_sorted(sorted(samples)); }

Latency latency_of(std::span<const Millis> samples, Origin origin) {
  const std::vector<Millis> in_order = sorted(samples);
  return {.value = median_of_sorted(in_order),
          .spread = bulk_of_sorted(in_order).half_width(),
          .samples = static_cast<std::int64_t>(in_order.size()),
          .origin = origin};
}

}  // namespace iosx
