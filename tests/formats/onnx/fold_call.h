#pragma once

#include "core/formats/onnx/fold/fold.h"
#include "tests/support/prelude.h"

namespace iosx::onnx_import::test {

using Dims = std::vector<std::int64_t>;

inline HostTensor ints(Dims dims, std::vector<std::int64_t> values, ElementType type = ElementType::kInt64) {
  return HostTensor::of_integers(std::move(dims), std::move(values), type);
}
inline HostTensor list(std::vector<std::int64_t> values) {
  Dims dims{static_cast<std::int64_t>(values.size())};
  return ints(std::move(dims), std::move(values));
}
inline HostTensor floats(Dims dims, std::vector<float> values, ElementType type = ElementType::kFloat32) {
  return HostTensor::of_floats(std::move(dims), std::move(values), type);
}
inline HostTensor bools(Dims dims, std::vector<std::int64_t> values) {
  return ints(std::move(dims), std::move(values), ElementType::kBool);
}

// One node to fold: Fold("Concat").with("axis", 1).of({a, b}).
class Fold {
 public:
  explicit Fold(std::string op_type) {
    node_.op_type = std::move(op_type);
    node_.outputs = {"y"};
  }
  Fold& with(const std::string& name, Attribute value) {
    node_.attributes.insert_or_assign(name, std::move(value));
    return *this;
  }
  Fold& with(const std::string& name, int value) { return with(name, Attribute(std::int64_t{value})); }
  Fold& with(const std::string& name, Dims value) { return with(name, Attribute(std::move(value))); }
  Fold& opset(std::int64_t opset) {
    opset_ = opset;
    return *this;
  }
  Fold& outputs(std::size_t count) {
    node_.outputs.assign(count, "y");
    return *this;
  }

  Result<std::vector<HostTensor>> all(const std::vector<std::optional<HostTensor>>& inputs) const {
    const auto pointers =
        mapped<const HostTensor*>(inputs, [](const auto& input) { return input ? &*input : nullptr; });
    return fold(node_, pointers, opset_);
  }
  // Returns the first result as text: "float32[2,3] 0 1 2 3 4 5", or "error: " with the error.
  std::string of(const std::vector<std::optional<HostTensor>>& inputs) const {
    const auto results = all(inputs);
    return results ? text(results->front()) : "error: " + results.error().what.text();
  }

  static std::string text(const HostTensor& tensor) {
    std::string line = fmt::format("{}[", to_string(tensor.type()));
    for (std::size_t i = 0; i < tensor.dims().size(); ++i)
      line += fmt::format("{}{}", i == 0 ? "" : ",", tensor.dims()[i]);
    line += "]";
    for (const float value : tensor.floats()) line += fmt::format(" {}", value);
    for (const std::int64_t value : tensor.integers()) line += fmt::format(" {}", value);
    return line;
  }

 private:
  Node node_;
  std::int64_t opset_ = 17;
};

}  // namespace iosx::onnx_import::test
