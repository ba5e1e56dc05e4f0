#pragma once

#include <cstddef>
#include <vector>

#include "core/devices/device.h"

namespace iosx {

// Decides how often a plan is timed:
//
//   StopRule rule(timing, Origin::kMeasured);
//   for (const ExecutionPlan& plan : plans) {
//     rule.start();
//     while (!rule.done() && !job.stopped()) rule.add(time_of_one_run(plan));
//     latencies.push_back(rule.latency());
//   }
//
// It drops the first `warmup` samples. Timed runs end after max_repeats. They end earlier once there are `repeats`
// of them, together they took min_time, and either the median is known to `precision` (by its confidence interval,
// from six samples) or they took max_time. It is not thread-safe.
class StopRule {
 public:
  // Options out of range become the nearest valid ones, with at least one timed run.
  explicit StopRule(const TimingOptions& timing, Origin origin = Origin::kMeasured);

  void start();             // begins a new plan: forgets every sample, keeps the memory
  void add(Millis sample);  // time of one run; not negative
  // Adds a sample that took another time to get, such as a difference of two runs, which may be negative.
  void add(Millis sample, Millis took);
  bool done() const;

  bool warming_up() const { return warmed_ < warmup_; }  // the next sample is dropped
  std::size_t timed() const { return sorted_.size(); }
  const std::vector<Millis>& samples() const { return in_order_; }  // timed ones, in run order
  // Returns the latency of the timed samples so far; needs at least one.
  Latency latency() const;

 private:
  bool precise() const;

  TimingOptions timing_;
  Origin origin_;
  int warmup_;
  int warmed_ = 0;
  Millis total_{0};
  std::vector<Millis> sorted_;
  std::vector<Millis> in_order_;
};

}  // namespace iosx
