#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/tensor.h"

namespace iosx::onnx_import {

// Stands for channels [begin, end) of a draft operator's output.
struct DraftValue {
  std::size_t producer = 0;  // index in Draft::operators
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Shape shape;  // of these channels, as the graph sees them: without the batch where that was taken off
  ElementType type = ElementType::kFloat32;  // as ONNX has it

  friend bool operator==(const DraftValue&, const DraftValue&) = default;
};

struct DraftOperator {
  std::string name;  // need not be unique yet
  Attributes attributes;
  std::vector<DraftValue> inputs;
  Shape output;
  Tensor weights;  // and bias: as Parameters has them; empty where the operator has none
  Tensor bias;

  bool is_source() const {
    return std::holds_alternative<Input>(attributes) || std::holds_alternative<Constant>(attributes);
  }
};

// Is a graph that may still change: what the nodes of a model are converted to. Operators are in topological order.
class Draft {
 public:
  // `memory` is how many bytes all numbers may take that are computed while importing.
  explicit Draft(std::int64_t memory) : memory_left_(memory) {}

  std::vector<DraftOperator> operators;
  std::vector<std::pair<std::string, DraftValue>> outputs;  // with their names in the model

  // Appends an operator; the error, from shape inference, has no place.
  Result<DraftValue> add(std::string name, Attributes attributes, std::vector<DraftValue> inputs, Tensor weights = {},
                         Tensor bias = {});
  // Returns the whole output of an operator.
  DraftValue whole(std::size_t producer) const;
  bool is_whole(const DraftValue& value) const;
  // Returns channels [begin, end) of the value's own. 0 <= begin < end <= channels.
  static DraftValue channels(const DraftValue& value, std::int64_t begin, std::int64_t end);

  // Returns the value's elements under another shape with as many; it adds an operator only where that changes
  // something.
  Result<DraftValue> reshape(const std::string& name, const DraftValue& value, const Shape& shape);

  // Accounts for numbers that are computed while importing, so that a small file cannot fill the memory; it is an error
  // once they are too many. They take four bytes each as floats, eight as integers.
  Result<void> spend(std::int64_t elements, std::int64_t element_bytes = sizeof(float));
  // Says how many numbers of any type may still be computed.
  std::int64_t elements_left() const { return memory_left_ / static_cast<std::int64_t>(sizeof(std::int64_t)); }

 private:
  std::int64_t memory_left_;
};

// Says whether two drafts compute the same in the same order, whatever their operators are called.
bool same_computation(const Draft& a, const Draft& b);

// Says for each operator whether an output needs it, directly or not.
std::vector<bool> needed(const Draft& draft);

}  // namespace iosx::onnx_import
