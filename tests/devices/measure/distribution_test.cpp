#include "core/devices/measure/distribution.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <numeric>
#include <random>

namespace iosx {
namespace {

using testing::ElementsAre;
using testing::Optional;

std::vector<Millis> shuffled_to(int last) {
  std::vector<Millis> samples;
  for (int i = 1; i <= last; ++i) samples.emplace_back(i);
  std::shuffle(samples.begin(), samples.end(), std::mt19937(3));
  return samples;
}

TEST(Percentiles, AreNearestRanks) {
  const Percentiles told = percentiles_of(shuffled_to(200));
  EXPECT_EQ(told.samples, 200U);
  EXPECT_THAT(told.p50, Optional(Millis(100.5)));
  EXPECT_THAT(told.p95, Optional(Millis(190)));
  EXPECT_THAT(told.p99, Optional(Millis(198)));
}

TEST(Percentiles, AreNotToldOfTooFewSamples) {
  EXPECT_FALSE(percentiles_of({}).p50);
  EXPECT_FALSE(percentiles_of(shuffled_to(1)).p50);
  EXPECT_THAT(percentiles_of(shuffled_to(2)).p50, Optional(Millis(1.5)));
  EXPECT_FALSE(percentiles_of(shuffled_to(19)).p95);
  EXPECT_THAT(percentiles_of(shuffled_to(20)).p95, Optional(Millis(19))) << "one lies beyond it";
  EXPECT_FALSE(percentiles_of(shuffled_to(99)).p99);
  EXPECT_THAT(percentiles_of(shuffled_to(100)).p99, Optional(Millis(99)));
}

// By their definition: at least so many per cent are not above it, and fewer are not above the next lower one.
TEST(Percentiles, HoldForAnySamples) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> times(0, 1);
  for (std::size_t count = 100; count < 400; count += 7) {
    std::vector<Millis> samples;
    for (std::size_t i = 0; i < count; ++i) samples.emplace_back(times(random));
    const Percentiles told = percentiles_of(samples);
    for (const auto& [percentile, percent] : {std::pair(*told.p95, 95U), std::pair(*told.p99, 99U)}) {
      const Millis value = percentile;
      const auto up_to = std::ranges::count_if(samples, [&](Millis sample) { return sample <= value; });
      const auto below = std::ranges::count_if(samples, [&](Millis sample) { return sample < value; });
      EXPECT_GE(static_cast<std::size_t>(up_to) * 100, percent * count);
      EXPECT_LT(static_cast<std::size_t>(below) * 100, percent * count);
    }
  }
}

TEST(Samples, AreThinnedEvenly) {
  const std::vector<Millis> few{Millis(3), Millis(1)};
  EXPECT_EQ(thinned(few, 2), few);
  std::vector<Millis> many;
  for (int i = 0; i < 10; ++i) many.emplace_back(i);
  EXPECT_THAT(thinned(many, 5), ElementsAre(Millis(0), Millis(2), Millis(4), Millis(6), Millis(8)));
  EXPECT_EQ(thinned(many, 4).size(), 4U);
}

std::size_t counted(const Histograms::One& one) {
  return std::accumulate(one.counts.begin(), one.counts.end(), one.beyond);
}

TEST(Histograms, CountEverySampleOnce) {
  std::mt19937 random(5);
  std::normal_distribution<double> fast(4, 0.1);
  std::normal_distribution<double> slow(6, 0.5);
  std::vector<std::vector<Millis>> each(3);
  for (int i = 0; i < 500; ++i) each[0].emplace_back(fast(random));
  for (int i = 0; i < 30; ++i) each[2].emplace_back(slow(random));
  const Histograms made = histograms_of(each);
  ASSERT_EQ(made.of.size(), 3U);
  EXPECT_EQ(counted(made.of[0]), 500U);
  EXPECT_TRUE(made.of[1].counts.empty()) << "it has no samples";
  EXPECT_EQ(counted(made.of[2]), 30U);
  EXPECT_EQ(made.of[0].counts.size(), made.of[2].counts.size()) << "one axis";
  EXPECT_GE(made.bins, 24U);
  EXPECT_LE(made.bins, 160U);
  // A bin's samples are those between its edges.
  for (std::size_t bin = 0; bin + 1 < made.bins; ++bin) {
    const Millis low = made.begin + made.width * static_cast<double>(bin);
    const auto within =
        std::ranges::count_if(each[0], [&](Millis sample) { return sample >= low && sample < low + made.width; });
    EXPECT_NEAR(static_cast<double>(made.of[0].counts[bin]), static_cast<double>(within), 1);
  }
}

TEST(Histograms, FarOutliersDoNotSqueezeTheRest) {
  std::vector<std::vector<Millis>> each{shuffled_to(200)};
  each[0].emplace_back(1e6);
  const Histograms made = histograms_of(each);
  EXPECT_LT(made.end().count(), 1000);
  EXPECT_EQ(made.of[0].beyond, 1U);
  EXPECT_EQ(made.of[0].highest, Millis(1e6));
  EXPECT_GE(made.end() + made.width, *percentiles_of(each[0]).p99) << "what is told is on the axis";
}

TEST(Histograms, OfWhatIsAlwaysTheSameAreOneBin) {
  const Histograms made = histograms_of(std::vector<std::vector<Millis>>{std::vector<Millis>(50, Millis(2.5))});
  EXPECT_THAT(made.of[0].counts, ElementsAre(50U));
  EXPECT_GT(made.width, Millis(0));
  const Histograms zero = histograms_of(std::vector<std::vector<Millis>>{std::vector<Millis>(3, Millis(0))});
  EXPECT_THAT(zero.of[0].counts, ElementsAre(3U));
  EXPECT_GT(zero.width, Millis(0));
}

TEST(Histograms, OfNothingHaveNoBins) {
  EXPECT_EQ(histograms_of({}).bins, 0U);
  const Histograms made = histograms_of(std::vector<std::vector<Millis>>(2));
  EXPECT_EQ(made.bins, 0U);
  EXPECT_EQ(made.of.size(), 2U);
}

}  // namespace
}  // namespace iosx
