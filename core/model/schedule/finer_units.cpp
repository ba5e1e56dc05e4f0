#include "core/model/schedule/finer_units.h"

#include <algorithm>
#include <iterator>

namespace iosx {
namespace {

// Returns whether the operator waits for nothing in its own unit, but for something outside it.
bool is_first(const Graph& graph, const Operator& op) {
  bool outside = false;
  for (const Value& value : op.inputs) {
    const Operator& producer = graph.op(value.producer);
    if (producer.unit == op.unit) return false;
    outside = outside || !producer.is_constant();
  }
  return outside;
}

// Returns whether `id` is the only reader of `previous`, and reads nothing else of its unit.
bool continues(const Graph& graph, OperatorId previous, OperatorId id) {
  const auto readers = graph.consumers(previous);
  return readers.size() == 1 && readers.front() == id &&
         std::ranges::none_of(graph.op(id).inputs, [&](const Value& value) {
           return value.producer != previous && graph.op(value.producer).unit == graph.op(id).unit;
         });
}

std::vector<Unit> pieces_of(const Graph& graph, const Unit& unit) {
  if (unit.whole) return {unit};
  std::vector<Unit> pieces;
  std::size_t firsts = 0;
  for (const OperatorId id : unit.operators) {
    if (is_first(graph, graph.op(id))) ++firsts;
    if (pieces.empty() || !continues(graph, pieces.back().output(), id)) {
      pieces.push_back({.name = {}, .hint = {}, .operators = {}, .part = unit.part, .whole = false});
    }
    pieces.back().operators.push_back(id);
  }
  if (firsts < 2) return {unit};
  for (Unit& piece : pieces) piece.name = graph.op(piece.output()).name;
  pieces.back().name = unit.name;
  pieces.back().hint = unit.hint;
  return pieces;
}

}  // namespace

std::optional<Graph> finer_units(const Graph& graph) {
  std::vector<Unit> units;
  for (const Unit& unit : graph.units()) std::ranges::move(pieces_of(graph, unit), std::back_inserter(units));
  if (units.size() == graph.units().size()) return std::nullopt;
  return graph.with_units(std::move(units));
}

Schedule on_finer_units(const Schedule& schedule, const Graph& graph, const Graph& finer) {
  const auto pieces = [&](const Step& step) {
    if (step.merged()) {  // units that begin with one operator, and so are whole
      Step same;
      for (const UnitId unit : step.units) same.units.push_back(finer.op(graph.unit(unit).output()).unit);
      return std::vector{same};
    }
    std::vector<Step> steps;
    for (const OperatorId id : graph.unit(step.units.front()).operators) {
      const UnitId unit = finer.op(id).unit;
      if (steps.empty() || steps.back().units.front() != unit) steps.push_back({{unit}});
    }
    return steps;
  };
  Schedule result = schedule;
  for (Stage& stage : result.stages) {
    for (Group& group : stage.groups) {
      std::vector<Step> steps;
      for (const Step& step : group.steps) std::ranges::move(pieces(step), std::back_inserter(steps));
      group.steps = std::move(steps);
    }
  }
  return result;
}

}  // namespace iosx
