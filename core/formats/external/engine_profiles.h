#pragma once

#include <map>
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

// JSON of trtexec: times of layers (--exportProfile), of whole runs (--exportTimes), and the contents of each layer
// (--exportLayerInfo).

// Returns whether JSON with this beginning, if it is no trace, is one of the three.
bool is_tensorrt_json(std::string_view head);

// Returns whether JSON with this beginning is a table of nsys stats (--format json), or a flat object {NAME: ms} of
// times that an IProfiler of TensorRT was told.
bool is_table_json(std::string_view head);
// Returns such a table as CSV, for read_csv_times().
Result<std::string> csv_of_json(std::string_view json, const std::string& origin);

// Reads the first two: from a profile a row per layer, with its median, else its average; from times the one row
// "TensorRT" with the GPU's computing time of each run, without copies. Errors: other JSON, or the third kind, which
// has no times. `origin` begins the error's place.
Result<CsvTimes> read_tensorrt_times(std::string_view json, const std::string& origin);

// Reads the third: the model's nodes in each layer, as a name of fused ones ("a + b"), by the layer's name. Layers
// without this information are missing.
using LayerContents = std::map<std::string, std::string, std::less<>>;
Result<LayerContents> read_tensorrt_layers(std::string_view json, const std::string& origin);

}  // namespace iosx::external
