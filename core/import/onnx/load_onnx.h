#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/graph/graph.h"
#include "core/import/onnx/host_tensor.h"
#include "core/import/onnx/model.h"

namespace iosx::onnx_import {

struct OnnxOptions {
  // The size of a leading axis that the model leaves open.
  std::int64_t batch = 1;
  // Sizes of other axes that it leaves open, by symbolic name; 1, with a warning, where there is none.
  std::map<std::string, std::int64_t, std::less<>> dims;
  // Graph inputs that are known now.
  std::map<std::string, HostTensor, std::less<>> bind;
  // Bytes that numbers may take which are computed while the model is read, all together: constants that it describes
  // instead of storing them, weights that are converted. The largest fully connected layers take half a gigabyte.
  std::int64_t memory = std::int64_t{4} << 30;
};

struct OnnxOutput {
  std::string tensor;  // its name in the model
  std::string op;      // the operator's in the graph, which is the same unless something else took it
};

struct LoadedOnnx {
  Graph graph;
  // True: the leading axis of every input and output is the batch, which shapes in the graph do not have, and the graph
  // runs with any batch. False: it runs with a batch of 1 only, because shapes have all axes, or because the model has
  // a 1 where the batch should be.
  bool batched = true;
  // The size of the leading axis in the model, or the one asked for; 1 where it is part of the shapes.
  std::int64_t batch = 1;
  std::vector<OnnxOutput> outputs;    // in the model's order
  std::vector<std::string> warnings;  // one sentence each, for the user
};

// Reads a model and converts it. The graph is named after the file.
Result<LoadedOnnx> load_onnx(const std::filesystem::path& path, const OnnxOptions& options = {});

// Converts a model. The leading axis is taken off all shapes if every operator keeps samples apart. Batch
// normalisation, constant factors and activations are fused into the convolutions before them. What the graph has no
// operator for becomes Opaque. An empty name: the model's own. Errors name the node.
Result<LoadedOnnx> to_graph(const OnnxModel& model, const OnnxOptions& options = {}, std::string name = {});

// Whether the file's content looks like an ONNX model's; false for one that cannot be read.
bool looks_like_onnx(const std::filesystem::path& path);

}  // namespace iosx::onnx_import
