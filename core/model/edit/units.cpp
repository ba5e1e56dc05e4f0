#include "core/model/edit/units.h"

#include "core/model/edit/names.h"

namespace iosx {
namespace {

bool about_units(ProblemKind kind) {
  return kind == ProblemKind::kUnitRead || kind == ProblemKind::kUnitApart || kind == ProblemKind::kUnitCircle;
}

// A problem of units that was not there before.
const Problem* new_problem(const GraphCheck& before, const GraphCheck& after) {
  for (const Problem& problem : after.problems) {
    if (!about_units(problem.kind)) continue;
    const auto same = [&](const Problem& old) { return old.kind == problem.kind && old.units == problem.units; };
    if (std::ranges::none_of(before.problems, same)) return &problem;
  }
  return nullptr;
}

// The error that a unit or operator other than the unit's own last one is called so.
Result<void> check_unit_name(const EditableGraph& graph, UnitKey own, const std::string& name) {
  IOS_TRY(check_name(name));
  for (const auto& [key, unit] : graph.units()) {
    if (key != own && unit->name == name) return fail(message("another unit is called '{}'", name));
  }
  const auto op = graph.find_operator(name);
  const bool of_own = op && own.valid() && graph.op(*op).unit == own;
  if (op && (!of_own || graph.operators_of(own).size() > 1)) {
    return fail(message("an operator is called '{}'", name));
  }
  return {};
}

}  // namespace

Result<Patch> group_operators(const EditableGraph& graph, const GraphCheck& check, std::span<const OperatorKey> keys,
                              std::string name, std::string hint) {
  if (keys.size() < 2) return fail(message("a single operator is already a unit; choose several operators"));
  Gesture gesture(graph);
  std::size_t part = 0;
  for (const OperatorKey key : keys) {
    const EditOperator& op = graph.op(key);
    if (op.is_source()) {
      return fail(message("'{}' ({}) is not computed, so it belongs to no unit", op.name, kind_name(op.attributes)));
    }
    if (const EditUnit* const unit = graph.find(op.unit)) part = std::max(part, graph.place(unit->part));
  }
  if (name.empty()) name = Names(graph).numbered("unit");
  IOS_TRY(check_unit_name(graph, {}, name));
  const UnitKey made = gesture.graph().add(EditUnit{name, std::move(hint), graph.parts()[part].key});
  for (const OperatorKey key : keys) gesture.change(key, [&](EditOperator& op) { op.unit = made; });
  const GraphCheck after = iosx::check(gesture.graph());
  if (const Problem* const problem = new_problem(check, after)) return fail(problem->wording);
  return std::move(gesture).finish(message("Group {} operators as {}", keys.size(), name));
}

Result<Patch> split_unit(const EditableGraph& graph, UnitKey unit) {
  const EditUnit& whole = graph.unit(unit);
  const std::vector<OperatorKey> operators = graph.operators_of(unit);
  if (operators.size() < 2) return fail(message("'{}' is one operator and cannot be split", whole.name));
  Gesture gesture(graph);
  for (const OperatorKey key : operators) {
    const UnitKey own = gesture.graph().add(EditUnit{graph.op(key).name, {}, whole.part});
    gesture.change(key, [&](EditOperator& op) { op.unit = own; });
  }
  return std::move(gesture).finish(message("Split {}", whole.name));
}

Result<Patch> rename_unit(const EditableGraph& graph, UnitKey unit, std::string name) {
  IOS_TRY(check_unit_name(graph, unit, name));
  const std::string& before = graph.unit(unit).name;
  return changing(graph, unit, message("Rename {} to {}", before, name),
                  [&](EditUnit& changed) { changed.name = name; });
}

Result<Patch> declare_part(const EditableGraph& graph, const GraphCheck& check, UnitKey first, std::string name) {
  IOS_TRY(check_name(name));
  const EditUnit& begins = graph.unit(first);
  const auto at = std::ranges::find(check.units, first, &OrderedUnit::unit);
  if (at == check.units.end()) return fail(message("'{}' is on a cycle, so it cannot belong to a part", begins.name));
  const PartKey part = begins.part;
  const auto in_part = [&](const OrderedUnit& unit) { return unit.unit.valid() && graph.unit(unit.unit).part == part; };
  if (std::none_of(check.units.begin(), at, in_part)) {
    return fail(message("part '{}' begins with '{}' already", graph.find(part)->name, begins.name));
  }
  Gesture gesture(graph);
  std::vector<EditPart> parts = graph.parts();
  const PartKey made = gesture.graph().new_part_key();
  EditPart& before = parts[graph.place(part)];
  const EditPart after{made, name, std::exchange(before.continued, false)};
  parts.insert(parts.begin() + (&before - parts.data()) + 1, after);
  gesture.graph().set_parts(std::move(parts));
  for (auto unit = at; unit != check.units.end(); ++unit) {
    if (in_part(*unit)) gesture.change(unit->unit, [&](EditUnit& moved) { moved.part = made; });
  }
  return std::move(gesture).finish(message("Begin part {} with {}", name, begins.name));
}

Result<Patch> join_part(const EditableGraph& graph, PartKey part) {
  const std::size_t place = graph.place(part);
  const std::string name = graph.find(part)->name;
  if (place == 0) return fail(message("part '{}' is the first, so there is no part before it to join", name));
  Gesture gesture(graph);
  std::vector<EditPart> parts = graph.parts();
  const EditPart before = parts[place - 1];
  parts[place - 1].continued = parts[place].continued;
  parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(place));
  gesture.graph().set_parts(std::move(parts));
  for (const auto& [key, unit] : graph.units()) {
    if (unit->part == part) gesture.change(key, [&](EditUnit& moved) { moved.part = before.key; });
  }
  return std::move(gesture).finish(message("Join parts {} and {}", before.name, name));
}

Result<Patch> rename_part(const EditableGraph& graph, PartKey part, std::string name) {
  IOS_TRY(check_name(name));
  Gesture gesture(graph);
  std::vector<EditPart> parts = graph.parts();
  EditPart& changed = parts[graph.place(part)];
  const std::string before = std::exchange(changed.name, name);
  gesture.graph().set_parts(std::move(parts));
  return std::move(gesture).finish(message("Rename {} to {}", before, name));
}

Result<Patch> rename_graph(const EditableGraph& graph, std::string name) {
  IOS_TRY(check_name(name));
  Gesture gesture(graph);
  std::vector<EditPart> parts = graph.parts();
  if (parts.size() == 1 && parts.front().name == graph.name()) parts.front().name = name;
  gesture.graph().set_parts(std::move(parts));
  gesture.graph().set_name(name);
  return std::move(gesture).finish(message("Rename {} to {}", graph.name(), name));
}

}  // namespace iosx
