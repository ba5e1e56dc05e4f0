#include "core/model/edit/operators.h"

#include <unordered_set>

#include "core/model/edit/connect.h"
#include "core/model/edit/names.h"
#include "core/model/edit/operator_attributes.h"
#include "core/model/graph/operator_table.h"

namespace iosx {
namespace {

// "max pool" → "max_pool1".
std::string name_for(const EditableGraph& graph, const Attributes& attributes) {
  std::string stem(kind_name(attributes));
  std::ranges::replace(stem, ' ', '_');
  return Names(graph).numbered(stem);
}

OperatorKey add_to(EditableGraph& graph, Attributes attributes, std::optional<CanvasPlace> place, PartKey part) {
  EditOperator op{.name = name_for(graph, attributes), .attributes = std::move(attributes), .inputs = {}};
  op.place = place;
  op.inputs.resize(default_inputs(op.attributes));
  if (!op.is_source()) op.unit = graph.add(EditUnit{op.name, {}, part});
  return graph.add(std::move(op));
}

// The value to read instead of a removed operator's; open if there is none.
class Bridge {
 public:
  Bridge(const EditableGraph& graph, std::span<const OperatorKey> removed)
      : graph_(graph), removed_(removed.begin(), removed.end()) {}

  bool removes(const EditInput& input) const { return !input.open() && removed_.contains(input.producer); }

  EditInput over(EditInput input) const {
    for (std::size_t steps = 0; removes(input); ++steps) {
      const auto& inputs = graph_.op(input.producer).inputs;
      const auto first = std::ranges::find_if(inputs, [](const EditInput& each) { return !each.open(); });
      if (first == inputs.end() || steps > removed_.size()) return {};  // nothing, or a circle
      const auto channels = input.channels;
      input = *first;
      if (!channels) continue;
      const std::int64_t offset = input.channels ? input.channels->begin : 0;
      input.channels = {offset + channels->begin, offset + channels->end};
    }
    return input;
  }

 private:
  const EditableGraph& graph_;
  std::unordered_set<OperatorKey> removed_;
};

void bridge_inputs(EditOperator& op, const Bridge& bridge, Healing healing) {
  const OperatorRow& row = operator_row(op.attributes);
  std::vector<EditInput> inputs;
  std::size_t left = op.inputs.size();  // slots, as far as is known
  for (const EditInput& input : op.inputs) {
    const EditInput now = !bridge.removes(input) ? input : healing == Healing::kNone ? EditInput{} : bridge.over(input);
    const bool lost = healing == Healing::kHeal && now.open() && !input.open();
    if (lost && row.most_inputs == operator_table::kAnyNumber && left > std::max<std::size_t>(row.least_inputs, 1)) {
      --left;
    } else {
      inputs.push_back(now);
    }
  }
  op.inputs = std::move(inputs);
}

Patch placed_with(const EditableGraph& graph, std::span<const PlacedOperator> placed, Sentence of_one,
                  Sentence of_several) {
  Gesture gesture(graph);
  for (const PlacedOperator& each : placed) {
    gesture.change(each.key, [&](EditOperator& op) { op.place = each.place; });
  }
  if (placed.size() == 1)
    return std::move(gesture).finish(Message::sentence(of_one.pattern, {verbatim(graph.op(placed.front().key).name)}));
  return std::move(gesture).finish(Message::sentence(of_several.pattern, {verbatim(std::to_string(placed.size()))}));
}

}  // namespace

AddedOperator add_operator(const EditableGraph& graph, Attributes attributes, std::optional<CanvasPlace> place,
                           PartKey part) {
  Gesture gesture(graph);
  const bool has_part = part.valid() && graph.find(part) != nullptr;
  const OperatorKey key =
      add_to(gesture.graph(), std::move(attributes), place, has_part ? part : graph.parts().back().key);
  const std::string name = gesture.graph().op(key).name;
  return {std::move(gesture).finish(message("Add {}", name)), key};
}

AddedOperator add_reader(const EditableGraph& graph, Attributes attributes, std::span<const OperatorKey> sources,
                         std::optional<CanvasPlace> place, PartKey part) {
  AddedOperator added = add_operator(graph, std::move(attributes), place, part);
  const Message sentence = added.patch.sentence;
  EditableGraph after = graph;
  apply(after, added.patch);
  for (std::size_t i = 0; i < sources.size(); ++i) {
    auto linked = connect(after, check(after), {sources[i], std::nullopt}, added.key, i);
    if (!linked) break;
    apply(after, *linked);
    added.patch = joined(added.patch, *linked);
  }
  added.patch.sentence = sentence;
  return added;
}

Result<AddedOperator> insert_operator(const EditableGraph& graph, const GraphCheck& check, Attributes attributes,
                                      OperatorKey reader, std::size_t slot, std::optional<CanvasPlace> place) {
  const EditOperator& op = graph.op(reader);
  if (slot >= op.inputs.size() || op.inputs[slot].open()) {
    return fail(message("nothing is connected to input {} of '{}'", slot + 1, op.name));
  }
  if (operator_row(attributes).most_inputs == 0) {
    return fail(message("{} has no inputs, so it cannot be inserted into a connection", kind_name(attributes)));
  }
  const EditInput from = op.inputs[slot];
  Gesture gesture(graph);
  EditableGraph& after = gesture.graph();
  const EditUnit* const unit = graph.find(op.unit);
  const OperatorKey key =
      add_to(after, std::move(attributes), place, unit == nullptr ? graph.parts().back().key : unit->part);
  if (after.op(key).inputs.empty()) gesture.change(key, [](EditOperator& added) { added.inputs.emplace_back(); });
  IOS_TRY(may_connect(after, check, from, key, 0));
  gesture.change(key, [&](EditOperator& added) { added.inputs[0] = from; });
  gesture.change(reader, [&](EditOperator& changed) { changed.inputs[slot] = {key, std::nullopt}; });
  // An operator between two of one unit is part of the unit.
  const EditOperator* const producer = graph.find(from.producer);
  if (producer != nullptr && producer->unit.valid() && producer->unit == op.unit) {
    gesture.change(key, [&](EditOperator& added) { added.unit = op.unit; });
  }
  const std::string name = after.op(key).name;
  const std::string& producer_name = producer == nullptr ? name : producer->name;
  return AddedOperator{std::move(gesture).finish(message("Insert {} between {} and {}", name, producer_name, op.name)),
                       key};
}

Patch remove_operators(const EditableGraph& graph, std::span<const OperatorKey> keys, Healing healing) {
  const Bridge bridge(graph, keys);
  Gesture gesture(graph);
  for (const auto& [key, op] : graph.operators()) {
    const auto reads_one = [&](const EditInput& input) { return bridge.removes(input); };
    if (std::ranges::none_of(op->inputs, reads_one)) continue;
    gesture.change(key, [&](EditOperator& changed) { bridge_inputs(changed, bridge, healing); });
  }
  std::string name;
  for (const OperatorKey key : keys) {
    if (const EditOperator* const op = graph.find(key)) name = op->name;
    gesture.graph().remove(key);
  }
  if (keys.size() == 1) return std::move(gesture).finish(message("Remove {}", name));
  return std::move(gesture).finish(message("Remove {} operators", keys.size()));
}

Result<Patch> rename_operator(const EditableGraph& graph, OperatorKey key, std::string name) {
  const EditOperator& op = graph.op(key);
  IOS_TRY(check_name(name));
  for (const auto& [other, each] : graph.operators()) {
    if (other != key && each->name == name) return fail(message("another operator is called '{}'", name));
  }
  const EditUnit* const own = graph.find(op.unit);
  const bool unit_follows = own != nullptr && own->name == op.name;
  for (const auto& [unit, each] : graph.units()) {
    const bool may_share = unit == op.unit && (unit_follows || graph.operators_of(unit).size() == 1);
    if (each->name == name && !may_share) return fail(message("a unit is called '{}'", name));
  }
  const std::string before = op.name;
  Gesture gesture(graph);
  if (unit_follows) gesture.change(op.unit, [&](EditUnit& unit) { unit.name = name; });
  gesture.change(key, [&](EditOperator& changed) { changed.name = name; });
  return std::move(gesture).finish(message("Rename {} to {}", before, name));
}

Result<Patch> set_attributes(const EditableGraph& graph, OperatorKey key, Attributes attributes) {
  const EditOperator& op = graph.op(key);
  if (attributes.index() != op.attributes.index()) {
    return fail(message("'{}' has the kind {}, which cannot change", op.name, kind_name(op.attributes)));
  }
  if (auto ok = check_attributes(attributes); !ok) {
    return fail(message("'{}' ({}): {}", op.name, kind_name(attributes), ok.error().what));
  }
  return changing(graph, key, message("Change {}", op.name),
                  [&](EditOperator& changed) { changed.attributes = std::move(attributes); });
}

Patch set_biased(const EditableGraph& graph, OperatorKey key, bool biased) {
  const std::string& name = graph.op(key).name;
  return changing(graph, key, biased ? message("Give {} a bias", name) : message("Remove the bias of {}", name),
                  [&](EditOperator& op) { op.biased = biased; });
}

Patch place_operators(const EditableGraph& graph, std::span<const PlacedOperator> placed) {
  return placed_with(graph, placed, Sentence{"Move {}"}, Sentence{"Move {} operators"});
}

Patch release_places(const EditableGraph& graph, std::span<const OperatorKey> keys) {
  Gesture gesture(graph);
  for (const OperatorKey key : keys) gesture.change(key, [](EditOperator& op) { op.place.reset(); });
  if (keys.size() == 1)
    return std::move(gesture).finish(message("Let the layout place {}", graph.op(keys.front()).name));
  return std::move(gesture).finish(message("Let the layout place {} operators", keys.size()));
}

Patch align(const EditableGraph& graph, std::span<const PlacedOperator> placed, Alignment alignment) {
  if (placed.empty()) return {};
  const bool across = alignment <= Alignment::kRight;
  const auto coordinate = [&](CanvasPlace& place) -> double& { return across ? place.x : place.y; };
  std::vector<PlacedOperator> moved(placed.begin(), placed.end());
  double low = coordinate(moved.front().place);
  double high = low;
  for (PlacedOperator& each : moved) {
    low = std::min(low, coordinate(each.place));
    high = std::max(high, coordinate(each.place));
  }
  const bool to_low = alignment == Alignment::kLeft || alignment == Alignment::kTop;
  const bool to_middle = alignment == Alignment::kCentre || alignment == Alignment::kMiddle;
  const double line = to_low ? low : to_middle ? (low + high) / 2 : high;
  for (PlacedOperator& each : moved) coordinate(each.place) = line;
  return placed_with(graph, moved, Sentence{"Align {}"}, Sentence{"Align {} operators"});
}

}  // namespace iosx
