#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/external/csv_times.h"

// OpenVINO's benchmark_app writes JSON with -json_stats: counters of layers (-report_type detailed_counters) and the
// results of whole runs. Its CSV forms are ordinary tables with a column for the run's kind.
namespace iosx::external {

// Returns whether JSON with this beginning, if it is no trace, is one of the two.
bool is_openvino_json(std::string_view head);

// Returns whether a layer with this status, "Status.EXECUTED", ran: neither NOT_RUN nor OPTIMIZED_OUT.
bool openvino_ran(std::string_view status);

// Reads the JSON: a row per executed layer with a sample per counted inference request, or the one row "OpenVINO" with
// its median latency. Errors: another kind of JSON, or no counted request. `origin` begins the error's place.
Result<CsvTimes> read_openvino_times(std::string_view json, const std::string& origin);

}  // namespace iosx::external
