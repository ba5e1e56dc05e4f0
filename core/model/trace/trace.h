#pragma once

#include "core/base/duration.h"
#include "core/base/result.h"
#include "core/model/plan/execution_plan.h"

namespace iosx {

// One launch on a GPU, as a profiler saw it: a kernel takes one or a few.
struct LaunchSpan {
  std::string name;  // of the function
  Micros begin{0};
  Micros end{0};
  std::array<int, 3> grid{};      // blocks
  std::array<int, 3> block{};     // threads
  int registers = 0;              // per thread
  std::int64_t shared_bytes = 0;  // per block
  double occupancy = 0;           // of a multiprocessor's warp slots, 0 to 1, that its blocks can fill; 0: unknown
  friend bool operator==(const LaunchSpan&, const LaunchSpan&) = default;
};

// One kernel's execution. Times count from the start of the run.
struct KernelSpan {
  std::string name;
  KernelId kernel;  // of the plan that ran
  std::size_t lane = 0;
  std::size_t stage = 0;
  Micros begin{0};
  Micros end{0};
  std::vector<LaunchSpan> launches = {};  // sorted by begin, within the span; empty where the device does not tell
  friend bool operator==(const KernelSpan&, const KernelSpan&) = default;
};

struct StageSpan {
  Micros begin{0};
  Micros end{0};                       // except without barriers, the next stage begins here or later
  std::vector<int> lane_threads = {};  // processor cores of each lane, where the device divides them
  friend bool operator==(const StageSpan&, const StageSpan&) = default;
};

// A quantity over time: `values[i]` holds from `times[i]` to `times[i + 1]`, the last one to the end of the trace.
struct Counter {
  std::string name;  // "active warps"
  std::string unit;  // "warps"
  double peak = 0;   // the device's maximum; 0: unknown
  std::vector<Micros> times;
  std::vector<double> values;
  std::string source = {};  // "CUPTI PM sampling every 5 us, …": its source, for display
  // Standard errors; empty and 0 for exact values, or where unknown. Errors of neighbouring values are correlated, so
  // those of means do not follow from them.
  std::vector<double> errors = {};        // of the values
  std::vector<double> stage_errors = {};  // of the mean in every stage of the trace
  double error = 0;                       // of the mean over the run

  // Return the time-weighted mean and the integral (in unit · µs) over the window.
  double mean(Micros begin, Micros end) const;
  double area(Micros begin, Micros end) const;
  friend bool operator==(const Counter&, const Counter&) = default;
};

// What happened during one run of a plan.
struct Trace {
  std::size_t lanes = 0;
  Micros duration{0};
  std::vector<KernelSpan> kernels;  // sorted by begin
  std::vector<StageSpan> stages;    // one per plan stage
  std::vector<Counter> counters;    // the first one with values is the main one
  std::string source = {};          // of the spans' times: "simulated", "event marks", "CUPTI activity records"
  friend bool operator==(const Trace&, const Trace&) = default;
};

// Returns the time of each of the plan's stages in a run without barriers, where they overlap: from the first begin to
// the last end of its kernels. A stage without kernels takes no time.
std::vector<StageSpan> overlapping_stages(const ExecutionPlan& plan, const std::vector<KernelSpan>& kernels);

// Returns the counter that utilization shows: the trace's first one with values, or null.
const Counter* main_counter(const Trace& trace);

// Checks a trace from a file or another process: it is empty, or kernels, lanes and stages are the plan's, spans do
// not end before they begin, kernels are sorted by begin, and a counter has a value for each of its ascending times.
// The error's place is inside the trace ("kernels[3]").
Result<void> check_trace(const Trace& trace, const ExecutionPlan& plan);

struct NamedTrace {
  std::string name;  // shown as a process
  const Trace* trace = nullptr;
  bool stages = true;  // false: without barriers they overlap, and are left out
};

// Returns Chrome trace-event JSON ("X", "C" and metadata events, microseconds) for Perfetto and chrome://tracing: a
// process per trace, a thread per lane plus one for the stages, and counters as counter tracks. `device` and `origin`
// are part of the metadata.
std::string chrome_trace_json(std::span<const NamedTrace> traces, const std::string& device, const std::string& origin);

}  // namespace iosx
