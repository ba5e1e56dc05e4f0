#include "core/model/graph/graph.h"

#include <algorithm>
#include <iterator>

#include "core/base/check.h"

namespace iosx {
namespace {

template <typename T>
void sort_unique(std::vector<T>& list) {
  std::ranges::sort(list);
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace

void Graph::connect() {
  predecessors_.assign(units_.size(), {});
  successors_.assign(units_.size(), {});
  consumers_.assign(operators_.size(), {});
  outputs_.clear();
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    const Operator& op = operators_[i];
    for (const Value& value : op.inputs) {
      consumers_[value.producer.index()].emplace_back(i);
      const UnitId from = this->op(value.producer).unit;
      if (!from.valid() || from == op.unit) continue;
      predecessors_[op.unit.index()].push_back(from);
      successors_[from.index()].push_back(op.unit);
    }
  }
  for (auto& list : predecessors_) sort_unique(list);
  for (auto& list : successors_) sort_unique(list);
  for (auto& list : consumers_) sort_unique(list);
  for (const Unit& unit : units_) {
    std::ranges::copy_if(unit.operators, std::back_inserter(outputs_),
                         [&](OperatorId id) { return consumers(id).empty(); });
  }
  has_known_cost_ = std::ranges::all_of(operators_, &Operator::has_known_cost);
}

std::vector<OperatorId> Graph::outputs(UnitId id) const {
  std::vector<OperatorId> read_outside;
  std::ranges::copy_if(unit(id).operators, std::back_inserter(read_outside), [&](OperatorId made) {
    const auto inside = [&](OperatorId reader) { return op(reader).unit == id; };
    return consumers(made).empty() || !std::ranges::all_of(consumers(made), inside);
  });
  return read_outside;
}

const std::string& Graph::output_name(OperatorId id) const {
  const UnitId unit = op(id).unit;
  return unit.valid() && this->unit(unit).output() == id ? this->unit(unit).name : op(id).name;
}

Shape Graph::shape(const Value& value) const {
  const Shape& whole = op(value.producer).output;
  return whole.rank() == 0 ? whole : whole.with(0, value.channels());
}

std::optional<UnitId> Graph::find_unit(std::string_view name) const {
  for (std::size_t i = 0; i < units_.size(); ++i) {
    if (units_[i].name == name) return UnitId(i);
  }
  return std::nullopt;
}

std::optional<OperatorId> Graph::find_operator(std::string_view name) const {
  for (std::size_t i = 0; i < operators_.size(); ++i) {
    if (operators_[i].name == name) return OperatorId(i);
  }
  if (const auto unit = find_unit(name)) return units_[unit->index()].output();
  return std::nullopt;
}

Graph Graph::with_parts(std::vector<Part> parts) const {
  Graph copy = *this;
  std::size_t next = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    IOS_CHECK(!parts[p].units.empty());
    for (const UnitId unit : parts[p].units) {
      IOS_CHECK(unit.index() == next);
      copy.units_[next++].part = PartId(p);
    }
  }
  IOS_CHECK(next == units_.size());
  copy.parts_ = std::move(parts);
  return copy;
}

Graph Graph::with_units(std::vector<Unit> units) const {
  Graph copy = *this;
  for (Part& part : copy.parts_) part.units.clear();
  for (std::size_t u = 0; u < units.size(); ++u) {
    IOS_CHECK(!units[u].operators.empty());
    for (const OperatorId id : units[u].operators) copy.operators_[id.index()].unit = UnitId(u);
    copy.parts_[units[u].part.index()].units.emplace_back(u);
  }
  copy.units_ = std::move(units);
  copy.connect();
  return copy;
}

Graph Graph::with_parameters(Parameters parameters) const {
  Graph copy = *this;
  copy.parameters_ = std::make_shared<const Parameters>(std::move(parameters));
  return copy;
}

std::vector<OperatorId> output_operators(const Graph& graph, std::span<const std::string> first) {
  std::vector<OperatorId> all(graph.outputs().begin(), graph.outputs().end());
  auto rest = all.begin();
  for (const std::string& name : first) {
    const auto found = std::find_if(rest, all.end(), [&](OperatorId id) { return graph.op(id).name == name; });
    if (found == all.end()) continue;
    std::rotate(rest, found, found + 1);
    ++rest;
  }
  return all;
}

}  // namespace iosx
