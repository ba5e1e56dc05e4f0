#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Writes an external run as one JSON document for a project file. It leaves out matches, which the reader finds
// again.
std::string external_to_json(const ExternalRun& run);

// Any bytes are safe to read. Entries are matched to the graph; the latency is a recorded one, whatever the text
// says. `origin` begins an error's place.
Result<ExternalRun> external_from_json(std::string_view text, const std::string& origin, const Graph& graph);

}  // namespace iosx
