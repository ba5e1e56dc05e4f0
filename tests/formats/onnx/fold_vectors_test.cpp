#include "core/formats/onnx/fold/fold.h"
#include "core/formats/onnx/read/read_model.h"
#include "tests/support/prelude.h"

// The ONNX project's own vectors for single operators: every one whose model is a single node that fold() knows.
namespace iosx::onnx_import {
namespace {

namespace fs = std::filesystem;

const fs::path kVectors = "/usr/share/libonnx-testdata/data/node";

// The vectors' bfloat16 is cut off where ours is rounded, as newer versions of ONNX say: one unit in the last place.
bool close(float is, float wanted, ElementType type) {
  if (std::isnan(wanted)) return std::isnan(is);
  if (std::isinf(wanted)) return is == wanted;
  const float relative = type == ElementType::kBfloat16 ? 0x1p-7F : 1e-5F;
  return std::fabs(is - wanted) <= 1e-6F + relative * std::fabs(wanted);
}

std::string difference(const HostTensor& is, const HostTensor& wanted) {
  if (is.type() != wanted.type()) return fmt::format("is {}, not {}", to_string(is.type()), to_string(wanted.type()));
  if (!std::equal(is.dims().begin(), is.dims().end(), wanted.dims().begin(), wanted.dims().end())) return "other dims";
  for (std::size_t i = 0; i < static_cast<std::size_t>(wanted.elements()); ++i) {
    if (wanted.holds_integers() && is.integers()[i] != wanted.integers()[i]) return fmt::format("element {}", i);
    if (wanted.holds_floats() && !close(is.floats()[i], wanted.floats()[i], wanted.type())) {
      return fmt::format("element {} is {}, not {}", i, is.floats()[i], wanted.floats()[i]);
    }
  }
  return "";
}

// What is read of one vector's folder. `skipped` says why it is none for us.
struct Vector {
  std::string skipped;
  OnnxModel model;
  std::vector<HostTensor> inputs;
  std::vector<HostTensor> outputs;
};

// The vectors keep bfloat16 as uint16 with the same bits.
HostTensor as_declared(const HostTensor& tensor, ElementType type) {
  if (type != ElementType::kBfloat16 || tensor.type() != ElementType::kUint16) return tensor;
  auto values = mapped<float>(
      tensor.integers(), [&](const std::int64_t bits) { return float_of_bfloat16(static_cast<std::uint16_t>(bits)); });
  return HostTensor::of_floats({tensor.dims().begin(), tensor.dims().end()}, std::move(values), type);
}

bool read_tensors(const fs::path& folder, const std::string& kind, const std::vector<ValueInfo>& declared,
                  std::vector<HostTensor>& into) {
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const auto tensor = read_tensor_file(folder / fmt::format("{}_{}.pb", kind, i));
    if (!tensor || tensor->is_opaque()) return false;
    into.push_back(as_declared(*tensor, declared[i].type));
  }
  return true;
}

Vector read_vector(const fs::path& folder) {
  Vector vector;
  auto model = read_onnx(folder / "model.onnx");
  if (!model) {
    vector.skipped = model.error().what.text();
    return vector;
  }
  vector.model = std::move(*model);
  if (vector.model.nodes.size() != 1) {
    vector.skipped = "is not one node";
  } else if (!foldable(vector.model.nodes[0])) {
    vector.skipped = "not foldable";
  } else if (vector.model.nodes[0].op_type.ends_with("Window")) {
    vector.skipped = "was made with 3.1415 for a circle's ratio; tests/onnx_testdata allows for that";
  } else if (!read_tensors(folder / "test_data_set_0", "input", vector.model.inputs, vector.inputs) ||
             !read_tensors(folder / "test_data_set_0", "output", vector.model.outputs, vector.outputs)) {
    vector.skipped = "has tensors of types without values";
  }
  return vector;
}

std::string evaluate(const Vector& vector) {
  const Node& node = vector.model.nodes[0];
  std::map<std::string, const HostTensor*> by_name;
  for (std::size_t i = 0; i < vector.inputs.size(); ++i) by_name[vector.model.inputs[i].name] = &vector.inputs[i];
  std::vector<const HostTensor*> inputs;
  for (const std::string& name : node.inputs) inputs.push_back(name.empty() ? nullptr : by_name.at(name));
  const auto results = fold(node, inputs, vector.model.opset());
  if (!results) return results.error().text();
  for (std::size_t i = 0; i < node.outputs.size(); ++i) {
    const std::string difference_of_one = difference((*results)[i], vector.outputs[i]);
    if (!difference_of_one.empty()) return difference_of_one;
  }
  return "";
}

TEST(FoldVectors, AgreeWithOnnx) {
  if (!fs::exists(kVectors)) GTEST_SKIP() << "the package libonnx-testdata is not installed";
  std::map<std::string, int> passed;
  for (const auto& entry : fs::directory_iterator(kVectors)) {
    const Vector vector = read_vector(entry.path());
    if (!vector.skipped.empty()) continue;
    const std::string wrong = evaluate(vector);
    EXPECT_EQ(wrong, "") << entry.path().filename();
    if (wrong.empty()) ++passed[vector.model.nodes[0].op_type];
  }
  int total = 0;
  std::string list;
  for (const auto& [op, count] : passed) {
    total += count;
    list += fmt::format(" {}:{}", op, count);
  }
  fmt::print("{} vectors pass:{}\n", total, list);
  EXPECT_GE(total, 280);  // the package of Debian 12 has that many for the operators that fold
}

}  // namespace
}  // namespace iosx::onnx_import
