#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Returns a text about a file: its runs, and a row per entry with its match. `graph` is null without matching. Lists
// the `most` longest entries; 0: all, in their order.
std::string external_text(const ExternalRun& run, const Graph* graph, std::size_t most);

// Returns {"label", "tool", "file", "origin", "latency_ms", "spread_ms", "samples_ms", "p50_ms", "p95_ms",
// "p99_ms" (Percentiles of the samples; null with too few), "lanes", "matched_share", "matches": {RULE:
// {"entries", "ms"}}, "notices", "entries": [{"name", "type", "begin_us", "ms", "samples_ms", "match",
// "operators"}], "operators_without_entry"}. Without a graph the keys of matches are missing; an entry without
// "begin_us" has no place in the trace.
nlohmann::ordered_json external_json(const ExternalRun& run, const Graph* graph);

}  // namespace iosx
