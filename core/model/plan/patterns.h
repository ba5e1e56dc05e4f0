#pragma once

#include <array>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/model/graph/graph.h"
#include "core/model/plan/execution_plan.h"
#include "core/model/plan/lower_options.h"
#include "core/model/schedule/schedule.h"

// Finds operators that one kernel computes together.
namespace iosx {

// Attention inside one unit: softmax(scale · q k) v over the last axis, where nothing else reads the values between.
// Exporters write the scale as a factor or divisor of the scores, or of q and of k.
struct Attention {
  std::array<Value, 3> reads;  // q: … × rows × features; k: … × features × keys; v: … × keys × columns
  float scale = 1;
  std::vector<OperatorId> factors;    // that change q or k to make the scale
  std::vector<OperatorId> operators;  // all of them, in order; the last one is the product with v
};
// Returns the attention that ends with this product; none if there is none.
std::optional<Attention> attention_at(const Graph& graph, OperatorId product);

// Squeeze and excitation: the mean of a feature map's pixels, two 1 × 1 convolutions or linear layers with their
// activations, and the product with the feature map, where nothing else reads the values between.
struct ExcitationPattern {
  Value map;
  Excitation excitation;
  std::vector<OperatorId> operators;  // in order; the last one is the product
};
std::optional<ExcitationPattern> excitation_at(const Graph& graph, OperatorId product);

// Returns whether one kernel may compute squeeze and excitation of the map: it has several pixels, at most 2048
// channels, 256 squeezed, and half a megabyte of float32 weights. Each of the kernel's blocks reads all weights of the
// first layer and keeps its vectors.
bool may_excite(const Shape& map, std::int64_t squeezed);

// The patterns inside one group, each computed in the place of its last operator. Squeeze and excitation is in one
// part: stages of the sequential schedule end with parts, and no other schedule shall have fewer launches.
class GroupPatterns {
 public:
  GroupPatterns(const Graph& graph, const Group& group, const LowerOptions& wishes);

  // Returns whether the kernel of a later operator computes it.
  bool taken(OperatorId id) const { return taken_.contains(id); }
  // Return the pattern that ends with the operator; null if there is none.
  const Attention* attention(OperatorId id) const { return find(attentions_, id); }
  const ExcitationPattern* excitation(OperatorId id) const { return find(excitations_, id); }

 private:
  template <typename Pattern>
  using ByLast = std::unordered_map<OperatorId, Pattern>;
  template <typename Pattern>
  void add(const Pattern& pattern, ByLast<Pattern>& patterns) {
    taken_.insert(pattern.operators.begin(), std::prev(pattern.operators.end()));
    patterns.emplace(pattern.operators.back(), pattern);
  }
  template <typename Pattern>
  static const Pattern* find(const ByLast<Pattern>& patterns, OperatorId id) {
    const auto found = patterns.find(id);
    return found == patterns.end() ? nullptr : &found->second;
  }

  ByLast<Attention> attentions_;
  ByLast<ExcitationPattern> excitations_;
  std::unordered_set<OperatorId> taken_;
};

}  // namespace iosx
