#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

struct OnnxExportOptions {
  // Is the size of the leading axis of all inputs and outputs; without one it is that of `file`, or else left open,
  // under the name "batch".
  std::optional<std::int64_t> batch = {};
  // The results of these operators come first among the outputs, by name (output_operators()).
  std::vector<std::string> outputs = {};
  // Has the inputs and outputs of the file that the graph was read from: where it fits the graph, the model has them
  // too, with their names, types, axes and order. What is computed in float32 is cast there.
  FileInterface file = {};
  // By operator: what its nodes say of themselves (doc_string); empty where none says anything.
  std::vector<std::string> notes = {};
  // What the model says of itself, by key (metadata_props).
  std::map<std::string, std::string> metadata = {};
  // Weights of more bytes together go to a file beside the model, "NAME.data": one ONNX file has at most 2 GiB.
  std::int64_t max_inline_bytes = std::int64_t{1} << 30;
};

// Has the names of the nodes that compute each operator, by operator and in the model's order; none for constants.
using OnnxNodes = std::vector<std::vector<std::string>>;

// Returns the size of the leading axis that the model is written with; nothing where it is left open.
std::optional<std::int64_t> exported_batch(const Graph& graph, const OnnxExportOptions& options = {});

// Writes the graph with its weights, also made-up ones, as an ONNX model of opset 17 that computes the same: batch ×
// shape tensors, or shapes alone where the file's inputs have no batch, named after the operators. Nodes stand in the
// order of the operators; units and parts are not kept. Files appear whole or not at all. Errors: operators that ONNX
// or this program cannot express, by name; no space; a folder that is not there.
Result<OnnxNodes> write_onnx(const Graph& graph, const std::filesystem::path& path,
                             const OnnxExportOptions& options = {});

// Returns the same as the bytes of a file; an error if the weights do not fit one.
Result<std::string> to_onnx(const Graph& graph, const OnnxExportOptions& options = {});

}  // namespace iosx::onnx_import
