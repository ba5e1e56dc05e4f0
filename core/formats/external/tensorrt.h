#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/external/csv_times.h"

// JSON of trtexec: times of layers (--exportProfile), of whole runs (--exportTimes), and the contents of each layer
// (--exportLayerInfo).
namespace iosx::external {

// Returns whether JSON with this beginning, if it is no trace, is one of the three.
bool is_tensorrt_json(std::string_view head);

// Reads the first two: from a profile a row per layer, with its median, else its average; from times the one row
// "TensorRT" with the GPU's computing time of each run, without copies. Errors: other JSON, or the third kind, which
// has no times. `origin` begins the error's place.
Result<CsvTimes> read_tensorrt_times(std::string_view json, const std::string& origin);

// Reads the third: the model's nodes in each layer, as a name of fused ones ("a + b"), by the layer's name. Layers
// without this information are missing.
using LayerContents = std::map<std::string, std::string, std::less<>>;
Result<LayerContents> read_tensorrt_layers(std::string_view json, const std::string& origin);

}  // namespace iosx::external
