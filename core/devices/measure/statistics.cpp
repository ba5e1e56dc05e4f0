#include "core/devices/measure/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>

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

constexpr double kMostBins = 160;
constexpr double kFewestBins = 24;
constexpr double kFarOut = 3;  // quartile distances above the upper quartile

// Returns the nearest rank of sorted samples; `percent` is from 1 to 100.
Millis nearest_rank(const std::vector<Millis>& sorted, std::size_t percent) {
  return sorted[(percent * sorted.size() + 99) / 100 - 1];
}

// The data for choosing bins.
struct AxisNeed {
  Millis low{0};
  Millis end{0};    // of what is shown
  Millis width{0};  // of a bin that suits it, by Freedman and Diaconis; 0 where its quartiles are the same
};

AxisNeed shape_of(std::vector<Millis> samples) {
  std::ranges::sort(samples);
  const Millis quartiles = nearest_rank(samples, 75) - nearest_rank(samples, 25);
  const Percentiles told = percentiles_of(samples);
  const Millis fence = nearest_rank(samples, 75) + kFarOut * quartiles;
  Millis end = quartiles > Millis(0) ? std::min(samples.back(), fence) : samples.back();
  for (const auto& percentile : {told.p95, told.p99}) end = std::max(end, percentile.value_or(end));
  return {samples.front(), end, 2.0 * quartiles / std::cbrt(static_cast<double>(samples.size()))};
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

std::vector<Millis> thinned(std::vector<Millis> samples, std::size_t most) {
  if (samples.size() <= most) return samples;
  std::vector<Millis> kept;
  kept.reserve(most);
  for (std::size_t i = 0; i < most; ++i) kept.push_back(samples[i * samples.size() / most]);
  return kept;
}

double quantile(std::vector<double> values, double part) {
  std::ranges::sort(values);
  const double at = part * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

Percentiles percentiles_of(std::span<const Millis> samples) {
  Percentiles told{.samples = samples.size()};
  if (samples.size() < kLeastForP50) return told;
  const std::vector<Millis> in_order = sorted(samples);
  told.p50 = median_of_sorted(in_order);
  if (in_order.size() >= kLeastForP95) told.p95 = nearest_rank(in_order, 95);
  if (in_order.size() >= kLeastForP99) told.p99 = nearest_rank(in_order, 99);
  return told;
}

Histograms histograms_of(std::span<const std::vector<Millis>> each) {
  Histograms made;
  made.of.resize(each.size());
  Millis low{std::numeric_limits<double>::infinity()};
  Millis end{0};
  Millis width = low;
  for (const std::vector<Millis>& samples : each) {
    if (samples.empty()) continue;
    const AxisNeed shape = shape_of(samples);
    low = std::min(low, shape.low);
    end = std::max(end, shape.end);
    if (shape.width > Millis(0)) width = std::min(width, shape.width);
  }
  if (low.count() == std::numeric_limits<double>::infinity()) return made;
  const Millis range = end - low;
  made.begin = low;
  if (range > Millis(0)) {
    const double bins = std::clamp(std::ceil(range / width), kFewestBins, kMostBins);
    made.bins = static_cast<std::size_t>(bins);
    made.width = range / bins;
  } else {  // all are the same
    made.bins = 1;
    made.width = Millis(std::max(1e-6, 0.01 * low.count()));
  }
  for (std::size_t i = 0; i < each.size(); ++i) {
    if (each[i].empty()) continue;
    Histograms::One& one = made.of[i];
    one.counts.resize(made.bins);
    one.highest = *std::ranges::max_element(each[i]);
    for (const Millis sample : each[i]) {
      if (sample > end) {
        ++one.beyond;
        continue;
      }
      const double bin = std::floor((sample - low) / made.width);
      ++one.counts[std::min(static_cast<std::size_t>(bin), made.bins - 1)];
    }
  }
  return made;
}

}  // namespace iosx
