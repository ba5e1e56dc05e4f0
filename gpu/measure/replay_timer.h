#pragma once

#include <cstdint>
#include <optional>

#include "core/base/function_ref.h"
#include "core/base/progress.h"
#include "core/device/device.h"
#include "gpu/measure/clock_guard.h"
#include "gpu/runtime/runtime.h"

namespace iosx::gpu {

// Times work by replaying graphs of it, between timers of the device. Samples taken while the clock is low are thrown
// away (ClockGuard). Results are empty if the job was stopped, which is looked for before every replay.
class ReplayTimer {
 public:
  ReplayTimer(Runtime& runtime, ClockGuard& guard) : runtime_(runtime), guard_(guard) {}

  // What one of many copies in a row takes. A graph of N copies and one of 2N are replayed in turn, each sample is the
  // difference of their times over N: launch of the graph and what its first and last node cost cancel out. N is chosen
  // so that the N take at least 200 µs. `enqueue_copies(n)` gives n copies to stream 0 and whatever it joins back to
  // it.
  std::optional<Latency> per_copy(FunctionRef<void(int copies)> enqueue_copies, const TimingOptions& timing,
                                  const JobContext& job);

  // What one replay takes, launches back to back: each sample is as many replays between two marks as take at least
  // 1 ms, over their number. `after_sample` is called when the device is idle again.
  std::optional<Latency> per_replay(CapturedGraph& graph, const TimingOptions& timing, const JobContext& job,
                                    FunctionRef<void()> after_sample);

 private:
  Runtime& runtime_;
  ClockGuard& guard_;
};

}  // namespace iosx::gpu
