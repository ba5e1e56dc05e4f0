#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/analysis/sweep/sweep.h"
#include "core/tables/table.h"

namespace iosx {

// For people: what is varied, and an aligned row a value with the latency of every schedule in ms, "*" at the least of
// each row, the present value marked; where there are none, why.
std::string sweep_table_text(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points);

// One row a value and schedule, for documents: network, device, parameter, operator, value, schedule, latency_ms,
// spread_ms, origin, stages, problem.
Table sweep_list(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points);

// {"network", "device", "parameter", "operator" (or null), "present", "points": [{"value", "text", "schedules": [{"id",
// "latency_ms", "spread_ms", "origin", "stages"}], "problem" (or null)}]}
nlohmann::ordered_json sweep_json(const SweepBase& base, const Sweep& sweep, std::span<const SweepPoint> points);

}  // namespace iosx
