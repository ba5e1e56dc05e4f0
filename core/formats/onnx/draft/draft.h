#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/base/result.h"
#include "core/formats/onnx/host_tensor.h"
#include "core/formats/onnx/loaded_onnx.h"
#include "core/model/graph/graph.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/tensor.h"

namespace iosx::onnx_import {

// Channels [begin, end) of a draft operator's output.
struct DraftValue {
  std::size_t producer = 0;  // index into Draft::operators
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Shape shape;                               // of these channels, without a stripped batch
  ElementType type = ElementType::kFloat32;  // ONNX's type

  // Returns the same numbers as of another type.
  DraftValue of_type(ElementType other) const {
    DraftValue value = *this;
    value.type = other;
    return value;
  }
  friend bool operator==(const DraftValue&, const DraftValue&) = default;
};

struct DraftOperator {
  std::string name;  // need not be unique yet
  Attributes attributes;
  std::vector<DraftValue> inputs;
  Shape output;
  Tensor weights;  // and bias: as in Parameters; empty where the operator has none
  Tensor bias;
  std::size_t node = 0;                   // number of the model's node that it was converted from
  std::vector<std::string> aliases = {};  // see Operator

  bool is_source() const {
    return std::holds_alternative<Input>(attributes) || std::holds_alternative<Constant>(attributes);
  }
};

// A graph under construction, from the nodes of a model. Operators are in topological order.
class Draft {
 public:
  // `memory` limits the bytes of all numbers computed during import.
  explicit Draft(std::int64_t memory) : memory_left_(memory) {}

  std::vector<DraftOperator> operators;
  std::vector<std::pair<std::string, DraftValue>> outputs;  // with their names in the model
  std::vector<std::size_t> output_nodes;                    // the node that yields each; 0: none
  std::size_t node = 0;                                     // that is converted now, from 1: of operators added

  // Appends an operator. The error, from shape inference, has no place.
  Result<DraftValue> add(std::string name, Attributes attributes, std::vector<DraftValue> inputs, Tensor weights = {},
                         Tensor bias = {});
  // Returns the whole output of an operator.
  DraftValue whole(std::size_t producer) const;
  bool is_whole(const DraftValue& value) const;
  // Returns channels [begin, end) of the value's channels. 0 <= begin < end <= channels.
  static DraftValue channels(const DraftValue& value, std::int64_t begin, std::int64_t end);

  // Returns the value in another shape with as many elements; adds an operator only where the shape changes.
  Result<DraftValue> reshape(const std::string& name, const DraftValue& value, const Shape& shape);

  // Counts numbers computed during import, so that a small file cannot fill the memory; returns an error beyond the
  // limit. They take four bytes each as floats, eight as integers.
  Result<void> spend(std::int64_t elements, std::int64_t element_bytes = sizeof(float));
  // Returns how many more numbers of any type may be computed.
  std::int64_t elements_left() const { return memory_left_ / static_cast<std::int64_t>(sizeof(std::int64_t)); }

 private:
  std::int64_t memory_left_;
};

// Returns whether two drafts compute the same in the same order, whatever the names.
bool same_computation(const Draft& a, const Draft& b);

// Returns for each operator whether an output needs it, directly or not.
std::vector<bool> needed(const Draft& draft);

// Returns the operators that outputs need, in units: indices in order, with the units in topological order. The
// operators of one node are in one unit, because a library computes them as one; only a written-out attention may take
// some of them. A unit has one expensive node and the cheap ones that follow it, where that has one output: after a
// convolution its sum and activation, after others their activations and reshapes. An activation or normalisation with
// one convolution as its only reader stands before it. A matrix product has its bias, and a written-out attention is
// one unit.
std::vector<std::vector<std::size_t>> units_of(const Draft& draft);

// Makes the graph of a draft. Names become unique; the operator of each model output has that output's name and no
// readers: where it is a part of an operator's output, or is read too, it is a copy in the operator's unit; a source's
// copy is in the unit of the node that yields it. Units with several operators of one node are whole. `outputs`
// receives these names.
Result<Graph> emit(Draft draft, std::string name, std::vector<OnnxOutput>& outputs);

}  // namespace iosx::onnx_import
