#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Dims of an operator's weights and bias (attributes.h says what they mean); empty where it has none.
struct ParameterDims {
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> bias;
};
ParameterDims parameter_dims(const Attributes& attributes, std::span<const Shape> inputs);

enum class ParameterInit {
  kScaled,    // uniform, of a variance that keeps activations in the order of 1 through rectified layers
  kIntegers,  // -1, 0 and 1: sums of products of integer inputs stay exact integers
};

// The weights and biases of a graph's operators. What its file did not bring is made up: from the operator's name
// alone, so that every device and every run sees the same numbers. Immutable once the graph is built.
class Parameters {
 public:
  explicit Parameters(ParameterInit init = ParameterInit::kScaled) : init_(init) {}

  // For the builder: the operators in order. Empty tensors are made up when asked for; given ones have the dims.
  // Not `biased`: an operator that could have a bias, and in this network has none.
  void add(std::string_view operator_name, ParameterDims dims, Tensor weights, Tensor bias, bool biased);

  // For who takes them over from another process: an operator whose numbers are made up from `seed` unless give()
  // brings them. Nobody may use the operator before that.
  void add_outline(std::uint64_t seed, ParameterDims dims, bool biased);
  void give(OperatorId id, Tensor weights, Tensor bias);
  std::uint64_t seed(OperatorId id) const { return entries_[id.index()].seed; }

  // Weights: also a Constant's value. Made-up ones are computed anew by every call: keep them. Empty for an operator
  // of a kind without weights or bias. A bias that the network does not have is zeros. Thread-safe.
  Tensor weights(OperatorId id) const;
  Tensor bias(OperatorId id) const;
  bool has_bias(OperatorId id) const { return entries_[id.index()].biased; }
  // Returns what add() was given; empty where numbers are made up.
  const Tensor& given_weights(OperatorId id) const { return entries_[id.index()].weights; }
  const Tensor& given_bias(OperatorId id) const { return entries_[id.index()].bias; }
  const ParameterDims& dims(OperatorId id) const { return entries_[id.index()].dims; }
  std::size_t size() const { return entries_.size(); }  // operators
  ParameterInit init() const { return init_; }          // how numbers are made up

  // True if no number was made up.
  bool complete() const;
  // True if some number came from elsewhere, constants aside.
  bool any_given() const;
  // The same, with what is made up anyway made up in another way.
  Parameters made_up_as(ParameterInit init) const;
  // The same with everything made up in another way; constants stay.
  Parameters synthetic(ParameterInit init) const;

 private:
  struct Entry {
    ParameterDims dims;
    Tensor weights;
    Tensor bias;
    std::uint64_t seed = 0;
    bool biased = false;
    bool constant = false;  // no bias, dims may be empty
  };
  ParameterInit init_;
  std::vector<Entry> entries_;  // by operator
};

// count numbers, uniform in [-1, 1) or of -1, 0, 1; the same for the same seed everywhere.
std::vector<float> synthetic_values(std::uint64_t seed, std::int64_t count, ParameterInit init);
std::uint64_t synthetic_seed(std::string_view name);

}  // namespace iosx
