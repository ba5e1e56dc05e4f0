#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

struct OnnxExportOptions {
  // The size of the leading axis of all inputs and outputs; without one, that of `file`, or else open with the name
  // "batch".
  std::optional<std::int64_t> batch = {};
  // Operators whose results are the first outputs, by name (output_operators()).
  std::vector<std::string> outputs = {};
  // The interface of the file from which the graph was read. Where it fits the graph, the model has the same inputs
  // and outputs, with their names, types, axes and order. Results computed in float32 are cast there.
  FileInterface file = {};
  // By operator: the doc_string of its nodes; empty for none.
  std::vector<std::string> notes = {};
  // The model's metadata_props, by key.
  std::map<std::string, std::string> metadata = {};
  // Weights above this total of bytes go to another file, "NAME.data", because one ONNX file has at most 2 GiB.
  std::int64_t max_inline_bytes = std::int64_t{1} << 30;
};

// The names of the nodes that compute each operator, by operator and in the model's order; none for constants.
using OnnxNodes = std::vector<std::vector<std::string>>;

// Returns the size of the leading axis in the written model; none where it is open.
std::optional<std::int64_t> exported_batch(const Graph& graph, const OnnxExportOptions& options = {});

// Writes the graph with its weights, also made-up ones, as an equivalent ONNX model of opset 17. Tensors are batch ×
// shape, or only the shape where the file's inputs have no batch, and have the operators' names. Nodes are in the
// order of the operators; units and parts are not kept. Files appear completely or not at all. Errors: operators that
// ONNX or this program cannot express, by name; no space; a missing folder.
Result<OnnxNodes> write_onnx(const Graph& graph, const std::filesystem::path& path,
                             const OnnxExportOptions& options = {});

// Returns the same as the bytes of a file; an error if the weights do not fit one.
Result<std::string> to_onnx(const Graph& graph, const OnnxExportOptions& options = {});

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
