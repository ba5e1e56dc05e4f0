#pragma once

#include <onnx/onnx_pb.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/formats/onnx/read/read_model.h"

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
void add_output(onnx::ModelProto& model, const std::string& name);
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

}  // namespace iosx::onnx_import::test
