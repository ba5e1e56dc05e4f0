#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/fields.h"
#include "core/formats/onnx/convert/infer_outputs.h"
#include "core/formats/onnx/convert/not_executed.h"
#include "core/formats/onnx/model.h"

// Shared by the rules of what operators cost that no device executes (onnx_costs.cpp,
// microsoft_costs.cpp).
namespace iosx::onnx_import {

// Returns 0 for a value beyond which no attribute or size means anything.
std::int64_t sensible(std::int64_t value);

// A node with the facts of its inputs, whose cost a rule sets. Numbers that are absent or senseless
// are 0, which no cost follows from.
class NodeCost {
 public:
  NodeCost(const Node& node, std::span<const TensorFacts> inputs, std::int64_t opset, std::int64_t samples,
           NotExecuted& made)
      : node_(node), inputs_(inputs), opset_(opset), samples_(static_cast<double>(samples)), made_(made) {}

  const Node& node() const { return node_; }
  std::int64_t opset() const { return opset_; }
  bool given(std::size_t i) const { return node_.input(i) != nullptr && i < inputs_.size(); }
  TensorFacts input(std::size_t i) const { return given(i) ? inputs_[i] : TensorFacts{}; }
  Dims dims(std::size_t i) const { return input(i).dims.value_or(Dims{}); }
  std::size_t rank(std::size_t i) const { return dims(i).size(); }
  // Returns the size of an axis, negative from the end; 0: unknown.
  std::int64_t size(std::size_t i, std::int64_t axis) const {
    const Dims all = dims(i);
    if (axis < 0) axis += static_cast<std::int64_t>(all.size());
    const bool known = axis >= 0 && axis < static_cast<std::int64_t>(all.size());
    return known ? sensible(std::max<std::int64_t>(all[static_cast<std::size_t>(axis)], 0)) : 0;
  }
  double extent(std::size_t i, std::int64_t axis) const { return static_cast<double>(size(i, axis)); }
  double elements(std::size_t i) const { return static_cast<double>(input(i).elements()); }
  double output_elements() const { return static_cast<double>(made_.outputs.front().elements()); }
  // The same of one sample of the batch. Constants are of all samples.
  double elements_of_sample(std::size_t i) const {
    return input(i).constant == nullptr ? elements(i) / samples_ : elements(i);
  }
  double output_of_sample() const { return output_elements() / samples_; }
  // Returns whether the sizes of the first output are known already.
  bool is_sized() const { return made_.outputs.front().has_sizes(); }
  // Returns the sizes of the first output.
  Dims sizes() const { return made_.outputs.front().dims.value_or(Dims{}); }

  std::int64_t integer(std::string_view name, std::int64_t absent = 0) const {
    return sensible(int_attribute(node_, name, absent).value_or(absent));
  }
  // Returns those of the attribute; `absent` ones without it.
  Dims integers(std::string_view name, Dims absent) const {
    auto found = ints_attribute(node_, name);
    return found && *found ? **found : std::move(absent);
  }
  std::string text(std::string_view name, std::string absent) const {
    return string_attribute(node_, name, absent).value_or(absent);
  }
  // Returns the integers of a constant input.
  std::optional<Dims> list(std::size_t i) const {
    const HostTensor* const tensor = input(i).constant;
    if (tensor == nullptr || !tensor->holds_integers()) return std::nullopt;
    Dims values(tensor->integers().begin(), tensor->integers().end());
    std::ranges::transform(values, values.begin(), sensible);
    return values;
  }
  // Returns the single integer of a constant input.
  std::optional<std::int64_t> number(std::size_t i) const {
    const HostTensor* const tensor = input(i).constant;
    if (tensor == nullptr || !tensor->holds_integers() || tensor->elements() != 1) return std::nullopt;
    return sensible(tensor->integers()[0]);
  }

  // Set what an output is. A size of 0 is one that is not known.
  void output(std::size_t i, Dims sizes, std::size_t type_of_input = 0) {
    if (i >= made_.outputs.size()) return;
    std::ranges::replace_if(
        sizes, [](std::int64_t size) { return size < 1; }, kUnknownSize);
    made_.outputs[i] = {.type = input(type_of_input).type, .dims = std::move(sizes)};
  }
  void output_like(std::size_t i, std::size_t input_index) {
    if (i < made_.outputs.size() && input(input_index).dims)
      made_.outputs[i] = {.type = input(input_index).type, .dims = input(input_index).dims};
  }
  void type(std::size_t i, ElementType type) {
    if (i < made_.outputs.size()) made_.outputs[i].type = type;
  }
  void flops(double count) { made_.flops = count; }
  void parameters(std::int64_t count) { made_.parameters = count; }
  // Says that only these inputs hold weights, of whatever type.
  void only_weights(std::initializer_list<std::size_t> weights) {
    made_.parameters = 0;
    for (const std::size_t i : weights) {
      const HostTensor* const tensor = input(i).constant;
      const std::int64_t elements = tensor == nullptr ? 0 : tensor->elements();
      made_.parameters = std::min(made_.parameters + elements, kMostExact);
    }
  }
  // Says that an input holds no weights.
  void no_parameters(std::size_t i) {
    const HostTensor* const tensor = input(i).constant;
    if (tensor == nullptr || tensor->holds_integers()) return;
    made_.parameters = std::max<std::int64_t>(made_.parameters - tensor->elements(), 0);
  }
  // Says that only a part of a constant input is read.
  void reads_part(std::size_t i, double part) {
    const HostTensor* const tensor = input(i).constant;
    if (tensor == nullptr || !made_.weight_bytes) return;
    const auto bytes = static_cast<double>(tensor->stored_bytes().value_or(0));
    *made_.weight_bytes -= bytes * (1 - std::clamp(part, 0.0, 1.0));
  }

 private:
  const Node& node_;
  std::span<const TensorFacts> inputs_;
  std::int64_t opset_;
  double samples_;  // of the batch that the sizes have
  NotExecuted& made_;
};

// The rule of an operator sets the cost, and the sizes that ONNX's library does not infer.
struct CostRule {
  std::string_view op_type;
  void (*describe)(NodeCost&);
};
// Applies the rule of the operator; returns false where it has none.
bool describe_by(std::span<const CostRule> rules, NodeCost& op);
void describe_onnx(NodeCost& op);
void describe_microsoft(NodeCost& op);

double product_of(std::span<const std::int64_t> sizes);
// Replaces the last size.
Dims ending_in(Dims dims, std::int64_t size);

// The first output has the sizes of the first input, where ONNX's library does not know them.
void like_input(NodeCost& op);
// Does so with this many FLOPs an element.
void like_input(NodeCost& op, double each);
// Products of windows with weights, which are outputs x inputs of a group x window.
void conv(NodeCost& op, std::size_t weights);
void gemm(NodeCost& op);
// Returns the sizes that a window makes of axes of the first input, from `first` on, by the node's
// attributes; 0 is unknown. Returns none for senseless attributes.
std::optional<Dims> places_of(const NodeCost& op, std::size_t first, std::span<const std::int64_t> window);
// The inputs are features, tables, positions; of ONNX Runtime's own operator features, positions,
// tables.
void rotary_embedding(NodeCost& op);
// Inputs i and i + 1 are tables of cosines and sines with a row for each position, of which so many
// are read.
void rotation_tables(NodeCost& op, std::size_t i, double positions);
// Attention of this many pairs of a query and a key, with these widths over all heads: a score of
// each pair, and its product with a value.
double attention_flops(double pairs, std::int64_t width_of_keys, std::int64_t width_of_values);

}  // namespace iosx::onnx_import
