#pragma once

#include "core/base/result.h"
#include "core/model/graph/operator.h"
#include "core/model/graph/tensor.h"

namespace iosx {

// Dims of an operator's weights and bias (attributes.h explains them); empty without any.
struct ParameterDims {
  std::vector<std::int64_t> weights;
  std::vector<std::int64_t> bias;
};
ParameterDims parameter_dims(const Attributes& attributes, std::span<const Shape> inputs);

enum class ParameterInit {
  kScaled,    // uniform, with a variance that keeps activations around 1 through rectified layers
  kIntegers,  // -1, 0 and 1: sums of products of integer inputs stay exact integers
};

// The weights and biases of a graph's operators. Numbers that its file lacks are made up from the operator's name
// alone, so that every device and every run sees the same. Immutable once the graph is built.
class Parameters {
 public:
  explicit Parameters(ParameterInit init = ParameterInit::kScaled) : init_(init) {}

  // For the builder: adds the operators in order. Empty tensors are made up on request; given ones have the
  // dims. Without `biased`, the operator could have a bias, but has none in this network.
  void add(std::string_view operator_name, ParameterDims dims, Tensor weights, Tensor bias, bool biased);

  // For parameters from another process: adds an operator whose numbers are made up from `seed` unless give()
  // brings them. It must not be used before that.
  void add_outline(std::uint64_t seed, ParameterDims dims, bool biased);
  void give(OperatorId id, Tensor weights, Tensor bias);
  std::uint64_t seed(OperatorId id) const { return entries_[id.index()].seed; }

  // Returns weights, or a Constant's value. Made-up ones are computed anew by every call: keep them. Empty for an
  // operator of a kind without weights or bias. A bias that the network lacks is zeros. Thread-safe.
  Tensor weights(OperatorId id) const;
  Tensor bias(OperatorId id) const;
  bool has_bias(OperatorId id) const { return entries_[id.index()].biased; }
  // Returns the tensor given to add(); empty where numbers are made up.
  const Tensor& given_weights(OperatorId id) const { return entries_[id.index()].weights; }
  const Tensor& given_bias(OperatorId id) const { return entries_[id.index()].bias; }
  const ParameterDims& dims(OperatorId id) const { return entries_[id.index()].dims; }
  std::size_t size() const { return entries_.size(); }  // number of operators
  ParameterInit init() const { return init_; }          // how numbers are made up

  // Returns true if no number was made up.
  bool complete() const;
  // Returns true if some number was given, except for constants.
  bool any_given() const;
  // Returns the same with all numbers made up in another way, except constants.
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

// Returns `count` numbers, uniform in [-1, 1) or from -1, 0, 1; the same for the same seed everywhere.
std::vector<float> synthetic_values(std::uint64_t seed, std::int64_t count, ParameterInit init);
std::uint64_t synthetic_seed(std::string_view name);

}  // namespace iosx
