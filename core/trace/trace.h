#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/duration.h"
#include "core/plan/execution_plan.h"

namespace iosx {

// One kernel's execution. Times count from the start of the run.
struct KernelSpan {
  std::string name;
  KernelId kernel;  // of the plan that was run
  std::size_t lane = 0;
  std::size_t stage = 0;
  Micros begin{0};
  Micros end{0};
  friend bool operator==(const KernelSpan&, const KernelSpan&) = default;
};

struct StageSpan {
  Micros begin{0};
  Micros end{0};                       // the next stage begins here or later
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

  // Time-weighted mean, and the integral in unit · µs, of the window.
  double mean(Micros begin, Micros end) const;
  double area(Micros begin, Micros end) const;
  friend bool operator==(const Counter&, const Counter&) = default;
};

// What happened during one run of a plan.
struct Trace {
  std::size_t lanes = 0;
  Micros duration{0};
  std::vector<KernelSpan> kernels;  // by begin
  std::vector<StageSpan> stages;    // one a plan stage
  std::vector<Counter> counters;
  friend bool operator==(const Trace&, const Trace&) = default;
};

}  // namespace iosx
