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

// Times work by replaying graphs of it, between timers of the device (those below kFirstPlanTimer). Warms the GPU up
// first. Samples taken while the clock is low are thrown away (ClockGuard). Results are empty if the job was stopped,
// which is looked for before every sample.
class ReplayTimer {
 public:
  ReplayTimer(Runtime& runtime, ClockGuard& guard) : runtime_(runtime), guard_(guard) {}

  // Returns what one of many copies in a row takes (CopyGraphs), with N so that the N copies take at least a tenth of
  // timing.min_time, within 50 and 200 µs. Samples below zero count as they are; a median below zero, of work shorter
  // than the noise, is given as zero with a spread that reaches it. What it does to find N is the warm-up. `ran` is
  // what a run of one copy took just now, launch by launch; it says by how many copies to begin. It is empty where none
  // ran yet. `before` comes before each graph of copies, untimed.
  std::optional<Latency> per_copy(EnqueueCopies enqueue_copies, const TimingOptions& timing, const JobContext& job,
                                  std::optional<Millis> ran = {}, const std::function<void()>& before = {});

  // Returns what one replay takes, launches back to back: each sample is as many replays between two marks as take at
  // least 1 ms, over their number. `after_sample` is called after each sample that counts, when the device is idle
  // again. `runs` gets the samples in their order where each is of one replay alone, else nothing; it may be null.
  std::optional<Latency> per_replay(CapturedGraph& graph, const TimingOptions& timing, const JobContext& job,
                                    FunctionRef<void()> after_sample, std::vector<Millis>* runs = nullptr);

  // Returns what the host waits for one run by itself, from its launch until the device is idle, as engines are timed
  // that are asked from outside. Each is followed by another, untimed, whose SM clock is noted: noting it takes time.
  // `runs` gets the samples in their order; it may be null.
  std::optional<Latency> per_wait(FunctionRef<void()> launch, const TimingOptions& timing, const JobContext& job,
                                  std::vector<Millis>* runs = nullptr);

  Runtime& runtime() const { return runtime_; }
  ClockGuard& guard() const { return guard_; }

 private:
  Runtime& runtime_;
  ClockGuard& guard_;
};

}  // namespace iosx::gpu
