#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

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
  int registers = 0;              // a thread
  std::int64_t shared_bytes = 0;  // a block
  double occupancy = 0;           // of a multiprocessor's warp slots, 0 to 1, that its blocks can fill; 0: not known
  friend bool operator==(const LaunchSpan&, const LaunchSpan&) = default;
};

// One kernel's execution. Times count from the start of the run.
struct KernelSpan {
  std::string name;
  KernelId kernel;  // of the plan that was run
  std::size_t lane = 0;
  std::size_t stage = 0;
  Micros begin{0};
  Micros end{0};
  std::vector<LaunchSpan> launches = {};  // by begin, within the span; empty where the device does not tell
  friend bool operator==(const KernelSpan&, const KernelSpan&) = default;
};

struct StageSpan {
  Micros begin{0};
  Micros end{0};                       // the next stage begins here or later, but in a run without barriers
  std::vector<int> lane_threads = {};  // processor cores of each lane, where the device shares them out
  friend bool operator==(const StageSpan&, const StageSpan&) = default;
};

// A quantity over time: `values[i]` holds from `times[i]` to `times[i + 1]`, the last one to the end of the trace.
struct Counter {
  std::string name;  // "active warps"
  std::string unit;  // "warps"
  double peak = 0;   // what the device can hold at most; 0: not known
  std::vector<Micros> times;
  std::vector<double> values;
  std::string source = {};  // "CUPTI PM sampling every 5 us, …": where it comes from, for people
  // Standard errors; where values are exact, or none is known, empty and 0. Neighbouring values' errors depend on one
  // another, so those of means do not follow from them.
  std::vector<double> errors = {};        // of the values
  std::vector<double> stage_errors = {};  // of the mean in every stage of the trace
  double error = 0;                       // of the mean over the run

  // Time-weighted mean, and the integral in unit · µs, of the window.
  double mean(Micros begin, Micros end) const;
  double area(Micros begin, Micros end) const;
  friend bool operator==(const Counter&, const Counter&) = default;
};

// Records what happened during one run of a plan.
struct Trace {
  std::size_t lanes = 0;
  Micros duration{0};
  std::vector<KernelSpan> kernels;  // by begin
  std::vector<StageSpan> stages;    // one a plan stage
  std::vector<Counter> counters;    // the first that has values is the main one
  std::string source = {};          // of the spans' times: "simulated", "event marks", "CUPTI activity records"
  friend bool operator==(const Trace&, const Trace&) = default;
};

// Returns the time of each of the plan's stages in a run without barriers, where they overlap: from the first begin to
// the last end of its kernels. A stage without kernels takes none.
std::vector<StageSpan> overlapping_stages(const ExecutionPlan& plan, const std::vector<KernelSpan>& kernels);

// The counter of the trace that utilization shows: its first one that has values. Null where there is none.
const Counter* main_counter(const Trace& trace);

// Whether a trace that comes from elsewhere is one of this plan, or empty: kernels, lanes and stages are the plan's,
// spans do not end before they begin, kernels come by begin, and a counter has a value for each of its times, which
// ascend. The error's place is inside the trace ("kernels[3]").
Result<void> check_trace(const Trace& trace, const ExecutionPlan& plan);

}  // namespace iosx
