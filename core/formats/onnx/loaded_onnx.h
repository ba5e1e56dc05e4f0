#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/file_interface.h"
#include "core/formats/onnx/graph_function.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/model/graph/graph.h"

namespace iosx::onnx_import {

struct OnnxOptions {
  // Is the size of a batch that the model leaves open, where nothing below gives it.
  std::int64_t batch = 1;
  // Has sizes of axes that it leaves open, by name; where there is none, one is chosen that the model can be read with.
  std::map<std::string, std::int64_t, std::less<>> dims = {};
  // These graph inputs are known now.
  std::map<std::string, HostTensor, std::less<>> bind = {};
  // Is how many bytes numbers may take which are computed while the model is read, all together: constants that it
  // describes instead of storing them, weights that are converted. The largest fully connected layers take half a
  // gigabyte.
  std::int64_t memory = std::int64_t{4} << 30;
  // Computes what follows from constants by operators that fold() does not know. Without it they stay operators.
  GraphFunction compute = {};
  // These are the whole shapes of inputs, batch included.
  std::map<std::string, std::vector<std::int64_t>, std::less<>> shapes = {};
};

struct OnnxOutput {
  std::string tensor;  // its name in the model
  std::string op;      // the operator's in the graph, which is the same unless something else took it
};

struct LoadedOnnx {
  Graph graph;
  // If true, the leading axis of every input and output is the batch, which shapes in the graph do not have, and the
  // graph runs with any batch, or with that of `batch` (FileInterface::any_batch). If false, it runs with a batch of 1
  // only, because shapes have all axes, or because the model is another one for more samples.
  bool batched = true;
  // Is the size of the leading axis in the model, or the one asked for; 1 where it is part of the shapes.
  std::int64_t batch = 1;
  std::vector<OnnxOutput> outputs;  // in the model's order
  FileInterface file;               // inputs and outputs with all their axes, and which sizes were given or chosen
  std::vector<Message> warnings;    // one sentence each, for the user
  std::map<std::string, std::string, std::less<>> metadata = {};  // what the model says of itself, by key
};

}  // namespace iosx::onnx_import
