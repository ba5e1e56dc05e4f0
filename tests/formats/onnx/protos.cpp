#include "tests/formats/onnx/protos.h"

#include <cstdlib>
#include <fstream>
#include <span>
#include <stdexcept>
#include <system_error>

namespace iosx::onnx_import::test {

onnx::TensorProto bare_tensor(const std::string& name, std::vector<std::int64_t> dims,
                              onnx::TensorProto::DataType type) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(type);
  for (const std::int64_t dim : dims) tensor.add_dims(dim);
  return tensor;
}

onnx::TensorProto float_tensor(const std::string& name, std::vector<std::int64_t> dims, std::vector<float> values) {
  onnx::TensorProto tensor = bare_tensor(name, std::move(dims), onnx::TensorProto::FLOAT);
  for (const float value : values) tensor.add_float_data(value);
  return tensor;
}

onnx::TensorProto int_tensor(const std::string& name, std::vector<std::int64_t> dims,
                             std::vector<std::int64_t> values) {
  onnx::TensorProto tensor = bare_tensor(name, std::move(dims), onnx::TensorProto::INT64);
  for (const std::int64_t value : values) tensor.add_int64_data(value);
  return tensor;
}

onnx::ModelProto empty_model() {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(17);
  model.mutable_graph()->set_name("test");
  auto& input = *model.mutable_graph()->add_input();
  input.set_name("x");
  auto& type = *input.mutable_type()->mutable_tensor_type();
  type.set_elem_type(onnx::TensorProto::FLOAT);
  type.mutable_shape()->add_dim()->set_dim_param("batch");
  type.mutable_shape()->add_dim()->set_dim_value(3);
  return model;
}

onnx::NodeProto& add_node(onnx::ModelProto& model, const std::string& op_type, const std::vector<std::string>& inputs,
                          const std::vector<std::string>& outputs, const std::string& name) {
  onnx::NodeProto& node = *model.mutable_graph()->add_node();
  node.set_op_type(op_type);
  node.set_name(name);
  for (const std::string& input : inputs) node.add_input(input);
  for (const std::string& output : outputs) node.add_output(output);
  return node;
}

void add_output(onnx::ModelProto& model, const std::string& name) {
  model.mutable_graph()->add_output()->set_name(name);
}

onnx::ModelProto relu_model() {
  onnx::ModelProto model = empty_model();
  add_node(model, "Relu", {"x"}, {"y"}, "relu");
  add_output(model, "y");
  return model;
}

onnx::ModelProto model_with(const onnx::TensorProto& initializer) {
  onnx::ModelProto model = empty_model();
  *model.mutable_graph()->add_initializer() = initializer;
  add_node(model, "Add", {"x", initializer.name()}, {"y"}, "add");
  add_output(model, "y");
  return model;
}

Result<OnnxModel> parse(const std::string& bytes, const std::filesystem::path& folder) {
  return parse_onnx(std::as_bytes(std::span(bytes)), folder);
}

Result<OnnxModel> parse(const onnx::ModelProto& model, const std::filesystem::path& folder) {
  return parse(model.SerializeAsString(), folder);
}

std::string error_of(const Result<OnnxModel>& result) { return result ? "opened" : result.error().text(); }

TemporaryFolder::TemporaryFolder() {
  std::string name = (std::filesystem::temp_directory_path() / "iosx-onnx-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::write(const std::string& name, const std::string& bytes) const {
  const std::filesystem::path path = path_ / name;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

}  // namespace iosx::onnx_import::test
