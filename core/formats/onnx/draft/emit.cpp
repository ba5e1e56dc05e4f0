#include "core/formats/onnx/draft/emit.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/model/graph/builder.h"

namespace iosx::onnx_import {
namespace {

// Returns each name once.
class Names {
 public:
  std::string unique(const std::string& name) {
    std::string made = name;
    while (made.empty() || !taken_.insert(made).second) made = fmt::format("{}_{}", name, ++numbers_[name]);
    return made;
  }

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, std::size_t> numbers_;  // last one tried, by name
};

class Emitter {
 public:
  Emitter(Draft draft, std::string name) : draft_(std::move(draft)), builder_(std::move(name)) {}

  Result<Graph> run(std::vector<OnnxOutput>& outputs) {
    separate_outputs();
    give_names(outputs);
    values_.resize(draft_.operators.size());
    const auto live = needed(draft_);
    for (std::size_t i = 0; i < draft_.operators.size(); ++i) {
      DraftOperator& op = draft_.operators[i];
      if (const auto* const input = std::get_if<Input>(&op.attributes)) {
        values_[i] = builder_.input(op.name, input->shape);
      } else if (live[i] && std::holds_alternative<Constant>(op.attributes)) {
        values_[i] = builder_.constant(op.name, std::move(op.weights));
      }
    }
    for (const auto& unit : units_of(draft_)) {
      builder_.begin_unit(draft_.operators[unit.back()].name);
      for (const std::size_t i : unit) add(i);
      builder_.end_unit();
    }
    return std::move(builder_).build();
  }

 private:
  // An output that is a source, a part of an operator's output, or read by operators or other outputs too, becomes a
  // copy: a graph's outputs are what nothing reads.
  void separate_outputs() {
    std::vector<std::size_t> readers(draft_.operators.size(), 0);
    const auto live = needed(draft_);
    for (std::size_t i = 0; i < live.size(); ++i) {
      if (!live[i]) continue;
      for (const DraftValue& input : draft_.operators[i].inputs) ++readers[input.producer];
    }
    for (const auto& [name, value] : draft_.outputs) ++readers[value.producer];
    for (auto& [name, value] : draft_.outputs) {
      const bool alone = readers[value.producer] == 1;
      if (alone && draft_.is_whole(value) && !draft_.operators[value.producer].is_source()) continue;
      draft_.operators.push_back({name, Identity{}, {value}, value.shape, {}, {}});
      value = draft_.whole(draft_.operators.size() - 1);
    }
  }

  // Inputs keep their names, then outputs theirs, then operators in order.
  void give_names(std::vector<OnnxOutput>& outputs) {
    Names names;
    std::vector<bool> named(draft_.operators.size(), false);
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (!std::holds_alternative<Input>(draft_.operators[i].attributes)) continue;
      draft_.operators[i].name = names.unique(draft_.operators[i].name);
      named[i] = true;
    }
    for (const auto& [name, value] : draft_.outputs) {
      DraftOperator& op = draft_.operators[value.producer];
      op.name = names.unique(name);
      named[value.producer] = true;
      outputs.push_back({name, op.name});
    }
    const auto live = needed(draft_);
    for (std::size_t i = 0; i < named.size(); ++i) {
      if (live[i] && !named[i]) draft_.operators[i].name = names.unique(draft_.operators[i].name);
    }
  }

  void add(std::size_t i) {
    DraftOperator& op = draft_.operators[i];
    std::vector<Value> inputs;
    for (const DraftValue& input : op.inputs) {
      inputs.push_back({values_[input.producer].producer, input.begin, input.end});
    }
    values_[i] = builder_.add(op.name, op.attributes, std::move(inputs));
    if (!op.weights.empty()) builder_.set_parameters(values_[i], std::move(op.weights), std::move(op.bias));
  }

  Draft draft_;
  GraphBuilder builder_;
  std::vector<Value> values_;  // by index in the draft
};

}  // namespace

Result<Graph> emit(Draft draft, std::string name, std::vector<OnnxOutput>& outputs) {
  return Emitter(std::move(draft), std::move(name)).run(outputs);
}

}  // namespace iosx::onnx_import
