#pragma once

#include <map>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/formats/external/csv_times.h"

// trtexec writes JSON of its own: times of layers (--exportProfile), of whole runs (--exportTimes), and what each layer
// is made of (--exportLayerInfo).
namespace iosx::external {

// Says whether JSON that begins so, and is no trace, is one of the three.
bool is_tensorrt_json(std::string_view head);

// Reads the first two: of a profile a row a layer, with its median, else its average; of times the one row "TensorRT"
// with what the GPU computed in each run, copies to and from it left out. The error is that it is no such JSON, or is
// the third, which has no times. `origin` leads its place.
Result<CsvTimes> read_tensorrt_times(std::string_view json, const std::string& origin);

// Reads the third: the nodes of the model that a layer is made of, as a name of fused ones ("a + b"), by the layer's
// name. Layers that do not say so have none.
using LayerContents = std::map<std::string, std::string, std::less<>>;
Result<LayerContents> read_tensorrt_layers(std::string_view json, const std::string& origin);

}  // namespace iosx::external
