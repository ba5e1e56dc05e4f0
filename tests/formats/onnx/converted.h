#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <vector>

#include "core/formats/onnx/convert/load_onnx.h"
#include "tests/formats/onnx/protos.h"

// Models of a few nodes, and their conversions.
namespace iosx::onnx_import::test {

// Makes a model with float32 inputs of these dims; -1: open, named "N". Nodes, initializers and outputs follow.
struct InputDims {
  std::string name;
  std::vector<std::int64_t> dims;
};
onnx::ModelProto model_of(const std::vector<InputDims>& inputs, std::int64_t opset = 17);

void add_floats(onnx::ModelProto& model, const std::string& name, std::vector<std::int64_t> dims,
                std::vector<float> values);
// Adds that many elements of one value.
void add_filled(onnx::ModelProto& model, const std::string& name, std::vector<std::int64_t> dims, float value = 1);
void add_ints(onnx::ModelProto& model, const std::string& name, std::vector<std::int64_t> values);
// Does the same, as the next input of one of its nodes.
void reads_ints(onnx::ModelProto& model, onnx::NodeProto& node, std::vector<std::int64_t> values);
// Adds weights of ones for a convolution that reads `input`, and the convolution.
onnx::NodeProto& add_conv(onnx::ModelProto& model, const std::string& input, const std::string& output,
                          std::vector<std::int64_t> weights);

void set_int(onnx::NodeProto& node, const std::string& name, std::int64_t value);
void set_float(onnx::NodeProto& node, const std::string& name, float value);
void set_ints(onnx::NodeProto& node, const std::string& name, const std::vector<std::int64_t>& values);
void set_text(onnx::NodeProto& node, const std::string& name, const std::string& value);

Result<LoadedOnnx> converted(const onnx::ModelProto& model, const OnnxOptions& options = {});
// Returns the error's text, or "converted".
std::string refusal_of(const onnx::ModelProto& model, const OnnxOptions& options = {});

// Returns a line for each unit: "y: conv(relu) 8x4x4 + add 8x4x4 <- x, a[0:4]": the kinds and shapes of its operators,
// and what they read from other units and sources, whole or channels. Constants are written as their dims, "{8x1x1}".
std::vector<std::string> units_of(const Graph& graph);
// Does the same for a model, or returns its error as the only line.
std::vector<std::string> units_of(const onnx::ModelProto& model, const OnnxOptions& options = {});

// Returns the weights and bias of the operator with this name.
std::vector<float> weights_of(const Graph& graph, const std::string& name);
std::vector<float> bias_of(const Graph& graph, const std::string& name);

}  // namespace iosx::onnx_import::test
