#include "core/formats/onnx/draft/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/model/graph/shape_inference.h"

namespace iosx::onnx_import {
Result<DraftValue> Draft::add(std::string name, Attributes attributes, std::vector<DraftValue> inputs, Tensor weights,
                              Tensor bias) {
  std::vector<Shape> shapes;
  shapes.reserve(inputs.size());
  for (const DraftValue& input : inputs) shapes.push_back(input.shape);
  IOS_TRY(auto shape, infer_shape(attributes, shapes));
  operators.push_back(
      {std::move(name), std::move(attributes), std::move(inputs), shape, std::move(weights), std::move(bias)});
  return whole(operators.size() - 1);
}

DraftValue Draft::whole(std::size_t producer) const {
  const Shape& shape = operators[producer].output;
  return {producer, 0, shape.channels(), shape, ElementType::kFloat32};
}

bool Draft::is_whole(const DraftValue& value) const {
  return value.begin == 0 && value.end == operators[value.producer].output.channels();
}

DraftValue Draft::channels(const DraftValue& value, std::int64_t begin, std::int64_t end) {
  return {value.producer, value.begin + begin, value.begin + end, value.shape.with(0, end - begin), value.type};
}

Result<DraftValue> Draft::reshape(const std::string& name, const DraftValue& value, const Shape& shape) {
  if (value.shape == shape) return value;
  const DraftOperator& producer = operators[value.producer];
  if (std::holds_alternative<Reshape>(producer.attributes) && is_whole(value)) {
    const DraftValue before = producer.inputs.front();
    return reshape(name, before, shape);
  }
  return add(name, Reshape{shape}, {value});
}

Result<void> Draft::spend(std::int64_t elements, std::int64_t element_bytes) {
  if (elements >= 0 && elements <= memory_left_ / element_bytes) {
    memory_left_ -= elements * element_bytes;
    return {};
  }
  return fail(
      message("{} more numbers must be computed to read the model, and all together need too much memory", elements),
      "", message("simplify the model (constant folding) when it is exported"));
}

bool same_computation(const Draft& a, const Draft& b) {
  const auto same_numbers = [](const Tensor& one, const Tensor& other) {
    const auto x = one.elements();
    const auto y = other.elements();
    if (!std::ranges::equal(one.dims(), other.dims()) || x.size() != y.size()) return false;
    return x.data() == y.data() || std::memcmp(x.data(), y.data(), x.size_bytes()) == 0;  // NaN is itself here
  };
  const auto same_operator = [&](const DraftOperator& one, const DraftOperator& other) {
    return one.attributes == other.attributes && one.inputs == other.inputs && one.output == other.output &&
           same_numbers(one.weights, other.weights) && same_numbers(one.bias, other.bias);
  };
  return a.outputs == b.outputs && std::ranges::equal(a.operators, b.operators, same_operator);
}

std::vector<bool> needed(const Draft& draft) {
  std::vector<bool> marks(draft.operators.size(), false);
  for (const auto& [name, value] : draft.outputs) marks[value.producer] = true;
  for (std::size_t i = draft.operators.size(); i-- > 0;) {
    if (!marks[i]) continue;
    for (const DraftValue& input : draft.operators[i].inputs) marks[input.producer] = true;
  }
  return marks;
}

}  // namespace iosx::onnx_import
