#include "gpu/device/plan_runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <iterator>
#include <utility>
#include <vector>

#include "core/devices/measure/statistics.h"
#include "gpu/profile/course.h"
#include "gpu/runtime/errors.h"

namespace iosx::gpu {
namespace {

constexpr TimerId kBegin{0};  // below kFirstPlanTimer
constexpr TimerId kEnd{1};

// Returns the first kernel's begin and the last one's end.
std::pair<Micros, Micros> work_of(const Trace& trace) {
  Micros end{0};
  for (const KernelSpan& span : trace.kernels) end = std::max(end, span.end);
  return {trace.kernels.front().begin, end};
}

// Returns the stages' begins and ends as parts of that, 0 to 1.
std::vector<std::pair<double, double>> stage_parts(const Trace& trace) {
  const auto [begin, end] = work_of(trace);
  const Micros all = std::max(end - begin, Micros{1e-3});
  std::vector<std::pair<double, double>> parts;
  for (const StageSpan& stage : trace.stages)
    parts.emplace_back((stage.begin - begin) / all, (stage.end - begin) / all);
  return parts;
}

Trace profiled_trace(const ExecutionPlan& plan, Timeline timeline) {
  Trace trace = trace_of(plan, timeline.kernels, timeline.duration, "CUPTI activity records");
  for (KernelSpan& span : trace.kernels) {
    span.launches = std::move(timeline.launches[span.kernel.index()]);
    for (LaunchSpan& launch : span.launches) {  // as the span was by trace_of()
      launch.begin = std::clamp(launch.begin, span.begin, span.end);
      launch.end = std::clamp(launch.end, launch.begin, span.end);
    }
  }
  return trace;
}

// A profiler slows down what it looks at, which is worth a word where that changes the picture.
void add_note_of_slowness(Profile& profile, Millis usual) {
  constexpr double kMuch = 1.1;
  const Millis profiled = profile.trace.duration;
  if (profiled <= usual * kMuch) return;
  profile.notices.push_back(
      message("with recorded launches a run took {:.3f} ms, otherwise {:.3f} ms", profiled.count(), usual.count()));
}

// Both begin with the first kernel and end with the last one; where their lengths differ, some of the counters' time
// is something else, and values are shifted.
void add_note_of_shift(Profile& profile, Micros sampled, Micros timeline) {
  constexpr double kMuch = 0.05;
  if (std::abs(sampled / timeline - 1) <= kMuch) return;
  profile.notices.push_back(message(
      "a run took {:.1f} us by its counters, {:.1f} us by its timeline: counters may be shifted against their kernels",
      sampled.count(), timeline.count()));
}

// Counts how many kernels run at a time.
Counter kernels_in_flight(const Trace& trace) {
  Counter counter{said("kernels in flight"), said("kernels"), 0, {}, {}, trace.source};
  std::vector<std::pair<Micros, int>> changes;
  for (const KernelSpan& span : trace.kernels) {
    changes.emplace_back(span.begin, 1);
    changes.emplace_back(span.end, -1);
  }
  std::ranges::sort(changes);  // what ends before what begins at the same time
  counter.times.emplace_back(0);
  counter.values.push_back(0);
  int running = 0;
  for (const auto& [time, change] : changes) {
    running += change;
    if (time > counter.times.back()) {
      counter.times.push_back(time);
      counter.values.push_back(running);
    } else {
      counter.values.back() = running;
    }
  }
  return counter;
}

}  // namespace

Result<PlanRunner> PlanRunner::load(const ExecutionPlan& plan, ExecContext& exec_context, const WayRanks& ranks,
                                    ReplayTimer& timer, bool eager, const JobContext& job) {
  IOS_TRY(auto prepared, PreparedPlan::prepare(plan, exec_context, ranks, job));
  PlanRunner runner(std::move(prepared), exec_context, timer, eager);
  runner.first_run_ = runner.time_eagerly();
  return runner;
}

Captured& PlanRunner::captured() {
  if (!graph_) graph_ = capture(plan_, *runtime_);
  return *graph_;
}

void PlanRunner::launch_once() {
  if (eager_) {
    enqueue(plan_, *runtime_);
  } else {
    runtime_->launch(kOrigin, *captured().graph);
  }
}

void PlanRunner::run_once() {
  launch_once();
  runtime_->synchronize(kOrigin);
}

Marked PlanRunner::run_marked(std::optional<Captured>& graph, const Marks& marks) {
  if (eager_) {
    Marked timers = enqueue(plan_, *runtime_, marks);
    runtime_->synchronize(kOrigin);
    return timers;
  }
  if (!graph) graph = capture(plan_, *runtime_, marks);
  runtime_->launch(kOrigin, *graph->graph);
  runtime_->synchronize(kOrigin);
  return graph->marked;
}

Millis PlanRunner::time_eagerly() {
  runtime_->begin_clock(kOrigin);
  runtime_->mark(kBegin, kOrigin);
  enqueue(plan_, *runtime_);
  runtime_->mark(kEnd, kOrigin);
  runtime_->end_clock(kOrigin);
  runtime_->synchronize(kOrigin);
  return runtime_->between(kBegin, kEnd);
}

std::optional<Latency> PlanRunner::eager_latency(const TimingOptions& timing, const JobContext& job,
                                                 std::vector<Millis>* runs) {
  ClockGuard& guard = timer_->guard();
  guard.take_clock_mhz();  // of other work
  const auto work = [this] { time_eagerly(); };
  if (!guard.warm_up(work, job)) return std::nullopt;
  const auto sample = [this]() -> CopyGraphs::Sample {
    const Millis took = time_eagerly();
    return {.per_copy = took, .took = took};
  };
  return timer_->of_samples(timing, job, work, sample, runs);
}

std::optional<Latency> PlanRunner::copy_latency(const TimingOptions& timing, const JobContext& job) {
  if (eager_) return eager_latency(timing, job);
  if (!plan_.plan().cold_weights) {
    return timer_->per_copy([this](int copies) { enqueue(plan_, *runtime_, {}, copies); }, timing, job, first_run_);
  }
  ColdWeights& cold = exec_context_->cold_weights();
  const auto enqueue_copies = [this](int copies) {
    plan_.spread_weights(copies);
    enqueue(plan_, *runtime_, {}, copies);
  };
  return timer_->per_copy(enqueue_copies, timing, job, first_run_, [&cold] { cold.evict(); });
}

std::optional<Latency> PlanRunner::run_latency(const TimingOptions& timing, const JobContext& job,
                                               std::vector<Millis>* runs) {
  if (eager_) return eager_latency(timing, job, runs);
  const auto nothing = [] {};
  return timer_->per_replay(*captured().graph, timing, job, nothing, runs);
}

std::optional<Latency> PlanRunner::waited_latency(const TimingOptions& timing, const JobContext& job,
                                                  std::vector<Millis>* runs) {
  return timer_->per_wait([this] { launch_once(); }, timing, job, runs);
}

std::optional<std::vector<Latency>> PlanRunner::stage_latencies(int runs, const JobContext& job) {
  if (plan_.plan().barrier_free) return std::vector<Latency>();
  std::vector<std::vector<Millis>> samples(plan_.plan().stages.size());
  for (int run = -1; run < runs; ++run) {  // the first one warms up
    if (job.stopped()) return std::nullopt;
    const Marked timers = run_marked(with_stage_marks_, {.stages = true});
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
  const Marked timers = run_marked(with_kernel_marks_, {.kernels = true});
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

// Returns the median of a few runs; the first one does not count.
Millis PlanRunner::time_replay() {
  constexpr int kRuns = 7;
  std::vector<Millis> runs;
  for (int run = -1; run < kRuns; ++run) {
    runtime_->mark(kBegin, kOrigin);
    launch_once();
    runtime_->mark(kEnd, kOrigin);
    runtime_->synchronize(kOrigin);
    if (run >= 0) runs.push_back(runtime_->between(kBegin, kEnd));
  }
  return latency_of(runs, Origin::kMeasured).value;
}

Result<Timeline> PlanRunner::launches(Profiler& profiler, const JobContext& job) {
  if (eager_) {
    return fail(message("plans are launched one by one, so launches cannot be assigned to kernels"), "profiling",
                message("unset IOS_GPU_EAGER"));
  }
  try {
    return timeline_of(plan_, *runtime_, profiler, job);
  } catch (const GpuError& error) {
    runtime_->synchronize(kOrigin);  // throws where the GPU is lost: then nothing can be shown
    return fail(verbatim(error.what()), "profiling");
  }
}

Result<Profile> PlanRunner::timeline(Profiler& profiler, Millis usual, const JobContext& job) {
  const ExecutionPlan& plan = plan_.plan();
  Profile profile;
  if (plan.kernels.empty()) {
    profile.trace = trace_of(plan, {}, Micros{0});
    return profile;
  }
  if (auto seen = launches(profiler, job)) {
    profile.trace = profiled_trace(plan, std::move(*seen));
    add_note_of_slowness(profile, usual);
  } else {
    if (job.stopped()) return tl::unexpected(std::move(seen.error()));
    auto trace = typical_trace(usual, job);
    if (!trace) return fail(message("stopped"), "profiling");
    profile.trace = std::move(*trace);
    profile.notices.push_back(
        message("launches are not shown, and times come from event marks: {}", seen.error().line()));
  }
  return profile;
}

Result<Profile> PlanRunner::counters(Profile profile, Sampling& sampling, Millis usual, const ProfileOptions& options,
                                     const JobContext& job) {
  if (plan_.plan().kernels.empty()) return profile;
  const auto [begin, end] = work_of(profile.trace);
  const auto course = course_of([this] { run_once(); }, sampling,
                                {.interval = options.interval,
                                 .replays = options.replays,
                                 .expected = usual,
                                 .ranges = stage_parts(profile.trace)},
                                job);
  if (course) {
    std::vector<Counter> counters = counters_of(*course, begin, end);
    profile.trace.counters.insert(profile.trace.counters.begin(), std::make_move_iterator(counters.begin()),
                                  std::make_move_iterator(counters.end()));
    if (course->interval > options.interval) {
      profile.notices.push_back(
          message("counters were read every {:g} us, not every {:g} us: shorter intervals lose samples, in this "
                  "schedule or in an earlier one, or this GPU does not support them",
                  course->interval.count(), options.interval.count()));
    }
    add_note_of_shift(profile, course->folded.duration, end - begin);
  } else if (job.stopped()) {
    return tl::unexpected(course.error());
  } else {
    profile.notices.push_back(message("hardware counters are not shown: {}", course.error().line()));
  }
  return profile;
}

std::vector<Tensor> PlanRunner::outputs() {
  plan_.poison();
  run_once();
  return plan_.outputs();
}

Trace trace_of(const ExecutionPlan& plan, std::span<const KernelTime> kernels, Micros duration, std::string source) {
  Trace trace;
  trace.lanes = plan.lane_count();
  trace.source = std::move(source);
  Micros reached{0};  // the end of the stages before
  if (plan.barrier_free) {
    std::vector<Micros> lanes(trace.lanes, Micros{0});
    for (std::size_t k = 0; k < plan.kernels.size(); ++k) {
      const Kernel& kernel = plan.kernels[k];
      const Micros begin = std::max(kernels[k].first, lanes[kernel.lane]);
      lanes[kernel.lane] = std::max(kernels[k].second, begin);
      trace.kernels.push_back({kernel.name, KernelId(k), kernel.lane, kernel.stage, begin, lanes[kernel.lane]});
      reached = std::max(reached, lanes[kernel.lane]);
    }
    trace.stages = overlapping_stages(plan, trace.kernels);
  }
  for (std::size_t s = 0; s < plan.stages.size() && !plan.barrier_free; ++s) {
    StageSpan stage{reached, reached};
    bool first = true;
    for (const std::vector<KernelId>& lane : plan.stages[s].lanes) {
      Micros lane_reached = reached;
      for (const KernelId id : lane) {
        const Kernel& kernel = plan.kernel(id);
        const auto& [began, ended] = kernels[id.index()];
        const Micros begin = std::max(began, lane_reached);
        lane_reached = std::max(ended, begin);
        trace.kernels.push_back({kernel.name, id, kernel.lane, s, begin, lane_reached});
        stage.begin = std::exchange(first, false) ? begin : std::min(stage.begin, begin);
        stage.end = std::max(stage.end, lane_reached);
      }
    }
    reached = stage.end;
    trace.stages.push_back(stage);
  }
  std::ranges::stable_sort(trace.kernels, {}, &KernelSpan::begin);
  trace.duration = std::max(duration, reached);
  trace.counters.push_back(kernels_in_flight(trace));
  return trace;
}

}  // namespace iosx::gpu
