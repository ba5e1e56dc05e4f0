#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "core/analysis/explain/explain.h"

namespace iosx {

// A latency of the whole schedule that somebody measured.
struct WholeLatency {
  Millis value{0};
  std::string where;  // "simulated in FILE", for people
};

// Holds what is explained, and all that an explanation is told with.
struct Explained {
  const Graph& graph;
  const Schedule& schedule;
  const DeviceInfo& device;
  std::int64_t batch = 1;
  const SearchOptions& search;
  const Explanation& explanation;
  std::optional<WholeLatency> end_to_end = {};
};

// {"graph", "device", "batch", "schedule", "search": {"r", "s", "ending_rule", "strategy"}, "stage_sum_ms",
// "between_stages_ms", "basis", "end_to_end": {"ms", "where"}, "critical_path": {"ms", "basis", "at_least_ms",
// "units"}, "unknown_units", "work": {"compute_ms", "memory_ms"}, "predicted_from", "stages": [COST, "share"],
// "explained": [COST, "share", "excluded": [WHY], "no_merge", "summary", "alternatives": [{"change", "text", "units",
// "replaces", "stages": [COST], "difference_ms", "error_ms", "basis", "better", "excluded": [WHY]}]]}.
//
// "at_least_ms" is a bound of all schedules (CriticalPath::at_least). COST is a stage: "stage" (from 1, not in an
// alternative), "strategy", "groups" and "merged" as in comparison_json(), "cost_ms", "error_ms", "basis". Each number
// has a "basis" beside it (basis_name()): "simulated", "measured", "reused", "recorded", "predicted", "bound" (at least
// so much) or "unknown", and is null then. "error_ms" is the half width of a 95 % interval, 0 without noise.
// "between_stages_ms" is in the "stage_sum_ms", whose basis is the weakest of its stages'; unknown stages are not in
// it. "end_to_end", "critical_path" and "work" are null where they are not known, "unknown_units" counts what the
// critical path lacks. "predicted_from" is how many known stages predictions were learned from. WHY is {"limit",
// "text"}: "r", "s", "ending-rule", "strategy", "parts" or "form", and the reason in words. "change" is change_name(),
// "replaces" the first and last stage that it replaces, from 1. Alternatives come cheapest first, unknown ones last;
// those that no search with the options takes have "excluded".
nlohmann::ordered_json explanation_json(const Explained& explained);

// For people: where the time goes, the bounds, and the stages where most is to be gained, one a line.
std::string overview_text(const Explained& explained);
// For people: what a stage costs, what else could have been done, what was excluded.
std::string stage_text(const Explained& explained, const StageExplanation& stage);

// "0.365 ms (simulated)", "about 0.365 ms (predicted)", "at least 0.365 ms (bound)", "unknown".
std::string cost_text(const StageCost& cost);
// "+0.041", "-0.0003", "0": a difference in ms.
std::string signed_text(Millis difference);
// "+0.041 ms (simulated)", "+0.001 ± 0.003 ms (measured, within the noise)", and so on.
std::string difference_text(const Alternative& alternative);
// "r = 3: a group of 4 units; s = 8: 9 groups"
std::string why_text(const std::vector<Exclusion>& excluded);
// One or two sentences that somebody can act on: what is better, or what comes closest.
std::string summary_text(const Graph& graph, const Schedule& schedule, const StageExplanation& stage);

}  // namespace iosx
