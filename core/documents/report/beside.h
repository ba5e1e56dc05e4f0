#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/formats/external/external_run.h"

namespace iosx {

// What others recorded, beside a comparison of the same network. No value of it is measured by us; every row says who
// recorded it.

// How many times as fast as the comparison's first sequential schedule; of value 0 without one, or where the run has no
// latency of the whole network (piece_of).
Speedup speedup(const Comparison& comparison, const ExternalRun& run);

// Sentences for the user: those of the run, and whether it is one of a piece of the network only.
std::vector<Message> notices_of(const ExternalRun& run, const Graph& graph);

// For people: one row a run under a line that says what they are; empty without runs.
std::string beside_table(const Comparison& comparison, std::span<const ExternalRun> runs);

// [{"label", "tool", "file", "origin": "recorded", "latency_ms", "spread_ms", "samples", "speedup", "speedup_interval",
// "within_noise", "entries", "matched_share", "notices"}]. "speedup_interval" only where it is known.
nlohmann::ordered_json beside_json(const Comparison& comparison, std::span<const ExternalRun> runs);

}  // namespace iosx
