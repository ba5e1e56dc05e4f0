#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "core/analysis/compare/comparison.h"
#include "core/formats/external/external_run.h"

namespace iosx {

// External runs next to a comparison of the same network. None of their values is measured by us; every row names its
// source.

// Returns how many times as fast the run is as the comparison's first sequential schedule; 0 without one, or where the
// run has no latency of the whole network (piece_of).
Speedup speedup(const Comparison& comparison, const ExternalRun& run);

// Returns sentences for the user: those of the run, and one if it covers only a piece of the network.
std::vector<Message> notices_of(const ExternalRun& run, const Graph& graph);

// Returns one row per run after a line of explanation, for display; empty without runs.
std::string external_runs_table(const Comparison& comparison, std::span<const ExternalRun> runs);

// Returns [{"label", "tool", "file", "origin": "recorded", "latency_ms", "spread_ms", "samples", "speedup",
// "speedup_interval", "within_noise", "entries", "matched_share", "notices"}]. "speedup_interval" is present only
// where known.
nlohmann::ordered_json external_runs_json(const Comparison& comparison, std::span<const ExternalRun> runs);

}  // namespace iosx
