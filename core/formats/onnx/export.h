#pragma once

#include <cstdint>
#include <filesystem>
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
  // Weights of more bytes together go to a file beside the model, "NAME.data": one ONNX file has at most 2 GiB.
  std::int64_t max_inline_bytes = std::int64_t{1} << 30;
};

// Returns the size of the leading axis that the model is written with; nothing where it is left open.
std::optional<std::int64_t> exported_batch(const Graph& graph, const OnnxExportOptions& options = {});

// Writes the graph with its weights, also made-up ones, as an ONNX model of opset 17 that computes the same: batch ×
// shape tensors, or shapes alone where the file's inputs have no batch, named after the operators. Units and parts are
// not kept. Files appear whole or not at all. Errors: operators that ONNX or this program cannot express, by name; no
// space; a folder that is not there.
Result<void> write_onnx(const Graph& graph, const std::filesystem::path& path, const OnnxExportOptions& options = {});

// Returns the same as the bytes of a file; an error if the weights do not fit one.
Result<std::string> to_onnx(const Graph& graph, const OnnxExportOptions& options = {});

}  // namespace iosx::onnx_import
