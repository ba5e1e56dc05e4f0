#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/compare/comparison.h"

namespace iosx {

// {"graph", "device", "origin", "batch", "complete", "best", "schedules": [{"name", "latency_ms", "spread_ms",
// "samples", "stage_sum_ms", "speedup", "stages": [{"strategy", "groups", "latency_ms"}], "search_seconds",
// "stage_measurements"}]} of the schedules that were asked for. "groups" lists a stage's groups, a group its steps, a
// step is the name of a unit or, for a merged convolution, a list of names. "speedup" is against sequential. A schedule
// that no search found has search_seconds and stage_measurements 0. "best" may name a baseline that was not asked for.
nlohmann::ordered_json comparison_json(const Comparison& comparison);

// For people: a title with device, batch and origin, one aligned row a schedule, and which one is best.
std::string comparison_table(const Comparison& comparison);

// One row a stage of every schedule that was asked for: schedule, stage (from 1), strategy, groups, units, latency_ms,
// spread_ms, samples, origin. RFC 4180, LF line ends, header line first.
std::string stage_csv(const Comparison& comparison);

// One schedule's object as in comparison_json, without "speedup".
nlohmann::ordered_json schedule_result_json(const Graph& graph, const ScheduleResult& result);

// "[a b] [c+d]": the groups of a stage, the steps of each, merged units joined by "+".
std::string groups_text(const Graph& graph, const Stage& stage);

}  // namespace iosx
