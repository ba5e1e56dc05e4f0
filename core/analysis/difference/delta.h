#pragma once

#include <compare>
#include <map>
#include <optional>

#include "core/analysis/difference/subject.h"

namespace iosx {

// The conclusion about a difference. Nothing is faster within the noise.
enum class Verdict { kFaster, kSlower, kSame, kUnknown };

// A difference of two latencies, B minus A: below 0 where B is faster.
struct Delta {
  Millis value{0};
  std::optional<Millis> noise = Millis{0};  // half width of its 95 % interval; none: too few samples

  Verdict verdict() const;
  bool outside_noise() const { return verdict() == Verdict::kFaster || verdict() == Verdict::kSlower; }
};

// Sums latencies into a difference. A measurement that is in it several times, as a stage that repeats or that both
// schedules have, has the same error each time: it counts as often as the sides differ in it. Errors of different
// measurements are independent, each by error_of_median().
class DeltaSum {
 public:
  void add(const Latency& latency, int times = 1);  // below 0: for A
  Delta delta() const;

 private:
  struct Measurement {
    Millis value;
    Millis spread;
    std::int64_t samples;
    Origin origin;
    friend auto operator<=>(const Measurement&, const Measurement&) = default;
  };
  Millis sum_{0};
  std::map<Measurement, int> times_;
};

// Compares whole runs by speedup(): rounds count where both are of one comparison, which ran them side by side. Where
// both are sums of stages that never ran in one piece (replay()), the noise is that of the stages.
struct WholeDifference {
  Millis a{0};
  Millis b{0};
  Delta delta;
  Speedup speedup;  // how many times as fast B is as A
};
WholeDifference whole_difference(const Subject& a, const Subject& b, Per per = Per::kBatch);

}  // namespace iosx
