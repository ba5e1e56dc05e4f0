#pragma once

#include <cstddef>
#include <optional>
#include <unordered_map>
#include <vector>

#include "core/model/schedule/schedule.h"

namespace iosx {

// What the kernel of a convolution or linear layer computes after it.
struct Fusion {
  std::vector<OperatorId> fused;  // Add, Activate, or both in this order; empty: nothing
  std::optional<Value> residual;  // the second operand of the Add
  Activation activation = Activation::kIdentity;
};

// Fusion inside one group. Operators of a group run in order, so earlier ones and outside values exist when an
// operator starts: fusion depends on the group alone.
class GroupFusion {
 public:
  GroupFusion(const Graph& graph, const Group& group);

  // Returns what is fused into the operator, which must be next in order, and marks that as taken.
  Fusion take(OperatorId id);
  // Returns whether an earlier kernel computes the operator.
  bool taken(OperatorId id) const;

 private:
  struct Member {
    std::size_t position = 0;
    bool taken = false;
  };
  const Operator* only_reader(OperatorId id) const;
  std::optional<Value> residual(const Operator& add, OperatorId id) const;

  const Graph& graph_;
  std::unordered_map<std::size_t, Member> members_;  // by index of the operator
};

}  // namespace iosx
