#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/devices/device.h"
#include "gpu/measure/clock_guard.h"
#include "gpu/measure/copy_graphs.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Times work by replaying graphs of it between device timers (those below kFirstPlanTimer). It warms the GPU up first
// and drops samples with a low clock (ClockGuard). Results are empty if the job was stopped, which it checks before
// every sample.
class ReplayTimer {
 public:
  ReplayTimer(Runtime& runtime, ClockGuard& guard) : runtime_(runtime), guard_(guard) {}

  // Returns the time of one of many copies in a row (CopyGraphs). N copies take at least a tenth of timing.min_time,
  // limited to 50 to 200 µs. Samples below zero count as they are; a negative median, for work below the noise, becomes
  // zero with a spread that reaches it. Finding N is the warm-up. `ran` is the time of one copy launch by launch, which
  // gives the first N; empty where none ran yet. `before` precedes each graph of copies, untimed.
  std::optional<Latency> per_copy(EnqueueCopies enqueue_copies, const TimingOptions& timing, const JobContext& job,
                                  std::optional<Millis> ran = {}, const std::function<void()>& before = {});

  // Returns the time of one replay with launches back to back: a sample is the mean of as many replays between two
  // marks as take at least 1 ms. `after_sample` is called after each sample that counts, with the device idle. `runs`
  // receives the samples in order where each is a single replay, else nothing; it may be null.
  std::optional<Latency> per_replay(CapturedGraph& graph, const TimingOptions& timing, const JobContext& job,
                                    FunctionRef<void()> after_sample, std::vector<Millis>* runs = nullptr);

  // Returns the host's wait for one run, from its launch until the device is idle, comparable with engines timed from
  // outside. An untimed run follows each, to record the SM clock, which takes time. `runs` receives the samples in
  // order; it may be null.
  std::optional<Latency> per_wait(FunctionRef<void()> launch, const TimingOptions& timing, const JobContext& job,
                                  std::vector<Millis>* runs = nullptr);

  Runtime& runtime() const { return runtime_; }
  ClockGuard& guard() const { return guard_; }

 private:
  Runtime& runtime_;
  ClockGuard& guard_;
};

}  // namespace iosx::gpu
