#include "core/model/edit/fragment.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/model/edit/names.h"
#include "core/model/edit/patch.h"

namespace iosx {
namespace {

class Insertion {
 public:
  Insertion(const EditableGraph& graph, const Fragment& fragment, const InsertOptions& options)
      : fragment_(fragment), options_(options), gesture_(graph), names_(graph) {}

  InsertedFragment run() && {
    for (const auto& [key, op] : fragment_.graph.operators()) {
      const EditUnit* const unit = fragment_.graph.find(op->unit);
      if (unit == nullptr || unit->name == op->name) called_as_operator_.insert(op->unit);
    }
    for (const auto& [key, op] : fragment_.graph.operators()) add(key, *op);
    for (const auto& [key, op] : fragment_.graph.operators()) connect(key, *op);
    connect_outside();
    if (options_.feed) feed();
    std::vector<OperatorKey> added;
    for (const auto& [key, op] : fragment_.graph.operators()) added.push_back(made_.at(key));
    const bool one = added.size() == 1;
    const std::string what = one ? gesture_.graph().op(added.front()).name : fragment_.graph.name();
    return {std::move(gesture_).finish(Message::sentence(options_.sentence.pattern, {verbatim(what)})),
            std::move(added)};
  }

 private:
  void add(OperatorKey key, const EditOperator& op) {
    EditOperator copy = op;
    copy.inputs.assign(op.inputs.size(), {});
    copy.name = names_.unique(op.name);
    if (copy.place) copy.place = CanvasPlace{copy.place->x + options_.offset.x, copy.place->y + options_.offset.y};
    copy.unit = op.is_source() ? UnitKey() : unit_for(op, copy.name);
    made_[key] = gesture_.graph().add(std::move(copy));
  }

  // A unit that is called as one of its operators is called as that is now.
  UnitKey unit_for(const EditOperator& op, const std::string& new_name) {
    const EditUnit* const drawn = fragment_.graph.find(op.unit);
    const EditUnit like = drawn == nullptr ? EditUnit{op.name, {}, {}} : *drawn;
    if (!units_.contains(op.unit)) {
      const std::string name = called_as_operator_.contains(op.unit) ? std::string() : names_.unique(like.name);
      units_[op.unit] = gesture_.graph().add(EditUnit{name, like.hint, part()});
    }
    const UnitKey made = units_.at(op.unit);
    if (like.name == op.name) gesture_.change(made, [&](EditUnit& unit) { unit.name = new_name; });
    return made;
  }

  PartKey part() const {
    const EditableGraph& before = gesture_.before();
    const bool there = options_.part.valid() && before.find(options_.part) != nullptr;
    return there ? options_.part : before.parts().back().key;
  }

  void connect(OperatorKey key, const EditOperator& op) {
    gesture_.change(made_.at(key), [&](EditOperator& copy) {
      for (std::size_t slot = 0; slot < op.inputs.size(); ++slot) {
        const auto producer = made_.find(op.inputs[slot].producer);
        if (producer != made_.end()) copy.inputs[slot] = {producer->second, op.inputs[slot].channels};
      }
    });
  }

  void connect_outside() {
    if (options_.outside == OutsideSlots::kOpen) return;
    std::unordered_map<std::string_view, OperatorKey> by_name;
    if (options_.outside == OutsideSlots::kByName) {
      for (const auto& [key, op] : gesture_.before().operators()) by_name.emplace(op->name, key);
    }
    for (const OutsideInput& input : fragment_.outside) {
      OperatorKey producer = input.producer;
      if (options_.outside == OutsideSlots::kByName) {
        const auto found = by_name.find(input.name);
        producer = found == by_name.end() ? OperatorKey() : found->second;
      }
      if (!producer.valid() || gesture_.before().find(producer) == nullptr) continue;
      gesture_.change(made_.at(input.reader), [&](EditOperator& copy) {
        copy.inputs[input.slot] = {producer, input.channels};
      });
    }
  }

  void feed() {
    for (const auto& [key, op] : fragment_.graph.operators()) {
      gesture_.change(made_.at(key), [&](EditOperator& copy) {
        for (EditInput& input : copy.inputs) {
          if (input.open()) input = *options_.feed;
        }
      });
    }
  }

  const Fragment& fragment_;
  const InsertOptions& options_;
  Gesture gesture_;
  Names names_;
  std::unordered_map<OperatorKey, OperatorKey> made_;  // by key in the fragment
  std::unordered_map<UnitKey, UnitKey> units_;
  std::unordered_set<UnitKey> called_as_operator_;  // units of the fragment that have the name of one of theirs
};

}  // namespace

Fragment fragment_of(const EditableGraph& graph, std::span<const OperatorKey> keys) {
  const std::unordered_set<OperatorKey> chosen(keys.begin(), keys.end());
  Fragment made{.graph = EditableGraph(graph.name())};
  made.graph.set_parts({graph.parts().front()});
  const PartKey part = made.graph.parts().front().key;
  for (const auto& [key, op] : graph.operators()) {
    if (!chosen.contains(key)) continue;
    EditOperator copy = *op;
    for (std::size_t slot = 0; slot < copy.inputs.size(); ++slot) {
      EditInput& input = copy.inputs[slot];
      if (input.open() || chosen.contains(input.producer)) continue;
      const EditOperator* const producer = graph.find(input.producer);
      made.outside.push_back(
          {key, slot, producer == nullptr ? std::string() : producer->name, input.producer, input.channels});
      input = {};
    }
    if (const EditUnit* const unit = graph.find(copy.unit); unit != nullptr && made.graph.find(copy.unit) == nullptr) {
      made.graph.set(copy.unit, EditUnit{unit->name, unit->hint, part});
    }
    made.graph.set(key, std::move(copy));
  }
  return made;
}

InsertedFragment insert_fragment(const EditableGraph& graph, const Fragment& fragment, const InsertOptions& options) {
  return Insertion(graph, fragment, options).run();
}

InsertedFragment duplicate(const EditableGraph& graph, std::span<const OperatorKey> keys, const CanvasPlace& offset) {
  const Sentence sentence = keys.size() == 1 ? Sentence{"Duplicate as {}"} : Sentence{"Duplicate operators of {}"};
  return insert_fragment(graph, fragment_of(graph, keys),
                         {.outside = OutsideSlots::kSame, .offset = offset, .sentence = sentence});
}

}  // namespace iosx
