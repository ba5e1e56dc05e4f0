#pragma once

#include <functional>
#include <optional>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

// A model read with certain sizes.
struct SizedModel {
  Graph graph;
  FileInterface file;
};

// Reads the model again with these sizes for its open dimensions.
using ReadWithSizes = std::function<Result<SizedModel>(const InputSizes&)>;

// Returns the interface with which write_onnx() may write the graph of `file`. Axes whose size this program chose stay
// open (FileAxis::open) where the models written for other sizes are equal except for the sizes of inputs and outputs.
// It reads the model a few times for that, and not at all where nothing was chosen.
FileInterface kept_open(const Graph& graph, const FileInterface& file, const ReadWithSizes& read);

}  // namespace iosx::onnx_import
