#include "core/devices/measure/distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/devices/measure/statistics.h"

namespace iosx {
namespace {

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

std::vector<Millis> thinned(std::vector<Millis> samples, std::size_t most) {
  if (samples.size() <= most) return samples;
  std::vector<Millis> kept;
  kept.reserve(most);
  for (std::size_t i = 0; i < most; ++i) kept.push_back(samples[i * samples.size() / most]);
  return kept;
}

Percentiles percentiles_of(std::span<const Millis> samples) {
  Percentiles told{.samples = samples.size()};
  if (samples.size() < kLeastForP50) return told;
  std::vector<Millis> sorted(samples.begin(), samples.end());
  std::ranges::sort(sorted);
  told.p50 = median_of_sorted(sorted);
  if (sorted.size() >= kLeastForP95) told.p95 = nearest_rank(sorted, 95);
  if (sorted.size() >= kLeastForP99) told.p99 = nearest_rank(sorted, 99);
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
