#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Says what is in a file, for people: its runs, and one row an entry with what it was matched to. `graph` is null where
// nothing was matched. `most` entries are listed, the longest first; 0 lists all, in their order.
std::string external_text(const ExternalRun& run, const Graph* graph, std::size_t most);

// Returns {"label", "tool", "file", "origin", "latency_ms", "spread_ms", "samples_ms", "p50_ms", "p95_ms",
// "p99_ms" (Percentiles of the samples; null of too few), "lanes", "matched_share",
// "matches": {RULE: {"entries", "ms"}}, "notices", "entries": [{"name", "type", "begin_us", "ms", "samples_ms",
// "match", "operators"}], "operators_without_entry"}. Without a graph nothing is said of matches; an entry without
// "begin_us" has no place in the trace.
nlohmann::ordered_json external_json(const ExternalRun& run, const Graph* graph);

}  // namespace iosx
