#pragma once

#include <onnx/onnx_pb.h>

#include "core/formats/onnx/convert/load_onnx.h"
#include "core/formats/onnx/read/read_model.h"
#include "tests/support/prelude.h"

// Models made of ONNX's own messages.
namespace iosx::onnx_import::test {

onnx::TensorProto float_tensor(const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values);
onnx::TensorProto int_tensor(const std::string& name, std::vector<std::int64_t> dims, std::vector<std::int64_t> values);
// Without data, which the caller adds.
onnx::TensorProto bare_tensor(const std::string& name, std::vector<std::int64_t> dims,
                              onnx::TensorProto::DataType type);
// The elements' bytes as raw_data.
template <typename T>
onnx::TensorProto raw_tensor(const std::string& name, std::vector<std::int64_t> dims, onnx::TensorProto::DataType type,
                             const std::vector<T>& values) {
  onnx::TensorProto tensor = bare_tensor(name, std::move(dims), type);
  tensor.set_raw_data(values.data(), values.size() * sizeof(T));
  return tensor;
}

// A model of IR version 8 and opset 17 with the graph input "x" (float32, batch x 3) and no nodes or outputs.
onnx::ModelProto empty_model();
onnx::NodeProto& add_node(onnx::ModelProto& model, const std::string& op_type, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, const std::string& name = {});
onnx::NodeProto& add_node(onnx::GraphProto& graph, const std::string& op_type, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs);
// Gives the node a graph as an attribute; its nodes follow.
onnx::GraphProto& add_graph(onnx::NodeProto& node, const std::string& attribute, const std::vector<std::string>& inputs,
                            const std::vector<std::string>& outputs);
void add_output(onnx::ModelProto& model, const std::string& name);
// Adds a node whose one output is the model's too.
onnx::NodeProto& add_result(onnx::ModelProto& model, const std::string& op_type, const std::vector<std::string>& inputs,
                            const std::string& output, const std::string& name = {});
// x -> Relu -> y.
onnx::ModelProto relu_model();
// Does the same with x + w; w is this initializer.
onnx::ModelProto model_with(const onnx::TensorProto& initializer);

Result<OnnxModel> parse(const onnx::ModelProto& model, const std::filesystem::path& folder = {});
Result<OnnxModel> parse(const std::string& bytes, const std::filesystem::path& folder = {});
// Returns the error's text, or "opened".
std::string error_of(const Result<OnnxModel>& result);

// A folder that is removed with its owner.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& bytes) const;

 private:
  std::filesystem::path path_;
};

// Models of a few nodes, and their conversions.

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
