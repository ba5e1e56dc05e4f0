#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Computes a graph's outputs from its inputs, in order: one tensor each, with a batch of 1. File readers receive one
// to compute constants, because they may not depend on devices.
using GraphFunction = std::function<Result<std::vector<Tensor>>(const Graph&, const std::vector<Tensor>&)>;

}  // namespace iosx

namespace iosx::onnx_import {

struct OnnxOptions {
  // The size of an open batch, where nothing below gives it.
  std::int64_t batch = 1;
  // Sizes of open axes, by name; for missing ones a size is chosen with which the model can be read.
  std::map<std::string, std::int64_t, std::less<>> dims = {};
  // Graph inputs with known values.
  std::map<std::string, HostTensor, std::less<>> bind = {};
  // The most bytes of all numbers computed during import: constants that the model describes instead of storing,
  // and converted weights. The largest fully connected layers take half a gigabyte.
  std::int64_t memory = std::int64_t{4} << 30;
  // Computes results of constants for operators that fold() does not know. Without it they stay operators.
  GraphFunction compute = {};
  // The whole shapes of inputs, with the batch.
  std::map<std::string, std::vector<std::int64_t>, std::less<>> shapes = {};
};

struct OnnxOutput {
  std::string tensor;  // its name in the model
  std::string op;      // the operator's in the graph, equal unless the name was taken
};

struct LoadedOnnx {
  Graph graph;
  // If true, the leading axis of every input and output is the batch, which shapes in the graph do not have, and the
  // graph runs with any batch, or with that of `batch` (FileInterface::any_batch). If false, it runs with a batch of 1
  // only, because shapes have all axes, or because the model differs for more samples.
  bool batched = true;
  // The size of the leading axis in the model, or the requested one; 1 where it is part of the shapes.
  std::int64_t batch = 1;
  std::vector<OnnxOutput> outputs;  // in the model's order
  FileInterface file;               // inputs and outputs with all their axes, and which sizes were given or chosen
  std::vector<Message> warnings;    // one sentence each, for the user
  std::map<std::string, std::string, std::less<>> metadata = {};  // the model's metadata, by key
};

}  // namespace iosx::onnx_import
