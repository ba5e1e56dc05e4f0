#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/external/external_run.h"
#include "core/model/graph/graph.h"

namespace iosx {

// Writes what others recorded as one JSON document, as a project file keeps it. Matches are left out: who reads it
// finds them again.
std::string external_to_json(const ExternalRun& run);

// Any bytes are safe to read. Its entries are matched to the graph; its latency is a recorded one, whatever the text
// says. `origin` leads an error's place.
Result<ExternalRun> external_from_json(std::string_view text, const std::string& origin, const Graph& graph);

}  // namespace iosx
