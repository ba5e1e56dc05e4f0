#include "core/devices/measure/stop_rule.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"
#include "core/devices/measure/statistics.h"

namespace iosx {

StopRule::StopRule(const TimingOptions& timing, Origin origin)
    : timing_(timing), origin_(origin), warmup_(std::max(timing.warmup, 0)) {
  timing_.max_repeats = std::max(timing_.max_repeats, 1);
  timing_.repeats = std::clamp(timing_.repeats, 1, timing_.max_repeats);
}

void StopRule::start() {
  warmed_ = 0;
  total_ = Millis{0};
  sorted_.clear();
  in_order_.clear();
}

void StopRule::add(Millis sample) {
  IOS_CHECK(sample.count() >= 0);  // not a number neither
  add(sample, sample);
}

void StopRule::add(Millis sample, Millis took) {
  IOS_CHECK(took.count() >= 0 && !std::isnan(sample.count()));
  if (warming_up()) {
    ++warmed_;
    return;
  }
  total_ += took;
  in_order_.push_back(sample);
  sorted_.insert(std::upper_bound(sorted_.begin(), sorted_.end(), sample), sample);
}

bool StopRule::done() const {
  if (warming_up()) return false;
  const auto count = static_cast<int>(sorted_.size());
  if (count >= timing_.max_repeats) return true;
  if (count < timing_.repeats || total_ < timing_.min_time) return false;
  return total_ >= timing_.max_time || precise();
}

bool StopRule::precise() const {
  const auto interval = median_interval_of_sorted(sorted_);
  return interval && interval->half_width() <= timing_.precision * median_of_sorted(sorted_);
}

Latency StopRule::latency() const {
  IOS_CHECK(!sorted_.empty());
  return latency_of(sorted_, origin_);
}

}  // namespace iosx
