#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/formats/external/external_run.h"

namespace iosx {

// These functions tell what others recorded, beside a comparison of the same network. No value of it is measured by us;
// every row says who recorded it.

// Says how many times as fast the run is as the comparison's first sequential schedule; its value is 0 without one, or
// where the run has no latency of the whole network (piece_of).
Speedup speedup(const Comparison& comparison, const ExternalRun& run);

// Returns sentences for the user: those of the run, and one if it is of a piece of the network only.
std::vector<Message> notices_of(const ExternalRun& run, const Graph& graph);

// Writes for people one row a run under a line that says what they are; it is empty without runs.
std::string beside_table(const Comparison& comparison, std::span<const ExternalRun> runs);

// Returns [{"label", "tool", "file", "origin": "recorded", "latency_ms", "spread_ms", "samples", "speedup",
// "speedup_interval", "within_noise", "entries", "matched_share", "notices"}]. "speedup_interval" is there only where
// it is known.
nlohmann::ordered_json beside_json(const Comparison& comparison, std::span<const ExternalRun> runs);

}  // namespace iosx
