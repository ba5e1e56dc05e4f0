#include "core/model/edit/connect.h"

#include "core/model/edit/names.h"
#include "core/model/graph/operator_table.h"
#include "core/model/graph/shape_inference.h"

namespace iosx {
namespace {

Message quoted(const EditOperator& op) { return message("'{}' ({})", op.name, kind_name(op.attributes)); }

Result<void> check_slot(const EditOperator& op, std::size_t slot) {
  const OperatorRow& row = operator_row(op.attributes);
  if (row.most_inputs == 0) return fail(message("{} has no inputs", quoted(op)));
  if (slot < op.inputs.size() || (slot == op.inputs.size() && slot < row.most_inputs)) return {};
  if (row.most_inputs != operator_table::kAnyNumber) {
    return fail(message("{} has no input {}; it accepts {}", quoted(op), slot + 1, row.most_inputs));
  }
  return fail(message("{} has no input {}; it now has {}", quoted(op), slot + 1, op.inputs.size()));
}

Result<void> check_circle(const EditableGraph& graph, OperatorKey from, OperatorKey to) {
  if (from == to) return fail(message("'{}' cannot read itself", graph.op(to).name));
  const EditIndex index(graph);
  std::vector<std::string> names;
  for (const std::size_t i : index.path(index.position(to), index.position(from))) names.push_back(index.op(i).name);
  if (names.empty()) return {};
  names.push_back(names.front());
  return fail(message("that would make a cycle: {}", path_text(names)));
}

// Checks the slots with known producers, where the operator is valid with these alone.
Result<void> check_shapes(const GraphCheck& check, const EditOperator& op, std::size_t slot) {
  std::vector<Shape> known;
  bool all = true;
  for (const EditInput& input : op.inputs) {
    const auto shape = check.shape_of(input);
    if (shape) known.push_back(*shape);
    all = all && shape;
  }
  const bool any_number = operator_row(op.attributes).most_inputs == operator_table::kAnyNumber;
  const bool sums = std::holds_alternative<Binary>(op.attributes) || std::holds_alternative<Where>(op.attributes);
  Result<Shape> made = Shape{};
  if (all || (any_number && known.size() >= operator_row(op.attributes).least_inputs)) {
    made = infer_shape(op.attributes, known);
  } else if (sums && known.size() > 1) {  // these broadcast as a sum does
    made = infer_shape(Add{}, known);
  }
  if (made) return {};
  const auto gets = check.shape_of(op.inputs[slot]);
  return fail(message("{} does not accept {}: {}", quoted(op), shape_text(*gets), made.error().what));
}

Result<void> check_variable(const EditOperator& op) {
  if (operator_row(op.attributes).most_inputs == operator_table::kAnyNumber) return {};
  return fail(message("{} needs exactly {} input(s)", quoted(op), operator_row(op.attributes).least_inputs));
}

// The part of what the unit's operators read that is the latest.
std::size_t latest_read(const EditableGraph& graph, UnitKey unit) {
  std::size_t latest = 0;
  for (const OperatorKey key : graph.operators_of(unit)) {
    for (const EditInput& input : graph.op(key).inputs) {
      const EditOperator* const producer = input.open() ? nullptr : graph.find(input.producer);
      const EditUnit* const from = producer == nullptr ? nullptr : graph.find(producer->unit);
      if (from == nullptr || producer->unit == unit) continue;
      latest = std::max(latest, graph.place(from->part));
    }
  }
  return latest;
}

void follow_into_part(Gesture& gesture, OperatorKey from, OperatorKey to) {
  const EditableGraph& graph = gesture.before();
  const UnitKey unit = graph.op(from).unit;
  const EditUnit* const producer = graph.find(unit);
  const EditUnit* const reader = graph.find(graph.op(to).unit);
  if (producer == nullptr || reader == nullptr || producer->part == reader->part) return;
  const std::size_t later = graph.place(reader->part);
  if (graph.place(producer->part) < later || latest_read(graph, unit) > later) return;
  gesture.change(unit, [&](EditUnit& moved) { moved.part = reader->part; });
}

}  // namespace

Result<void> may_connect(const EditableGraph& graph, const GraphCheck& check, const EditInput& from, OperatorKey to,
                         std::size_t slot) {
  EditOperator op = graph.op(to);
  IOS_TRY(check_slot(op, slot));
  IOS_TRY(check_circle(graph, from.producer, to));
  const EditOperator& producer = graph.op(from.producer);
  if (from.channels && check.valid(from.producer) && !check.shape_of(from)) {
    return fail(message("'{}' has {} channels, not {} to {}", producer.name,
                        check.shapes.find(from.producer)->channels(), from.channels->begin, from.channels->end));
  }
  if (!check.shape_of(from)) return {};
  if (slot == op.inputs.size()) op.inputs.emplace_back();
  op.inputs[slot] = from;
  return check_shapes(check, op, slot);
}

Result<Patch> connect(const EditableGraph& graph, const GraphCheck& check, const EditInput& from, OperatorKey to,
                      std::size_t slot) {
  IOS_TRY(may_connect(graph, check, from, to, slot));
  Gesture gesture(graph);
  gesture.change(to, [&](EditOperator& op) {
    if (slot == op.inputs.size()) op.inputs.emplace_back();
    op.inputs[slot] = from;
  });
  follow_into_part(gesture, from.producer, to);
  return std::move(gesture).finish(message("Connect {} to {}", graph.op(from.producer).name, graph.op(to).name));
}

std::size_t slot_for(const EditableGraph& graph, OperatorKey from, OperatorKey to) {
  const EditOperator& op = graph.op(to);
  const auto position = [&](auto found) { return static_cast<std::size_t>(found - op.inputs.begin()); };
  const auto open = std::ranges::find_if(op.inputs, [](const EditInput& input) { return input.open(); });
  if (open != op.inputs.end()) return position(open);
  if (op.inputs.size() < operator_row(op.attributes).most_inputs) return op.inputs.size();
  const auto same = std::ranges::find(op.inputs, from, &EditInput::producer);
  if (same != op.inputs.end()) return position(same);
  return op.inputs.empty() ? 0 : op.inputs.size() - 1;
}

Result<Patch> disconnect(const EditableGraph& graph, OperatorKey to, std::size_t slot) {
  const EditOperator& op = graph.op(to);
  if (slot >= op.inputs.size() || op.inputs[slot].open()) {
    return fail(message("nothing is connected to input {} of '{}'", slot + 1, op.name));
  }
  const EditOperator* const producer = graph.find(op.inputs[slot].producer);
  return changing(graph, to,
                  message("Disconnect {} from {}", op.name, producer == nullptr ? std::string() : producer->name),
                  [&](EditOperator& changed) { changed.inputs[slot] = {}; });
}

Result<Patch> add_input(const EditableGraph& graph, OperatorKey to) {
  IOS_TRY(check_variable(graph.op(to)));
  return changing(graph, to, message("Add an input to {}", graph.op(to).name),
                  [](EditOperator& op) { op.inputs.emplace_back(); });
}

Result<Patch> remove_input(const EditableGraph& graph, OperatorKey to, std::size_t slot) {
  const EditOperator& op = graph.op(to);
  IOS_TRY(check_variable(op));
  const std::size_t least = operator_row(op.attributes).least_inputs;
  if (slot >= op.inputs.size()) return fail(message("'{}' has no input {}", op.name, slot + 1));
  if (op.inputs.size() <= least) return fail(message("{} needs at least {} input(s)", quoted(op), least));
  return changing(graph, to, message("Remove an input of {}", op.name), [&](EditOperator& changed) {
    changed.inputs.erase(changed.inputs.begin() + static_cast<std::ptrdiff_t>(slot));
  });
}

Result<Patch> move_input(const EditableGraph& graph, OperatorKey to, std::size_t slot, std::size_t place) {
  const EditOperator& op = graph.op(to);
  if (slot >= op.inputs.size() || place >= op.inputs.size()) {
    return fail(message("'{}' has {} input(s)", op.name, op.inputs.size()));
  }
  return changing(graph, to, message("Reorder the inputs of {}", op.name), [&](EditOperator& changed) {
    const EditInput moved = changed.inputs[slot];
    changed.inputs.erase(changed.inputs.begin() + static_cast<std::ptrdiff_t>(slot));
    changed.inputs.insert(changed.inputs.begin() + static_cast<std::ptrdiff_t>(place), moved);
  });
}

}  // namespace iosx
