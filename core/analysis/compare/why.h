#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "core/analysis/compare/comparison.h"

namespace iosx {

// Why a run takes another time than a baseline: a run's time is its kernel time divided by the mean number of kernels
// in flight. It compares traced runs, whose times may differ from the latencies a little.
struct Why {
  double kernel_time = 1;        // times the baseline's
  double in_flight = 1;          // times the baseline's mean
  double idle = 0;               // share of the run without a kernel in flight, 0 to 1
  double baseline_idle = 0;      // the baseline's
  bool as_many_kernels = false;  // as the baseline has

  double speedup() const { return in_flight / kernel_time; }
};

// Returns none where a trace has no kernel time.
std::optional<Why> why(const Trace& baseline, const Trace& run);
// The same against the comparison's sequential schedule; none of that schedule itself, and where latencies are unknown.
std::optional<Why> why(const Comparison& comparison, const ScheduleResult& result);

// Returns "3.63 times as many kernels in flight, on average each 1.85 times as long; no kernel in flight 9.7 % → 0.7 %
// of the time".
Message why_text(const Why& why);

// {"kernel_time_ratio", "in_flight_ratio", "idle_share", "baseline_idle_share", "text"}
nlohmann::ordered_json why_json(const Why& why);

}  // namespace iosx
