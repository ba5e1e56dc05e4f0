#pragma once

#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/external/csv_times.h"

// OpenVINO's benchmark_app writes JSON with -json_stats: counters of layers (-report_type detailed_counters) and how a
// whole run did. Its CSV forms are tables like any other, in which a column says what was run.
namespace iosx::external {

// Says whether JSON that begins so, and is no trace, is one of the two.
bool is_openvino_json(std::string_view head);

// Says whether a layer with this status, "Status.EXECUTED", was run: neither NOT_RUN nor OPTIMIZED_OUT.
bool openvino_ran(std::string_view status);

// Reads it: a row a layer that was executed, a sample an inference request that was counted; or the one row "OpenVINO"
// with its median latency. The error is that it is no such JSON, or that nothing was counted. `origin` leads its place.
Result<CsvTimes> read_openvino_times(std::string_view json, const std::string& origin);

}  // namespace iosx::external
