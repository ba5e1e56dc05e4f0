#pragma once

#include "core/base/duration.h"
#include "tests/support/prelude.h"

namespace iosx::test {

// Run times similar to real ones, the same on every computer and in every run.
class Samples {
 public:
  explicit Samples(std::uint64_t seed) : state_(seed) {}

  double uniform() {  // in [0, 1)
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((z ^ (z >> 31U)) >> 11U) * 0x1.0p-53;
  }
  // Twelve uniform numbers: a bell of variance 1 without tails beyond 6.
  Millis bell(double mean, double deviation) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += uniform();
    return Millis{mean + deviation * sum};
  }
  // A long upper tail; the median is `least` + `scale` · ln 2.
  Millis tail(double least, double scale) { return Millis{least - scale * std::log(1 - uniform())}; }
  // With two clock rates: `slow_part` of the runs at the slower one.
  Millis two_peaks(double fast, double slow, double slow_part) {
    return bell(uniform() < slow_part ? slow : fast, fast / 1000);
  }

 private:
  std::uint64_t state_;
};

}  // namespace iosx::test
