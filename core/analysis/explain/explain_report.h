#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/analysis/explain/explain.h"

namespace iosx {

// A measured latency of the whole schedule.
struct WholeLatency {
  Millis value{0};
  std::string where;  // "simulated in FILE", for display
};

// The explained schedule, with all data for the texts.
struct Explained {
  const Graph& graph;
  const Schedule& schedule;
  const DeviceInfo& device;
  std::int64_t batch = 1;
  const SearchOptions& search;
  const Explanation& explanation;
  std::optional<WholeLatency> end_to_end = {};
};

// Returns {"graph", "device", "batch", "schedule", "search": {"r", "s", "ending_rule", "strategy"}, "stage_sum_ms",
// "between_stages_ms", "basis", "end_to_end": {"ms", "where"}, "critical_path": {"ms", "basis", "at_least_ms",
// "units"}, "unknown_units", "work": {"compute_ms", "memory_ms"}, "predicted_from", "stages": [COST, "share"],
// "explained": [COST, "share", "excluded": [WHY], "no_merge", "summary", "alternatives": [{"change", "text", "units",
// "replaces", "stages": [COST], "difference_ms", "error_ms", "basis", "better", "excluded": [WHY]}]]}.
//
// "at_least_ms" is a bound of all schedules (CriticalPath::at_least). COST is a stage: "stage" (from 1, not in an
// alternative), "strategy", "groups" and "merged" as in comparison_json(), "cost_ms", "error_ms", "basis". Each number
// has a "basis" (basis_name()): "simulated", "measured", "reused", "recorded", "predicted", "bound" (a lower bound) or
// "unknown", which makes the number null. "error_ms" is the half width of a 95 % interval, 0 without noise.
// "stage_sum_ms" includes "between_stages_ms", has the weakest basis of its stages and leaves out unknown ones.
// "end_to_end", "critical_path" and "work" are null where unknown, "unknown_units" counts what the critical path lacks.
// "predicted_from" is the number of known stages behind the predictions. WHY is {"limit", "text"}: "r", "s",
// "ending-rule", "strategy", "parts" or "form", and the reason in words. "change" is change_name(), "replaces" the
// first and last replaced stage, from 1. Alternatives come cheapest first, unknown ones last; those that no search with
// the options takes have "excluded".
nlohmann::ordered_json explanation_json(const Explained& explained);

// Returns a text for display: where the time goes, the bounds, and the stages with the largest
// possible gain, one per line.
std::string overview_text(const Explained& explained);
// Returns a text for display: a stage's cost, its alternatives, and excluded ones.
std::string stage_text(const Explained& explained, const StageExplanation& stage);

// Returns "0.365 ms (simulated)", "about 0.365 ms (predicted)", "at least 0.365 ms (bound)", "unknown".
std::string cost_text(const StageCost& cost);
// Returns "+0.041", "-0.0003", "0": a difference in ms.
std::string signed_text(Millis difference);
// Returns "+0.041 ms (simulated)", "+0.001 ± 0.003 ms (measured, within the noise)", and so on.
std::string difference_text(const Alternative& alternative);
// Returns one or two sentences that a user can act on: what is better, or what comes closest.
std::string summary_text(const Graph& graph, const Schedule& schedule, const StageExplanation& stage);

}  // namespace iosx
