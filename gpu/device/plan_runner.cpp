#include "gpu/device/plan_runner.h"

#include <chrono>
#include <cmath>
#include <utility>

#include "core/measure/statistics.h"
#include "core/measure/stop_rule.h"
#include "gpu/device/gpu_trace.h"

namespace iosx::gpu {
namespace {

constexpr StreamId kOrigin{0};
constexpr TimerId kBegin{0};  // below kFirstPlanTimer
constexpr TimerId kEnd{1};

}  // namespace

Result<PlanRunner> PlanRunner::load(const ExecutionPlan& plan, Workplace& workplace, const ConvRanks& ranks,
                                    ReplayTimer& timer, bool eager, const JobContext& job) {
  auto prepared = PreparedPlan::prepare(plan, workplace, ranks, job);
  if (!prepared) return tl::unexpected(std::move(prepared.error()));
  PlanRunner runner(std::move(*prepared), workplace.runtime, timer, eager);
  runner.first_run_ = runner.time_eagerly();
  return runner;
}

Captured& PlanRunner::captured() {
  if (!graph_) graph_ = capture(plan_, *runtime_);
  return *graph_;
}

void PlanRunner::run_once() {
  if (eager_) {
    enqueue(plan_, *runtime_);
  } else {
    runtime_->launch(kOrigin, *captured().graph);
  }
  runtime_->synchronize(kOrigin);
}

MarkedTimers PlanRunner::run_marked(std::optional<Captured>& graph, const Marks& marks) {
  if (eager_) {
    MarkedTimers timers = enqueue(plan_, *runtime_, marks);
    runtime_->synchronize(kOrigin);
    return timers;
  }
  if (!graph) graph = capture(plan_, *runtime_, marks);
  runtime_->launch(kOrigin, *graph->graph);
  runtime_->synchronize(kOrigin);
  return graph->timers;
}

Millis PlanRunner::time_eagerly() {
  runtime_->mark(kBegin, kOrigin);
  enqueue(plan_, *runtime_);
  runtime_->mark(kEnd, kOrigin);
  runtime_->synchronize(kOrigin);
  return runtime_->between(kBegin, kEnd);
}

std::optional<Latency> PlanRunner::eager_latency(const TimingOptions& timing, const JobContext& job) {
  ClockGuard& guard = timer_->guard();
  guard.take_clock_mhz();  // of other work
  const auto work = [this] { time_eagerly(); };
  if (!guard.warm_up(work, job)) return std::nullopt;
  StopRule rule(timing, Origin::kMeasured);
  rule.start();
  while (!rule.done()) {
    if (job.stopped()) return std::nullopt;
    const Millis took = time_eagerly();
    if (guard.sample_counts(work, job)) rule.add(took);
  }
  Latency latency = rule.latency();
  latency.clock_mhz = guard.take_clock_mhz();
  return latency;
}

std::optional<Latency> PlanRunner::copy_latency(const TimingOptions& timing, const JobContext& job) {
  if (eager_) return eager_latency(timing, job);
  const auto enqueue_copies = [this](int copies) { enqueue(plan_, *runtime_, {}, copies); };
  return timer_->per_copy(enqueue_copies, timing, job, first_run_);
}

std::optional<Latency> PlanRunner::run_latency(const TimingOptions& timing, const JobContext& job) {
  if (eager_) return eager_latency(timing, job);
  const auto nothing = [] {};
  return timer_->per_replay(*captured().graph, timing, job, nothing);
}

std::optional<std::vector<Latency>> PlanRunner::stage_latencies(int runs, const JobContext& job) {
  std::vector<std::vector<Millis>> samples(plan_.plan().stages.size());
  for (int run = -1; run < runs; ++run) {  // the first one warms up
    if (job.stopped()) return std::nullopt;
    const MarkedTimers timers = run_marked(with_stage_marks_, {.stages = true});
    for (std::size_t i = 0; i < samples.size() && run >= 0; ++i) {
      const auto& [begin, end] = timers.stages[i];
      if (begin.valid()) samples[i].push_back(runtime_->between(begin, end));
    }
  }
  std::vector<Latency> latencies;
  latencies.reserve(samples.size());
  for (const std::vector<Millis>& of_stage : samples) {
    latencies.push_back(of_stage.empty() ? Latency{.origin = Origin::kMeasured}
                                         : latency_of(of_stage, Origin::kMeasured));
  }
  return latencies;
}

Trace PlanRunner::trace_once() {
  const MarkedTimers timers = run_marked(with_kernel_marks_, {.kernels = true});
  std::vector<KernelTime> times;
  times.reserve(timers.kernels.size());
  for (const auto& [begin, end] : timers.kernels) {
    times.emplace_back(runtime_->between(timers.begin, begin), runtime_->between(timers.begin, end));
  }
  return trace_of(plan_.plan(), times, runtime_->between(timers.begin, timers.end));
}

std::optional<Trace> PlanRunner::typical_trace(Millis latency, const JobContext& job) {
  constexpr int kRuns = 9;
  constexpr std::chrono::milliseconds kLongEnough{200};
  if (plan_.plan().kernels.empty()) return trace_of(plan_.plan(), {}, Micros{0});
  const auto started = std::chrono::steady_clock::now();
  const auto off = [&](const Trace& trace) { return std::abs((trace.duration - latency).count()); };
  std::optional<Trace> best;
  trace_once();  // the first run of a graph takes longer
  for (int run = 0; run < kRuns && (run == 0 || std::chrono::steady_clock::now() - started < kLongEnough); ++run) {
    if (job.stopped()) return std::nullopt;
    Trace trace = trace_once();
    if (!best || off(trace) < off(*best)) best = std::move(trace);
  }
  return best;
}

std::vector<Tensor> PlanRunner::outputs() {
  plan_.poison();
  run_once();
  return plan_.outputs();
}

}  // namespace iosx::gpu
