#pragma once

#include "core/base/id.h"
#include "core/model/graph/attributes.h"

namespace iosx {

using OperatorId = Id<struct OperatorTag>;
using UnitId = Id<struct UnitTag>;
using PartId = Id<struct PartTag>;
using MemberId = Id<struct MemberTag>;  // one of several networks that run together

// Channels [begin, end) of an operator's output: a slice along its first axis. The whole output has begin = 0, end =
// its channels (a scalar has 1).
struct Value {
  OperatorId producer;
  std::int64_t begin = 0;
  std::int64_t end = 0;

  std::int64_t channels() const { return end - begin; }
  friend bool operator==(const Value&, const Value&) = default;
};

// One tensor computation. Its inputs are read in order (the order matters for Concat).
struct Operator {
  std::string name;
  Attributes attributes;
  std::vector<Value> inputs;
  Shape output;
  UnitId unit;            // invalid for a source
  MemberId network = {};  // in Graph::networks(); invalid where there are none
  bool sized = true;      // false: its shape is not known (Opaque::guessed), or follows from one that is not known
  // Further names by which a model calls it: those of nodes that became part of it, such as its activation.
  std::vector<std::string> aliases = {};

  // An input or a constant: nothing computes it.
  bool is_source() const { return is_input() || is_constant(); }
  bool is_input() const { return std::holds_alternative<Input>(attributes); }
  bool is_constant() const { return std::holds_alternative<Constant>(attributes); }
  template <typename Kind>
  const Kind* as() const {
    return std::get_if<Kind>(&attributes);
  }
  // Returns whether work() is right: false of an Opaque without a known cost, and of what has no known shape.
  bool has_known_cost() const {
    const auto* const opaque = as<Opaque>();
    return sized && (opaque == nullptr || opaque->costed);
  }
};

// "conv", "max pool", "relu", … : the field's standard term for what the operator does, for people to read.
std::string_view kind_name(const Attributes& attributes);

// Says whether this is one convolution in the place of several.
bool is_merged(const Attributes& attributes);

// The activation fused into the operator; identity where it has none or is an Activate.
Activation fused_activation(const Attributes& attributes);
// The same to be changed; null for an operator that has none.
Activation* fused_activation(Attributes& attributes);

// The kinds of operators that drawings distinguish, by colour and by letter. They are finer than Attributes, because
// nine tenths of a network are convolutions, whose kernel determines cost and possible merges. A merged one has the
// class of its own kernel, and an additional sign.
enum class OperatorClass {
  kConv1x1,  // convolutions first, to kTransposedConv
  kConv3x3,
  kConvLine,  // n × 1 or 1 × n
  kConvOther,
  kDepthwiseConv,  // a channel group for each channel of the output
  kGroupedConv,
  kTransposedConv,
  kPool,
  kLinear,
  kConcat,  // and other operators that only move data
  kArithmetic,
  kActivation,
  kInput,
  kOpaque,  // no device can execute it; the last
};
inline constexpr std::size_t kOperatorClasses = static_cast<std::size_t>(OperatorClass::kOpaque) + 1;

OperatorClass operator_class(const Attributes& attributes);
std::string_view class_letter(OperatorClass what);  // of one letter
std::string_view class_name(OperatorClass what);    // "convolution 3×3"

}  // namespace iosx
