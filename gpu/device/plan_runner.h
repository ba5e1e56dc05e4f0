#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/devices/device.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/trace/trace.h"
#include "gpu/exec/enqueue.h"
#include "gpu/exec/prepared_plan.h"
#include "gpu/measure/replay.h"
#include "gpu/profile/profiler.h"
#include "gpu/profile/timeline.h"

namespace iosx::gpu {

// A plan loaded into an ExecContext: it is prepared, and has run once launch by launch, so that the library has loaded
// its code and the plan can be captured. Graphs are captured on first use. A request first enters the plan, because
// other plans use the context between requests. In eager mode there are no graphs: every run goes to the streams
// launch by launch.
class PlanRunner {
 public:
  // Errors and exceptions are those of PreparedPlan::prepare().
  static Result<PlanRunner> load(const ExecutionPlan& plan, ExecContext& exec_context, const WayRanks& ranks,
                                 ReplayTimer& timer, bool eager, const JobContext& job);

  // See PreparedPlan.
  bool usable() const { return plan_.usable(); }
  bool enter() { return plan_.enter(); }
  // Returns an error where the count or dims differ from the plan's.
  Result<void> set_inputs(const std::vector<Tensor>& inputs) { return plan_.set_inputs(inputs); }

  // Return the time of one of many copies in a row, of one run by itself, and of the host's wait for one run; none
  // if stopped. `runs` is as in ReplayTimer.
  std::optional<Latency> copy_latency(const TimingOptions& timing, const JobContext& job);
  std::optional<Latency> run_latency(const TimingOptions& timing, const JobContext& job,
                                     std::vector<Millis>* runs = nullptr);
  std::optional<Latency> waited_latency(const TimingOptions& timing, const JobContext& job, std::vector<Millis>* runs);
  // Returns each stage's latency within that many runs; none if stopped. A stage without kernels has zero
  // without samples. A plan without barriers has none.
  std::optional<std::vector<Latency>> stage_latencies(int runs, const JobContext& job);
  // Runs a few times with marks around every kernel and returns the trace of the run closest to `latency`; none
  // if stopped.
  std::optional<Trace> typical_trace(Millis latency, const JobContext& job);
  // Returns the time of one run without a profiler.
  Millis time_replay();
  // Returns the launches that the profiler sees, with notices about what it does not see. `usual` comes from
  // time_replay(). The error is a stop.
  Result<Profile> timeline(Profiler& profiler, Millis usual, const JobContext& job);
  // Adds counters to a timeline, or a notice with the reason why there are none. The error is a stop.
  Result<Profile> counters(Profile profile, Sampling& sampling, Millis usual, const ProfileOptions& options,
                           const JobContext& job);
  // Poisons everything that a run must write, runs once more and returns the outputs.
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

// A kernel's begin and end, in µs from the start of its run.
using KernelTime = std::pair<Micros, Micros>;

// Makes the trace of one run from the times of its kernels (by KernelId) and of the whole. Timers have coarse ticks:
// where the plan orders two kernels or stages, a begin that reads earlier than the end before it becomes that end.
// `source`: see Trace.
Trace trace_of(const ExecutionPlan& plan, std::span<const KernelTime> kernels, Micros duration,
               std::string source = "event marks");

}  // namespace iosx::gpu
