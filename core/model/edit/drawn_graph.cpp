#include "core/model/edit/drawn_graph.h"

#include "core/model/edit/convert.h"

namespace iosx {

DrawnGraph::DrawnGraph(EditableGraph graph) : history_(std::move(graph)), check_(iosx::check(history_.graph())) {}

DrawnGraph::DrawnGraph(std::shared_ptr<const Graph> graph) : DrawnGraph(editable(*graph)) {
  built_ = std::move(graph);
  for (std::size_t i = 0; i < built_->operators().size(); ++i)
    operators_.set(OperatorKey(i), OperatorId(i));  // as editable() has them
  plain_ = true;
}

bool DrawnGraph::push(Patch patch, std::uint64_t gesture) {
  if (!history_.push(std::move(patch), gesture)) return false;
  check_ = iosx::check(graph());
  return true;
}

const Patch* DrawnGraph::undo() {
  const Patch* patch = history_.undo();
  if (patch != nullptr) check_ = iosx::check(graph());
  return patch;
}

const Patch* DrawnGraph::redo() {
  const Patch* patch = history_.redo();
  if (patch != nullptr) check_ = iosx::check(graph());
  return patch;
}

bool DrawnGraph::build() {
  auto made = to_graph(graph(), check_);
  computes_ = made.has_value();
  left_out_ = made ? made->left_out.size() : 0;
  if (!made) return false;
  built_ = std::make_shared<const Graph>(std::move(made->graph));
  operators_ = std::move(made->operators);
  return true;
}

void DrawnGraph::adopt(std::shared_ptr<const Graph> graph, bool same) {
  built_ = std::move(graph);
  computes_ = same;
  if (!same) {
    operators_ = {};
    left_out_ = 0;
    return;
  }
  const Parameters& parameters = *built_->parameters();
  EditableGraph weighted = history_.graph();
  for (const auto& [key, id] : operators_) {
    EditOperator op = weighted.op(key);
    if (!op.weights.empty() || parameters.given_weights(id).empty()) continue;
    op.weights = parameters.given_weights(id);
    if (op.bias.empty()) op.bias = parameters.given_bias(id);
    weighted.set(key, std::move(op));
  }
  history_ = EditHistory(std::move(weighted));
  check_ = iosx::check(history_.graph());
}

std::vector<UnitId> DrawnGraph::units_of(std::span<const OperatorKey> keys) const {
  std::vector<UnitId> units;
  for (const OperatorKey key : keys) {
    const OperatorId* const id = operators_.find(key);
    if (id != nullptr && built_->op(*id).unit.valid()) units.push_back(built_->op(*id).unit);
  }
  std::ranges::sort(units);
  units.erase(std::unique(units.begin(), units.end()), units.end());
  return units;
}

std::vector<OperatorKey> DrawnGraph::operators_of(std::span<const UnitId> units) const {
  std::vector<OperatorKey> keys;
  for (const auto& [key, id] : operators_) {
    const UnitId unit = built_->op(id).unit;
    if (unit.valid() && std::ranges::binary_search(units, unit) && graph().find(key) != nullptr) keys.push_back(key);
  }
  return keys;
}

Patch DrawnGraph::with_attributes(const Graph& changed, Message sentence) const {
  Gesture gesture(graph());
  for (const auto& [key, id] : operators_) {
    const Attributes& wanted = changed.op(id).attributes;
    const EditOperator* const own = graph().find(key);
    if (own != nullptr && own->attributes != wanted)
      gesture.change(key, [&](EditOperator& op) { op.attributes = wanted; });
  }
  return std::move(gesture).finish(std::move(sentence));
}

}  // namespace iosx
