#include "core/model/plan/fusion.h"

#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

bool may_fuse(const Operator& op) {
  return operator_row(op.attributes).takes_residual && op.inputs.size() == 1 &&
         fused_activation(op.attributes) == Activation::kIdentity;
}

}  // namespace

GroupFusion::GroupFusion(const Graph& graph, const Group& group) : graph_(graph) {
  for (const Step& step : group.steps) {
    for (const UnitId unit : step.units) {
      for (const OperatorId op : graph.unit(unit).operators) members_[op.index()] = {members_.size(), false};
    }
  }
}

bool GroupFusion::taken(OperatorId id) const {
  const auto member = members_.find(id.index());
  return member != members_.end() && member->second.taken;
}

// In the group; null if there are others.
const Operator* GroupFusion::only_reader(OperatorId id) const {
  const auto readers = graph_.consumers(id);
  if (readers.size() != 1 || !members_.contains(readers.front().index())) return nullptr;
  return &graph_.op(readers.front());
}

// The tensor that is added to the operator's whole output, if it has the same shape and is there before the operator
// starts. A constant has no batch.
std::optional<Value> GroupFusion::residual(const Operator& add, OperatorId id) const {
  if (add.inputs.size() != 2) return std::nullopt;
  const std::size_t own = add.inputs[0].producer == id ? 0 : 1;
  const Value& other = add.inputs[1 - own];
  const Operator& producer = graph_.op(other.producer);
  if (add.inputs[own] != graph_.whole(id) || other.producer == id || producer.is_constant()) return std::nullopt;
  if (add.output != graph_.op(id).output || graph_.shape(other) != add.output) return std::nullopt;
  const auto made = members_.find(other.producer.index());
  if (made != members_.end() && made->second.position > members_.at(id.index()).position) return std::nullopt;
  return other;
}

Fusion GroupFusion::take(OperatorId id) {
  Fusion fusion;
  if (!may_fuse(graph_.op(id))) return fusion;
  const auto join = [&](OperatorId after) {
    const OperatorId reader = graph_.consumers(after).front();
    fusion.fused.push_back(reader);
    members_.at(reader.index()).taken = true;
    return reader;
  };
  OperatorId last = id;
  const Operator* next = only_reader(last);
  if (next != nullptr && next->as<Add>() != nullptr) {
    fusion.residual = residual(*next, id);
    if (!fusion.residual) return fusion;
    last = join(last);
    next = only_reader(last);
  }
  if (next != nullptr && next->as<Activate>() != nullptr && next->inputs.front() == graph_.whole(last) &&
      activation_row(next->as<Activate>()->function.kind).fuses) {
    fusion.activation = next->as<Activate>()->function;
    join(last);
  }
  return fusion;
}

}  // namespace iosx
