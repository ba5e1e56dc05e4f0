#include "gpu/measure/replay_timer.h"

#include <algorithm>
#include <cmath>

#include "core/devices/measure/stop_rule.h"

namespace iosx::gpu {
namespace {

constexpr TimerId kBegin{0};
constexpr TimerId kEnd{1};
constexpr Millis kCopiesTakeLeast{0.05};  // a hundred times the 0.5 us that marks resolve
constexpr Millis kCopiesTakeMost{0.2};
constexpr Millis kReplaysTake{1};
constexpr Millis kLong{10};        // launches by the host do not matter then
constexpr int kMaxReplays = 1024;  // of an empty graph

// With `busy` a further replay before them keeps the GPU busy while the host launches them.
Millis time_of(Runtime& runtime, CapturedGraph& graph, int replays, bool busy) {
  if (busy) runtime.launch(kOrigin, graph);
  runtime.begin_clock(kOrigin);
  runtime.mark(kBegin, kOrigin);
  for (int i = 0; i < replays; ++i) runtime.launch(kOrigin, graph);
  runtime.mark(kEnd, kOrigin);
  runtime.end_clock(kOrigin);
  runtime.synchronize(kOrigin);
  return runtime.between(kBegin, kEnd);
}

// Returns how many copies take so long, going by how long one of them took.
int copies_to_take(Millis at_least, Millis one) {
  if (one.count() <= 0) return 1;
  return static_cast<int>(std::min(std::ceil(at_least / one), double{CopyGraphs::kMaxCopies}));
}

Latency not_below_zero(Latency latency) {
  if (latency.value.count() >= 0) return latency;
  latency.spread = std::max(latency.spread, -latency.value);
  latency.value = Millis{0};
  return latency;
}

}  // namespace

std::optional<Latency> ReplayTimer::per_copy(EnqueueCopies enqueue_copies, const TimingOptions& timing,
                                             const JobContext& job, std::optional<Millis> ran,
                                             const std::function<void()>& before) {
  if (job.stopped()) return std::nullopt;
  guard_.take_clock_mhz();  // of other work
  const Millis take = std::clamp(timing.min_time / 10.0, kCopiesTakeLeast, kCopiesTakeMost);
  CopyGraphs graphs = ran ? CopyGraphs(runtime_, enqueue_copies, copies_to_take(take, *ran), before)
                          : CopyGraphs(runtime_, enqueue_copies);
  if (!guard_.warm_up([&] { graphs.replay(); }, job)) return std::nullopt;
  if (!graphs.grow(take, job)) return std::nullopt;
  TimingOptions warm = timing;
  warm.warmup = 0;  // it grew by running
  StopRule rule(warm, Origin::kMeasured);
  rule.start();
  while (!rule.done()) {
    if (job.stopped()) return std::nullopt;
    const CopyGraphs::Sample sample = graphs.sample();
    if (guard_.sample_counts([&] { graphs.replay(); }, job)) rule.add(sample.per_copy, sample.took);
  }
  Latency latency = not_below_zero(rule.latency());
  latency.clock_mhz = guard_.take_clock_mhz();
  return latency;
}

std::optional<Latency> ReplayTimer::per_replay(CapturedGraph& graph, const TimingOptions& timing, const JobContext& job,
                                               FunctionRef<void()> after_sample, std::vector<Millis>* runs) {
  guard_.take_clock_mhz();  // of other work
  const auto work = [&] { time_of(runtime_, graph, 1, false); };
  if (!guard_.warm_up(work, job)) return std::nullopt;
  int replays = 1;
  Millis together{0};
  while (replays < kMaxReplays) {
    if (job.stopped()) return std::nullopt;
    together = time_of(runtime_, graph, replays, true);
    if (together >= kReplaysTake) break;
    replays *= 2;
  }
  const bool busy = together < kLong;
  StopRule rule(timing, Origin::kMeasured);
  rule.start();
  while (!rule.done()) {
    if (job.stopped()) return std::nullopt;
    const Millis took = time_of(runtime_, graph, replays, busy);
    const bool warming_up = rule.warming_up();
    if (!guard_.sample_counts(work, job)) continue;
    rule.add(took / replays, took);
    if (!warming_up) after_sample();
  }
  if (runs != nullptr && replays == 1) *runs = rule.samples();
  Latency latency = rule.latency();
  latency.clock_mhz = guard_.take_clock_mhz();
  return latency;
}

std::optional<Latency> ReplayTimer::per_wait(FunctionRef<void()> launch, const TimingOptions& timing,
                                             const JobContext& job, std::vector<Millis>* runs) {
  guard_.take_clock_mhz();  // of other work
  const auto watched = [&] {
    runtime_.begin_clock(kOrigin);
    launch();
    runtime_.end_clock(kOrigin);
    runtime_.synchronize(kOrigin);
  };
  if (!guard_.warm_up(watched, job)) return std::nullopt;
  StopRule rule(timing, Origin::kMeasured);
  rule.start();
  while (!rule.done()) {
    if (job.stopped()) return std::nullopt;
    const auto begin = guard_.now();
    launch();
    runtime_.synchronize(kOrigin);
    const Millis waited = guard_.now() - begin;
    watched();
    if (guard_.sample_counts(watched, job)) rule.add(waited);
  }
  if (runs != nullptr) *runs = rule.samples();
  Latency latency = rule.latency();
  latency.clock_mhz = guard_.take_clock_mhz();
  return latency;
}

}  // namespace iosx::gpu
