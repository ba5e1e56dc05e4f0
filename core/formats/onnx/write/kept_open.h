#pragma once

#include <functional>
#include <optional>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

// Is a model as it is read with some sizes.
struct SizedModel {
  Graph graph;
  FileInterface file;
};

// Reads the model once more, with these sizes for dimensions that its file leaves open.
using ReadWithSizes = std::function<Result<SizedModel>(const InputSizes&)>;

// Returns the interface with which write_onnx() may write the graph of `file`: axes whose size this program chose stay
// open where the model that is written for other sizes is the same but for the sizes of inputs and outputs
// (FileAxis::open). It reads the model a few times for that, and not at all where nothing was chosen.
FileInterface kept_open(const Graph& graph, const FileInterface& file, const ReadWithSizes& read);

}  // namespace iosx::onnx_import
