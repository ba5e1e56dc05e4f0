#pragma once

#include <optional>
#include <vector>

#include "core/devices/device.h"
#include "gpu/exec/enqueue.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/measure/replay_timer.h"
#include "gpu/profile/profiler.h"
#include "gpu/profile/timeline.h"

namespace iosx::gpu {

// A PlanRunner has a plan loaded into an ExecContext: prepared, and run once launch by launch, so that the library has
// loaded what it needs and it can be captured. Graphs are captured when they are first asked for. Before a request it
// is entered, so that other plans may use the exec_context between its requests. Where it is eager, there are no
// graphs: every run is given to the streams launch by launch.
class PlanRunner {
 public:
  // Fails and throws as PreparedPlan::prepare() does.
  static Result<PlanRunner> load(const ExecutionPlan& plan, ExecContext& exec_context, const ConvRanks& ranks,
                                 ReplayTimer& timer, bool eager, const JobContext& job);

  // See PreparedPlan.
  bool usable() const { return plan_.usable(); }
  bool enter() { return plan_.enter(); }
  // The error is a count or dims that differ from the plan's.
  Result<void> set_inputs(const std::vector<Tensor>& inputs) { return plan_.set_inputs(inputs); }

  // These return what one of many copies in a row takes, what one run of the whole by itself does, and what the host
  // waits for that; nothing if stopped. `runs` is as in ReplayTimer.
  std::optional<Latency> copy_latency(const TimingOptions& timing, const JobContext& job);
  std::optional<Latency> run_latency(const TimingOptions& timing, const JobContext& job,
                                     std::vector<Millis>* runs = nullptr);
  std::optional<Latency> waited_latency(const TimingOptions& timing, const JobContext& job, std::vector<Millis>* runs);
  // Returns each stage's latency within so many runs; nothing if stopped. It is zero, of no samples, for a stage
  // without kernels. A plan without barriers has none.
  std::optional<std::vector<Latency>> stage_latencies(int runs, const JobContext& job);
  // Returns, of a few runs with a mark around every kernel, the trace of the one that took nearest to `latency`;
  // nothing if stopped.
  std::optional<Trace> typical_trace(Millis latency, const JobContext& job);
  // Returns what one run takes while nothing watches it.
  Millis time_replay();
  // Returns launches as far as the profiler sees them; notices say what it does not see. `usual` is what time_replay()
  // returned. The error is a stop.
  Result<Profile> timeline(Profiler& profiler, Millis usual, const JobContext& job);
  // Adds counters to a timeline, or a notice that says why there are none. The error is a stop.
  Result<Profile> counters(Profile profile, Sampling& sampling, Millis usual, const ProfileOptions& options,
                           const JobContext& job);
  // Returns the outputs of one more run, before which everything is poisoned that it must write.
  std::vector<Tensor> outputs();
  std::int64_t peak_bytes() const { return plan_.peak_bytes(); }

 private:
  PlanRunner(PreparedPlan plan, ExecContext& exec_context, ReplayTimer& timer, bool eager)
      : plan_(std::move(plan)),
        exec_context_(&exec_context),
        runtime_(&exec_context.runtime),
        timer_(&timer),
        eager_(eager) {}

  void launch_once();  // does not wait
  void run_once();
  // Runs once with marks and waits for the end.
  Marked run_marked(std::optional<Captured>& graph, const Marks& marks);
  Millis time_eagerly();
  Result<Timeline> launches(Profiler& profiler, const JobContext& job);
  std::optional<Latency> eager_latency(const TimingOptions& timing, const JobContext& job,
                                       std::vector<Millis>* runs = nullptr);
  Captured& captured();
  Trace trace_once();

  PreparedPlan plan_;
  ExecContext* exec_context_;
  Runtime* runtime_;
  ReplayTimer* timer_;
  bool eager_;
  Millis first_run_{0};
  std::optional<Captured> graph_;
  std::optional<Captured> with_stage_marks_;
  std::optional<Captured> with_kernel_marks_;
};

}  // namespace iosx::gpu
